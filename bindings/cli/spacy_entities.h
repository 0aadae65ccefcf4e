// `--entities spacy`: the program in Python that finds entities with spaCy.
#pragma once

#include <filesystem>
#include <memory>

#include "builder/build.h"
#include "builder/mention_program.h"
#include "data/result.h"

namespace harnessg {

struct SpacyProgram {
  std::filesystem::path python;  // the interpreter; without a slash it is looked for on PATH
  std::filesystem::path script;  // bindings/python/harnessg/_spacy.py
};

// For the command. The script is the one beside it: in the build folder, in the tree around that, or where `install`
// puts it. The interpreter is the one that HARNESSG_PYTHON names, else python3 in the tree's .venv, else the one beside
// the command, else python3 on PATH. kNotFound without the script.
Result<SpacyProgram> find_spacy_program();

// Starts it on the corpus of the settings and makes the settings take their mentions from it, with the title gazetteer
// unless they say otherwise. Errors of check_output_folder, which comes first, and of MentionProcess::start. What is
// returned must outlive the build.
Result<std::unique_ptr<MentionProcess>> start_spacy(const SpacyProgram& program, BuildSettings& settings);

}  // namespace harnessg
