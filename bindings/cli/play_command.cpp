#include "bindings/cli/play_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "bindings/cli/embedder_choice.h"
#include "bindings/cli/output.h"
#include "bindings/cli/play_session.h"
#include "bindings/cli/play_summary.h"
#include "bindings/cli/rule_choice.h"
#include "data/questions.h"

namespace harnessg {
namespace {

struct PlayArguments {
  std::string index;
  std::optional<std::string> question;
  std::vector<std::string> answers;
  std::optional<std::string> questions;
  std::optional<std::string> id;
  std::uint64_t nth = 1;
  std::optional<std::string> actions;
  std::optional<std::string> answer_text;
  std::string profile = "default";
  std::vector<std::string> settings;
  std::optional<std::string> scoring;
  std::optional<std::string> embedder;
  std::string embedder_folder;
  bool frontier = false;
  bool json = false;
};

constexpr char kFooter[] =
    "Without --actions a person plays: type an action id, `preview A3`, `?` or `quit`. With --json the conversation "
    "goes\n"
    "to standard error then, and the trace (docs/trace.md) to standard output.\n"
    "\n"
    "Examples:\n"
    "  harnessg play my-index --question \"Who directed Vertigo?\"\n"
    "  harnessg play my-index --questions questions.jsonl --id q16 --actions A0,A12,A1,A9 --answer-text London\n"
    "  harnessg play my-index --question \"Who directed Vertigo?\" --actions A6 --set turn_budget=8 --json";

// The actions of "A0,A3 A5".
std::vector<std::string> split_actions(std::string_view text) {
  std::vector<std::string> actions;
  constexpr std::string_view kSeparators = ", \t\r\n";
  for (std::size_t begin = text.find_first_not_of(kSeparators); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
    actions.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSeparators, end);
  }
  return actions;
}

Result<QuestionRecord> choose_question(const PlayArguments& arguments) {
  if (arguments.question) {
    QuestionRecord typed;
    typed.question = *arguments.question;
    typed.answers = arguments.answers;
    return typed;
  }
  HARNESSG_ASSIGN(std::vector<QuestionRecord> all, read_questions(*arguments.questions));
  if (arguments.id) {
    for (QuestionRecord& question : all) {
      if (question.id == *arguments.id) return std::move(question);
    }
    return fail(ErrorCode::kNotFound, "{} has no question with the id \"{}\"; its first is \"{}\"",
                *arguments.questions, *arguments.id, all.empty() ? "" : all.front().id);
  }
  if (arguments.nth > all.size()) {
    return fail(ErrorCode::kNotFound, "{} has {} questions, so --nth {} is none of them", *arguments.questions,
                all.size(), arguments.nth);
  }
  return std::move(all[arguments.nth - 1]);
}

Result<std::unique_ptr<Environment>> open_environment(const PlayArguments& arguments) {
  std::optional<EmbedderChoice> choice;
  if (arguments.embedder) {
    HARNESSG_ASSIGN(choice, parse_embedder(*arguments.embedder));
  }
  HARNESSG_ASSIGN(Config config, choose_rules(arguments.profile, arguments.settings, arguments.scoring));
  HARNESSG_ASSIGN(auto index, Index::open(arguments.index));
  HARNESSG_ASSIGN(auto embedder, query_embedder(*index, config.scoring, choice, arguments.embedder_folder));
  EnvironmentOptions options;
  options.config = std::move(config);
  return Environment::create(std::move(index), std::move(options), std::move(embedder));
}

// Plays the list, or with the person at the terminal; then the answer.
Status play_through(const PlayArguments& arguments, PlaySession& session, const Episode& episode) {
  HARNESSG_RETURN_IF_ERROR(session.start());
  if (arguments.actions) {
    HARNESSG_RETURN_IF_ERROR(session.play(split_actions(*arguments.actions)));
  } else {
    HARNESSG_ASSIGN(const bool stayed, session.converse(std::cin));
    if (!stayed) return {};
  }
  if (arguments.answer_text) return session.answer(*arguments.answer_text);
  if (!arguments.actions && episode.ended()) return session.ask_answer(std::cin);
  return {};
}

Say conversation(const PlayArguments& arguments) {
  if (!arguments.json) return print;
  if (arguments.actions) return [](std::string_view) { return Status(); };
  return [](std::string_view text) {
    print_error(text);
    return Status();
  };
}

Status run_play(const PlayArguments& arguments) {
  HARNESSG_ASSIGN(const QuestionRecord question, choose_question(arguments));
  HARNESSG_ASSIGN(const auto environment, open_environment(arguments));
  HARNESSG_ASSIGN(Episode episode, environment->reset({question.question, question.answers, question.id, 0}));
  const Say say = conversation(arguments);
  PlaySession session(*environment, episode, say);
  HARNESSG_RETURN_IF_ERROR(play_through(arguments, session, episode));
  HARNESSG_RETURN_IF_ERROR(say(play_summary(*environment, episode, question)));
  if (!arguments.json) return {};
  HARNESSG_ASSIGN(const Trace trace, environment->trace(episode, arguments.frontier));
  return print(to_json(trace) + '\n');
}

void add_question_options(CLI::App& command, PlayArguments& arguments) {
  CLI::Option* const typed = command.add_option("--question", arguments.question, "The question, as text");
  CLI::Option* const file = command.add_option("--questions", arguments.questions,
                                               "A file of questions: HotpotQA, 2Wiki, MuSiQue, or JSON lines");
  command.add_option("--answer", arguments.answers, "An accepted answer of --question; may be repeated")
      ->allow_extra_args(false)
      ->needs(typed);
  CLI::Option* const id = command.add_option("--id", arguments.id, "Which of --questions, by id")->needs(file);
  command.add_option("--nth", arguments.nth, "Which of --questions, counted from 1 (default: the first)")
      ->check(CLI::PositiveNumber)
      ->needs(file)
      ->excludes(id);
  typed->excludes(file);
}

void add_rule_options(CLI::App& command, PlayArguments& arguments) {
  command.add_option("--profile", arguments.profile, "Named configuration")->capture_default_str();
  command.add_option("--set", arguments.settings, "One setting of it, as name=value; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--scoring", arguments.scoring,
                  "How text is scored (default: with the vectors where the index has some, else lexical)")
      ->check(CLI::IsMember({"lexical", "dense", "hybrid"}));
  command.add_option("--embedder", arguments.embedder,
                     "What encodes queries: minilm, or a folder with query.npy and queries.json\n"
                     "(default: minilm where the index was built with it)");
  command.add_option("--embedder-folder", arguments.embedder_folder, "Folder with the weights of minilm");
}

}  // namespace

void add_play_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("play", "Play one episode: by hand, or from a list of actions");
  auto arguments = std::make_shared<PlayArguments>();
  command->add_option("INDEX", arguments->index, "Folder of the index")->required();
  add_question_options(*command, *arguments);
  command->add_option("--actions", arguments->actions, "Play this list, such as A0,A3, without asking");
  command->add_option("--answer-text", arguments->answer_text, "The answer given when the search has ended");
  add_rule_options(*command, *arguments);
  CLI::Option* const json =
      command->add_flag("--json", arguments->json, "Print the trace, one JSON object, and nothing else");
  command->add_flag("--frontier", arguments->frontier, "Record the alternatives of every lookup in the trace")
      ->needs(json);
  command->footer(kFooter);
  command->callback([arguments, &work] {
    if (!arguments->question && !arguments->questions) {
      throw CLI::RequiredError("--question TEXT or --questions FILE");
    }
    work = [arguments] { return run_play(*arguments); };
  });
}

}  // namespace harnessg
