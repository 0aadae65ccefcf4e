#include "builder/build.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "data/text.h"
#include "tests/builder/record_list.h"
#include "tests/data/npy_file.h"
#include "tests/data/temporary_folder.h"

using namespace harnessg;

namespace {

const std::filesystem::path kSample = std::filesystem::path(HARNESSG_SOURCE_DIR) / "data" / "sample" / "corpus.jsonl";

BuiltContent build(std::vector<CorpusRecord> records, const BuildSettings& settings = {}) {
  RecordList corpus(std::move(records));
  auto built = build_content(corpus, nullptr, settings, nullptr);
  REQUIRE_MESSAGE(built, built.error().message);
  return std::move(*built);
}

Error build_error(std::vector<CorpusRecord> records, const BuildSettings& settings = {},
                  std::vector<MentionRow> rows = {}) {
  RecordList corpus(std::move(records));
  const bool given = !rows.empty();
  MentionList mentions(std::move(rows));
  const auto built = build_content(corpus, given ? &mentions : nullptr, settings, nullptr);
  REQUIRE(!built);
  return built.error();
}

BuiltContent build_file(const std::filesystem::path& file, unsigned threads) {
  auto corpus = CorpusReader::open({file}, {});
  REQUIRE_MESSAGE(corpus, corpus.error().message);
  BuildSettings settings;
  settings.threads = threads;
  auto built = build_content(**corpus, nullptr, settings, nullptr);
  REQUIRE_MESSAGE(built, built.error().message);
  return std::move(*built);
}

// A thousand paragraphs of made-up names and sentences, some of them equal.
std::vector<CorpusRecord> generated_records() {
  const std::vector<std::string> names = {"Ada Lovelace",  "Charles Babbage", "the Analytical Engine",
                                          "London",        "St. Petersburg",  "NASA",
                                          "Léon Foucault", "Москва",          "Lake Como"};
  std::vector<CorpusRecord> records;
  std::uint64_t state = 3;
  const auto next = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % n;
  };
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    for (std::size_t s = 0, n = 1 + next(6); s < n; ++s)
      text += (s ? " " : "") + names[next(names.size())] + " met " + names[next(names.size())] + " in " +
              std::to_string(1800 + next(150)) + ".";
    records.push_back(
        record("r" + std::to_string(i), names[next(names.size())] + " " + std::to_string(next(40)), text));
    if (next(10) == 0) records.push_back(record("copy " + std::to_string(i), records.back().title, text));
  }
  return records;
}

// Directions that depend on the text's bytes alone; counts what it is asked for.
class HashEmbedder : public Embedder {
 public:
  const EmbedderInfo& info() const override { return info_; }
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override {
    Matrix rows{texts.size(), info_.dim, {}};
    for (const std::string& text : texts) {
      CHECK(seen_.insert(text).second);
      longest_first_ &= text.size() <= last_;
      last_ = text.size();
      double x = 1;
      for (const char c : text) x = std::fmod(x * 31 + static_cast<unsigned char>(c), 1009);
      rows.values.push_back(static_cast<float>(std::cos(x)));
      rows.values.push_back(static_cast<float>(std::sin(x)));
    }
    return rows;
  }
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override { return embed_passages(texts); }

  const std::set<std::string>& seen() const { return seen_; }
  bool longest_first() const { return longest_first_; }

 private:
  EmbedderInfo info_{"hash", "1", 2, ""};
  mutable std::set<std::string> seen_;
  mutable std::size_t last_ = static_cast<std::size_t>(-1);
  mutable bool longest_first_ = true;
};

class ProgressList : public ProgressSink {
 public:
  void update(const Progress& progress) override {
    CHECK(std::this_thread::get_id() == thread_);
    if (progress.finished) stages_.emplace_back(progress.stage);
  }
  const std::vector<std::string>& stages() const { return stages_; }

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  std::vector<std::string> stages_;
};

}  // namespace

TEST_CASE("The index does not depend on the number of threads") {
  const std::string sample = build_file(kSample, 1).manifest.content_hash;
  CHECK(build_file(kSample, 2).manifest.content_hash == sample);
  CHECK(build_file(kSample, 7).manifest.content_hash == sample);
  std::set<std::string> hashes;
  for (const unsigned threads : {1u, 2u, 7u}) {
    BuildSettings settings;
    settings.threads = threads;
    hashes.insert(build(generated_records(), settings).manifest.content_hash);
  }
  CHECK(hashes.size() == 1);
}

