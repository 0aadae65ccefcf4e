// Why gold cannot be reached: the limit of the environment that would have to give way.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/gold.h"
#include "data/embedder.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

// From the smallest want to the largest: with several reasons the last one stands for the question.
enum class MissReason : std::uint8_t {
  kNotTogether,  // each unit within the turns, not all of them in one episode
  kOutOfTurns,   // longer episodes reach it
  kOffMenu,      // longer menus do: its lookup falls behind the cap on lookups
  kOverCap,      // longer lists of mentions and synonyms do: its mention stands behind an entity's cap
  kRankedBelow,  // longer views do: a lookup has it as a candidate and ranks it below what is shown
  kNoPath,       // not in the first view, and none of some thousand lookups in chains leads to it
  kNoEntity,     // its sentences and their neighbours mention nothing that may be looked up
  kNotInCorpus,  // the corpus lacks it
  kUnknown,      // the search for a way gave up, so it may be no miss
};
inline constexpr std::size_t kMissReasons = 9;
std::string_view reason_name(MissReason reason);         // "out_of_turns", ...
std::string_view reason_description(MissReason reason);  // in words, for a table

// Tries a question in environments whose limits are lifted one after another, each on top of the last: turns, lookups
// on a menu, mentions and synonyms of a lookup, sentences on display. In each a walk breadth first takes every lookup
// once and some selections once, from the first state that offers it. That it finds a unit is certain; that it does not
// is as good as the walk, which is bounded and does not try one lookup with several queries.
// Const and thread-safe.
class MissExplainer {
 public:
  // `steps`: of one walk, at most. The environment's and Environment::create's errors.
  static Result<MissExplainer> create(const Environment& environment, std::shared_ptr<const Index> index,
                                      std::shared_ptr<const Embedder> embedder, std::size_t steps = 4000);

  // The reason of each unit in `missed`, which no action sequence within the turns finds, by unit; others keep
  // kNotTogether.
  Result<std::vector<MissReason>> explain(const Task& task, const Gold& gold, UnitMask missed) const;

 private:
  struct Lifted {
    MissReason reason;  // where this is what helps
    std::unique_ptr<Environment> environment;
  };
  MissExplainer() = default;

  bool has_entity(std::span<const SentenceId> sentences) const;

  std::size_t steps_ = 0;
  std::vector<Lifted> lifted_;
};

}  // namespace harnessg::bench
