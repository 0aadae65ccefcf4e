#include "credit/known_questions.h"

#include <algorithm>

#include "data/text.h"

namespace harnessg {

KnownQuestions::KnownQuestions(std::vector<QuestionRecord> questions) : questions_(std::move(questions)) {
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    by_text_[fold_space(questions_[i].question)].push_back(i);
    by_id_.try_emplace(questions_[i].id, i);
  }
}

Result<KnownQuestions> KnownQuestions::read(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(std::vector<QuestionRecord> questions, read_questions(file));
  return KnownQuestions(std::move(questions));
}

Result<const QuestionRecord*> KnownQuestions::find(const Trace& trace) const {
  const auto same_text = by_text_.find(fold_space(trace.question));
  if (same_text == by_text_.end()) {
    const auto same_id = by_id_.find(trace.question_id);
    if (trace.question_id.empty() || same_id == by_id_.end()) {
      return fail(ErrorCode::kNotFound,
                  "none of the {} questions given is \"{}\" (id \"{}\"); give the file it is from", questions_.size(),
                  trace.question, trace.question_id);
    }
    return fail(ErrorCode::kBadInput,
                "the question \"{}\" of the trace reads \"{}\", the one given with that id reads \"{}\"; give the file "
                "that the trace was played from",
                trace.question_id, trace.question, questions_[same_id->second].question);
  }
  const std::vector<std::size_t>& places = same_text->second;
  for (const std::size_t place : places) {
    if (questions_[place].id == trace.question_id) return &questions_[place];
  }
  const QuestionRecord& first = questions_[places.front()];
  const bool agree = std::all_of(places.begin(), places.end(),
                                 [&](std::size_t place) { return questions_[place].answers == first.answers; });
  if (agree) return &first;
  return fail(ErrorCode::kBadInput,
              "{} questions given read \"{}\", with different answers, and none has the id \"{}\" of the trace",
              places.size(), trace.question, trace.question_id);
}

Status KnownQuestions::join(Trace& trace) const {
  if (!trace.answers.empty()) return {};
  HARNESSG_ASSIGN(const QuestionRecord* const question, find(trace));
  trace.answers = question->answers;
  return {};
}

}  // namespace harnessg
