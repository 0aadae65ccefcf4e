#include "credit/action_name.h"

#include <fmt/format.h>

namespace harnessg {

std::string action_id(std::uint32_t position) { return fmt::format("A{}", position); }

std::string action_name(const Trace& trace, const TraceStep& step, std::uint32_t position) {
  if (position >= step.menu_before.size() || step.menu_before[position].kind != ActionKind::kLookup) {
    return action_id(position);
  }
  const auto entity = trace.entities.find(step.menu_before[position].target);
  if (entity == trace.entities.end()) return action_id(position);
  return fmt::format("A{} \"{}\"", position, entity->second.name);
}

}  // namespace harnessg
