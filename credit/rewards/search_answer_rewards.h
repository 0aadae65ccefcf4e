// The answer rewards of Search-R1 and Graph-R1, as users of these compare with them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "credit/rewards/plugin.h"

namespace harnessg {

struct SearchR1Score {
  std::optional<std::string> answer;  // the last closed <answer> outside thoughts and retrieved text
  double em = 0;
  double subem = 0;                // a gold stands somewhere in the answer
  bool valid_sequence = false;     // (thought, search, information)* thought, answer, and nothing else
  bool retrieval_correct = false;  // a gold stands in a retrieved text
  double format_em = 0;            // 1 right and valid, 0.8 right, else 0.2 valid (0.3 with a gold retrieved), 0.1, 0
};
// `output` is what follows the prompt; one answer is one.
SearchR1Score score_search_r1(std::string_view output, std::span<const std::string> golds);

struct GraphR1Score {
  double format = 0;  // 0.5 a query turn of exactly thought, line break, query, and 0.5 such an answer turn at the end
  double em = 0;
  double f1 = 0;
  double reward = -1;  // -1 + min(1, format), + f1 where the format is full
};
GraphR1Score score_graph_r1(std::span<const std::string> turns, std::span<const std::string> golds);

// "search_r1": a record {"output", "answers"}; components em (1), subem (0), format_em (0). "graph_r1": a record
// {"turns": [text], "answers"}; components reward (1), format (0), f1 (0), em (0). A record without gold answers is not
// judged. No settings.
Result<std::unique_ptr<RewardPlugin>> make_search_r1_reward(const Json& settings);
Result<std::unique_ptr<RewardPlugin>> make_graph_r1_reward(const Json& settings);

}  // namespace harnessg