TEST_CASE("The sample corpus keeps every record: duplicates by their id, all others as paragraphs") {
  const BuiltContent built = build_file(kSample, 2);
  const auto& counts = built.report.counts;
  CHECK(counts.at("records_read") == 137);
  CHECK(counts.at("paragraphs") == 136);
  CHECK(counts.at("duplicates_merged") == 1);
  CHECK(counts.at("records_skipped") == 0);
  const Graph& graph = built.content.graph;
  std::uint32_t with_duplicate = 0;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) {
    const std::string metadata(graph.tables().metadata[p]);
    if (metadata.find("duplicate_ids") == std::string::npos) continue;
    ++with_duplicate;
    CHECK(graph.record_id(ParagraphId{p}) == "p004");
    CHECK(nlohmann::json::parse(metadata)["duplicate_ids"] == nlohmann::json{"p137"});
  }
  CHECK(with_duplicate == 1);
}

TEST_CASE("The sentences of a paragraph give back its text up to white space") {
  const BuiltContent built = build_file(kSample, 2);
  const Graph& graph = built.content.graph;
  const auto bare = [](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
  };
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) {
    std::string joined;
    for (std::uint32_t s = index(graph.first_sentence(ParagraphId{p})); s < index(graph.end_sentence(ParagraphId{p}));
         ++s)
      joined += graph.text(SentenceId{s});
    CHECK(bare(joined) == bare(std::string(graph.text(ParagraphId{p}))));
  }
}

TEST_CASE("Equal paragraphs merge, paragraphs of one title and other text do not") {
  const BuiltContent built = build({record("a", "Avon", "It flows south."), record("b", "Avon", "It flows west."),
                                    record("c", "Avon", "It flows south."), record("a", "Avon", "It flows south."),
                                    record("d", "Ivel", "It flows south.")});
  CHECK(built.content.graph.paragraph_count() == 3);
  CHECK(built.report.counts.at("duplicates_merged") == 2);
  CHECK(built.content.graph.tables().metadata[0] == R"({"duplicate_ids":["c"]})");
}

TEST_CASE("One id for two different paragraphs is an error that names both places, or is skipped when asked") {
  const std::vector<CorpusRecord> records = {record("a", "T", "One."), record("b", "T", "Two."),
                                             record("a", "T", "Three.")};
  const Error error = build_error(records);
  CHECK(error.code == ErrorCode::kBadInput);
  CHECK_MESSAGE(error.message.find("list:3: the id \"a\" is that of another paragraph at list:1") == 0, error.message);
  BuildSettings settings;
  settings.corpus_options.on_error = OnError::kSkip;
  const BuiltContent built = build(records, settings);
  CHECK(built.content.graph.paragraph_count() == 2);
  CHECK(built.report.counts.at("records_skipped") == 1);
  CHECK(built.report.first_skipped.find("list:3:") == 0);
  CHECK(build_error({record("a", "T", "One."), record("b", "T", "Two."), record("a", "T", "Two.")}).code ==
        ErrorCode::kBadInput);
}

TEST_CASE("An empty corpus is an error") {
  const Error error = build_error({});
  CHECK(error.code == ErrorCode::kBadInput);
  CHECK(error.message.find("no paragraph in") == 0);
}

TEST_CASE("Given mentions take the place of the built-in rules") {
  RecordList corpus({record("a", "T", "One here. Two there."), record("b", "U", "Ada Lovelace wrote.")});
  MentionList mentions({mention("a", 1, "somebody", Label::kPerson), mention("a", 0, "something")});
  const auto built = build_content(corpus, &mentions, {}, nullptr);
  REQUIRE_MESSAGE(built, built.error().message);
  const Graph& graph = built->content.graph;
  REQUIRE(graph.entity_count() == 4);
  CHECK(graph.canonical(EntityId{0}) == "something");
  CHECK(graph.canonical(EntityId{1}) == "somebody");
  CHECK(graph.label(EntityId{1}) == Label::kPerson);
  CHECK(built->manifest.recogniser == "file");
}

