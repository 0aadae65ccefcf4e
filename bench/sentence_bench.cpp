// How well split_sentences finds the sentence boundaries of HotpotQA and 2WikiMultihopQA, and how fast.
//
//   sentence_bench SHARED_DATA_FOLDER
//
// A boundary is the number of characters other than white space before it; the end of a paragraph is none. Precision,
// recall and F1 are over all boundaries of all paragraphs whose records carry the data set's own sentences.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "builder/sentences.h"
#include "data/corpus.h"

namespace harnessg {
namespace {

constexpr double kTargetF1 = 0.97;
constexpr double kTargetMegabytesPerSecond = 50.0;

struct Measures {
  std::size_t paragraphs = 0;
  std::size_t exact = 0;
  std::size_t found = 0;    // boundaries of ours
  std::size_t given = 0;    // boundaries of the data set
  std::size_t correct = 0;  // both
  std::size_t bytes = 0;
  double seconds = 0.0;

  double precision() const { return found == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(found); }
  double recall() const { return given == 0 ? 0.0 : static_cast<double>(correct) / static_cast<double>(given); }
  double f1() const {
    return found + given == 0 ? 0.0 : 2.0 * static_cast<double>(correct) / static_cast<double>(found + given);
  }
  double exact_share() const {
    return paragraphs == 0 ? 0.0 : static_cast<double>(exact) / static_cast<double>(paragraphs);
  }
  double megabytes_per_second() const { return seconds == 0.0 ? 0.0 : static_cast<double>(bytes) / seconds / 1e6; }
};

// Characters other than the space: texts of corpora have their white space folded.
std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (char byte : text) count += byte != ' ' && (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u ? 1 : 0;
  return count;
}

std::set<std::size_t> inner_boundaries(const std::vector<std::string_view>& sentences) {
  std::set<std::size_t> boundaries;
  std::size_t before = 0;
  for (std::string_view sentence : sentences) {
    before += characters(sentence);
    boundaries.insert(before);
  }
  boundaries.erase(before);
  return boundaries;
}

void measure(const CorpusRecord& record, Measures& measures) {
  const auto start = std::chrono::steady_clock::now();
  const auto ranges = split_sentences(record.text);
  measures.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<std::string_view> ours;
  for (const auto& [begin, end] : ranges) ours.push_back(std::string_view(record.text).substr(begin, end - begin));
  const std::set<std::size_t> found = inner_boundaries(ours);
  const std::set<std::size_t> given = inner_boundaries({record.sentences.begin(), record.sentences.end()});
  for (std::size_t boundary : found) measures.correct += given.count(boundary);
  measures.found += found.size();
  measures.given += given.size();
  measures.exact += found == given ? 1 : 0;
  measures.bytes += record.text.size();
  ++measures.paragraphs;
}

// The records with sentences of the data set's own: not those whose sentences were recovered by another splitter.
Result<Measures> measure_corpus(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(std::unique_ptr<CorpusReader> reader, CorpusReader::open({file}, CorpusOptions{}));
  Measures measures;
  for (;;) {
    HARNESSG_ASSIGN(const std::optional<CorpusRecord> record, reader->next());
    if (!record) return measures;
    const bool recovered = record->metadata.find("\"sentences_recovered\"") != std::string::npos;
    if (!record->sentences.empty() && !recovered) measure(*record, measures);
  }
}

void print_row(std::string_view name, double value, std::string_view unit, double target) {
  fmt::print("{{\"name\": \"{}\", \"value\": {:.4f}, \"unit\": \"{}\", \"target\": \">= {}\", \"holds\": {}}}\n", name,
             value, unit, target, value >= target);
}

int run(const std::filesystem::path& folder) {
  fmt::print(stderr, "{:<18}{:>12}{:>11}{:>9}{:>8}{:>9}{:>9}\n", "data set", "paragraphs", "precision", "recall", "F1",
             "exact", "MB/s");
  for (const char* name : {"hotpotqa", "2wikimultihopqa"}) {
    const Result<Measures> measures = measure_corpus(folder / name / "corpus.jsonl.gz");
    if (!measures) {
      fmt::print(stderr, "sentence_bench: {}\n", measures.error().message);
      return 1;
    }
    fmt::print(stderr, "{:<18}{:>12}{:>11.4f}{:>9.4f}{:>8.4f}{:>9.4f}{:>9.1f}\n", name, measures->paragraphs,
               measures->precision(), measures->recall(), measures->f1(), measures->exact_share(),
               measures->megabytes_per_second());
    print_row(fmt::format("sentence_boundary_f1_{}", name), measures->f1(), "F1", kTargetF1);
    print_row(fmt::format("sentence_speed_{}", name), measures->megabytes_per_second(), "MB/s",
              kTargetMegabytesPerSecond);
  }
  return 0;
}

}  // namespace
}  // namespace harnessg

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: sentence_bench SHARED_DATA_FOLDER\n");
    return 2;
  }
  return harnessg::run(arguments[1]);
}
