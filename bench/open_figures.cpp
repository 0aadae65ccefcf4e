#include "bench/engine_figures.h"
#include "bench/figure.h"
#include "bench/limits.h"
#include "bench/measure.h"

namespace harnessg::bench {
namespace {

constexpr int kRepetitions = 7;
constexpr std::uint64_t kBytesAnEdge = 16;

std::uint64_t bytes_of(const TextTable& texts) {
  std::uint64_t bytes = 0;
  for (std::size_t row = 0; row < texts.size(); ++row) bytes += texts[row].size();
  return bytes;
}

std::uint64_t text_bytes(const GraphTables& tables) {
  return bytes_of(tables.record_ids) + bytes_of(tables.titles) + bytes_of(tables.texts) + bytes_of(tables.metadata) +
         bytes_of(tables.canonical_forms) + bytes_of(tables.surfaces);
}

// Sentence in paragraph, entity in sentence, and synonyms once for both ends.
std::uint64_t edges(const Graph& graph) {
  const GraphTables& tables = graph.tables();
  return graph.sentence_count() + tables.sentence_entities.values().size() + tables.entity_synonyms.values().size() / 2;
}

std::uint64_t vector_bytes(const Index& index) {
  std::uint64_t bytes = 0;
  if (index.vectors() == nullptr) return bytes;
  for (const VectorTable& table : *index.vectors()) bytes += table.size() * table.dim() * sizeof(float);
  return bytes;
}

double megabytes(std::uint64_t bytes) { return rounded(static_cast<double>(bytes) / 1e6); }

Status print_time(const std::filesystem::path& folder) {
  Samples open;
  Samples cores;
  Samples read;
  for (int i = 0; i < kRepetitions; ++i) {
    const double begin = wall_seconds();
    const double cores_before = process_seconds();
    HARNESSG_RETURN_IF_ERROR(Index::open(folder));
    open.add(wall_seconds() - begin);
    cores.add(process_seconds() - cores_before);
    HARNESSG_ASSIGN(const double seconds, read_bytes(folder));
    read.add(seconds);
  }
  const double best_open = open.quantile(0);
  const double best_read = read.quantile(0);
  const double value = rounded(best_open * 1e3);
  print_figure("open_milliseconds", value, "ms", "<= 150", value <= 150,
               {{"limit", rounded(best_read * 1e3)},
                {"limit_is", "reading the same bytes, ms"},
                {"ratio", rounded(best_open / best_read)},
                {"spread", spread(open, 1e3)},
                {"core_milliseconds", rounded(cores.median() * 1e3)},
                {"clock", "wall, the best"},
                {"caches", "files in the page cache"}});
  return {};
}

}  // namespace

Status print_open(const std::filesystem::path& folder) {
  const std::uint64_t before = resident_bytes();
  HARNESSG_ASSIGN(const auto index, Index::open(folder));
  const std::uint64_t opened = resident_bytes() - before;
  if (index->vectors() != nullptr) {
    for (const VectorTable& table : *index->vectors()) table.make_ready();
  }
  const std::uint64_t coded = resident_bytes() - before;
  const std::uint64_t vectors = vector_bytes(*index);
  const std::uint64_t texts = text_bytes(index->graph().tables());
  const std::uint64_t least = vectors + texts + kBytesAnEdge * edges(index->graph());
  const double ratio = rounded(static_cast<double>(opened) / static_cast<double>(least));
  print_figure("open_memory_ratio", ratio, "x", "<= 1.3", ratio <= 1.3,
               {{"limit", megabytes(least)},
                {"limit_is", "vectors, texts and 16 bytes an edge, MB"},
                {"vectors_mb", megabytes(vectors)},
                {"texts_mb", megabytes(texts)},
                {"edges", edges(index->graph())},
                {"resident_mb", megabytes(opened)},
                {"index_says_mb", megabytes(index->memory_bytes())}});
  print_figure("memory_ratio_with_rounded_vectors", rounded(static_cast<double>(coded) / static_cast<double>(least)),
               "x", "-", true, {{"note", "from the first environment on"}, {"resident_mb", megabytes(coded)}});
  return print_time(folder);
}

}  // namespace harnessg::bench
