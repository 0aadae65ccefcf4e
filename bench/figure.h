// One measured figure as a JSON line on stdout and a readable row on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace harnessg::bench {

// `details`: what else the line says of the figure, in an object; its "limit" and "note" stand in the readable row.
inline void print_figure(const std::string& name, const nlohmann::ordered_json& value, const std::string& unit,
                         const std::string& target, bool holds,
                         const nlohmann::ordered_json& details = nlohmann::ordered_json::object()) {
  nlohmann::ordered_json line{{"name", name}, {"value", value}, {"unit", unit}, {"target", target}, {"holds", holds}};
  line.update(details);
  std::puts(line.dump().c_str());
  std::fflush(stdout);
  std::string more;
  for (const char* key : {"limit", "note"}) {
    if (details.contains(key)) more += fmt::format("  {} {}", key, details[key].dump());
  }
  fmt::print(stderr, "{:<48} {:>14} {:<12} target {:<16} {}{}\n", name, value.dump(), unit, target,
             holds ? "holds" : "DOES NOT HOLD", more);
}

}  // namespace harnessg::bench
