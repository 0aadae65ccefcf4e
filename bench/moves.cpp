#include "bench/moves.h"

#include <string>
#include <vector>

#include "bench/limits.h"
#include "data/splitmix.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::uint64_t kRolloutsOfW = 8;

class Walker {
 public:
  Walker(const Environment& environment, Timed what) : environment_(environment), what_(what) {}

  Status walk(const QuestionRecord& question, std::uint64_t seed) {
    HARNESSG_ASSIGN(Episode episode, environment_.reset({question.question, {}, "", seed}));
    SplitMix bits(seed);
    while (!episode.over()) {
      if (what_ == Timed::kPreviews) HARNESSG_RETURN_IF_ERROR(preview(episode));
      const std::size_t position = bits.next() % episode.menu().size();
      HARNESSG_RETURN_IF_ERROR(step(episode, position));
    }
    return {};
  }

  MoveTimes times;

 private:
  Status preview(const Episode& episode) {
    Status status;
    times.preview.add(timed([&] { status = environment_.preview_all(episode, outcomes_); }));
    std::vector<EntityId> entities;
    for (const Action& action : episode.menu()) {
      if (action.kind == ActionKind::kLookup) entities.push_back(action.entity());
    }
    score(episode, entities, times.preview_dots);
    return status;
  }

  Status step(Episode& episode, std::size_t position) {
    const Action action = episode.menu()[position];
    Status status;
    const double seconds = timed([&] {
      if (const auto outcome = environment_.step(episode, position); !outcome)
        status = tl::unexpected<Error>(outcome.error());
    });
    if (action.kind == ActionKind::kSelect) times.select.add(seconds);
    if (action.kind != ActionKind::kLookup) return status;
    times.lookup.add(seconds);
    const EntityId entity = action.entity();
    score(episode, std::span(&entity, 1), times.lookup_dots);
    return status;
  }

  void score(const Episode& episode, std::span<const EntityId> entities, Samples& dots) const {
    if (environment_.scoring() == Scoring::kLexical) return;
    dots.add(
        score_candidates(environment_.world(), *environment_.index().vectors(), episode.question().query, entities));
  }

  const Environment& environment_;
  const Timed what_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

Result<MoveTimes> time_moves(const Environment& environment, std::span<const QuestionRecord> questions, Timed what) {
  Walker walker(environment, what);
  for (std::size_t begin = 0; begin < questions.size(); begin += kBatch) {
    std::vector<std::string> texts;
    for (std::size_t i = begin; i < questions.size() && i < begin + kBatch; ++i) texts.push_back(questions[i].question);
    HARNESSG_RETURN_IF_ERROR(environment.make_ready(texts));
    for (std::size_t i = begin; i < begin + texts.size(); ++i)
      HARNESSG_RETURN_IF_ERROR(walker.walk(questions[i], SplitMix::at(0, i * kRolloutsOfW)));
  }
  return std::move(walker.times);
}

}  // namespace harnessg::bench