TEST_CASE("Mentions of paragraphs that are unknown or out of order are errors with their place") {
  const std::vector<CorpusRecord> records = {record("a", "T", "One."), record("b", "T", "Two.")};
  const Error unknown = build_error(records, {}, {mention("a", 0, "Ada"), mention("zz", 0, "Bob")});
  CHECK_MESSAGE(unknown.message.find("mentions:2: the corpus has no paragraph \"zz\"") == 0, unknown.message);
  const Error order = build_error(records, {}, {mention("b", 0, "Ada"), mention("a", 0, "Bob")});
  CHECK_MESSAGE(order.message.find("mentions:2: the mentions are not in the order") == 0, order.message);
  const Error range = build_error(records, {}, {mention("b", 5, "Ada")});
  CHECK_MESSAGE(range.message.find("mentions:1: paragraph \"b\" has no sentence 5") == 0, range.message);
}

TEST_CASE("Mentions of a merged paragraph are passed over") {
  RecordList corpus({record("a", "T", "One."), record("b", "T", "One."), record("c", "T", "Two.")});
  MentionList mentions({mention("a", 0, "Ada"), mention("b", 0, "Bob"), mention("c", 0, "Cyd")});
  const auto built = build_content(corpus, &mentions, {}, nullptr);
  REQUIRE_MESSAGE(built, built.error().message);
  CHECK(built->content.graph.entity_count() == 3);
}

TEST_CASE("Long records become overlapping chunks when asked for") {
  BuildSettings settings;
  settings.chunks = {4, 1};
  const BuiltContent built = build({record("long", "T", "one two three. four five six seven. eight nine",
                                           {"one two three.", "four five six seven.", "eight nine"}),
                                    record("short", "S", "just four words here")},
                                   settings);
  const Graph& graph = built.content.graph;
  REQUIRE(graph.paragraph_count() == 4);
  CHECK(graph.record_id(ParagraphId{0}) == "long#0");
  CHECK(graph.text(ParagraphId{0}) == "one two three. four");
  CHECK(graph.text(ParagraphId{1}) == "four five six seven.");
  CHECK(graph.text(ParagraphId{2}) == "seven. eight nine");
  CHECK(graph.title(ParagraphId{2}) == "T");
  CHECK(graph.record_id(ParagraphId{3}) == "short");
  CHECK(graph.text(SentenceId{0}) == "one two three.");
  CHECK(graph.text(SentenceId{1}) == "four");
  CHECK(graph.text(SentenceId{2}) == "four five six seven.");
  CHECK(graph.text(SentenceId{3}) == "seven.");
  settings.chunks = {4, 4};
  CHECK(build_error({record("a", "T", "One.")}, settings).code == ErrorCode::kInvalidArgument);
}

TEST_CASE("An embedder gets every text once, longest first, and its vectors are the nodes'") {
  const HashEmbedder embedder;
  BuildSettings settings;
  settings.embedder = &embedder;
  const BuiltContent built =
      build({record("a", "London", "London is large."), record("b", "Oslo", "Oslo is cold. It snows.")}, settings);
  REQUIRE(built.content.vectors);
  const Graph& graph = built.content.graph;
  CHECK(embedder.longest_first());
  // The first paragraph is one sentence: its text is embedded for both.
  CHECK(embedder.seen().size() == 2 + 3 + graph.entity_count() - 1);
  const HashEmbedder again;
  const Matrix expected = again.embed_passages(std::vector{embedding_text(graph, SentenceId{2})}).value();
  const auto row = (*built.content.vectors)[1].row(2);
  CHECK(std::equal(row.begin(), row.end(), expected.values.begin()));
  CHECK(built.manifest.embedder.name == "hash");
}

TEST_CASE("Ready vectors must have one row a node") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, std::size_t rows) {
    Matrix matrix{rows, 2, {}};
    for (std::size_t i = 0; i < rows; ++i) matrix.values.insert(matrix.values.end(), {1, 0});
    write_bytes(folder / name, npy_bytes(matrix));
  };
  BuildSettings settings;
  settings.vectors = folder.path();
  const std::vector<CorpusRecord> records = {record("a", "London", "London is large. It rains."),
                                             record("b", "", "Nothing.")};
  write("paragraph.npy", 2);
  write("sentence.npy", 3);
  write("entity.npy", 1);
  const BuiltContent built = build(records, settings);
  REQUIRE(built.content.vectors);
  CHECK((*built.content.vectors)[2].size() == 1);
  write("sentence.npy", 4);
  CHECK(build_error(records, settings).code == ErrorCode::kBadInput);
  const HashEmbedder embedder;
  settings.embedder = &embedder;
  CHECK(build_error(records, settings).code == ErrorCode::kInvalidArgument);
}

