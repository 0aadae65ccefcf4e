#include "bindings/cli/credit_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bindings/cli/credit_arguments.h"
#include "bindings/cli/credit_estimator.h"
#include "bindings/cli/credit_table.h"
#include "bindings/cli/credit_traces.h"
#include "bindings/cli/output.h"
#include "bindings/cli/report_table.h"
#include "engine/text_protocol.h"

namespace harnessg {
namespace {

constexpr char kFooter[] =
    "Traces are recorded by `harnessg play --json --frontier` (docs/trace.md). Every trace has its place in the "
    "output:\n"
    "one without credit says why there and on standard error, and the exit status is 1 unless --allow-uncredited.\n"
    "docs/credit.md tells what the numbers mean.\n"
    "\n"
    "Examples:\n"
    "  harnessg credit traces.jsonl --explain\n"
    "  harnessg credit traces.jsonl.zst --questions questions.jsonl --json\n"
    "  harnessg credit traces.jsonl --scorer http://127.0.0.1:8080 --cache scores --json\n"
    "  harnessg credit traces.jsonl --estimator rollout --index my-index --rollouts 64";

using Json = nlohmann::ordered_json;

struct Counts {
  std::size_t traces = 0;
  std::size_t uncredited = 0;
};

// What the command was asked for, made ready; members refer to earlier ones.
struct CreditJob {
  const CreditArguments& arguments;
  std::unique_ptr<const KnownQuestions> questions;
  std::unique_ptr<const Scorer> scorer;
  std::unique_ptr<CreditEstimator> estimator;
};

Result<std::unique_ptr<CreditEstimator>> rollout_estimator(const CreditJob& job) {
  const CreditArguments& arguments = job.arguments;
  HARNESSG_RETURN_IF_ERROR(check(arguments.rollout));
  RolloutSetup setup;
  if (arguments.embedder) {
    HARNESSG_ASSIGN(setup.embedder, parse_embedder(*arguments.embedder));
  }
  HARNESSG_ASSIGN(setup.index, Index::open(*arguments.index));
  setup.embedder_folder = arguments.embedder_folder;
  if (arguments.value != "answer") {
    setup.value = arguments.value == "seen" ? ValueKind::kSeen : ValueKind::kSelected;
  }
  setup.scorer = job.scorer.get();
  setup.questions = job.questions.get();
  setup.options = arguments.rollout;
  return std::make_unique<RolloutEstimator>(std::move(setup));
}

Result<CreditJob> prepare(const CreditArguments& arguments) {
  CreditJob job{arguments, nullptr, nullptr, nullptr};
  HARNESSG_RETURN_IF_ERROR(check(arguments.snc));
  if (arguments.questions) {
    HARNESSG_ASSIGN(KnownQuestions known, KnownQuestions::read(*arguments.questions));
    job.questions = std::make_unique<const KnownQuestions>(std::move(known));
  }
  const bool rollout = arguments.estimator == "rollout";
  if (!rollout || arguments.value == "answer") {
    HARNESSG_ASSIGN(job.scorer, make_scorer(arguments.scorer, arguments.scorer_options));
  }
  if (rollout) {
    HARNESSG_ASSIGN(job.estimator, rollout_estimator(job));
  } else {
    job.estimator = std::make_unique<SncEstimator>(*job.scorer, arguments.snc);
  }
  return job;
}

// {"trace": place, "estimator": name, ...}, the rest as the estimator has it.
std::string json_line(const CreditJob& job, const CreditItem& item, const CreditText& text) {
  Json line{{"trace", item.place}, {"estimator", job.estimator->name()}};
  if (item.uncredited) {
    const bool named = item.uncredited->reason != "bad_line";
    line["question_id"] = named ? Json(item.trace.question_id) : Json(nullptr);
    line["seed"] = named ? Json(item.trace.seed) : Json(nullptr);
    line["not_scored"] = {{"reason", item.uncredited->reason}, {"message", item.uncredited->message}};
  }
  std::string head = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (item.uncredited) return head + '\n';
  head.back() = ',';
  return head + text.json.substr(1) + '\n';
}

std::string readable(const CreditItem& item, const CreditText& text, bool explain) {
  if (item.uncredited) {
    return fmt::format("{}  no credit ({})\n\n", item.place, item.uncredited->reason);
  }
  return trace_heading(item.place, item.trace) + text.table + (explain ? "\n" + text.explanation : "") + '\n';
}

Status say(const CreditJob& job, const CreditItem& item, const CreditText& text) {
  if (item.uncredited) print_error(fmt::format("harnessg: {}\n", one_line(item.uncredited->message)));
  if (!job.arguments.json) return print(readable(item, text, job.arguments.explain));
  if (job.arguments.explain && !item.uncredited) print_error(item.place + "  " + text.explanation + '\n');
  return print(json_line(job, item, text));
}

Result<Counts> credit_all(const CreditJob& job, CreditInput& input) {
  Counts counts;
  while (true) {
    HARNESSG_ASSIGN(std::vector<CreditItem> items, input.next(job.estimator->batch()));
    if (items.empty()) return counts;
    HARNESSG_ASSIGN(const std::vector<CreditText> texts, job.estimator->credit(items));
    for (std::size_t i = 0; i < items.size(); ++i) {
      HARNESSG_RETURN_IF_ERROR(say(job, items[i], texts[i]));
      ++counts.traces;
      counts.uncredited += items[i].uncredited ? 1 : 0;
    }
  }
}

Status run_credit(const CreditArguments& arguments) {
  HARNESSG_ASSIGN(const CreditJob job, prepare(arguments));
  CreditInput input(arguments.traces, job.questions.get(), job.scorer != nullptr);
  HARNESSG_ASSIGN(const Counts counts, credit_all(job, input));
  if (counts.traces == 0) {
    return fail(ErrorCode::kBadInput, "{} holds no trace; record some by play --json --frontier",
                arguments.traces.front());
  }
  if (!arguments.json) {
    HARNESSG_RETURN_IF_ERROR(
        print(fmt::format("{} of {} traces with credit; {}\n", grouped(counts.traces - counts.uncredited),
                          grouped(counts.traces), job.estimator->effort())));
  }
  if (counts.uncredited == 0 || arguments.allow_uncredited) return {};
  return fail(ErrorCode::kBadInput, "{} of {} traces have no credit, each is named above", counts.uncredited,
              counts.traces);
}

}  // namespace

void add_credit_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("credit", "Measure what each step of recorded episodes was worth");
  auto arguments = std::make_shared<CreditArguments>();
  add_credit_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([command, arguments, &work] {
    check_credit_options(*command, *arguments);
    work = [arguments] { return run_credit(*arguments); };
  });
}

}  // namespace harnessg
