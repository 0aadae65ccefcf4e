#include "credit/selfplay/loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace harnessg::selfplay {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::uint32_t kArms = 2;  // the challenger's, then the frozen one's
constexpr std::uint32_t kMost = 1'000'000;

Result<std::string> read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail(ErrorCode::kIo, "{} cannot be read; name another folder", file.string());
  return text;
}

Status write_text(const fs::path& file, const std::string& text, std::ios::openmode mode) {
  std::ofstream out(file, std::ios::binary | mode);
  out << text << std::flush;
  if (!out) return fail(ErrorCode::kIo, "{} cannot be written; see that there is room and the right to", file.string());
  return {};
}

std::string settings_text(const Environment& environment, const Episode& episode, const LoopOptions& options) {
  const OrderedJson settings{{"format", 1},
                             {"index", environment.index().manifest().content_hash},
                             {"rules", fmt::format("{:016x}", episode.rules_hash())},
                             {"iterations", options.iterations},
                             {"sources", options.sources},
                             {"rollouts", options.rollouts},
                             {"most_hops", options.most_hops},
                             {"seed", options.seed},
                             {"challenger", options.challenger},
                             {"solver", options.solver}};
  return settings.dump() + '\n';
}

// The folder is of these settings from here on.
Status claim(const fs::path& folder, const std::string& settings) {
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path file = folder / "settings.json";
  if (!fs::exists(file, error)) return write_text(file, settings, std::ios::trunc);
  HARNESSG_ASSIGN(const std::string known, read_text(file));
  if (known == settings) return {};
  return fail(ErrorCode::kInvalidArgument,
              "{} was made with other options or another index; repeat those of its settings.json or name a new folder",
              folder.string());
}

struct Tally {
  std::size_t lines = 0, judged = 0, passed = 0, kept = 0, means = 0, answers = 0;
  double mean_sum = 0, tokens = 0;
  std::set<std::string> tasks;

  void add(const OrderedJson& line) {
    ++lines;
    if (line.contains("gates_pass") && !line["gates_pass"].is_null()) ++judged;
    if (line.value("gates_pass", OrderedJson()) == true) ++passed;
    if (line.at("kept") == true) ++kept;
    if (line.contains("mean_score") && line["mean_score"].is_number()) {
      ++means;
      mean_sum += line["mean_score"].get<double>();
    }
    if (line.contains("task") && line["task"].is_string()) tasks.insert(line["task"].get<std::string>());
    for (const OrderedJson& rollout : line.value("rollouts", OrderedJson::array())) {
      if (rollout.at("answered") != true) continue;
      ++answers;
      tokens += rollout.at("tokens").get<double>();
    }
  }
};

// Null where there is nothing to divide by.
OrderedJson share(double part, std::size_t of) {
  return of == 0 ? OrderedJson() : OrderedJson(part / static_cast<double>(of));
}

Result<std::string> report_text(const LoopOptions& options, const std::string& lines) {
  std::vector<Tally> tallies(std::size_t{options.iterations} * kArms);
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    const auto line = OrderedJson::parse(lines.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    if (!line.is_object() || !line.contains("kept")) {
      return fail(ErrorCode::kCorrupt, "tasks.jsonl holds a line that is no task; name a new folder");
    }
    const bool frozen = line.value("arm", "") == "frozen";
    const std::size_t row = std::size_t{line.value("iteration", 0U)} * kArms + (frozen ? 1 : 0);
    if (row >= tallies.size()) return fail(ErrorCode::kCorrupt, "tasks.jsonl holds iteration {}", row / kArms);
    tallies[row].add(line);
    begin = end + 1;
  }
  std::string text;
  for (std::size_t row = 0; row < tallies.size(); ++row) {
    const Tally& t = tallies[row];
    text += OrderedJson{{"iteration", row / kArms},
                        {"arm", row % kArms == 0 ? "challenger" : "frozen"},
                        {"sources", t.lines},
                        {"distinct_tasks", t.tasks.size()},
                        {"gate_pass", share(static_cast<double>(t.passed), t.judged)},
                        {"filter_pass", share(static_cast<double>(t.kept), t.means)},
                        {"kept", t.kept},
                        {"mean_score", share(t.mean_sum, t.means)},
                        {"answer_tokens", share(t.tokens, t.answers)}}
                .dump() +
            '\n';
  }
  return text;
}

}  // namespace

Status check(const LoopOptions& options) {
  const auto [least, most] = std::minmax({options.iterations, options.sources, options.rollouts, options.most_hops});
  if (least < 1 || most > kMost || options.most_hops > 4) {
    return fail(ErrorCode::kInvalidArgument,
                "iterations, sources and rollouts of the loop are 1 to {}, its hops 1 to 4", kMost);
  }
  HARNESSG_RETURN_IF_ERROR(policy_named(options.challenger));
  HARNESSG_RETURN_IF_ERROR(policy_named(options.solver));
  return {};
}

Result<std::string> run_loop(const Environment& environment, const RoleModel& model, const LoopOptions& options,
                             const fs::path& folder) {
  HARNESSG_RETURN_IF_ERROR(check(options));
  Task probe;
  probe.question = "rules";
  HARNESSG_ASSIGN(const Episode episode, environment.reset(probe));
  HARNESSG_RETURN_IF_ERROR(claim(folder, settings_text(environment, episode, options)));
  const fs::path file = folder / "tasks.jsonl";
  std::string lines;
  std::error_code error;
  if (fs::exists(file, error)) {
    HARNESSG_ASSIGN(lines, read_text(file));
    lines.resize(lines.rfind('\n') + 1);  // npos + 1 is 0: nothing is whole
    fs::resize_file(file, lines.size(), error);
    if (error) return fail(ErrorCode::kIo, "{} cannot be cut: {}", file.string(), error.message());
  }
  const auto total = std::uint64_t{options.iterations} * options.sources * kArms;
  for (auto n = static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')); n < total; ++n) {
    const auto group = static_cast<std::uint32_t>(n / kArms);
    HARNESSG_ASSIGN(const std::string line, task_line(environment, model, options, group / options.sources,
                                                      group % options.sources, n % kArms == 1));
    HARNESSG_RETURN_IF_ERROR(write_text(file, line, std::ios::app));
    lines += line;
  }
  HARNESSG_ASSIGN(std::string report, report_text(options, lines));
  HARNESSG_RETURN_IF_ERROR(write_text(folder / "report.jsonl", report, std::ios::trunc));
  return report;
}

}  // namespace harnessg::selfplay
