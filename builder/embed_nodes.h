// One vector a node from an embedder.
#pragma once

#include "builder/progress.h"
#include "data/embedder.h"
#include "data/graph.h"
#include "data/relevance.h"
#include "data/result.h"

namespace harnessg {

// Vectors of the texts of embedding_text(). Equal texts are embedded once; texts go to the embedder longest first, some
// hundreds a call, so that a batch holds texts of like length. Holds one call's texts at a time. Errors are the
// embedder's; kInternal when it returns another number of rows than it was given texts.
Result<NodeVectors> embed_nodes(const Graph& graph, const Embedder& embedder, ProgressMeter& meter);

}  // namespace harnessg
