#include "credit/models/answer_jobs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "credit/models/patience.h"

namespace harnessg {
namespace {

constexpr std::size_t kFewestFailures = 3;

using Results = std::vector<Scored<double>>;

// Why none of one request's answers was scored, where nobody answered; else null.
const NotScored* unanswered(const Results& results) {
  const auto gone = [](const Scored<double>& result) {
    return !result && (result.error().reason == NotScoredReason::kUnavailable ||
                       result.error().reason == NotScoredReason::kTimedOut);
  };
  return std::all_of(results.begin(), results.end(), gone) ? &results.back().error() : nullptr;
}

class Run {
 public:
  Run(const LogprobSource& source, const PromptTemplate& prompt_template, std::size_t concurrency,
      std::span<const ScoreRequest> requests)
      : source_(source),
        template_(prompt_template),
        requests_(requests),
        concurrency_(concurrency),
        patience_(std::max(kFewestFailures, concurrency)) {
    for (const ScoreRequest& request : requests) {
      for (const std::string& alias : request.aliases) jobs_.push_back({&request, &alias});
    }
    results_.resize(jobs_.size(), not_scored(NotScoredReason::kUnavailable, "not asked"));
  }

  std::vector<Score> scores() {
    const std::size_t most = (jobs_.size() + source_.jobs_per_request() - 1) / source_.jobs_per_request();
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < std::min(concurrency_, most); ++i) others.emplace_back([this] { work(); });
      work();
    }
    std::vector<Score> scores;
    std::span<const Scored<double>> rest(results_);
    for (const ScoreRequest& request : requests_) {
      scores.push_back(best_of(rest.first(request.aliases.size())));
      rest = rest.subspan(request.aliases.size());
    }
    return scores;
  }

 private:
  struct Job {
    const ScoreRequest* request;
    const std::string* alias;
  };

  void work() {
    const std::size_t batch = source_.jobs_per_request();
    for (std::size_t begin = next_.fetch_add(batch); begin < jobs_.size(); begin = next_.fetch_add(batch)) {
      Results done = ask(std::span(jobs_).subspan(begin, std::min(batch, jobs_.size() - begin)));
      std::move(done.begin(), done.end(), results_.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  }

  Results ask(std::span<const Job> jobs) {
    if (const auto lost = patience_.lost()) return Results(jobs.size(), tl::unexpected(*lost));
    try {
      std::vector<AnswerJob> texts;
      for (const Job& job : jobs) {
        texts.push_back({template_.up_to_answer(job.request->question, job.request->context), *job.alias});
      }
      Results results = source_.mean_logprobs(texts);
      patience_.heard(unanswered(results));
      return results;
    } catch (const std::exception& error) {  // memory: nothing may leave a thread
      return Results(jobs.size(), not_scored(NotScoredReason::kUnavailable, "the scorer failed: {}", error.what()));
    }
  }

  static Score best_of(std::span<const Scored<double>> aliases) {
    if (aliases.empty()) return not_scored(NotScoredReason::kNoAlias, "the question has no gold answer");
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& alias : aliases) {
      if (!alias) return tl::unexpected(alias.error());
      best = std::max(best, *alias);
    }
    return std::max(std::exp(best), std::numeric_limits<double>::min());
  }

  const LogprobSource& source_;
  const PromptTemplate& template_;
  const std::span<const ScoreRequest> requests_;
  const std::size_t concurrency_;
  std::vector<Job> jobs_;
  Results results_;
  std::atomic<std::size_t> next_{0};
  Patience<NotScored> patience_;
};

}  // namespace

std::vector<Score> score_answers(const LogprobSource& source, const PromptTemplate& prompt_template,
                                 std::size_t concurrency, std::span<const ScoreRequest> requests) {
  return Run(source, prompt_template, concurrency, requests).scores();
}

}  // namespace harnessg
