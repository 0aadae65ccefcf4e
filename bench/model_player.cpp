#include "bench/model_player.h"

#include <algorithm>

#include "data/splitmix.h"
#include "engine/free_query.h"
#include "engine/transcript.h"

namespace harnessg::bench {
namespace {

constexpr std::string_view kMenuInstruction =
    "Answer the question by searching. Each turn you see sentences and a menu of actions. Take one action by writing "
    "its id in this form and nothing else: <query>{\"query\": \"A0\"}</query>. SELECT keeps a sentence as evidence, "
    "LOOKUP shows sentences about an entity, ANSWER and ANSWER_WITH end the search. Then write the answer, as short as "
    "possible, in this form: <answer>...</answer>.";
constexpr std::string_view kTextInstruction =
    "Answer the question by searching. Each turn you see sentences. Search for others by writing a query in this form "
    "and nothing else: <query>{\"query\": \"who wrote Emma\"}</query>. When you know enough, write the answer, as "
    "short as possible, in this form: <answer>...</answer>.";
constexpr std::string_view kLastTurn = "\n\nThis is the last turn: end the search now.";
constexpr std::string_view kAnswerNow = "\n\nThe search is over. Write <answer>...</answer> now.";

// The conversation with a model about one episode.
class Talk {
 public:
  Talk(const ModelClient& client, std::string_view instruction, const Task& task, const std::string& observation)
      : client_(client), seed_(task.seed) {
    messages_.push_back({Role::kSystem, std::string(instruction)});
    messages_.push_back({Role::kUser, "Question: " + task.question + "\n\n" + block(observation)});
  }

  Result<ModelTurn> turn(std::span<const std::string> choices = {}) {
    HARNESSG_ASSIGN(written_, client_.write(messages_, SplitMix::at(seed_, turns_++), choices));
    messages_.push_back({Role::kAssistant, written_});
    return parse_turn(written_);
  }
  void show(const std::string& observation) { messages_.push_back({Role::kUser, block(observation)}); }
  void add(std::string_view note) { messages_.back().text += note; }
  const std::string& written() const { return written_; }

 private:
  static std::string block(const std::string& observation) { return "<knowledge>" + observation + "</knowledge>"; }

  const ModelClient& client_;
  const std::uint64_t seed_;
  std::uint64_t turns_ = 0;
  std::vector<Message> messages_;
  std::string written_;
};

bool ends(const Action& action) { return action.kind == ActionKind::kAnswer || action.kind == ActionKind::kAnswerWith; }

std::vector<std::string> calls_of(const Menu& menu, bool last) {
  std::vector<std::string> calls;
  for (std::size_t i = 0; i < menu.size(); ++i)
    if (!last || ends(menu[i])) calls.push_back(fmt::format("<query>{{\"query\": \"A{}\"}}</query>", i));
  return calls;
}

std::size_t answer_position(const Menu& menu) {
  const auto at = std::find_if(menu.begin(), menu.end(), [](const Action& a) { return a.kind == ActionKind::kAnswer; });
  return static_cast<std::size_t>(at - menu.begin());
}

class ModelOnMenu final : public Player {
 public:
  ModelOnMenu(std::shared_ptr<const Environment> environment, std::shared_ptr<const ModelClient> client)
      : Player("http:" + client->model(), Arm::kMenu),
        environment_(std::move(environment)),
        client_(std::move(client)) {}
  bool draws() const override { return client_->options().temperature > 0; }

  Result<Trace> play(const Task& task, const Gold&) const override {
    HARNESSG_ASSIGN(Episode episode, environment_->reset(task));
    Talk talk(*client_, kMenuInstruction, task, environment_->observation(episode));
    while (!episode.over()) {
      const bool last = episode.turn() + 1 >= environment_->config().turn_budget;
      if (last) talk.add(kLastTurn);
      HARNESSG_ASSIGN(const ModelTurn turn, talk.turn(calls_of(episode.menu(), last)));
      HARNESSG_ASSIGN(const bool answered, take(turn, talk.written(), episode));
      if (answered) return environment_->trace(episode);
      talk.show(environment_->observation(episode));
    }
    if (episode.ended()) {
      talk.add(kAnswerNow);
      HARNESSG_ASSIGN(const ModelTurn turn, talk.turn());
      if (turn.kind == TurnKind::kAnswer) HARNESSG_RETURN_IF_ERROR(environment_->answer(episode, turn.text));
    }
    return environment_->trace(episode);
  }

 private:
  // Whether the turn gave the answer.
  Result<bool> take(const ModelTurn& turn, const std::string& written, Episode& episode) const {
    const std::size_t answer = answer_position(episode.menu());
    if (turn.kind == TurnKind::kAnswer && answer < episode.menu().size()) {
      HARNESSG_ASSIGN(const Outcome outcome, environment_->step(episode, answer));
      HARNESSG_RETURN_IF_ERROR(environment_->answer(episode, turn.text));
      return true;
    }
    const std::string_view text = turn.kind == TurnKind::kAction ? turn.text : written;
    HARNESSG_ASSIGN(const Outcome outcome, environment_->step(episode, text));
    return false;
  }

  const std::shared_ptr<const Environment> environment_;
  const std::shared_ptr<const ModelClient> client_;
};

class ModelByText final : public Player {
 public:
  ModelByText(Arm arm, std::shared_ptr<const Environment> environment, std::shared_ptr<const ModelClient> client)
      : Player("http:" + client->model(), arm),
        arm_(std::move(environment), {arm == Arm::kMatched}),
        client_(std::move(client)) {}
  bool draws() const override { return client_->options().temperature > 0; }

  Result<Trace> play(const Task& task, const Gold&) const override {
    HARNESSG_ASSIGN(FreeQueryEpisode episode, arm_.reset(task));
    Talk talk(*client_, kTextInstruction, task, arm_.observation(episode));
    while (!episode.over()) {
      if (episode.turn() + 1 >= arm_.environment().config().turn_budget) talk.add(kLastTurn);
      HARNESSG_ASSIGN(const ModelTurn turn, talk.turn());
      if (turn.kind == TurnKind::kAnswer) {
        HARNESSG_RETURN_IF_ERROR(arm_.answer(episode, turn.text));
        break;
      }
      // What is no call is no query either: the empty text is blocked.
      HARNESSG_ASSIGN(const QueryOutcome outcome,
                      arm_.step(episode, turn.kind == TurnKind::kAction ? turn.text : std::string()));
      talk.show(arm_.observation(episode));
    }
    return arm_.trace(episode);
  }

 private:
  const FreeQueryArm arm_;
  const std::shared_ptr<const ModelClient> client_;
};

}  // namespace

bool is_model_name(std::string_view name) { return name.starts_with("http:") || name.starts_with("https:"); }

Result<std::unique_ptr<Player>> make_model_player(std::string_view name, Arm arm, const PlayerSetup& setup) {
  constexpr std::string_view kPrefix = "http:";
  if (name.starts_with(kPrefix) && !name.starts_with("http://")) name.remove_prefix(kPrefix.size());
  HARNESSG_ASSIGN(std::shared_ptr<const ModelClient> client, ModelClient::connect(name, setup.model));
  if (arm == Arm::kMenu) return std::make_unique<ModelOnMenu>(setup.environment, std::move(client));
  return std::make_unique<ModelByText>(arm, setup.environment, std::move(client));
}

}  // namespace harnessg::bench
