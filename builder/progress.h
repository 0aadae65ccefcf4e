// What a long build tells of itself while it runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harnessg {

struct Progress {
  std::string_view stage;         // "read", "synonyms", "lexicon", "embed", "write"
  std::uint64_t done = 0;         // paragraphs, texts, ... as the stage counts
  std::uint64_t total = 0;        // 0: unknown
  std::uint64_t bytes = 0;        // of the input files, or of the texts to embed
  std::uint64_t bytes_total = 0;  // 0: unknown, or the stage does not count them
  double seconds = 0;             // since the stage began
  bool finished = false;          // the stage's last report
};

// Called by the thread that called the build and by no other, about five times a second and once at the end of each
// stage, in order. What takes long in update() delays no work.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void update(const Progress& progress) = 0;
};

// Where the build's threads count. One stage at a time; begin and end by the thread that runs the stages, advance by
// any.
class ProgressMeter {
 public:
  void begin(std::string_view stage, std::uint64_t total = 0, std::uint64_t bytes_total = 0);
  void advance(std::uint64_t done) { done_ += done; }
  void set_bytes(std::uint64_t bytes) { bytes_ = bytes; }
  void end();

  // Ended stages with their seconds, in order.
  std::vector<std::pair<std::string, double>> stage_seconds() const;

  // Runs `work` on a thread of its own and reports to the sink on this one until it is done; without a sink just calls
  // it. An exception of `work` is thrown again here.
  void observe(ProgressSink* sink, const std::function<void()>& work);

 private:
  struct Stage {
    std::string_view name;
    std::uint64_t total = 0;
    std::uint64_t bytes_total = 0;
    double begin = 0;
  };
  Progress snapshot() const;  // under mutex_
  void report(ProgressSink& sink);

  mutable std::mutex mutex_;
  bool running_ = false;
  Stage stage_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::vector<Progress> ended_;
  std::size_t reported_ = 0;
};

// One line that is written over and over: stage, share done, rate and time left.
class TerminalProgress : public ProgressSink {
 public:
  explicit TerminalProgress(std::FILE* out) : out_(out) {}
  void update(const Progress& progress) override;

 private:
  std::FILE* out_;
  std::size_t width_ = 0;  // of the line that is there
};

// Whether standard error is a terminal: progress is silent otherwise unless asked for.
bool stderr_is_terminal();

// "read 12,345 (34 %, 8,120 a second, 0:12 left)"
std::string progress_line(const Progress& progress);

}  // namespace harnessg
