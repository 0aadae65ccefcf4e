#include <exception>
#include <system_error>

#include "data/graph_store.h"
#include "data/index.h"
#include "data/index_files.h"
#include "data/index_folder.h"
#include "data/manifest.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

Status check_fits(const IndexContent& content, const Manifest& manifest) {
  if (!content.vectors) {
    if (manifest.embedder.dim == 0) return {};
    return fail(ErrorCode::kInvalidArgument, "the manifest names embedder {} of dimension {}, but there are no vectors",
                manifest.embedder.name, manifest.embedder.dim);
  }
  if (manifest.embedder.dim == 0)
    return fail(ErrorCode::kInvalidArgument, "there are vectors, but the manifest's embedder has dimension 0");
  for (const NodeKind kind : {NodeKind::kParagraph, NodeKind::kSentence, NodeKind::kEntity}) {
    const VectorTable& table = (*content.vectors)[static_cast<std::size_t>(kind)];
    const std::uint32_t rows = content.graph.count(kind);
    if (table.size() != rows || (rows > 0 && table.dim() != manifest.embedder.dim))
      return fail(ErrorCode::kInvalidArgument, "{}: {} vectors of dimension {} where {} of {} are due",
                  kVectorFiles[static_cast<std::size_t>(kind)], table.size(), table.dim(), rows, manifest.embedder.dim);
  }
  return {};
}

Status check_takes(const fs::path& folder, const FolderReport& report, bool replace) {
  if (report.state == FolderState::kForeign && report.stranger.empty())
    return fail(ErrorCode::kAlreadyExists, "{}: there is a file of this name; choose another folder", folder.string());
  if (report.state == FolderState::kForeign)
    return fail(ErrorCode::kAlreadyExists,
                "{}: the folder holds what is not part of an index ({}); choose another folder", folder.string(),
                report.stranger);
  if (report.state == FolderState::kIndex && !replace)
    return fail(ErrorCode::kAlreadyExists,
                "{}: there is an index already; choose another folder or add --force to replace it", folder.string());
  return {};
}

Status create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorCode::kIo, "{}: the folder cannot be made: {}", folder.string(), error.message());
  return {};
}

// All that an index is made of except progress/.
Status remove_parts(const fs::path& folder) {
  for (const char* part : {kManifestName, kManifestTempName, kGraphFolder, kVectorsFolder}) {
    std::error_code error;
    fs::remove_all(folder / part, error);
    if (error) return tl::unexpected(system_error(folder / part, error.value()));
  }
  return {};
}

Status write_vectors(const fs::path& folder, const NodeVectors& vectors) {
  HARNESSG_RETURN_IF_ERROR(create_folder(folder));
  for (std::size_t kind = 0; kind < vectors.size(); ++kind) {
    HARNESSG_RETURN_IF_ERROR(vectors[kind].save(folder / kVectorFiles[kind]));
    HARNESSG_RETURN_IF_ERROR(sync_path(folder / kVectorFiles[kind]));
  }
  return sync_path(folder);
}

Status publish_manifest(const fs::path& folder, const StoredManifest& stored) {
  HARNESSG_ASSIGN(const std::string text, manifest_text(stored));
  HARNESSG_RETURN_IF_ERROR(write_file_durably(folder / kManifestTempName, text));
  HARNESSG_RETURN_IF_ERROR(sync_path(folder));
  std::error_code error;
  fs::rename(folder / kManifestTempName, folder / kManifestName, error);
  if (error) return tl::unexpected(system_error(folder / kManifestName, error.value()));
  return sync_path(folder);
}

// Writes all parts into a folder that holds none of them.
Status write_parts(const fs::path& folder, const IndexContent& content, StoredManifest stored) {
  const std::string compression = store_compression();
  stored.manifest.settings["compression"] = compression;
  HARNESSG_RETURN_IF_ERROR(
      write_graph_store(folder / kGraphFolder, content.graph.tables(), content.lexicon.tables(), compression));
  HARNESSG_RETURN_IF_ERROR(sync_path(folder / kGraphFolder));
  if (content.vectors) {
    HARNESSG_RETURN_IF_ERROR(write_vectors(folder / kVectorsFolder, *content.vectors));
  }
  HARNESSG_ASSIGN(stored.files, stamp_files(folder));
  return publish_manifest(folder, stored);
}

// The error of a write, after what was written is gone and the disk has its space back.
Status undo(Status failed, const fs::path& folder, bool remove_folder) {
  std::error_code ignored;
  if (remove_folder) {
    fs::remove_all(folder, ignored);
  } else if (auto removed = remove_parts(folder); !removed) {
    failed.error().message += fmt::format("; and what was written stays: {}", removed.error().message);
  }
  return failed;
}

Status write_in_place(const fs::path& folder, const IndexContent& content, const Manifest& manifest, bool is_new) {
  HARNESSG_RETURN_IF_ERROR(create_folder(folder));
  HARNESSG_ASSIGN(const FolderLock lock, FolderLock::take(folder));
  // Another writer may have come first.
  HARNESSG_ASSIGN(const FolderReport report, inspect_folder(folder));
  HARNESSG_RETURN_IF_ERROR(check_takes(folder, report, /*replace=*/false));
  HARNESSG_RETURN_IF_ERROR(remove_parts(folder));
  if (auto written = write_parts(folder, content, {manifest, {}}); !written) return undo(written, folder, is_new);
  std::error_code error;
  fs::remove_all(folder / kProgressFolder, error);
  if (error) return tl::unexpected(system_error(folder / kProgressFolder, error.value()));
  return sync_path(folder.parent_path());
}

Status write_and_exchange(const fs::path& folder, const IndexContent& content, const Manifest& manifest) {
  HARNESSG_ASSIGN(const FolderLock lock, FolderLock::take(folder));
  const fs::path fresh = building_sibling(folder);
  HARNESSG_RETURN_IF_ERROR(create_folder(fresh));
  Status written = write_parts(fresh, content, {manifest, {}});
  if (written) written = exchange_folders(fresh, folder);
  return written ? written : undo(written, fresh, true);
}

Status write_resolved(const fs::path& folder, const IndexContent& content, const Manifest& manifest, bool replace) {
  HARNESSG_RETURN_IF_ERROR(recover_siblings(folder));
  HARNESSG_ASSIGN(const FolderReport report, inspect_folder(folder));
  HARNESSG_RETURN_IF_ERROR(check_takes(folder, report, replace));
  if (report.state == FolderState::kIndex) return write_and_exchange(folder, content, manifest);
  return write_in_place(folder, content, manifest, report.state == FolderState::kAbsent);
}

}  // namespace

Status check_output_folder(const fs::path& folder, bool replace) {
  HARNESSG_ASSIGN(const fs::path resolved, resolve_folder(folder));
  HARNESSG_ASSIGN(const FolderReport report, inspect_folder(resolved));
  return check_takes(folder, report, replace);
}

Status write_index(const fs::path& folder, const IndexContent& content, Manifest manifest, bool replace) {
  HARNESSG_RETURN_IF_ERROR(check_fits(content, manifest));
  HARNESSG_ASSIGN(const fs::path resolved, resolve_folder(folder));
  manifest.format_version = kFormatVersion;
  describe_content(manifest, content);
  try {
    return write_resolved(resolved, content, manifest, replace);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kIo, "{}: the index cannot be written: {}", folder.string(), error.what());
  }
}

}  // namespace harnessg
