#include "data/questions.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

py::dict fact_dictionary(const SupportingFact& fact) {
  py::dict dictionary;
  if (!fact.record_id.empty()) dictionary["paragraph"] = fact.record_id;
  if (!fact.title.empty()) dictionary["title"] = fact.title;
  if (!fact.paragraph_text.empty()) dictionary["paragraph_text"] = fact.paragraph_text;
  if (fact.sentence) dictionary["sentence"] = *fact.sentence;
  return dictionary;
}

// As in a line of a questions file: {"paragraph" or "title", "sentence"?}.
SupportingFact fact_from(const py::dict& dictionary) {
  SupportingFact fact;
  if (dictionary.contains("paragraph")) fact.record_id = dictionary["paragraph"].cast<std::string>();
  if (dictionary.contains("title")) fact.title = dictionary["title"].cast<std::string>();
  if (dictionary.contains("paragraph_text")) fact.paragraph_text = dictionary["paragraph_text"].cast<std::string>();
  if (dictionary.contains("sentence")) fact.sentence = dictionary["sentence"].cast<std::uint32_t>();
  if (fact.record_id.empty() && fact.title.empty()) {
    raise(
        {ErrorCode::kInvalidArgument, "a supporting fact names neither \"paragraph\" nor \"title\"; give one of them"});
  }
  return fact;
}

QuestionRecord make_question(std::string question, std::vector<std::string> answers, std::string id, std::string type,
                             const std::vector<py::dict>& supporting_facts) {
  QuestionRecord record;
  record.question = std::move(question);
  record.answerable = !answers.empty();
  record.answers = std::move(answers);
  record.id = std::move(id);
  record.type = std::move(type);
  for (const py::dict& fact : supporting_facts) record.supporting_facts.push_back(fact_from(fact));
  return record;
}

std::vector<py::dict> facts_of(const QuestionRecord& record) {
  std::vector<py::dict> facts;
  for (const SupportingFact& fact : record.supporting_facts) facts.push_back(fact_dictionary(fact));
  return facts;
}

// Sentences, record ids of paragraphs, and phrases for what is not there.
using Facts = std::tuple<std::vector<SentenceHandle>, std::vector<std::string>, std::vector<std::string>>;

Facts resolve(const std::shared_ptr<IndexHandle>& handle, const QuestionRecord& record) {
  const auto index = handle->get();
  if (!handle->resolver) {
    auto made = compute([&]() -> Result<std::shared_ptr<const FactResolver>> {
      return std::make_shared<const FactResolver>(index->graph());
    });
    if (handle->index) handle->resolver = std::move(made);
  }
  const std::shared_ptr<const FactResolver> resolver = handle->resolver;
  if (!resolver) raise_closed("index");
  const ResolvedFacts found = compute([&]() -> Result<ResolvedFacts> { return resolver->resolve(record); });
  std::vector<std::string> paragraphs;
  for (const ParagraphId p : found.paragraphs) paragraphs.emplace_back(index->graph().record_id(p));
  return {sentence_list(handle, found.sentences), std::move(paragraphs), found.missing};
}

}  // namespace

void add_questions(py::module_& module) {
  py::class_<QuestionRecord>(module, "Question")
      .def(py::init(&make_question), py::arg("question"), py::arg("answers") = std::vector<std::string>(),
           py::arg("id") = "", py::arg("type") = "", py::arg("supporting_facts") = std::vector<py::dict>())
      .def_readonly("question", &QuestionRecord::question)
      .def_readonly("answers", &QuestionRecord::answers)
      .def_readonly("id", &QuestionRecord::id)
      .def_readonly("type", &QuestionRecord::type)
      .def_property_readonly("supporting_facts", &facts_of)
      .def("__repr__",
           [](const QuestionRecord& self) {
             return fmt::format("Question({})", std::string(py::repr(py::str(self.question))));
           })
      .def(py::pickle(
          [](const QuestionRecord& self) {
            return py::make_tuple(self.question, self.answers, self.id, self.type, facts_of(self));
          },
          [](const py::tuple& state) {
            return make_question(state[0].cast<std::string>(), state[1].cast<std::vector<std::string>>(),
                                 state[2].cast<std::string>(), state[3].cast<std::string>(),
                                 state[4].cast<std::vector<py::dict>>());
          }));
  module.def(
      "read_questions", [](const std::filesystem::path& file) { return compute([&] { return read_questions(file); }); },
      py::arg("file"));
  module.def("resolve_facts", &resolve, py::arg("index"), py::arg("question"));
}

}  // namespace harnessg::python
