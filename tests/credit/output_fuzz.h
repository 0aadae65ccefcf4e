// Inputs for the output parser: written outputs, damaged at random.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/splitmix.h"

namespace harnessg::eager {

// The same for the same seed. About a third of them are still lists of instances.
inline std::string fuzzed_output(std::uint64_t seed) {
  static constexpr std::array<std::string_view, 44> kPieces = {"[",          "]",         "(",
                                                               ")",          "{",         "}",
                                                               ",",          "=",         "'",
                                                               "\"",         "'''",       "\"\"\"",
                                                               "\\",         "\\u00e9",   "\\ud83d",
                                                               "\\x",        "\n",        " ",
                                                               "#",          "```",       "```python\n",
                                                               ".",          ":",         "None",
                                                               "True",       "-1.5e3",    "r'",
                                                               "b'",         "mention",   "person",
                                                               "Attack(",    "Arrest(",   "Attack",
                                                               "attacker=[", "target=",   "\xF0\x9F\x98\x80",
                                                               "조 원",      "\xC2\xA0",  "\xEF\xBB\xBF",
                                                               "\xff",       "\xF0\x9F",  std::string_view("\0", 1),
                                                               "\t",         "['x', 'y']"};
  static constexpr std::array<std::string_view, 4> kWhole = {
      "[Attack(mention=\"fired\", attacker=[\"the militia\", 'rebels'], target=['a \\'bus\\''])]",
      "```python\n[\n  Arrest(mention='''seized''', person=[('x', [\"y\"])]),\n  Attack('shot'),\n]\n```",
      "result = [Attack(mention='2\\u00e9 조 원', target=None), Arrest()]", "[]"};
  SplitMix random(seed);
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random.next() % bound); };
  std::string text(kWhole[below(kWhole.size())]);
  for (std::size_t edits = below(5); edits > 0; --edits) {
    const std::size_t at = below(text.size() + 1);
    switch (below(4)) {
      case 0:
        text.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 1:
        text.erase(at, below(4));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(30)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }
  if (below(50) == 0) text.resize(below(text.size() + 1));
  return text;
}

}  // namespace harnessg::eager
