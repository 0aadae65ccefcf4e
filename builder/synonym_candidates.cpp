#include "builder/synonym_candidates.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <unordered_map>

#include "builder/synonym_features.h"

namespace harnessg {
namespace {

// A product such as 0.8 * 5 that rounding lifts over the whole number it stands for.
constexpr double kRounding = 1e-9;

std::size_t shared_tokens(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::size_t shared = 0, i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    shared += a[i] == b[j];
    const bool forward = a[i] <= b[j];
    j += b[j] <= a[i];
    i += forward;
  }
  return shared;
}

}  // namespace

void NameGroups::sort() { tbb::parallel_sort(entries_.begin(), entries_.end()); }

std::span<const NameGroups::Entry> NameGroups::find(NameHash key) const {
  const auto begin = std::lower_bound(entries_.begin(), entries_.end(), Entry{key, 0});
  auto end = begin;
  while (end != entries_.end() && end->key == key) ++end;
  return {begin, end};
}

SynonymCandidates::SynonymCandidates(const GraphTables& tables, const SynonymSettings& settings)
    : tables_(tables), settings_(settings) {
  std::vector<std::vector<std::string>> content;
  read_names(content);
  rank_tokens(content);
  fill_groups();
}

void SynonymCandidates::read_names(std::vector<std::vector<std::string>>& content) {
  names_.resize(tables_.labels.size());
  content.resize(names_.size());
  tbb::parallel_for(std::size_t{0}, names_.size(), [&](std::size_t e) {
    std::vector<std::string_view> surfaces;
    for (const std::uint32_t row : tables_.surface_rows[e]) surfaces.push_back(tables_.surfaces[row]);
    SynonymFeatures features = synonym_features(tables_.canonical_forms[e], surfaces);
    if (!features.eligible) return;
    Name& name = names_[e];
    name.eligible = true;
    name.joined = NameHash::of(features.joined);
    if (!features.expansion.empty()) name.expansion = NameHash::of(features.expansion);
    for (const std::string& acronym : features.acronyms) name.acronyms.push_back(NameHash::of(acronym));
    content[e] = std::move(features.content);
  });
}

// Tokens become ranks by (names that have them, first appearance), so that a name's rarest tokens come first.
void SynonymCandidates::rank_tokens(const std::vector<std::vector<std::string>>& content) {
  std::unordered_map<std::string_view, std::uint32_t> ids;
  std::vector<std::uint32_t> frequency;
  std::vector<std::vector<std::uint32_t>> rows(content.size());
  for (std::size_t e = 0; e < content.size(); ++e) {
    for (const std::string& token : content[e]) {
      const auto [entry, added] = ids.emplace(token, static_cast<std::uint32_t>(frequency.size()));
      if (added) frequency.push_back(0);
      ++frequency[entry->second];
      rows[e].push_back(entry->second);
    }
  }
  std::vector<std::uint32_t> order(frequency.size());
  for (std::uint32_t token = 0; token < order.size(); ++token) order[token] = token;
  tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return frequency[a] != frequency[b] ? frequency[a] < frequency[b] : a < b;
  });
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
  for (std::vector<std::uint32_t>& row : rows) {
    for (std::uint32_t& token : row) token = ranks[token];
    std::sort(row.begin(), row.end());
    tokens_.push_back(row);
  }
}

