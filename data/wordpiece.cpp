#include "data/wordpiece.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "data/text.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<const char*, 5> kSpecials = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr std::size_t kLongestWord = 100;  // in code points; a longer one is [UNK]

// The general category of Unicode 8.0, whose tables the published tokenizer uses for categories: characters assigned
// later have none, and six have changed since.
std::int8_t category(UChar32 c) {
  switch (c) {
    case 0x111C9:
    case 0x166D:
      return U_OTHER_PUNCTUATION;
    case 0x1734:
      return U_NON_SPACING_MARK;
    case 0x1885:
    case 0x1886:
      return U_OTHER_LETTER;
    case 0xA9BD:
      return U_COMBINING_SPACING_MARK;
    default:
      break;
  }
  UVersionInfo age;
  u_charAge(c, age);
  return age[0] > 8 ? static_cast<std::int8_t>(U_UNASSIGNED) : u_charType(c);
}

bool is_control(UChar32 c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c < 0x80) return c < 0x20 || c == 0x7F;
  constexpr std::uint32_t kMask = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK;
  return (U_MASK(category(c)) & kMask) != 0;
}

bool is_accent(UChar32 c) { return c >= 0x300 && category(c) == U_NON_SPACING_MARK; }

bool is_punctuation(UChar32 c) {
  if (c < 0x80) return (c > 0x20 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 0x7F);
  return (U_MASK(category(c)) & U_GC_P_MASK) != 0;
}

bool is_chinese(UChar32 c) {
  constexpr std::array<std::pair<UChar32, UChar32>, 8> kBlocks = {{{0x3400, 0x4DBF},
                                                                   {0x4E00, 0x9FFF},
                                                                   {0xF900, 0xFAFF},
                                                                   {0x20000, 0x2A6DF},
                                                                   {0x2A700, 0x2B73F},
                                                                   {0x2B740, 0x2B81F},
                                                                   {0x2B920, 0x2CEAF},
                                                                   {0x2F800, 0x2FA1F}}};
  return c >= kBlocks.front().first &&
         std::ranges::any_of(kBlocks, [c](const auto& block) { return c >= block.first && c <= block.second; });
}

// A singleton of ICU: it is there for good once load() has seen it.
const icu::Normalizer2* decomposition() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  return U_SUCCESS(error) ? nfd : nullptr;
}

// Without control characters, white space as U+0020, Chinese characters spaced, and decomposed where accents go.
icu::UnicodeString cleaned(std::string_view text, const WordPieceRules& rules) {
  const auto raw = icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
  icu::UnicodeString out(raw.length() + 16, 0, 0);
  bool decompose = false;
  for (std::int32_t at = 0; at < raw.length(); at = raw.moveIndex32(at, 1)) {
    const UChar32 c = raw.char32At(at);
    if (c == 0 || c == 0xFFFD || is_control(c)) continue;
    const bool chinese = rules.space_chinese && is_chinese(c);
    if (chinese) out.append(u' ');
    out.append(u_isUWhiteSpace(c) ? UChar32{' '} : c);
    if (chinese) out.append(u' ');
    decompose = decompose || c >= 0xC0;
  }
  if (!rules.strip_accents || !decompose) return out;
  UErrorCode error = U_ZERO_ERROR;
  return decomposition()->normalize(out, error);
}

void append_utf8(std::string& out, UChar32 c) {
  std::array<char, U8_MAX_LENGTH> bytes{};
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, c);
  out.append(bytes.data(), static_cast<std::size_t>(size));
}

// One code point after the other, as Rust's char::to_lowercase: the only one of two characters is that of U+0130.
void append_lowercase(std::string& out, UChar32 c) {
  append_utf8(out, u_tolower(c));
  if (c == 0x130) append_utf8(out, 0x307);
}

// A field that is true or false; `fallback` when it is left out or null.
Result<bool> read_flag(const Json& settings, const char* field, bool fallback, const fs::path& file) {
  const Json value = settings.value(field, Json());
  if (value.is_null()) return fallback;
  if (value.is_boolean()) return value.get<bool>();
  return fail(ErrorCode::kBadInput, "{}: \"{}\" is {}, not true or false", file.string(), field, value.dump());
}

Result<WordPieceRules> read_rules(const fs::path& file) {
  std::ifstream in(file);
  if (!in) return fail(ErrorCode::kNotFound, "{}: there is no such file, or it cannot be opened", file.string());
  const Json settings = Json::parse(in, nullptr, false);
  if (!settings.is_object()) return fail(ErrorCode::kBadInput, "{}: is not a JSON object", file.string());
  WordPieceRules rules;
  HARNESSG_ASSIGN(rules.lowercase, read_flag(settings, "do_lower_case", true, file));
  HARNESSG_ASSIGN(rules.strip_accents, read_flag(settings, "strip_accents", rules.lowercase, file));
  HARNESSG_ASSIGN(rules.space_chinese, read_flag(settings, "tokenize_chinese_chars", true, file));
  return rules;
}

}  // namespace

