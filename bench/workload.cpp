#include "bench/workload.h"

#include <algorithm>

#include "data/splitmix.h"

namespace harnessg::bench {
namespace {

void mix(std::uint64_t& check, const Outcome& outcome) {
  for (const SentenceId s : outcome.sentences) check = (check ^ index(s)) * 0x9E3779B97F4A7C15u;
  check = (check ^ outcome.menu.size()) * 0x9E3779B97F4A7C15u;
}

Status roll_out(const Environment& environment, const Task& task, const WorkloadOptions& options,
                std::vector<Outcome>& previews, WorkloadCounts& counts) {
  HARNESSG_ASSIGN(Episode episode, environment.reset(task));
  SplitMix bits(task.seed);
  ++counts.episodes;
  ++counts.steps;
  for (std::uint32_t taken = 0; taken < options.actions && !episode.over(); ++taken) {
    if (options.previews) {
      HARNESSG_RETURN_IF_ERROR(environment.preview_all(episode, previews));
      ++counts.previewed_menus;
      counts.previews += previews.size();
      for (const Outcome& outcome : previews) mix(counts.check, outcome);
    }
    HARNESSG_ASSIGN(const Outcome outcome, environment.step(episode, bits.next() % episode.menu().size()));
    mix(counts.check, outcome);
    ++counts.steps;
  }
  return {};
}

}  // namespace

Result<WorkloadCounts> run_workload(const Environment& environment, std::span<const QuestionRecord> questions,
                                    const WorkloadOptions& options) {
  WorkloadCounts counts;
  std::vector<Outcome> previews;
  for (std::size_t begin = 0; begin < questions.size(); begin += options.batch) {
    const auto batch = questions.subspan(begin, std::min<std::size_t>(options.batch, questions.size() - begin));
    std::vector<std::string> texts;
    for (const QuestionRecord& question : batch) texts.push_back(question.question);
    HARNESSG_RETURN_IF_ERROR(environment.make_ready(texts));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      for (std::uint32_t rollout = 0; rollout < options.rollouts; ++rollout) {
        const std::uint64_t number = (begin + i) * options.rollouts + rollout;
        const Task task{batch[i].question, batch[i].answers, batch[i].id, SplitMix::at(options.seed, number)};
        HARNESSG_RETURN_IF_ERROR(roll_out(environment, task, options, previews, counts));
      }
    }
  }
  return counts;
}

}  // namespace harnessg::bench
