#include "credit/advantage.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/python/errors.h"
#include "bindings/python/module.h"
#include "credit/response_spans.h"
#include "credit/token_credit.h"

namespace harnessg::python {
namespace {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Pairs = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using PairList = std::vector<std::pair<std::size_t, std::size_t>>;

std::vector<double> doubles_of(const Doubles& array) { return {array.data(), array.data() + array.size()}; }

Doubles array_of(const std::vector<double>& values) {
  return Doubles(static_cast<py::ssize_t>(values.size()), values.data());
}

// Rows of [begin, end).
std::vector<ActionSpan> spans_of(const Pairs& rows, const char* what) {
  const bool flat_and_empty = rows.ndim() == 1 && rows.size() == 0;
  if (!flat_and_empty && (rows.ndim() != 2 || rows.shape(1) != 2)) {
    raise({ErrorCode::kInvalidArgument, fmt::format("{} are pairs of begin and end", what)});
  }
  std::vector<ActionSpan> spans;
  for (py::ssize_t i = 0; i + 1 < rows.size(); i += 2) {
    const std::int64_t begin = rows.data()[i];
    const std::int64_t end = rows.data()[i + 1];
    if (begin < 0 || end < 0) {
      raise({ErrorCode::kInvalidArgument, fmt::format("{}: {}..{} lies before the text", what, begin, end)});
    }
    spans.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
  }
  return spans;
}

py::array_t<std::int64_t> owners(const Pairs& spans, const Pairs& tokens) {
  const std::vector<std::size_t> found = unwrap(token_owners(spans_of(spans, "spans"), spans_of(tokens, "offsets")));
  py::array_t<std::int64_t> result(static_cast<py::ssize_t>(found.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    result.mutable_data()[i] = found[i] == kNoSpan ? -1 : static_cast<std::int64_t>(found[i]);
  }
  return result;
}

Doubles credit_of_tokens(const Doubles& credit, const Pairs& spans, const Pairs& tokens) {
  return array_of(unwrap(token_credit(doubles_of(credit), spans_of(spans, "spans"), spans_of(tokens, "offsets"))));
}

PairList pairs_of(const std::vector<ActionSpan>& spans) {
  PairList pairs;
  for (const ActionSpan& span : spans) pairs.emplace_back(span.begin, span.end);
  return pairs;
}

std::tuple<PairList, PairList, PairList> spans_in(const std::string& text) {
  const ResponseSpans spans = response_spans(text);
  return {pairs_of(spans.actions), pairs_of(spans.observations), pairs_of(spans.answers)};
}

// (support, deviation, scale, outcome advantages, scaled credit of all tokens, totals of all tokens).
using AdvantageTuple = std::tuple<std::size_t, double, double, Doubles, Doubles, Doubles>;

AdvantageTuple advantages(const Doubles& outcomes, const std::vector<std::size_t>& groups, const Doubles& tokens,
                          const std::vector<std::size_t>& offsets, double lambda, double clamp, double floor,
                          double epsilon) {
  const std::vector<double> rewards = doubles_of(outcomes);
  const std::vector<double> credit = doubles_of(tokens);
  const BatchAdvantages result = compute([&] {
    return batch_advantages(rewards, groups, credit, offsets, {lambda, clamp, floor, epsilon});
  });
  return {result.scale.support,     result.scale.deviation, result.scale.scale,
          array_of(result.outcome), array_of(result.snc),   array_of(result.total)};
}

}  // namespace

void add_advantages(py::module_& module) {
  module.def("response_spans", &spans_in, py::arg("text"));
  module.def("token_owners", &owners, py::arg("spans"), py::arg("offsets"));
  module.def("token_credit", &credit_of_tokens, py::arg("credit"), py::arg("spans"), py::arg("offsets"));
  module.def("advantages", &advantages, py::arg("outcomes"), py::arg("groups"), py::arg("tokens"), py::arg("offsets"),
             py::arg("lambda_"), py::arg("clamp"), py::arg("floor"), py::arg("epsilon"));
}

}  // namespace harnessg::python
