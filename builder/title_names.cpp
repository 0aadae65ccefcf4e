#include "builder/title_names.h"

namespace harnessg {
namespace {

// Where the bracket opens that ends the title; its length where none does, or where nothing else is left.
std::size_t bracket_of(std::string_view title) {
  const std::size_t open = title.ends_with(')') ? title.rfind('(') : std::string_view::npos;
  const bool all = open == std::string_view::npos || title.find_first_not_of(' ') >= open;
  return all ? title.size() : open;
}

}  // namespace

std::string_view title_name(std::string_view title) {
  std::string_view name = title.substr(0, bracket_of(title));
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

std::string_view title_qualifier(std::string_view title) {
  const std::size_t open = bracket_of(title);
  return open == title.size() ? std::string_view() : title.substr(open + 1, title.size() - open - 2);
}

std::uint64_t TitleNames::next_hash(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
  hash ^= hash >> 29;
  return hash == 0 ? 1 : hash;
}

// Where the hash is, or the free slot where it would be.
std::size_t TitleNames::slot_of(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & mask;
  return at;
}

bool TitleNames::find(std::uint64_t hash, Place& place) const {
  const Slot& slot = slots_[slot_of(hash)];
  place = {hash, slot.name};
  return slot.hash != 0;
}

void TitleNames::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.hash != 0) slots_[slot_of(slot.hash)] = slot;
  }
}

TitleNames::Slot& TitleNames::take_slot(std::uint64_t hash) {
  if (3 * (taken_ + 1) > 2 * slots_.size()) grow();
  Slot& slot = slots_[slot_of(hash)];
  taken_ += slot.hash == 0;
  slot.hash = hash;
  return slot;
}

void TitleNames::add(std::span<const NameWord> words, std::uint32_t title) {
  if (words.empty()) return;
  std::uint64_t hash = 0;
  for (const NameWord& word : words) {
    hash = next_hash(hash, word.hash);
    take_slot(hash);
  }
  Slot& slot = take_slot(hash);
  const auto added = static_cast<std::uint32_t>(titles_.size());
  titles_.push_back({title, kNone});
  if (slot.name == kNone) {
    slot.name = name_count();
    names_.push_back({added, added});
  } else {
    Name& name = names_[slot.name];
    titles_[name.last].next = added;
    name.last = added;
  }
}

std::size_t TitleNames::memory_bytes() const {
  return slots_.capacity() * sizeof(Slot) + names_.capacity() * sizeof(Name) + titles_.capacity() * sizeof(Title);
}

}  // namespace harnessg
