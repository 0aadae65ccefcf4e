#include "tests/conformance/recorded_credit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "credit/advantage.h"
#include "credit/models/lexical_proxy.h"
#include "credit/snc.h"
#include "engine/text_protocol.h"
#include "tests/conformance/recorded_traces.h"

namespace harnessg::conformance {
namespace {

constexpr double kDouble = 1e-9;  // how near recorded doubles are
constexpr double kFloat = 1e-5;   // and recorded 32-bit tensors

// g = (FNV-1a 64 of the whole answer prompt >> 11) / 2^53: artificial, and the prompt must match to the byte.
std::vector<Score> fnv_scores(std::span<const ScoreRequest> requests) {
  std::vector<Score> scores;
  for (const ScoreRequest& request : requests) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : answer_prompt(request.question, request.context)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    }
    scores.emplace_back(static_cast<double>(hash >> 11) * 0x1p-53);
  }
  return scores;
}

SncOptions options_of(const Json& config) {
  SncOptions options;
  for (const auto& [key, value] : config.items()) {
    if (key == "baseline") options.baseline = value == "max" ? Baseline::kMax : Baseline::kMean;
    if (key == "propagation_gamma") options.gamma = value.get<double>();
    if (key == "fixc_safe") options.protect_enabling = value.get<bool>();
    if (key == "shuffle_dependency_edges" && value.get<bool>()) options.shuffle_edges = 1;
    if (key == "alpha") options.alpha = value.get<double>();
    if (key == "beta") options.beta = value.get<double>();
    if (key == "ig_deadzone") options.dead_zone = value.get<double>();
    if (key == "harvest_bonus") options.harvest_bonus = value.get<double>();
  }
  return options;
}

