// Gold outputs damaged in known ways, to test that a reward moves when it should and only then.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "credit/rewards/eager/instance.h"
#include "credit/rewards/eager/rewards.h"
#include "credit/rewards/eager/schemas.h"

namespace harnessg::eager {

enum class Corruption : std::uint8_t {
  kDropEvent,
  kDropArgument,
  kAddEvent,     // its trigger is a word of the text
  kAddArgument,  // a word of the text, in a role that gold has
  kRepeatEvent,  // word for word
  kWiden,        // an argument, to the end of the next word
  kRetype,       // an event
  kMisquote,     // an argument
  kMisquoteTrigger,
  kReorder,  // events, and the arguments of each
  kBreakSyntax,
};
inline constexpr std::size_t kCorruptions = 11;
std::string_view corruption_name(Corruption corruption);

enum class Move : std::uint8_t { kSame, kDown, kToZero };

struct CorruptedOutput {
  std::string output;
  // What it does to each reward of the gold output, under the fixed boundary.
  std::array<Move, kRewards> moves{};
};

// The same for the same seed. nullopt when the record has nothing that can be damaged so with a known effect: gold must
// stand verbatim in the text and hold an argument that stays, and what is damaged must not be held by gold twice.
std::optional<CorruptedOutput> corrupt(const Instance& instance, const SchemaSet& schemas, Corruption corruption,
                                       std::uint64_t seed);

}  // namespace harnessg::eager
