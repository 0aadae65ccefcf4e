// Our builder against the recorded graphs of the published release: same sentences, same mentions, same graph.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "builder/synonyms.h"
#include "data/entity_text.h"
#include "data/graph.h"
#include "data/label.h"
#include "data/npy.h"
#include "data/text.h"
#include "tests/conformance/conformance_graph.h"
#include "tests/data/shared_data.h"

using namespace harnessg;
using harnessg::conformance::build_recorded_graph;
using harnessg::conformance::load_conformance_set;
using harnessg::conformance::read_recorded_json;
using nlohmann::json;

namespace {

const char* const kSets[] = {"2wiki", "hotpot", "musique"};

// How many of how many rows of a table agree; rows that differ by a rule of ours are counted with its reason.
class Agreement {
 public:
  explicit Agreement(std::string name) : name_(std::move(name)) {}
  ~Agreement() {
    std::string text = name_ + ": " + std::to_string(equal_) + " of " + std::to_string(rows_) + " agree";
    for (const auto& [reason, count] : explained_) text += ", " + std::to_string(count) + " differ by " + reason;
    MESSAGE(text);
    for (const std::string& difference : differences_) MESSAGE("  ", difference);
    CHECK_MESSAGE(equal_ == rows_, name_);
    CHECK_MESSAGE(rows_ > 0, name_);
  }
  void row(bool same, const std::string& what) {
    ++rows_;
    equal_ += same;
    if (!same && differences_.size() < 10) differences_.push_back(what);
  }
  // A row whose difference the recorded file explains itself.
  void explained(const std::string& reason) { ++explained_[reason]; }

 private:
  std::string name_;
  std::size_t rows_ = 0, equal_ = 0;
  std::map<std::string, std::size_t> explained_;
  std::vector<std::string> differences_;
};

template <class Id>
std::vector<std::uint32_t> numbers(std::span<const Id> ids) {
  std::vector<std::uint32_t> result;
  for (const Id id : ids) result.push_back(index(id));
  return result;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void compare_entities(const std::string& name, const Graph& graph, const json& recorded) {
  Agreement canonical(name + " canonical forms"), keys(name + " identity keys"), labels(name + " labels"),
      surfaces(name + " surface forms"), sentences(name + " sentences of entities"), texts(name + " texts to encode"),
      targets(name + " lookup targets");
  REQUIRE(graph.entity_count() == recorded.size());
  for (const json& row : recorded) {
    const EntityId e{row["i"].get<std::uint32_t>()};
    const std::string expected = row["canonical"];
    const bool ascii = is_ascii(expected);
    // The release's keys and punctuation rules know ASCII only ("café" -> "caf"); ours are Unicode's.
    if (graph.canonical(e) == expected || ascii)
      canonical.row(graph.canonical(e) == expected, expected);
    else
      canonical.explained("ascii_only_entity_key");
    const std::string key = identity_key(graph.canonical(e));
    if (key == row["key"] || ascii)
      keys.row(key == row["key"], expected);
    else
      keys.explained("ascii_only_entity_key");
    labels.row(label_name(graph.label(e)) == row["label"].get<std::string>(), expected);
    std::vector<std::string> forms;
    for (std::uint32_t i = 0; i < graph.surface_count(e); ++i) forms.emplace_back(graph.surface(e, i));
    surfaces.row(forms == row["surfaces"].get<std::vector<std::string>>(), expected);
    sentences.row(numbers(graph.sentences(e)) == row["sents"].get<std::vector<std::uint32_t>>(), expected);
    const std::string text = embedding_text(graph, e);
    if (text == row["embed_text"] || ascii)
      texts.row(text == row["embed_text"], text);
    else
      texts.explained("ascii_only_entity_key");
    const bool target = is_lookup_target(graph.surface(e), graph.label(e));
    // The release's list of nationality adjectives holds "europe".
    if (expected == "europe" && target)
      targets.explained("adjective_list_contains_europe");
    else
      targets.row(target == row["lookup_ok"].get<bool>(), expected);
  }
}

void compare_edges(const std::string& name, const Graph& graph, const json& variant) {
  Agreement sentences(name + " entities of sentences"), paragraphs(name + " entities of paragraphs"),
      neighbours(name + " neighbour sentences"), mentions(name + " number of mentions");
  for (std::uint32_t s = 0; s < graph.sentence_count(); ++s)
    sentences.row(
        numbers(graph.entities(SentenceId{s})) == variant["sent_entities"][s].get<std::vector<std::uint32_t>>(),
        "sentence " + std::to_string(s));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> counts;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) {
    std::uint32_t all = 0;
    for (const EntityCount& count : graph.entities(ParagraphId{p})) all += count.mentions;
    for (const EntityCount& count : graph.entities(ParagraphId{p}))
      counts[{p, index(count.entity)}] = {count.mentions, all};
  }
  CHECK(counts.size() == variant["paragraph_entity"].size());
  for (const json& row : variant["paragraph_entity"])
    paragraphs.row(counts[{row[0], row[1]}] == std::pair<std::uint32_t, std::uint32_t>{row[2], row[3]}, row.dump());
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t s = 1; s < graph.sentence_count(); ++s)
    if (graph.paragraph(SentenceId{s}) == graph.paragraph(SentenceId{s - 1})) pairs.emplace(s - 1, s);
  CHECK(pairs.size() == variant["neighbours"].size());
  for (const json& row : variant["neighbours"]) neighbours.row(pairs.contains({row[0], row[1]}), row.dump());
  mentions.row(graph.tables().mention_count == variant["mentions"].size(),
               std::to_string(graph.tables().mention_count));
}

