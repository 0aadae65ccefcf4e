#include "bindings/cli/embedder_choice.h"

#include "data/minilm.h"
#include "data/precomputed.h"

namespace harnessg {
namespace {

constexpr char kMiniLmName[] = "minilm";

bool looks_like_path(const std::string& text) { return text.find_first_of("/.") != std::string::npos; }

Status check_choice(const Index& index, std::optional<Scoring> scoring, const EmbedderChoice& choice) {
  if (choice.kind == EmbedderChoice::Kind::kNone) {
    if (scoring == Scoring::kLexical || index.vectors() == nullptr) return {};
    return fail(
        ErrorCode::kInvalidArgument,
        "--embedder none leaves nothing that encodes queries; add --scoring lexical to play {} without its vectors",
        index.path().string());
  }
  if (index.vectors() == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                "--embedder makes no sense here: {} was built without vectors and is scored lexically; leave it out",
                index.path().string());
  }
  if (scoring != Scoring::kLexical) return {};
  return fail(ErrorCode::kInvalidArgument,
              "--embedder contradicts lexical scoring, which encodes nothing; leave one out");
}

}  // namespace

Result<EmbedderChoice> parse_embedder(const std::string& text) {
  if (text == "none") return EmbedderChoice{};
  if (text == kMiniLmName) return EmbedderChoice{EmbedderChoice::Kind::kMiniLm, {}};
  std::error_code error;
  const bool is_url = text.starts_with("http:") || text.starts_with("https:");
  if (!is_url && (looks_like_path(text) || std::filesystem::exists(text, error))) {
    return EmbedderChoice{EmbedderChoice::Kind::kFiles, text};
  }
  return fail(ErrorCode::kInvalidArgument,
              "--embedder {} is none of what there is: none, minilm, a .npy file or a folder with .npy files", text);
}

Result<std::shared_ptr<const Embedder>> load_minilm(const std::filesystem::path& folder, unsigned threads) {
  MiniLmOptions options;
  options.threads = threads;
  HARNESSG_ASSIGN(auto encoder, MiniLm::load(folder, options));
  return std::shared_ptr<const Embedder>(std::move(encoder));
}

Result<std::shared_ptr<const Embedder>> query_embedder(const Index& index, std::optional<Scoring> scoring,
                                                       const std::optional<EmbedderChoice>& choice,
                                                       const std::filesystem::path& minilm_folder) {
  if (choice) HARNESSG_RETURN_IF_ERROR(check_choice(index, scoring, *choice));
  if (index.vectors() == nullptr || scoring == Scoring::kLexical) return nullptr;
  const EmbedderInfo& built = index.manifest().embedder;
  if (choice && choice->kind == EmbedderChoice::Kind::kFiles) {
    HARNESSG_ASSIGN(PrecomputedQueries queries, PrecomputedQueries::open(choice->files, built));
    return std::make_shared<const PrecomputedQueries>(std::move(queries));
  }
  if (choice || built.name == kMiniLmName) return load_minilm(minilm_folder, 0);
  return fail(
      ErrorCode::kInvalidArgument,
      "{} was built with the vectors \"{}\": give --embedder FOLDER with query.npy and queries.json, or --scoring "
      "lexical",
      index.path().string(), built.name);
}

}  // namespace harnessg
