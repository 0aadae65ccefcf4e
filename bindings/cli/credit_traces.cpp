#include "bindings/cli/credit_traces.h"

#include <utility>

#include "credit/models/scorer.h"

namespace harnessg {

Result<std::optional<TraceLine>> CreditInput::next_line() {
  while (true) {
    if (!file_) {
      if (opened_ == files_.size()) return std::nullopt;
      HARNESSG_ASSIGN(file_, TraceFile::open(files_[opened_++]));
    }
    HARNESSG_ASSIGN(std::optional<TraceLine> line, file_->next());
    if (line) return line;
    file_.reset();
  }
}

CreditItem CreditInput::item_of(TraceLine line) const {
  CreditItem item{std::move(line.place), {}, {}};
  if (!line.trace) {
    item.uncredited = Uncredited{"bad_line", line.trace.error().message};
    return item;
  }
  item.trace = *std::move(line.trace);
  if (questions_ != nullptr) {
    const Status joined = questions_->join(item.trace);
    if (!joined) {
      item.uncredited = Uncredited{"unknown_question", fmt::format("{}: {}", item.place, joined.error().message)};
      return item;
    }
  }
  if (with_answers_ && answer_aliases(item.trace.answers).empty()) {
    item.uncredited = Uncredited{
        std::string(reason_name(NotScoredReason::kNoAlias)),
        fmt::format("{}: the trace (question \"{}\") has no gold answer; give --questions FILE with its answers",
                    item.place, item.trace.question_id)};
  }
  return item;
}

Result<std::vector<CreditItem>> CreditInput::next(std::size_t count) {
  std::vector<CreditItem> items;
  while (items.size() < count) {
    HARNESSG_ASSIGN(std::optional<TraceLine> line, next_line());
    if (!line) break;
    items.push_back(item_of(std::move(*line)));
  }
  return items;
}

}  // namespace harnessg
