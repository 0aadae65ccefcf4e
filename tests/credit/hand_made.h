// Traces put together by hand: sentences and entities are numbers, sentence 7 reads "sentence 7" unless told otherwise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "credit/context_batch.h"
#include "engine/trace.h"

namespace harnessg {

using Numbers = std::vector<std::uint32_t>;

inline std::vector<SentenceId> sentences(const Numbers& numbers) {
  std::vector<SentenceId> result;
  for (const std::uint32_t n : numbers) result.push_back(SentenceId{n});
  return result;
}
inline std::vector<EntityId> entities(const Numbers& numbers) {
  std::vector<EntityId> result;
  for (const std::uint32_t n : numbers) result.push_back(EntityId{n});
  return result;
}

class HandMade {
 public:
  explicit HandMade(std::string question = "Which river?", std::vector<std::string> answers = {"the Thames"}) {
    trace_.with_frontier = true;
    trace_.question_id = "q1";
    trace_.question = std::move(question);
    trace_.answers = std::move(answers);
  }

  HandMade& first_view(const Numbers& shown) {
    return add(Event::kInit, {sentences(shown), sentences(shown), {}, {}, {}, {}});
  }
  HandMade& select(std::uint32_t sentence, const Numbers& mentions = {}) {
    selected_.push_back(SentenceId{sentence});
    return choose(Event::kSelect, sentence, mentions);
  }
  HandMade& answer_with(std::uint32_t sentence) { return choose(Event::kAnswerWith, sentence, {}); }
  HandMade& answer() { return add(Event::kAnswer, {}); }
  HandMade& blocked() { return add(Event::kInvalid, {}); }

  // Consumes everything selected, as the engine does.
  HandMade& lookup(const Numbers& shown, const Numbers& used = {}, const Numbers& produced = {}) {
    return add(Event::kLookup, outcome(shown, used, produced));
  }
  // Replaces what the last step consumed.
  HandMade& consuming(const Numbers& consumed) {
    trace_.steps.back().outcome.consumed_sentences = sentences(consumed);
    return *this;
  }
  // Of the last step, a lookup.
  HandMade& alternative(std::uint32_t position, const Numbers& shown) {
    const std::set<std::uint32_t> later = std::exchange(seen_, before_);
    trace_.steps.back().frontier.push_back({position, outcome(shown, {}, {})});
    seen_ = later;
    return *this;
  }
  // Of the last step.
  HandMade& at(std::uint32_t position) {
    trace_.steps.back().position = position;
    return *this;
  }
  HandMade& text(std::uint32_t sentence, std::string text) {
    trace_.sentences[sentence].text = std::move(text);
    return *this;
  }

  Numbers seen() const { return {seen_.begin(), seen_.end()}; }
  Trace trace() const { return trace_; }

 private:
  TraceOutcome outcome(const Numbers& shown, const Numbers& used, const Numbers& produced) const {
    Numbers fresh;
    std::copy_if(shown.begin(), shown.end(), std::back_inserter(fresh),
                 [&](std::uint32_t s) { return !seen_.contains(s); });
    return {sentences(shown), sentences(fresh), {}, entities(produced), selected_, entities(used)};
  }
  HandMade& choose(Event event, std::uint32_t sentence, const Numbers& mentions) {
    return add(event, {sentences({sentence}), {}, entities(mentions), entities(mentions), sentences({sentence}), {}});
  }
  HandMade& add(Event event, TraceOutcome outcome) {
    before_ = seen_;
    TraceStep step;
    step.event = event;
    step.turn = static_cast<std::uint32_t>(trace_.steps.size()) + 1;
    if (event != Event::kInit && event != Event::kInvalid) step.position = 0;
    step.outcome = std::move(outcome);
    for (const SentenceId s : step.outcome.new_sentences) seen_.insert(index(s));
    trace_.steps.push_back(std::move(step));
    for (std::uint32_t s = 0; s < 100; ++s)
      trace_.sentences.try_emplace(s, TraceSentence{"p", "", 0, "sentence " + std::to_string(s)});
    return *this;
  }

  Trace trace_;
  std::vector<SentenceId> selected_;
  std::set<std::uint32_t> seen_;
  std::set<std::uint32_t> before_;
};

// Scores by which step n of `trace` gains gains[n], and its alternatives what is given, starting from 0 each time.
struct Gains {
  double taken = 0;
  std::vector<double> alternatives = {};
};
inline EpisodeScores scores_of(const Trace& trace, const std::vector<Gains>& gains) {
  EpisodeScores scores;
  std::size_t n = 0;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.steps[i].event == Event::kInit || trace.steps[i].event == Event::kInvalid) continue;
    scores.steps.push_back({i, 0, gains[n].taken, gains[n].alternatives});
    ++n;
  }
  return scores;
}

// The fixture of spec 2, section 3: S1 -> S2 -> S3, where only S3 gains.
inline Trace chain() { return HandMade().first_view({1}).select(1).lookup({2}).lookup({2, 3}).consuming({2}).trace(); }

}  // namespace harnessg
