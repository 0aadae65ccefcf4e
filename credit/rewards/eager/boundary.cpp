#include "credit/rewards/eager/boundary.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "data/text.h"

namespace harnessg::eager {
namespace {

struct Fit {
  double jaccard = -1;  // below 0: no gold argument of the role
  double score = 0;
  bool over_extended = false;

  bool better_than(const Fit& other) const {
    return jaccard != other.jaccard ? jaccard > other.jaccard : score > other.score;
  }
};

double ratio(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(1, whole));
}

// Common words of two multisets.
std::size_t count_common(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::size_t common = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    common += *x == *y ? 1 : 0;
    const bool first = *x <= *y;
    if (*y <= *x) ++y;
    if (first) ++x;
  }
  return common;
}

Fit fit(std::span<const std::uint32_t> words, std::span<const std::uint32_t> gold) {
  const std::size_t common = count_common({words.begin(), words.end()}, {gold.begin(), gold.end()});
  Fit result;
  result.jaccard = result.score = ratio(common, words.size() + gold.size() - common);
  const bool wider = words.size() > gold.size();
  result.over_extended = wider && std::search(words.begin(), words.end(), gold.begin(), gold.end()) != words.end();
  if (result.over_extended) {
    result.score = std::max(0.0, result.jaccard - ratio(words.size() - gold.size(), gold.size()));
  }
  return result;
}

class Aligner {
 public:
  explicit Aligner(const Instance& instance) : instance_(instance) {}

  Fit align(const PlacedArgument& argument, const std::string& text) {
    Fit best;
    bool read = false;
    for (const PreparedEvent& event : instance_.events()) {
      for (const PreparedArgument& gold : event.arguments) {
        if (gold.role != argument.role) continue;
        if (gold.string == argument.string) return {1, 1, false};
        if (!read) read_words(text);
        read = true;
        const Fit candidate = fit(words_, instance_.words_of(gold.string));
        if (candidate.better_than(best)) best = candidate;
      }
    }
    return best;
  }

 private:
  // Words that gold does not have are all one: they are in no intersection.
  void read_words(const std::string& text) {
    words_.clear();
    const std::string form = match_form(text, instance_.options());
    for (const std::string_view word : split_words(form)) words_.push_back(instance_.words().find(word));
  }

  const Instance& instance_;
  std::vector<std::uint32_t> words_;
};

}  // namespace

Boundary measure_boundary(const Instance& instance, const Placement& placement, const Extraction& extraction) {
  Boundary result;
  result.nothing = instance.arguments() == 0 && placement.arguments.empty();
  Aligner aligner(instance);
  double sum = 0;
  auto argument = placement.arguments.begin();
  for (const ExtractedEvent& event : extraction) {
    for (const ExtractedArgument& extracted : event.arguments) {
      const Fit best = aligner.align(*argument++, extracted.text);
      if (best.jaccard < 0) continue;
      result.aligned += 1;
      result.over_extended += best.over_extended ? 1 : 0;
      sum += best.score;
    }
  }
  if (result.aligned > 0) result.mean = sum / static_cast<double>(result.aligned);
  return result;
}

}  // namespace harnessg::eager
