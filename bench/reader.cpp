#include "bench/reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr double kAskedFor = 3;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Label> asked_labels(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
    if (is_one_of(word, {"who", "whom", "whose"})) return {Label::kPerson};
    if (is_one_of(word, {"where", "city", "country", "place", "town"})) return {Label::kGpe, Label::kLoc, Label::kFac};
    if (is_one_of(word, {"when", "date", "year"})) return {Label::kDate};
    if (word == "how" && is_one_of(next, {"many", "much", "old"})) return {Label::kCardinal, Label::kQuantity};
    if (word == "nationality") return {Label::kNorp, Label::kGpe};
  }
  return {};
}

bool asks_yes_or_no(const std::vector<std::string>& words) {
  return !words.empty() &&
         is_one_of(words[0], {"is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could"});
}

// Whether all words of a name stand in the question.
bool is_named(const std::vector<std::string>& question, std::string_view name) {
  const std::vector<std::string> words = alphanumeric_tokens(name);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(question.begin(), question.end(), word) != question.end();
  });
}

}  // namespace

std::string read_answer(const Index& index, std::string_view question, std::span<const SentenceId> selected,
                        std::span<const SentenceId> seen) {
  const std::vector<std::string> words = alphanumeric_tokens(question);
  if (asks_yes_or_no(words)) return "yes";
  const Graph& graph = index.graph();
  const LexicalQuery terms = index.lexicon().query(question);
  const std::vector<Label> asked = asked_labels(words);
  std::map<EntityId, double> weights;
  const auto add = [&](SentenceId s) {
    const auto weight = static_cast<double>(index.lexicon().score(terms, NodeKind::kSentence, harnessg::index(s)));
    for (const EntityId e : graph.entities(s)) weights[e] += weight;
  };
  for (const SentenceId s : selected) add(s);
  for (const SentenceId s : seen) add(s);
  std::string_view best;
  double most = 0;
  for (auto [entity, weight] : weights) {
    if (std::find(asked.begin(), asked.end(), graph.label(entity)) != asked.end()) weight *= kAskedFor;
    if (weight <= most || is_named(words, graph.surface(entity))) continue;
    best = graph.surface(entity);
    most = weight;
  }
  return std::string(best);
}

}  // namespace harnessg::bench
