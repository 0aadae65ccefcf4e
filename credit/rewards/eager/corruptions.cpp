#include "credit/rewards/eager/corruptions.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "credit/rewards/eager/output_format.h"
#include "data/splitmix.h"
#include "data/text.h"

namespace harnessg::eager {
namespace {

constexpr int kAttempts = 20;

class Corruptor {
 public:
  Corruptor(const Instance& instance, const SchemaSet& schemas, std::uint64_t seed)
      : instance_(instance), gold_(instance.record().events), schemas_(schemas), random_(seed) {}

  std::optional<CorruptedOutput> corrupt(Corruption corruption) {
    const GoldFaults& faults = instance_.faults();
    if (faults.without_span + faults.not_verbatim + faults.other_text > 0 || instance_.arguments() == 0) return {};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      events_ = extraction_of(gold_);
      moves_.fill(Move::kSame);
      if (corruption == Corruption::kBreakSyntax) return broken();
      if (damage(corruption)) return CorruptedOutput{format_output(events_, schemas_), moves_};
    }
    return std::nullopt;
  }

 private:
  bool damage(Corruption corruption) {
    switch (corruption) {
      case Corruption::kDropEvent:
        return drop_event();
      case Corruption::kDropArgument:
        return drop_argument();
      case Corruption::kAddEvent:
        return add_event();
      case Corruption::kAddArgument:
        return add_argument();
      case Corruption::kRepeatEvent:
        return repeat_event();
      case Corruption::kWiden:
        return widen();
      case Corruption::kRetype:
        return retype();
      case Corruption::kMisquote:
        return misquote();
      case Corruption::kMisquoteTrigger:
        return misquote_trigger();
      case Corruption::kReorder:
        return reorder();
      case Corruption::kBreakSyntax:
        break;
    }
    return false;
  }

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.next() % bound); }
  bool down(std::initializer_list<Reward> rewards) {
    for (const Reward reward : rewards) moves_[static_cast<std::size_t>(reward)] = Move::kDown;
    return true;
  }

  // An event whose trigger and type gold has once.
  std::optional<std::size_t> pick_event() {
    const std::size_t event = below(gold_.size());
    const auto same = [&](const GoldEvent& other) {
      return other.type == gold_[event].type && other.trigger == gold_[event].trigger;
    };
    if (std::count_if(gold_.begin(), gold_.end(), same) != 1) return std::nullopt;
    return event;
  }

  // An argument of such an event that it has once.
  std::optional<std::pair<std::size_t, std::size_t>> pick_argument() {
    const auto event = pick_event();
    if (!event || gold_[*event].arguments.empty()) return std::nullopt;
    const std::vector<GoldArgument>& all = gold_[*event].arguments;
    const std::size_t argument = below(all.size());
    if (std::count(all.begin(), all.end(), all[argument]) != 1) return std::nullopt;
    return std::pair(*event, argument);
  }

  std::string_view pick_word() {
    const std::vector<std::string_view> words = split_words(instance_.record().text);
    return words[below(words.size())];
  }

  bool gold_says(std::string_view role, std::string_view text) const {
    return std::any_of(gold_.begin(), gold_.end(), [&](const GoldEvent& event) {
      return std::any_of(event.arguments.begin(), event.arguments.end(), [&](const GoldArgument& argument) {
        return argument.role == role && argument.mention.text == text;
      });
    });
  }
  bool gold_triggers(std::string_view type, std::string_view text) const {
    return std::any_of(gold_.begin(), gold_.end(),
                       [&](const GoldEvent& event) { return event.type == type && event.trigger.text == text; });
  }

  bool drop_event() {
    const auto event = pick_event();
    if (!event || gold_[*event].arguments.size() == instance_.arguments()) return false;
    events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(*event));
    return down({Reward::kAccuracy, Reward::kCoverage});
  }

  bool drop_argument() {
    const auto at = pick_argument();
    if (!at || instance_.arguments() < 2) return false;
    auto& arguments = events_[at->first].arguments;
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(at->second));
    return down({Reward::kAccuracy, Reward::kCoverage});
  }

  bool add_event() {
    ExtractedEvent event;
    event.type = schemas_.schemas()[below(schemas_.size())].type;
    event.mention = pick_word();
    if (gold_triggers(event.type, event.mention)) return false;
    events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(below(events_.size() + 1)), event);
    return down({Reward::kAccuracy, Reward::kOverGeneration});
  }

  bool add_argument() {
    const auto at = pick_argument();
    if (!at) return false;
    ExtractedEvent& event = events_[at->first];
    const ExtractedArgument added{event.arguments[at->second].role, std::string(pick_word())};
    if (gold_says(added.role, added.text)) return false;
    event.arguments.push_back(added);
    return down({Reward::kAccuracy, Reward::kOverGeneration, Reward::kBoundary});
  }

  bool repeat_event() {
    const std::size_t event = below(events_.size());
    const std::string& text = instance_.record().text;
    const auto stands_once = [&](const std::string& mention) {
      const std::size_t first = find_text(text, mention);
      return find_text(text, mention, first + 1) == std::string_view::npos;
    };
    if (!stands_once(events_[event].mention)) return false;
    events_.push_back(ExtractedEvent(events_[event]));
    return down({Reward::kOverGeneration});
  }

  bool widen() {
    const auto at = pick_argument();
    if (!at) return false;
    ExtractedArgument& argument = events_[at->first].arguments[at->second];
    const std::string_view text = instance_.record().text;
    const auto piece = slice(text, *gold_[at->first].arguments[at->second].mention.span);
    const auto begin = static_cast<std::size_t>(piece->data() - text.data());
    const std::size_t from = begin + piece->size();
    const std::size_t word = text.find_first_not_of(' ', from);
    if (word == std::string_view::npos) return false;
    const std::size_t end = std::min(text.find(' ', word), text.size());
    argument.text = text.substr(begin, end - begin);
    if (gold_says(argument.role, argument.text)) return false;
    return down({Reward::kAccuracy, Reward::kBoundary});
  }

  bool retype() {
    const auto at = pick_event();
    if (!at) return false;
    ExtractedEvent& event = events_[*at];
    const EventSchema& schema = schemas_.schemas()[below(schemas_.size())];
    const bool fits =
        std::all_of(event.arguments.begin(), event.arguments.end(), [&](const ExtractedArgument& argument) {
          const RoleSchema* role = schema.find_role(argument.role);
          return role && role->role == argument.role;
        });
    if (!fits || schema.type == event.type || gold_triggers(schema.type, event.mention)) return false;
    event.type = schema.type;
    return down({Reward::kAccuracy});
  }

  // A letter more inside the text, so that it stands nowhere.
  bool misquote(std::string& mention) {
    mention += below(2) == 0 ? "q\xC2\xA4" : "\xF0\x9F\x98\x80";
    return !instance_.is_grounded(mention);
  }

  bool misquote() {
    const auto at = pick_argument();
    if (!at || !misquote(events_[at->first].arguments[at->second].text)) return false;
    return down({Reward::kAccuracy, Reward::kGrounding, Reward::kBoundary});
  }

  bool misquote_trigger() {
    const auto event = pick_event();
    if (!event || !misquote(events_[*event].mention)) return false;
    return down({Reward::kAccuracy, Reward::kGrounding});
  }

  template <class Element>
  void shuffle(std::vector<Element>& elements) {
    for (std::size_t i = elements.size(); i > 1; --i) std::swap(elements[i - 1], elements[below(i)]);
  }

  bool reorder() {
    shuffle(events_);
    for (ExtractedEvent& event : events_) shuffle(event.arguments);
    return true;
  }

  CorruptedOutput broken() {
    std::string output = format_output(events_, schemas_);
    switch (below(4)) {
      case 0:
        output.resize(1 + below(output.size() - 1));
        break;
      case 1:
        output.insert(0, "The events are: ");
        break;
      case 2:
        output.erase(output.find('('), 1);
        break;
      default:
        output = "{\"events\": " + output + '}';
    }
    moves_.fill(Move::kToZero);
    return {std::move(output), moves_};
  }

  const Instance& instance_;
  const std::vector<GoldEvent>& gold_;
  const SchemaSet& schemas_;
  SplitMix random_;
  Extraction events_;
  std::array<Move, kRewards> moves_{};
};

}  // namespace

std::string_view corruption_name(Corruption corruption) {
  static constexpr std::array<std::string_view, kCorruptions> kNames = {
      "drop_event", "drop_argument", "add_event",        "add_argument", "repeat_event", "widen",
      "retype",     "misquote",      "misquote_trigger", "reorder",      "break_syntax"};
  return kNames[static_cast<std::size_t>(corruption)];
}

std::optional<CorruptedOutput> corrupt(const Instance& instance, const SchemaSet& schemas, Corruption corruption,
                                       std::uint64_t seed) {
  return Corruptor(instance, schemas, seed).corrupt(corruption);
}

}  // namespace harnessg::eager
