#include "credit/rewards/scope/verdicts.h"

#include <algorithm>
#include <charconv>

#include "credit/rewards/scope/tagged_text.h"
#include "data/json_records.h"
#include "data/text.h"

namespace harnessg::scope {
namespace {

constexpr TagMarks kScoreTag{"<score>", "</score>"};
constexpr TagMarks kScoresTag{"<scores>", "</scores>"};
constexpr std::string_view kPlain = "0123456789.";

// Full-width digits become plain ones.
std::string plain_digits(std::string_view text) {
  constexpr std::string_view kLead = "\xEF\xBC";
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto last = i + 2 < text.size() ? static_cast<unsigned char>(text[i + 2]) : 0;
    if (text.substr(i, 2) == kLead && last >= 0x90 && last <= 0x99) {
      plain += static_cast<char>('0' + (last - 0x90));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

RewardValue verdict_of(double value, const VerdictRules& rules) {
  const bool known = value == 0 || value == 1 || (rules.half_points && value == 0.5);
  return known ? RewardValue(value) : std::nullopt;
}

RewardValue read_number(std::string_view text, const VerdictRules& rules) {
  const std::string plain = plain_digits(trim_space(text));
  if (plain.empty() || plain.find_first_not_of(kPlain) != std::string::npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size()) return std::nullopt;
  return verdict_of(value, rules);
}

std::string first_thought(std::string_view text) {
  const auto thoughts = filled_blocks(text, kThoughtTag);
  return thoughts.empty() ? "" : thoughts.front();
}

std::string block_text(std::string_view text, const TagMarks& tag) {
  const auto block = first_closed_block(text, tag);
  return block ? std::string(trim_space(*block)) : std::string();
}

ReadVerdicts read_item(std::string_view text, const std::string& bare, const VerdictRules& rules) {
  auto score = first_closed_block(bare, kScoreTag);
  if (!score) score = first_closed_block(bare, kScoresTag);
  ReadVerdicts read;
  if (const RewardValue value = read_number(score ? *score : std::string_view(bare), rules)) {
    read.items.push_back({0, "", first_thought(text), *value});
    read.valid = true;
  }
  return read;
}

ReadVerdicts read_list(std::string_view text, const std::string& bare, const VerdictRules& rules) {
  ReadVerdicts read;
  const auto block = first_closed_block(bare, kScoresTag);
  std::string_view list = trim_space(block ? *block : std::string_view(bare));
  if (!block && list.find_first_not_of("0123456789., \t\n") != std::string_view::npos) return read;
  if (list.empty()) return read;
  read.valid = true;
  const std::string reasoning = first_thought(text);
  for (std::size_t place = 0;; ++place) {
    const std::size_t comma = list.find(',');
    const RewardValue value = read_number(list.substr(0, comma), rules);
    if (value) read.items.push_back({place, "", reasoning, *value});
    read.valid = read.valid && value;
    if (comma == std::string_view::npos) return read;
    list.remove_prefix(comma + 1);
  }
}

ReadVerdicts read_xml(const std::string& bare, const VerdictRules& rules) {
  ReadVerdicts read;
  const auto evaluation = first_closed_block(bare, {"<evaluation>", "</evaluation>"});
  if (!evaluation) return read;
  const auto blocks = closed_blocks(*evaluation, {"<rubric_assessment>", "</rubric_assessment>"});
  read.valid = !blocks.empty();
  for (std::size_t place = 0; place < blocks.size(); ++place) {
    ReadVerdicts::Item item{place, block_text(blocks[place], {"<rubric>", "</rubric>"}),
                            block_text(blocks[place], {"<reasoning>", "</reasoning>"}), 0};
    const RewardValue value = read_number(block_text(blocks[place], kScoreTag), rules);
    read.valid = read.valid && value && !item.rubric.empty() && !item.reasoning.empty();
    if (!value) continue;
    item.score = *value;
    read.items.push_back(std::move(item));
  }
  return read;
}

RewardValue json_score(const Json& score, const VerdictRules& rules) {
  if (score.is_boolean()) return score.get<bool>() ? 1.0 : 0.0;
  if (score.is_number()) return verdict_of(score.get<double>(), rules);
  return score.is_string() ? read_number(score.get_ref<const std::string&>(), rules) : std::nullopt;
}

// The first [...] of a text, closed by the last bracket that fits.
Json first_list(std::string_view text) {
  const std::size_t begin = text.find('[');
  if (begin == std::string_view::npos) return nullptr;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) {
      return Json::parse(text.substr(begin, i + 1 - begin), nullptr, /*allow_exceptions=*/false);
    }
  }
  return nullptr;
}

ReadVerdicts read_json(const std::string& bare, const VerdictRules& rules) {
  ReadVerdicts read;
  const Json list = first_list(bare);
  if (!list.is_array()) return read;
  read.valid = !list.empty();
  for (std::size_t place = 0; place < list.size(); ++place) {
    const Json& element = list[place];
    const Json* score = element.is_object() ? find_value(element, "score") : nullptr;
    const RewardValue value = score ? json_score(*score, rules) : std::nullopt;
    read.valid = read.valid && value;
    if (!value) continue;
    const auto text = [&](const char* key) {
      const Json* member = find_value(element, key);
      return member && member->is_string() ? member->get<std::string>() : std::string();
    };
    read.items.push_back({place, text("rubric"), text("reasoning"), *value});
  }
  return read;
}

}  // namespace

double ReadVerdicts::mean() const {
  double sum = 0;
  for (const Item& item : items) sum += item.score;
  return items.empty() ? 0 : sum / static_cast<double>(items.size());
}

std::vector<RewardValue> ReadVerdicts::by_place() const {
  std::vector<RewardValue> verdicts;
  for (const Item& item : items) {
    if (verdicts.size() <= item.place) verdicts.resize(item.place + 1);
    verdicts[item.place] = item.score;
  }
  return verdicts;
}

ReadVerdicts read_verdicts(std::string_view text, VerdictForm form, const VerdictRules& rules) {
  const std::string bare = without_thoughts(text);
  switch (form) {
    case VerdictForm::kItem:
      return read_item(text, bare, rules);
    case VerdictForm::kList:
      return read_list(text, bare, rules);
    case VerdictForm::kXml:
      return read_xml(bare, rules);
    case VerdictForm::kJson:
      break;
  }
  return read_json(bare, rules);
}

std::optional<bool> read_gate(std::string_view text) {
  const std::string bare = without_thoughts(text);
  const auto score = first_closed_block(bare, kScoreTag);
  const std::string word(score ? trim_space(*score) : std::string_view());
  if (word == "1") return true;
  return word == "0" ? std::optional(false) : std::nullopt;
}

std::optional<bool> gates_pass(const std::vector<std::optional<bool>>& gates, std::optional<std::size_t> required) {
  if (gates.empty()) return false;
  std::size_t passed = 0;
  for (const std::optional<bool>& gate : gates) {
    if (!gate) return std::nullopt;
    passed += *gate ? 1 : 0;
  }
  return passed >= required.value_or(gates.size());
}

}  // namespace harnessg::scope
