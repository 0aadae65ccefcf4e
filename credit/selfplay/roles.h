// The roles that models play in SCOPE's loop beside searching: text in, text out, many at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/result.h"

namespace harnessg::selfplay {

enum class Role : std::uint8_t {
  kTaskWriter,    // reads <from>, <link>, <to>, <fact> blocks; writes <task>
  kRubricWriter,  // reads the same; writes <rubrics>, as read_rubric() takes them
  kNameGate,      // reads <question>; writes <score>1</score> or <score>0</score>
  kSourceGate,    // reads <question>, <document>; writes the same
  kGrader,        // reads <item> blocks, <response>; writes <scores>1, 0, ...</scores>
};

struct RoleCall {
  Role role = Role::kTaskWriter;
  std::string text;
};

// One reply a call, in order. A function of its arguments alone.
using RoleModel = std::function<Result<std::vector<std::string>>(std::span<const RoleCall>)>;

// The stand-ins for models: a task by a template, a rubric of the facts and names, gates that compare names, and a
// grader by content words (credit/models/content_words_grader.h). They know nothing of meaning.
Result<std::vector<std::string>> stand_in_roles(std::span<const RoleCall> calls);

}  // namespace harnessg::selfplay
