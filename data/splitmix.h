// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the engine's one source
// of pseudo-random bits, the same on every machine.
#pragma once

#include <cstdint>

namespace harnessg {

class SplitMix {
 public:
  explicit constexpr SplitMix(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix(state_ += kStep); }

  // Output number `index`, from 0, of the generator that starts at `seed`: how one seed becomes one for each of many.
  static constexpr std::uint64_t at(std::uint64_t seed, std::uint64_t index) { return mix(seed + (index + 1) * kStep); }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15u;

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace harnessg
