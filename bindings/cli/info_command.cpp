#include "bindings/cli/info_command.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bindings/cli/compiled_in.h"
#include "bindings/cli/counts.h"
#include "bindings/cli/output.h"
#include "bindings/cli/report_table.h"
#include "data/graph_view.h"
#include "data/index.h"

namespace harnessg {
namespace {

struct InfoArguments {
  std::string index;
  bool json = false;
};

nlohmann::ordered_json compiled_in() {
  nlohmann::ordered_json all{{"encoder", has_encoder()}};
  for (const auto& [library, version] : library_versions()) all[library] = version;
  return all;
}

std::string as_json(const Index& index, std::size_t components) {
  const Manifest& manifest = index.manifest();
  nlohmann::ordered_json info{{"format_version", manifest.format_version}, {"content_hash", manifest.content_hash}};
  for (const char* const name : kCountNames) info[name] = count_of(manifest.counts, name);
  info["components"] = components;
  info["embedder"] = manifest.embedder.name;
  info["embedder_version"] = manifest.embedder.version;
  info["dim"] = manifest.embedder.dim;
  info["query_prefix"] = manifest.embedder.query_prefix;
  info["bytes_on_disk"] = index.bytes_on_disk();
  info["memory_bytes"] = index.memory_bytes();
  info["tool_version"] = manifest.tool_version;
  info["text_rules"] = manifest.text_rules;
  info["recogniser"] = manifest.recogniser;
  info["settings"] = manifest.settings;
  info["inputs"] = manifest.input_hashes;
  info["compiled_in"] = compiled_in();
  return info.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string embedder_line(const EmbedderInfo& embedder) {
  if (embedder.dim == 0) return "none: scoring is lexical";
  return fmt::format("{}, {} dimensions, version {}", embedder.name, embedder.dim, embedder.version);
}

std::string as_table(const Index& index, std::size_t components) {
  const Manifest& manifest = index.manifest();
  ReportTable table;
  table.row("index", index.path().string());
  table.row("content hash", manifest.content_hash);
  table.row("written by", fmt::format("harnessg {}, format {}", manifest.tool_version, manifest.format_version));
  for (const char* const name : kCountNames) {
    table.row(count_words(name), grouped(count_of(manifest.counts, name)));
  }
  table.row("components", grouped(components));
  table.row("embedder", embedder_line(manifest.embedder));
  table.row("recogniser", manifest.recogniser);
  table.row("text rules", manifest.text_rules);
  table.row("on disk", byte_size(index.bytes_on_disk()));
  table.row("in memory", byte_size(index.memory_bytes()));
  for (const auto& [name, value] : manifest.settings) table.row("setting", fmt::format("{} = {}", name, value));
  for (const auto& [file, hash] : manifest.input_hashes) table.row("input", fmt::format("{} {}", hash, file));
  std::string libraries = has_encoder() ? "sentence encoder" : "no sentence encoder";
  for (const auto& [library, version] : library_versions()) libraries += fmt::format(", {} {}", library, version);
  table.row("compiled in", libraries);
  return table.text();
}

Status run_info(const InfoArguments& arguments) {
  HARNESSG_ASSIGN(const auto index, Index::open(arguments.index));
  const std::size_t components = connected_component_count(index->graph());
  return print(arguments.json ? as_json(*index, components) : as_table(*index, components));
}

}  // namespace

void add_info_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("info", "Say what an index holds: counts, sizes, memory, versions");
  auto arguments = std::make_shared<InfoArguments>();
  command->add_option("INDEX", arguments->index, "Folder of the index")->required();
  command->add_flag("--json", arguments->json, "One JSON object instead of a table");
  command->footer(
      "Opens the index, that is reads every file and compares its hash.\n"
      "\n"
      "Example:\n"
      "  harnessg info my-index --json");
  command->callback([arguments, &work] { work = [arguments] { return run_info(*arguments); }; });
}

}  // namespace harnessg
