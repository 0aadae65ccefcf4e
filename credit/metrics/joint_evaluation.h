// HotpotQA's and 2Wiki's evaluations of a question and of a whole file: answer, supporting facts, evidence triples and
// all of them jointly. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "credit/metrics/evidence_triples.h"
#include "credit/metrics/part_score.h"
#include "credit/metrics/supporting_facts.h"
#include "data/result.h"

namespace harnessg::metrics {

struct GoldRecord {
  std::string id;
  std::string answer;
  std::vector<Fact> facts;
  std::string answer_id;            // 2Wiki, "" where the file has none: then the answer has no aliases
  std::vector<GoldTriple> triples;  // 2Wiki
};

// What a prediction file says on one question; nullopt: nothing, which is scored 0 in that part and jointly.
struct Prediction {
  std::optional<std::string> answer;
  std::optional<std::vector<Fact>> facts;
  std::optional<std::vector<Triple>> triples;  // 2Wiki
};
using Predictions = std::map<std::string, Prediction, std::less<>>;  // by question id

struct HotpotScore {
  PartScore answer;
  PartScore facts;
  PartScore joint;  // of answer and facts

  friend bool operator==(const HotpotScore&, const HotpotScore&) = default;
};

struct TwoWikiScore {
  PartScore answer;
  PartScore facts;
  PartScore triples;
  PartScore joint;  // of all three

  friend bool operator==(const TwoWikiScore&, const TwoWikiScore&) = default;
};

enum class TwoWikiVersion : unsigned char {
  kV1_0,  // names only
  kV1_1,  // aliases of the answer and of the triples' ends
};

struct TwoWikiRules {
  TwoWikiVersion version = TwoWikiVersion::kV1_1;
  Counting counting = Counting::kDistinct;
};

HotpotScore hotpot_score(const GoldRecord& gold, const Prediction& given);
TwoWikiScore two_wiki_score(const GoldRecord& gold, const Prediction& given, const Aliases& aliases,
                            const TwoWikiRules& rules = {});

// A part that the predictions lack.
struct MissingPart {
  std::string id;
  std::string part;  // "answer", "sp" or "evidence", as prediction files call them

  friend bool operator==(const MissingPart&, const MissingPart&) = default;
};

// Means over all gold questions, missing predictions counted 0.
template <class Score>
struct FileScore {
  Score mean;
  std::size_t questions = 0;
  std::vector<MissingPart> missing;  // in the order of the questions
};

// Predictions for other questions are ignored. kBadInput where there is no gold question or an id stands twice.
Result<FileScore<HotpotScore>> hotpot_file_score(std::span<const GoldRecord> gold, const Predictions& given);
Result<FileScore<TwoWikiScore>> two_wiki_file_score(std::span<const GoldRecord> gold, const Predictions& given,
                                                    const Aliases& aliases, const TwoWikiRules& rules = {});

}  // namespace harnessg::metrics
