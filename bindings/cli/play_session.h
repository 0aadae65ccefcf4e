// One episode, played from a list of actions or by a person at the terminal.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/environment.h"

namespace harnessg {

// Where the conversation goes; an error ends the session.
using Say = std::function<Status(std::string_view)>;

// What an action would surface, in words: its sentences (new ones marked), the entities in them, the next menu.
std::string describe_outcome(const Environment& environment, const Episode& episode, const Outcome& outcome);

// Refers to its arguments.
class PlaySession {
 public:
  PlaySession(const Environment& environment, Episode& episode, Say say)
      : environment_(environment), episode_(episode), say_(std::move(say)) {}

  // Says the first observation.
  Status start();
  // One turn an action, each with its observation. kInvalidArgument when the search is over before the list is.
  Status play(const std::vector<std::string>& actions);
  // Prompts for actions until the search ends; false: the person left, or the input ended.
  Result<bool> converse(std::istream& input);
  // Gives the answer text, or asks for it (nothing is given when the input ends or the line is empty).
  Status answer(const std::string& text);
  Status ask_answer(std::istream& input);

 private:
  Status step(std::string_view text);
  Status preview(std::string_view text);

  const Environment& environment_;
  Episode& episode_;
  Say say_;
};

}  // namespace harnessg
