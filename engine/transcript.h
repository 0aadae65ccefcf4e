// A whole episode as one text, and which bytes of it are whose: what a trainer masks and what it credits (spec 1,
// section 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"
#include "engine/environment.h"

namespace harnessg {

// What a model wrote in one turn.
enum class TurnKind : std::uint8_t {
  kNothing,  // no call that is well formed: a turn that the environment blocks
  kAction,   // <query>{"query": "A3"}</query>
  kAnswer,   // <answer>...</answer>
};

struct ModelTurn {
  TurnKind kind = TurnKind::kNothing;
  std::string text;       // the action's or query's text; the answer's, without white space around it
  std::size_t begin = 0;  // [begin, end): its block with both tags, in bytes of what was written
  std::size_t end = 0;

  friend bool operator==(const ModelTurn&, const ModelTurn&) = default;
};

// The first block that is closed decides, of <query> and <answer>; a <query> without the JSON object of a call is
// kNothing (parse_tool_query, text_protocol.h).
ModelTurn parse_turn(std::string_view written);

enum class SpanKind : std::uint8_t {
  kObservation,  // not the model's own, with the tags around it: to be masked
  kAction,       // the <query> block of a turn: what the turn's credit is spread over
  kAnswer,       // the <answer> block
};
std::string_view span_kind_name(SpanKind kind);  // "observation", "action", "answer"

// Bytes [begin, end) of a transcript.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  SpanKind kind = SpanKind::kObservation;
  std::size_t turn = 0;  // number of the TranscriptTurn it belongs to, from 0

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// What the model wrote and what it was shown upon it; nothing is shown where `observation` is empty.
struct TranscriptTurn {
  std::string written;
  std::string observation;

  friend bool operator==(const TranscriptTurn&, const TranscriptTurn&) = default;
};

// What stands around an observation. A chat template's own marks belong here, such as "<|im_end|>\n<|im_start|>user\n"
// before the first tag: they are masked with it.
struct TranscriptFormat {
  std::string before = "<knowledge>";
  std::string after = "</knowledge>";
};

// Spans ascend and do not overlap. They come from how the text was put together, not from searching it: a tag that a
// model or a corpus wrote inside an observation or a thought makes none.
struct Transcript {
  std::string text;
  std::vector<TextSpan> spans;

  friend bool operator==(const Transcript&, const Transcript&) = default;
};

Transcript make_transcript(std::span<const TranscriptTurn> turns, const TranscriptFormat& format = {});

// The turns of an episode as a model that only acts would have written them: a call of INIT, one of each action, the
// answer where there is one; with the observations that were shown. By playing it again; kWrongIndex: an episode of
// another index or other rules; and the embedder's errors.
Result<std::vector<TranscriptTurn>> plain_turns(const Environment& environment, const Episode& episode);

// Byte offsets as offsets in code points (what Python and most tokenizers count), in the order given. Precondition:
// `offsets` ascend and none is beyond the text.
std::vector<std::size_t> code_points_before(std::string_view text, std::span<const std::size_t> offsets);

}  // namespace harnessg
