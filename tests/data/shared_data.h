// Recorded and real data beside the project, for the tests that use it where it is.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

// The path of `name` in the folder that HARNESSG_SHARED names, else in `shared` beside the project; nullopt, with the
// reason printed, when it is not there: the test then returns.
inline std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const char* folder = std::getenv("HARNESSG_SHARED");
  const std::filesystem::path root =
      folder ? std::filesystem::path(folder) : std::filesystem::path(HARNESSG_SOURCE_DIR) / ".." / "shared";
  if (std::filesystem::exists(root / name)) return root / name;
  MESSAGE("skipped: ", (root / name).string(), " is not there; HARNESSG_SHARED names the folder");
  return std::nullopt;
}
