#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "data/questions.h"
#include "data/text.h"

namespace harnessg {
namespace {

struct NamedMark {
  std::string_view name;
  std::string_view mark;
};
constexpr std::array<NamedMark, 6> kNamedMarks = {
    {{"amp", "&"}, {"apos", "'"}, {"gt", ">"}, {"lt", "<"}, {"nbsp", " "}, {"quot", "\""}}};

void append_utf8(std::uint32_t c, std::string& text) {
  const auto part = [c](int shift, std::uint32_t lead) { return static_cast<char>(lead | ((c >> shift) & 0x3F)); };
  if (c < 0x80)
    text += static_cast<char>(c);
  else if (c < 0x800)
    text.append({static_cast<char>(0xC0 | (c >> 6)), part(0, 0x80)});
  else if (c < 0x10000)
    text.append({static_cast<char>(0xE0 | (c >> 12)), part(6, 0x80), part(0, 0x80)});
  else
    text.append({static_cast<char>(0xF0 | (c >> 18)), part(12, 0x80), part(6, 0x80), part(0, 0x80)});
}

// Appends the character an HTML entity stands for ("amp", "#39", "#x27"); false when `name` is none.
bool append_entity(std::string_view name, std::string& text) {
  for (const NamedMark& named : kNamedMarks) {
    if (named.name != name) continue;
    text += named.mark;
    return true;
  }
  if (name.size() < 2 || name[0] != '#') return false;
  const bool hexadecimal = name[1] == 'x' || name[1] == 'X';
  name.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t c = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), c, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != name.data() + name.size()) return false;
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return false;
  append_utf8(c, text);
  return true;
}

std::string decode_html(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '&' ? text.find(';', at) : std::string_view::npos;
    if (end != std::string_view::npos && append_entity(text.substr(at + 1, end - at - 1), decoded))
      at = end + 1;
    else
      decoded += text[at++];
  }
  return fold_space(decoded);
}

bool equal_but_for_spaces(std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::string left(a);
  std::string right(b);
  std::erase(left, ' ');
  std::erase(right, ' ');
  return left == right;
}

// Paragraphs by a text of theirs: sorted by (text, id).
template <class Text>
class Lookup {
 public:
  void add(Text text, ParagraphId p) { rows_.emplace_back(std::move(text), p); }
  void sort() { std::sort(rows_.begin(), rows_.end()); }
  std::vector<ParagraphId> find(std::string_view text) const {
    std::vector<ParagraphId> found;
    auto row = std::lower_bound(rows_.begin(), rows_.end(), text,
                                [](const auto& a, std::string_view b) { return a.first < b; });
    for (; row != rows_.end() && row->first == text; ++row) found.push_back(row->second);
    return found;
  }

 private:
  std::vector<std::pair<Text, ParagraphId>> rows_;
};

template <class Id>
void add_new(Id id, std::vector<Id>& ids) {
  if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

}  // namespace

struct FactResolver::Impl {
  explicit Impl(const Graph& of);

  std::vector<ParagraphId> candidates(const SupportingFact& fact) const;
  bool has_sentence(ParagraphId p, const SupportingFact& fact) const {
    return !fact.sentence || *fact.sentence < index(graph.end_sentence(p)) - index(graph.first_sentence(p));
  }
  void resolve(const SupportingFact& fact, ResolvedFacts& facts) const;

  const Graph& graph;
  Lookup<std::string_view> by_id;
  Lookup<std::string_view> by_title;
  Lookup<std::string> by_decoded_title;  // of titles that hold HTML entities only
};

FactResolver::Impl::Impl(const Graph& of) : graph(of) {
  for (std::uint32_t row = 0; row < graph.paragraph_count(); ++row) {
    const ParagraphId p{row};
    by_id.add(graph.record_id(p), p);
    by_title.add(graph.title(p), p);
    if (graph.title(p).find('&') == std::string_view::npos) continue;
    std::string decoded = decode_html(graph.title(p));
    if (decoded != graph.title(p)) by_decoded_title.add(std::move(decoded), p);
  }
  by_id.sort();
  by_title.sort();
  by_decoded_title.sort();
}

// All paragraphs the fact may mean, by id.
std::vector<ParagraphId> FactResolver::Impl::candidates(const SupportingFact& fact) const {
  if (!fact.record_id.empty()) return by_id.find(fact.record_id);
  const std::string title = fold_space(fact.title);
  std::vector<ParagraphId> found = by_title.find(title);
  if (found.empty()) found = by_title.find(decode_html(title));
  if (found.empty()) found = by_decoded_title.find(decode_html(title));
  if (fact.paragraph_text.empty()) return found;
  const std::string text = fold_space(fact.paragraph_text);
  std::erase_if(found, [&](ParagraphId p) { return !equal_but_for_spaces(graph.text(p), text); });
  return found;
}

void FactResolver::Impl::resolve(const SupportingFact& fact, ResolvedFacts& facts) const {
  const std::string name = fact.record_id.empty() ? fact.title : fact.record_id;
  const std::vector<ParagraphId> found = candidates(fact);
  if (found.empty()) {
    facts.missing.push_back(
        fmt::format("no paragraph \"{}\"{}", name, fact.paragraph_text.empty() ? "" : " with this text"));
    return;
  }
  const auto with_sentence =
      std::find_if(found.begin(), found.end(), [&](ParagraphId p) { return has_sentence(p, fact); });
  const ParagraphId p = with_sentence == found.end() ? found.front() : *with_sentence;
  add_new(p, facts.paragraphs);
  if (!fact.sentence) return;
  const std::uint32_t first = index(graph.first_sentence(p));
  if (with_sentence != found.end()) {
    add_new(SentenceId{first + *fact.sentence}, facts.sentences);
  } else {
    facts.missing.push_back(fmt::format("no sentence {} in paragraph \"{}\", which has {}", *fact.sentence, name,
                                        index(graph.end_sentence(p)) - first));
  }
}

FactResolver::FactResolver(const Graph& graph) : impl_(std::make_unique<Impl>(graph)) {}
FactResolver::~FactResolver() = default;
FactResolver::FactResolver(FactResolver&&) noexcept = default;

ResolvedFacts FactResolver::resolve(const QuestionRecord& question) const {
  ResolvedFacts facts;
  for (const SupportingFact& fact : question.supporting_facts) impl_->resolve(fact, facts);
  return facts;
}

}  // namespace harnessg
