#include "bench/benchmark.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "bench/answer_index.h"
#include "bench/episode_figures.h"
#include "bench/reach_study.h"
#include "bench/retrieval.h"
#include "credit/trace_file.h"
#include "data/splitmix.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr std::array<const char*, 3> kLevels = {"paragraphs", "sentences", "answer"};

// One file of traces: what was played on each question, by its text.
struct Recorded {
  std::string player;
  std::unordered_map<std::string, std::vector<Played>> by_question;
};

Result<Recorded> read_recorded(const RecordedTraces& given, const Index& index, std::string& arm) {
  Recorded recorded;
  HARNESSG_ASSIGN(TraceFile file, TraceFile::open(given.file));
  while (true) {
    HARNESSG_ASSIGN(std::optional<TraceLine> line, file.next());
    if (!line) break;
    HARNESSG_ASSIGN(const Trace trace, std::move(line->trace));
    if (trace.index_hash != index.manifest().content_hash) {
      return fail(ErrorCode::kWrongIndex, "{}: was played on index {}, not on this one, {}", line->place,
                  trace.index_hash, index.manifest().content_hash);
    }
    if (arm.empty()) arm = trace.arm;
    if (trace.arm != arm) {
      return fail(ErrorCode::kBadInput, "{}: is of arm {}, those before of {}; give each arm a file", line->place,
                  trace.arm, arm);
    }
    recorded.by_question[fold_space(trace.question)].push_back(played_of(trace));
  }
  if (arm.empty()) return fail(ErrorCode::kBadInput, "{}: holds no trace; give another file", given.file.string());
  recorded.player = arm + "/" + given.name;
  return recorded;
}

Task task_of(const QuestionRecord& question) { return {question.question, question.answers, question.id, 0}; }

void add_level(const LevelReach& level, const std::string& name, bool selected, Row& row) {
  const std::string prefix = "reach/" + name + "/";
  const bool seen = level.in_corpus && level.seen == Verdict::kReached;
  row.values[prefix + "first view"] = seen && level.actions == 0 ? 1 : 0;
  row.values[prefix + "seen"] = seen ? 1 : 0;
  row.values[prefix + "seen, greedy"] = level.greedy ? 1 : 0;
  if (selected) row.values[prefix + "selected"] = level.in_corpus && level.selected == Verdict::kReached ? 1 : 0;
  const bool gave_up = level.seen == Verdict::kUnknown || (selected && level.selected == Verdict::kUnknown);
  row.values[prefix + "search gave up"] = level.in_corpus && gave_up ? 1 : 0;
  if (!seen) row.missed[name] = reason_name(level.in_corpus ? level.reason : MissReason::kNotInCorpus);
}

// An answer that can be looked for as a text, of a set that names no supporting facts.
bool asks_for_absent_answer(const QuestionRecord& question, const QuestionReach& reach) {
  if (!question.supporting_facts.empty() || question.answers.empty() || reach.levels[2].asked) return false;
  const std::string answer = fold_case(question.answers.front());
  return answer != "yes" && answer != "no";
}

}  // namespace

struct Benchmark::Impl {
  static Result<Impl> create(const BenchmarkWorld& world, DatasetKind kind, BenchmarkOptions options);

  Result<Row> measure(const DatasetQuestion& question, std::size_t number) const;

  BenchmarkWorld world;
  DatasetKind kind{};
  BenchmarkOptions options;
  std::vector<std::unique_ptr<Player>> players;
  std::vector<Recorded> recorded;
  std::vector<std::pair<std::string, std::string>> names;
  std::vector<std::unique_ptr<Retriever>> retrievers;
  std::unique_ptr<const ReachStudy> study;
  std::unique_ptr<const FactResolver> resolver;
  std::unique_ptr<const AnswerIndex> answers;
  std::unique_ptr<std::mutex> recording = std::make_unique<std::mutex>();

