// A vector whose first N elements live inside it, so that copying an ordinary episode allocates nothing.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <span>

namespace harnessg {

template <class Value, std::size_t N>
using SmallVector = boost::container::small_vector<Value, N>;

// Boost's iterators are not known to std::span as contiguous.
template <class Value, std::size_t N>
std::span<const Value> as_span(const SmallVector<Value, N>& values) {
  return {values.data(), values.size()};
}
template <class Value, std::size_t N>
std::span<Value> as_span(SmallVector<Value, N>& values) {
  return {values.data(), values.size()};
}

}  // namespace harnessg
