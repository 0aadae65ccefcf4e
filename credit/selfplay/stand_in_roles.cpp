#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "credit/models/content_words_grader.h"
#include "credit/rewards/scope/tagged_text.h"
#include "credit/selfplay/roles.h"
#include "data/text.h"

namespace harnessg::selfplay {
namespace {

using scope::filled_blocks;
using scope::TagMarks;

constexpr TagMarks kFrom{"<from>", "</from>"};
constexpr TagMarks kLink{"<link>", "</link>"};
constexpr TagMarks kTo{"<to>", "</to>"};
constexpr TagMarks kFact{"<fact>", "</fact>"};
constexpr TagMarks kQuestion{"<question>", "</question>"};
constexpr TagMarks kDocument{"<document>", "</document>"};
constexpr TagMarks kItem{"<item>", "</item>"};
constexpr TagMarks kResponse{"<response>", "</response>"};

std::string first(std::string_view text, const TagMarks& tag) {
  std::vector<std::string> blocks = filled_blocks(text, tag);
  return blocks.empty() ? std::string() : std::move(blocks.front());
}

std::string task_of(std::string_view text) {
  return fmt::format("<task>Explain how {} leads by way of {} to {}, and what is known of each.</task>",
                     first(text, kFrom), fmt::join(filled_blocks(text, kLink), " and "), first(text, kTo));
}

std::string rubric_of(std::string_view text) {
  std::string list;
  const auto add = [&](std::string_view priority, const std::vector<std::string>& items) {
    for (const auto& item : items) list += fmt::format("<rubric priority=\"{}\">{}</rubric>\n", priority, item);
  };
  add("critical", filled_blocks(text, kFact));
  add("important", filled_blocks(text, kLink));
  add("bonus", filled_blocks(text, kTo));
  return "<rubrics>\n" + list + "</rubrics>";
}

// Terms of the words behind the first that begin with an ASCII capital or digit, or beyond ASCII.
std::vector<std::string> naming_terms(std::string_view question) {
  std::vector<std::string> terms;
  const std::vector<std::string_view> words = split_words(question);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto mark = static_cast<unsigned char>(words[i].front());
    if ((mark < 'A' || mark > 'Z') && (mark < '0' || mark > '9') && mark < 0x80) continue;
    for (std::string& term : lexical_terms(words[i])) terms.push_back(std::move(term));
  }
  return terms;
}

// At least half of the names are words of the document.
bool grounded(const std::vector<std::string>& names, std::string_view document) {
  const std::vector<std::string> terms = lexical_terms(document);
  const std::set<std::string> known(terms.begin(), terms.end());
  const auto found = std::count_if(names.begin(), names.end(), [&](const auto& name) { return known.contains(name); });
  return !names.empty() && 2 * static_cast<std::size_t>(found) >= names.size();
}

std::string grades_of(std::string_view text) {
  const std::vector<bool> met = items_covered(filled_blocks(text, kItem), first(text, kResponse));
  std::string grades;
  for (const bool item : met) grades += fmt::format("{}{}", grades.empty() ? "" : ", ", item ? 1 : 0);
  return "<scores>" + grades + "</scores>";
}

std::string reply(const RoleCall& call) {
  const std::vector<std::string> names = naming_terms(first(call.text, kQuestion));
  switch (call.role) {
    case Role::kTaskWriter:
      return task_of(call.text);
    case Role::kRubricWriter:
      return rubric_of(call.text);
    case Role::kNameGate:
      return fmt::format("<score>{}</score>", names.empty() ? 0 : 1);
    case Role::kSourceGate:
      return fmt::format("<score>{}</score>", grounded(names, first(call.text, kDocument)) ? 1 : 0);
    case Role::kGrader:
      break;
  }
  return grades_of(call.text);
}

}  // namespace

Result<std::vector<std::string>> stand_in_roles(std::span<const RoleCall> calls) {
  std::vector<std::string> replies;
  for (const RoleCall& call : calls) replies.push_back(reply(call));
  return replies;
}

}  // namespace harnessg::selfplay
