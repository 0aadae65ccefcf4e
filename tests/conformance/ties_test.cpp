// A graph where nearly all scores tie: the smaller id must come first everywhere.
#include <doctest/doctest.h>

#include <string>

#include "data/graph.h"
#include "menu/bridge.h"
#include "menu/initial_view.h"
#include "menu/lookup.h"
#include "tests/conformance/recorded_file.h"

using namespace harnessg;
using namespace harnessg::conformance;

namespace {

template <class Id>
std::vector<Id> to_ids(const Json& list) {
  std::vector<Id> ids;
  for (const Json& id : list) ids.push_back(Id{id.get<std::uint32_t>()});
  return ids;
}

Graph graph_of(const Json& tie) {
  GraphTables tables;
  for (const Json& paragraph : tie["paragraphs"]) {
    tables.record_ids.push_back(std::to_string(paragraph[0].get<int>()));
    tables.titles.push_back(paragraph[1].get<std::string>());
    tables.metadata.push_back("");
    tables.title_entities.push_back(kNoEntity);
    tables.paragraph_entities.push_back({});
    std::string text;
    for (const Json& id : paragraph[2]) {
      if (!text.empty()) text += ' ';
      tables.text_begins.push_back(static_cast<std::uint32_t>(text.size()));
      text += tie["sentences"][id.get<std::size_t>()].get<std::string>();
      tables.text_ends.push_back(static_cast<std::uint32_t>(text.size()));
    }
    tables.texts.push_back(text);
    tables.sentence_ends.push_back(static_cast<std::uint32_t>(tables.text_begins.size()));
  }
  for (const Json& row : tie["sent_entities"]) tables.sentence_entities.push_back(to_ids<EntityId>(row));
  std::vector<std::vector<Synonym>> synonyms(tie["entities"].size());
  for (const Json& edge : tie["synonyms"]) {
    const auto a = edge[0].get<std::uint32_t>();
    const auto b = edge[1].get<std::uint32_t>();
    synonyms[a].push_back({EntityId{b}, edge[2].get<float>()});
    synonyms[b].push_back({EntityId{a}, edge[2].get<float>()});
  }
  for (std::size_t e = 0; e < synonyms.size(); ++e) {
    const auto name = tie["entities"][e][0].get<std::string>();
    tables.canonical_forms.push_back(name);
    tables.labels.push_back(Label::kEntity);
    const auto surface = static_cast<std::uint32_t>(tables.surfaces.size());
    tables.surface_rows.push_back(std::span(&surface, 1));
    tables.surfaces.push_back(name);
    tables.entity_sentences.push_back(to_ids<SentenceId>(tie["entity_sentences"][e]));
    tables.entity_synonyms.push_back(synonyms[e]);
  }
  auto graph = Graph::create(std::move(tables));
  REQUIRE_MESSAGE(graph.has_value(), graph.error().message);
  return std::move(*graph);
}

VectorTable vectors_of(const Json& rows) {
  Matrix matrix{rows.size(), rows[0].size(), {}};
  for (const Json& row : rows) {
    for (const Json& value : row) matrix.values.push_back(value.get<float>() / 2048.0f);
  }
  return VectorTable::create(std::move(matrix)).value();
}

std::vector<std::uint32_t> ids_of(const std::vector<Scored>& list, std::size_t limit) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < std::min(limit, list.size()); ++i) ids.push_back(list[i].id);
  return ids;
}

std::vector<std::uint32_t> ids_of(const View& view) {
  std::vector<std::uint32_t> ids;
  for (const VisibleSentence& v : view) ids.push_back(index(v.sentence));
  return ids;
}

}  // namespace

TEST_CASE("where scores tie the smaller id comes first, in every ranking") {
  const auto shared = shared_folder();
  if (shared.empty()) {
    MESSAGE("skipped: no ../shared with the recorded vectors");
    return;
  }
  const Json tie = read_json_lines(shared / "conformance" / "ties.json.gz").at(0);
  const Graph graph = graph_of(tie);
  const NodeVectors vectors{vectors_of(tie["paragraph_vec"]), vectors_of(tie["sentence_vec"]),
                            vectors_of(tie["entity_vec"])};
  const auto relevance = make_dense_relevance(vectors);
  const Config config;
  const World world{graph, *relevance, config};
  const Query query{{1, 0, 0, 0}, {}};

  const FirstViewLists lists = first_view_lists(world, query);
  const Json& wanted = tie["init_spec"];
  CHECK(ids_of(lists.paragraphs, 20) == wanted["paragraphs"].get<std::vector<std::uint32_t>>());
  CHECK(ids_of(lists.entities, 8) == wanted["entities"].get<std::vector<std::uint32_t>>());
  CHECK(ids_of(lists.paragraph_sentences, 8) == wanted["lists"][0].get<std::vector<std::uint32_t>>());
  CHECK(ids_of(lists.global_sentences, 8) == wanted["lists"][1].get<std::vector<std::uint32_t>>());
  CHECK(ids_of(lists.entity_sentences, 8) == wanted["lists"][2].get<std::vector<std::uint32_t>>());
  CHECK(ids_of(fuse(config, lists)) == wanted["view"].get<std::vector<std::uint32_t>>());

  for (const Json& row : tie["lookup"]) {
    CHECK(ids_of(lookup_view(world, query, EntityId{row["e"].get<std::uint32_t>()}).view) ==
          row["spec"].get<std::vector<std::uint32_t>>());
  }

  Question question;
  for (std::size_t i = 0; i < config.nearest_entities; ++i)
    question.nearest_entities.push_back(EntityId{lists.entities[i].id});
  for (const Json& row : tie["bridge"]) {
    State state;
    state.selected.push_back(SentenceId{row["selected"].get<std::uint32_t>()});
    Json own = Json::array();
    for (const BridgeRow& r : bridge_rows(world, question, state)) own.push_back({index(r.source), index(r.target)});
    CHECK(own == row["spec"]);
  }
}
