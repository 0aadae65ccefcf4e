// What an NLI classifier's scores say.
#pragma once

#include <span>
#include <string>

#include "credit/models/not_judged.h"
#include "credit/rewards/stepgap/routing.h"

namespace harnessg::stepgap {

// The label with the highest score, the first of equal ones. `names`: the model's labels in the order of the scores, as
// its configuration names them: entailment, neutral, contradiction, in any order and ASCII case. kBadReply when they
// are not these three, or there are not three finite scores: an order is never guessed.
Judged<Entailment> nli_label(std::span<const std::string> names, std::span<const double> scores);

}  // namespace harnessg::stepgap
