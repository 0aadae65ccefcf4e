#include "credit/models/scorer.h"

#include <algorithm>
#include <exception>

#include "data/text.h"

namespace harnessg {

std::string_view reason_name(NotScoredReason reason) {
  switch (reason) {
    case NotScoredReason::kNoAlias:
      return "no_alias";
    case NotScoredReason::kUnavailable:
      return "unavailable";
    case NotScoredReason::kTimedOut:
      return "timed_out";
    case NotScoredReason::kBadReply:
      return "bad_reply";
    case NotScoredReason::kOutOfRange:
      break;
  }
  return "out_of_range";
}

Result<std::vector<Score>> CallableScorer::score(std::span<const ScoreRequest> requests) const {
  try {
    return function_(requests);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kUnavailable, "scorer {} failed: {}", name_, error.what());
  } catch (...) {
    return fail(ErrorCode::kUnavailable, "scorer {} failed without saying why", name_);
  }
}

Result<std::vector<Score>> checked_scores(const Scorer& scorer, std::span<const ScoreRequest> requests) {
  if (requests.empty()) return std::vector<Score>{};
  HARNESSG_ASSIGN(std::vector<Score> scores, scorer.score(requests));
  if (scores.size() != requests.size()) {
    return fail(ErrorCode::kBadInput, "scorer {} gave {} scores for {} contexts; it must give one each, in order",
                scorer.name(), scores.size(), requests.size());
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (requests[i].aliases.empty()) {
      scores[i] = tl::unexpected(NotScored{NotScoredReason::kNoAlias, "the question has no gold answer"});
    } else if (scores[i] && !(*scores[i] > 0 && *scores[i] <= 1)) {
      scores[i] = tl::unexpected(
          NotScored{NotScoredReason::kOutOfRange,
                    fmt::format("scorer {} gave {}, which is not in (0, 1]", scorer.name(), *scores[i])});
    }
  }
  return scores;
}

std::vector<std::string> answer_aliases(std::span<const std::string> answers) {
  std::vector<std::string> aliases;
  for (const std::string& answer : answers) {
    const auto words = split_words(answer);
    if (words.empty()) continue;
    const std::string_view stripped(
        words.front().data(),
        static_cast<std::size_t>(words.back().data() + words.back().size() - words.front().data()));
    if (std::find(aliases.begin(), aliases.end(), stripped) == aliases.end()) aliases.emplace_back(stripped);
  }
  return aliases;
}

}  // namespace harnessg
