#include "builder/paragraph.h"

#include "builder/sentences.h"
#include "data/entity_text.h"
#include "data/text.h"

namespace harnessg {
namespace {

// In folded text the space is the only white space.
std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

// One past the last byte of `sentence`, which begins at text[begin]; npos when it is not there. Spaces do not count.
std::size_t match_end(std::string_view text, std::size_t begin, std::string_view sentence) {
  std::size_t at = begin;
  std::size_t end = begin;
  for (const char byte : sentence) {
    if (byte == ' ') continue;
    at = skip_space(text, at);
    if (at == text.size() || text[at] != byte) return std::string_view::npos;
    end = ++at;
  }
  return end;
}

}  // namespace

Result<SentenceRanges> locate_sentences(const CorpusRecord& record) {
  if (record.sentences.empty()) return split_sentences(record.text);
  SentenceRanges ranges;
  std::size_t at = 0;
  for (const std::string& sentence : record.sentences) {
    at = skip_space(record.text, at);
    const std::size_t end = match_end(record.text, at, sentence);
    if (end == std::string_view::npos || end == at) {
      return fail(ErrorCode::kBadInput,
                  "{}:{}: sentence {} does not continue \"text\"; give the sentences of the text, or leave them out",
                  record.file, record.line, ranges.size());
    }
    ranges.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
    at = end;
  }
  if (skip_space(record.text, at) == record.text.size()) return ranges;
  return fail(ErrorCode::kBadInput,
              "{}:{}: \"text\" goes on after the last of its {} sentences; give all sentences, or leave them out",
              record.file, record.line, ranges.size());
}

std::vector<std::string_view> sentence_views(std::string_view text, const SentenceRanges& sentences) {
  std::vector<std::string_view> views;
  views.reserve(sentences.size());
  for (const auto& [begin, end] : sentences) views.push_back(text.substr(begin, end - begin));
  return views;
}

Paragraph make_paragraph(CorpusRecord record, SentenceRanges sentences, const ParagraphMentions& mentions) {
  Paragraph paragraph;
  paragraph.title_key = identity_key(record.title);
  for (std::uint32_t s = 0; s < mentions.size(); ++s) {
    for (const Mention& mention : mentions[s]) {
      if (is_junk_entity(mention.surface, mention.label)) continue;
      std::string key = identity_key(mention.surface);
      if (key.empty()) continue;
      paragraph.mentions.push_back({s, mention.label, mention.surface, std::move(key)});
    }
  }
  paragraph.id = std::move(record.id);
  paragraph.title = std::move(record.title);
  paragraph.text = std::move(record.text);
  paragraph.metadata = std::move(record.metadata);
  paragraph.sentences = std::move(sentences);
  return paragraph;
}

}  // namespace harnessg
