// One measured figure as a JSON line on stdout and a readable row on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace harnessg::bench {

inline void print_figure(const std::string& name, const nlohmann::ordered_json& value, const std::string& unit,
                         const std::string& target, bool holds) {
  const nlohmann::ordered_json line{
      {"name", name}, {"value", value}, {"unit", unit}, {"target", target}, {"holds", holds}};
  std::puts(line.dump().c_str());
  std::fflush(stdout);
  fmt::print(stderr, "{:<48} {:>14} {:<12} target {:<16} {}\n", name, value.dump(), unit, target,
             holds ? "holds" : "DOES NOT HOLD");
}

}  // namespace harnessg::bench