 private:
  Status add_players();
  Status add_reach(const DatasetQuestion& question, std::size_t number, Row& row) const;
  Status add_retrieval(const QuestionRecord& question, const AskedQuestion& asked, Row& row) const;
  Status add_episodes(const AskedQuestion& asked, std::size_t number, Row& row) const;
  Result<Played> play(const Player& player, const Task& task, const Gold& gold) const;
};

Status Benchmark::Impl::add_players() {
  const PlayerSetup setup{world.environment, world.scorer, world.model};
  for (const Arm arm : options.arms) {
    for (const std::string& policy : options.policies) {
      HARNESSG_ASSIGN(auto player, make_player(policy, arm, setup));
      names.emplace_back(arm_name(arm), player->name());
      players.push_back(std::move(player));
    }
  }
  for (const RecordedTraces& given : options.recorded) {
    std::string arm;
    HARNESSG_ASSIGN(Recorded one, read_recorded(given, *world.index, arm));
    names.emplace_back(arm, given.name);
    recorded.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      return fail(ErrorCode::kInvalidArgument, "{} plays twice in arm {}; name each once", names[i].second,
                  names[i].first);
    }
  }
  return {};
}

Result<Benchmark::Impl> Benchmark::Impl::create(const BenchmarkWorld& world, DatasetKind kind,
                                                BenchmarkOptions options) {
  Impl impl;
  impl.world = world;
  impl.kind = kind;
  impl.options = std::move(options);
  if (impl.options.rollouts == 0)
    return fail(ErrorCode::kInvalidArgument, "0 rollouts measure nothing; give at least 1");
  HARNESSG_RETURN_IF_ERROR(impl.add_players());
  for (const std::string& name : impl.options.retrievers) {
    HARNESSG_ASSIGN(auto retriever, make_retriever(name, *world.index));
    impl.retrievers.push_back(std::move(retriever));
  }
  StudyOptions study;
  study.selected = impl.options.selected;
  study.explain_misses = impl.options.reach && impl.options.reasons;
  HARNESSG_ASSIGN(ReachStudy made, ReachStudy::create(*world.environment, world.index, world.embedder, study));
  impl.study = std::make_unique<const ReachStudy>(std::move(made));
  impl.resolver = std::make_unique<const FactResolver>(world.index->graph());
  impl.answers = std::make_unique<const AnswerIndex>(world.index->graph());
  return impl;
}

Status Benchmark::Impl::add_reach(const DatasetQuestion& question, std::size_t number, Row& row) const {
  HARNESSG_ASSIGN(const QuestionReach reach, study->measure(question.record, number));
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    if (reach.levels[level].asked) add_level(reach.levels[level], kLevels[level], options.selected, row);
  }
  if (asks_for_absent_answer(question.record, reach)) {
    LevelReach absent;
    absent.asked = true;
    absent.in_corpus = false;
    add_level(absent, kLevels[2], options.selected, row);
  }
  return {};
}

Status Benchmark::Impl::add_retrieval(const QuestionRecord& question, const AskedQuestion& asked, Row& row) const {
  if (retrievers.empty()) return {};
  HARNESSG_ASSIGN(const Query query, retrieval_query(*world.index, world.embedder.get(), question.question));
  const std::vector<ParagraphId> says_answer = answers->paragraphs_with(question.answers);
  const bool has_gold = asked.gold.levels.levels[0].asked;
  const std::size_t deepest = *std::max_element(options.depths.begin(), options.depths.end());
  for (const auto& retriever : retrievers) {
    const auto ranking = retriever->rank(query, question.question, deepest);
    for (const std::size_t k : options.depths) {
      const RecallAt at = recall_at(world.index->graph(), ranking, k, asked.paragraphs, says_answer);
      const auto put = [&](const char* name, double value) {
        row.values[fmt::format("retrieval/{}/{}@{}", retriever->name(), name, k)] = value;
      };
      const bool whole = asked.gold.levels.levels[0].in_corpus;
      if (has_gold) put("R", at.paragraphs);
      if (has_gold) put("all gold", whole ? at.all_paragraphs : 0);
      if (has_gold) put("titles", at.titles);
      if (has_gold) put("all titles", whole ? at.all_titles : 0);
      if (asked.gold.levels.levels[2].asked || !has_gold) put("answer", at.answer);
    }
  }
  return {};
}

