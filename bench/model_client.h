// A language model behind an OpenAI-compatible server as one that writes: chat or completions.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/result.h"

namespace harnessg::bench {

// How a server can be made to write one of given texts and nothing else.
enum class Constraint : std::uint8_t {
  kNone,
  kGrammar,     // "grammar", a GBNF grammar (llama.cpp)
  kStructured,  // "structured_outputs": {"choice": [...]} (vLLM)
  kGuided,      // "guided_choice": [...] (vLLM before that)
};
std::string_view constraint_name(Constraint constraint);  // "none", "grammar", "structured_outputs", "guided_choice"

struct ModelOptions {
  std::string model;  // empty: the one that the server lists
  std::string api_key;
  bool chat = true;       // /v1/chat/completions; false: /v1/completions, messages joined by blank lines
  bool constrain = true;  // action ids, where the server can
  double temperature = 0.7;
  std::uint32_t max_tokens = 256;              // of one turn
  std::chrono::milliseconds timeout{120'000};  // of one turn, with its retries
};

enum class Role : std::uint8_t { kSystem, kUser, kAssistant };
struct Message {
  Role role = Role::kUser;
  std::string text;
};

// Const and thread-safe.
class ModelClient {
 public:
  // Asks the server for its models and tries which constraint it keeps to: at most 4 small requests. kInvalidArgument:
  // the URL or an option is wrong, or several models and none chosen; kUnavailable: nobody answers.
  static Result<std::unique_ptr<ModelClient>> connect(std::string_view url, ModelOptions options);
  ~ModelClient();

  const std::string& model() const;
  Constraint constraint() const;  // kNone where none was asked for or the server keeps to none
  const ModelOptions& options() const;

  // What the model writes next. With `choices`, and a constraint, it is one of them. Ends behind </query> and
  // </answer>. kUnavailable when the server fails or answers something else.
  Result<std::string> write(std::span<const Message> conversation, std::uint64_t seed,
                            std::span<const std::string> choices = {}) const;

 private:
  struct Connection;
  explicit ModelClient(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace harnessg::bench
