// The text whose end a language model is scored on: the prompt up to the answer, and the answer.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace harnessg {

// Before the answer's first token. A model that was told to write <answer>...</answer> has just written it.
inline constexpr std::string_view kAnswerOpening = "<answer>";

// What stands around answer_prompt() where a model expects a chat template.
struct PromptTemplate {
  std::string prefix;
  std::string suffix;

  // prefix, answer_prompt(question, context), suffix, a line break unless there is one, "<answer>".
  std::string up_to_answer(std::string_view question, std::span<const std::string_view> context) const;
};

// A space and the alias. The space keeps the alias's first token apart from the opening; it counts only where it is
// part of a token of the alias.
std::string answer_text(std::string_view alias);

}  // namespace harnessg