TEST_CASE("A build on disk opens with the content that a build in memory has") {
  const TemporaryFolder folder;
  BuildSettings settings;
  settings.corpus = {kSample};
  settings.output = folder / "index";
  ProgressList progress;
  const auto report = build_index(settings, &progress);
  REQUIRE_MESSAGE(report, report.error().message);
  CHECK(progress.stages() == std::vector<std::string>{"read", "synonyms", "lexicon", "write"});
  REQUIRE(report->stage_seconds.size() == 4);
  CHECK(report->peak_rss_bytes > 0);
  const auto index = Index::open(folder / "index");
  REQUIRE_MESSAGE(index, index.error().message);
  const Manifest& manifest = (*index)->manifest();
  CHECK(manifest.content_hash == report->content_hash);
  CHECK(manifest.content_hash == build_file(kSample, 2).manifest.content_hash);
  CHECK(manifest.input_hashes.at("corpus.jsonl").size() == 32);
  CHECK(manifest.counts.at("duplicates_merged") == 1);
  CHECK(manifest.counts.at("synonym_edges") == report->counts.at("synonym_edges"));
  CHECK(manifest.settings.at("synonym_min_score") == "0.8");
  CHECK(manifest.text_rules == text_rules_version());
  CHECK(manifest.recogniser == "rules");
  CHECK(manifest.embedder.name == "none");
}

TEST_CASE("A build from a mentions file records the file's hash and says that mentions were given") {
  const TemporaryFolder folder;
  write_bytes(folder / "corpus.jsonl", R"({"id": 7, "title": "T", "text": "One here. Two there."})"
                                       "\n");
  write_bytes(folder / "mentions.jsonl",
              R"({"paragraph": 7, "sentence": 1, "text": "Two", "label": "ORG", "start": 0, "end": 3})"
              "\n");
  BuildSettings settings;
  settings.corpus = {folder / "corpus.jsonl"};
  settings.mentions_file = folder / "mentions.jsonl";
  settings.output = folder / "index";
  const auto report = build_index(settings, nullptr);
  REQUIRE_MESSAGE(report, report.error().message);
  CHECK(report->counts.at("mentions") == 2);
  const auto index = Index::open(settings.output);
  REQUIRE_MESSAGE(index, index.error().message);
  CHECK((*index)->manifest().settings.at("entities") == "file");
  CHECK((*index)->manifest().input_hashes.size() == 2);
  CHECK((*index)->graph().label(EntityId{0}) == Label::kOrg);
}

TEST_CASE("An index in the way is replaced only when asked for, and a missing corpus leaves it alone") {
  const TemporaryFolder folder;
  BuildSettings settings;
  settings.corpus = {kSample};
  settings.output = folder / "index";
  REQUIRE(build_index(settings, nullptr));
  CHECK(build_index(settings, nullptr).error().code == ErrorCode::kAlreadyExists);
  settings.replace = true;
  CHECK(build_index(settings, nullptr));
  settings.corpus = {folder / "nothing.jsonl"};
  CHECK(build_index(settings, nullptr).error().code == ErrorCode::kNotFound);
  CHECK(Index::open(settings.output));
}

TEST_CASE("A progress line says how far, how fast and how long") {
  CHECK(progress_line({"read", 12345, 0, 30, 60, 2.0, false}) == "read 12,345 (50 %, 6,172 a second, 0:02 left)");
  CHECK(progress_line({"embed", 0, 700, 0, 0, 0.1, false}) == "embed 0 (0 %)");
  CHECK(progress_line({"write", 0, 0, 0, 0, 0.1, false}) == "write 0");
  CHECK(progress_line({"read", 1200, 0, 60, 60, 1.5, true}) == "read 1,200 in 1.5 s");
}
