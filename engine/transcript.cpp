#include "engine/transcript.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/text.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

constexpr std::string_view kOpenQuery = "<query>";
constexpr std::string_view kCloseQuery = "</query>";
constexpr std::string_view kOpenAnswer = "<answer>";
constexpr std::string_view kCloseAnswer = "</answer>";

struct Block {
  std::size_t begin = std::string_view::npos;
  std::size_t end = std::string_view::npos;

  bool found() const { return end != std::string_view::npos; }
};

Block find_block(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find(close, begin + open.size());
  return end == std::string_view::npos ? Block{} : Block{begin, end + close.size()};
}

std::string trimmed(std::string_view text) {
  const auto words = split_words(text);
  if (words.empty()) return {};
  const char* const end = words.back().data() + words.back().size();
  return {words.front().data(), static_cast<std::size_t>(end - words.front().data())};
}

// With a space after the colon, as the published release's trainers write it.
std::string call_of(const std::string& action) {
  return fmt::format("{}{{\"query\": {}}}{}", kOpenQuery,
                     nlohmann::json(action).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                     kCloseQuery);
}

std::string answer_of(const std::string& text) { return fmt::format("{}{}{}", kOpenAnswer, text, kCloseAnswer); }

}  // namespace

ModelTurn parse_turn(std::string_view written) {
  const Block query = find_block(written, kOpenQuery, kCloseQuery);
  const Block answer = find_block(written, kOpenAnswer, kCloseAnswer);
  if (answer.found() && (!query.found() || answer.begin < query.begin)) {
    const std::size_t inside = answer.begin + kOpenAnswer.size();
    const std::size_t length = answer.end - kCloseAnswer.size() - inside;
    return {TurnKind::kAnswer, trimmed(written.substr(inside, length)), answer.begin, answer.end};
  }
  if (!query.found()) return {};
  auto call = parse_tool_query(written);
  if (!call) return {};
  return {TurnKind::kAction, *std::move(call), query.begin, query.end};
}

std::string_view span_kind_name(SpanKind kind) {
  switch (kind) {
    case SpanKind::kObservation:
      return "observation";
    case SpanKind::kAction:
      return "action";
    case SpanKind::kAnswer:
      break;
  }
  return "answer";
}

Transcript make_transcript(std::span<const TranscriptTurn> turns, const TranscriptFormat& format) {
  Transcript made;
  for (std::size_t n = 0; n < turns.size(); ++n) {
    const ModelTurn parsed = parse_turn(turns[n].written);
    if (parsed.kind != TurnKind::kNothing) {
      const SpanKind kind = parsed.kind == TurnKind::kAction ? SpanKind::kAction : SpanKind::kAnswer;
      made.spans.push_back({made.text.size() + parsed.begin, made.text.size() + parsed.end, kind, n});
    }
    made.text += turns[n].written;
    if (turns[n].observation.empty()) continue;
    const std::size_t begin = made.text.size();
    made.text.append(format.before).append(turns[n].observation).append(format.after);
    made.spans.push_back({begin, made.text.size(), SpanKind::kObservation, n});
  }
  return made;
}

Result<std::vector<TranscriptTurn>> plain_turns(const Environment& environment, const Episode& episode) {
  HARNESSG_ASSIGN(std::vector<std::string> shown, environment.observations(episode));
  std::vector<TranscriptTurn> turns{{call_of("INIT"), std::move(shown.front())}};
  const State& state = episode.state();
  std::size_t blocked = 0;
  for (std::size_t n = 0; n < state.history.size(); ++n) {
    const std::uint16_t position = state.history[n];
    const std::string said = position == kBlocked ? state.blocked[blocked++].text : fmt::format("A{}", position);
    turns.push_back({call_of(said), std::move(shown[n + 1])});
  }
  if (episode.answered()) turns.push_back({answer_of(episode.answer()), {}});
  return turns;
}

std::vector<std::size_t> code_points_before(std::string_view text, std::span<const std::size_t> offsets) {
  std::vector<std::size_t> counts;
  std::size_t at = 0, count = 0;
  for (const std::size_t offset : offsets) {
    for (; at < offset; ++at) count += (static_cast<unsigned char>(text[at]) & 0xC0u) != 0x80u ? 1 : 0;
    counts.push_back(count);
  }
  return counts;
}

}  // namespace harnessg
