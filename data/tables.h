// Two flat containers from which the graph is made: many short texts in one buffer, and rows of different length in
// one array (compressed sparse rows).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harnessg {

// Texts in one buffer, addressed by row.
class TextTable {
 public:
  void push_back(std::string_view text) {
    bytes_.append(text);
    ends_.push_back(bytes_.size());
  }
  std::string_view operator[](std::size_t row) const {
    const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::string_view(bytes_).substr(begin, ends_[row] - begin);
  }
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  void reserve(std::size_t rows, std::size_t bytes) {
    ends_.reserve(rows);
    bytes_.reserve(bytes);
  }
  std::size_t memory_bytes() const { return bytes_.capacity() + ends_.capacity() * sizeof(std::uint64_t); }

  friend bool operator==(const TextTable&, const TextTable&) = default;

 private:
  std::string bytes_;
  std::vector<std::uint64_t> ends_;
};

// Rows of values of one trivially copyable type in one array.
template <class Value>
class Rows {
 public:
  Rows() = default;
  // `ends[r]` is one past the last value of row r; the last end equals values.size().
  Rows(std::vector<std::uint64_t> ends, std::vector<Value> values)
      : ends_(std::move(ends)), values_(std::move(values)) {}

  void push_back(std::span<const Value> row) {
    values_.insert(values_.end(), row.begin(), row.end());
    ends_.push_back(values_.size());
  }
  std::span<const Value> operator[](std::size_t row) const {
    const std::uint64_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::span<const Value>(values_).subspan(begin, ends_[row] - begin);
  }
  std::size_t size() const { return ends_.size(); }
  std::span<const std::uint64_t> ends() const { return ends_; }
  std::span<const Value> values() const { return values_; }
  std::size_t memory_bytes() const {
    return ends_.capacity() * sizeof(std::uint64_t) + values_.capacity() * sizeof(Value);
  }

  friend bool operator==(const Rows&, const Rows&) = default;

 private:
  std::vector<std::uint64_t> ends_;
  std::vector<Value> values_;
};

}  // namespace harnessg
