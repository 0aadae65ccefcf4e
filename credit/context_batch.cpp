#include "credit/context_batch.h"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "credit/provenance.h"
#include "credit/shapley.h"

namespace harnessg {
namespace {

using TextId = std::uint32_t;
using Context = std::vector<TextId>;

std::string name_of(const Trace& trace, std::size_t number) {
  return fmt::format("trace {} (question \"{}\")", number, trace.question_id);
}

// Contexts of a batch as numbers of texts, each once.
class ContextSet {
 public:
  struct Entry {
    std::uint32_t question;
    std::size_t begin;
    std::size_t end;
  };

  ContextSet() : places_(0, Hash{this}, Equal{this}) {}
  ContextSet(const ContextSet&) = delete;  // places_ points back
  ContextSet& operator=(const ContextSet&) = delete;

  std::uint32_t add(std::uint32_t question, const Context& context) {
    const auto place = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({question, texts_.size(), texts_.size() + context.size()});
    texts_.insert(texts_.end(), context.begin(), context.end());
    const auto [at, fresh] = places_.insert(place);
    if (!fresh) {
      texts_.resize(entries_.back().begin);
      entries_.pop_back();
    }
    return *at;
  }

  std::span<const Entry> entries() const { return entries_; }
  std::span<const TextId> texts() const { return texts_; }

 private:
  std::span<const TextId> texts_of(const Entry& entry) const {
    return texts().subspan(entry.begin, entry.end - entry.begin);
  }

  struct Hash {
    const ContextSet* set;
    std::size_t operator()(std::uint32_t place) const {
      const Entry& entry = set->entries_[place];
      const auto list = set->texts_of(entry);
      return XXH3_64bits_withSeed(list.data(), list.size_bytes(), entry.question);
    }
  };
  struct Equal {
    const ContextSet* set;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      const Entry& left = set->entries_[a];
      const Entry& right = set->entries_[b];
      return left.question == right.question && std::ranges::equal(set->texts_of(left), set->texts_of(right));
    }
  };

  std::vector<Entry> entries_;
  std::vector<TextId> texts_;
  std::unordered_set<std::uint32_t, Hash, Equal> places_;
};

// The texts of one trace by sentence.
class SentenceTexts {
 public:
  void add(SentenceId sentence, TextId text) { texts_.emplace_back(index(sentence), text); }  // in ascending order

  // Appends the texts of sentences; false when one has none.
  bool append(std::span<const SentenceId> sentences, Context& context) const {
    for (const SentenceId s : sentences) {
      const auto at = std::lower_bound(texts_.begin(), texts_.end(), std::pair{index(s), TextId{0}});
      if (at == texts_.end() || at->first != index(s)) return false;
      context.push_back(at->second);
    }
    return true;
  }

 private:
  std::vector<std::pair<std::uint32_t, TextId>> texts_;
};

}  // namespace

std::vector<SentenceId> context_before(const Trace& trace, std::size_t step) {
  std::vector<SentenceId> seen;
  for (std::size_t i = 0; i < step; ++i) {
    const auto& fresh = trace.steps[i].outcome.new_sentences;
    seen.insert(seen.end(), fresh.begin(), fresh.end());
  }
  return seen;
}

class ContextBatch::Builder {
 public:
  Status add(const Trace& trace, std::size_t number, bool with_coalitions) {
    EpisodeContexts& episode = batch_.episodes_.emplace_back();
    if (trace.arm != kArmMenu) {
      return fail(
          ErrorCode::kInvalidArgument,
          "{} was played by free text (arm \"{}\"): SNC compares an action with the others of a finite menu and "
          "is not defined on it; give traces that were played by menu",
          name_of(trace, number), trace.arm);
    }
    if (!trace.with_frontier) {
      return fail(ErrorCode::kInvalidArgument,
                  "{} was recorded without its frontiers, which credit needs; record it with them",
                  name_of(trace, number));
    }
    std::vector<std::string> aliases = answer_aliases(trace.answers);
    if (aliases.empty()) {
      episode.not_scored = NotScored{NotScoredReason::kNoAlias, name_of(trace, number) + " has no gold answer"};
      return {};
    }
    const std::uint32_t question = question_of(trace, std::move(aliases));
    const SentenceTexts texts = texts_of(trace);
    HARNESSG_RETURN_IF_ERROR(add_steps(trace, number, question, texts, episode));
    if (with_coalitions) HARNESSG_RETURN_IF_ERROR(add_coalitions(trace, number, question, texts, episode));
    return {};
  }

  ContextBatch finish() && {
    batch_.texts_.reserve(contexts_.texts().size());
    for (const TextId text : contexts_.texts()) batch_.texts_.push_back(texts_[text]);
    const std::span<const std::string_view> all = batch_.texts_;
    for (const ContextSet::Entry& entry : contexts_.entries()) {
      batch_.requests_.push_back({questions_[entry.question], all.subspan(entry.begin, entry.end - entry.begin),
                                  batch_.aliases_[entry.question]});
    }
    return std::move(batch_);
  }

