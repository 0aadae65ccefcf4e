// Numbers in JSON values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "data/json_records.h"

namespace harnessg {

// A whole number from 0, however it is held; nullopt for any other value.
inline std::optional<std::size_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::size_t>();
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0) return std::nullopt;
  return static_cast<std::size_t>(value.get<std::int64_t>());
}

}  // namespace harnessg
