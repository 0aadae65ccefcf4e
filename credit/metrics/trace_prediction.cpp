#include "credit/metrics/trace_prediction.h"

namespace harnessg::metrics {

Result<Prediction> prediction_of(const Trace& trace) {
  Prediction prediction;
  prediction.answer = trace.answer;
  prediction.facts.emplace();
  for (const SentenceId s : trace.selected) {
    const auto found = trace.sentences.find(index(s));
    if (found == trace.sentences.end()) {
      return fail(ErrorCode::kBadInput, "the trace of question \"{}\" selects sentence {} and does not describe it",
                  trace.question_id, index(s));
    }
    prediction.facts->push_back({found->second.title, found->second.position, ""});
  }
  return prediction;
}

Support selected_support(const Graph& graph, std::span<const SentenceId> selected) {
  Support support;
  for (const SentenceId s : selected) support.paragraphs.insert(index(graph.paragraph(s)));
  return support;
}

std::set<std::int64_t> gold_support(std::span<const ParagraphId> paragraphs) {
  std::set<std::int64_t> numbers;
  for (const ParagraphId p : paragraphs) numbers.insert(index(p));
  return numbers;
}

}  // namespace harnessg::metrics
