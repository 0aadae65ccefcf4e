// One run of all oracles and some policies over the questions of a data set.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/gold.h"
#include "bench/misses.h"
#include "bench/oracle.h"
#include "data/questions.h"
#include "data/result.h"
#include "engine/environment.h"

namespace harnessg::bench {

struct StudyOptions {
  unsigned threads = 0;  // 0: as many as the machine has
  std::size_t transitions = 500000;
  bool selected = true;               // the search for what can be selected
  bool explain_misses = true;         // of what can be seen
  std::vector<std::string> policies;  // by name (policies.h); preview-greedy scores with the lexical proxy
  std::uint32_t rollouts = 4;         // of policies that draw; seeds by splitmix from (seed, question x rollouts + n)
  std::uint64_t seed = 0;
  std::function<void(std::size_t done)> progress;  // after each question, from any thread; may be empty
};

// What was found out about a question at one level: all gold paragraphs, all gold sentences, or the answer.
struct LevelReach {
  bool asked = false;     // the question has gold of this kind
  bool in_corpus = true;  // all of it is there
  Verdict seen = Verdict::kUnreachable;
  std::uint32_t actions = 0;  // Select and Lookup on a shortest way to see all; 0: in the first view
  Verdict selected = Verdict::kUnreachable;
  bool greedy = false;                           // the greedy oracle sees all
  MissReason reason = MissReason::kNotTogether;  // where `seen` is not reached
};

struct PolicyReach {
  std::array<double, 3> seen_all{};         // by UnitKind: share of rollouts that see all
  std::array<double, 3> seen_recall{};      // mean
  std::array<double, 3> selected_recall{};  // mean
  double at_a_loss = 0;                     // share of rollouts in which it was
};

struct QuestionReach {
  std::string id;
  std::vector<std::string> missing;   // facts that the corpus lacks, a phrase each
  std::array<LevelReach, 3> levels;   // by UnitKind
  std::vector<PolicyReach> policies;  // as in the options
  std::uint64_t transitions = 0;      // of both searches
  std::uint64_t menu_actions = 0;     // on the menus that policies met
  std::uint64_t menus = 0;
  double seconds = 0;  // of the two searches
};

// A question's gold, and what its levels ask for.
struct QuestionGold {
  Gold gold;
  QuestionReach levels;  // `missing`, and of each level `asked` and `in_corpus`; nothing else is filled
};

// The study one question at a time. Const and thread-safe; the environment must outlive it.
class ReachStudy {
 public:
  // `embedder` is the environment's, null for lexical scoring. Errors of policies.h and misses.h.
  static Result<ReachStudy> create(const Environment& environment, std::shared_ptr<const Index> index,
                                   std::shared_ptr<const Embedder> embedder, const StudyOptions& options);

  // kBadInput: more than 64 gold paragraphs and sentences.
  Result<QuestionGold> gold(const QuestionRecord& question) const;
  // `number` is the question's in its file: policies that draw are seeded by it. The environment's errors.
  Result<QuestionReach> measure(const QuestionRecord& question, std::size_t number) const;

 private:
  struct Impl;
  explicit ReachStudy(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

// In the order of `questions`, the same for any number of threads. `embedder` is the environment's, null for lexical
// scoring. The first error of any question stops it.
Result<std::vector<QuestionReach>> study_reach(const Environment& environment, std::shared_ptr<const Index> index,
                                               std::shared_ptr<const Embedder> embedder,
                                               std::span<const QuestionRecord> questions, const StudyOptions& options);

}  // namespace harnessg::bench
