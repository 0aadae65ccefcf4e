#include "tests/conformance/conformance_graph.h"

#include <array>
#include <utility>

#include "builder/graph_builder.h"
#include "builder/synonyms.h"
#include "data/label.h"
#include "data/lexicon.h"
#include "data/lines.h"
#include "data/npy.h"
#include "data/text.h"

namespace harnessg::conformance {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxLine = 1u << 28;

// The texts of corpus-SET.jsonl in order.
Result<std::vector<std::string>> read_texts(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(LineReader lines, LineReader::open(file, kMaxLine));
  std::vector<std::string> texts;
  while (true) {
    HARNESSG_ASSIGN(const std::optional<Line> line, lines.next());
    if (!line) return texts;
    texts.push_back(fold_space(Json::parse(line->text)["text"].get<std::string>()));
  }
}

ParagraphMentions recorded_mentions(const Json& sentences, const Json& ner) {
  ParagraphMentions mentions;
  for (const Json& s : sentences) {
    std::vector<Mention>& of_sentence = mentions.emplace_back();
    for (const Json& mention : ner[s.get<std::size_t>()])
      of_sentence.push_back(
          {mention[0], label_from_name(mention[1].get<std::string>()).value_or(Label::kEntity), 0, 0});
  }
  return mentions;
}

// One score stands for both directions, as the release wrote it (6 decimals of an exact number).
Rows<Synonym> recorded_synonyms(const Json& rows, std::size_t entities, const VectorTable& vectors) {
  std::vector<SynonymEdge> edges;
  for (const Json& row : rows) {
    const auto first = row[0].get<std::uint32_t>(), second = row[1].get<std::uint32_t>();
    edges.push_back({EntityId{first}, EntityId{second}, dot(vectors.row(first), vectors.row(second)), {}});
  }
  return synonym_rows(edges, entities);
}

Result<NodeVectors> recorded_vectors(const std::filesystem::path& folder, const std::string& variant) {
  HARNESSG_ASSIGN(Matrix paragraph, read_npy(folder / "paragraph.npy"));
  HARNESSG_ASSIGN(Matrix sentence, read_npy(folder / "sentence.npy"));
  HARNESSG_ASSIGN(Matrix entity, read_npy(folder / ("entity_" + variant + ".npy")));
  HARNESSG_ASSIGN(VectorTable paragraphs, VectorTable::create(std::move(paragraph)));
  HARNESSG_ASSIGN(VectorTable sentences, VectorTable::create(std::move(sentence)));
  HARNESSG_ASSIGN(VectorTable entities, VectorTable::create(std::move(entity)));
  return NodeVectors{std::move(paragraphs), std::move(sentences), std::move(entities)};
}

}  // namespace

Result<Json> read_recorded_json(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(LineReader lines, LineReader::open(file, kMaxLine));
  HARNESSG_ASSIGN(const std::optional<Line> line, lines.next());
  Json json = line ? Json::parse(line->text, nullptr, false) : Json();
  if (json.is_structured()) return json;
  return fail(ErrorCode::kBadInput, "{}: no JSON document; copy the file again", file.string());
}

Result<GraphTables> build_recorded_graph(const std::filesystem::path& shared, const std::string& set,
                                         const Json& recorded, const std::string& variant) {
  const std::filesystem::path corpus = shared / "conformance" / ("corpus-" + set + ".jsonl");
  HARNESSG_ASSIGN(const std::vector<std::string> texts, read_texts(corpus));
  GraphBuilder builder;
  for (const Json& document : recorded["documents"]) {
    CorpusRecord record;
    record.id = document["doc_id"];
    record.title = fold_space(document["title"].get<std::string>());
    record.text = texts[document["i"].get<std::size_t>()];
    record.file = corpus.string();
    record.line = document["i"].get<std::uint64_t>() + 1;
    for (const Json& s : document["sents"])
      record.sentences.push_back(fold_space(recorded["sentences"][s.get<std::size_t>()][3].get<std::string>()));
    HARNESSG_ASSIGN(SentenceRanges ranges, locate_sentences(record));
    const ParagraphMentions mentions = recorded_mentions(document["sents"], recorded["variants"][variant]["ner"]);
    builder.add(make_paragraph(std::move(record), std::move(ranges), mentions));
  }
  return builder.finish();
}

Result<ConformanceSet> load_conformance_set(const std::filesystem::path& shared, const std::string& set,
                                            const std::string& variant, const std::string& synonyms) {
  const std::filesystem::path folder = shared / "conformance";
  HARNESSG_ASSIGN(const Json recorded, read_recorded_json(folder / ("graph-" + set + ".json.gz")));
  HARNESSG_ASSIGN(GraphTables tables, build_recorded_graph(shared, set, recorded, variant));
  HARNESSG_ASSIGN(NodeVectors vectors, recorded_vectors(folder / ("embeddings-" + set), variant));
  const VectorTable& entities = vectors[static_cast<std::size_t>(NodeKind::kEntity)];
  if (entities.size() != tables.labels.size()) {
    return fail(ErrorCode::kInternal, "{} {}: {} entities were built and {} were recorded", set, variant,
                tables.labels.size(), entities.size());
  }
  if (synonyms == "reference") {
    const Json& rows = recorded["variants"][variant]["synonyms"];
    tables.entity_synonyms = recorded_synonyms(rows, entities.size(), entities);
  } else {
    HARNESSG_ASSIGN(const std::vector<SynonymEdge> edges, find_synonyms(tables, SynonymSettings{}, &entities));
    tables.entity_synonyms = synonym_rows(edges, entities.size());
  }
  HARNESSG_ASSIGN(Graph graph, Graph::create(std::move(tables)));
  HARNESSG_ASSIGN(Lexicon lexicon, Lexicon::create(make_lexicon_tables(graph, 1), graph));
  Manifest manifest;
  manifest.text_rules = text_rules_version();
  manifest.embedder = {"precomputed:" + set, "recorded", static_cast<std::uint32_t>(entities.dim()), ""};
  manifest.recogniser = variant;
  ConformanceSet result;
  result.index = Index::in_memory({std::move(graph), std::move(lexicon), std::move(vectors)}, std::move(manifest));
  HARNESSG_ASSIGN(const Json queries, read_recorded_json(folder / ("queries-" + set + ".json.gz")));
  result.query_texts = queries.get<std::vector<std::string>>();
  HARNESSG_ASSIGN(result.query_vectors, read_npy(folder / ("embeddings-" + set) / "query.npy"));
  return result;
}

}  // namespace harnessg::conformance
