#include "data/graph_store.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>

#include "data/rocks.h"

namespace harnessg {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "arrays are stored as they lie in memory");

constexpr std::size_t kBlockBytes = 1 << 20;

constexpr std::pair<const char*, rocksdb::CompressionType> kCompressions[] = {
    {"lz4", rocksdb::kLZ4Compression},
    {"zstd", rocksdb::kZSTD},
    {"snappy", rocksdb::kSnappyCompression},
    {"none", rocksdb::kNoCompression},
};

bool linked(rocksdb::CompressionType type) {
  const auto all = rocksdb::GetSupportedCompressions();
  return type == rocksdb::kNoCompression || std::find(all.begin(), all.end(), type) != all.end();
}

std::optional<rocksdb::CompressionType> compression_type(std::string_view name) {
  for (const auto& [known, type] : kCompressions)
    if (known == name && linked(type)) return type;
  return std::nullopt;
}

std::string row_key(std::uint32_t row) {
  return {static_cast<char>(row >> 24), static_cast<char>(row >> 16), static_cast<char>(row >> 8),
          static_cast<char>(row)};
}

std::string block_key(std::string_view array, std::size_t block) { return fmt::format("{}/{:06}", array, block); }

template <class Number>
void append_number(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Number>
Number number_at(std::string_view bytes) {
  Number value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

Error damaged(const fs::path& folder, std::string_view what) {
  return Error{ErrorCode::kCorrupt, fmt::format("{}: {}; build the index again", folder.string(), what)};
}

// Arrays of fixed-size values in one column family: record NAME holds the length in bytes, NAME/000000 and on hold
// the bytes.
class ArrayWriter {
 public:
  ArrayWriter(RocksStore& store, Family family) : store_(store), family_(family) {}

  template <class Value>
  Status values(std::string_view name, std::span<const Value> all) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return bytes(name, {reinterpret_cast<const char*>(all.data()), all.size_bytes()});
  }

  template <class Value>
  Status rows(std::string_view name, const Rows<Value>& table) {
    std::vector<std::uint32_t> lengths(table.size());
    for (std::size_t row = 0; row < table.size(); ++row) lengths[row] = static_cast<std::uint32_t>(table[row].size());
    HARNESSG_RETURN_IF_ERROR(values(fmt::format("{}.lengths", name), std::span<const std::uint32_t>(lengths)));
    return values(fmt::format("{}.values", name), table.values());
  }

  Status texts(std::string_view name, const TextTable& table) {
    std::vector<std::uint32_t> lengths(table.size());
    std::string joined;
    for (std::size_t row = 0; row < table.size(); ++row) {
      lengths[row] = static_cast<std::uint32_t>(table[row].size());
      joined += table[row];
    }
    HARNESSG_RETURN_IF_ERROR(values(fmt::format("{}.lengths", name), std::span<const std::uint32_t>(lengths)));
    return bytes(fmt::format("{}.bytes", name), joined);
  }

 private:
  Status bytes(std::string_view name, std::string_view all) {
    std::string length;
    append_number(length, static_cast<std::uint64_t>(all.size()));
    HARNESSG_RETURN_IF_ERROR(store_.put(family_, name, length));
    for (std::size_t block = 0; block * kBlockBytes < all.size(); ++block) {
      HARNESSG_RETURN_IF_ERROR(
          store_.put(family_, block_key(name, block), all.substr(block * kBlockBytes, kBlockBytes)));
    }
    return {};
  }

  RocksStore& store_;
  Family family_;
};

class ArrayReader {
 public:
  ArrayReader(const RocksStore& store, Family family, const fs::path& folder)
      : store_(store), family_(family), folder_(folder), records_(store.scan(family)) {}

  template <class Value>
  Status values(std::string_view name, std::vector<Value>& to) {
    static_assert(std::is_trivially_copyable_v<Value>);
    HARNESSG_ASSIGN(const std::uint64_t length, byte_length(name));
    if (length % sizeof(Value) != 0) return wrong(name);
    to.resize(length / sizeof(Value));
    return fill(name, reinterpret_cast<char*>(to.data()), length);
  }

  template <class Value>
  Status rows(std::string_view name, Rows<Value>& to) {
    std::vector<std::uint32_t> lengths;
    std::vector<Value> all;
    HARNESSG_RETURN_IF_ERROR(values(fmt::format("{}.lengths", name), lengths));
    HARNESSG_RETURN_IF_ERROR(values(fmt::format("{}.values", name), all));
    std::vector<std::uint64_t> ends(lengths.size());
    std::uint64_t end = 0;
    for (std::size_t row = 0; row < lengths.size(); ++row) ends[row] = end += lengths[row];
    if (end != all.size()) return wrong(name);
    to = Rows<Value>(std::move(ends), std::move(all));
    return {};
  }

  Status texts(std::string_view name, TextTable& to) {
    std::vector<std::uint32_t> lengths;
    HARNESSG_RETURN_IF_ERROR(values(fmt::format("{}.lengths", name), lengths));
    const std::string bytes_name = fmt::format("{}.bytes", name);
    HARNESSG_ASSIGN(const std::uint64_t length, byte_length(bytes_name));
    std::string bytes(length, '\0');
    HARNESSG_RETURN_IF_ERROR(fill(bytes_name, bytes.data(), length));
    to.reserve(lengths.size(), length);
    std::uint64_t begin = 0;
    for (const std::uint32_t size : lengths) {
      if (size > length - begin) return wrong(name);
      to.push_back(std::string_view(bytes).substr(begin, size));
      begin += size;
    }
    return begin == length ? Status{} : wrong(name);
  }

 private:
  Result<std::uint64_t> byte_length(std::string_view name) {
    HARNESSG_ASSIGN(const std::string record, store_.get(family_, name));
    if (record.size() != sizeof(std::uint64_t)) return tl::unexpected(wrong(name).error());
    return number_at<std::uint64_t>(record);
  }

  Status fill(std::string_view name, char* to, std::uint64_t length) {
    std::uint64_t filled = 0;
    std::size_t block = 0;
    for (records_->Seek(block_key(name, 0)); filled < length && records_->Valid(); records_->Next(), ++block) {
      const rocksdb::Slice value = records_->value();
      if (records_->key() != rocksdb::Slice(block_key(name, block)) || value.size() > length - filled) break;
      std::memcpy(to + filled, value.data(), value.size());
      filled += value.size();
    }
    if (!records_->status().ok()) return tl::unexpected(store_.error(records_->status()));
    return filled == length ? Status{} : wrong(name);
  }

  Status wrong(std::string_view name) const {
    return tl::unexpected(damaged(folder_, fmt::format("array {} has not the length it should have", name)));
  }

  const RocksStore& store_;
  Family family_;
  const fs::path& folder_;
  std::unique_ptr<rocksdb::Iterator> records_;
};

// Calls use(value) for the records of rows 0, 1, 2, ...; `use` says whether the value makes sense.
template <class Use>
Status read_records(const RocksStore& store, Family family, const fs::path& folder, Use use) {
  const auto records = store.scan(family);
  std::uint32_t row = 0;
  for (records->SeekToFirst(); records->Valid(); records->Next(), ++row) {
    if (records->key() != rocksdb::Slice(row_key(row)) || !use(records->value().ToStringView()))
      return tl::unexpected(damaged(folder, fmt::format("record {} is missing or malformed", row)));
  }
  if (!records->status().ok()) return tl::unexpected(store.error(records->status()));
  return {};
}

std::array<TextTable GraphTables::*, 4> paragraph_texts() {
  return {&GraphTables::record_ids, &GraphTables::titles, &GraphTables::texts, &GraphTables::metadata};
}

Status write_records(RocksStore& store, const GraphTables& t) {
  std::string value;
  for (std::uint32_t p = 0; p < t.titles.size(); ++p) {
    value.clear();
    for (const auto table : paragraph_texts()) append_number(value, static_cast<std::uint32_t>((t.*table)[p].size()));
    for (const auto table : paragraph_texts()) value += (t.*table)[p];
    HARNESSG_RETURN_IF_ERROR(store.put(Family::kParagraphs, row_key(p), value));
  }
  for (std::uint32_t e = 0; e < t.labels.size(); ++e) {
    value.assign(1, static_cast<char>(t.labels[e]));
    value += t.canonical_forms[e];
    HARNESSG_RETURN_IF_ERROR(store.put(Family::kEntities, row_key(e), value));
  }
  return {};
}

bool add_paragraph(GraphTables& t, std::string_view value) {
  std::array<std::uint32_t, 4> lengths;
  if (value.size() < sizeof lengths) return false;
  std::memcpy(lengths.data(), value.data(), sizeof lengths);
  value.remove_prefix(sizeof lengths);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] > value.size()) return false;
    (t.*paragraph_texts()[i]).push_back(value.substr(0, lengths[i]));
    value.remove_prefix(lengths[i]);
  }
  return value.empty();
}

