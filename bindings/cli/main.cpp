// The command `harnessg`. Exit status: 0 done, 1 the work failed, 2 the call was wrong.
#include <CLI/CLI.hpp>
#include <csignal>
#include <new>
#include <sstream>

#include "bindings/cli/bench_command.h"
#include "bindings/cli/command.h"
#include "bindings/cli/credit_command.h"
#include "bindings/cli/index_command.h"
#include "bindings/cli/info_command.h"
#include "bindings/cli/output.h"
#include "bindings/cli/play_command.h"
#include "bindings/cli/reward_command.h"
#include "bindings/cli/scope_command.h"
#include "bindings/cli/verify_command.h"
#include "data/version.h"

namespace harnessg {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongCall = 2;

constexpr char kFooter[] =
    "Examples:\n"
    "  harnessg index corpus.jsonl.gz --out my-index --embedder minilm\n"
    "  harnessg info my-index\n"
    "  harnessg verify my-index\n"
    "  harnessg play my-index --question \"Who directed Vertigo?\"\n"
    "  harnessg credit traces.jsonl --explain\n"
    "  harnessg reward eager --in rollouts.jsonl\n"
    "  harnessg bench my-index --questions questions.jsonl --out report\n"
    "  harnessg scope my-index --out loop\n"
    "\n"
    "`harnessg COMMAND --help` explains a command.\n"
    "Exit status: 0 done, 1 the work failed (one sentence on standard error), 2 the call was wrong.";

// One line on standard error, whatever line breaks a library put into its part of the sentence.
int complain(std::string_view sentence, int status) {
  std::string line;
  for (const char c : sentence) {
    const bool line_break = c == '\n' || c == '\r';
    if (!line_break || !line.ends_with(' ')) line += line_break ? ' ' : c;
  }
  while (line.ends_with(' ')) line.pop_back();
  print_error(fmt::format("harnessg: {}\n", line));
  return status;
}

int report(const Status& status) {
  if (status || output_closed()) return kDone;
  return complain(status.error().message, status.error().code == ErrorCode::kInvalidArgument ? kWrongCall : kFailed);
}

std::string wrong_command(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  if (!rest.empty() && rest.front().starts_with('-')) {
    return fmt::format("{} is no option of harnessg; see harnessg --help", rest.front());
  }
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) known += (known.empty() ? "" : ", ") + command->get_name();
  return fmt::format("{}; there are: {}",
                     rest.empty() ? "no command is named" : fmt::format("there is no command \"{}\"", rest.front()),
                     known);
}

// Help, version, or what is wrong about the call.
int answer_parser(const CLI::App& app, const CLI::ParseError& parsed) {
  if (parsed.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    std::ostringstream text;
    app.exit(parsed, text, text);
    return report(print(text.str()));
  }
  if (app.get_subcommands().empty()) return complain(wrong_command(app), kWrongCall);
  std::string command = "harnessg";
  for (const CLI::App* named : app.get_subcommands()) command += " " + named->get_name();
  return complain(fmt::format("{}; see {} --help", parsed.what(), command), kWrongCall);
}

int run(int argc, char** argv) {
  CLI::App app("Harness-G: search environments by menu over a paragraph / sentence / entity graph.", "harnessg");
  app.set_version_flag("--version", fmt::format("harnessg {}", kToolVersion), "Print the version and leave");
  app.set_help_flag("-h,--help", "Print this help and leave");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.get_formatter()->column_width(32);
  Work work;
  add_index_command(app, work);
  add_info_command(app, work);
  add_verify_command(app, work);
  add_play_command(app, work);
  add_credit_command(app, work);
  add_reward_command(app, work);
#ifdef HARNESSG_BENCH_COMMAND
  add_bench_command(app, work);
#endif
  add_scope_command(app, work);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& parsed) {
    return answer_parser(app, parsed);
  }
  return report(work());
}

}  // namespace
}  // namespace harnessg

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return harnessg::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return harnessg::complain("out of memory; use a machine with more, or a smaller corpus", harnessg::kFailed);
  } catch (const std::exception& error) {
    return harnessg::complain(fmt::format("an error that should have been handled: {}", error.what()),
                              harnessg::kFailed);
  }
}
