#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/text_protocol.h"
#include "menu/bridge.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

// Writes one block, section by section, in the released layout.
class Renderer {
 public:
  Renderer(const World& world, const Question& question, const State& state, const Menu& menu, std::string& out)
      : world_(world), graph_(world.graph), question_(question), state_(state), menu_(menu), out_(out) {}

  void render() {
    out_.clear();
    write("[HARNESS_G_OBS]\nstep: {}\nmode: harness_g\n", state_.turn);
    if (state_.last_blocked()) {
      blocked();
    } else if (!state_.acted) {
      first_view();
    } else {
      action();
    }
    out_ += "[/HARNESS_G_OBS]";
  }

 private:
  void first_view() {
    out_ += "graph_mode: offline_graph_index\n";
    section("question", one_line(question_.text));
    selected("selected");
    visible("visible_sentences");
    actions();
    instruction("Choose exactly one available action id. Do not write a natural language search query.");
  }

  void blocked() {
    const BlockedTurn& turn = state_.blocked.back();
    write("event: INVALID_ACTION\n\ninvalid_action: {}\ninvalid_reason: {}\n", one_line(turn.text),
          one_line(turn.reason));
    selected("selected");
    actions();
    instruction("Choose exactly one available action id. Do not write a natural language search query.");
  }

  void action() {
    switch (state_.last.kind) {
      case ActionKind::kSelect:
        return select();
      case ActionKind::kLookup:
        return lookup();
      case ActionKind::kAnswerWith:
        return answer("ANSWER_WITH");
      case ActionKind::kAnswer:
        return answer("ANSWER");
    }
  }

  void select() {
    out_ += "event: SELECT\n";
    selected("selected");
    actions();
    frontier_entities();
    bridge_entities();
    instruction(
        "Choose one action id: SELECT or ANSWER_WITH a useful sentence, LOOKUP an entity to find missing info, or "
        "ANSWER.");
  }

  void lookup() {
    const Action& last = state_.last;
    out_ += "event: LOOKUP\n";
    heading("target_entity");
    entity(last.entity());
    out_ += "\n";
    heading("via");
    via(last);
    out_ += '\n';
    section("mixed_query", one_line(mixed_query(world_, question_.text, as_span(state_.selected))));
    selected("selected");
    visible("new_visible_sentences");
    actions();
    instruction("Select useful evidence, LOOKUP another entity, or ANSWER.");
  }

  void answer(std::string_view event) {
    write("event: {}\n", event);
    selected("selected_evidence");
    out_ += "\ninstruction:\nNow provide the final answer in <answer>...</answer> using only the selected evidence.\n";
  }

  void instruction(std::string_view text) {
    if (state_.truncated) text = "The turn budget is used up: the search is over without an answer.";
    write("\ninstruction:\n{}\n", text);
  }