bool add_entity(GraphTables& t, std::string_view value) {
  if (value.empty()) return false;
  t.labels.push_back(static_cast<Label>(value.front()));
  t.canonical_forms.push_back(value.substr(1));
  return true;
}

// One list of the arrays for both directions: `Arrays` is ArrayWriter with const tables, or ArrayReader.
template <class Arrays, class Graph>
Status each_graph_array(Arrays&& arrays, Graph& t) {
  const auto values = [&](std::string_view name, auto& vector) {
    if constexpr (std::is_const_v<Graph>)
      return arrays.values(name, std::span(vector));
    else
      return arrays.values(name, vector);
  };
  HARNESSG_RETURN_IF_ERROR(values("sentence_ends", t.sentence_ends));
  HARNESSG_RETURN_IF_ERROR(values("title_entities", t.title_entities));
  HARNESSG_RETURN_IF_ERROR(values("text_begins", t.text_begins));
  HARNESSG_RETURN_IF_ERROR(values("text_ends", t.text_ends));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("paragraph_entities", t.paragraph_entities));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("sentence_entities", t.sentence_entities));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("surface_rows", t.surface_rows));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("entity_sentences", t.entity_sentences));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("entity_synonyms", t.entity_synonyms));
  return arrays.texts("surfaces", t.surfaces);
}

