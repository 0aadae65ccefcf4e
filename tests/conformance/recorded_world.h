// A recorded graph with its grid vectors, as the rules see it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "menu/config.h"
#include "menu/entity_facts.h"
#include "menu/menu.h"
#include "tests/conformance/conformance_graph.h"

namespace harnessg::conformance {

class RecordedWorld {
 public:
  // `suffix` of the recorded files: "" (spaCy entities), "-rule", "-specsyn" (spaCy with the spec's synonym edges).
  RecordedWorld(const std::filesystem::path& shared, const std::string& set, const std::string& suffix);

  World world() const { return {set_.index->graph(), *relevance_, config_, facts_.get()}; }
  const Graph& graph() const { return set_.index->graph(); }
  // The query of a recorded text; throws std::runtime_error for a text that was not recorded.
  Query query(const std::string& text) const;
  // A question prepared by our own rules.
  Question question(const std::string& text) const;
  Config& config() { return config_; }

 private:
  ConformanceSet set_;
  std::unique_ptr<Relevance> relevance_;
  Config config_;
  std::unique_ptr<EntityFacts> facts_;
  std::unordered_map<std::string, std::size_t> rows_;
};

}  // namespace harnessg::conformance
