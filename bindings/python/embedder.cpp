#include "bindings/python/embedder.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cli/embedder_choice.h"
#include "bindings/python/errors.h"

namespace harnessg::python {
namespace {

using Rows = pybind11::array_t<float, pybind11::array::c_style | pybind11::array::forcecast>;

// The last owner may let go without the Python lock, or after the interpreter has gone.
std::shared_ptr<py::object> keep(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (!Py_IsInitialized()) {
              held->release();
              delete held;
              return;
            }
            const Locked lock;
            delete held;
          }};
}

class CallableEmbedder : public Embedder {
 public:
  CallableEmbedder(py::object callable, EmbedderInfo info)
      : callable_(keep(std::move(callable))), info_(std::move(info)) {}

  const EmbedderInfo& info() const override { return info_; }
  Result<Matrix> embed_passages(std::span<const std::string> texts) const override {
    return embed({texts.begin(), texts.end()});
  }
  Result<Matrix> embed_queries(std::span<const std::string> texts) const override {
    std::vector<std::string> prefixed;
    for (const std::string& text : texts) prefixed.push_back(info_.query_prefix + text);
    return embed(prefixed);
  }

 private:
  Result<Matrix> embed(const std::vector<std::string>& texts) const {
    const Locked lock;
    try {
      return rows_of((*callable_)(texts).cast<Rows>(), texts.size());
    } catch (const std::exception& error) {
      return fail(ErrorCode::kUnavailable, "the embedder failed: {}", error.what());
    }
  }

  Result<Matrix> rows_of(const Rows& array, std::size_t count) const {
    if (array.ndim() != 2 || array.shape(0) != static_cast<py::ssize_t>(count) ||
        array.shape(1) != static_cast<py::ssize_t>(info_.dim)) {
      return fail(ErrorCode::kBadInput, "the embedder gave no array of {} x {}; give one row a text", count, info_.dim);
    }
    Matrix matrix{count, info_.dim, {array.data(), array.data() + array.size()}};
    for (std::size_t r = 0; r < count; ++r) {
      double square = 0;
      for (const float value : matrix.row(r)) square += double{value} * value;
      if (std::abs(square - 1) < 2e-3) continue;
      return fail(ErrorCode::kBadInput, "row {} of the embedder has length {}; give unit rows", r, std::sqrt(square));
    }
    return matrix;
  }

  std::shared_ptr<py::object> callable_;
  EmbedderInfo info_;
};

}  // namespace

std::shared_ptr<const Embedder> callable_embedder(py::object callable, EmbedderInfo info) {
  return std::make_shared<const CallableEmbedder>(std::move(callable), std::move(info));
}

std::shared_ptr<const Embedder> query_embedder(const Index& index, std::optional<Scoring> scoring,
                                               const py::object& embedder) {
  if (PyCallable_Check(embedder.ptr()) != 0) {
    const bool lexical = index.vectors() == nullptr || scoring == Scoring::kLexical;
    return lexical ? nullptr : callable_embedder(embedder, index.manifest().embedder);
  }
  std::optional<EmbedderChoice> choice;
  if (!embedder.is_none()) choice = unwrap(parse_embedder(std::string(py::str(embedder))));
  return compute([&] { return harnessg::query_embedder(index, scoring, choice, {}); });
}

}  // namespace harnessg::python
