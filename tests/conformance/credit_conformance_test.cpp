#include <doctest/doctest.h>

#include "tests/conformance/check_report.h"
#include "tests/conformance/recorded_credit.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg::conformance;

TEST_CASE("recorded step credits and advantages are ours, batch by batch") {
  const auto shared = shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded vectors");
    return;
  }
  for (const std::string set : {"2wiki", "hotpot", "musique"}) {
    for (const std::string suffix : {"", "-rule"}) check_report(set + suffix, compare_credit(shared, set, suffix));
  }
}

TEST_CASE("recorded single calls of the credit functions are ours") {
  const auto shared = shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded vectors");
    return;
  }
  check_report("units", compare_credit_units(shared));
}
