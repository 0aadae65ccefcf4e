// Where an index may be written, and what a failed or interrupted write leaves.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "data/index.h"
#include "data/index_folder.h"
#include "tests/data/small_index.h"

using namespace harnessg;
namespace fs = std::filesystem;

namespace {

IndexContent other_content() {
  GraphTables tables = small_tables();
  tables.labels[5] = Label::kLaw;
  return content_of(std::move(tables), 16);
}

std::string hash_of(const IndexContent& content) { return content_hash(content, small_manifest().embedder); }

std::string hash_at(const fs::path& folder) { return Index::open(folder).value()->manifest().content_hash; }

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// No process has this number: it is above the kernel's limit.
constexpr const char* kDeadProcess = "4194999";

// Files cannot grow past `bytes` while this lives: as good as a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = signal(SIGXFSZ, SIG_IGN);
    rlimit now = before_;
    now.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

TEST_CASE("an existing index is kept unless it is to be replaced") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  const auto refused = write_index(folder / "index", other_content(), small_manifest(), false);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::kAlreadyExists);
  CHECK(refused.error().message.find("--force") != std::string::npos);
  CHECK(check_output_folder(folder / "index", false).error() == refused.error());
  CHECK(hash_at(folder / "index") == hash_of(small_content()));

  const auto open_before = Index::open(folder / "index").value();
  CHECK(check_output_folder(folder / "index", true).has_value());
  REQUIRE(write_index(folder / "index", other_content(), small_manifest(), true).has_value());
  CHECK(hash_at(folder / "index") == hash_of(other_content()));
  CHECK(verify_index(folder / "index").has_value());
  CHECK(open_before->graph().tables() == small_tables());
  CHECK(names_in(folder.path()) == std::vector<std::string>{"index"});
}

TEST_CASE("a damaged index can be replaced") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  fs::resize_file(folder / "index" / "MANIFEST.json", 100);
  REQUIRE(write_index(folder / "index", other_content(), small_manifest(), true).has_value());
  CHECK(verify_index(folder / "index").has_value());
}

TEST_CASE("a folder with anything foreign in it is never touched") {
  for (const char* stranger :
       {"thesis.doc", "MANIFEST.json", "graph/plan.svg", "vectors/logo.svg", "graph/sub/x", "progress"}) {
    CAPTURE(stranger);
    const TemporaryFolder folder;
    fs::create_directories((folder / "home" / stranger).parent_path());
    write_bytes(folder / "home" / stranger, "{\"name\": \"mine\"}");
    const auto before = files_below(folder.path());
    for (const bool replace : {false, true}) {
      const auto refused = write_index(folder / "home", small_content(), small_manifest(), replace);
      REQUIRE_FALSE(refused.has_value());
      CHECK(refused.error().code == ErrorCode::kAlreadyExists);
      CHECK(check_output_folder(folder / "home", replace).error() == refused.error());
    }
    CHECK(files_below(folder.path()) == before);
  }
}

TEST_CASE("an index with a foreign file in it is not replaced") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  write_bytes(folder / "index" / "notes.txt", "mine");
  const auto refused = write_index(folder / "index", other_content(), small_manifest(), true);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("notes.txt") != std::string::npos);
  CHECK(read_bytes(folder / "index" / "notes.txt") == "mine");
}

TEST_CASE("what an interrupted build left is cleared away") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  fs::remove(folder / "index" / "MANIFEST.json");
  write_bytes(folder / "index" / "MANIFEST.json.tmp", "{");
  fs::create_directories(folder / "index" / "progress" / "part");
  write_bytes(folder / "index" / "graph" / "000777.sst", "half");
  CHECK(Index::open(folder / "index").error().code == ErrorCode::kBadInput);

  REQUIRE(write_index(folder / "index", other_content(), small_manifest(), false).has_value());
  CHECK(names_in(folder / "index") == std::vector<std::string>{"MANIFEST.json", "graph", "vectors"});
  CHECK(verify_index(folder / "index").has_value());
}

TEST_CASE("an empty folder, a missing one and one behind a link are written into") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "empty");
  fs::create_directory_symlink(folder / "empty", folder / "link");
  write_small_index(folder / "link");
  write_small_index(folder / "a" / "b" / "");
  write_small_index(folder / "link", true);
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(verify_index(folder / "empty").has_value());
  CHECK(verify_index(folder / "a" / "b").has_value());
}

