// Data sets that are a folder with a file or several a document.
#pragma once

#include <filesystem>
#include <vector>

#include "credit/rewards/eager/events.h"
#include "data/result.h"

namespace harnessg::eager {

// A record a document, in the order of file names: of each X.txt with X.ann, or with X.a1 and X.a2, beside it, and of
// each .json file, which holds one object in any form that event_record reads. Other files are passed over. kNotFound
// or kBadInput with the file; kBadInput when there is no document. The first error ends it.
Result<std::vector<EventRecord>> read_event_folder(const std::filesystem::path& folder);

}  // namespace harnessg::eager
