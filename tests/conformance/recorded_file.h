// Reading the recorded files: JSON lines, gzipped or plain.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace harnessg::conformance {

using Json = nlohmann::json;

// Every line of a file as JSON. Throws std::runtime_error, which fails the test, when it cannot be read.
std::vector<Json> read_json_lines(const std::filesystem::path& file);

// Where ../shared (or $HARNESSG_SHARED) holds conformance/; "" when there is none.
std::filesystem::path shared_folder();

}  // namespace harnessg::conformance
