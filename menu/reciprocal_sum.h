// Sums of reciprocals compared exactly: fused ranks must not depend on how doubles round.
#pragma once

#include <cstdint>

namespace harnessg {

// 1/a + 1/b + ... as an exact fraction. Up to three terms below 2^21, or two terms one of which is below 2^21, stay
// within 128 bits when two sums are compared; validate(Config) keeps the engine's own sums inside that.
class ReciprocalSum {
 public:
  void add(std::uint64_t n) {
    numerator_ = numerator_ * n + denominator_;
    denominator_ *= n;
  }

  friend bool operator>(const ReciprocalSum& a, const ReciprocalSum& b) {
    return a.numerator_ * b.denominator_ > b.numerator_ * a.denominator_;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  Wide numerator_ = 0;
  Wide denominator_ = 1;
};

}  // namespace harnessg
