// A language model as a policy, through the text protocol.
#pragma once

#include <memory>
#include <string_view>

#include "bench/player.h"

namespace harnessg::bench {

// "http:URL", "http://..." or "https://...".
bool is_model_name(std::string_view name);

// Plays as the protocol has it (spec 1, section 6): the model is shown the question and the first view, writes
// <query>{"query": "A3"}</query>, or a query as text in the other arms, is shown the observation in <knowledge>, and in
// the end writes <answer>...</answer>. An answer while ANSWER is on the menu takes that action. What is no call is
// blocked by the environment and takes a turn. On the last turn of the budget it is told to end. Where the server can,
// the text of a turn on a menu is one of the menu's calls, on the last turn one that ends the search. Each turn has a
// seed of its own, made of the task's. Named "http:MODEL". Errors of ModelClient::connect.
Result<std::unique_ptr<Player>> make_model_player(std::string_view name, Arm arm, const PlayerSetup& setup);

}  // namespace harnessg::bench
