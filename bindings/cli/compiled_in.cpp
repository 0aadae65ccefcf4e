#include "bindings/cli/compiled_in.h"

#include <faiss/Index.h>
#include <fmt/format.h>
#include <rocksdb/version.h>
#include <tbb/version.h>
#include <unicode/uversion.h>

namespace harnessg {

bool has_encoder() { return HARNESSG_ENCODER != 0; }

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"rocksdb", fmt::format("{}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)},
          {"faiss", fmt::format("{}.{}.{}", FAISS_VERSION_MAJOR, FAISS_VERSION_MINOR, FAISS_VERSION_PATCH)},
          {"icu", U_ICU_VERSION},
          {"tbb", TBB_runtime_version()}};
}

}  // namespace harnessg
