// Observation texts made comparable where the release is known to differ.
#pragma once

#include <cstdint>
#include <string>

#include "tests/conformance/recorded_file.h"

namespace harnessg::conformance {

class RecordedObservation {
 public:
  explicit RecordedObservation(std::string text) : text_(std::move(text)) {}

  // A blocked action takes a turn in ours: "step: N" becomes "step: N + turns".
  void add_turns(std::uint32_t turns);
  // Entity display ids by order of first appearance in this text: the release starts anew at every SELECT.
  void renumber_entities();
  // "S0 | source: ... | text" without the source, for first views that were put in from outside.
  void forget_sources();

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Replaces every prompt in an SNC payload by {"fnv1a64", "bytes"}, as the recorded files hold them.
void hash_prompts(Json& payload);

}  // namespace harnessg::conformance