  template <class... Values>
  void write(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(out_), format, values...);
  }
  void heading(std::string_view name) { out_.append("\n").append(name).append(":\n"); }
  void section(std::string_view name, std::string_view line) {
    heading(name);
    out_.append(line).append("\n");
  }
  // A section of a line an item; where there are none it says so.
  template <class Items, class WriteLine>
  void section(std::string_view name, const Items& items, WriteLine write_line) {
    heading(name);
    if (items.empty()) out_ += "- none\n";
    for (const auto& item : items) {
      write_line(item);
      out_ += '\n';
    }
  }

  void display(SentenceId s) {
    const auto at = std::find(state_.seen.begin(), state_.seen.end(), s);
    write("S{}", at - state_.seen.begin());
  }
  void display(EntityId e) {
    const auto at = std::find(state_.shown_entities.begin(), state_.shown_entities.end(), e);
    write("E{}", at - state_.shown_entities.begin());
  }
  void name(EntityId e) { append_one_line(out_, graph_.surface(e)); }
  void entity(EntityId e) {
    name(e);
    out_.append(" | ").append(label_name(graph_.label(e)));
  }
  void sentence(SentenceId s) {
    const SentenceParts parts = sentence_parts(graph_.title(graph_.paragraph(s)), graph_.text(s));
    if (!parts.title.empty()) {
      append_one_line(out_, parts.title);
      out_ += ": ";
    }
    append_one_line(out_, parts.text);
  }
  void via(const Action& action) {
    if (action.is_of_question()) {
      out_ += "from the question";
    } else if (action.is_bridge()) {
      out_ += "bridge from ";
      name(action.anchor);
    } else {
      out_ += "from ";
      display(action.via);
    }
  }

  void selected(std::string_view title) {
    section(title, state_.selected, [&](SentenceId s) {
      display(s);
      out_ += " | ";
      sentence(s);
    });
  }

  void visible(std::string_view title) {
    section(title, state_.visible, [&](const VisibleSentence& v) {
      display(v.sentence);
      out_ += " | source: ";
      sources(v.sources);
      out_ += " | ";
      sentence(v.sentence);
    });
  }

  void sources(std::uint8_t bits) {
    const std::string_view how = scoring_name(world_.relevance.scoring());
    bool first = true;
    const auto add = [&](Source source, std::string_view text, std::string_view scored = {}) {
      if ((bits & source) == 0) return;
      if (!std::exchange(first, false)) out_ += ',';
      out_.append(text).append(scored);
    };
    add(kFromEntities, "entity_mention:entity_", how);
    add(kFromSentences, "global_sentence_", how);
    add(kFromParagraphs, "paragraph_sentence");
    add(kTarget, "target");
    add(kSimilar, "similar");
    add(kNeighbour, "sentence_neighbor");
    add(kOfTitle, "title");
  }

  void actions() {
    std::size_t position = 0;
    section("available_actions", menu_, [&](const Action& action) {
      write("A{} = ", position++);
      describe(action);
    });
  }

  void describe(const Action& action) {
    switch (action.kind) {
      case ActionKind::kSelect:
        out_ += "SELECT ";
        display(action.sentence());
        out_ += " | source: visible_sentence";
        return;
      case ActionKind::kAnswerWith:
        out_ += "ANSWER_WITH ";
        display(action.sentence());
        out_ += " | evidence: ";
        append_one_line(out_, evidence_preview(graph_.text(action.sentence())));
        return;
      case ActionKind::kLookup:
        out_ += "LOOKUP ";
        display(action.entity());
        out_ += " | entity: ";
        name(action.entity());
        out_ += " | via: ";
        via(action);
        out_ += note(action);
        return;
      case ActionKind::kAnswer:
        out_ += "ANSWER";
        return;
    }
  }

  // What else a menu says of a lookup. Bridges come last where lookups are not ordered by what they bring.
  std::string_view note(const Action& action) const {
    if (action.opens_title) return " | opens its page";
    return action.is_bridge() && world_.config.order_by_novelty == 0 ? " | low priority" : "";
  }

  void frontier_entities() {
    section("frontier_entities", graph_.entities(state_.selected.back()), [&](EntityId e) {
      display(e);
      out_ += " | ";
      entity(e);
    });
  }

  void bridge_entities() {
    section("bridge_entities", rows_for_menu(world_, question_, state_), [&](const BridgeRow& row) {
      display(row.source);
      out_ += " -> ";
      display(row.target);
      out_ += " | ";
      entity(row.target);
      out_ += " | source: bridge_candidate:";
      reasons(row.reasons);
    });
  }

  void reasons(std::uint8_t bits) {
    bool first = true;
    const auto add = [&](BridgeReason reason, std::string_view text) {
      if ((bits >> static_cast<unsigned>(reason) & 1u) == 0) return;
      if (!std::exchange(first, false)) out_ += ',';
      out_ += text;
    };
    add(BridgeReason::kCoSentence, "co_sentence");
    add(BridgeReason::kSelectedSentence, "selected_sentence");
    add(BridgeReason::kSentenceNeighbour, "sentence_neighbor");
    add(BridgeReason::kSynonym, "synonym_entity");
  }

  const World& world_;
  const Graph& graph_;
  const Question& question_;
  const State& state_;
  const Menu& menu_;
  std::string& out_;
};

}  // namespace

void render_observation(const World& world, const Question& question, const State& state, const Menu& menu,
                        std::string& text) {
  Renderer(world, question, state, menu, text).render();
}

}  // namespace harnessg
