#include "credit/rewards/scope/solver_output.h"

#include "credit/rewards/scope/calls.h"
#include "credit/rewards/scope/tagged_text.h"
#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr std::string_view kBox = "\\boxed{";

// Up to the brace that closes it.
std::optional<std::string> last_box(std::string_view text) {
  const std::size_t at = text.rfind(kBox);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(at + kBox.size());
  std::size_t depth = 1;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '{') ++depth;
    if (inside[i] == '}' && --depth == 0) return std::string(inside.substr(0, i));
  }
  return std::nullopt;
}

std::optional<std::string> filled(std::optional<std::string> text) {
  if (!text) return std::nullopt;
  const std::string_view trimmed = trim_space(*text);
  return trimmed.empty() ? std::nullopt : std::optional(std::string(trimmed));
}

// <call_tool name="...">query</call_tool>, also closed by </call>.
std::vector<std::string> call_tool_queries(std::string_view text) {
  std::vector<std::string> queries;
  constexpr std::string_view kOpen = "<call_tool";
  for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at + 1)) {
    const std::size_t begin = text.find('>', at);
    const std::size_t end = text.find("</call", at);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) continue;
    auto query = filled(std::string(text.substr(begin + 1, end - begin - 1)));
    if (query) queries.push_back(std::move(*query));
  }
  return queries;
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  for (std::string& one : more) all.push_back(std::move(one));
}

std::optional<std::string> answer_of(const std::vector<std::string>& turns, bool open_answers) {
  std::optional<std::string> tagged;
  bool opened = false;
  std::string all;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto blocks = closed_blocks(turns[i], kAnswerTag);
    if (!blocks.empty()) tagged = std::string(blocks.back());
    const auto open = open_block(turns[i], kAnswerTag);
    if (open && open_answers && i + 1 < turns.size()) tagged = std::string(*open);
    opened = opened || open || !blocks.empty();
    all += turns[i] + '\n';
  }
  if (opened) return filled(std::move(tagged));
  if (auto submitted = filled(tool_argument(all, "submit_answer", "answer"))) return submitted;
  const auto called = function_arguments(all, "answer");
  if (called && called->contains("answer")) return filled(called->at("answer"));
  return filled(last_box(all));
}

}  // namespace

SolverOutput read_solver_output(const std::vector<Turn>& turns, bool open_answers) {
  SolverOutput output;
  std::vector<std::string> bare;
  for (const std::string_view turn : own_turns(turns)) {
    append(output.thoughts, filled_blocks(turn, kThoughtTag));
    bare.push_back(without_thoughts(turn));
    append(output.tool_calls, filled_blocks(bare.back(), kToolCallTag));
    append(output.searches, filled_blocks(bare.back(), kSearchTag));
    append(output.searches, filled_blocks(bare.back(), {"<|begin_search_query|>", "<|end_search_query|>"}));
    append(output.searches, call_tool_queries(bare.back()));
    const auto called = function_arguments(bare.back(), "search");
    if (called && called->contains("query")) append(output.searches, {called->at("query")});
  }
  output.answer = answer_of(bare, open_answers);
  return output;
}

}  // namespace harnessg::scope
