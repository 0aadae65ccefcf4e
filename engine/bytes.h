// Little-endian bytes of plain values, for saved episodes and hashes.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace harnessg {

static_assert(std::endian::native == std::endian::little, "saved episodes are written as the machine holds them");

template <class Value>
concept PlainNumber = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class ByteWriter {
 public:
  template <PlainNumber Value>
  void number(Value value) {
    std::array<char, sizeof(Value)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(Value));
    out_.append(bytes.data(), bytes.size());
  }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    out_.append(text);
  }
  template <class List>
  void numbers(const List& list) {
    number(static_cast<std::uint32_t>(list.size()));
    for (const auto& value : list) number(value);
  }
  const std::string& bytes() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

// Reads what ByteWriter wrote. After the first read past the end every read gives zeros and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <PlainNumber Value>
  Value number() {
    Value value{};
    if (rest_.size() < sizeof(Value)) {
      ok_ = false;
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof(Value));
    rest_.remove_prefix(sizeof(Value));
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    if (size > rest_.size()) {
      ok_ = false;
      return {};
    }
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  template <class List>
  void numbers(List& list) {
    const std::uint32_t size = count(sizeof(typename List::value_type));
    for (std::uint32_t i = 0; i < size; ++i) list.push_back(number<typename List::value_type>());
  }
  // A count of items of at least `item_bytes` each; 0 and not ok when that many cannot follow.
  std::uint32_t count(std::size_t item_bytes) {
    const auto size = number<std::uint32_t>();
    if (size > rest_.size() / item_bytes) {
      ok_ = false;
      return 0;
    }
    return size;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace harnessg
