#include "data/splitmix.h"

#include <doctest/doctest.h>

using namespace harnessg;

TEST_CASE("splitmix64 gives the published numbers") {
  SplitMix bits(0);
  CHECK(bits.next() == 0xE220A8397B1DCDAFu);
  CHECK(bits.next() == 0x6E789E6AA1B965F4u);
  CHECK(bits.next() == 0x06C45D188009454Fu);
}

TEST_CASE("the output at a place is the one that is reached by going there") {
  SplitMix bits(42);
  for (std::uint64_t n = 0; n < 100; ++n) CHECK(SplitMix::at(42, n) == bits.next());
}