void compare_synonyms(const std::string& name, const std::vector<SynonymEdge>& edges, const json& recorded) {
  const char* const kReasons[] = {"exact", "token", "acronym"};
  Agreement agreement(name + " synonyms by the spec");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, std::string>> expected;
  for (const json& row : recorded) expected[{row[0], row[1]}] = {row[2], row[3]};
  for (const SynonymEdge& edge : edges) {
    const auto at = expected.find({index(edge.first), index(edge.second)});
    const std::string what = std::to_string(index(edge.first)) + " - " + std::to_string(index(edge.second));
    if (at == expected.end()) {
      agreement.row(false, what + " is not in the recorded list");
      continue;
    }
    const bool same_score = std::abs(at->second.first - std::round(double{edge.score} * 1e6) / 1e6) < 1e-9;
    agreement.row(same_score && at->second.second == kReasons[static_cast<int>(edge.reason)], what);
    expected.erase(at);
  }
  for (const auto& [pair, edge] : expected)
    agreement.row(false, std::to_string(pair.first) + " - " + std::to_string(pair.second) + " is missing");
}

}  // namespace

TEST_CASE("The builder makes the release's entities, mentions and edges from its sentences and mentions") {
  const auto shared = shared_data("conformance");
  if (!shared) return;
  for (const std::string set : kSets) {
    const auto recorded = read_recorded_json(*shared / ("graph-" + set + ".json.gz"));
    REQUIRE(recorded);
    for (const std::string variant : {"spacy_dense", "rule_dense"}) {
      auto tables = build_recorded_graph(shared->parent_path(), set, *recorded, variant);
      REQUIRE_MESSAGE(tables, tables.error().message);
      const auto graph = Graph::create(std::move(*tables));
      REQUIRE_MESSAGE(graph, graph.error().message);
      CHECK(graph->paragraph_count() == (*recorded)["documents"].size());
      REQUIRE(graph->sentence_count() == (*recorded)["sentences"].size());
      Agreement texts(set + " sentence texts");
      for (const json& row : (*recorded)["sentences"])
        texts.row(graph->text(SentenceId{row[0].get<std::uint32_t>()}) == row[3].get<std::string>(), row[3]);
      compare_entities(set + " " + variant, *graph, (*recorded)["variants"][variant]["entities"]);
      compare_edges(set + " " + variant, *graph, (*recorded)["variants"][variant]);
    }
  }
}

TEST_CASE("Synonym edges are those of the written rules, with vectors and without") {
  const auto shared = shared_data("conformance");
  if (!shared) return;
  for (const std::string set : kSets) {
    const auto recorded = read_recorded_json(*shared / ("graph-" + set + ".json.gz"));
    REQUIRE(recorded);
    for (const std::string variant : {"spacy_dense", "rule_dense", "rule_lexical"}) {
      const bool dense = variant != "rule_lexical";
      const auto tables = build_recorded_graph(shared->parent_path(), set, *recorded, dense ? variant : "rule_dense");
      REQUIRE(tables);
      std::optional<VectorTable> vectors;
      if (dense) {
        auto rows = read_npy(*shared / ("embeddings-" + set) / ("entity_" + variant + ".npy"));
        REQUIRE(rows);
        vectors = VectorTable::create(std::move(*rows)).value();
      }
      const auto edges = find_synonyms(*tables, SynonymSettings{}, vectors ? &*vectors : nullptr);
      REQUIRE_MESSAGE(edges, edges.error().message);
      compare_synonyms(set + " " + variant, *edges, (*recorded)["variants"][variant]["synonyms_spec"]);
    }
  }
}

TEST_CASE("A recorded set is an index in memory with the recorded vectors") {
  const auto shared = shared_data("conformance");
  if (!shared) return;
  const auto spec = load_conformance_set(shared->parent_path(), "2wiki", "spacy_dense", "spec");
  const auto reference = load_conformance_set(shared->parent_path(), "2wiki", "spacy_dense", "reference");
  REQUIRE_MESSAGE(spec, spec.error().message);
  REQUIRE_MESSAGE(reference, reference.error().message);
  CHECK(spec->index->vectors() != nullptr);
  CHECK(spec->query_texts.size() == spec->query_vectors.rows);
  CHECK(spec->index->graph().tables().entity_synonyms.values().size() == 22);
  CHECK(reference->index->graph().tables().entity_synonyms.values().size() == 12);
}
