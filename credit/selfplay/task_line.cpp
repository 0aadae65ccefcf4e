#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "credit/rewards/scope/scope_scores.h"
#include "credit/rewards/scope/verdicts.h"
#include "credit/selfplay/chain.h"
#include "credit/selfplay/loop.h"

namespace harnessg::selfplay {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::uint32_t kAttempts = 8;  // paragraphs tried until a chain leads from one

struct Walk {
  Episode episode;
  std::vector<scope::Turn> turns;  // a search a lookup; the last turn is the caller's
  std::vector<SentenceId> evidence;
};

OrderedJson value_json(const RewardValue& value) { return value ? OrderedJson(*value) : OrderedJson(); }

Result<std::vector<std::string>> ask(const RoleModel& model, std::span<const RoleCall> calls) {
  HARNESSG_ASSIGN(std::vector<std::string> replies, model(calls));
  if (replies.size() == calls.size()) return replies;
  return fail(ErrorCode::kBadInput, "the model of the roles gave {} replies to {} calls; it must give one a call",
              replies.size(), calls.size());
}

std::string shown(const Graph& graph, std::span<const VisibleSentence> visible) {
  std::string text;
  for (const VisibleSentence& one : visible) text += fmt::format("{}\n", graph.text(one.sentence));
  return "<information>" + text + "</information>";
}

Result<Walk> walk(const Environment& environment, const SearchPolicy& policy, const std::string& question,
                  std::uint64_t seed) {
  Task task;
  task.question = question;
  task.seed = seed;
  HARNESSG_ASSIGN(Episode episode, environment.reset(task));
  const Graph& graph = environment.index().graph();
  Walk walk{std::move(episode), {}, {}};
  SplitMix bits(seed);
  while (!walk.episode.over()) {
    HARNESSG_ASSIGN(const std::size_t position, policy(environment, walk.episode, bits));
    if (position >= walk.episode.menu().size()) {
      return fail(ErrorCode::kInvalidArgument, "the search policy chose action {} of a menu of {}", position,
                  walk.episode.menu().size());
    }
    const Action action = walk.episode.menu()[position];
    HARNESSG_RETURN_IF_ERROR(environment.step(walk.episode, position));
    if (action.kind != ActionKind::kLookup) continue;
    walk.turns.push_back(
        {true, fmt::format("<think>Look it up.</think><search>{}</search>", graph.surface(action.entity()))});
    walk.turns.push_back({false, shown(graph, walk.episode.visible())});
  }
  walk.evidence.assign(walk.episode.selected().begin(), walk.episode.selected().end());
  if (walk.evidence.empty()) walk.evidence.assign(walk.episode.seen().begin(), walk.episode.seen().end());
  return walk;
}

OrderedJson actions_json(const Episode& episode) {
  OrderedJson list = OrderedJson::array();
  for (const std::uint16_t position : episode.state().history) list.push_back(position);
  return list;
}

struct Written {
  std::uint32_t attempts = 0;
  ParagraphId source{};
  std::optional<Walk> search;
  Chain chain;
};

Result<Written> write(const Environment& environment, const SearchPolicy& policy, std::size_t hops,
                      std::uint64_t seed) {
  const Graph& graph = environment.index().graph();
  Written written;
  while (written.attempts < kAttempts && written.chain.links.empty()) {
    SplitMix bits(SplitMix::at(seed, written.attempts++));
    written.source = ParagraphId{static_cast<std::uint32_t>(bits.next() % graph.paragraph_count())};
    const std::string query =
        fmt::format("{} {}", graph.title(written.source), graph.text(graph.first_sentence(written.source)));
    HARNESSG_ASSIGN(Walk search, walk(environment, policy, query, bits.next()));
    written.chain = draw_chain(graph, written.source, search.episode.seen(), hops, bits);
    written.search = std::move(search);
  }
  return written;
}

OrderedJson provenance_json(const Graph& graph, const Written& written) {
  OrderedJson facts = OrderedJson::array();
  for (const SentenceId s : written.chain.sentences) {
    facts.push_back({{"paragraph", graph.record_id(graph.paragraph(s))}, {"sentence", graph.position(s)}});
  }
  OrderedJson links = OrderedJson::array();
  for (const EntityId link : written.chain.links) links.push_back(graph.canonical(link));
  return {{"source", graph.record_id(written.source)},
          {"attempt", written.attempts},
          {"question", written.search->episode.question().text},
          {"actions", actions_json(written.search->episode)},
          {"facts", facts},
          {"links", links}};
}

struct Solved {
  OrderedJson lines = OrderedJson::array();
  std::vector<scope::RolloutScore> scores;
};

// Plays, answers by the evidence's sentences and has all answers graded in one call.
Result<Solved> solve(const Environment& environment, const RoleModel& model, const LoopOptions& options,
                     const std::string& question, const scope::Rubric& rubric, std::uint64_t seed) {
  HARNESSG_ASSIGN(const SearchPolicy policy, policy_named(options.solver));
  const Graph& graph = environment.index().graph();
  std::string items;
  for (const scope::RubricItem& item : rubric) items += fmt::format("<item>{}</item>\n", item.text);
  std::vector<RoleCall> calls;
  std::vector<scope::SolverReading> readings;
  std::vector<OrderedJson> actions;
  for (std::uint32_t n = 0; n < options.rollouts; ++n) {
    HARNESSG_ASSIGN(Walk played, walk(environment, policy, question, SplitMix::at(seed, n)));
    std::string answer;
    for (const SentenceId s : played.evidence) answer += fmt::format("{} ", graph.text(s));
    const std::string last = played.episode.ended() ? fmt::format("<answer>{}</answer>", answer) : std::string();
    played.turns.push_back({true, "<think>Done.</think>" + last});
    readings.push_back(scope::read_solver(played.turns));
    actions.push_back(actions_json(played.episode));
    calls.push_back({Role::kGrader, fmt::format("Which items does the response meet?\n{}<response>{}</response>", items,
                                                readings.back().graded)});
  }
  HARNESSG_ASSIGN(const std::vector<std::string> replies, ask(model, calls));
  Solved solved;
  for (std::size_t n = 0; n < readings.size(); ++n) {
    const scope::SolverReading& reading = readings[n];
    const auto verdicts = scope::read_verdicts(replies.at(n), scope::VerdictForm::kList).by_place();
    const RewardValue score = reading.answered ? scope::rubric_score(rubric, verdicts) : RewardValue();
    const RewardValue earned = scope::solver_rubric_reward(reading, rubric, verdicts).value;
    solved.scores.push_back({reading.answered, score});
    OrderedJson total;
    if (earned) total = *earned + 0.5 * reading.format + 0.1 * reading.search_bonus;
    solved.lines.push_back({{"seed", SplitMix::at(seed, n)},
                            {"actions", actions[n]},
                            {"answered", reading.answered},
                            {"tokens", reading.tokens},
                            {"score", value_json(score)},
                            {"reward", std::move(total)}});
  }
  return solved;
}

// Gates, rubric, rollouts and what the task earned, into `line`.
Status judge(const Environment& environment, const RoleModel& model, const LoopOptions& options, Written& written,
             std::uint64_t seed, OrderedJson& line) {
  const Graph& graph = environment.index().graph();
  const std::string material = chain_text(graph, written.chain);
  HARNESSG_ASSIGN(
      const auto texts,
      ask(model, std::vector<RoleCall>{{Role::kTaskWriter, "Write a task about these facts.\n" + material},
                                       {Role::kRubricWriter, "Write a rubric of these facts.\n" + material}}));
  written.search->turns.push_back({true, "<think>Done.</think>" + texts.at(0)});
  const auto challenger = scope::read_challenger(written.search->turns, std::nullopt);
  const scope::ReadRubric rubric = scope::read_rubric(texts.at(1));
  line["task"] = challenger.task ? OrderedJson(*challenger.task) : OrderedJson();
  line["rubric"] = OrderedJson::array();
  for (const auto& item : rubric.items) line["rubric"].push_back({{"text", item.text}, {"priority", item.priority}});
  line["reward"] = 0.5 * challenger.format;
  if (!challenger.task) line["not_judged"] = "no task";
  if (challenger.task && !rubric.fault.empty()) line["not_judged"] = rubric.fault;
  if (line.contains("not_judged")) return {};
  const std::string question = fmt::format("<question>{}</question>", *challenger.task);
  const std::string document =
      fmt::format("\n<document>{}\n{}</document>", graph.title(written.source), graph.text(written.source));
  HARNESSG_ASSIGN(
      const auto gates,
      ask(model, std::vector<RoleCall>{{Role::kNameGate, "Does it name what it is about?\n" + question},
                                       {Role::kSourceGate, "Is it about the document?\n" + question + document}}));
  const auto passed = scope::gates_pass({scope::read_gate(gates.at(0)), scope::read_gate(gates.at(1))});
  line["gates_pass"] = passed ? OrderedJson(*passed) : OrderedJson();
  if (!passed) line["not_judged"] = "a gate cannot be read";
  if (!passed.value_or(false)) return {};
  HARNESSG_ASSIGN(Solved solved, solve(environment, model, options, *challenger.task, rubric.items, seed));
  const RewardValue mean = scope::mean_score(solved.scores);
  line["rollouts"] = std::move(solved.lines);
  line["mean_score"] = value_json(mean);
  if (!mean) line["not_judged"] = "too few rollouts were scored";
  if (!mean) return {};
  line["kept"] = scope::within_filter(*mean);
  line["reward"] = 0.5 * challenger.format + scope::tent(*mean);
  return {};
}

}  // namespace

Result<std::string> task_line(const Environment& environment, const RoleModel& model, const LoopOptions& options,
                              std::uint32_t iteration, std::uint32_t source, bool frozen) {
  const std::uint64_t seed = SplitMix::at(SplitMix::at(options.seed, iteration), source);
  const std::size_t hops = frozen ? 1 : std::min(iteration + 1, options.most_hops);
  HARNESSG_ASSIGN(const SearchPolicy policy, policy_named(options.challenger));
  HARNESSG_ASSIGN(Written written, write(environment, policy, hops, SplitMix::at(seed, 0)));
  OrderedJson line{{"iteration", iteration}, {"source", source}, {"arm", frozen ? "frozen" : "challenger"}};
  line["provenance"] = provenance_json(environment.index().graph(), written);
  line["kept"] = false;
  if (written.chain.links.empty()) {
    line["not_judged"] = "no entity leads from the source";
  } else {
    HARNESSG_RETURN_IF_ERROR(judge(environment, model, options, written, SplitMix::at(seed, 1), line));
  }
  return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

}  // namespace harnessg::selfplay
