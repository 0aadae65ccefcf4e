// A bounded map that forgets what was used longest ago. It changes time, never results: values are pure functions of
// their keys.
#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace harnessg {

// Thread-safe. Values are copied out, so make them small or shared.
template <class Value>
class LruCache {
 public:
  explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

  std::optional<Value> find(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto at = entries_.find(key);
    if (at == entries_.end()) return std::nullopt;
    order_.splice(order_.begin(), order_, at->second);
    return at->second->second;
  }

  void insert(std::string key, Value value) {
    if (capacity_ == 0) return;
    const std::lock_guard lock(mutex_);
    if (entries_.contains(key)) return;
    order_.emplace_front(std::move(key), std::move(value));
    entries_.emplace(order_.front().first, order_.begin());
    if (entries_.size() > capacity_) {
      entries_.erase(order_.back().first);
      order_.pop_back();
    }
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  using Order = std::list<std::pair<std::string, Value>>;

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  Order order_;                                                             // most recently used first
  std::unordered_map<std::string_view, typename Order::iterator> entries_;  // keys live in order_
};

}  // namespace harnessg
