// The shipped sample corpus as an index in memory, built once, and its questions.
#pragma once

#include <memory>
#include <span>

#include "data/index.h"
#include "engine/environment.h"

namespace harnessg {

std::shared_ptr<const Index> sample_index();  // lexical: no embedder
std::shared_ptr<const Index> other_index();   // the same corpus without its last paragraphs: another content hash
// The sample corpus with vectors of an embedder, built anew.
std::shared_ptr<const Index> sample_index_with(const Embedder& embedder);
std::span<const Task> sample_tasks();

}  // namespace harnessg
