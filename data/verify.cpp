#include <set>
#include <string>
#include <system_error>

#include "data/graph_store.h"
#include "data/index.h"
#include "data/index_files.h"
#include "data/manifest.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

Status check_names(const fs::path& folder) {
  const std::set<std::string> ours{kManifestName, kGraphFolder, kVectorsFolder, kProgressFolder};
  std::set<std::string> strangers;
  std::error_code error;
  for (fs::directory_iterator it(folder, error); !error && it != fs::end(it); it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!ours.contains(name)) strangers.insert(name);
  }
  if (error) return tl::unexpected(system_error(folder, error.value()));
  if (strangers.empty()) return {};
  return fail(ErrorCode::kCorrupt, "{}: this does not belong to an index; remove it",
              (folder / *strangers.begin()).string());
}

}  // namespace

Status verify_index(const fs::path& folder) {
  // Opening compares every file with its stamp and checks the graph, the lexicon and the vectors against each other.
  HARNESSG_ASSIGN(const auto index, Index::open(folder));
  HARNESSG_RETURN_IF_ERROR(check_names(folder));
  HARNESSG_RETURN_IF_ERROR(verify_graph_store(folder / kGraphFolder));
  const std::string found = content_hash(index->content(), index->manifest().embedder);
  if (found == index->manifest().content_hash) return {};
  return fail(ErrorCode::kCorrupt, "{}: the content hash is {}, but what is stored gives {}; build the index again",
              (folder / kManifestName).string(), index->manifest().content_hash, found);
}

}  // namespace harnessg