Status WordPiece::read_vocabulary(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorCode::kNotFound, "{}: there is no such file, or it cannot be opened", file.string());
  std::string line;
  for (std::int32_t number = 0; std::getline(in, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (find_invalid_utf8(line))
      return fail(ErrorCode::kBadInput, "{}:{}: the piece is not valid UTF-8", file.string(), number + 1);
    if (!pieces_.emplace(line, number).second)
      return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" is listed twice", file.string(), number + 1, line);
  }
  if (in.bad()) return fail(ErrorCode::kIo, "{}: cannot be read to its end", file.string());
  for (const char* special : kSpecials) {
    if (number_of(special) < 0)
      return fail(ErrorCode::kBadInput, "{}: has no {}; it is not the vocabulary of a BERT model", file.string(),
                  special);
    specials_.emplace_back(special, number_of(special));
  }
  unknown_ = number_of("[UNK]");
  begin_ = number_of("[CLS]");
  end_ = number_of("[SEP]");
  return {};
}

Result<WordPiece> WordPiece::load(const fs::path& folder) {
  if (!decomposition())
    return fail(ErrorCode::kUnavailable, "ICU has no data for Unicode's decompositions; install its data files");
  WordPiece tokenizer;
  HARNESSG_RETURN_IF_ERROR(tokenizer.read_vocabulary(folder / "vocab.txt"));
  HARNESSG_ASSIGN(tokenizer.rules_, read_rules(folder / "tokenizer_config.json"));
  return tokenizer;
}

std::int32_t WordPiece::number_of(std::string_view piece) const {
  const auto found = pieces_.find(piece);
  return found == pieces_.end() ? -1 : found->second;
}

void WordPiece::encode_word(std::string_view word, std::vector<std::int32_t>& out) const {
  const auto starts_character = [](char byte) { return !U8_IS_TRAIL(static_cast<std::uint8_t>(byte)); };
  if (std::ranges::count_if(word, starts_character) > static_cast<std::ptrdiff_t>(kLongestWord)) {
    out.push_back(unknown_);
    return;
  }
  const std::size_t before = out.size();
  std::string piece;
  while (!word.empty()) {
    piece = out.size() == before ? "" : "##";
    const std::size_t prefix = piece.size();
    piece += word;
    std::int32_t number = number_of(piece);
    while (number < 0 && piece.size() > prefix + 1) {
      while (!starts_character(piece.back())) piece.pop_back();
      piece.pop_back();
      number = piece.size() > prefix ? number_of(piece) : -1;
    }
    if (number < 0) {
      out.resize(before);
      out.push_back(unknown_);
      return;
    }
    out.push_back(number);
    word.remove_prefix(piece.size() - prefix);
  }
}

void WordPiece::encode_plain(std::string_view text, std::size_t limit, std::vector<std::int32_t>& out) const {
  const icu::UnicodeString clean = cleaned(text, rules_);
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) encode_word(word, out);
    word.clear();
  };
  for (std::int32_t at = 0; at < clean.length() && out.size() < limit; at = clean.moveIndex32(at, 1)) {
    const UChar32 c = clean.char32At(at);
    if (rules_.strip_accents && is_accent(c)) continue;
    const bool single = is_punctuation(c);
    if (single || u_isUWhiteSpace(c)) end_word();
    if (u_isUWhiteSpace(c)) continue;
    if (rules_.lowercase)
      append_lowercase(word, c);
    else
      append_utf8(word, c);
    if (single) end_word();
  }
  end_word();
}

std::vector<std::int32_t> WordPiece::encode(std::string_view text, std::size_t max_tokens) const {
  const std::size_t limit = std::max<std::size_t>(max_tokens, 2) - 1;
  std::vector<std::int32_t> out = {begin_};
  std::size_t plain = 0;
  for (std::size_t at = text.find('['); at != std::string_view::npos && out.size() < limit; at = text.find('[', at)) {
    const auto special =
        std::ranges::find_if(specials_, [&](const auto& entry) { return text.substr(at).starts_with(entry.first); });
    if (special == specials_.end()) {
      ++at;
      continue;
    }
    encode_plain(text.substr(plain, at - plain), limit, out);
    out.push_back(special->second);
    at += special->first.size();
    plain = at;
  }
  encode_plain(text.substr(plain), limit, out);
  if (out.size() > limit) out.resize(limit);
  out.push_back(end_);
  return out;
}

std::string WordPiece::hash() const {
  std::vector<std::string_view> by_number(pieces_.size());
  for (const auto& [piece, number] : pieces_) by_number[static_cast<std::size_t>(number)] = piece;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const std::string_view piece : by_number) {
    XXH3_128bits_update(state.get(), piece.data(), piece.size());
    XXH3_128bits_update(state.get(), "\n", 1);
  }
  const std::array<char, 3> flags = {rules_.lowercase ? '1' : '0', rules_.strip_accents ? '1' : '0',
                                     rules_.space_chinese ? '1' : '0'};
  XXH3_128bits_update(state.get(), flags.data(), flags.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace harnessg
