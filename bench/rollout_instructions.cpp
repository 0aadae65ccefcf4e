// rollout_instructions SAMPLE SCORING PROFILE
// 200 seeded episodes with previews (workload W) on the sample corpus in the folder SAMPLE, for a count of instructions
// by callgrind: bench/instructions.py. Vectors come from hashed words, so that no encoder is needed. Prints the steps.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "bench/hashed_words.h"
#include "bench/workload.h"
#include "builder/build.h"
#include "data/questions.h"

namespace harnessg::bench {
namespace {

constexpr std::uint32_t kDim = 384;
constexpr std::size_t kQuestions = 25;  // times eight rollouts

Result<std::shared_ptr<const Index>> build_sample(const std::filesystem::path& folder, const Embedder* embedder) {
  BuildSettings settings;
  settings.embedder = embedder;
  settings.threads = 1;
  HARNESSG_ASSIGN(const auto corpus, CorpusReader::open({folder / "corpus.jsonl"}, {}));
  HARNESSG_ASSIGN(auto built, build_content(*corpus, nullptr, settings, nullptr));
  return Index::in_memory(std::move(built.content), std::move(built.manifest));
}

Status run(const std::filesystem::path& folder, std::string_view scoring, std::string_view profile_name) {
  EnvironmentOptions options;
  HARNESSG_ASSIGN(options.config, profile(profile_name));
  HARNESSG_RETURN_IF_ERROR(set_field(options.config, "scoring", scoring));
  const auto embedder = std::make_shared<HashedWords>(kDim);
  HARNESSG_ASSIGN(const auto index, build_sample(folder, embedder.get()));
  HARNESSG_ASSIGN(const auto environment, Environment::create(index, options, embedder));
  HARNESSG_ASSIGN(const auto read, read_questions(folder / "questions.jsonl"));
  std::vector<QuestionRecord> questions;
  for (std::size_t i = 0; i < kQuestions; ++i) questions.push_back(read[i % read.size()]);
  HARNESSG_ASSIGN(const WorkloadCounts counts, run_workload(*environment, questions, {}));
  fmt::print("{} episodes, {} steps, {} previews, check {:x}\n", counts.episodes, counts.steps, counts.previews,
             counts.check);
  return {};
}

}  // namespace
}  // namespace harnessg::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: rollout_instructions SAMPLE SCORING PROFILE\n");
    return 2;
  }
  const auto status = harnessg::bench::run(argv[1], argv[2], argv[3]);
  if (status) return 0;
  fmt::print(stderr, "rollout_instructions: {}\n", status.error().message);
  return 1;
}
