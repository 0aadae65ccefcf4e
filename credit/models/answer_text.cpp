#include "credit/models/answer_text.h"

#include "engine/text_protocol.h"

namespace harnessg {

std::string PromptTemplate::up_to_answer(std::string_view question, std::span<const std::string_view> context) const {
  std::string text = prefix + answer_prompt(question, context) + suffix;
  if (!text.ends_with('\n')) text += '\n';
  return text.append(kAnswerOpening);
}

}  // namespace harnessg
