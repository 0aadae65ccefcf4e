#include "tests/conformance/recorded_observation.h"

#include <fmt/format.h>

#include <map>
#include <regex>

namespace harnessg::conformance {
namespace {

// Applies `change` to every match of a pattern.
template <class Change>
std::string replace_all(const std::string& text, const std::regex& pattern, Change change) {
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    out.append(rest, (*at)[0].first).append(change(*at));
    rest = (*at)[0].second;
  }
  return out.append(rest, text.cend());
}

std::uint64_t fnv1a64(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

void RecordedObservation::add_turns(std::uint32_t turns) {
  static const std::regex step("^\\[HARNESS_G_OBS\\]\nstep: ([0-9]+)");
  text_ = replace_all(text_, step, [turns](const std::smatch& match) {
    return fmt::format("[HARNESS_G_OBS]\nstep: {}", std::stoul(match[1]) + turns);
  });
}

void RecordedObservation::renumber_entities() {
  static const std::regex display("(\n|LOOKUP |-> )E([0-9]+) ");
  std::map<std::string, std::size_t> numbers;
  text_ = replace_all(text_, display, [&](const std::smatch& match) {
    const std::size_t number = numbers.try_emplace(match[2], numbers.size()).first->second;
    return fmt::format("{}E{} ", match[1].str(), number);
  });
}

void RecordedObservation::forget_sources() {
  static const std::regex source("\n(S[0-9]+) \\| source: [^|\n]* \\| ");
  text_ = replace_all(text_, source, [](const std::smatch& match) { return "\n" + match[1].str() + " | "; });
}

void hash_prompts(Json& payload) {
  if (!payload.is_object()) return;
  for (auto& [name, value] : payload.items()) {
    if (name == "baseline_prompt" || name == "answer_prompt") {
      const auto text = value.get<std::string>();
      value = {{"fnv1a64", fmt::format("{:016x}", fnv1a64(text))}, {"bytes", text.size()}};
    } else {
      hash_prompts(value);
    }
  }
}

}  // namespace harnessg::conformance
