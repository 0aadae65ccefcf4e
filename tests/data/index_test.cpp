#include "data/index.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "data/manifest.h"
#include "tests/data/small_index.h"

using namespace harnessg;
namespace fs = std::filesystem;

namespace {

void check_same_vectors(const IndexContent& content, const Index& index) {
  REQUIRE((index.vectors() != nullptr) == content.vectors.has_value());
  if (!content.vectors) return;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const VectorTable& written = (*content.vectors)[kind];
    const VectorTable& read = (*index.vectors())[kind];
    REQUIRE(read.size() == written.size());
    for (std::size_t row = 0; row < read.size(); ++row)
      CHECK(std::equal(read.row(row).begin(), read.row(row).end(), written.row(row).begin()));
  }
}

void check_round_trip(const IndexContent& content, const Manifest& manifest) {
  const TemporaryFolder folder;
  REQUIRE(write_index(folder / "index", content, manifest, false).has_value());
  const auto index = Index::open(folder / "index").value();
  CHECK(index->graph().tables() == content.graph.tables());
  CHECK(index->lexicon().tables() == content.lexicon.tables());
  check_same_vectors(content, *index);
  CHECK(verify_index(folder / "index").has_value());
}

// 60 paragraphs of 2,000 sentences: arrays of more than one block.
GraphTables many_sentences() {
  GraphPlan plan;
  plan.entities = 100;
  for (std::uint32_t p = 0; p < 60; ++p) {
    PlannedParagraph paragraph{"Title " + std::to_string(p), p, {}};
    for (std::uint32_t s = 0; s < 2000; ++s)
      paragraph.sentences.push_back({"Word.", {(p + s) % 100, (p + s + 31) % 100, (p + s + 57) % 100}});
    plan.paragraphs.push_back(std::move(paragraph));
  }
  return planned_tables(plan);
}

struct Seen {
  std::uintmax_t bytes;
  fs::file_time_type written;
  bool operator==(const Seen&) const = default;
};

std::map<fs::path, Seen> look_at(const fs::path& folder) {
  std::map<fs::path, Seen> all{{folder, {0, fs::last_write_time(folder)}}};
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    all[entry.path()] = {entry.is_regular_file() ? entry.file_size() : 0, entry.last_write_time()};
  return all;
}

void set_writable(const fs::path& folder, bool writable) {
  const auto change = writable ? fs::perm_options::add : fs::perm_options::remove;
  const auto all_write = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  fs::permissions(folder, all_write, change);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) fs::permissions(entry.path(), all_write, change);
}

}  // namespace

TEST_CASE("what was written is what is read") {
  SUBCASE("with vectors") { check_round_trip(small_content(), small_manifest()); }
  SUBCASE("without vectors") { check_round_trip(small_content(0), small_manifest(0)); }
  SUBCASE("nothing at all") { check_round_trip(content_of({}, 0), small_manifest(0)); }
  SUBCASE("vectors of no nodes") { check_round_trip(content_of({}, 16), small_manifest()); }
  SUBCASE("arrays of several blocks") { check_round_trip(content_of(many_sentences(), 0), small_manifest(0)); }
}

TEST_CASE("the manifest keeps what the builder said and gains what the store knows") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  const auto index = Index::open(folder / "index").value();
  Manifest expected = small_manifest();
  expected.content_hash = content_hash(small_content(), expected.embedder);
  expected.settings["compression"] = index->manifest().settings.at("compression");
  expected.counts.insert(
      {{"paragraphs", 4}, {"sentences", 9}, {"entities", 6}, {"mentions", 10}, {"synonym_edges", 3}});
  CHECK(index->manifest() == expected);
  std::uint64_t bytes = 0;
  for (const auto& [name, content] : files_below(folder / "index")) bytes += content.size();
  CHECK(index->bytes_on_disk() == bytes);
  CHECK(index->memory_bytes() > index->graph().memory_bytes() + 19 * 16 * sizeof(float));
}

TEST_CASE("equal content has an equal hash, whatever the manifest says and wherever it lies") {
  const TemporaryFolder folder;
  write_small_index(folder / "one");
  Manifest other = small_manifest();
  other.tool_version = "9.9";
  other.settings = {{"threads", "8"}};
  other.input_hashes = {{"renamed.jsonl", "ff"}};
  REQUIRE(write_index(folder / "deep" / "er" / "two", small_content(), other, false).has_value());
  CHECK(Index::open(folder / "one").value()->manifest().content_hash ==
        Index::open(folder / "deep" / "er" / "two").value()->manifest().content_hash);
}

TEST_CASE("the content hash is that of format 1") {
  CHECK(content_hash(small_content(0), {}) == "0ebd86f1b46d6abd9c598b64cdc78ec2");
}

