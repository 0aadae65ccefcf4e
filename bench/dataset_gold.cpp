#include <algorithm>
#include <array>

#include "bench/answer_index.h"
#include "bench/datasets.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

constexpr std::array<std::string_view, kGoldGaps> kGapNames = {"unanswerable",
                                                               "gold not given",
                                                               "paragraph not in the corpus",
                                                               "another text in corpus",
                                                               "sentence not in paragraph",
                                                               "answer string in no paragraph"};

std::string join(const std::vector<std::string>& phrases) {
  std::string joined;
  for (const std::string& phrase : phrases) {
    if (!joined.empty()) joined += "; ";
    joined += phrase;
  }
  return joined;
}

// Resolves questions one by one; the answers' index is made when a set without facts first needs it.
class GoldFinder {
 public:
  GoldFinder(const Graph& graph, FactLevel level) : graph_(graph), level_(level), resolver_(graph) {}

  void add(const DatasetQuestion& question, std::size_t number, ResolvedDataset& dataset) {
    LeftOut left_out{number, question.record.id, GoldGap::kUnanswerable, "the data set marks it unanswerable"};
    ResolvedFacts facts;
    if (question.record.answerable) {
      facts = resolver_.resolve(at_level(question.record));
      const auto gap = question.record.supporting_facts.empty() ? answer_gap(question.record, left_out.what)
                                                                : fact_gap(question.record, facts, left_out.what);
      if (!gap) {
        dataset.questions.push_back({number, std::move(facts)});
        return;
      }
      left_out.gap = *gap;
    }
    dataset.left_out.push_back(std::move(left_out));
  }

 private:
  QuestionRecord at_level(QuestionRecord record) const {
    if (level_ == FactLevel::kAsGiven) return record;
    for (SupportingFact& fact : record.supporting_facts) fact.sentence.reset();
    return record;
  }

  std::optional<GoldGap> fact_gap(const QuestionRecord& record, const ResolvedFacts& facts, std::string& what) const {
    if (facts.missing.empty()) return std::nullopt;
    what = join(facts.missing);
    // A fact with less to ask for that is found says what the first one that is not lacks.
    for (const SupportingFact& fact : at_level(record).supporting_facts) {
      if (is_there(fact)) continue;
      SupportingFact paragraph = fact;
      paragraph.sentence.reset();
      if (is_there(paragraph)) return GoldGap::kNoSentence;
      paragraph.paragraph_text.clear();
      return is_there(paragraph) ? GoldGap::kOtherText : GoldGap::kNoParagraph;
    }
    return GoldGap::kNoParagraph;
  }

  bool is_there(const SupportingFact& fact) const {
    QuestionRecord one;
    one.supporting_facts = {fact};
    return resolver_.resolve(one).missing.empty();
  }

  std::optional<GoldGap> answer_gap(const QuestionRecord& record, std::string& what) {
    if (record.answers.empty()) {
      what = "neither supporting facts nor answers";
      return GoldGap::kNotGiven;
    }
    if (!answers_) answers_.emplace(graph_);
    if (!answers_->paragraphs_with(record.answers).empty()) return std::nullopt;
    what = fmt::format("\"{}\"{} in no paragraph", record.answers.front(),
                       record.answers.size() > 1 ? fmt::format(" and {} aliases", record.answers.size() - 1) : "");
    return GoldGap::kNoAnswer;
  }

  const Graph& graph_;
  FactLevel level_;
  FactResolver resolver_;
  std::optional<AnswerIndex> answers_;
};

}  // namespace

std::string_view gap_name(GoldGap gap) { return kGapNames[static_cast<std::size_t>(gap)]; }

ResolvedDataset resolve_dataset(const Graph& graph, std::span<const DatasetQuestion> questions, FactLevel level) {
  GoldFinder finder(graph, level);
  ResolvedDataset dataset;
  for (std::size_t i = 0; i < questions.size(); ++i) finder.add(questions[i], i, dataset);
  return dataset;
}

std::vector<std::pair<GoldGap, std::size_t>> count_gaps(const ResolvedDataset& dataset) {
  std::array<std::size_t, kGoldGaps> counts{};
  for (const LeftOut& one : dataset.left_out) ++counts[static_cast<std::size_t>(one.gap)];
  std::vector<std::pair<GoldGap, std::size_t>> gaps;
  for (std::size_t i = 0; i < kGoldGaps; ++i) {
    if (counts[i] > 0) gaps.emplace_back(static_cast<GoldGap>(i), counts[i]);
  }
  return gaps;
}

std::string describe(const ResolvedDataset& dataset, std::size_t names) {
  std::string text = fmt::format("{} questions, {} with their gold in the corpus\n",
                                 dataset.questions.size() + dataset.left_out.size(), dataset.questions.size());
  for (const auto& [gap, count] : count_gaps(dataset)) {
    text += fmt::format("  {:>5} {}:", count, gap_name(gap));
    std::size_t named = 0;
    for (const LeftOut& one : dataset.left_out) {
      if (one.gap == gap && named++ < names) text += fmt::format(" {} ({})", one.id, one.what);
    }
    text += named > names ? " ...\n" : "\n";
  }
  return text;
}

}  // namespace harnessg::bench
