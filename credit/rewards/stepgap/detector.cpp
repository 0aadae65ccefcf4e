#include "credit/rewards/stepgap/detector.h"

#include <algorithm>
#include <optional>

namespace harnessg::stepgap {
namespace {

constexpr std::size_t kSnippetCharacters = 300;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// The first characters of UTF-8 text.
std::string_view beginning(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (characters++ == kSnippetCharacters) return text.substr(0, i);
  }
  return text;
}

// One line a snippet, so that no quote stands across two of them.
std::string quotable(std::span<const ReasoningStep> steps, std::size_t position) {
  std::string text;
  for (std::size_t i = steps[position].concluding ? 0 : position; i <= position; ++i) {
    for (const std::string& snippet : steps[i].evidence) (text += snippet) += '\n';
  }
  return text;
}

}  // namespace

Judged<Verdict> check_step(std::span<const ReasoningStep> steps, std::span<const Judged<JudgeAnswer>> answers,
                           std::size_t position, const Nli& nli, const RoutingOptions& options) {
  const ReasoningStep& step = steps[position];
  if (is_blank(step.claim)) {
    return tl::unexpected(NotJudged{NotJudgedReason::kUnreadable, "the step claims nothing"});
  }
  if (!answers[position]) return tl::unexpected(answers[position].error());

  std::optional<NotJudged> silent;
  const auto entailment = [&](std::string_view premise) {
    const Judged<Entailment> label = nli(premise, step.claim);
    if (!label && !silent) silent = label.error();
    return label.value_or(Entailment::kNeutral);
  };
  const auto earlier = [&] {
    for (std::size_t i = position; i-- > 0;) {
      if (!answers[i] || !answers[i]->entity_match) continue;
      for (const std::string& snippet : steps[i].evidence) {
        if (!is_blank(snippet) && entailment(beginning(snippet)) == Entailment::kEntails) {
          silent.reset();  // one that entails is enough, whatever was not said of others
          return true;
        }
      }
    }
    return false;
  };
  Verdict verdict =
      route(*answers[position], step.concluding, quotable(steps, position), {entailment, earlier}, options);
  if (silent) return tl::unexpected(*silent);
  return verdict;
}

}  // namespace harnessg::stepgap
