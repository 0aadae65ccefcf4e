// What may be said to `harnessg credit`.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "credit/models/scorer_choice.h"
#include "credit/rollout.h"
#include "credit/snc.h"

namespace harnessg {

struct CreditArguments {
  std::vector<std::string> traces;
  std::optional<std::string> questions;
  std::string estimator = "snc";
  bool json = false;
  bool explain = false;
  bool allow_uncredited = false;

  std::string scorer = "lexical";
  ScorerOptions scorer_options;

  SncOptions snc;
  std::string baseline = "mean";

  std::optional<std::string> index;
  RolloutOptions rollout;
  std::string value = "answer";
  std::string alternatives = "menu";
  std::optional<std::string> embedder;
  std::string embedder_folder;
};

// Declares all options. `arguments` outlives the parsing.
void add_credit_options(CLI::App& command, CreditArguments& arguments);

// After the parsing: throws a CLI::ParseError when options were given that mean nothing together, and completes
// `arguments` by what the words in it mean.
void check_credit_options(const CLI::App& command, CreditArguments& arguments);

}  // namespace harnessg
