#include <fmt/format.h>

#include <algorithm>

#include "engine/text_protocol.h"
#include "menu/bridge.h"
#include "menu/lookup.h"

namespace harnessg {
namespace {

// Writes one block, section by section, in the released layout.
class Renderer {
 public:
  Renderer(const World& world, const Question& question, const State& state, const Menu& menu)
      : world_(world), graph_(world.graph), question_(question), state_(state), menu_(menu) {}

  std::string render() {
    out_ = fmt::format("[HARNESS_G_OBS]\nstep: {}\nmode: harness_g\n", state_.turn);
    if (state_.last_blocked()) {
      blocked();
    } else if (!state_.acted) {
      first_view();
    } else {
      action();
    }
    out_ += "[/HARNESS_G_OBS]";
    return std::move(out_);
  }

 private:
  void first_view() {
    out_ += "graph_mode: offline_graph_index\n";
    section("question", {one_line(question_.text)});
    section("selected", selected());
    section("visible_sentences", visible());
    section("available_actions", actions());
    instruction("Choose exactly one available action id. Do not write a natural language search query.");
  }

  void blocked() {
    const BlockedTurn& turn = state_.blocked.back();
    out_ += fmt::format("event: INVALID_ACTION\n\ninvalid_action: {}\ninvalid_reason: {}\n", one_line(turn.text),
                        one_line(turn.reason));
    section("selected", selected());
    section("available_actions", actions());
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
    section("selected", selected());
    section("available_actions", actions());
    section("frontier_entities", frontier_entities());
    section("bridge_entities", bridge_entities());
    instruction(
        "Choose one action id: SELECT or ANSWER_WITH a useful sentence, LOOKUP an entity to find missing info, or "
        "ANSWER.");
  }

  void lookup() {
    const Action& last = state_.last;
    out_ += "event: LOOKUP\n";
    section("target_entity", {entity(last.entity())});
    section("via", {via(last)});
    section("mixed_query", {one_line(mixed_query(world_, question_.text, as_span(state_.selected)))});
    section("selected", selected());
    section("new_visible_sentences", visible());
    section("available_actions", actions());
    instruction("Select useful evidence, LOOKUP another entity, or ANSWER.");
  }

  void answer(std::string_view event) {
    out_ += fmt::format("event: {}\n", event);
    section("selected_evidence", selected());
    out_ += "\ninstruction:\nNow provide the final answer in <answer>...</answer> using only the selected evidence.\n";
  }

  void instruction(std::string_view text) {
    if (state_.truncated) text = "The turn budget is used up: the search is over without an answer.";
    out_ += fmt::format("\ninstruction:\n{}\n", text);
  }

  void section(std::string_view name, const std::vector<std::string>& lines) {
    out_ += fmt::format("\n{}:\n", name);
    if (lines.empty()) out_ += "- none\n";
    for (const std::string& line : lines) out_ += line + '\n';
  }

  std::string display(SentenceId s) const {
    const auto at = std::find(state_.seen.begin(), state_.seen.end(), s);
    return fmt::format("S{}", at - state_.seen.begin());
  }
  std::string display(EntityId e) const {
    const auto at = std::find(state_.shown_entities.begin(), state_.shown_entities.end(), e);
    return fmt::format("E{}", at - state_.shown_entities.begin());
  }
  std::string name(EntityId e) const { return one_line(graph_.surface(e)); }
  std::string entity(EntityId e) const { return fmt::format("{} | {}", name(e), label_name(graph_.label(e))); }
  std::string sentence(SentenceId s) const {
    return one_line(sentence_text(graph_.title(graph_.paragraph(s)), graph_.text(s)));
  }
  std::string via(const Action& action) const {
    if (action.is_of_question()) return "from the question";
    return action.is_bridge() ? fmt::format("bridge from {}", name(action.anchor))
                              : fmt::format("from {}", display(action.via));
  }

