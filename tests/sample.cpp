#include "tests/sample.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "builder/build.h"
#include "data/questions.h"

namespace harnessg {
namespace {

std::filesystem::path sample_folder() { return std::filesystem::path(HARNESSG_SOURCE_DIR) / "data" / "sample"; }

// A corpus that ends after some records.
class FirstRecords final : public CorpusReader {
 public:
  FirstRecords(std::unique_ptr<CorpusReader> all, std::size_t limit) : all_(std::move(all)), left_(limit) {}
  Result<std::optional<CorpusRecord>> next() override {
    if (left_ == 0) return std::optional<CorpusRecord>{};
    --left_;
    return all_->next();
  }
  std::uint64_t skipped() const override { return all_->skipped(); }
  std::string first_skipped() const override { return all_->first_skipped(); }
  std::uint64_t bytes_read() const override { return all_->bytes_read(); }
  std::uint64_t bytes_total() const override { return all_->bytes_total(); }

 private:
  std::unique_ptr<CorpusReader> all_;
  std::size_t left_;
};

std::shared_ptr<const Index> build(std::size_t records, const Embedder* embedder = nullptr) {
  auto reader = CorpusReader::open({sample_folder() / "corpus.jsonl"}, {});
  REQUIRE_MESSAGE(reader.has_value(), reader.error().message);
  FirstRecords corpus(std::move(*reader), records);
  BuildSettings settings;
  settings.threads = 2;
  settings.embedder = embedder;
  auto built = build_content(corpus, nullptr, settings, nullptr);
  REQUIRE_MESSAGE(built.has_value(), built.error().message);
  return Index::in_memory(std::move(built->content), std::move(built->manifest));
}

}  // namespace

std::shared_ptr<const Index> sample_index() {
  static const auto index = build(std::numeric_limits<std::size_t>::max());
  return index;
}

std::shared_ptr<const Index> other_index() {
  static const auto index = build(100);
  return index;
}

std::shared_ptr<const Index> sample_index_with(const Embedder& embedder) {
  return build(std::numeric_limits<std::size_t>::max(), &embedder);
}

std::span<const Task> sample_tasks() {
  static const std::vector<Task> tasks = [] {
    const auto questions = read_questions(sample_folder() / "questions.jsonl");
    REQUIRE_MESSAGE(questions.has_value(), questions.error().message);
    std::vector<Task> list;
    for (const QuestionRecord& q : *questions) list.push_back({q.question, q.answers, q.id, 0});
    return list;
  }();
  return tasks;
}

}  // namespace harnessg
