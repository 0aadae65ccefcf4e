// The bytes of a saved episode (docs/format.md, "Saved episodes").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/graph.h"
#include "data/result.h"
#include "menu/state.h"

namespace harnessg {

inline constexpr std::uint32_t kSavedEpisodeVersion = 2;

struct SavedEpisode {
  std::string index_hash;
  std::uint64_t rules_hash = 0;
  std::string question_id;
  std::string question;
  std::vector<std::string> answers;
  std::uint64_t seed = 0;
  bool answered = false;
  std::string answer;
  State state;
};

std::string write_saved_episode(const SavedEpisode& saved);

// kCorrupt: no saved episode, truncated, or its checksum does not hold; kUnsupportedVersion: written by a newer engine.
Result<SavedEpisode> read_saved_episode(std::string_view bytes);

// kCorrupt when a state names nodes that the graph does not have, or contradicts itself.
Status check_state(const State& state, const Graph& graph);

}  // namespace harnessg
