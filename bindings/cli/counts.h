// The counts of a manifest and of a build's report, in the order in which people are told of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace harnessg {

inline constexpr const char* kCountNames[] = {"records_read", "records_skipped", "duplicates_merged", "paragraphs",
                                              "sentences",    "entities",        "mentions",          "synonym_edges"};

// 0 where there is none of that name.
inline std::uint64_t count_of(const std::map<std::string, std::uint64_t>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

// "duplicates merged"
inline std::string count_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace harnessg
