#include "bindings/cli/index_report.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bindings/cli/counts.h"
#include "bindings/cli/report_table.h"
#include "data/manifest.h"

namespace harnessg {

double IndexReport::paragraphs_per_second() const {
  if (build.seconds <= 0) return 0;
  return static_cast<double>(count_of(build.counts, "paragraphs")) / build.seconds;
}

Result<IndexReport> read_index_report(const std::filesystem::path& folder, const BuildReport& build) {
  const std::filesystem::path file = folder / kManifestName;
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream)
    return fail(ErrorCode::kIo, "{} was written and cannot be read; look at the folder's rights", file.string());
  HARNESSG_ASSIGN(const StoredManifest stored, parse_manifest(text, file));
  IndexReport report{folder, build, stored.manifest.embedder, stored.manifest.recogniser, text.size()};
  for (const auto& [name, stamp] : stored.files) report.bytes_on_disk += stamp.bytes;
  return report;
}

std::string index_report_json(const IndexReport& report) {
  nlohmann::ordered_json all{{"index", report.folder.string()}, {"content_hash", report.build.content_hash}};
  for (const char* const name : kCountNames) all[name] = count_of(report.build.counts, name);
  all["embedder"] = report.embedder.name;
  all["dim"] = report.embedder.dim;
  all["recogniser"] = report.recogniser;
  all["seconds"] = report.build.seconds;
  all["stage_seconds"] = nlohmann::ordered_json::object();
  for (const auto& [stage, seconds] : report.build.stage_seconds) all["stage_seconds"][stage] = seconds;
  all["paragraphs_per_second"] = report.paragraphs_per_second();
  all["bytes_on_disk"] = report.bytes_on_disk;
  all["peak_rss_bytes"] = report.build.peak_rss_bytes;
  all["first_skipped"] = report.build.first_skipped;
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string index_report_table(const IndexReport& report) {
  ReportTable table;
  table.row("index", report.folder.string());
  table.row("content hash", report.build.content_hash);
  for (const char* const name : kCountNames) {
    table.row(count_words(name), grouped(count_of(report.build.counts, name)));
  }
  if (!report.build.first_skipped.empty()) table.row("first skipped", report.build.first_skipped);
  table.row("recogniser", report.recogniser);
  table.row("embedder", report.embedder.dim == 0
                            ? "none: episodes are scored lexically (--embedder minilm makes vectors)"
                            : fmt::format("{}, {} dimensions", report.embedder.name, report.embedder.dim));
  for (const auto& [stage, seconds] : report.build.stage_seconds) table.row("time, " + stage, duration(seconds));
  table.row("time, in all", fmt::format("{}, {} paragraphs a second", duration(report.build.seconds),
                                        grouped(static_cast<std::uint64_t>(report.paragraphs_per_second() + 0.5))));
  table.row("on disk", byte_size(report.bytes_on_disk));
  table.row("peak memory", byte_size(report.build.peak_rss_bytes));
  return table.text();
}

}  // namespace harnessg
