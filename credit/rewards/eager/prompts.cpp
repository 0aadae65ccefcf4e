#include "credit/rewards/eager/prompts.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <set>

#include "credit/rewards/eager/python_string.h"
#include "data/splitmix.h"
#include "data/text.h"

namespace harnessg::eager {
namespace {

SplitMix generator(const EventRecord& record, std::size_t rollout, const PromptOptions& options) {
  const std::uint64_t instance = XXH3_64bits(record.id.data(), record.id.size());
  const std::uint64_t seed = SplitMix::at(options.seed, instance);
  return SplitMix(options.draw == SchemaDraw::kPerRollout ? SplitMix::at(seed, rollout) : seed);
}

// The first `count` become a uniform draw without repeats, in a uniform order.
void draw(std::vector<std::size_t>& items, std::size_t count, SplitMix& random) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(items[i], items[i + static_cast<std::size_t>(random.next() % (items.size() - i))]);
  }
}

void comment(std::string& prompt, std::string_view text) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    prompt += "# ";
    prompt += text.substr(at, end - at);
    prompt += '\n';
    at = end + 1;
  }
}

void dataclass(std::string& prompt, const EventSchema& schema) {
  prompt += fmt::format("@dataclass\nclass {}(Event):\n", schema.class_name);
  if (!schema.guideline.empty()) prompt += fmt::format("    {}\n\n", quote(fold_space(schema.guideline)));
  prompt += "    mention: str  # the words that name the event\n";
  for (const RoleSchema& role : schema.roles) {
    prompt += fmt::format("    {}: List[str]", role.field);
    if (!role.guideline.empty()) prompt += "  # " + fold_space(role.guideline);
    prompt += '\n';
  }
  prompt += "\n\n";
}

}  // namespace

std::string_view default_instruction() {
  return "The classes below are the kinds of events that a text may report.\n"
         "Write every event of the text as an instance of its class, all of them in one list.\n"
         "Quote mentions and arguments from the text as they stand there; leave out what it does not say.";
}

Result<std::vector<std::size_t>> draw_schemas(const EventRecord& record, const SchemaSet& schemas, std::size_t rollout,
                                              const PromptOptions& options) {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> others;
  std::set<std::string_view> present;
  for (const GoldEvent& event : record.events) present.insert(event.type);
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    (present.contains(schemas.schemas()[i].type) ? shown : others).push_back(i);
  }
  if (shown.size() != present.size()) {
    return fail(ErrorCode::kBadInput, "record \"{}\" has an event type without a schema; add one to the schemas file",
                record.id);
  }
  if (options.draw == SchemaDraw::kAll) {
    shown.insert(shown.end(), others.begin(), others.end());
    std::sort(shown.begin(), shown.end());
    return shown;
  }
  SplitMix random = generator(record, rollout, options);
  const std::size_t negatives = std::min(options.negatives, others.size());
  draw(others, negatives, random);
  shown.insert(shown.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(negatives));
  draw(shown, shown.size(), random);
  return shown;
}

std::string render_prompt(std::string_view text, const SchemaSet& schemas, const std::vector<std::size_t>& shown,
                          std::string_view instruction) {
  std::string prompt;
  comment(prompt, instruction.empty() ? default_instruction() : instruction);
  prompt += '\n';
  for (const std::size_t index : shown) dataclass(prompt, schemas.schemas()[index]);
  prompt += fmt::format("text = {}\n\n# The events of the text\nresult = ", quote(text));
  return prompt;
}

Result<std::string> rollout_prompt(const EventRecord& record, const SchemaSet& schemas, std::size_t rollout,
                                   const PromptOptions& options) {
  HARNESSG_ASSIGN(const std::vector<std::size_t> shown, draw_schemas(record, schemas, rollout, options));
  return render_prompt(record.text, schemas, shown, options.instruction);
}

}  // namespace harnessg::eager