bool near(double own, double wanted, double tolerance) {
  return std::abs(own - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
}

// Code points of `<query>{"query": "ACTION"}</query>`, the action as a JSON string that is not made ASCII.
std::size_t span_length(const std::string& action) {
  const std::string block = "<query>{\"query\": " + Json(action).dump() + "}</query>";
  return static_cast<std::size_t>(std::count_if(block.begin(), block.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

class Tallies {
 public:
  explicit Tallies(Report& report) : report_(report) {}

  void compare(const std::string& name, double own, double wanted, double tolerance, const std::string& where) {
    count(name, near(own, wanted, tolerance), [&] { return fmt::format("{}: {} instead of {}", where, own, wanted); });
  }
  void compare(const std::string& name, const Json& own, const Json& wanted, const std::string& where) {
    count(name, own == wanted, [&] { return where + ": " + own.dump() + " instead of " + wanted.dump(); });
  }
  void explain(const std::string& name, const std::string& reason) { ++report_[name].explained[reason]; }

 private:
  template <class Describe>
  void count(const std::string& name, bool equal, Describe describe) {
    Tally& tally = report_[name];
    ++tally.compared;
    tally.equal += equal ? 1 : 0;
    if (!equal && tally.differences.size() < 3) tally.differences.push_back(describe());
  }

  Report& report_;
};

// One recorded batch: its header and its episodes.
struct RecordedBatch {
  Json header;
  std::vector<Json> episodes;
};

std::vector<RecordedBatch> read_batches(const std::filesystem::path& file) {
  std::vector<RecordedBatch> batches;
  for (Json& row : read_json_lines(file)) {
    if (row["kind"] == "batch") {
      batches.push_back({std::move(row), {}});
    } else {
      batches.back().episodes.push_back(std::move(row));
    }
  }
  return batches;
}

class BatchComparison {
 public:
  BatchComparison(const RecordedBatch& batch, const RecordedTraces& recorded, Report& report)
      : batch_(batch),
        tag_(batch.header["tag"].get<std::string>()),
        options_(options_of(batch.header["config"])),
        tallies_(report) {
    for (const Json& episode : batch.episodes) {
      recorded_.push_back(&recorded.at({episode["qid"].get<std::string>(), episode["seq"].get<std::string>()}));
      traces_.push_back(recorded_.back()->trace);
    }
  }

  void run() {
    const LexicalProxy lexical;
    const CallableScorer fnv("fnv", fnv_scores);
    const bool is_lexical = batch_.header["scorer"] == "lex";
    const auto credit = snc_credit(traces_, is_lexical ? static_cast<const Scorer&>(lexical) : fnv, options_);
    if (!credit) throw std::runtime_error(credit.error().message);
    credit_ = *credit;
    for (std::size_t i = 0; i < credit_.size(); ++i) {
      options_.shuffle_edges ? check_shuffled(i) : compare_edges(i);
      compare_steps(i);
    }
    compare_outcomes();
    if (!options_.shuffle_edges) compare_advantages();
  }

 private:
  std::string where(std::size_t i, const Json& step = {}) const {
    const Json& episode = batch_.episodes[i];
    return fmt::format("{} {} {} t {}", tag_, episode["qid"].dump(), episode["seq"].dump(),
                       step.is_null() ? "-" : step["t"].dump());
  }

  void compare_edges(std::size_t i) {
    tallies_.compare("edges", Json(credit_[i].edges), batch_.episodes[i]["edges"], where(i));
  }

  // Random edges cannot be equal; what must hold of both: as many go into each step as without shuffling.
  void check_shuffled(std::size_t i) {
    const auto into = [](const auto& edges) {
      std::map<std::size_t, int> count;
      for (const auto& edge : edges) ++count[edge.second];
      return count;
    };
    const auto recorded = batch_.episodes[i]["edges"].get<std::vector<std::pair<std::size_t, std::size_t>>>();
    tallies_.compare("shuffled_in_degrees", Json(into(credit_[i].edges)), Json(into(recorded)), where(i));
  }

  void compare_steps(std::size_t i) {
    const Json& wanted = batch_.episodes[i]["steps"];
    const auto& own = credit_[i].steps;
    tallies_.compare("steps", Json(own.size()), Json(wanted.size()), where(i));
    for (std::size_t n = 0; n < std::min(own.size(), wanted.size()); ++n) {
      const std::string at = where(i, wanted[n]);
      tallies_.compare("step", Json(own[n].step), wanted[n]["t"], at);
      tallies_.compare("r_fr", own[n].r_fr, wanted[n]["r_fr"].get<double>(), kDouble, at);
      if (!options_.shuffle_edges) {
        tallies_.compare("r_en", own[n].r_en, wanted[n]["r_en"].get<double>(), kDouble, at);
        compare_total(own[n], wanted[n], at);
      }
      if (wanted[n].contains("g0")) compare_scores(own[n], wanted[n], at);
    }
  }

  void compare_total(const StepCredit& own, const Json& wanted, const std::string& at) {
    if (own.bonus != 0) {
      tallies_.compare("total_without_bonus", own.total - own.bonus, wanted["r_total"].get<double>(), kDouble, at);
      return tallies_.explain("r_total", "our harvest bonus fires (harvest_bonus_never_fires)");
    }
    tallies_.compare("r_total", own.total, wanted["r_total"].get<double>(), kDouble, at);
  }

  void compare_scores(const StepCredit& own, const Json& wanted, const std::string& at) {
    tallies_.compare("g", own.score_before, wanted["g0"].get<double>(), kDouble, at);
    tallies_.compare("g", own.score_taken, wanted["g"].get<double>(), kDouble, at);
    tallies_.compare("ig", own.gain, wanted["ig"].get<double>(), kDouble, at);
    tallies_.compare("frontier_size", Json(own.frontier.size()), Json(wanted["frontier"].size()), at);
    for (const AlternativeCredit& alternative : own.frontier) {
      const Json& other = wanted["frontier"].at(fmt::format("A{}", alternative.position));
      tallies_.compare("g", alternative.score, other[0].get<double>(), kDouble, at);
      tallies_.compare("ig", alternative.gain, other[1].get<double>(), kDouble, at);
    }
  }

  void compare_outcomes() {
    std::map<std::string, std::size_t> questions;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      std::vector<std::string_view> selected;
      for (const SentenceId s : traces_[i].selected) selected.push_back(traces_[i].sentences.at(index(s)).text);
      outcomes_.push_back(alias_coverage(selected, answer_aliases(traces_[i].answers)));
      groups_.push_back(questions.try_emplace(traces_[i].question_id, questions.size()).first->second);
      tallies_.compare("outcome", outcomes_.back(), batch_.episodes[i]["outcome"].get<double>(), kDouble, where(i));
    }
    const auto advantages = outcome_advantages(outcomes_, groups_).value();
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      tallies_.compare("outcome_adv", advantages[i], batch_.episodes[i]["outcome_adv"].get<double>(), kFloat, where(i));
    }
  }

  // A batch's tokens: the query blocks of all steps that have credit, one after another.
  void compare_advantages() {
    std::vector<double> tokens;
    std::vector<std::size_t> offsets{0};
    std::vector<std::vector<std::size_t>> first_token(traces_.size());
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const std::vector<double> credit = credit_per_turn(traces_[i], credit_[i]);
      std::vector<ActionSpan> spans;
      for (const std::string& action : recorded_[i]->actions) {
        const std::size_t begin = spans.empty() ? 0 : spans.back().end;
        first_token[i].push_back(offsets.back() + begin);
        spans.push_back({begin, begin + span_length(action)});
      }
      const auto own = spread_credit(credit, spans, spans.back().end).value();
      tokens.insert(tokens.end(), own.begin(), own.end());
      offsets.push_back(tokens.size());
    }
    if (std::any_of(credit_.begin(), credit_.end(), has_bonus)) {
      return tallies_.explain("scale", "our harvest bonus fires (harvest_bonus_never_fires)");
    }
    const BatchAdvantages batch = batch_advantages(outcomes_, groups_, tokens, offsets).value();
    const Json& header = batch_.header;
    tallies_.compare("support_tokens", Json(batch.scale.support), header["support_tokens"], tag_);
    tallies_.compare("scale", batch.scale.deviation / header["pop_std"].get<double>(), 1, kFloat, tag_);
    tallies_.compare("scale", batch.scale.scale / header["scale"].get<double>(), 1, kFloat, tag_);
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      for (const Json& step : batch_.episodes[i]["steps"]) {
        if (!step.contains("span_len")) continue;
        const auto t = step["t"].get<std::size_t>();
        const std::size_t token = first_token[i][t];
        const std::string at = where(i, step);
        tallies_.compare("span_len", Json(span_length(recorded_[i]->actions[t])), step["span_len"], at);
        tallies_.compare("token_credit", tokens[token] / step["token_credit"].get<double>(), 1, kFloat, at);
        tallies_.compare("snc_adv", batch.snc[token], step["snc_adv"].get<double>(), kFloat, at);
        tallies_.compare("adv", batch.total[token], step["adv"].get<double>(), kFloat, at);
      }
    }
  }

  static bool has_bonus(const EpisodeCredit& episode) {
    return std::any_of(episode.steps.begin(), episode.steps.end(),
                       [](const StepCredit& step) { return step.bonus != 0; });
  }

  const RecordedBatch& batch_;
  std::string tag_;
  SncOptions options_;
  Tallies tallies_;
  std::vector<const RecordedTrace*> recorded_;
  std::vector<Trace> traces_;
  std::vector<EpisodeCredit> credit_;
  std::vector<double> outcomes_;
  std::vector<std::size_t> groups_;
};

}  // namespace

Report compare_credit(const std::filesystem::path& shared, const std::string& set, const std::string& suffix) {
  Report report;
  const RecordedTraces traces = read_recorded_traces(shared, set, suffix);
  for (const RecordedBatch& batch : read_batches(shared / "conformance" / ("snc-" + set + suffix + ".jsonl.gz"))) {
    BatchComparison(batch, traces, report).run();
  }
  return report;
}

}  // namespace harnessg::conformance