 private:
  std::uint32_t question_of(const Trace& trace, std::vector<std::string> aliases) {
    std::string key = fmt::format("{}:{}", trace.question.size(), trace.question);
    for (const std::string& alias : aliases) key += fmt::format("{}:{}", alias.size(), alias);
    const auto [at, fresh] =
        question_numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(questions_.size()));
    if (fresh) {
      questions_.emplace_back(trace.question);
      batch_.aliases_.push_back(std::move(aliases));
    }
    return at->second;
  }

  SentenceTexts texts_of(const Trace& trace) {
    SentenceTexts result;
    for (const auto& [sentence, node] : trace.sentences) {
      const auto [at, fresh] = text_numbers_.try_emplace(node.text, static_cast<TextId>(texts_.size()));
      if (fresh) texts_.emplace_back(node.text);
      result.add(SentenceId{sentence}, at->second);
    }
    return result;
  }

  std::uint32_t request(std::uint32_t question, const Context& context) {
    ++batch_.naive_requests_;
    return contexts_.add(question, context);
  }

  Status add_steps(const Trace& trace, std::size_t number, std::uint32_t question, const SentenceTexts& texts,
                   EpisodeContexts& episode) {
    Context seen;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      const TraceStep& step = trace.steps[i];
      const std::size_t before = seen.size();
      const auto see = [&](const TraceOutcome& outcome) {
        seen.resize(before);
        return texts.append(outcome.new_sentences, seen);
      };
      bool complete = true;
      if (has_credit(step.event)) {
        StepContexts& contexts = episode.steps.emplace_back();
        contexts.step = i;
        contexts.before = request(question, seen);
        for (const Alternative& alternative : step.frontier) {
          complete = complete && see(alternative.outcome);
          contexts.alternatives.push_back(request(question, seen));
        }
        complete = complete && see(step.outcome);
        contexts.taken = request(question, seen);
      } else {
        complete = see(step.outcome);
      }
      if (!complete) return lacks_text(trace, number);
    }
    return {};
  }

  // Only lookups show something; one of a smaller coalition shows its view as it was, whether or not that is new there.
  Status add_coalitions(const Trace& trace, std::size_t number, std::uint32_t question, const SentenceTexts& texts,
                        EpisodeContexts& episode) {
    const Provenance provenance(trace);
    const std::size_t players = provenance.size();
    if (players > kMaxShapleyPlayers) {
      return fail(ErrorCode::kInvalidArgument,
                  "exact Shapley values take at most {} steps, {} has {}; use the provenance estimator",
                  kMaxShapleyPlayers, name_of(trace, number), players);
    }
    for (std::uint32_t coalition = 0; coalition < std::uint32_t{1} << players; ++coalition) {
      std::vector<SentenceId> shown;
      for (const TraceStep& step : trace.steps) {
        if (step.event == Event::kInit) show(step, shown);
      }
      const std::uint32_t members = provenance.supported(coalition);
      for (std::size_t node = 0; node < players; ++node) {
        const TraceStep& step = trace.steps[provenance.steps()[node]];
        if ((members >> node & 1u) != 0 && step.event == Event::kLookup) show(step, shown);
      }
      Context context;
      if (!texts.append(shown, context)) return lacks_text(trace, number);
      episode.coalitions.push_back(request(question, context));
    }
    return {};
  }

  // Appends what was not shown yet.
  static void show(const TraceStep& step, std::vector<SentenceId>& shown) {
    for (const SentenceId s : step.outcome.sentences) {
      if (std::find(shown.begin(), shown.end(), s) == shown.end()) shown.push_back(s);
    }
  }

  static tl::unexpected<Error> lacks_text(const Trace& trace, std::size_t number) {
    return fail(ErrorCode::kBadInput, "{} names a sentence that its own table lacks; record the trace again",
                name_of(trace, number));
  }

  ContextBatch batch_;
  ContextSet contexts_;
  std::vector<std::string_view> questions_;
  std::vector<std::string_view> texts_;
  std::unordered_map<std::string, std::uint32_t> question_numbers_;
  std::unordered_map<std::string_view, TextId> text_numbers_;
};

Result<ContextBatch> ContextBatch::collect(std::span<const Trace> traces, bool with_coalitions) {
  Builder builder;
  for (std::size_t i = 0; i < traces.size(); ++i) HARNESSG_RETURN_IF_ERROR(builder.add(traces[i], i, with_coalitions));
  return std::move(builder).finish();
}

namespace {

// Looks up scores, and remembers the first one that is missing.
class Lookup {
 public:
  explicit Lookup(std::span<const Score> scores) : scores_(scores) {}

  double operator()(std::uint32_t request) {
    const Score& score = scores_[request];
    if (score) return *score;
    if (!missing_) missing_ = score.error();
    return 0;
  }
  std::vector<double> operator()(std::span<const std::uint32_t> requests) {
    std::vector<double> result;
    result.reserve(requests.size());
    for (const std::uint32_t request : requests) result.push_back((*this)(request));
    return result;
  }
  const std::optional<NotScored>& missing() const { return missing_; }

 private:
  std::span<const Score> scores_;
  std::optional<NotScored> missing_;
};

EpisodeScores scores_of(const EpisodeContexts& episode, std::span<const Score> scores) {
  EpisodeScores result;
  if (episode.not_scored) {
    result.not_scored = episode.not_scored;
    return result;
  }
  Lookup score(scores);
  for (const StepContexts& step : episode.steps) {
    result.steps.push_back({step.step, score(step.before), score(step.taken), score(step.alternatives)});
  }
  result.coalitions = score(episode.coalitions);
  if (score.missing()) return {score.missing(), {}, {}};
  return result;
}

}  // namespace

Result<std::vector<EpisodeScores>> score_contexts(const ContextBatch& batch, const Scorer& scorer) {
  HARNESSG_ASSIGN(const std::vector<Score> scores, checked_scores(scorer, batch.requests()));
  std::vector<EpisodeScores> result;
  result.reserve(batch.episodes().size());
  for (const EpisodeContexts& episode : batch.episodes()) result.push_back(scores_of(episode, scores));
  return result;
}

}  // namespace harnessg
