#include "credit/rewards/stepgap/judge_json.h"

#include <fmt/format.h>

#include <array>

#include "credit/models/chat_client.h"

namespace harnessg::stepgap {
namespace {

struct Field {
  const char* block;
  const char* key;
  bool is_flag;
};

constexpr const char* kTarget = "step_minus1_alignment";
constexpr const char* kAbstention = "step_0_abstention_check";
constexpr const char* kQuote = "step_1_quote_search";
constexpr std::array<Field, 7> kFields{{{kTarget, "is_off_target", true},
                                        {kTarget, "drift_type", false},
                                        {kAbstention, "is_abstention_step", true},
                                        {kAbstention, "abstention_is_accurate", true},
                                        {kQuote, "entity_match", true},
                                        {kQuote, "found_quote", true},
                                        {kQuote, "evidence_quote", false}}};

}  // namespace

std::string judge_json_error(const Json& answer) {
  if (!answer.is_object()) return "the answer is no JSON object";
  for (const Field& field : kFields) {
    const Json* block = find_value(answer, field.block);
    if (block == nullptr || !block->is_object()) return fmt::format("\"{}\" must be an object", field.block);
    const Json* value = find_value(*block, field.key);
    if (value == nullptr || !(field.is_flag ? value->is_boolean() : value->is_string())) {
      return fmt::format("\"{}.{}\" must be {}", field.block, field.key, field.is_flag ? "true or false" : "a text");
    }
  }
  return "";
}

Judged<JudgeAnswer> read_judge_answer(std::string_view text) {
  const Judged<Json> json = json_answer(text);
  if (!json) return tl::unexpected(json.error());
  if (std::string error = judge_json_error(*json); !error.empty()) {
    return tl::unexpected(NotJudged{NotJudgedReason::kUnreadable, std::move(error)});
  }
  const Json& target = json->at(kTarget);
  const Json& abstention = json->at(kAbstention);
  const Json& quote = json->at(kQuote);
  return JudgeAnswer{.off_target = target.at("is_off_target"),
                     .drift = target.at("drift_type"),
                     .abstains = abstention.at("is_abstention_step"),
                     .abstention_justified = abstention.at("abstention_is_accurate"),
                     .entity_match = quote.at("entity_match"),
                     .found_quote = quote.at("found_quote"),
                     .quote = quote.at("evidence_quote")};
}

}  // namespace harnessg::stepgap
