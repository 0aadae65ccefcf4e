#include "bench/limits.h"

#include <blis.h>
#include <cblas.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "bench/measure.h"
#include "data/dot.h"

namespace harnessg::bench {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr int kCopies = 10'000;

// What is measured must be seen to be used.
void keep(const void* pointer) { asm volatile("" : : "g"(pointer) : "memory"); }

void add_mentions(const Graph& graph, EntityId entity, std::size_t cap, std::vector<std::uint32_t>& ids) {
  const auto sentences = graph.sentences(entity);
  for (const SentenceId s : sentences.first(std::min(sentences.size(), cap))) ids.push_back(index(s));
}

std::vector<std::uint32_t> candidates_of(const World& world, std::span<const EntityId> entities) {
  const Graph& graph = world.graph;
  std::vector<std::uint32_t> ids;
  for (const EntityId entity : entities) {
    add_mentions(graph, entity, world.config.mention_sentences, ids);
    const auto synonyms = graph.synonyms(entity);
    for (const Synonym& synonym : synonyms.first(std::min<std::size_t>(synonyms.size(), world.config.synonyms)))
      add_mentions(graph, synonym.entity, world.config.synonym_sentences, ids);
  }
  const std::size_t direct = ids.size();
  for (std::size_t i = 0; i < direct; ++i) {
    const SentenceId s{ids[i]};
    const ParagraphId p = graph.paragraph(s);
    if (s != graph.first_sentence(p)) ids.push_back(index(s) - 1);
    if (index(s) + 1 != index(graph.end_sentence(p))) ids.push_back(index(s) + 1);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

Result<double> read_bytes(const std::filesystem::path& folder) {
  std::vector<char> buffer(kBufferBytes);
  std::error_code error;
  const double begin = wall_seconds();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    in.rdbuf()->pubsetbuf(nullptr, 0);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) keep(buffer.data());
    if (in.bad()) return fail(ErrorCode::kIo, "{}: cannot be read", entry.path().string());
  }
  if (error) return fail(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
  return wall_seconds() - begin;
}

double multiply_all(const NodeVectors& vectors, std::span<const float* const> queries) {
  bli_thread_set_num_threads(1);
  const std::size_t dim = vectors.front().dim();
  std::vector<float> block(queries.size() * dim);
  for (std::size_t q = 0; q < queries.size(); ++q) std::copy_n(queries[q], dim, block.data() + q * dim);
  std::size_t most = 0;
  for (const VectorTable& table : vectors) most = std::max(most, table.size());
  static std::vector<float> products;
  products.resize(most * queries.size());
  const auto columns = static_cast<int>(dim);
  return timed([&] {
    for (const VectorTable& table : vectors) {
      const auto rows = static_cast<int>(table.size());
      if (queries.size() == 1) {
        cblas_sgemv(CblasRowMajor, CblasNoTrans, rows, columns, 1, table.row(0).data(), columns, block.data(), 1, 0,
                    products.data(), 1);
      } else {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(queries.size()), rows, columns, 1,
                    block.data(), columns, table.row(0).data(), columns, 0, products.data(), rows);
      }
      keep(products.data());
    }
  });
}

double score_candidates(const World& world, const NodeVectors& vectors, const Query& query,
                        std::span<const EntityId> entities) {
  const std::vector<std::uint32_t> ids = candidates_of(world, entities);
  std::vector<float> scores(ids.size());
  const VectorTable& sentences = vectors[static_cast<std::size_t>(NodeKind::kSentence)];
  return timed([&] {
    dot_rows(query.vector, sentences.row(0).data(), ids, scores);
    keep(scores.data());
  });
}

double copy_bytes(std::size_t bytes) {
  std::vector<char> from(bytes, 'x');
  std::vector<char> to(bytes);
  return timed([&] {
           for (int i = 0; i < kCopies; ++i) {
             keep(from.data());
             std::memcpy(to.data(), from.data(), bytes);
             keep(to.data());
           }
         }) /
         kCopies;
}

}  // namespace harnessg::bench
