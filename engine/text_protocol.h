// The text side of an episode: what a policy writes, and the lines an observation is made of (spec 1, sections 6, 11).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "menu/menu.h"

namespace harnessg {

// What a policy's text means before and after the first view.
struct ParsedAction {
  bool init = false;                      // the first view is asked for
  std::optional<std::uint32_t> position;  // on the menu
  std::string invalid_reason;             // "" exactly when init or position is set

  bool valid() const { return invalid_reason.empty(); }
};

// `menu_size` actions A0 .. A<n-1> are on offer. White space around is ignored; ids are ASCII, without leading zeros.
ParsedAction parse_action(std::string_view text, bool initialized, std::size_t menu_size);

// The action inside a tool call `<query>{"query": "A0"}</query>`: the first well-formed call of a model's turn.
std::optional<std::string> parse_tool_query(std::string_view turn);

// A value on one line: line breaks become spaces, and block markers or protocol tags inside it lose their brackets, so
// that no text can forge a menu.
std::string one_line(std::string_view text);
void append_one_line(std::string& out, std::string_view text);

// "Title: text", the title left out when the text begins with it (case-insensitive) or it is empty; quotation marks at
// either end of the text are dropped.
std::string sentence_text(std::string_view title, std::string_view text);
// Its two parts; an empty title is left out.
struct SentenceParts {
  std::string_view title;
  std::string_view text;
};
SentenceParts sentence_parts(std::string_view title, std::string_view text);

// The first 18 words, then " ..." when there are more; quotation marks at either end are dropped.
std::string evidence_preview(std::string_view text);

// The prompt a frozen answerer is asked with (spec 1, section 6): the question and numbered evidence.
std::string answer_prompt(std::string_view question, std::span<const std::string_view> evidence);

// Replaces `text` by the whole observation block of a state; `menu` is its menu.
void render_observation(const World& world, const Question& question, const State& state, const Menu& menu,
                        std::string& text);

}  // namespace harnessg
