// Bytes of an index that are not what was written: every such change is found, and the file is named.
#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "data/index.h"
#include "data/index_files.h"
#include "data/manifest.h"
#include "tests/data/small_index.h"

using namespace harnessg;
namespace fs = std::filesystem;

namespace {

// Every file of a small index, and the folder it lies in.
class SmallIndex {
 public:
  SmallIndex() {
    write_small_index(path());
    files_ = files_below(path());
  }
  fs::path path() const { return folder_ / "index"; }
  const std::map<std::string, std::string>& files() const { return files_; }
  void restore(const std::string& name) const { write_bytes(path() / name, files_.at(name)); }

 private:
  TemporaryFolder folder_;
  std::map<std::string, std::string> files_;
};

void check_found(const SmallIndex& index, const std::string& name) {
  const auto verified = verify_index(index.path());
  REQUIRE_FALSE(verified.has_value());
  CHECK(verified.error().message.find(name) != std::string::npos);
  const auto opened = Index::open(index.path());
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error() == verified.error());
}

// Makes the manifest agree with the files as they are now.
void stamp_again(const fs::path& folder) {
  StoredManifest stored = parse_manifest(read_file(folder / kManifestName).value(), kManifestName).value();
  stored.files = stamp_files(folder).value();
  REQUIRE(write_file_durably(folder / kManifestName, manifest_text(stored).value()).has_value());
}

std::string largest_table(const SmallIndex& index) {
  std::string largest;
  for (const auto& [name, bytes] : index.files())
    if (name.ends_with(".sst") && (largest.empty() || bytes.size() > index.files().at(largest).size())) largest = name;
  return largest;
}

}  // namespace

TEST_CASE("a flipped bit is found in every file") {
  const SmallIndex index;
  CHECK(index.files().size() >= 11);
  std::mt19937_64 random(1);
  for (const auto& [name, bytes] : index.files()) {
    CAPTURE(name);
    for (std::size_t flip = 0; flip < 40; ++flip) {
      const std::size_t position = random() % bytes.size();
      const unsigned bit = random() % 8;
      CAPTURE(position);
      CAPTURE(bit);
      std::string damaged = bytes;
      damaged[position] = static_cast<char>(damaged[position] ^ (1 << bit));
      write_bytes(index.path() / name, damaged);
      check_found(index, name);
    }
    index.restore(name);
  }
  CHECK(verify_index(index.path()).has_value());
}

TEST_CASE("a flipped bit anywhere in the manifest is found") {
  const std::string text = manifest_text({small_manifest(), {{"graph/CURRENT", {16, "0123456789abcdef"}}}}).value();
  for (std::size_t position = 0; position < text.size(); ++position)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[position] = static_cast<char>(damaged[position] ^ (1 << bit));
      REQUIRE_MESSAGE(!parse_manifest(damaged, "M").has_value(), "byte ", position, ", bit ", bit);
    }
}

TEST_CASE("a truncated file is found") {
  const SmallIndex index;
  for (const auto& [name, bytes] : index.files()) {
    CAPTURE(name);
    for (const std::size_t length : {std::size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      fs::resize_file(index.path() / name, length);
      // The line break after the manifest is not part of what it says.
      if (name != kManifestName || length + 1 < bytes.size()) check_found(index, name);
      index.restore(name);
    }
  }
}

TEST_CASE("a missing file is found") {
  const SmallIndex index;
  for (const auto& [name, bytes] : index.files()) {
    CAPTURE(name);
    fs::remove(index.path() / name);
    check_found(index, name);
    index.restore(name);
  }
}

TEST_CASE("a file too many is found") {
  const SmallIndex index;
  for (const char* name : {"graph/000099.sst", "graph/000099.log", "vectors/other.faiss"}) {
    CAPTURE(name);
    write_bytes(index.path() / name, "");
    check_found(index, name);
    fs::remove(index.path() / name);
  }
  write_bytes(index.path() / "notes.txt", "mine");
  CHECK(verify_index(index.path()).error().message.find("notes.txt") != std::string::npos);
}

TEST_CASE("files of another index are found") {
  const SmallIndex index;
  const TemporaryFolder other;
  GraphTables tables = small_tables();
  tables.labels[5] = Label::kLaw;
  REQUIRE(write_index(other / "index", content_of(std::move(tables), 16), small_manifest(), false).has_value());
  fs::remove_all(index.path() / "graph");
  fs::copy(other / "index" / "graph", index.path() / "graph");
  check_found(index, "graph");
}

TEST_CASE("bytes damaged before they were stamped are found by the checksums of RocksDB") {
  const SmallIndex index;
  const std::string name = largest_table(index);
  const std::string& bytes = index.files().at(name);
  for (std::size_t position = 5; position < bytes.size() / 2; position += bytes.size() / 20) {
    CAPTURE(position);
    std::string damaged = bytes;
    damaged[position] = static_cast<char>(damaged[position] ^ 4);
    write_bytes(index.path() / name, damaged);
    stamp_again(index.path());
    const auto verified = verify_index(index.path());
    REQUIRE_FALSE(verified.has_value());
    CHECK(verified.error().code == ErrorCode::kCorrupt);
    CHECK(verified.error().message.find("checksum") != std::string::npos);
  }
}

TEST_CASE("vectors that fit their stamp but not the graph are found") {
  const SmallIndex index;
  fs::copy_file(index.path() / "vectors" / "entity.faiss", index.path() / "vectors" / "paragraph.faiss",
                fs::copy_options::overwrite_existing);
  stamp_again(index.path());
  const auto opened = Index::open(index.path());
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().code == ErrorCode::kCorrupt);
  CHECK(opened.error().message.find("paragraph.faiss") != std::string::npos);
}

TEST_CASE("content that is not what the manifest's content hash says is found by verify") {
  const SmallIndex index;
  StoredManifest stored = parse_manifest(index.files().at(kManifestName), kManifestName).value();
  stored.manifest.content_hash.back() = stored.manifest.content_hash.back() == '0' ? '1' : '0';
  write_bytes(index.path() / kManifestName, manifest_text(stored).value());
  const auto verified = verify_index(index.path());
  REQUIRE_FALSE(verified.has_value());
  CHECK(verified.error().message.find("content hash") != std::string::npos);
}

TEST_CASE("counts that the graph does not have are found") {
  const SmallIndex index;
  StoredManifest stored = parse_manifest(index.files().at(kManifestName), kManifestName).value();
  stored.manifest.counts["sentences"] = 8;
  write_bytes(index.path() / kManifestName, manifest_text(stored).value());
  CHECK(Index::open(index.path()).error().message.find("sentences") != std::string::npos);
}
