// Entity labels: those of OntoNotes, and ENTITY where the type is unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace harnessg {

// In order of preference (spec 1, section 2): when mentions of one entity carry several labels, the smallest wins.
// Labels that the preference list does not name follow DATE in alphabetical order; ENTITY says least.
enum class Label : std::uint8_t {
  kPerson,
  kOrg,
  kGpe,
  kLoc,
  kFac,
  kWorkOfArt,
  kEvent,
  kNorp,
  kDate,
  kCardinal,
  kLanguage,
  kLaw,
  kMoney,
  kOrdinal,
  kPercent,
  kProduct,
  kQuantity,
  kTime,
  kEntity,
};

std::string_view label_name(Label label);                     // "PERSON", "WORK_OF_ART", ...
std::optional<Label> label_from_name(std::string_view name);  // nullopt for names that are no label

constexpr Label preferred(Label a, Label b) { return a < b ? a : b; }

}  // namespace harnessg
