#include "builder/build.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <utility>

#include "bindings/cli/embedder_choice.h"
#include "bindings/cli/spacy_entities.h"
#include "bindings/python/embedder.h"
#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

// What may encode the nodes: nothing, ready vectors, or an encoder.
struct NodeEncoder {
  std::filesystem::path vectors;
  std::shared_ptr<const Embedder> embedder;
};

// `info` describes a callable: (name, dimension, query prefix).
using CallableInfo = std::tuple<std::string, std::uint32_t, std::string>;

NodeEncoder node_encoder(const py::object& embedder, const std::optional<CallableInfo>& info, unsigned threads) {
  if (info) {
    const auto& [name, dim, query_prefix] = *info;
    return {{}, callable_embedder(embedder, EmbedderInfo{name, "1", dim, query_prefix})};
  }
  const EmbedderChoice choice = unwrap(parse_embedder(std::string(py::str(embedder))));
  if (choice.kind == EmbedderChoice::Kind::kFiles) return {choice.files, nullptr};
  if (choice.kind == EmbedderChoice::Kind::kNone) return {};
  return {{}, compute([&] { return load_minilm({}, threads); })};
}

// `spacy`: interpreter and script of the program that finds the mentions, in the place of `file`.
using SpacyPaths = std::pair<std::filesystem::path, std::filesystem::path>;

// Hands each report to a Python callable as a dictionary. An exception of it is kept and raised after the build.
class CallableProgress : public ProgressSink {
 public:
  explicit CallableProgress(py::object callable) : callable_(std::move(callable)) {}

  void update(const Progress& progress) override {
    const Locked lock;
    if (error_) return;
    try {
      callable_(py::dict(py::arg("stage") = std::string(progress.stage), py::arg("done") = progress.done,
                         py::arg("total") = progress.total, py::arg("seconds") = progress.seconds,
                         py::arg("finished") = progress.finished));
    } catch (const py::error_already_set& error) {
      error_ = error;
    }
  }

  void raise_error() {
    if (error_) throw py::error_already_set(*std::exchange(error_, std::nullopt));
  }

 private:
  py::object callable_;
  std::optional<py::error_already_set> error_;
};

py::dict report_dictionary(const BuildReport& report) {
  return py::dict(py::arg("counts") = report.counts, py::arg("content_hash") = report.content_hash,
                  py::arg("stage_seconds") = report.stage_seconds, py::arg("seconds") = report.seconds,
                  py::arg("peak_rss_bytes") = report.peak_rss_bytes, py::arg("first_skipped") = report.first_skipped);
}

py::dict build(std::vector<std::filesystem::path> corpus, std::filesystem::path output, std::filesystem::path mentions,
               const std::optional<SpacyPaths>& spacy, std::optional<bool> title_gazetteer, const py::object& embedder,
               const std::optional<CallableInfo>& callable, bool replace, bool skip_bad_records,
               double synonym_threshold, std::uint32_t synonyms, std::uint32_t chunk_tokens,
               std::uint32_t chunk_overlap, unsigned threads, py::object progress) {
  NodeEncoder encoder = node_encoder(embedder, callable, threads);
  BuildSettings settings;
  settings.corpus = std::move(corpus);
  settings.output = std::move(output);
  settings.mentions_file = std::move(mentions);
  settings.title_gazetteer = title_gazetteer;
  settings.embedder = encoder.embedder.get();
  settings.vectors = std::move(encoder.vectors);
  settings.replace = replace;
  settings.corpus_options.on_error = skip_bad_records ? OnError::kSkip : OnError::kFail;
  settings.synonyms.min_score = synonym_threshold;
  settings.synonyms.top = synonyms;
  settings.chunks = {chunk_tokens, chunk_overlap};
  settings.threads = threads;
  const bool watched = !progress.is_none();
  CallableProgress sink(std::move(progress));
  use_engine();
  const BuildReport report = compute([&]() -> Result<BuildReport> {
    std::unique_ptr<MentionProcess> process;
    if (spacy) {
      HARNESSG_ASSIGN(process, start_spacy({spacy->first, spacy->second}, settings));
    }
    return build_index(settings, watched ? &sink : nullptr);
  });
  sink.raise_error();
  return report_dictionary(report);
}

}  // namespace

void add_build(py::module_& module) {
  module.def("build", &build, py::arg("corpus"), py::arg("output"), py::arg("mentions"), py::arg("spacy"),
             py::arg("title_gazetteer"), py::arg("embedder"), py::arg("callable_info"), py::arg("replace"),
             py::arg("skip_bad_records"), py::arg("synonym_threshold"), py::arg("synonyms"), py::arg("chunk_tokens"),
             py::arg("chunk_overlap"), py::arg("threads"), py::arg("progress"));
}

}  // namespace harnessg::python
