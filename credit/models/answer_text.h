// The text before the answer that a language model is scored on.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace harnessg {

// What a model that was told to write <answer>...</answer> has just written. After a line break an answer's tokens are
// its own whatever the tokenizer: right after ">" some merge both, and a space would be part of the first token.
inline constexpr std::string_view kAnswerOpening = "<answer>\n";

// What stands around answer_prompt() where a model expects a chat template.
struct PromptTemplate {
  std::string prefix;
  std::string suffix;

  // prefix, answer_prompt(question, context), suffix, a line break unless there is one, kAnswerOpening.
  std::string up_to_answer(std::string_view question, std::span<const std::string_view> context) const;
};

}  // namespace harnessg
