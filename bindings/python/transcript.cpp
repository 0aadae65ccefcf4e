#include "engine/transcript.h"

#include <pybind11/stl.h>

#include <tuple>
#include <utility>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

using TurnPair = std::pair<std::string, std::string>;
// (begin, end, kind, turn), once in characters and once in bytes.
using SpanTuple = std::tuple<std::size_t, std::size_t, std::string, std::size_t>;
using TranscriptTuple = std::tuple<std::string, std::vector<SpanTuple>, std::vector<SpanTuple>>;

std::vector<SpanTuple> span_tuples(const std::vector<TextSpan>& spans) {
  std::vector<SpanTuple> tuples;
  for (const TextSpan& span : spans)
    tuples.emplace_back(span.begin, span.end, std::string(span_kind_name(span.kind)), span.turn);
  return tuples;
}

TranscriptTuple transcript(const std::vector<TurnPair>& given, std::string before, std::string after) {
  std::vector<TranscriptTurn> turns;
  for (const auto& [written, shown] : given) turns.push_back({written, shown});
  Transcript made = make_transcript(turns, {std::move(before), std::move(after)});
  std::vector<std::size_t> offsets;
  for (const TextSpan& span : made.spans) offsets.insert(offsets.end(), {span.begin, span.end});
  const std::vector<std::size_t> counts = code_points_before(made.text, offsets);
  std::vector<TextSpan> characters = made.spans;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    characters[i].begin = counts[2 * i];
    characters[i].end = counts[2 * i + 1];
  }
  return {std::move(made.text), span_tuples(characters), span_tuples(made.spans)};
}

std::vector<TurnPair> turns_of(const EpisodeHandle& self) {
  const auto environment = self.environment->get();
  const Episode episode = self.episode;
  std::vector<TurnPair> pairs;
  for (TranscriptTurn& turn : compute([&] { return plain_turns(*environment, episode); }))
    pairs.emplace_back(std::move(turn.written), std::move(turn.observation));
  return pairs;
}

// (kind, text, begin, end), offsets in characters.
std::tuple<std::string, std::string, std::size_t, std::size_t> parsed_turn(const std::string& written) {
  constexpr std::array<const char*, 3> kKinds = {"nothing", "action", "answer"};
  ModelTurn turn = parse_turn(written);
  const std::array<std::size_t, 2> offsets{turn.begin, turn.end};
  const std::vector<std::size_t> counts = code_points_before(written, offsets);
  return {kKinds[static_cast<std::size_t>(turn.kind)], std::move(turn.text), counts[0], counts[1]};
}

}  // namespace

void add_transcript(py::module_& module) {
  module.def("transcript", &transcript, py::arg("turns"), py::arg("before"), py::arg("after"));
  module.def("plain_turns", &turns_of, py::arg("episode"));
  module.def("parse_turn", &parsed_turn, py::arg("written"));
}

}  // namespace harnessg::python
