#include <algorithm>
#include <unordered_map>

#include "builder/recogniser.h"
#include "builder/recogniser_parts.h"
#include "builder/recogniser_words.h"
#include "data/entity_text.h"

namespace harnessg {
namespace {

// "Theodred II (Bishop of Elmham)" is written "Theodred II" in the text.
std::string_view without_qualifier(std::string_view title) {
  const std::size_t bracket = title.find(" (");
  return bracket == std::string_view::npos || !title.ends_with(')') ? title : title.substr(0, bracket);
}

// The spans of one sentence, in order of position.
class SentenceRecogniser {
 public:
  explicit SentenceRecogniser(const SentenceTokens& sentence) : sentence_(sentence), titles_(quoted_titles(sentence)) {}

  std::vector<Span> run() {
    for (std::size_t at = 0; at < sentence_.tokens.size();) at = step(at);
    add_katakana();
    std::stable_sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return std::move(spans_);
  }

 private:
  std::size_t step(std::size_t at) {
    while (next_title_ < titles_.size() && titles_[next_title_].first < at) ++next_title_;
    if (next_title_ < titles_.size() && titles_[next_title_].first == at) {
      const Span& title = titles_[next_title_++];
      if (title.begin < title.end) spans_.push_back(title);
      return title.last;
    }
    if (const auto number = match_number(sentence_, at)) {
      spans_.push_back(*number);
      return number->last;
    }
    const bool ordinal =
        sentence_.tokens[at].kind == TokenKind::kMixed && sentence_.capital(at + 1);  // "101st Airborne"
    return ordinal || sentence_.capital(at) ? step_name(at) : at + 1;
  }

  std::size_t step_name(std::size_t at) {
    match_name(sentence_, at, previous_, match_);
    for (const Span& name : match_.names) spans_.push_back(name);
    if (!match_.names.empty()) previous_ = match_.names.front();
    return match_.next;
  }

  void add_katakana() {
    const std::vector<Span> names = katakana_names(sentence_.text);
    spans_.insert(spans_.end(), names.begin(), names.end());
  }

  const SentenceTokens& sentence_;
  std::vector<Span> titles_;
  std::size_t next_title_ = 0;
  std::optional<Span> previous_;
  NameMatch match_;
  std::vector<Span> spans_;
};

constexpr std::size_t kFewMentions = 16;

// Spans as mentions: no junk, each (surface, label) once.
class MentionList {
 public:
  explicit MentionList(std::string_view text) : text_(text) {}

  void add(const Span& span) {
    const std::string_view surface = text_.substr(span.begin, span.end - span.begin);
    if (is_junk_entity(surface, span.label) || is_listed(surface, span.label)) return;
    mentions_.push_back({std::string(surface), span.label, span.begin, span.end});
  }

  std::vector<Mention> take() { return std::move(mentions_); }

 private:
  // Views of the text serve as keys: the list itself moves when it grows.
  bool is_listed(std::string_view surface, Label label) {
    if (mentions_.size() < kFewMentions) {
      return std::any_of(mentions_.begin(), mentions_.end(),
                         [&](const Mention& seen) { return seen.label == label && seen.surface == surface; });
    }
    if (listed_.empty()) {
      for (const Mention& seen : mentions_) listed_[text_.substr(seen.begin, seen.end - seen.begin)] |= bit(seen.label);
    }
    std::uint32_t& labels = listed_[surface];
    const bool seen = (labels & bit(label)) != 0;
    labels |= bit(label);
    return seen;
  }

  static std::uint32_t bit(Label label) { return 1u << static_cast<std::uint32_t>(label); }

  std::string_view text_;
  std::vector<Mention> mentions_;
  std::unordered_map<std::string_view, std::uint32_t> listed_;
};

}  // namespace

ParagraphMentions recognise_by_rules(std::string_view title, std::span<const std::string_view> sentences) {
  ParagraphMentions mentions;
  mentions.reserve(sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const SentenceTokens sentence{sentences[i], without_qualifier(title), i == 0, recogniser_tokens(sentences[i])};
    MentionList list(sentences[i]);
    for (const Span& span : SentenceRecogniser(sentence).run()) list.add(span);
    mentions.push_back(list.take());
  }
  return mentions;
}

}  // namespace harnessg