TEST_CASE("other content has another hash") {
  const std::string hash = content_hash(small_content(), small_manifest().embedder);
  CHECK(hash.size() == 32);
  CHECK(content_hash(small_content(0), small_manifest().embedder) != hash);
  EmbedderInfo embedder = small_manifest().embedder;
  embedder.version = "v2";
  CHECK(content_hash(small_content(), embedder) != hash);
  GraphTables tables = small_tables();
  tables.mention_count += 1;
  CHECK(content_hash(content_of(std::move(tables), 16), small_manifest().embedder) != hash);
  GraphTables relabelled = small_tables();
  relabelled.labels[5] = Label::kLaw;
  CHECK(content_hash(content_of(std::move(relabelled), 16), small_manifest().embedder) != hash);
}

TEST_CASE("an index can be opened again, by many threads, and after it was copied") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  const auto first = Index::open(folder / "index").value();
  fs::copy(folder / "index", folder / "copy", fs::copy_options::recursive);
  std::vector<std::thread> threads;
  std::vector<std::string> hashes(8);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    threads.emplace_back([&, i] {
      const auto index = Index::open(i % 2 == 0 ? folder / "index" : folder / "copy");
      if (index && (*index)->graph().tables() == first->graph().tables()) hashes[i] = (*index)->manifest().content_hash;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(hashes == std::vector<std::string>(8, first->manifest().content_hash));
  CHECK(verify_index(folder / "copy").has_value());
}

TEST_CASE("readers change nothing on disk and need no right to") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  set_writable(folder / "index", false);
  const auto before = look_at(folder / "index");
  CHECK(Index::open(folder / "index").has_value());
  CHECK(verify_index(folder / "index").has_value());
  CHECK(look_at(folder / "index") == before);
  set_writable(folder / "index", true);
}

TEST_CASE("an index names no place and keeps no log") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  for (const auto& [name, bytes] : files_below(folder / "index")) {
    CAPTURE(name);
    CHECK(bytes.find(folder.path().filename().string()) == std::string::npos);
    CHECK(name.find("LOG") == std::string::npos);
    CHECK(name.find("LOCK") == std::string::npos);
  }
}

TEST_CASE("a folder that is no index is refused with its reason") {
  const TemporaryFolder folder;
  const auto error = [&](const char* name) { return Index::open(folder / name).error(); };
  CHECK(error("nowhere").code == ErrorCode::kNotFound);
  CHECK(error("nowhere").message.find("nowhere") != std::string::npos);

  write_bytes(folder / "file", "text");
  CHECK(error("file").code == ErrorCode::kBadInput);

  fs::create_directories(folder / "photos");
  write_bytes(folder / "photos" / "cat.jpg", "cat");
  CHECK(error("photos").code == ErrorCode::kBadInput);
  CHECK(error("photos").message.find("no index") != std::string::npos);

  fs::create_directories(folder / "half" / "progress");
  CHECK(error("half").code == ErrorCode::kBadInput);
  CHECK(error("half").message.find("not finished") != std::string::npos);
  CHECK(verify_index(folder / "half").error() == error("half"));
}

TEST_CASE("an index of a newer format is refused by its version") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  auto manifest = nlohmann::json::parse(read_bytes(folder / "index" / "MANIFEST.json"));
  manifest["format_version"] = kFormatVersion + 1;
  write_bytes(folder / "index" / "MANIFEST.json", manifest.dump());
  const Error error = Index::open(folder / "index").error();
  CHECK(error.code == ErrorCode::kUnsupportedVersion);
  CHECK(error.message.find("format 2") != std::string::npos);
}

TEST_CASE("an index whose compression is not linked is refused by its name") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  StoredManifest stored = parse_manifest(read_bytes(folder / "index" / "MANIFEST.json"), "MANIFEST.json").value();
  stored.manifest.settings["compression"] = "bzip2";
  write_bytes(folder / "index" / "MANIFEST.json", manifest_text(stored).value());
  const Error error = Index::open(folder / "index").error();
  CHECK(error.code == ErrorCode::kUnavailable);
  CHECK(error.message.find("bzip2") != std::string::npos);
}

TEST_CASE("a manifest survives being written and read, and must be UTF-8") {
  StoredManifest stored{small_manifest(), {{"graph/CURRENT", {16, "0123456789abcdef"}}}};
  CHECK(parse_manifest(manifest_text(stored).value(), "M").value() == stored);
  stored.manifest.recogniser = "\xff";
  CHECK(manifest_text(stored).error().code == ErrorCode::kInvalidArgument);
}

TEST_CASE("an index made in memory has a hash and counts, and no place") {
  const auto index = Index::in_memory(small_content(), small_manifest());
  CHECK(index->path().empty());
  CHECK(index->bytes_on_disk() == 0);
  CHECK(index->manifest().content_hash == content_hash(small_content(), small_manifest().embedder));
  CHECK(index->manifest().counts.at("sentences") == 9);
}
