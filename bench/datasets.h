// The benchmark's data sets from their official files, and where their gold lies in a graph.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "credit/metrics/evidence_triples.h"
#include "credit/metrics/joint_evaluation.h"
#include "data/graph.h"
#include "data/questions.h"
#include "data/result.h"

namespace harnessg::bench {

enum class DatasetKind : std::uint8_t { kTwoWiki, kHotpot, kMusique, kPopqa, kNq, kTriviaqa, kJsonLines };

std::string_view dataset_name(DatasetKind kind);  // "2wiki", "hotpotqa", "musique", "popqa", "nq", "triviaqa", "jsonl"
std::optional<DatasetKind> dataset_from_name(std::string_view name);

// Whose file it is, by its first records: the keys that only one set has; kJsonLines where none has. "-" cannot be
// looked at: kInvalidArgument. Errors of read_questions.
Result<DatasetKind> detect_dataset(const std::filesystem::path& file);

struct DatasetQuestion {
  QuestionRecord record;                     // answers: the answer, then all its aliases, those of its id too
  std::vector<std::string> titles;           // of the supporting paragraphs, in file order, no repeats
  std::string answer_id;                     // 2Wiki, "" where the file has none
  std::vector<metrics::GoldTriple> triples;  // 2Wiki
};

// Files a kind may come in; .gz and .zst are read directly, "-" (standard input) for all but the two published forms
// named below:
//   2wiki, hotpotqa, musique  JSON list or lines, as published or in the forms read_questions knows
//   popqa                     the published popQA.tsv, or JSON with the same keys
//   nq                        NQ-open's lines {"question", "answer": [...]}
//   triviaqa                  the published {"Data": [{"Question", "QuestionId", "Answer": {...}}]}, or JSON lines
//   jsonl                     read_questions' own form
// A record whose "dataset" names another set ("nq_open", "triviaqa") is passed over. Errors of read_questions;
// kBadInput where a file holds no question.
Result<std::vector<DatasetQuestion>> read_dataset(DatasetKind kind, const std::filesystem::path& file);

// Adds the names of 2Wiki's id_aliases.json to the answers, for metrics that know no ids.
void add_answer_aliases(const metrics::Aliases& aliases, std::vector<DatasetQuestion>& questions);

// A question as the official scripts of HotpotQA and 2Wiki see it. Facts without a sentence are left out.
metrics::GoldRecord gold_record(const DatasetQuestion& question);

enum class FactLevel : std::uint8_t {
  kAsGiven,    // sentences where the file names them
  kParagraph,  // paragraphs alone: where a corpus does not carry the data set's own sentences
};

// Why a question cannot be asked of a graph.
enum class GoldGap : std::uint8_t {
  kUnanswerable,  // the file says so
  kNotGiven,      // neither facts nor answers
  kNoParagraph,   // no paragraph of a supporting title or record id
  kOtherText,     // the title is there, the paragraph is not
  kNoSentence,    // the paragraph is there and has fewer sentences
  kNoAnswer,      // a set without facts: no paragraph holds an answer
};
inline constexpr std::size_t kGoldGaps = 6;
std::string_view gap_name(GoldGap gap);  // "unanswerable", "gold not given", "paragraph not in the corpus", ...

struct ResolvedQuestion {
  std::size_t question = 0;  // which of those given
  ResolvedFacts facts;       // nothing missing; empty for sets without facts
};

struct LeftOut {
  std::size_t question = 0;
  std::string id;
  GoldGap gap{};
  std::string what;  // each fact or answer that is missing, one phrase each, separated by "; "

  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

// Every question is in exactly one of the lists, both in the order given.
struct ResolvedDataset {
  std::vector<ResolvedQuestion> questions;
  std::vector<LeftOut> left_out;
};

ResolvedDataset resolve_dataset(const Graph& graph, std::span<const DatasetQuestion> questions,
                                FactLevel level = FactLevel::kAsGiven);

// How many questions are left out for which reason; reasons that are none's are not listed.
std::vector<std::pair<GoldGap, std::size_t>> count_gaps(const ResolvedDataset& dataset);
// "1000 questions, 996 with their gold in the corpus", then one line a reason with its count and up to `names` ids.
std::string describe(const ResolvedDataset& dataset, std::size_t names = 3);

}  // namespace harnessg::bench
