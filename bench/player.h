// Who plays episodes, in any arm: built-in policies, oracles, language models.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gold.h"
#include "bench/model_client.h"
#include "credit/models/scorer.h"
#include "data/result.h"
#include "engine/environment.h"
#include "engine/trace.h"

namespace harnessg::bench {

enum class Arm : std::uint8_t {
  kMenu,
  kFree,     // queries as text (engine/free_query.h)
  kMatched,  // the same, mapped to lookups
};
std::string_view arm_name(Arm arm);  // as traces have it: "menu", "free_query", "free_query_matched"
// "menu", "free", "matched", or a name as traces have it. kInvalidArgument with what there is.
Result<Arm> arm_from_name(std::string_view name);

// Const and thread-safe; an episode depends on the task (its seed included) and the player alone, but for what a
// model's server does.
class Player {
 public:
  virtual ~Player() = default;
  const std::string& name() const { return name_; }
  Arm arm() const { return arm_; }
  // Whether episodes depend on the task's seed. One of those that do not is as good as many.
  virtual bool draws() const = 0;
  // One episode to its end, with an answer. Only the greedy oracle reads `gold`. Errors of environment and model.
  virtual Result<Trace> play(const Task& task, const Gold& gold) const = 0;

 protected:
  Player(std::string name, Arm arm) : name_(std::move(name)), arm_(arm) {}

 private:
  std::string name_;
  Arm arm_;
};

struct PlayerSetup {
  std::shared_ptr<const Environment> environment;
  std::shared_ptr<const Scorer> scorer;  // of preview-greedy
  ModelOptions model;                    // of http:URL
};

// The policies of policies.h, "greedy-oracle" (the action that shows most gold not yet seen), and "http:URL": a
// language model (model_player.h). The answers of all but the model are read_answer()'s. By text the same names mean
// (free_players.cpp): a query is the name of an entity that some sentence seen mentions, in the order of first sight,
// that was not asked for yet and that the question does not name; with the question behind it, or alone where queries
// are matched to lookups. "random" draws one, or answers; "random-search" draws one; "first-lookup" takes the first;
// "lexical-greedy" and "embedding-greedy" the one that matches the question best; "preview-greedy" and "greedy-oracle"
// look at what each of the first 8 would show.
std::vector<std::string> player_names();
// kInvalidArgument as make_policy; errors of ModelClient::connect.
Result<std::unique_ptr<Player>> make_player(std::string_view name, Arm arm, const PlayerSetup& setup);

// Parts of it, by arm.
Result<std::unique_ptr<Player>> make_menu_player(std::string_view name, const PlayerSetup& setup);
Result<std::unique_ptr<Player>> make_free_player(std::string_view name, Arm arm, const PlayerSetup& setup);

}  // namespace harnessg::bench
