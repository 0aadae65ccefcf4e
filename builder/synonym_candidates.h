// Which entities may be synonyms of one another, before any score.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "builder/synonyms.h"

namespace harnessg {

// A hash of 128 bits stands for the text it was made from.
struct NameHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  static NameHash of(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
  }
  friend auto operator<=>(const NameHash&, const NameHash&) = default;
};

// Entities by a key they share, ascending within a key.
class NameGroups {
 public:
  void add(NameHash key, std::uint32_t entity) { entries_.push_back({key, entity}); }
  void sort();

  struct Entry {
    NameHash key;
    std::uint32_t entity = 0;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  std::span<const Entry> find(NameHash key) const;

 private:
  std::vector<Entry> entries_;
};

struct SynonymCandidate {
  std::uint32_t entity = 0;
  SynonymReason reason{};
  double jaccard = 0;  // of the content tokens
};

// Const and thread-safe after construction.
class SynonymCandidates {
 public:
  SynonymCandidates(const GraphTables& tables, const SynonymSettings& settings);

  // Of one entity, best first: by reason, then by Jaccard descending, then by id; each entity once, at most
  // settings.max_candidates.
  void collect(std::uint32_t entity, std::vector<SynonymCandidate>& found) const;

 private:
  // A name's rare token and how many content tokens the name has.
  struct Posting {
    std::uint32_t token = 0;
    std::uint32_t size = 0;
    std::uint32_t entity = 0;

    friend auto operator<=>(const Posting&, const Posting&) = default;
  };
  struct Name {
    bool eligible = false;
    NameHash joined;
    NameHash expansion;  // zero: none
    std::vector<NameHash> acronyms;
  };

  void read_names(std::vector<std::vector<std::string>>& content);
  void rank_tokens(const std::vector<std::vector<std::string>>& content);
  void fill_groups();
  std::span<const std::uint32_t> tokens(std::uint32_t entity) const { return tokens_[entity]; }
  NameHash token_hash(std::uint32_t entity) const;
  std::size_t prefix_length(std::size_t size) const;
  bool may_differ(std::size_t size) const;
  double jaccard(std::uint32_t a, std::uint32_t b) const;
  bool compatible(std::uint32_t a, std::uint32_t b) const;
  void collect_group(std::span<const NameGroups::Entry> group, std::uint32_t entity, SynonymReason reason,
                     std::vector<SynonymCandidate>& found) const;
  void collect_near(std::uint32_t entity, std::vector<SynonymCandidate>& found) const;

  const GraphTables& tables_;
  const SynonymSettings settings_;
  std::vector<Name> names_;
  Rows<std::uint32_t> tokens_;  // content tokens as ranks, rarest (0) first
  NameGroups joined_, token_sets_, expansions_, acronyms_;
  std::vector<Posting> postings_;
};

}  // namespace harnessg
