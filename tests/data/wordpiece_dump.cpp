// wordpiece_dump FOLDER [MAX_TOKENS]: texts as JSON strings, one a line, on standard input; their token numbers as JSON
// lists, one a line, on standard output.
#include <cstdlib>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "data/wordpiece.h"

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: wordpiece_dump FOLDER [MAX_TOKENS] < texts\n";
    return 2;
  }
  const std::size_t max_tokens =
      argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::numeric_limits<std::size_t>::max();
  const auto tokenizer = harnessg::WordPiece::load(argv[1]);
  if (!tokenizer) {
    std::cerr << tokenizer.error().message << '\n';
    return 1;
  }
  std::ios::sync_with_stdio(false);
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    const nlohmann::json text = nlohmann::json::parse(line, nullptr, false);
    if (!text.is_string()) {
      std::cerr << "standard input:" << number << ": no JSON string\n";
      return 1;
    }
    std::cout << nlohmann::json(tokenizer->encode(text.get<std::string>(), max_tokens)).dump() << '\n';
  }
  return 0;
}
