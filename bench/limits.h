// What the machine itself takes for the least that a call has to do: the limits that figures are printed against.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "data/result.h"
#include "menu/menu.h"

namespace harnessg::bench {

// Each gives seconds of the calling thread, of one run.

// Reads every file of the folder once through a buffer of 1 MiB. Wall seconds.
Result<double> read_bytes(const std::filesystem::path& folder);
// BLAS (BLIS, one thread), float32: the queries' products with every row of the three tables, by cblas_sgemv where it
// is one query, by cblas_sgemm otherwise.
double multiply_all(const NodeVectors& vectors, std::span<const float* const> queries);
// dot products with the candidates that spec 1, section 3 names for lookups of these entities, each sentence once.
double score_candidates(const World& world, const NodeVectors& vectors, const Query& query,
                        std::span<const EntityId> entities);
// Copies so many bytes, an average of many times.
double copy_bytes(std::size_t bytes);

}  // namespace harnessg::bench