Result<Played> Benchmark::Impl::play(const Player& player, const Task& task, const Gold& gold) const {
  HARNESSG_ASSIGN(const Trace trace, player.play(task, gold));
  if (options.record) {
    const std::string line = to_json(trace);
    const std::lock_guard lock(*recording);
    HARNESSG_RETURN_IF_ERROR(options.record(line));
  }
  return played_of(trace);
}

Status Benchmark::Impl::add_episodes(const AskedQuestion& asked, std::size_t number, Row& row) const {
  for (const auto& player : players) {
    std::vector<Played> rollouts;
    const std::uint32_t count = player->draws() ? options.rollouts : 1;
    for (std::uint32_t n = 0; n < count; ++n) {
      Task task = task_of(asked.question.record);
      task.seed = SplitMix::at(options.seed, std::uint64_t{number} * options.rollouts + n);
      HARNESSG_ASSIGN(Played played, play(*player, task, asked.gold.gold));
      rollouts.push_back(std::move(played));
    }
    add_episode_figures(asked, fmt::format("{}/{}", arm_name(player->arm()), player->name()), rollouts, row.values);
  }
  for (const Recorded& one : recorded) {
    const auto at = one.by_question.find(fold_space(asked.question.record.question));
    if (at != one.by_question.end()) add_episode_figures(asked, one.player, at->second, row.values);
  }
  return {};
}

Result<Row> Benchmark::Impl::measure(const DatasetQuestion& question, std::size_t number) const {
  Row row;
  row.number = number;
  row.id = question.record.id;
  HARNESSG_ASSIGN(const QuestionGold gold, study->gold(question.record));
  const ResolvedFacts facts = resolver->resolve(question.record);
  const AskedQuestion asked{world.index->graph(), kind, question, gold, facts.paragraphs};
  if (options.reach) HARNESSG_RETURN_IF_ERROR(add_reach(question, number, row));
  HARNESSG_RETURN_IF_ERROR(add_retrieval(question.record, asked, row));
  HARNESSG_RETURN_IF_ERROR(add_episodes(asked, number, row));
  return row;
}

Benchmark::Benchmark(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Result<Benchmark> Benchmark::create(const BenchmarkWorld& world, DatasetKind kind, BenchmarkOptions options) {
  HARNESSG_ASSIGN(Impl impl, Impl::create(world, kind, std::move(options)));
  return Benchmark(std::make_shared<const Impl>(std::move(impl)));
}

const std::vector<std::pair<std::string, std::string>>& Benchmark::players() const { return impl_->names; }

Result<Row> Benchmark::measure(const DatasetQuestion& question, std::size_t number) const {
  return impl_->measure(question, number);
}

Status Benchmark::run(const std::vector<DatasetQuestion>& questions, const std::function<bool(std::size_t)>& is_done,
                      const std::function<Status(const Row&)>& take) const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < questions.size(); ++i)
    if (!is_done(i)) open.push_back(i);
  const std::size_t machine = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads = impl_->options.threads == 0 ? machine : impl_->options.threads;
  std::mutex mutex;
  Status status;
  std::atomic<bool> failed = false;
  const auto measure = [&](std::size_t at) {
    if (failed) return;
    const Result<Row> row = impl_->measure(questions[open[at]], open[at]);
    const std::lock_guard lock(mutex);
    if (failed) return;
    status = row ? take(*row) : Status(tl::unexpected<Error>(row.error()));
    failed = !status;
  };
  // A model's server makes threads wait, so more of them than the machine has may be wanted.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, machine));
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { tbb::parallel_for(std::size_t{0}, open.size(), measure, tbb::simple_partitioner{}); });
  return status;
}

}  // namespace harnessg::bench
