#include "data/corpus_folder.h"

#include <algorithm>
#include <system_error>

#include "data/corpus_record.h"
#include "data/look_ahead.h"
#include "data/text.h"

namespace harnessg {

Result<std::vector<TextFile>> text_files(const std::filesystem::path& folder) {
  std::vector<TextFile> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& file = entry->path();
    if (file.extension() != ".txt" || !entry->is_regular_file(error) || error) continue;
    TextFile found{file, file.lexically_relative(folder).replace_extension().generic_string(),
                   fold_space(file.stem().string())};
    if (find_invalid_utf8(found.id))
      return fail(ErrorCode::kBadInput, "{}: the name is no UTF-8; rename the file", file.string());
    files.push_back(std::move(found));
  }
  if (error) return fail(ErrorCode::kIo, "{} cannot be listed: {}", folder.string(), error.message());
  if (files.empty()) {
    return fail(ErrorCode::kBadInput, "{} holds no .txt files; name the files themselves when they are JSON",
                folder.string());
  }
  std::sort(files.begin(), files.end(), [](const TextFile& a, const TextFile& b) { return a.id < b.id; });
  return files;
}

Result<CorpusRecord> read_text_file(const TextFile& file, std::size_t max_bytes) {
  const Place place{file.file.string(), 1};
  HARNESSG_ASSIGN(LookAhead source, LookAhead::open(file.file));
  for (bool more = true; more && source.view().size() <= max_bytes;) {
    HARNESSG_ASSIGN(more, source.fill());
  }
  if (source.view().size() > max_bytes) {
    return fail(ErrorCode::kBadInput, "{}:1: is longer than {} bytes; split it or raise the limit", place.file,
                max_bytes);
  }
  return text_file_record(source.view(), file.id, file.title, place);
}

}  // namespace harnessg
