#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "credit/rewards/search_answer_rewards.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using conformance::Json;

namespace {

bool near(double ours, const Json& recorded) { return std::abs(ours - recorded.get<double>()) < 1e-9; }

std::vector<std::string> golds_of(const Json& row) {
  const Json& gold = row.at("gold");
  return gold.is_string() ? std::vector{gold.get<std::string>()} : gold.get<std::vector<std::string>>();
}

// Turns of the policy that have their end mark.
std::vector<std::string> closed_turns(const std::string& text) {
  constexpr std::string_view kBegin = "<|im_start|>assistant\n";
  std::vector<std::string> turns;
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    const std::size_t end = text.find("<|im_end|>", at);
    if (end != std::string::npos) turns.push_back(text.substr(at + kBegin.size(), end - at - kBegin.size()));
  }
  return turns;
}

}  // namespace

TEST_CASE("Search-R1's and Graph-R1's answer rewards are the recorded ones") {
  const auto file = conformance::shared_folder() / "conformance" / "rewards" / "search-r1-em.jsonl";
  if (conformance::shared_folder().empty() || !std::filesystem::exists(file)) {
    MESSAGE(fmt::format("skipped: there is no {}", file.string()));
    return;
  }
  std::size_t compared = 0;
  for (const Json& row : conformance::read_json_lines(file)) {
    // What follows the prompt is scored: rows without one ask about the prompt, not about the answer.
    const bool search = row.at("source") == "search-r1";
    if (row.contains("deviates") || (search && row.at("prompt_included") == false)) continue;
    ++compared;
    const std::string id = row.at("id");
    const std::string text = row.at("text");
    const Json& out = row.at("output");
    if (search) {
      const SearchR1Score score = score_search_r1(text, golds_of(row));
      CHECK_MESSAGE((out.at("answer").is_null() ? !score.answer : score.answer == out.at("answer").get<std::string>()),
                    id);
      CHECK_MESSAGE(near(score.em, out.at("em")), id);
      CHECK_MESSAGE(near(score.subem, out.at("subem")), id);
      CHECK_MESSAGE(near(score.format_em, out.at("format_em")), id);
      CHECK_MESSAGE(score.valid_sequence == out.at("valid_sequence").get<bool>(), id);
      CHECK_MESSAGE(score.retrieval_correct == out.at("retrieval_correct").get<bool>(), id);
    } else {
      const GraphR1Score score = score_graph_r1(closed_turns(text), golds_of(row));
      CHECK_MESSAGE(near(score.format, out.at("format")), id);
      CHECK_MESSAGE(near(score.em, out.at("em")), id);
      CHECK_MESSAGE(near(score.f1, out.at("f1")), id);
      CHECK_MESSAGE(near(score.reward, out.at("reward")), id);
    }
  }
  MESSAGE(fmt::format("search-r1-em: {} rows compared", compared));
}
