#include "builder/build.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>

#include "builder/embed_nodes.h"
#include "builder/graph_pipeline.h"
#include "builder/input_hash.h"
#include "builder/intake.h"
#include "data/precomputed.h"
#include "data/text.h"
#include "data/version.h"

namespace harnessg {
namespace {

struct Vectors {
  NodeVectors tables;
  EmbedderInfo info;
};

unsigned thread_count(const BuildSettings& settings) {
  return settings.threads > 0 ? settings.threads : static_cast<unsigned>(tbb::info::default_concurrency());
}

Status check(const BuildSettings& settings) {
  HARNESSG_RETURN_IF_ERROR(check_chunks(settings.chunks));
  if (settings.embedder && !settings.vectors.empty())
    return fail(ErrorCode::kInvalidArgument, "both an embedder and ready vectors ({}) are given; choose one of them",
                settings.vectors.string());
  if (settings.mentions && !settings.mentions_file.empty())
    return fail(ErrorCode::kInvalidArgument, "both mentions and a file of them ({}) are given; choose one",
                settings.mentions_file.string());
  return {};
}

bool uses_title_gazetteer(const BuildSettings& settings, bool mentions_given) {
  return settings.title_gazetteer.value_or(!mentions_given);
}

std::map<std::string, std::string> recorded_settings(const BuildSettings& settings, bool mentions_given) {
  const auto number = [](auto value) { return fmt::format("{}", value); };
  return {{"entities", mentions_given ? settings.recogniser : "rules"},
          {"title_gazetteer", uses_title_gazetteer(settings, mentions_given) ? "on" : "off"},
          {"on_error", settings.corpus_options.on_error == OnError::kSkip ? "skip" : "fail"},
          {"chunk_tokens", number(settings.chunks.tokens)},
          {"chunk_overlap", number(settings.chunks.overlap)},
          {"synonym_min_score", number(settings.synonyms.min_score)},
          {"synonym_min_jaccard", number(settings.synonyms.min_jaccard)},
          {"synonym_top", number(settings.synonyms.top)},
          {"synonym_max_candidates", number(settings.synonyms.max_candidates)},
          {"synonym_max_postings", number(settings.synonyms.max_postings)}};
}

Result<Vectors> ready_vectors(const GraphTables& tables, const std::filesystem::path& path) {
  const NodeCounts counts = {static_cast<std::uint32_t>(tables.titles.size()),
                             static_cast<std::uint32_t>(tables.text_begins.size()),
                             static_cast<std::uint32_t>(tables.labels.size())};
  HARNESSG_ASSIGN(PrecomputedVectors read, read_precomputed_vectors(path, counts));
  HARNESSG_ASSIGN(VectorTable paragraphs, VectorTable::create(std::move(read.paragraph)));
  HARNESSG_ASSIGN(VectorTable sentences, VectorTable::create(std::move(read.sentence)));
  HARNESSG_ASSIGN(VectorTable entities, VectorTable::create(std::move(read.entity)));
  return Vectors{{std::move(paragraphs), std::move(sentences), std::move(entities)}, std::move(read.info)};
}

// One build: the stages in their order.
class Build {
 public:
  Build(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings, ProgressMeter& meter)
      : settings_(settings),
        corpus_(corpus),
        mentions_given_(mentions != nullptr),
        threads_(thread_count(settings)),
        meter_(meter),
        intake_(corpus, mentions, settings.chunks, settings.corpus_options.on_error) {}

  Result<BuiltContent> run() {
    HARNESSG_ASSIGN(GraphTables tables, read());
    HARNESSG_ASSIGN(std::optional<Vectors> vectors, make_vectors(tables));
    meter_.begin("synonyms", tables.labels.size());
    const VectorTable* const entities =
        vectors ? &vectors->tables[static_cast<std::size_t>(NodeKind::kEntity)] : nullptr;
    HARNESSG_ASSIGN(const std::vector<SynonymEdge> edges, find_synonyms(tables, settings_.synonyms, entities));
    tables.entity_synonyms = synonym_rows(edges, tables.labels.size());
    HARNESSG_ASSIGN(Graph graph, Graph::create(std::move(tables)));
    meter_.advance(graph.entity_count());
    meter_.end();
    HARNESSG_ASSIGN(Lexicon lexicon, make_lexicon(graph));
    BuiltContent built{{std::move(graph), std::move(lexicon), std::nullopt}, {}, {}};
    if (vectors) built.content.vectors = std::move(vectors->tables);
    describe(built, vectors ? vectors->info : EmbedderInfo{"none", "", 0, ""}, edges.size());
    return built;
  }

 private:
  Result<GraphTables> read() {
    meter_.begin("read", 0, corpus_.bytes_total());
    const MentionSource source = mentions_given_ ? MentionSource::kRows : MentionSource::kRules;
    const bool gazetteer = uses_title_gazetteer(settings_, mentions_given_);
    HARNESSG_ASSIGN(GraphTables tables, run_graph_pipeline(intake_, source, gazetteer, threads_, meter_));
    meter_.end();
    if (tables.titles.size() > 0) return tables;
    std::string names;
    for (const auto& path : settings_.corpus) names += (names.empty() ? "" : ", ") + path.string();
    const std::string why = intake_.first_skipped();
    return fail(ErrorCode::kBadInput, "no paragraph in {}{}", names.empty() ? "the corpus" : names,
                why.empty() ? "; give records with a \"text\""
                            : fmt::format(": all {} records were skipped, the first one because {}",
                                          intake_.records_skipped(), why));
  }

