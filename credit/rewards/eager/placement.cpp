#include "credit/rewards/eager/placement.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace harnessg::eager {
namespace {

constexpr std::size_t kUnpaired = static_cast<std::size_t>(-1);

// Ids of the gold's interner, continued for what only the output says.
class Extension {
 public:
  explicit Extension(const Interner& gold) : gold_(gold) {}

  std::uint32_t id(std::string_view text) {
    const std::uint32_t known = gold_.find(text);
    if (known < gold_.size()) return known;
    const auto next = static_cast<std::uint32_t>(gold_.size() + ids_.size());
    return ids_.try_emplace(text, next).first->second;
  }

 private:
  const Interner& gold_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;  // keys live as long as the extraction
};

// Spots one after another without repeats: those preferred, then the string's places in the text.
class Candidates {
 public:
  Candidates(const Instance& instance, std::string_view form)
      : text_(instance.by_offsets() ? std::string_view(instance.text().form()) : std::string_view()), form_(form) {}

  void prefer(Spot spot) {
    if (std::find(spots_.begin(), spots_.end(), spot) == spots_.end()) spots_.push_back(spot);
    preferred_ = spots_.size();
  }

  // The n-th, the first when there are fewer, none when there are none at all.
  std::optional<Spot> at(std::size_t n) {
    while (spots_.size() <= n && search()) {
    }
    if (spots_.empty()) return std::nullopt;
    return spots_[n < spots_.size() ? n : 0];
  }

  std::size_t preferred() const { return preferred_; }

 private:
  bool search() {
    if (from_ == std::string_view::npos) return false;
    const std::size_t found = find_text(text_, form_, from_);
    from_ = found == std::string_view::npos ? found : found + form_.size();
    if (found == std::string_view::npos) return false;
    const Spot spot = Spot::at(found, found + form_.size());
    const auto last = spots_.begin() + static_cast<std::ptrdiff_t>(preferred_);
    if (std::find(spots_.begin(), last, spot) == last) spots_.push_back(spot);
    return true;
  }

  std::string_view text_;
  std::string_view form_;
  std::vector<Spot> spots_;
  std::size_t preferred_ = 0;
  std::size_t from_ = 0;
};

class Placer {
 public:
  Placer(const Instance& instance, const Extraction& extraction)
      : instance_(instance), extraction_(extraction), names_(instance.names()), strings_(instance.strings()) {}

  Placement place() {
    read();
    place_triggers();
    for (std::size_t event = 0; event < result_.events.size(); ++event) place_arguments(event);
    return std::move(result_);
  }

 private:
  // Forms by string id, those of gold left out.
  struct Text {
    StringId id = 0;
    std::string_view form;
    bool grounded = false;
  };

  Text read(const std::string& mention) {
    const MatchOptions& options = instance_.options();
    std::string_view form = mention;
    if (!is_match_form(mention, options)) form = forms_.emplace_back(match_form(mention, options));
    return {strings_.id(form), form, instance_.is_grounded(mention)};
  }

  void read() {
    result_.events.reserve(extraction_.size());
    for (const ExtractedEvent& event : extraction_) {
      const Text trigger = read(event.mention);
      PlacedEvent& placed = result_.events.emplace_back();
      placed.type = names_.id(event.type);
      placed.trigger = trigger.id;
      placed.grounded = trigger.grounded;
      placed.first_argument = result_.arguments.size();
      trigger_forms_.push_back(trigger.form);
      for (const ExtractedArgument& argument : event.arguments) {
        const Text text = read(argument.text);
        result_.arguments.push_back({names_.id(argument.role), text.id, Spot(), text.grounded});
        argument_forms_.push_back(text.form);
      }
      placed.last_argument = result_.arguments.size();
    }
  }

