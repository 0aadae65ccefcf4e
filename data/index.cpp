#include "data/index.h"

#include <exception>
#include <future>
#include <utility>

#include "data/graph_store.h"
#include "data/index_files.h"
#include "data/manifest.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 3;

Status check_is_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found)
    return fail(ErrorCode::kNotFound, "{}: there is no such folder; make an index by `harnessg index CORPUS --out {}`",
                folder.string(), folder.string());
  if (status.type() == fs::file_type::none) return tl::unexpected(system_error(folder, error.value()));
  if (!fs::is_directory(status))
    return fail(ErrorCode::kBadInput, "{}: this is a file, and an index is a folder", folder.string());
  return {};
}

Result<std::string> read_manifest(const fs::path& folder) {
  auto text = read_file(folder / kManifestName);
  if (text || text.error().code != ErrorCode::kNotFound) return text;
  std::error_code error;
  if (fs::exists(folder / kProgressFolder, error) || fs::exists(folder / kGraphFolder, error))
    return fail(ErrorCode::kBadInput,
                "{}: the build of this index was not finished, for there is no {}; run `harnessg index` again",
                folder.string(), kManifestName);
  return fail(ErrorCode::kBadInput, "{}: this folder is no index, for there is no {}", folder.string(), kManifestName);
}

Status check_counts(const fs::path& folder, const Manifest& manifest, const Graph& graph) {
  const std::pair<const char*, std::uint64_t> found[] = {{"paragraphs", graph.paragraph_count()},
                                                         {"sentences", graph.sentence_count()},
                                                         {"entities", graph.entity_count()}};
  for (const auto& [name, count] : found) {
    const auto stated = manifest.counts.find(name);
    if (stated == manifest.counts.end() || stated->second != count)
      return fail(ErrorCode::kCorrupt, "{}: the graph holds {} {}, not what {} says; build the index again",
                  (folder / kGraphFolder).string(), count, name, kManifestName);
  }
  return {};
}

Result<VectorTable> load_vectors(const fs::path& file, std::size_t rows, std::size_t dim) {
  HARNESSG_ASSIGN(VectorTable table, VectorTable::load(file));
  if (table.size() != rows || (rows > 0 && table.dim() != dim))
    return fail(ErrorCode::kCorrupt, "{}: {} vectors of dimension {} where {} of {} are due; build the index again",
                file.string(), table.size(), table.dim(), rows, dim);
  return table;
}

// The counts are those of the manifest, which are compared with the graph as well.
Result<std::optional<NodeVectors>> load_all_vectors(const fs::path& folder, const Manifest& manifest) {
  if (manifest.embedder.dim == 0) return std::nullopt;
  const auto load = [&](NodeKind kind, const char* counted) {
    const auto rows = manifest.counts.find(counted);
    return load_vectors(folder / kVectorsFolder / kVectorFiles[static_cast<std::size_t>(kind)],
                        rows == manifest.counts.end() ? 0 : rows->second, manifest.embedder.dim);
  };
  HARNESSG_ASSIGN(auto paragraphs, load(NodeKind::kParagraph, "paragraphs"));
  HARNESSG_ASSIGN(auto sentences, load(NodeKind::kSentence, "sentences"));
  HARNESSG_ASSIGN(auto entities, load(NodeKind::kEntity, "entities"));
  return NodeVectors{std::move(paragraphs), std::move(sentences), std::move(entities)};
}

// A damaged graph or lexicon is said to be so without a place: this adds it.
template <class T>
Result<T> located(Result<T> result, const fs::path& place) {
  if (!result) result.error().message = fmt::format("{}: {}", place.string(), result.error().message);
  return result;
}

struct LoadedGraph {
  Graph graph;
  Lexicon lexicon;
};

Result<LoadedGraph> load_graph(const fs::path& folder, const Manifest& manifest) {
  const fs::path graph_folder = folder / kGraphFolder;
  HARNESSG_ASSIGN(StoredTables tables, read_graph_store(graph_folder));
  HARNESSG_ASSIGN(Graph graph, located(Graph::create(std::move(tables.graph)), graph_folder));
  HARNESSG_RETURN_IF_ERROR(check_counts(folder, manifest, graph));
  HARNESSG_ASSIGN(Lexicon lexicon, located(Lexicon::create(std::move(tables.lexicon), graph), graph_folder));
  return LoadedGraph{std::move(graph), std::move(lexicon)};
}

Result<IndexContent> load_content(const fs::path& folder, const StoredManifest& stored) {
  const Manifest& manifest = stored.manifest;
  if (const auto setting = manifest.settings.find("compression"); setting != manifest.settings.end()) {
    HARNESSG_RETURN_IF_ERROR(check_compression(setting->second));
  }
  HARNESSG_RETURN_IF_ERROR(check_files(folder, stored.files));
  // Beside the graph where a thread can be had: most of either's time goes into fresh memory.
  auto loading = std::async([&] { return load_all_vectors(folder, manifest); });
  auto graph = load_graph(folder, manifest);
  auto vectors = loading.get();
  if (!graph) return tl::unexpected(std::move(graph).error());
  if (!vectors) return tl::unexpected(std::move(vectors).error());
  return IndexContent{std::move(graph->graph), std::move(graph->lexicon), std::move(*vectors)};
}

std::uint64_t total_bytes(const FileStamps& files, const std::string& manifest) {
  std::uint64_t bytes = manifest.size();
  for (const auto& [name, stamp] : files) bytes += stamp.bytes;
  return bytes;
}

// A file system or a library may throw on what a hostile folder holds.
Result<IndexContent> load_content_safely(const fs::path& folder, const StoredManifest& stored) {
  try {
    return load_content(folder, stored);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kCorrupt, "{}: {}; build the index again", folder.string(), error.what());
  }
}

}  // namespace

Result<std::shared_ptr<const Index>> Index::open(const fs::path& folder) {
  HARNESSG_RETURN_IF_ERROR(check_is_folder(folder));
  for (int attempt = 1;; ++attempt) {
    HARNESSG_ASSIGN(const std::string text, read_manifest(folder));
    HARNESSG_ASSIGN(StoredManifest stored, parse_manifest(text, folder / kManifestName));
    auto content = load_content_safely(folder, stored);
    // Replaced while it was read: what was read may be of both.
    const auto again = read_file(folder / kManifestName);
    if (attempt < kAttempts && (!again || *again != text)) continue;
    if (!content) return tl::unexpected(std::move(content).error());
    if (!again || *again != text)
      return fail(ErrorCode::kIo, "{}: the index is being replaced over and over; try again later", folder.string());
    return std::shared_ptr<const Index>(
        new Index(folder, total_bytes(stored.files, text), std::move(stored.manifest), std::move(*content)));
  }
}

std::uint64_t Index::memory_bytes() const {
  std::uint64_t bytes = content_.graph.memory_bytes() + content_.lexicon.memory_bytes();
  if (content_.vectors) {
    for (const VectorTable& table : *content_.vectors) bytes += table.memory_bytes();
  }
  return bytes;
}

std::shared_ptr<const Index> Index::in_memory(IndexContent content, Manifest manifest) {
  describe_content(manifest, content);
  return std::shared_ptr<const Index>(new Index({}, 0, std::move(manifest), std::move(content)));
}

}  // namespace harnessg
