// Hashes of a build's inputs, for the manifest.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "data/result.h"

namespace harnessg {

// XXH3 of 128 bits, 32 hex digits, by base name; a second input of one name gets " (2)" and so on. A folder's hash goes
// over the names and bytes of its *.txt files. Standard input ("-") is left out. kIo naming the file.
Result<std::map<std::string, std::string>> hash_inputs(std::span<const std::filesystem::path> inputs);

}  // namespace harnessg
