// What `harnessg index` says when it is done.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "builder/build.h"
#include "data/result.h"

namespace harnessg {

struct IndexReport {
  std::filesystem::path folder;
  BuildReport build;
  EmbedderInfo embedder;
  std::string recogniser;
  std::uint64_t bytes_on_disk = 0;

  double paragraphs_per_second() const;
};

// Adds to a build's report what the manifest of the index now says.
Result<IndexReport> read_index_report(const std::filesystem::path& folder, const BuildReport& build);

std::string index_report_json(const IndexReport& report);  // one line
std::string index_report_table(const IndexReport& report);

}  // namespace harnessg
