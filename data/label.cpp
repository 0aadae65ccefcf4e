#include "data/label.h"

#include <array>

namespace harnessg {
namespace {

constexpr std::array<std::string_view, 19> kNames = {
    "PERSON",   "ORG", "GPE",   "LOC",     "FAC",     "WORK_OF_ART", "EVENT",    "NORP", "DATE",  "CARDINAL",
    "LANGUAGE", "LAW", "MONEY", "ORDINAL", "PERCENT", "PRODUCT",     "QUANTITY", "TIME", "ENTITY"};
static_assert(kNames.size() == static_cast<std::size_t>(Label::kEntity) + 1);

}  // namespace

std::string_view label_name(Label label) { return kNames[static_cast<std::size_t>(label)]; }

std::optional<Label> label_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Label>(i);
  }
  return std::nullopt;
}

}  // namespace harnessg
