#include "tests/conformance/episode_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "engine/snc_payload.h"
#include "engine/text_protocol.h"
#include "engine/trace_recorder.h"
#include "menu/bridge.h"
#include "menu/initial_view.h"
#include "menu/lookup.h"
#include "menu/transition.h"
#include "tests/conformance/recorded_file.h"
#include "tests/conformance/recorded_observation.h"
#include "tests/conformance/recorded_world.h"

namespace harnessg::conformance {
namespace {

template <class List>
Json ids(const List& list) {
  Json array = Json::array();
  for (const auto& id : list) array.push_back(index(id));
  return array;
}

Json visible_ids(const View& view) {
  Json array = Json::array();
  for (const VisibleSentence& v : view) array.push_back(index(v.sentence));
  return array;
}

constexpr const char* kKinds[] = {"SELECT", "ANSWER_WITH", "LOOKUP", "ANSWER"};

const char* kind_name(const Action& action) { return kKinds[static_cast<std::size_t>(action.kind)]; }

bool has_tag(const Json& row, const std::string& tag) {
  const auto at = row.find("deviates");
  return at != row.end() && at->is_array() && std::find(at->begin(), at->end(), tag) != at->end();
}

// An entry of a recorded menu: [id, kind, sentence or [sentence] or entity, ...].
std::uint32_t recorded_target(const Json& entry) {
  if (entry.size() < 3) return 0;
  return entry[2].is_array() ? entry[2][0].get<std::uint32_t>() : entry[2].get<std::uint32_t>();
}

// Plays one recorded episode along and compares.
class Replay {
 public:
  Replay(const RecordedWorld& world, const Json& episode, Report& report)
      : recorded_(world), world_(world.world()), episode_(episode), report_(report) {
    question_ = world.question(episode["question"].get<std::string>());
  }

  void run() {
    for (const Json& step : episode_["steps"]) {
      if (!play(step)) break;
    }
  }

 private:
  // False when the recorded episode cannot be followed any further.
  bool play(const Json& step) {
    step_ = &step;
    const auto event = step["event"].get<std::string>();
    if (has_tag(step, "post_stop_step_repeats_observation"))
      return explain("steps", "step after the end: ours is an error");
    if (!started_) {
      if (event != "INIT") return explain("steps", "text before the first view: reset comes first");
      return start(step);
    }
    if (event == "INVALID_ACTION") return play_blocked(step);
    return play_action(step);
  }

  bool start(const Json& step) {
    started_ = true;
    const Json own = visible_ids(question_.first_view);
    if (has_tag(step, "init_mention_bonus_not_applied") || step.contains("injected_view")) {
      const Json& wanted = step.contains("injected_view") ? step["injected_view"] : step.value("spec_visible", own);
      compare("first_view", own, wanted);
    }
    if (own != step["visible"] || step.contains("injected_view")) {
      // Later steps start from the release's view: take it, so that they can be compared.
      foreign_view_ = true;
      question_.first_view.clear();
      for (const Json& id : step["visible"]) question_.first_view.push_back({SentenceId{id.get<std::uint32_t>()}, 0});
    }
    now_ = begin(world_, question_);
    return compare_step(step);
  }

  bool play_blocked(const Json& step) {
    const auto text = step["action"].get<std::string>();
    ParsedAction parsed = parse_action(text, true, now_.outcome.menu.size());
    ++blocked_;
    if (parsed.valid()) {
      differ("steps", "the release blocks \"" + text + "\", we do not");
      return false;
    }
    now_ = block(world_, now_.next, now_.outcome.menu, text, parsed.invalid_reason);
    return compare_step(step);
  }

  bool play_action(const Json& step) {
    auto id = step["action"].get<std::string>();
    id.erase(std::remove_if(id.begin(), id.end(), [](unsigned char c) { return std::isspace(c) != 0; }), id.end());
    if (has_tag(step, "empty_query_suffix_accepted")) {
      compare("blocked_empty_query", parse_action(step["action"].get<std::string>(), true, 1000).valid(), false);
      id = id.substr(0, id.find('|'));
    }
    const Menu menu = now_.outcome.menu;
    const auto position = find_recorded(menu, id);
    if (!position) return explain_rest("an action of the release's menu that the spec's menu does not have");
    ids_agree_ = fmt::format("A{}", *position) == id && !menus_differ_;
    Query query;
    if (menu[*position].kind == ActionKind::kLookup) {
      const std::string text = mixed_query(world_, question_.text, as_span(now_.next.selected));
      compare("query", text, step["query"].get<std::string>());
      query = recorded_.query(text);
    }
    now_ = advance(world_, question_, now_.next, menu, *position, query);
    return compare_step(step);
  }

