#include "builder/mention_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "builder/paragraph.h"

extern char** environ;

namespace harnessg {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kReadBytes = 1u << 16;
constexpr std::size_t kFeedBytes = 1u << 16;  // of paragraphs handed over at once

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor out;  // to read from
  Descriptor in;   // to write to
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorCode::kIo, "no pipe to the recogniser: {}", std::strerror(errno));
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A child process with its ends of two pipes.
struct Child {
  pid_t process = -1;
  Descriptor input;   // its standard input
  Descriptor output;  // its standard output
};

Result<Child> spawn(const std::vector<std::string>& command) {
  HARNESSG_ASSIGN(Pipe input, make_pipe());
  HARNESSG_ASSIGN(Pipe output, make_pipe());
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.out.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.in.number(), STDOUT_FILENO);
  Child child;
  const int error = posix_spawnp(&child.process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return fail(ErrorCode::kNotFound, "{} cannot be started ({}); name a program that is there", command[0],
                std::strerror(error));
  child.input = std::move(input.in);
  child.output = std::move(output.out);
  return child;
}

// Lines from a descriptor.
class DescriptorLines {
 public:
  explicit DescriptorLines(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  // False at the end; an unended last line is no line.
  bool next(std::string& line) {
    std::size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos) {
      buffer_.erase(0, std::exchange(at_, 0));
      const std::size_t known = buffer_.size();
      if (!read_more()) return false;
      end = buffer_.find('\n', known);
    }
    line.assign(buffer_, at_, end - at_);
    at_ = end + 1;
    return true;
  }

 private:
  bool read_more() {
    std::array<char, kReadBytes> bytes{};
    ssize_t read = 0;
    do {
      read = ::read(descriptor_.number(), bytes.data(), bytes.size());
    } while (read < 0 && errno == EINTR);
    if (read <= 0) return false;
    buffer_.append(bytes.data(), static_cast<std::size_t>(read));
    return true;
  }

  Descriptor descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;
};

// Writes the corpus's paragraphs, cut into sentences, to the program.
class Feeder {
 public:
  Feeder(std::unique_ptr<CorpusReader> corpus, const ChunkSettings& chunks, Descriptor input)
      : corpus_(std::move(corpus)), chunks_(chunks), input_(std::move(input)) {}

  // Ends when the corpus does, when it is wrong (the error is returned), or when the program reads no more.
  // One thread; the others look at what remains when that has ended.
  Status run() {
    sigset_t broken_pipe;  // is told by write()
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    Status status = feed();
    input_.close();
    return status;
  }

  bool all_read() const { return all_read_; }

 private:
  Status feed() {
    while (true) {
      HARNESSG_ASSIGN(std::optional<CorpusRecord> record, corpus_->next());
      if (!record) break;
      HARNESSG_ASSIGN(const std::vector<CorpusRecord> parts, chunk_record(std::move(*record), chunks_));
      for (const CorpusRecord& part : parts) HARNESSG_RETURN_IF_ERROR(add(part));
      if (lines_.size() >= kFeedBytes) write_lines();
      if (!all_read_) return {};
    }
    write_lines();
    return {};
  }

  Status add(const CorpusRecord& record) {
    HARNESSG_ASSIGN(const SentenceRanges sentences, locate_sentences(record));
    Json line = {{"paragraph", record.id}, {"sentences", sentence_views(record.text, sentences)}};
    lines_ += line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    return {};
  }

  void write_lines() {
    for (std::size_t at = 0; all_read_ && at < lines_.size();) {
      const ssize_t written = ::write(input_.number(), lines_.data() + at, lines_.size() - at);
      all_read_ = written >= 0 || errno == EINTR;
      if (written > 0) at += static_cast<std::size_t>(written);
    }
    lines_.clear();
  }

  std::unique_ptr<CorpusReader> corpus_;
  const ChunkSettings chunks_;
  Descriptor input_;
  std::string lines_;
  bool all_read_ = true;
};

