#include "bindings/cli/index_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "bindings/cli/embedder_choice.h"
#include "bindings/cli/index_report.h"
#include "bindings/cli/output.h"
#include "bindings/cli/spacy_entities.h"
#include "builder/build.h"

namespace harnessg {
namespace {

struct IndexArguments {
  std::vector<std::string> corpus;
  std::string out;
  std::string entities = "rules";
  std::string gazetteer = "auto";
  std::string embedder = "none";
  std::string embedder_folder;
  std::uint32_t chunk_tokens = 0;
  std::uint32_t chunk_overlap = 0;
  std::string on_error = "fail";
  bool force = false;
  unsigned threads = 0;
  std::string progress = "auto";
  bool json = false;
};

constexpr char kFooter[] =
    "A corpus is JSON lines with \"id\", \"title\" and \"text\", a folder of text files, or a file of HotpotQA, 2Wiki "
    "or\n"
    "MuSiQue; .gz and .zst are read directly, - is standard input. Without --embedder the index has no vectors and is\n"
    "scored lexically (BM25). The same corpus and settings give the same content hash.\n"
    "\n"
    "Examples:\n"
    "  harnessg index corpus.jsonl.gz --out my-index\n"
    "  harnessg index corpus.jsonl --out my-index --embedder minilm --force\n"
    "  harnessg index corpus.jsonl --out my-index --entities spacy\n"
    "  zcat dump.gz | harnessg index - --out my-index --entities mentions.jsonl --on-error skip --json";

// The mentions file, "" for the built-in rules and for spaCy.
Result<std::filesystem::path> mentions_file(const std::string& entities) {
  if (entities == "rules" || entities == "spacy") return std::filesystem::path();
  std::error_code error;
  if (entities.find_first_of("/.") != std::string::npos || std::filesystem::exists(entities, error)) return entities;
  return fail(ErrorCode::kInvalidArgument,
              "--entities {} is none of what there is: rules, spacy, or a file of mentions", entities);
}

Result<EmbedderChoice> embedder_choice(const IndexArguments& arguments) {
  HARNESSG_ASSIGN(EmbedderChoice choice, parse_embedder(arguments.embedder));
  if (!arguments.embedder_folder.empty() && choice.kind != EmbedderChoice::Kind::kMiniLm) {
    return fail(ErrorCode::kInvalidArgument, "--embedder-folder is for --embedder minilm, not for {}; leave it out",
                arguments.embedder);
  }
  return choice;
}

Result<BuildSettings> build_settings(const IndexArguments& arguments) {
  BuildSettings settings;
  settings.corpus.assign(arguments.corpus.begin(), arguments.corpus.end());
  settings.output = arguments.out;
  settings.replace = arguments.force;
  settings.corpus_options.on_error = arguments.on_error == "skip" ? OnError::kSkip : OnError::kFail;
  settings.chunks = {arguments.chunk_tokens, arguments.chunk_overlap};
  settings.threads = arguments.threads;
  if (arguments.gazetteer != "auto") settings.title_gazetteer = arguments.gazetteer == "on";
  HARNESSG_ASSIGN(settings.mentions_file, mentions_file(arguments.entities));
  HARNESSG_RETURN_IF_ERROR(check_chunks(settings.chunks));
  return settings;
}

std::unique_ptr<ProgressSink> progress_sink(const std::string& when) {
  const bool shown = when == "always" || (when == "auto" && stderr_is_terminal());
  return shown ? std::make_unique<TerminalProgress>(stderr) : nullptr;
}

Status run_index(const IndexArguments& arguments) {
  HARNESSG_ASSIGN(const EmbedderChoice choice, embedder_choice(arguments));
  HARNESSG_ASSIGN(BuildSettings settings, build_settings(arguments));
  HARNESSG_RETURN_IF_ERROR(check_output_folder(settings.output, settings.replace));
  std::shared_ptr<const Embedder> embedder;
  if (choice.kind == EmbedderChoice::Kind::kMiniLm) {
    HARNESSG_ASSIGN(embedder, load_minilm(arguments.embedder_folder, arguments.threads));
    settings.embedder = embedder.get();
  }
  settings.vectors = choice.files;
  std::unique_ptr<MentionProcess> spacy;
  if (arguments.entities == "spacy") {
    HARNESSG_ASSIGN(const SpacyProgram program, find_spacy_program());
    HARNESSG_ASSIGN(spacy, start_spacy(program, settings));
  }
  const std::unique_ptr<ProgressSink> sink = progress_sink(arguments.progress);
  HARNESSG_ASSIGN(const BuildReport report, build_index(settings, sink.get()));
  HARNESSG_ASSIGN(const IndexReport whole, read_index_report(settings.output, report));
  return print(arguments.json ? index_report_json(whole) : index_report_table(whole));
}

void add_input_options(CLI::App& command, IndexArguments& arguments) {
  command.add_option("CORPUS", arguments.corpus, "Files and folders, in order; - is standard input")->required();
  command
      .add_option("--entities", arguments.entities,
                  "Where entities come from: rules (built in), spacy (where Python has it),\n"
                  "or a file of mentions")
      ->capture_default_str();
  command
      .add_option("--gazetteer", arguments.gazetteer,
                  "Titles are mentions wherever they are named: on, off,\n"
                  "auto (on, but off with a file of mentions)")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  command
      .add_option("--embedder", arguments.embedder,
                  "Where vectors come from: none, minilm (built in), a .npy file,\n"
                  "or a folder with paragraph.npy, sentence.npy and entity.npy")
      ->capture_default_str();
  command.add_option("--embedder-folder", arguments.embedder_folder, "Folder with the weights of minilm");
  command.add_option("--chunk-tokens", arguments.chunk_tokens,
                     "Cut records into paragraphs of at most this many words (default: a record is one)");
  command.add_option("--chunk-overlap", arguments.chunk_overlap, "Words that a paragraph repeats of the one before");
  command.add_option("--on-error", arguments.on_error, "What a bad record does: fail, or skip (counted)")
      ->check(CLI::IsMember({"fail", "skip"}))
      ->capture_default_str();
}

}  // namespace

void add_index_command(CLI::App& app, Work& work) {
  CLI::App* const command = app.add_subcommand("index", "Build an index from a corpus");
  auto arguments = std::make_shared<IndexArguments>();
  add_input_options(*command, *arguments);
  command->add_option("--out", arguments->out, "Folder of the index")->required();
  command->add_flag("--force", arguments->force, "Replace an index that is there");
  command->add_option("--threads", arguments->threads, "Threads (default: one a core)")->check(CLI::Range(1u, 1024u));
  command->add_option("--progress", arguments->progress, "On standard error: auto (on a terminal), always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Report as one JSON object instead of a table");
  command->footer(kFooter);
  command->callback([arguments, &work] { work = [arguments] { return run_index(*arguments); }; });
}

}  // namespace harnessg
