#include "bench/hashed_words.h"

#include <cmath>
#include <string_view>

#include "data/splitmix.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

std::uint64_t seed_of(std::string_view word) {
  std::uint64_t seed = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : word) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return seed;
}

void add_word(std::string_view word, std::span<float> row) {
  SplitMix bits(seed_of(word));
  for (float& value : row) value += static_cast<float>(bits.next() >> 40) * 0x1p-23f - 1;
}

void normalise(std::span<float> row) {
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  const auto scale = static_cast<float>(1 / std::sqrt(squares));
  for (float& value : row) value *= scale;
}

}  // namespace

Result<Matrix> HashedWords::embed_passages(std::span<const std::string> texts) const {
  Matrix rows{texts.size(), info_.dim, std::vector<float>(texts.size() * info_.dim)};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::span<float> row(rows.values.data() + i * info_.dim, info_.dim);
    add_word("", row);  // so that no text is without a direction
    for (const auto word : split_words(texts[i])) add_word(word, row);
    normalise(row);
  }
  return rows;
}

}  // namespace harnessg::bench
