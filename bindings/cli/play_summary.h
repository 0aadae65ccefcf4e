// What an episode came to, in a few lines for a person.
#pragma once

#include <string>

#include "data/questions.h"
#include "engine/environment.h"

namespace harnessg {

// Turns, selected sentences, answer; and of the question's supporting facts which were seen and which selected.
std::string play_summary(const Environment& environment, const Episode& episode, const QuestionRecord& question);

}  // namespace harnessg
