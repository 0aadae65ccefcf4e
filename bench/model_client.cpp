#include "bench/model_client.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "credit/models/completions_server.h"
#include "data/text.h"

namespace harnessg::bench {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kConstraintNames = {"none", "grammar", "structured_outputs", "guided_choice"};
constexpr std::array<std::string_view, 3> kRoleNames = {"system", "user", "assistant"};

// A grammar whose only sentences are the choices; JSON's escapes are GBNF's.
std::string grammar_of(std::span<const std::string> choices) {
  std::string grammar = "root ::=";
  for (const std::string& choice : choices) grammar += (grammar.back() == '=' ? " " : " | ") + json(choice).dump();
  return grammar;
}

void constrain(Constraint constraint, std::span<const std::string> choices, json& request) {
  const json list = std::vector<std::string>(choices.begin(), choices.end());
  switch (constraint) {
    case Constraint::kGrammar:
      request["grammar"] = grammar_of(choices);
      break;
    case Constraint::kStructured:
      request["structured_outputs"] = {{"choice", list}};
      break;
    case Constraint::kGuided:
      request["guided_choice"] = list;
      break;
    case Constraint::kNone:
      break;
  }
}

// The stop texts are left out of what a server returns.
std::string closed(std::string text) {
  for (const auto& [open, close] : {std::pair{"<query>", "</query>"}, {"<answer>", "</answer>"}}) {
    const std::size_t at = text.rfind(open);
    if (at != std::string::npos && text.find(close, at) == std::string::npos) text += close;
  }
  return text;
}

}  // namespace

std::string_view constraint_name(Constraint constraint) {
  return kConstraintNames[static_cast<std::size_t>(constraint)];
}

struct ModelClient::Connection {
  CompletionsServer server;
  ModelOptions options;
  Constraint constraint = Constraint::kNone;

  Result<std::string> write(std::span<const Message> conversation, std::uint64_t seed,
                            std::span<const std::string> choices) const {
    json request = {{"model", options.model},
                    {"temperature", options.temperature},
                    {"max_tokens", options.max_tokens},
                    {"seed", seed & 0x7FFFFFFFu},
                    {"stop", {"</query>", "</answer>"}}};
    if (!choices.empty() && constraint != Constraint::kNone) {
      constrain(constraint, choices, request);
      request.erase("stop");
    }
    return options.chat ? chat(conversation, request) : complete(conversation, request);
  }

 private:
  Result<std::string> chat(std::span<const Message> conversation, json& request) const {
    for (const Message& message : conversation) {
      request["messages"].push_back(
          {{"role", kRoleNames[static_cast<std::size_t>(message.role)]}, {"content", message.text}});
    }
    return text_of(server.chat(request));
  }

  Result<std::string> complete(std::span<const Message> conversation, json& request) const {
    std::string prompt;
    for (const Message& message : conversation) prompt += message.text + "\n\n";
    request["prompt"] = prompt;
    return text_of(server.completions(request));
  }

  Result<std::string> text_of(const Scored<json>& reply) const {
    if (!reply) return fail(ErrorCode::kUnavailable, "{}", reply.error().message);
    const json* const choices = field(*reply, "choices");
    if (choices != nullptr && choices->is_array() && !choices->empty()) {
      const json& first = choices->front();
      const json* const message = options.chat ? field(first, "message") : &first;
      const auto text = message != nullptr ? text_field(*message, options.chat ? "content" : "text") : std::nullopt;
      if (text) return closed(*text);
    }
    return fail(ErrorCode::kUnavailable, "{} answers without a text; is it an OpenAI-compatible server for {}?",
                server.address(), options.chat ? "chat" : "completions");
  }
};

ModelClient::ModelClient(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
ModelClient::~ModelClient() = default;
const std::string& ModelClient::model() const { return connection_->options.model; }
Constraint ModelClient::constraint() const { return connection_->constraint; }
const ModelOptions& ModelClient::options() const { return connection_->options; }

Result<std::string> ModelClient::write(std::span<const Message> conversation, std::uint64_t seed,
                                       std::span<const std::string> choices) const {
  return connection_->write(conversation, seed, choices);
}

namespace {

Result<std::string> choose_model(const CompletionsServer& server, const std::string& wanted) {
  HARNESSG_ASSIGN(const auto models, server.models());
  if (!wanted.empty() || models.empty()) return wanted;
  if (models.size() == 1) return models.front().front();
  std::vector<std::string> names;
  for (const auto& model : models) names.push_back(model.front());
  return fail(ErrorCode::kInvalidArgument, "{} has several models, name one: {}", server.address(),
              fmt::join(names, ", "));
}

}  // namespace

Result<std::unique_ptr<ModelClient>> ModelClient::connect(std::string_view url, ModelOptions options) {
  if (!(options.temperature >= 0) || options.max_tokens == 0)
    return fail(ErrorCode::kInvalidArgument, "a temperature below 0, or no token to write; give others");
  HttpOptions http;
  http.timeout = options.timeout;
  http.bearer_token = options.api_key;
  HARNESSG_ASSIGN(CompletionsServer server, CompletionsServer::create(url, std::move(http)));
  HARNESSG_ASSIGN(options.model, choose_model(server, options.model));
  auto connection = std::make_unique<Connection>(Connection{std::move(server), std::move(options)});
  const std::vector<Message> probe{{Role::kUser, "Write the word hello."}};
  // A text that nobody writes unforced.
  const std::vector<std::string> forced{"A7 quagga"};
  if (connection->options.constrain) {
    for (const Constraint tried : {Constraint::kGrammar, Constraint::kStructured, Constraint::kGuided}) {
      connection->constraint = tried;
      const auto reply = connection->write(probe, 0, forced);
      if (reply && trim_space(*reply) == forced[0]) break;
      connection->constraint = Constraint::kNone;
    }
  }
  if (connection->constraint == Constraint::kNone) {
    HARNESSG_RETURN_IF_ERROR(connection->write(probe, 0, {}));
  }
  return std::unique_ptr<ModelClient>(new ModelClient(std::move(connection)));
}

}  // namespace harnessg::bench
