// The names that titles give: which sequence of words is the name of which titles.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "builder/name_words.h"

namespace harnessg {

// The title without a bracketed qualifier at its end: "Solaris" of "Solaris (1972 film)".
std::string_view title_name(std::string_view title);

// The qualifier of "Solaris (1972 film)": "1972 film"; "" where there is none.
std::string_view title_qualifier(std::string_view title);

// A table of the beginnings of names by their hash, so that a text is searched word by word from any place. Titles are
// numbers of the caller's. Hashes decide what is found, so who finds a name must compare its words. One thread at a
// time while add() is called; const and thread-safe afterwards.
class TitleNames {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  // A beginning of names, and the name that ends there if one does.
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t name = kNone;
  };

  TitleNames() : slots_(kFirstSlots) {}

  // Titles of one name keep the order in which they were added. No words: nothing is added.
  void add(std::span<const NameWord> words, std::uint32_t title);

  // The place behind the word, from the start of names or from a place; false when no name goes on so.
  bool begin(const NameWord& word, Place& place) const { return find(next_hash(0, word.hash), place); }
  bool go_on(const NameWord& word, Place& place) const { return find(next_hash(place.hash, word.hash), place); }

  // Names are numbered from 0.
  std::uint32_t name_count() const { return static_cast<std::uint32_t>(names_.size()); }

  // Calls visit(title) for the titles of the name, in order, until it returns false.
  template <class Visit>
  void for_each_title(std::uint32_t name, Visit visit) const {
    for (std::uint32_t at = names_[name].first; at != kNone && visit(titles_[at].title); at = titles_[at].next) {
    }
  }

  std::size_t memory_bytes() const;

 private:
  static constexpr std::size_t kFirstSlots = 1024;  // a power of two
  struct Slot {
    std::uint64_t hash = 0;  // never 0 where the slot is taken
    std::uint32_t name = kNone;
  };
  struct Name {
    std::uint32_t first = kNone;  // in titles_
    std::uint32_t last = kNone;
  };
  struct Title {
    std::uint32_t title = 0;
    std::uint32_t next = kNone;
  };

  static std::uint64_t next_hash(std::uint64_t hash, std::uint64_t word);
  bool find(std::uint64_t hash, Place& place) const;
  std::size_t slot_of(std::uint64_t hash) const;
  Slot& take_slot(std::uint64_t hash);
  void grow();

  std::vector<Slot> slots_;
  std::size_t taken_ = 0;
  std::vector<Name> names_;
  std::vector<Title> titles_;
};

}  // namespace harnessg
