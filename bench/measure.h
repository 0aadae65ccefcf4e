// Clocks, samples and the machine, for programs that measure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace harnessg::bench {

// Seconds that the calling thread, or all threads of the process, have been on a core. On a machine that others use
// too this is what the work costs; wall_seconds() is what it waits as well.
double thread_seconds();
double process_seconds();
double wall_seconds();
// Seconds that the threads which the process has now could have run, and others were on the cores; 0 where the kernel
// does not say.
double waited_seconds();

// Thread seconds that `work` takes, without what reading the clock takes.
double clock_cost();
template <class Work>
double timed(Work&& work) {
  const double begin = thread_seconds();
  work();
  const double seconds = thread_seconds() - begin - clock_cost();
  return seconds > 0 ? seconds : 0;
}

// Measured seconds of one thing done many times.
class Samples {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }
  std::size_t size() const { return seconds_.size(); }
  // Nearest rank; 0 without samples.
  double quantile(double share) const;
  double median() const { return quantile(0.5); }

 private:
  std::vector<double> seconds_;
};

// Four significant digits.
double rounded(double value);
// {"median", "p10", "p90", "p99", "samples"} in units of which `per_second` make a second.
nlohmann::ordered_json spread(const Samples& samples, double per_second);

std::uint64_t resident_bytes();    // of this process now, as the kernel counts it
nlohmann::ordered_json machine();  // processor, cores, kernel, compiler, flags

}  // namespace harnessg::bench