  // Events of one type and trigger, together.
  void place_triggers() {
    pairs_.assign(result_.events.size(), kUnpaired);
    std::vector<std::size_t> order(result_.events.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t event) {
      return std::pair(result_.events[event].type, result_.events[event].trigger);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (auto begin = order.begin(); begin != order.end();) {
      const auto end = std::find_if(begin, order.end(), [&](std::size_t event) { return key(event) != key(*begin); });
      place_alike({begin, end});
      begin = end;
    }
  }

  void place_alike(std::span<const std::size_t> alike) {
    const PlacedEvent& first = result_.events[alike.front()];
    std::vector<std::size_t> gold;
    Candidates candidates(instance_, trigger_forms_[alike.front()]);
    for (std::size_t i = 0; i < instance_.events().size(); ++i) {
      const PreparedEvent& event = instance_.events()[i];
      if (event.type != first.type || event.trigger != first.trigger) continue;
      gold.push_back(i);
      candidates.prefer(event.spot);
    }
    const std::size_t own = candidates.preferred();
    for (const PreparedEvent& event : instance_.events()) {
      if (event.trigger == first.trigger) candidates.prefer(event.spot);
    }
    pair(alike, gold);
    std::size_t next = own;
    for (const std::size_t index : alike) {
      PlacedEvent& event = result_.events[index];
      if (pairs_[index] != kUnpaired) {
        event.spot = instance_.events()[pairs_[index]].spot;
        continue;
      }
      event.spot = candidates.at(next++).value_or(Spot::string(event.trigger));
      const bool again = !gold.empty() && event.spot == instance_.events()[gold.front()].spot;
      if (again) pairs_[index] = gold.front();
    }
  }

  // Most equal arguments first.
  void pair(std::span<const std::size_t> alike, std::span<const std::size_t> gold) {
    if (gold.size() == 1 && alike.size() == 1) pairs_[alike.front()] = gold.front();
    if (gold.empty() || (gold.size() == 1 && alike.size() == 1)) return;
    struct Pair {
      std::size_t equal, arguments, event, gold;
    };
    std::vector<Pair> all;
    for (const std::size_t event : alike) {
      const auto own = sorted_arguments(event);
      for (const std::size_t other : gold) all.push_back({equal_arguments(own, other), own.size(), event, other});
    }
    std::sort(all.begin(), all.end(), [](const Pair& a, const Pair& b) {
      return std::tie(b.equal, a.arguments, a.event, a.gold) < std::tie(a.equal, b.arguments, b.event, b.gold);
    });
    std::vector<bool> taken(instance_.events().size(), false);
    for (const Pair& candidate : all) {
      if (taken[candidate.gold] || pairs_[candidate.event] != kUnpaired) continue;
      taken[candidate.gold] = true;
      pairs_[candidate.event] = candidate.gold;
    }
  }

  std::vector<std::pair<NameId, StringId>> sorted_arguments(std::size_t event) const {
    std::vector<std::pair<NameId, StringId>> all;
    const PlacedEvent& placed = result_.events[event];
    for (std::size_t i = placed.first_argument; i < placed.last_argument; ++i) {
      all.emplace_back(result_.arguments[i].role, result_.arguments[i].string);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  std::size_t equal_arguments(const std::vector<std::pair<NameId, StringId>>& own, std::size_t gold) const {
    const auto& other = instance_.events()[gold].sorted_arguments;
    std::size_t equal = 0;
    for (auto a = own.begin(), b = other.begin(); a != own.end() && b != other.end();) {
      if (*a == *b) {
        ++equal, ++a, ++b;
      } else {
        *a < *b ? static_cast<void>(++a) : static_cast<void>(++b);
      }
    }
    return equal;
  }

  // Values of one role and string, together.
  void place_arguments(std::size_t index) {
    const PlacedEvent& event = result_.events[index];
    std::vector<std::size_t> order(event.last_argument - event.first_argument);
    std::iota(order.begin(), order.end(), event.first_argument);
    const auto key = [&](std::size_t i) { return std::pair(result_.arguments[i].role, result_.arguments[i].string); };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
      if (key(order[i]) != key(order[first])) first = i;
      if (first == i) argument_candidates(index, order[i]);
      PlacedArgument& argument = result_.arguments[order[i]];
      argument.spot = candidates_->at(i - first).value_or(Spot::string(argument.string));
    }
  }

  void argument_candidates(std::size_t index, std::size_t first) {
    candidates_.emplace(instance_, argument_forms_[first]);
    const PlacedArgument& argument = result_.arguments[first];
    if (argument.string >= instance_.strings().size()) return;
    const auto prefer = [&](const PreparedEvent& event, bool same_role) {
      for (const PreparedArgument& gold : event.arguments) {
        if (gold.string == argument.string && (gold.role == argument.role || !same_role))
          candidates_->prefer(gold.spot);
      }
    };
    for (const bool same_role : {true, false}) {
      if (pairs_[index] != kUnpaired) prefer(instance_.events()[pairs_[index]], same_role);
    }
    for (const bool same_role : {true, false}) {
      for (const PreparedEvent& event : instance_.events()) {
        if (event.type == result_.events[index].type) prefer(event, same_role);
      }
    }
  }

  const Instance& instance_;
  const Extraction& extraction_;
  Extension names_;
  Extension strings_;
  std::deque<std::string> forms_;
  std::vector<std::string_view> trigger_forms_;   // by event
  std::vector<std::string_view> argument_forms_;  // by argument
  std::vector<std::size_t> pairs_;                // by event: its gold event
  std::optional<Candidates> candidates_;          // of the arguments being placed
  Placement result_;
};

}  // namespace

Placement place(const Instance& instance, const Extraction& extraction) { return Placer(instance, extraction).place(); }

}  // namespace harnessg::eager
