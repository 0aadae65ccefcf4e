#include "bench/measure.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace harnessg::bench {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

}  // namespace

double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

double waited_seconds() {
  double nanoseconds = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream in(task.path() / "schedstat");
    double ran = 0;
    double waited = 0;
    if (in >> ran >> waited) nanoseconds += waited;
  }
  return nanoseconds * 1e-9;
}

double clock_cost() {
  static const double cost = [] {
    Samples samples;
    for (int i = 0; i < 1000; ++i) {
      const double begin = thread_seconds();
      samples.add(thread_seconds() - begin);
    }
    return samples.median();
  }();
  return cost;
}

double Samples::quantile(double share) const {
  if (seconds_.empty()) return 0;
  std::vector<double> sorted(seconds_);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rank, 1, sorted.size()) - 1);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::stod(fmt::format("{:.4g}", value));
}

nlohmann::ordered_json spread(const Samples& samples, double per_second) {
  return {{"median", rounded(samples.median() * per_second)},
          {"p10", rounded(samples.quantile(0.1) * per_second)},
          {"p90", rounded(samples.quantile(0.9) * per_second)},
          {"p99", rounded(samples.quantile(0.99) * per_second)},
          {"samples", samples.size()}};
}

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

nlohmann::ordered_json machine() {
  utsname system{};
  uname(&system);
  return {{"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"load_average", rounded(load_average())},
          {"kernel", system.release},
          {"compiler", HARNESSG_BENCH_COMPILER},
          {"flags", HARNESSG_BENCH_FLAGS}};
}

}  // namespace harnessg::bench
