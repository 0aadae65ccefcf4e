#include "builder/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <thread>

namespace harnessg {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Thousands with commas, whatever the locale.
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// Share of the stage that is done, negative when that is unknown.
double share(const Progress& p) {
  if (p.bytes_total > 0) return std::min(1.0, static_cast<double>(p.bytes) / static_cast<double>(p.bytes_total));
  if (p.total > 0) return std::min(1.0, static_cast<double>(p.done) / static_cast<double>(p.total));
  return -1;
}

}  // namespace

void ProgressMeter::begin(std::string_view stage, std::uint64_t total, std::uint64_t bytes_total) {
  const std::lock_guard lock(mutex_);
  stage_ = {stage, total, bytes_total, now()};
  done_ = 0;
  bytes_ = 0;
  running_ = true;
}

void ProgressMeter::end() {
  const std::lock_guard lock(mutex_);
  ended_.push_back(snapshot());
  ended_.back().finished = true;
  running_ = false;
}

std::vector<std::pair<std::string, double>> ProgressMeter::stage_seconds() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, double>> seconds;
  for (const Progress& progress : ended_) seconds.emplace_back(progress.stage, progress.seconds);
  return seconds;
}

Progress ProgressMeter::snapshot() const {
  return {stage_.name, done_, stage_.total, bytes_, stage_.bytes_total, now() - stage_.begin, false};
}

void ProgressMeter::report(ProgressSink& sink) {
  std::vector<Progress> news;
  {
    const std::lock_guard lock(mutex_);
    for (; reported_ < ended_.size(); ++reported_) news.push_back(ended_[reported_]);
    if (running_) news.push_back(snapshot());
  }
  for (const Progress& progress : news) sink.update(progress);
}

void ProgressMeter::observe(ProgressSink* sink, const std::function<void()>& work) {
  if (!sink) {
    work();
    return;
  }
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });
  std::exception_ptr sink_failure;
  for (bool last = false; !last;) {
    std::unique_lock lock(mutex);
    last = ended.wait_for(lock, std::chrono::milliseconds(200), [&] { return done; });
    lock.unlock();
    try {
      if (!sink_failure) report(*sink);
    } catch (...) {
      sink_failure = std::current_exception();
    }
  }
  worker.join();
  if (failure) std::rethrow_exception(failure);
  if (sink_failure) std::rethrow_exception(sink_failure);
}

std::string progress_line(const Progress& p) {
  std::string line = fmt::format("{} {}", p.stage, grouped(p.done));
  const double part = share(p);
  if (p.finished) return line + fmt::format(" in {:.1f} s", p.seconds);
  std::string details;
  if (part >= 0) details = fmt::format("{:.0f} %", part * 100);
  if (p.seconds > 0.5 && p.done > 0) {
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(p.done) / p.seconds);
    details += fmt::format("{}{} a second", details.empty() ? "" : ", ", grouped(rate));
    if (part > 0) {
      const auto left = static_cast<std::uint64_t>(p.seconds * (1 - part) / part + 0.5);
      details += fmt::format(", {}:{:02} left", left / 60, left % 60);
    }
  }
  return details.empty() ? line : line + " (" + details + ")";
}

void TerminalProgress::update(const Progress& progress) {
  std::string line = progress_line(progress);
  const std::size_t width = line.size();
  if (width < width_) line.append(width_ - width, ' ');
  std::fprintf(out_, "\r%s%s", line.c_str(), progress.finished ? "\n" : "");
  std::fflush(out_);
  width_ = progress.finished ? 0 : width;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace harnessg
