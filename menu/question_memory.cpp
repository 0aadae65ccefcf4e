#include "menu/question_memory.h"

#include <utility>

namespace harnessg {
namespace {

template <class Key>
Key as_key(std::span<const SentenceId> selected) {
  Key key;
  for (const SentenceId s : selected) key.push_back(s);
  return key;
}

constexpr std::size_t kNodeBytes = 48;  // of a hash table, for a key: its links, its bucket, what malloc adds

}  // namespace

const QuestionMemory::Derived* QuestionMemory::find(std::span<const SentenceId> selected) const {
  const auto at = derived_.find(as_key<Selected>(selected));
  return at == derived_.end() ? nullptr : &at->second;
}

// What is derived from `selected`, with room for `bytes` more; null without room.
QuestionMemory::Derived* QuestionMemory::make(std::span<const SentenceId> selected, std::size_t bytes) {
  const Selected key = as_key<Selected>(selected);
  auto at = derived_.find(key);
  if (at == derived_.end()) bytes += kNodeBytes + sizeof(Selected) + sizeof(Derived);
  if (!budget_->take(bytes)) return nullptr;
  taken_ += bytes;
  if (at == derived_.end()) at = derived_.try_emplace(key).first;
  return &at->second;
}

std::shared_ptr<const Query> QuestionMemory::query(std::span<const SentenceId> selected) const {
  const std::lock_guard lock(mutex_);
  const Derived* derived = find(selected);
  return derived == nullptr ? nullptr : derived->query;
}

void QuestionMemory::remember(std::span<const SentenceId> selected, std::shared_ptr<const Query> query,
                              std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (Derived* derived = make(selected, bytes)) derived->query = std::move(query);
}

void QuestionMemory::find(std::span<const SentenceId> selected, std::span<const EntityId> entities,
                          std::span<RankedView> views, SmallVector<std::size_t, 16>& unknown) const {
  const std::lock_guard lock(mutex_);
  const Derived* derived = find(selected);
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (derived != nullptr) {
      if (const auto at = derived->views.find(entities[i]); at != derived->views.end()) {
        views[i] = at->second;
        continue;
      }
    }
    unknown.push_back(i);
  }
}

void QuestionMemory::remember(std::span<const SentenceId> selected, EntityId entity, const RankedView& view) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = kNodeBytes + sizeof(EntityId) + sizeof(RankedView);
  if (Derived* derived = make(selected, bytes)) derived->views.emplace(entity, view);
}

bool QuestionMemory::find(std::span<const SentenceId> selected, BridgeRows& rows) const {
  const std::lock_guard lock(mutex_);
  const Derived* derived = find(selected);
  if (derived == nullptr || !derived->has_rows) return false;
  rows = derived->rows;
  return true;
}

void QuestionMemory::remember(std::span<const SentenceId> selected, const BridgeRows& rows) {
  const std::lock_guard lock(mutex_);
  if (Derived* derived = make(selected, 0)) {
    derived->rows = rows;
    derived->has_rows = true;
  }
}

}  // namespace harnessg