  // The position in our menu of an action id of the recorded menu.
  std::optional<std::size_t> find_recorded(const Menu& menu, const std::string& id) const {
    for (const Json& entry : menu_before_) {
      if (entry[0] != id) continue;
      for (std::size_t i = 0; i < menu.size(); ++i) {
        if (entry[1] == kind_name(menu[i]) && recorded_target(entry) == menu[i].target) return i;
      }
    }
    return std::nullopt;
  }

  bool compare_step(const Json& step) {
    capped_before_ = capped_;
    capped_ = step["event"] == "SELECT" && has_capped_source();
    if (step["event"] == "SELECT") reused_before_ = true;  // from here on the release's E numbers start anew
    compare("visible", visible_ids(now_.next.visible), step["visible"]);
    compare("selected", ids(now_.next.selected), step["selected"]);
    compare("seen", ids(now_.next.seen), step["seen"]);
    auto looked_up = now_.next.looked_up;
    std::sort(looked_up.begin(), looked_up.end());
    compare("looked_up", ids(looked_up), step["looked_up"]);
    compare_bridge(step);
    compare_payload(step);
    compare_menu(step);
    compare_observation(step);
    compare_previews(step);
    ++report_["steps"].compared;
    ++report_["steps"].equal;
    menu_before_ = step["menu"];
    return true;
  }

  void compare_bridge(const Json& step) {
    if (!step.contains("bridge")) return;
    const Json& wanted = step.contains("spec_bridge") ? step["spec_bridge"] : step["bridge"];
    const auto rows = bridge_rows(world_, question_, now_.next);
    bool equal = rows.size() == wanted.size();
    Json own = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double score = rows[i].score(world_.config.fusion_constant);
      own.push_back({index(rows[i].source), index(rows[i].target), score});
      if (!equal) continue;
      // The release scored sources by their first 32 sentences: with more, the score may differ though the row does
      // not.
      const bool capped = !step.contains("spec_bridge") && world_.graph.sentences(rows[i].source).size() > 32;
      if (capped) ++report_["bridge"].explained["score of a source with more than 32 sentences (bridge_source_cap_32)"];
      equal = index(rows[i].source) == wanted[i][0] && index(rows[i].target) == wanted[i][1] &&
              (capped || std::abs(score - wanted[i][2].get<double>()) <= 1.1e-6);
    }
    count("bridge", equal, [&] { return own.dump() + " instead of " + wanted.dump(); });
  }

  void compare_menu(const Json& step) {
    menus_differ_ = step.contains("spec_menu");
    Json own = Json::array();
    if (menus_differ_) {
      for (const Action& a : now_.outcome.menu) {
        own.push_back({kind_name(a), a.kind == ActionKind::kAnswer ? Json(nullptr) : Json(a.target)});
      }
      compare("menu", own, step["spec_menu"]);
      return;
    }
    for (std::size_t i = 0; i < now_.outcome.menu.size(); ++i) own.push_back(menu_entry(i));
    Json wanted = step["menu"];
    if (reused_before_) {
      forget_display_ids(own);
      forget_display_ids(wanted);
    }
    compare_unless(capped_ && same_targets(own, wanted), kCapped, "menu", own, wanted);
  }

  static constexpr const char* kCapped =
      "a bridge source has more than 32 sentences, of which the release looks at 32 (bridge_source_cap_32)";

  // Some entity of the sentence just selected has more sentences than the release looks at.
  bool has_capped_source() const {
    const auto sources = world_.graph.entities(now_.next.selected.back());
    return std::any_of(sources.begin(), sources.end(),
                       [&](EntityId e) { return world_.graph.sentences(e).size() > 32; });
  }

  // The same actions in the same order, whatever brought them up.
  static bool same_targets(const Json& own, const Json& wanted) {
    return std::equal(own.begin(), own.end(), wanted.begin(), wanted.end(), [](const Json& a, const Json& b) {
      return a[0] == b[0] && a[1] == b[1] && (a.size() < 3 || a[2] == b[2]);
    });
  }

  static void forget_display_ids(Json& menu) {
    for (Json& entry : menu) {
      if (entry[1] == "LOOKUP") entry[3] = "E";
    }
  }

