#include "builder/mentions_file.h"

#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "data/lines.h"
#include "data/text.h"

namespace harnessg {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxLineBytes = 1u << 20;

// One row of a file; the members report what is wrong with it.
class RowParser {
 public:
  RowParser(const std::string& file, std::uint64_t line) : file_(file), line_(line) {}

  Result<MentionRow> parse(std::string_view text) const {
    if (const auto bad = find_invalid_utf8(text)) return wrong("byte {} is no UTF-8; write the file in UTF-8", *bad);
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return wrong("no JSON object; write one mention a line");
    MentionRow row;
    row.file = file_;
    row.line = line_;
    HARNESSG_ASSIGN(row.paragraph, text_of(json, "paragraph"));
    HARNESSG_ASSIGN(row.sentence, number_of(json, "sentence"));
    HARNESSG_ASSIGN(row.surface, text_of(json, "text"));
    HARNESSG_ASSIGN(const std::string label, text_of(json, "label"));
    const std::optional<Label> known = label_from_name(label);
    if (!known) return wrong("there is no label \"{}\"; use an OntoNotes label such as PERSON, or ENTITY", label);
    row.label = *known;
    if (!json.contains("start") && !json.contains("end")) {
      row.surface = fold_space(row.surface);
      return row;
    }
    HARNESSG_ASSIGN(const std::uint32_t begin, number_of(json, "start"));
    HARNESSG_ASSIGN(const std::uint32_t end, number_of(json, "end"));
    row.position = {begin, end};
    return row;
  }

 private:
  template <class... Args>
  tl::unexpected<Error> wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return fail(ErrorCode::kBadInput, "{}:{}: {}", file_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

  // Record ids may be numbers in the corpus as well.
  Result<std::string> text_of(const Json& json, const char* key) const {
    const auto value = json.find(key);
    if (value != json.end() && value->is_string()) return value->get<std::string>();
    if (value != json.end() && value->is_number_integer()) return value->dump();
    return wrong("no text \"{}\"; a mention has \"paragraph\", \"sentence\", \"text\" and \"label\"", key);
  }

  Result<std::uint32_t> number_of(const Json& json, const char* key) const {
    const auto value = json.find(key);
    if (value != json.end() && value->is_number_unsigned() && value->get<std::uint64_t>() < 0xFFFFFFFFu)
      return value->get<std::uint32_t>();
    return wrong("no number \"{}\"; give a whole number from 0", key);
  }

  const std::string& file_;
  const std::uint64_t line_;
};

class MentionsFile : public MentionReader {
 public:
  explicit MentionsFile(LineReader lines) : lines_(std::move(lines)) {}

  Result<std::optional<MentionRow>> next() override {
    while (true) {
      HARNESSG_ASSIGN(const std::optional<Line> line, lines_.next());
      if (!line) return std::nullopt;
      if (line->text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      HARNESSG_ASSIGN(MentionRow row, parse_mention(line->text, lines_.name(), line->number));
      return row;
    }
  }

 private:
  LineReader lines_;
};

}  // namespace

Result<std::unique_ptr<MentionReader>> MentionReader::open(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(LineReader lines, LineReader::open(file, kMaxLineBytes));
  return std::make_unique<MentionsFile>(std::move(lines));
}

Result<MentionRow> parse_mention(std::string_view text, const std::string& file, std::uint64_t line) {
  return RowParser(file, line).parse(text);
}

Result<const MentionRow*> MentionQueue::waiting() {
  if (!row_ && !at_end_) {
    HARNESSG_ASSIGN(row_, reader_.next());
    at_end_ = !row_;
  }
  return row_ ? &*row_ : nullptr;
}

Result<std::vector<MentionRow>> MentionQueue::take(std::string_view paragraph) {
  std::vector<MentionRow> rows;
  while (true) {
    HARNESSG_ASSIGN(const MentionRow* const row, waiting());
    if (!row || row->paragraph != paragraph) return rows;
    rows.push_back(std::move(*row_));
    row_.reset();
  }
}

Result<ParagraphMentions> place_mentions(std::span<const MentionRow> rows, std::string_view text,
                                         const SentenceRanges& sentences) {
  ParagraphMentions mentions(sentences.size());
  for (const MentionRow& row : rows) {
    if (row.sentence >= sentences.size()) {
      return fail(ErrorCode::kBadInput, "{}:{}: paragraph \"{}\" has no sentence {}; its sentences are 0 to {}",
                  row.file, row.line, row.paragraph, row.sentence, sentences.size() - 1);
    }
    const auto [begin, end] = sentences[row.sentence];
    Mention mention{row.surface, row.label, 0, 0};
    if (row.position) {
      std::tie(mention.begin, mention.end) = *row.position;
      const bool inside = mention.begin <= mention.end && mention.end <= end - begin;
      if (!inside || text.substr(begin + mention.begin, mention.end - mention.begin) != row.surface) {
        return fail(ErrorCode::kBadInput,
                    "{}:{}: \"{}\" does not stand at bytes {} to {} of sentence {} of paragraph \"{}\"; count UTF-8 "
                    "bytes in the sentence with its white space folded, or leave \"start\" and \"end\" out",
                    row.file, row.line, row.surface, mention.begin, mention.end, row.sentence, row.paragraph);
      }
    }
    mentions[row.sentence].push_back(std::move(mention));
  }
  return mentions;
}

}  // namespace harnessg
