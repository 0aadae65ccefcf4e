// The official gold and prediction files of HotpotQA, 2Wiki, MuSiQue, SQuAD and TriviaQA. .gz and .zst are read
// directly, "-" is standard input; gold files may be one JSON list or lines. Errors of evaluation_json.h with
// file:line, and those of reading.
#pragma once

#include <filesystem>
#include <vector>

#include "credit/metrics/evaluation_json.h"
#include "credit/metrics/joint_evaluation.h"
#include "credit/metrics/musique.h"
#include "credit/metrics/open_domain.h"
#include "data/result.h"

namespace harnessg::metrics {

// HotpotQA (version is of no effect) and 2Wiki.
Result<std::vector<GoldRecord>> read_gold_records(const std::filesystem::path& file,
                                                  TwoWikiVersion version = TwoWikiVersion::kV1_1);
Result<Predictions> read_predictions(const std::filesystem::path& file, PredictionParts parts);
// 2Wiki's id_aliases.json.
Result<Aliases> read_aliases(const std::filesystem::path& file);

Result<std::vector<MusiqueGold>> read_musique_gold(const std::filesystem::path& file);
Result<std::vector<MusiquePrediction>> read_musique_predictions(const std::filesystem::path& file);

Result<GivenAnswers> read_given_answers(const std::filesystem::path& file);

// The whole of a file that is one JSON value. kBadInput with the file and what is wrong.
Result<Json> read_json_file(const std::filesystem::path& file);

}  // namespace harnessg::metrics