template <class Arrays, class Lexicon>
Status each_lexicon_array(Arrays&& arrays, Lexicon& t) {
  HARNESSG_RETURN_IF_ERROR(arrays.texts("terms", t.terms));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("paragraph_terms", t.node_terms[0]));
  HARNESSG_RETURN_IF_ERROR(arrays.rows("sentence_terms", t.node_terms[1]));
  return arrays.rows("entity_terms", t.node_terms[2]);
}

}  // namespace

std::string store_compression() {
  for (const auto& [name, type] : kCompressions)
    if (linked(type)) return name;
  return "none";
}

Status check_compression(const std::string& name) {
  if (compression_type(name)) return {};
  return fail(ErrorCode::kUnavailable,
              "the index is compressed by {}, which this program's RocksDB was linked without; build it again here",
              name);
}

Status write_graph_store(const fs::path& folder, const GraphTables& graph, const LexiconTables& lexicon,
                         const std::string& compression) {
  HARNESSG_RETURN_IF_ERROR(check_compression(compression));
  HARNESSG_ASSIGN(RocksStore store, RocksStore::create(folder, *compression_type(compression)));
  HARNESSG_RETURN_IF_ERROR(write_records(store, graph));
  ArrayWriter adjacency(store, Family::kAdjacency);
  HARNESSG_RETURN_IF_ERROR(each_graph_array(adjacency, graph));
  const std::array<std::uint64_t, 1> mentions{graph.mention_count};
  HARNESSG_RETURN_IF_ERROR(adjacency.values("mention_count", std::span<const std::uint64_t>(mentions)));
  HARNESSG_RETURN_IF_ERROR(each_lexicon_array(ArrayWriter(store, Family::kLexicon), lexicon));
  return store.finish();
}

Result<StoredTables> read_graph_store(const fs::path& folder) {
  HARNESSG_ASSIGN(const RocksStore store, RocksStore::open_read_only(folder));
  StoredTables tables;
  HARNESSG_RETURN_IF_ERROR(read_records(store, Family::kParagraphs, folder,
                                        [&](std::string_view value) { return add_paragraph(tables.graph, value); }));
  HARNESSG_RETURN_IF_ERROR(read_records(store, Family::kEntities, folder,
                                        [&](std::string_view value) { return add_entity(tables.graph, value); }));
  ArrayReader adjacency(store, Family::kAdjacency, folder);
  HARNESSG_RETURN_IF_ERROR(each_graph_array(adjacency, tables.graph));
  std::vector<std::uint64_t> mentions;
  HARNESSG_RETURN_IF_ERROR(adjacency.values("mention_count", mentions));
  if (mentions.size() != 1) return tl::unexpected(damaged(folder, "mention_count is no single number"));
  tables.graph.mention_count = mentions.front();
  HARNESSG_RETURN_IF_ERROR(each_lexicon_array(ArrayReader(store, Family::kLexicon, folder), tables.lexicon));
  return tables;
}

Status verify_graph_store(const fs::path& folder) {
  HARNESSG_ASSIGN(const RocksStore store, RocksStore::open_read_only(folder));
  return store.verify_checksums();
}

}  // namespace harnessg