  Json menu_entry(std::size_t position) const {
    const Action& action = now_.outcome.menu[position];
    const State& state = now_.next;
    const std::string id = fmt::format("A{}", position);
    const auto display = [](const auto& list, const auto& wanted) {
      return std::find(list.begin(), list.end(), wanted) - list.begin();
    };
    switch (action.kind) {
      case ActionKind::kSelect:
        return {id, "SELECT", action.target, fmt::format("S{}", display(state.seen, action.sentence()))};
      case ActionKind::kAnswerWith:
        return {id, "ANSWER_WITH", Json::array({action.target}),
                fmt::format("S{}", display(state.seen, action.sentence())),
                evidence_preview(world_.graph.text(action.sentence()))};
      case ActionKind::kLookup:
        return {id,
                "LOOKUP",
                action.target,
                fmt::format("E{}", display(state.shown_entities, action.entity())),
                std::string(world_.graph.surface(action.entity())),
                via(action),
                action.anchor == kNoEntity ? Json(nullptr) : Json(index(action.anchor)),
                action.is_bridge()};
      case ActionKind::kAnswer:
        break;
    }
    return {id, "ANSWER"};
  }

  std::string via(const Action& action) const {
    if (action.is_bridge()) return fmt::format("bridge from {}", world_.graph.surface(action.anchor));
    const auto at = std::find(now_.next.seen.begin(), now_.next.seen.end(), action.via);
    return fmt::format("from S{}", at - now_.next.seen.begin());
  }

  void compare_observation(const Json& step) {
    if (menus_differ_ || step.contains("spec_bridge")) {
      ++report_["observation"].explained["the spec's menu or bridge rows differ (bridge_source_cap_32)"];
      return;
    }
    RecordedObservation wanted(step["obs"].get<std::string>());
    std::string text;
    render_observation(world_, question_, now_.next, now_.outcome.menu, text);
    RecordedObservation own(text);
    wanted.add_turns(blocked_);
    if (foreign_view_) {
      wanted.forget_sources();
      own.forget_sources();
    }
    if (reused_before_) {
      wanted.renumber_entities();
      own.renumber_entities();
    }
    if (step["event"] == "INVALID_ACTION" && one_line(step["action"].get<std::string>()) != step["action"]) {
      return compare_unless(true, "markup in a blocked text (markup_not_escaped)", "observation", own.text(),
                            wanted.text());
    }
    compare_unless(capped_, kCapped, "observation", own.text(), wanted.text());
  }

  void compare_previews(const Json& step) {
    const Json& wanted = step["previews"];
    for (const Json& entry : step["menu"]) {
      const auto id = entry[0].get<std::string>();
      const auto position = [&]() -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < now_.outcome.menu.size(); ++i) {
          const Action& action = now_.outcome.menu[i];
          if (entry[1] == kind_name(action) && recorded_target(entry) == action.target) return i;
        }
        return std::nullopt;
      }();
      if (!position) {
        ++report_["preview"].explained["an action that the spec's menu does not have"];
        continue;
      }
      Json own = preview(*position);
      Json expected = wanted[id];
      if (step.contains("spec_preview") && step["spec_preview"].contains(id)) expected = step["spec_preview"][id];
      const bool same_views = own[0] == expected[0] && own[1] == expected[1] && own[2] == expected[2];
      compare_unless((capped_ || menus_differ_) && same_views, kCapped, "preview", own, expected);
    }
  }

  Json preview(std::size_t position) {
    const Menu& menu = now_.outcome.menu;
    Query query;
    if (menu[position].kind == ActionKind::kLookup) {
      query = recorded_.query(mixed_query(world_, question_.text, as_span(now_.next.selected)));
    }
    const Outcome outcome = advance(world_, question_, now_.next, menu, position, query).outcome;
    return {ids(outcome.sentences), ids(outcome.new_sentences), ids(outcome.entities), ids(outcome.used_entities)};
  }

  void compare_payload(const Json& step) {
    if (step["snc"].is_null()) return;
    if (!ids_agree_) {
      ++report_["snc_payload"].explained["the spec's menu numbers or holds other actions (bridge_source_cap_32)"];
      return;
    }
    Trace trace;
    trace.with_frontier = true;
    const harnessg::Replay replay{
        [&](const State& state, std::span<const EntityId> entities, std::span<RankedView> found) -> Status {
          const std::string text = mixed_query(world_, question_.text, as_span(state.selected));
          lookup_views(world_, recorded_.query(text), entities, found);
          return {};
        },
        [&](const State& state, const Menu& menu, std::size_t position, const RankedView* view) -> Result<Transition> {
          return advance(world_, question_, state, menu, position, Given{view, nullptr});
        }};
    if (const Status recorded = record_steps(world_, question_, now_.next, replay, trace); !recorded) {
      return differ("snc_payload", recorded.error().message);
    }
    Json own = Json::parse(*snc_payload(trace, trace.steps.size() - 1));
    hash_prompts(own);
    compare_unless(capped_before_, kCapped, "snc_payload", own, step["snc"]);
  }

  void compare(const std::string& name, const Json& own, const Json& wanted) {
    count(name, own == wanted, [&] { return own.dump() + " instead of " + wanted.dump(); });
  }

  // A difference counts as explained by `reason` where `excused`.
  void compare_unless(bool excused, const char* reason, const std::string& name, const Json& own, const Json& wanted) {
    if (excused && own != wanted) {
      ++report_[name].explained[reason];
    } else {
      compare(name, own, wanted);
    }
  }

  template <class Describe>
  void count(const std::string& name, bool equal, Describe describe) {
    Tally& tally = report_[name];
    ++tally.compared;
    tally.equal += equal ? 1 : 0;
    if (!equal) note(tally, describe());
  }

  void differ(const std::string& name, const std::string& what) {
    ++report_[name].compared;
    note(report_[name], what);
  }

  void note(Tally& tally, const std::string& what) const {
    if (tally.differences.size() < 3) {
      tally.differences.push_back(
          fmt::format("{} {} step {}: {}", episode_["qid"].dump(), episode_["seq"].dump(), (*step_)["t"].dump(), what));
    }
  }

  bool explain(const std::string& name, const std::string& reason) {
    ++report_[name].explained[reason];
    return true;
  }
  bool explain_rest(const std::string& reason) {
    const std::size_t rest = episode_["steps"].size() - (*step_)["t"].get<std::size_t>();
    report_["steps"].explained[reason] += rest;
    return false;
  }

  const RecordedWorld& recorded_;
  const World world_;
  const Json& episode_;
  Report& report_;
  Question question_;
  Transition now_;
  Json menu_before_;
  const Json* step_ = nullptr;
  std::uint32_t blocked_ = 0;
  bool started_ = false;
  bool foreign_view_ = false;
  bool menus_differ_ = false;
  bool ids_agree_ = true;
  bool reused_before_ = false;
  bool capped_ = false;
  bool capped_before_ = false;
};

