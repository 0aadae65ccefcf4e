// The ways in which `harnessg credit` measures what a step was worth.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/credit_traces.h"
#include "bindings/cli/embedder_choice.h"
#include "credit/models/scorer.h"
#include "credit/rollout.h"
#include "credit/snc.h"
#include "data/index.h"
#include "data/result.h"

namespace harnessg {

// What is said of one trace with credit.
struct CreditText {
  std::string json;         // an object
  std::string table;        // rows
  std::string explanation;  // lines
};

class CreditEstimator {
 public:
  virtual ~CreditEstimator() = default;

  virtual std::string_view name() const = 0;
  // How many traces at a time keep memory within bounds.
  virtual std::size_t batch() const = 0;
  // One text an item, empty where the item is or becomes uncredited. An Error means that nothing can go on.
  virtual Result<std::vector<CreditText>> credit(std::span<CreditItem> items) = 0;
  // What was asked of the scorer so far, a sentence without its full stop.
  virtual std::string effort() const = 0;
};

// SNC: along the provenance graph or by Shapley values, as options.enabling says. `scorer` outlives it.
class SncEstimator final : public CreditEstimator {
 public:
  SncEstimator(const Scorer& scorer, const SncOptions& options) : scorer_(scorer), options_(options) {}

  std::string_view name() const override { return options_.enabling == Enabling::kShapley ? "shapley" : "snc"; }
  std::size_t batch() const override { return 1024; }
  Result<std::vector<CreditText>> credit(std::span<CreditItem> items) override;
  std::string effort() const override;

 private:
  const Scorer& scorer_;
  SncOptions options_;
  std::size_t asked_ = 0;
  std::size_t naive_ = 0;
};

// What the ends of rollouts are valued by.
enum class ValueKind : std::uint8_t { kAnswer, kSeen, kSelected };

struct RolloutSetup {
  std::shared_ptr<const Index> index;
  std::optional<EmbedderChoice> embedder;
  std::string embedder_folder;
  ValueKind value = ValueKind::kAnswer;
  const Scorer* scorer = nullptr;             // of kAnswer
  const KnownQuestions* questions = nullptr;  // of kSeen and kSelected: where the supporting facts are
  RolloutOptions options;
};

// Fork and return; an environment is made for each configuration that the traces were played by.
class RolloutEstimator final : public CreditEstimator {
 public:
  explicit RolloutEstimator(RolloutSetup setup) : setup_(std::move(setup)), facts_(setup_.index->graph()) {}

  std::string_view name() const override { return "rollout"; }
  std::size_t batch() const override { return 64; }
  Result<std::vector<CreditText>> credit(std::span<CreditItem> items) override;
  std::string effort() const override;

 private:
  using Settings = std::vector<std::pair<std::string, std::string>>;
  struct Prepared {
    std::size_t item = 0;
    ReplayedTrace replayed;
  };
  using Groups = std::map<const Environment*, std::vector<Prepared>>;

  Result<const Environment*> environment_for(const Trace& trace, Config config);
  std::optional<Uncredited> why_not(const CreditItem& item) const;
  Status prepare(CreditItem& item, std::size_t number, Groups& groups);
  FinalValue value_of(std::span<CreditItem> items, std::span<const Prepared> prepared);
  Status credit_group(const Environment& environment, std::span<CreditItem> items, std::span<const Prepared> prepared,
                      std::vector<CreditText>& texts);

  RolloutSetup setup_;
  FactResolver facts_;
  std::map<Settings, std::unique_ptr<Environment>> environments_;
  std::size_t ends_ = 0;
};

}  // namespace harnessg