  Result<std::optional<Vectors>> make_vectors(const GraphTables& tables) {
    if (!settings_.vectors.empty()) {
      meter_.begin("vectors");
      HARNESSG_ASSIGN(Vectors vectors, ready_vectors(tables, settings_.vectors));
      meter_.end();
      return vectors;
    }
    if (!settings_.embedder) return std::nullopt;
    HARNESSG_ASSIGN(const Graph graph, Graph::create(tables));
    HARNESSG_ASSIGN(NodeVectors vectors, embed_nodes(graph, *settings_.embedder, meter_));
    return Vectors{std::move(vectors), settings_.embedder->info()};
  }

  Result<Lexicon> make_lexicon(const Graph& graph) {
    meter_.begin("lexicon");
    HARNESSG_ASSIGN(Lexicon lexicon, Lexicon::create(make_lexicon_tables(graph, threads_), graph));
    meter_.end();
    return lexicon;
  }

  void describe(BuiltContent& built, const EmbedderInfo& embedder, std::uint64_t synonym_edges) {
    const Graph& graph = built.content.graph;
    BuildReport& report = built.report;
    report.counts = {{"paragraphs", graph.paragraph_count()},  {"sentences", graph.sentence_count()},
                     {"entities", graph.entity_count()},       {"mentions", graph.tables().mention_count},
                     {"synonym_edges", synonym_edges},         {"duplicates_merged", intake_.duplicates_merged()},
                     {"records_read", intake_.records_read()}, {"records_skipped", intake_.records_skipped()}};
    report.first_skipped = intake_.first_skipped();
    Manifest& manifest = built.manifest;
    manifest.tool_version = kToolVersion;
    manifest.text_rules = text_rules_version();
    manifest.embedder = embedder;
    manifest.recogniser = mentions_given_ ? settings_.recogniser : "rules";
    manifest.settings = recorded_settings(settings_, mentions_given_);
    manifest.counts = report.counts;
  }

  const BuildSettings& settings_;
  CorpusReader& corpus_;
  const bool mentions_given_;
  const unsigned threads_;
  ProgressMeter& meter_;
  Intake intake_;
};

// Calls work() on an arena of so many threads, under the sink's eyes; exceptions of libraries become errors.
template <class Value, class Work>
Result<Value> run_on_threads(unsigned threads, ProgressMeter& meter, ProgressSink* sink, Work work) {
  std::optional<Result<Value>> result;
  try {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    meter.observe(sink, [&] { arena.execute([&] { result = work(); }); });
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kUnavailable, "the build needs more memory than there is; build a smaller corpus");
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, "the build failed: {}", error.what());
  }
  return std::move(*result);
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void finish_report(BuildReport& report, const ProgressMeter& meter, const Stopwatch& watch) {
  report.stage_seconds = meter.stage_seconds();
  report.seconds = watch.seconds();
  report.peak_rss_bytes = peak_rss_bytes();
}

Result<BuildReport> build_and_write(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings,
                                    ProgressSink* sink, const std::vector<std::filesystem::path>& inputs) {
  const Stopwatch watch;
  HARNESSG_RETURN_IF_ERROR(check(settings));
  ProgressMeter meter;
  auto built = run_on_threads<BuildReport>(thread_count(settings), meter, sink, [&]() -> Result<BuildReport> {
    HARNESSG_ASSIGN(BuiltContent content, Build(corpus, mentions, settings, meter).run());
    meter.begin("write");
    HARNESSG_ASSIGN(content.manifest.input_hashes, hash_inputs(inputs));
    content.report.content_hash = content_hash(content.content, content.manifest.embedder);
    HARNESSG_RETURN_IF_ERROR(
        write_index(settings.output, content.content, std::move(content.manifest), settings.replace));
    meter.end();
    return std::move(content.report);
  });
  if (built) finish_report(*built, meter, watch);
  return built;
}

}  // namespace

Result<BuiltContent> build_content(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings,
                                   ProgressSink* sink) {
  const Stopwatch watch;
  HARNESSG_RETURN_IF_ERROR(check(settings));
  ProgressMeter meter;
  auto built = run_on_threads<BuiltContent>(thread_count(settings), meter, sink,
                                            [&] { return Build(corpus, mentions, settings, meter).run(); });
  if (!built) return built;
  built->manifest.content_hash = content_hash(built->content, built->manifest.embedder);
  built->report.content_hash = built->manifest.content_hash;
  finish_report(built->report, meter, watch);
  return built;
}

Result<BuildReport> build_index(const BuildSettings& settings, ProgressSink* sink) {
  HARNESSG_RETURN_IF_ERROR(check_output_folder(settings.output, settings.replace));
  HARNESSG_ASSIGN(const std::unique_ptr<CorpusReader> corpus,
                  CorpusReader::open(settings.corpus, settings.corpus_options));
  std::unique_ptr<MentionReader> file;
  std::vector<std::filesystem::path> inputs = settings.corpus;
  if (!settings.mentions_file.empty()) {
    HARNESSG_ASSIGN(file, MentionReader::open(settings.mentions_file));
    inputs.push_back(settings.mentions_file);
  }
  return build_and_write(*corpus, file ? file.get() : settings.mentions, settings, sink, inputs);
}

Result<BuildReport> build_index(CorpusReader& corpus, MentionReader* mentions, const BuildSettings& settings,
                                ProgressSink* sink) {
  HARNESSG_RETURN_IF_ERROR(check_output_folder(settings.output, settings.replace));
  return build_and_write(corpus, mentions, settings, sink, {});
}

}  // namespace harnessg
