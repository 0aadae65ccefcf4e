// The best of many scores.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "data/vectors.h"

namespace harnessg {

// The k best of scores[id] in ranks_before order; all of them when k is larger. No score may be NaN.
inline std::vector<Scored> best_of(std::span<const float> scores, std::size_t k) {
  std::vector<Scored> heap;  // the worst in front
  k = std::min(k, scores.size());
  heap.reserve(k);
  for (std::uint32_t id = 0; id < scores.size() && k > 0; ++id) {
    if (heap.size() == k) {
      // Ids ascend, so an equal score ranks behind what is there.
      if (!(scores[id] > heap.front().score)) continue;
      std::pop_heap(heap.begin(), heap.end(), ranks_before);
      heap.pop_back();
    }
    heap.push_back({id, scores[id]});
    std::push_heap(heap.begin(), heap.end(), ranks_before);
  }
  std::sort_heap(heap.begin(), heap.end(), ranks_before);
  return heap;
}

}  // namespace harnessg
