// The prompt of a rollout: instruction, schemas with their guidelines, text. Which schemas: SCAE, schema-contrastive
// augmentation (arXiv 2609.29230).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "credit/rewards/eager/events.h"
#include "credit/rewards/eager/schemas.h"
#include "data/result.h"

namespace harnessg::eager {

enum class SchemaDraw : std::uint8_t {
  kPerRollout,  // SCAE: each rollout has negatives of its own
  kPerGroup,    // the control: one draw for all rollouts of an instance
  kAll,         // evaluation: every schema, in the set's order
};

struct PromptOptions {
  SchemaDraw draw = SchemaDraw::kPerRollout;
  std::size_t negatives = 10;  // as far as there are so many
  std::uint64_t seed = 0;
  std::string instruction{};  // "": default_instruction()
};

std::string_view default_instruction();

// The schemas shown: those of the types in the record's gold, and negatives, never a type present in the text, drawn
// without repeats and in shuffled order; indexes into `schemas`. The same for the same seed, record id, rollout (only
// with kPerRollout), gold types and schemas. kBadInput when gold has a type without a schema.
Result<std::vector<std::size_t>> draw_schemas(const EventRecord& record, const SchemaSet& schemas, std::size_t rollout,
                                              const PromptOptions& options = {});

// The instruction as comments, a dataclass a schema with its guideline as docstring and its fields' as comments, the
// text as a string, and the line that the output follows.
std::string render_prompt(std::string_view text, const SchemaSet& schemas, const std::vector<std::size_t>& shown,
                          std::string_view instruction);

// Both of them.
Result<std::string> rollout_prompt(const EventRecord& record, const SchemaSet& schemas, std::size_t rollout,
                                   const PromptOptions& options = {});

}  // namespace harnessg::eager
