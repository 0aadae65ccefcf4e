// BERT's tokenizer: text to the numbers of word pieces, as Hugging Face's `tokenizers` does it for uncased models.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/result.h"

namespace harnessg {

// What tokenizer_config.json says. Control characters are always dropped and white space is always made uniform.
struct WordPieceRules {
  bool lowercase = true;
  bool strip_accents = true;  // left out or null in the file: as lowercase
  bool space_chinese = true;  // a space before and behind every CJK ideograph

  friend bool operator==(const WordPieceRules&, const WordPieceRules&) = default;
};

// A vocabulary and its rules. Const and thread-safe.
class WordPiece {
 public:
  // Reads vocab.txt (one piece a line, its number the line's, from 0) and tokenizer_config.json. kNotFound naming the
  // file that is missing; kBadInput naming file:line for a piece listed twice or no UTF-8, naming the file when it
  // lacks one of [PAD] [UNK] [CLS] [SEP] [MASK] or the settings are none.
  static Result<WordPiece> load(const std::filesystem::path& folder);

  // [CLS], the pieces of `text`, [SEP]: at most `max_tokens` numbers, those of the end are left out. `max_tokens` is at
  // least 2. The five special tokens are recognised where they stand in the text as such. Bytes that are no UTF-8 are
  // skipped.
  std::vector<std::int32_t> encode(std::string_view text,
                                   std::size_t max_tokens = std::numeric_limits<std::size_t>::max()) const;

  std::size_t size() const { return pieces_.size(); }
  const WordPieceRules& rules() const { return rules_; }
  // 32 hex digits over vocabulary and rules: equal when texts become the same numbers.
  std::string hash() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  WordPiece() = default;
  Status read_vocabulary(const std::filesystem::path& file);
  std::int32_t number_of(std::string_view piece) const;  // -1: none
  void encode_plain(std::string_view text, std::size_t limit, std::vector<std::int32_t>& out) const;
  void encode_word(std::string_view word, std::vector<std::int32_t>& out) const;

  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> pieces_;
  std::vector<std::pair<std::string, std::int32_t>> specials_;
  std::int32_t unknown_ = 0;
  std::int32_t begin_ = 0;
  std::int32_t end_ = 0;
  WordPieceRules rules_;
};

}  // namespace harnessg
