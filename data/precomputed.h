// Vectors that somebody else computed, as NumPy files: the builder takes the nodes', episodes the queries'.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/embedder.h"
#include "data/result.h"

namespace harnessg {

// How many nodes of each kind a graph has, in NodeKind order.
using NodeCounts = std::array<std::uint32_t, 3>;

// One unit row a node, in the graph's order.
struct PrecomputedVectors {
  Matrix paragraph;
  Matrix sentence;
  Matrix entity;
  // For the manifest: name "precomputed:NAME" (the folder's or file's own name, without .npy), version the hash of all
  // values. The same vectors have the same version whichever form they came in.
  EmbedderInfo info;
};

// Reads a folder with paragraph.npy, sentence.npy and entity.npy, or one .npy file whose rows are all paragraphs, then
// all sentences, then all entities. kBadInput naming the file when its rows do not fit `counts`, dimensions differ or a
// row is not L2-normalised (within 1e-3); kNotFound when a file is missing.
Result<PrecomputedVectors> read_precomputed_vectors(const std::filesystem::path& path, const NodeCounts& counts);

// Vectors of known query texts: a folder with query.npy and queries.json (or queries.json.gz), a JSON list of texts;
// row i of the matrix is text i's vector. Const and thread-safe.
class PrecomputedQueries : public Embedder {
 public:
  // `info` is what the manifest of the index says; its dimension must be the matrix's (kWrongIndex). Where the folder
  // also holds the nodes' matrices, they must be those of the index (kWrongIndex). kBadInput naming the file for a list
  // that is none, counts that differ, rows that are not L2-normalised, or one text with two different vectors.
  static Result<PrecomputedQueries> open(const std::filesystem::path& folder, const EmbedderInfo& info);

  const EmbedderInfo& info() const override { return info_; }
  // kUnavailable: vectors of passages come as matrices, see read_precomputed_vectors.
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override;
  // Rows of the texts, found by equality of bytes; kBadInput naming the first text that has none.
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override;

  std::size_t size() const { return rows_.size(); }  // different texts

 private:
  PrecomputedQueries() = default;

  EmbedderInfo info_;
  Matrix vectors_;
  std::unordered_map<std::string, std::size_t> rows_;
};

}  // namespace harnessg
