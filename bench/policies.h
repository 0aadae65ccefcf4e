// Policies that need no training: how far simple rules get in an environment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gold.h"
#include "credit/models/scorer.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

struct Choice {
  std::size_t position = 0;  // on the menu
  bool at_a_loss = false;    // what the policy looks for is not on the menu, so it answers
};

// Chooses actions. Const and thread-safe: a choice depends on the episode alone (its seed and turn for what is drawn).
// On the last turn of the budget every policy answers.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::string_view name() const = 0;
  // `episode` belongs to the environment that the policy was made for and is not over. The environment's errors.
  virtual Result<Choice> choose(const Episode& episode) const = 0;
};

// "random"            uniform over the menu, answers included
// "random-search"     uniform over Selects and Lookups
// "first-lookup"      the first lookup on the menu, which is the environment's own order; none: answers
// "lexical-greedy"    by turns the visible sentence and the lookup that match the question best: Select, Lookup, ...;
//                     BM25 of the sentence and of the entity (spec 1, section 10); in the end AnswerWith the best
// "embedding-greedy"  the same by dot products of the stored vectors
// "preview-greedy"    the action whose preview `scorer` likes best given what has been seen; ties: most new sentences,
//                     then menu order. It reads the gold answers, as credit does
std::vector<std::string> policy_names();

// kInvalidArgument: no such policy (with the known ones), "preview-greedy" without a scorer, "embedding-greedy" in an
// environment without vectors. The environment must outlive the policy.
Result<std::unique_ptr<Policy>> make_policy(std::string_view name, const Environment& environment,
                                            std::shared_ptr<const Scorer> scorer = nullptr);

struct PolicyRun {
  Episode episode;
  std::uint32_t at_a_loss = 0;     // turns on which the policy said so
  std::uint32_t menu_actions = 0;  // on the menus it chose from, summed
  std::uint32_t menus = 0;
};

// Plays one episode to its end. Errors of reset, choose and step.
Result<PolicyRun> run_policy(const Environment& environment, const Policy& policy, const Task& task);

// Units of gold found by an episode.
struct EvidenceFound {
  UnitMask seen = 0;
  UnitMask selected = 0;
};
EvidenceFound evidence_found(const Gold& gold, const Episode& episode);

// Share of `wanted` found; 1 where nothing is wanted.
double recall(UnitMask found, UnitMask wanted);

}  // namespace harnessg::bench