class RunningProgram : public MentionProcess {
 public:
  RunningProgram(std::string program, Child child, std::unique_ptr<CorpusReader> corpus, const ChunkSettings& chunks)
      : program_(std::move(program)),
        process_(child.process),
        lines_(std::move(child.output)),
        feeder_(std::move(corpus), chunks, std::move(child.input)),
        thread_([this] { feed_status_ = feeder_.run(); }) {}

  ~RunningProgram() override {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      wait();
    }
    if (thread_.joinable()) thread_.join();
  }

  Status read_name() {
    std::string line;
    if (!lines_.next(line)) return ended();
    HARNESSG_RETURN_IF_ERROR(check(line));
    const Json json = Json::parse(line, nullptr, false);
    const auto name = json.is_object() ? json.find("recogniser") : json.end();
    if (!json.is_object() || name == json.end() || !name->is_string())
      return fail(ErrorCode::kUnavailable, "{} does not say {{\"recogniser\": name}} first, but: {}", program_, line);
    name_ = name->get<std::string>();
    return {};
  }

  const std::string& name() const override { return name_; }

  Result<std::optional<MentionRow>> next() override {
    std::string line;
    if (!lines_.next(line)) {
      HARNESSG_RETURN_IF_ERROR(ended());
      return std::nullopt;
    }
    HARNESSG_RETURN_IF_ERROR(check(line));
    HARNESSG_ASSIGN(MentionRow row, parse_mention(line, program_, ++rows_));
    return row;
  }

 private:
  // The error that the line is, if it is one.
  Status check(const std::string& line) const {
    if (!line.starts_with("{\"error\"")) return {};
    const Json json = Json::parse(line, nullptr, false);
    const auto sentence = json.is_object() ? json.find("error") : json.end();
    const bool told = json.is_object() && sentence->is_string();
    return fail(ErrorCode::kUnavailable, "{}", told ? sentence->get<std::string>() : line);
  }

  // The wait status of the process, which is no more afterwards.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

  // What remains to be said when the output has ended.
  Status ended() {
    if (process_ > 0) status_ = wait();
    if (thread_.joinable()) thread_.join();
    HARNESSG_RETURN_IF_ERROR(feed_status_);
    if (WIFSIGNALED(status_))
      return fail(ErrorCode::kUnavailable, "{} was ended by signal {}; build again, or with other entities", program_,
                  WTERMSIG(status_));
    if (WEXITSTATUS(status_) != 0)
      return fail(ErrorCode::kUnavailable, "{} ended with status {}; what it wrote to standard error tells why",
                  program_, WEXITSTATUS(status_));
    if (!feeder_.all_read())
      return fail(ErrorCode::kUnavailable,
                  "{} ended before it had read the whole corpus; its mentions are not complete", program_);
    return {};
  }

  const std::string program_;
  pid_t process_;
  DescriptorLines lines_;
  Feeder feeder_;
  Status feed_status_;  // read after the thread has ended
  std::thread thread_;
  std::string name_;
  std::uint64_t rows_ = 0;
  int status_ = 0;
};

}  // namespace

Result<std::unique_ptr<MentionProcess>> MentionProcess::start(MentionProgram program) {
  for (const std::filesystem::path& path : program.corpus) {
    if (path == "-")
      return fail(ErrorCode::kInvalidArgument,
                  "the corpus is on standard input, which the build and {} cannot both read; write it to a file",
                  program.title);
  }
  HARNESSG_ASSIGN(auto corpus, CorpusReader::open(program.corpus, program.corpus_options));
  HARNESSG_ASSIGN(Child child, spawn(program.command));
  auto running =
      std::make_unique<RunningProgram>(std::move(program.title), std::move(child), std::move(corpus), program.chunks);
  HARNESSG_RETURN_IF_ERROR(running->read_name());
  return running;
}

}  // namespace harnessg
