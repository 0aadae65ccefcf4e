// Where the actions stand in a whole response: the text of an episode as a language model was trained on it.
#pragma once

#include <string_view>
#include <vector>

#include "credit/advantage.h"

namespace harnessg {

// In code points (what Python and most tokenizers count), in order; markers included.
struct ResponseSpans {
  std::vector<ActionSpan> actions;       // <query>...</query>: what a step's credit is spread over
  std::vector<ActionSpan> observations;  // <knowledge>...</knowledge>: not the policy's own, to be masked
  std::vector<ActionSpan> answers;       // <answer>...</answer>
};

// `text` is UTF-8 in the tool protocol (spec 1, section 6). Markers inside another block do not count. A block that is
// not closed is none, except an observation, which then goes to the end. The n-th action is that of the n-th turn, the
// first view's <query>INIT</query> among them, as long as every turn wrote exactly one.
ResponseSpans response_spans(std::string_view text);

}  // namespace harnessg