  std::vector<std::string> selected() const {
    std::vector<std::string> lines;
    for (const SentenceId s : state_.selected) lines.push_back(fmt::format("{} | {}", display(s), sentence(s)));
    return lines;
  }

  std::vector<std::string> visible() const {
    std::vector<std::string> lines;
    for (const VisibleSentence& v : state_.visible) {
      lines.push_back(
          fmt::format("{} | source: {} | {}", display(v.sentence), sources(v.sources), sentence(v.sentence)));
    }
    return lines;
  }

  std::string sources(std::uint8_t bits) const {
    const std::string_view how = scoring_name(world_.relevance.scoring());
    std::string text;
    const auto add = [&](Source source, const std::string& source_name) {
      if ((bits & source) == 0) return;
      if (!text.empty()) text += ',';
      text += source_name;
    };
    add(kFromEntities, fmt::format("entity_mention:entity_{}", how));
    add(kFromSentences, fmt::format("global_sentence_{}", how));
    add(kFromParagraphs, "paragraph_sentence");
    add(kTarget, "target");
    add(kSimilar, "similar");
    add(kNeighbour, "sentence_neighbor");
    add(kOfTitle, "title");
    return text;
  }

  std::vector<std::string> actions() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < menu_.size(); ++i) {
      lines.push_back(fmt::format("A{} = {}", i, describe(menu_[i])));
    }
    return lines;
  }

  std::string describe(const Action& action) const {
    switch (action.kind) {
      case ActionKind::kSelect:
        return fmt::format("SELECT {} | source: visible_sentence", display(action.sentence()));
      case ActionKind::kAnswerWith:
        return fmt::format("ANSWER_WITH {} | evidence: {}", display(action.sentence()),
                           one_line(evidence_preview(graph_.text(action.sentence()))));
      case ActionKind::kLookup:
        return fmt::format("LOOKUP {} | entity: {} | via: {}{}", display(action.entity()), name(action.entity()),
                           via(action), note(action));
      case ActionKind::kAnswer:
        return "ANSWER";
    }
    return {};
  }

  // What else a menu says of a lookup. Bridges come last where lookups are not ordered by what they bring.
  std::string_view note(const Action& action) const {
    if (action.opens_title) return " | opens its page";
    return action.is_bridge() && world_.config.order_by_novelty == 0 ? " | low priority" : "";
  }

  std::vector<std::string> frontier_entities() const {
    std::vector<std::string> lines;
    for (const EntityId e : graph_.entities(state_.selected.back())) {
      lines.push_back(fmt::format("{} | {}", display(e), entity(e)));
    }
    return lines;
  }

  std::vector<std::string> bridge_entities() const {
    std::vector<std::string> lines;
    for (const BridgeRow& row : rows_for_menu(world_, question_, state_)) {
      lines.push_back(fmt::format("{} -> {} | {} | source: bridge_candidate:{}", display(row.source),
                                  display(row.target), entity(row.target), reasons(row.reasons)));
    }
    return lines;
  }

  static std::string reasons(std::uint8_t bits) {
    std::string text;
    const auto add = [&](BridgeReason reason, std::string_view reason_name) {
      if ((bits >> static_cast<unsigned>(reason) & 1u) == 0) return;
      if (!text.empty()) text += ',';
      text += reason_name;
    };
    add(BridgeReason::kCoSentence, "co_sentence");
    add(BridgeReason::kSelectedSentence, "selected_sentence");
    add(BridgeReason::kSentenceNeighbour, "sentence_neighbor");
    add(BridgeReason::kSynonym, "synonym_entity");
    return text;
  }

  const World& world_;
  const Graph& graph_;
  const Question& question_;
  const State& state_;
  const Menu& menu_;
  std::string out_;
};

}  // namespace

std::string render_observation(const World& world, const Question& question, const State& state, const Menu& menu) {
  return Renderer(world, question, state, menu).render();
}

}  // namespace harnessg