TEST_CASE("a disk that fills up is an error that names the folder and leaves nothing that passes for an index") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "started" / "progress");
  write_small_index(folder / "old");
  const IndexContent content = small_content(512);
  const auto check_fails = [&](const char* name, rlim_t bytes) {
    CAPTURE(name);
    CAPTURE(bytes);
    Status written;
    {
      const FileSizeLimit limit(bytes);
      written = write_index(folder / name, content, small_manifest(512), true);
    }
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().code == ErrorCode::kIo);
    CHECK(written.error().message.find(name) != std::string::npos);
    CHECK(names_in(folder.path()) == std::vector<std::string>{"old", "started"});
    CHECK(names_in(folder / "started") == std::vector<std::string>{"progress"});
    CHECK(verify_index(folder / "old").has_value());
  };
  for (const char* name : {"new", "started", "old"}) {
    check_fails(name, 64);    // RocksDB's manifest
    check_fails(name, 8000);  // sentence.faiss
  }
  check_fails("new", 1000);  // a table of RocksDB's; it pauses for a second after such an error
}

TEST_CASE("a folder that cannot be made is an error that names it") {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "");
  const auto written = write_index(folder / "file" / "index", small_content(), small_manifest(), false);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code == ErrorCode::kIo);
  CHECK(written.error().message.find("file/index") != std::string::npos);
}

TEST_CASE("a folder without the right to write is an error, and stays as it is") {
  if (geteuid() == 0) {
    MESSAGE("skipped: root may write everywhere");
    return;
  }
  const TemporaryFolder folder;
  fs::create_directories(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_write, fs::perm_options::remove);
  CHECK(write_index(folder / "locked", small_content(), small_manifest(), false).error().code == ErrorCode::kIo);
  CHECK(write_index(folder / "locked" / "in", small_content(), small_manifest(), false).error().code == ErrorCode::kIo);
  fs::permissions(folder / "locked", fs::perms::owner_write, fs::perm_options::add);
  CHECK(names_in(folder / "locked").empty());
}

TEST_CASE("what dead writers left beside the folder is cleared away, and other names are not") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  write_small_index(folder / (std::string("index.building-") + kDeadProcess));
  fs::create_directories(folder / (std::string("index.replaced-") + kDeadProcess) / "graph");
  write_small_index(folder / "index.building-1");  // process 1 runs
  fs::create_directories(folder / "index.building-2x");
  REQUIRE(write_index(folder / "index", other_content(), small_manifest(), true).has_value());
  CHECK(names_in(folder.path()) == std::vector<std::string>{"index", "index.building-1", "index.building-2x"});
  CHECK(hash_at(folder / "index") == hash_of(other_content()));
}

TEST_CASE("an index that a dead writer had moved aside comes back") {
  const TemporaryFolder folder;
  write_small_index(folder / (std::string("index.replaced-") + kDeadProcess));
  write_small_index(folder / (std::string("index.building-") + kDeadProcess));
  CHECK(write_index(folder / "index", other_content(), small_manifest(), false).error().code ==
        ErrorCode::kAlreadyExists);
  CHECK(hash_at(folder / "index") == hash_of(small_content()));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"index"});
}

TEST_CASE("a second writer is told that there is a first") {
  const TemporaryFolder folder;
  write_small_index(folder / "index");
  fs::create_directories(folder / "fresh");
  for (const char* name : {"index", "fresh"}) {
    const auto lock = FolderLock::take(folder / name);
    REQUIRE(lock.has_value());
    const auto written = write_index(folder / name, other_content(), small_manifest(), true);
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().code == ErrorCode::kAlreadyExists);
    CHECK(written.error().message.find("another process") != std::string::npos);
  }
  CHECK(hash_at(folder / "index") == hash_of(small_content()));
}

TEST_CASE("vectors, graph and manifest must fit each other") {
  const TemporaryFolder folder;
  const auto code = [&](const IndexContent& content, std::uint32_t dim) {
    return write_index(folder / "index", content, small_manifest(dim), false).error().code;
  };
  CHECK(code(small_content(16), 0) == ErrorCode::kInvalidArgument);
  CHECK(code(small_content(0), 16) == ErrorCode::kInvalidArgument);
  CHECK(code(small_content(16), 8) == ErrorCode::kInvalidArgument);
  IndexContent content = small_content(16);
  std::swap((*content.vectors)[0], (*content.vectors)[1]);
  CHECK(code(content, 16) == ErrorCode::kInvalidArgument);
  CHECK(names_in(folder.path()).empty());
}
