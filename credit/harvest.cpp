#include "credit/harvest.h"

#include <algorithm>
#include <string>
#include <vector>

#include "data/text.h"

namespace harnessg {

std::optional<std::size_t> harvesting_select(const Trace& trace) {
  std::vector<std::vector<std::string>> answers;
  for (const std::string& answer : trace.answers) {
    if (auto tokens = alphanumeric_tokens(answer); !tokens.empty()) answers.push_back(std::move(tokens));
  }
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& step = trace.steps[i];
    if (step.event != Event::kSelect || step.outcome.sentences.empty()) continue;
    const auto sentence = trace.sentences.find(index(step.outcome.sentences.front()));
    if (sentence == trace.sentences.end()) continue;
    const auto tokens = alphanumeric_tokens(sentence->second.text);
    const bool holds = std::any_of(answers.begin(), answers.end(), [&](const std::vector<std::string>& answer) {
      return std::search(tokens.begin(), tokens.end(), answer.begin(), answer.end()) != tokens.end();
    });
    if (holds) return i;
  }
  return std::nullopt;
}

}  // namespace harnessg
