// One walk through a graph: what has been asked, seen, selected and looked up so far.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "menu/state.h"

namespace harnessg {

class Environment;

// An Episode is a value. Copying it is the clone (no locks, no allocation in the ordinary case); two episodes are equal
// exactly when question, state and answer are. It holds no pointer into its Environment, so it may outlive it, travel
// to another process (save, then Environment::restore) and be compared there.
//
// Not synchronised: one thread at a time per Episode. Any number of episodes may share one Environment.
class Episode {
 public:
  // What the policy may do now, in the order in which it is shown. At most menu_bound(config) entries, no two alike;
  // empty exactly when the search is over (ended or truncated). Valid until the next step.
  const Menu& menu() const { return menu_; }

  // Sentences on display, best first, with why they are.
  std::span<const VisibleSentence> visible() const { return as_span(state_.visible); }
  // Evidence chosen by Select and AnswerWith, in the order chosen.
  std::span<const SentenceId> selected() const { return as_span(state_.selected); }
  // Every sentence shown so far, in order of first sight: the context that SNC scores. Position n is display id "Sn".
  std::span<const SentenceId> seen() const { return as_span(state_.seen); }
  // Entities looked up, in order.
  std::span<const EntityId> looked_up() const { return as_span(state_.looked_up); }

  // Policy turns used, the first view and blocked attempts included.
  std::uint32_t turn() const { return state_.turn; }
  bool ended() const { return state_.ended; }          // a terminal action was taken
  bool truncated() const { return state_.truncated; }  // the budget ran out first
  bool over() const { return state_.ended || state_.truncated; }

  // The answer text, once given (Environment::answer).
  bool answered() const { return answered_; }
  const std::string& answer() const { return answer_; }

  const Question& question() const { return *question_; }
  std::uint64_t seed() const { return seed_; }
  const State& state() const { return state_; }
  // Content hash of the index and fingerprint of the configuration it plays by.
  std::string_view index_hash() const { return world_->index_hash; }
  std::uint64_t rules_hash() const { return world_->rules_hash; }

  // 64 bits over question, state and answer; equal episodes hash equal, on any machine.
  std::uint64_t hash() const;

  // Bytes from which Environment::restore makes an equal episode. They begin with a format version and the content hash
  // of the graph and end with a checksum; restoring against another graph or other rules is an error, never a guess.
  std::string save() const;

  friend bool operator==(const Episode& a, const Episode& b);

 private:
  friend class Environment;  // the only one that makes and changes episodes

  // What an episode remembers of the Environment it came from; shared by all of its episodes.
  struct WorldName {
    std::string index_hash;
    std::uint64_t rules_hash = 0;
  };

  std::shared_ptr<const WorldName> world_;
  std::shared_ptr<const Question> question_;
  std::uint64_t seed_ = 0;
  State state_;
  Menu menu_;
  bool answered_ = false;
  std::string answer_;
};

}  // namespace harnessg
