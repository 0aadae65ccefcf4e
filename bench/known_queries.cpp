#include "bench/known_queries.h"

#include <fstream>
#include <iterator>

#include "engine/bytes.h"

namespace harnessg::bench {

Status KnownQueries::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  ByteReader reader(bytes);
  if (reader.text() != info().version || reader.number<std::uint32_t>() != info().dim) return {};
  const std::lock_guard lock(mutex_);
  while (reader.ok() && !reader.at_end()) {
    std::string text = reader.text();
    std::vector<float> vector(info().dim);
    for (float& value : vector) value = reader.number<float>();
    if (reader.ok()) known_.emplace(std::move(text), std::move(vector));
  }
  if (!reader.ok()) return fail(ErrorCode::kCorrupt, "{}: cut short; delete it", file.string());
  return {};
}

Status KnownQueries::save(const std::filesystem::path& file) const {
  ByteWriter writer;
  writer.text(info().version);
  writer.number(info().dim);
  const std::lock_guard lock(mutex_);
  for (const auto& [text, vector] : known_) {
    writer.text(text);
    for (const float value : vector) writer.number(value);
  }
  std::ofstream out(file, std::ios::binary);
  out.write(writer.bytes().data(), static_cast<std::streamsize>(writer.bytes().size()));
  if (!out.flush()) return fail(ErrorCode::kIo, "{}: cannot be written", file.string());
  return {};
}

Result<Matrix> KnownQueries::embed_queries(std::span<const std::string> texts) const {
  Matrix rows{texts.size(), info().dim, {}};
  rows.values.reserve(rows.rows * rows.dim);
  const std::lock_guard lock(mutex_);
  std::vector<std::string> unknown;
  for (const std::string& text : texts) {
    if (!known_.contains(text)) unknown.push_back(text);
  }
  if (!unknown.empty()) {
    HARNESSG_ASSIGN(const Matrix made, model_->embed_queries(unknown));
    asked_ += unknown.size();
    for (std::size_t i = 0; i < unknown.size(); ++i)
      known_.insert_or_assign(unknown[i], std::vector<float>(made.row(i).begin(), made.row(i).end()));
  }
  for (const std::string& text : texts) {
    const std::vector<float>& vector = known_.at(text);
    rows.values.insert(rows.values.end(), vector.begin(), vector.end());
  }
  return rows;
}

}  // namespace harnessg::bench
