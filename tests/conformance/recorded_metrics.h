// Rows that the official evaluation scripts returned, and how they are compared.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/recorded_file.h"

namespace harnessg::conformance {

using Rows = std::vector<Json>;

// Only the order of additions may differ.
inline bool near(double a, double b) { return std::abs(a - b) <= 1e-9; }

// The rows of a file below conformance/; none, with the reason printed, where the folder is not at hand.
inline Rows recorded_rows(const std::string& name) {
  const auto shared = shared_folder();
  if (!shared.empty()) return read_json_lines(shared / "conformance" / name);
  MESSAGE("skipped: no ../shared with the recorded vectors");
  return {};
}

inline bool is_case(const Json& row) { return row.contains("n"); }
inline bool is_aggregate(const Json& row) { return row.contains("aggregate"); }

// The rows an aggregate was made of: those it numbers, else those that `described` takes.
template <class Take>
Rows cases_of(const Json& aggregate, const Rows& rows, const Take& described) {
  Rows cases;
  if (aggregate["cases"].is_array()) {
    for (const Json& n : aggregate["cases"]) {
      for (const Json& row : rows) {
        if (is_case(row) && row["n"] == n) cases.push_back(row);
      }
    }
  } else {
    for (const Json& row : rows) {
      if (is_case(row) && described(row)) cases.push_back(row);
    }
  }
  return cases;
}

}  // namespace harnessg::conformance
