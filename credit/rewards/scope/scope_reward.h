// SCOPE's rewards as plugins (docs/scope.md).
#pragma once

#include <memory>

#include "credit/rewards/plugin.h"

namespace harnessg::scope {

// "scope_solver". Input: a record {"turns": [{"role", "content"}] or "output": text, "rubric": [text or {"text",
// "priority"}], "verdicts": [1, 0, null]} or, in place of verdicts, "grader": one text an item as graders write them.
// Components rubric (weight 1), format (0.5), searches (0.1). Settings are the fields of SolverRules, and
// "grader": "content_words" grades by the stand-in of credit/models/content_words_grader.h instead of by the record.
Result<std::unique_ptr<RewardPlugin>> make_solver_reward(const Json& settings);

// "scope_challenger". Input: a record {"turns" or "output", "searches_asked"?, "gates": [text a judge wrote, or 1, 0,
// null], "rubric": [...] or text a judge wrote, "rollouts": [{"answered", "verdicts"} or {"answered", "score"}]}.
// Components difficulty (weight 1), format (0.5). Not judged: a gate or a rubric that cannot be read, too few rollouts
// with a score. Settings are the fields of ChallengerRules, and "gates": false leaves the gates out.
Result<std::unique_ptr<RewardPlugin>> make_challenger_reward(const Json& settings);

}  // namespace harnessg::scope
