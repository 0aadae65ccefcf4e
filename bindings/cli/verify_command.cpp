#include "bindings/cli/verify_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bindings/cli/output.h"
#include "data/index.h"

namespace harnessg {
namespace {

struct VerifyArguments {
  std::string index;
  bool json = false;
};

Status run_verify(const VerifyArguments& arguments) {
  const Status holds = verify_index(arguments.index);
  if (!arguments.json) {
    HARNESSG_RETURN_IF_ERROR(holds);
    return print(fmt::format("{}: everything holds\n", arguments.index));
  }
  nlohmann::ordered_json result{{"index", arguments.index}, {"ok", holds.has_value()}};
  result["error"] = holds ? nlohmann::ordered_json() : nlohmann::ordered_json(holds.error().message);
  HARNESSG_RETURN_IF_ERROR(print(result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'));
  return holds;
}

}  // namespace

void add_verify_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("verify", "Check every byte and every invariant of an index");
  auto arguments = std::make_shared<VerifyArguments>();
  command->add_option("INDEX", arguments->index, "Folder of the index")->required();
  command->add_flag("--json", arguments->json, "One JSON object {index, ok, error} instead of a line");
  command->footer(
      "Exit status 0 only if everything holds: hashes of all files, checksums of the store, invariants of the graph,\n"
      "the content hash.\n"
      "\n"
      "Example:\n"
      "  harnessg verify my-index && echo good");
  command->callback([arguments, &work] { work = [arguments] { return run_verify(*arguments); }; });
}

}  // namespace harnessg