NameHash SynonymCandidates::token_hash(std::uint32_t entity) const {
  const auto row = tokens(entity);
  return NameHash::of({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
}

// Two sets of Jaccard >= t share at least ceil(t * size) tokens, so that they meet among the first
// size - ceil(t * size) + 1 of each in one global order (prefix filtering).
std::size_t SynonymCandidates::prefix_length(std::size_t size) const {
  const auto needed =
      static_cast<std::size_t>(std::ceil(settings_.min_jaccard * static_cast<double>(size) - kRounding));
  return size - needed + 1;
}

// Whether a set of this size has sets other than itself of sufficient Jaccard: one more token at the least.
bool SynonymCandidates::may_differ(std::size_t size) const {
  return token_jaccard(size, size, size + 1) >= settings_.min_jaccard;
}

void SynonymCandidates::fill_groups() {
  for (std::uint32_t e = 0; e < names_.size(); ++e) {
    const Name& name = names_[e];
    if (!name.eligible) continue;
    joined_.add(name.joined, e);
    if (name.expansion != NameHash{}) expansions_.add(name.expansion, e);
    for (const NameHash acronym : name.acronyms) acronyms_.add(acronym, e);
    const auto row = tokens(e);
    if (row.empty()) continue;
    token_sets_.add(token_hash(e), e);
    if (!may_differ(row.size())) continue;
    for (const std::uint32_t token : row.first(prefix_length(row.size())))
      postings_.push_back({token, static_cast<std::uint32_t>(row.size()), e});
  }
  for (NameGroups* groups : {&joined_, &token_sets_, &expansions_, &acronyms_}) groups->sort();
  tbb::parallel_sort(postings_.begin(), postings_.end());
}

double SynonymCandidates::jaccard(std::uint32_t a, std::uint32_t b) const {
  const auto first = tokens(a), second = tokens(b);
  return token_jaccard(shared_tokens(first, second), first.size(), second.size());
}

bool SynonymCandidates::compatible(std::uint32_t a, std::uint32_t b) const {
  const Label first = tables_.labels[a], second = tables_.labels[b];
  return first == second || first == Label::kEntity || second == Label::kEntity;
}

void SynonymCandidates::collect_group(std::span<const NameGroups::Entry> group, std::uint32_t entity,
                                      SynonymReason reason, std::vector<SynonymCandidate>& found) const {
  std::uint32_t taken = 0;
  for (const NameGroups::Entry& entry : group) {
    if (taken == settings_.max_candidates) return;
    if (entry.entity == entity) continue;
    if (reason != SynonymReason::kAcronym && !compatible(entity, entry.entity)) continue;
    found.push_back({entry.entity, reason, jaccard(entity, entry.entity)});
    ++taken;
  }
}

void SynonymCandidates::collect_near(std::uint32_t entity, std::vector<SynonymCandidate>& found) const {
  const auto row = tokens(entity);
  if (!may_differ(row.size())) return;
  const auto size = static_cast<double>(row.size());
  const auto smallest = static_cast<std::uint32_t>(std::ceil(settings_.min_jaccard * size - kRounding));
  const auto largest = static_cast<std::uint32_t>(std::floor(size / settings_.min_jaccard + kRounding));
  for (const std::uint32_t token : row.first(prefix_length(row.size()))) {
    const auto begin = std::lower_bound(postings_.begin(), postings_.end(), Posting{token, 0, 0});
    const auto end = std::lower_bound(begin, postings_.end(), Posting{token + 1, 0, 0});
    if (end - begin > settings_.max_postings) continue;
    for (auto at = std::lower_bound(begin, end, Posting{token, smallest, 0}); at != end && at->size <= largest; ++at) {
      if (at->entity == entity || !compatible(entity, at->entity)) continue;
      const double similarity = jaccard(entity, at->entity);
      if (similarity >= settings_.min_jaccard) found.push_back({at->entity, SynonymReason::kToken, similarity});
    }
  }
}

void SynonymCandidates::collect(std::uint32_t entity, std::vector<SynonymCandidate>& found) const {
  found.clear();
  const Name& name = names_[entity];
  if (!name.eligible) return;
  collect_group(joined_.find(name.joined), entity, SynonymReason::kExact, found);
  if (!tokens(entity).empty())
    collect_group(token_sets_.find(token_hash(entity)), entity, SynonymReason::kToken, found);
  collect_near(entity, found);
  for (const NameHash acronym : name.acronyms)
    collect_group(expansions_.find(acronym), entity, SynonymReason::kAcronym, found);
  if (name.expansion != NameHash{})
    collect_group(acronyms_.find(name.expansion), entity, SynonymReason::kAcronym, found);

  std::sort(found.begin(), found.end(), [](const SynonymCandidate& a, const SynonymCandidate& b) {
    return std::tie(a.entity, a.reason) < std::tie(b.entity, b.reason);
  });
  found.erase(
      std::unique(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.entity == b.entity; }),
      found.end());
  std::sort(found.begin(), found.end(), [](const SynonymCandidate& a, const SynonymCandidate& b) {
    if (a.reason != b.reason) return a.reason < b.reason;
    return a.jaccard != b.jaccard ? a.jaccard > b.jaccard : a.entity < b.entity;
  });
  if (found.size() > settings_.max_candidates) found.resize(settings_.max_candidates);
}

}  // namespace harnessg
