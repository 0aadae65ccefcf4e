#include "bindings/cli/spacy_entities.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace harnessg {
namespace {

namespace fs = std::filesystem;

// The first that exists, "" when none does.
fs::path first_existing(const std::vector<fs::path>& paths) {
  std::error_code error;
  const auto found =
      std::find_if(paths.begin(), paths.end(), [&](const fs::path& path) { return exists(path, error); });
  return found == paths.end() ? fs::path() : *found;
}

fs::path command_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

fs::path interpreter(const fs::path& folder) {
  if (const char* const named = std::getenv("HARNESSG_PYTHON"); named && *named) return named;
  const fs::path found = first_existing({folder.parent_path() / ".venv/bin/python3", folder / "python3"});
  return found.empty() ? fs::path("python3") : found;
}

}  // namespace

Result<SpacyProgram> find_spacy_program() {
  const fs::path folder = command_folder();
  const fs::path script =
      first_existing({folder / "python/harnessg/_spacy.py", folder.parent_path() / "bindings/python/harnessg/_spacy.py",
                      folder.parent_path() / "share/harnessg/_spacy.py"});
  if (script.empty())
    return fail(ErrorCode::kNotFound,
                "the program that runs spaCy, _spacy.py, is not beside {}; install harnessg as a whole, or use "
                "--entities rules",
                folder.string());
  return SpacyProgram{interpreter(folder), script};
}

Result<std::unique_ptr<MentionProcess>> start_spacy(const SpacyProgram& program, BuildSettings& settings) {
  HARNESSG_RETURN_IF_ERROR(check_output_folder(settings.output, settings.replace));
  const unsigned processes =
      settings.threads > 0 ? settings.threads : std::max(1u, std::thread::hardware_concurrency());
  HARNESSG_ASSIGN(std::unique_ptr<MentionProcess> process,
                  MentionProcess::start(
                      {"spaCy",
                       {program.python.string(), program.script.string(), "--processes", std::to_string(processes)},
                       settings.corpus,
                       settings.corpus_options,
                       settings.chunks}));
  settings.mentions = process.get();
  settings.recogniser = process->name();
  if (!settings.title_gazetteer) settings.title_gazetteer = true;
  return process;
}

}  // namespace harnessg
