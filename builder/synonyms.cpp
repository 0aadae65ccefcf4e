#include "builder/synonyms.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <tuple>

#include "builder/synonym_candidates.h"

namespace harnessg {
namespace {

Status check(const SynonymSettings& settings, std::size_t entities, const VectorTable* vectors) {
  if (!(settings.min_jaccard > 0.5 && settings.min_jaccard <= 1))
    return fail(ErrorCode::kInvalidArgument, "the synonyms' token Jaccard is {}; give a value over 0.5, at most 1",
                settings.min_jaccard);
  if (!(settings.min_score >= -1 && settings.min_score <= 1))
    return fail(ErrorCode::kInvalidArgument, "the synonyms' least score is {}; give a value from -1 to 1",
                settings.min_score);
  if (vectors && vectors->size() != entities)
    return fail(ErrorCode::kInvalidArgument, "there are {} entity vectors for {} entities; give one an entity",
                vectors->size(), entities);
  return {};
}

bool synonym_before(const Synonym& a, const Synonym& b) {
  return a.score != b.score ? a.score > b.score : a.entity < b.entity;
}

bool edge_before(const SynonymEdge& a, const SynonymEdge& b) {
  return std::tie(a.first, a.second, a.reason) < std::tie(b.first, b.second, b.reason);
}

// The edges that one entity asks for.
std::vector<SynonymEdge> best_edges(std::uint32_t entity, const std::vector<SynonymCandidate>& candidates,
                                    const SynonymSettings& settings, const VectorTable* vectors) {
  std::vector<std::pair<Synonym, SynonymReason>> kept;
  for (const SynonymCandidate& candidate : candidates) {
    const float score =
        vectors ? dot(vectors->row(entity), vectors->row(candidate.entity)) : static_cast<float>(candidate.jaccard);
    if (score >= static_cast<float>(settings.min_score))
      kept.push_back({{EntityId{candidate.entity}, score}, candidate.reason});
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return synonym_before(a.first, b.first); });
  if (kept.size() > settings.top) kept.resize(settings.top);
  std::vector<SynonymEdge> edges;
  for (const auto& [synonym, reason] : kept) {
    const EntityId asking{entity};
    edges.push_back({std::min(asking, synonym.entity), std::max(asking, synonym.entity), synonym.score, reason});
  }
  return edges;
}

}  // namespace

Result<std::vector<SynonymEdge>> find_synonyms(const GraphTables& tables, const SynonymSettings& settings,
                                               const VectorTable* vectors) {
  const std::size_t entities = tables.labels.size();
  HARNESSG_RETURN_IF_ERROR(check(settings, entities, vectors));
  std::vector<SynonymEdge> edges;
  if (settings.top == 0) return edges;
  const SynonymCandidates candidates(tables, settings);
  std::vector<std::vector<SynonymEdge>> asked(entities);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, entities), [&](const tbb::blocked_range<std::size_t>& range) {
    std::vector<SynonymCandidate> found;
    for (std::size_t e = range.begin(); e != range.end(); ++e) {
      candidates.collect(static_cast<std::uint32_t>(e), found);
      if (!found.empty()) asked[e] = best_edges(static_cast<std::uint32_t>(e), found, settings, vectors);
    }
  });
  for (const std::vector<SynonymEdge>& of_one : asked) edges.insert(edges.end(), of_one.begin(), of_one.end());
  tbb::parallel_sort(edges.begin(), edges.end(), edge_before);
  const auto same_pair = [](const SynonymEdge& a, const SynonymEdge& b) {
    return a.first == b.first && a.second == b.second;
  };
  edges.erase(std::unique(edges.begin(), edges.end(), same_pair), edges.end());
  return edges;
}

Rows<Synonym> synonym_rows(const std::vector<SynonymEdge>& edges, std::size_t entity_count) {
  std::vector<std::uint64_t> ends(entity_count, 0);
  for (const SynonymEdge& edge : edges) {
    ++ends[index(edge.first)];
    ++ends[index(edge.second)];
  }
  std::vector<std::uint64_t> next(entity_count, 0);
  std::uint64_t sum = 0;
  for (std::size_t e = 0; e < entity_count; ++e) {
    next[e] = sum;
    ends[e] = sum += ends[e];
  }
  std::vector<Synonym> values(sum);
  for (const SynonymEdge& edge : edges) {
    values[next[index(edge.first)]++] = {edge.second, edge.score};
    values[next[index(edge.second)]++] = {edge.first, edge.score};
  }
  for (std::size_t e = 0; e < entity_count; ++e) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(e == 0 ? 0 : ends[e - 1]);
    std::sort(begin, values.begin() + static_cast<std::ptrdiff_t>(ends[e]), synonym_before);
  }
  return Rows<Synonym>(std::move(ends), std::move(values));
}

}  // namespace harnessg