Json scored_ids(const std::vector<Scored>& list, std::size_t limit) {
  Json array = Json::array();
  for (std::size_t i = 0; i < std::min(limit, list.size()); ++i) array.push_back(list[i].id);
  return array;
}

Json first_of_each(const Json& rows) {
  Json array = Json::array();
  for (const Json& row : rows) array.push_back(row[0]);
  return array;
}

}  // namespace

Report replay_episodes(const std::filesystem::path& shared, const std::string& set, const std::string& suffix) {
  Report report;
  RecordedWorld world(shared, set, suffix);
  world.config().turn_budget = 1000;  // the release plays on past its budget (max_turns_not_enforced)
  for (const Json& episode : read_json_lines(shared / "conformance" / ("episodes-" + set + suffix + ".jsonl.gz"))) {
    Replay(world, episode, report).run();
  }
  return report;
}

Report replay_first_views(const std::filesystem::path& shared, const std::string& set, const std::string& suffix) {
  Report report;
  const RecordedWorld recorded(shared, set, suffix);
  const Config config;
  for (const Json& row : read_json_lines(shared / "conformance" / ("init-" + set + suffix + ".jsonl.gz"))) {
    const Query query = recorded.query(row["question"].get<std::string>());
    const FirstViewLists lists = first_view_lists(recorded.world(), query);
    const Json& reference = row["reference"];
    const auto compare = [&](const std::string& name, const Json& own, const Json& wanted) {
      Tally& tally = report[name];
      ++tally.compared;
      tally.equal += own == wanted ? 1 : 0;
      if (own != wanted && tally.differences.size() < 3) {
        tally.differences.push_back(row["qid"].dump() + ": " + own.dump() + " instead of " + wanted.dump());
      }
    };
    compare("paragraphs", scored_ids(lists.paragraphs, 20), first_of_each(reference["paragraphs"]));
    compare("entities", scored_ids(lists.entities, 8), first_of_each(reference["entities"]));
    compare("paragraph_sentences", scored_ids(lists.paragraph_sentences, 8),
            first_of_each(reference["paragraph_sentence"]));
    compare("global_sentences", scored_ids(lists.global_sentences, 8), first_of_each(reference["global_sentence"]));
    compare("entity_sentences", scored_ids(lists.entity_sentences, 8), row["spec"]["entity_mention"]);
    if (row.contains("tie_semantic20") || has_tag(row, "tie_semantic20") || has_tag(row, "tie_order")) {
      ++report["nearest_entities"].explained["an exact tie stands in the other order in the release"];
    } else {
      compare("nearest_entities", scored_ids(lists.entities, 20), reference["semantic_entities20"]);
    }
    compare("first_view", visible_ids(fuse(config, lists)), row["spec"]["view"]);
  }
  return report;
}

}  // namespace harnessg::conformance
