#include "data/manifest.h"

#include <xxhash.h>

#include <nlohmann/json.hpp>

namespace harnessg {
namespace {

using Json = nlohmann::json;  // sorts its keys, so that a dump is canonical

constexpr int kMaxDepth = 8;  // of nesting; what is deeper is dropped, and then the hash does not hold

Json parse_json(std::string_view text) {
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < kMaxDepth; },
      /*allow_exceptions=*/false);
}

std::string hash_without_itself(Json root) {
  root.erase("manifest_hash");
  const std::string text = root.dump();
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Json to_json(const StoredManifest& stored) {
  const Manifest& m = stored.manifest;
  Json root = {{"format_version", m.format_version},
               {"tool_version", m.tool_version},
               {"content_hash", m.content_hash},
               {"text_rules", m.text_rules},
               {"recogniser", m.recogniser}};
  root["embedder"] = {{"name", m.embedder.name},
                      {"version", m.embedder.version},
                      {"dim", m.embedder.dim},
                      {"query_prefix", m.embedder.query_prefix}};
  root["settings"] = m.settings;
  root["input_hashes"] = m.input_hashes;
  root["counts"] = m.counts;
  root["files"] = Json::object();
  for (const auto& [name, stamp] : stored.files)
    root["files"][name] = {{"bytes", stamp.bytes}, {"xxh3_64", stamp.xxh3_64}};
  return root;
}

StoredManifest from_json(const Json& root) {
  StoredManifest stored;
  Manifest& m = stored.manifest;
  root.at("format_version").get_to(m.format_version);
  root.at("tool_version").get_to(m.tool_version);
  root.at("content_hash").get_to(m.content_hash);
  root.at("text_rules").get_to(m.text_rules);
  root.at("recogniser").get_to(m.recogniser);
  const Json& embedder = root.at("embedder");
  embedder.at("name").get_to(m.embedder.name);
  embedder.at("version").get_to(m.embedder.version);
  embedder.at("dim").get_to(m.embedder.dim);
  embedder.at("query_prefix").get_to(m.embedder.query_prefix);
  root.at("settings").get_to(m.settings);
  root.at("input_hashes").get_to(m.input_hashes);
  root.at("counts").get_to(m.counts);
  for (const auto& [name, stamp] : root.at("files").items())
    stored.files[name] = FileStamp{stamp.at("bytes").get<std::uint64_t>(), stamp.at("xxh3_64").get<std::string>()};
  return stored;
}

}  // namespace

void describe_content(Manifest& manifest, const IndexContent& content) {
  const GraphTables& tables = content.graph.tables();
  manifest.content_hash = content_hash(content, manifest.embedder);
  manifest.counts["paragraphs"] = content.graph.paragraph_count();
  manifest.counts["sentences"] = content.graph.sentence_count();
  manifest.counts["entities"] = content.graph.entity_count();
  manifest.counts["mentions"] = tables.mention_count;
  manifest.counts["synonym_edges"] = tables.entity_synonyms.values().size() / 2;
}

Result<std::string> manifest_text(const StoredManifest& stored) {
  try {
    Json root = to_json(stored);
    root["manifest_hash"] = hash_without_itself(root);
    return root.dump(2) + "\n";
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kInvalidArgument,
                "the manifest cannot be written as JSON ({}); use UTF-8 in names and settings", error.what());
  }
}

Result<StoredManifest> parse_manifest(std::string_view text, const std::filesystem::path& file) {
  const Json root = parse_json(text);
  const auto damaged = [&](std::string_view what) {
    return fail(ErrorCode::kCorrupt, "{}: {}; build the index again or copy it again", file.string(), what);
  };
  if (!root.is_object()) return damaged("this is no JSON object");
  const auto version = root.find("format_version");
  if (version == root.end() || !version->is_number_unsigned()) return damaged("there is no format_version");
  if (version->get<std::uint64_t>() > kFormatVersion)
    return fail(ErrorCode::kUnsupportedVersion,
                "{}: the index has format {} and this harnessg reads up to {}; use a newer harnessg or build it again",
                file.string(), version->get<std::uint64_t>(), kFormatVersion);
  try {
    if (hash_without_itself(root) != root.at("manifest_hash").get<std::string>())
      return damaged("the content does not fit its manifest_hash");
    return from_json(root);
  } catch (const Json::exception& error) {
    return damaged(error.what());
  }
}

bool resembles_manifest(std::string_view text) {
  const Json root = parse_json(text);
  return root.is_object() && root.contains("format_version") && root.contains("content_hash");
}

}  // namespace harnessg
