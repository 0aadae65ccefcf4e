#include <xxhash.h>

#include <bit>
#include <memory>
#include <type_traits>

#include "data/index.h"

namespace harnessg {
namespace {

static_assert(std::endian::native == std::endian::little, "the hash and the store take integers as they lie in memory");

// XXH3, 128 bits, over the byte sequence that docs/format.md defines under "Content hash".
class ContentHasher {
 public:
  ContentHasher() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void bytes(const void* data, std::size_t size) { XXH3_128bits_update(state_.get(), data, size); }
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes(value.data(), value.size());
  }
  void texts(const TextTable& table) {
    number(table.size());
    for (std::size_t row = 0; row < table.size(); ++row) text(table[row]);
  }
  template <class Value>
  void values(std::span<const Value> all) {
    static_assert(std::has_unique_object_representations_v<Value> || std::is_same_v<Value, Synonym>, "no padding");
    number(all.size());
    bytes(all.data(), all.size_bytes());
  }
  template <class Value>
  void rows(const Rows<Value>& table) {
    values(table.ends());
    values(table.values());
  }
  std::string hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

void add_graph(ContentHasher& hash, const GraphTables& t) {
  hash.texts(t.record_ids);
  hash.texts(t.titles);
  hash.texts(t.texts);
  hash.texts(t.metadata);
  hash.values(std::span(t.sentence_ends));
  hash.values(std::span(t.title_entities));
  hash.rows(t.paragraph_entities);
  hash.values(std::span(t.text_begins));
  hash.values(std::span(t.text_ends));
  hash.rows(t.sentence_entities);
  hash.texts(t.canonical_forms);
  hash.values(std::span(t.labels));
  hash.rows(t.surface_rows);
  hash.texts(t.surfaces);
  hash.rows(t.entity_sentences);
  hash.rows(t.entity_synonyms);
  hash.number(t.mention_count);
}

void add_vectors(ContentHasher& hash, const NodeVectors& vectors, const EmbedderInfo& embedder) {
  hash.text(embedder.name);
  hash.text(embedder.version);
  hash.number(embedder.dim);
  for (const VectorTable& table : vectors) {
    hash.number(table.size());
    for (std::size_t row = 0; row < table.size(); ++row) {
      const auto values = table.row(row);
      hash.bytes(values.data(), values.size_bytes());
    }
  }
}

}  // namespace

std::string content_hash(const IndexContent& content, const EmbedderInfo& embedder) {
  ContentHasher hash;
  hash.text("harnessg content 1");
  add_graph(hash, content.graph.tables());
  hash.texts(content.lexicon.tables().terms);
  for (const Rows<TermCount>& rows : content.lexicon.tables().node_terms) hash.rows(rows);
  hash.number(content.vectors ? 1 : 0);
  if (content.vectors) add_vectors(hash, *content.vectors, embedder);
  return hash.hex();
}

}  // namespace harnessg
