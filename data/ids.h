// Node ids: 32-bit, dense from 0 per kind, in corpus order (entities: in order of first registration).
#pragma once

#include <cstdint>

namespace harnessg {

enum class ParagraphId : std::uint32_t {};
enum class SentenceId : std::uint32_t {};
enum class EntityId : std::uint32_t {};

inline constexpr EntityId kNoEntity{0xFFFFFFFFu};

// The row of a node in a table of its kind.
constexpr std::uint32_t index(ParagraphId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(SentenceId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(EntityId id) { return static_cast<std::uint32_t>(id); }

enum class NodeKind : std::uint8_t { kParagraph, kSentence, kEntity };

}  // namespace harnessg
