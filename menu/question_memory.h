// What has been derived from a question and the sentences selected, remembered for its other episodes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "menu/bridge_row.h"
#include "menu/state.h"

namespace harnessg {

// How many bytes all memories of an environment may still take. Thread-safe.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t bytes) : left_(static_cast<std::int64_t>(bytes)), limit_(bytes) {}

  // Takes `bytes` where they are left.
  bool take(std::size_t bytes) {
    const auto wanted = static_cast<std::int64_t>(bytes);
    if (left_.load(std::memory_order_relaxed) < wanted) return false;
    left_.fetch_sub(wanted, std::memory_order_relaxed);
    return true;
  }
  void give_back(std::size_t bytes) { left_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed); }

  std::size_t limit() const { return limit_; }
  // May pass the limit by what threads take at the same moment.
  std::size_t used() const { return limit_ - static_cast<std::size_t>(left_.load(std::memory_order_relaxed)); }

 private:
  std::atomic<std::int64_t> left_;
  const std::size_t limit_;
};

// Lookups' views, queries and bridge rows are pure functions of (world, question, selected sentences in order, entity),
// so remembering them changes time and never a result. Where the budget has no room nothing more is remembered.
// Thread-safe.
class QuestionMemory {
 public:
  explicit QuestionMemory(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  ~QuestionMemory() { budget_->give_back(taken_); }
  QuestionMemory(const QuestionMemory&) = delete;
  QuestionMemory& operator=(const QuestionMemory&) = delete;

  // The query of mixed_query(); null when it is not remembered.
  std::shared_ptr<const Query> query(std::span<const SentenceId> selected) const;
  void remember(std::span<const SentenceId> selected, std::shared_ptr<const Query> query, std::size_t bytes);

  // Writes the views that are known to `views` and appends the positions of the others to `unknown`.
  void find(std::span<const SentenceId> selected, std::span<const EntityId> entities, std::span<RankedView> views,
            SmallVector<std::size_t, 16>& unknown) const;
  void remember(std::span<const SentenceId> selected, EntityId entity, const RankedView& view);

  // False when they are not remembered.
  bool find(std::span<const SentenceId> selected, BridgeRows& rows) const;
  void remember(std::span<const SentenceId> selected, const BridgeRows& rows);

 private:
  using Selected = SmallVector<SentenceId, 6>;
  struct Hash {
    std::size_t operator()(const Selected& selected) const {
      std::uint64_t hash = selected.size();
      for (const SentenceId s : selected) hash = (hash ^ index(s)) * 0x9E3779B97F4A7C15u;
      return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
  };
  struct Derived {
    std::shared_ptr<const Query> query;
    bool has_rows = false;
    BridgeRows rows;
    std::unordered_map<EntityId, RankedView> views;
  };

  const Derived* find(std::span<const SentenceId> selected) const;
  Derived* make(std::span<const SentenceId> selected, std::size_t bytes);

  const std::shared_ptr<MemoryBudget> budget_;
  mutable std::mutex mutex_;
  std::unordered_map<Selected, Derived, Hash> derived_;
  std::size_t taken_ = 0;
};

}  // namespace harnessg
