// What a solver handed in, read from its turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "credit/rewards/scope/turns.h"

namespace harnessg::scope {

struct SolverOutput {
  std::optional<std::string> answer;  // trimmed, never blank
  std::vector<std::string> thoughts;
  std::vector<std::string> tool_calls;
  std::vector<std::string> searches;  // of every form but tool calls

  friend bool operator==(const SolverOutput&, const SolverOutput&) = default;
};

// The last closed <answer> of the policy's turns, thoughts taken out; where no turn opens one, a submit_answer tool
// call, an answer(...) function call, or the last \boxed{...}. A blank answer is none, and does not bring an earlier
// one back. With `open_answers` (as the release has it) an answer left open in a turn that is not the last counts.
SolverOutput read_solver_output(const std::vector<Turn>& turns, bool open_answers = false);

}  // namespace harnessg::scope
