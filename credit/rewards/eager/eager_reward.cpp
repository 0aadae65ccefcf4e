#include "credit/rewards/eager/eager_reward.h"

#include <map>
#include <optional>

#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/judgement_json.h"
#include "credit/rewards/eager/rewards.h"
#include "credit/rewards/group_monitor.h"
#include "credit/rewards/settings.h"

namespace harnessg::eager {
namespace {

struct EagerSettings {
  std::optional<SchemaSet> schemas;
  bool keep_unknown = false;
  MatchOptions match;
  RewardOptions rewards;
};

Result<SchemaSet> schemas_of(const Json& setting) {
  if (setting.is_string()) return read_schemas(setting.get<std::string>());
  if (!setting.is_array()) {
    return fail(ErrorCode::kInvalidArgument,
                "the setting \"schemas\" of \"eager\" must be a file or a list of schemas");
  }
  std::vector<EventSchema> schemas;
  for (const Json& element : setting) {
    if (!element.is_object()) return fail(ErrorCode::kInvalidArgument, "every schema of \"eager\" must be an object");
    HARNESSG_ASSIGN(EventSchema schema, schema_from_json(element, {"schemas", schemas.size() + 1}));
    schemas.push_back(std::move(schema));
  }
  return SchemaSet::make(std::move(schemas));
}

Result<EagerSettings> settings_of(const Json& given) {
  EagerSettings settings;
  SettingsReader reader(given, "\"eager\"");
  std::size_t boundary = 0;
  const Json* schemas = reader.value("schemas");
  reader.choice("boundary", {"fixed", "paper"}, boundary);
  reader.number("over_nothing", settings.rewards.over_nothing);
  reader.boolean("grant_nothing_due", settings.rewards.grant_nothing_due);
  reader.boolean("number_spacing", settings.match.number_spacing);
  reader.boolean("width", settings.match.width);
  reader.boolean("keep_unknown", settings.keep_unknown);
  HARNESSG_RETURN_IF_ERROR(reader.done());
  settings.rewards.boundary = boundary == 0 ? BoundaryVariant::kFixed : BoundaryVariant::kPaper;
  if (schemas) {
    HARNESSG_ASSIGN(settings.schemas, schemas_of(*schemas));
  }
  return settings;
}

std::string seen_text(const Trace& trace) {
  std::string text;
  for (const SentenceId id : trace.seen) {
    const auto sentence = trace.sentences.find(index(id));
    if (sentence == trace.sentences.end()) continue;
    if (!text.empty()) text += ' ';
    text += sentence->second.text;
  }
  return text;
}

// What a batch adds up to.
struct Batch {
  std::map<std::string_view, std::size_t> failures;
  std::size_t outputs = 0;
  std::size_t events = 0;
  std::size_t empty_instances = 0;
  MeasureCounts counts;
  // Of the outputs that were judged.
  std::vector<double> boundary;
  std::vector<double> fixed_boundary;
  std::vector<std::size_t> groups;
};

std::vector<RewardComponent> reward_components() {
  static constexpr std::array<std::string_view, kRewards> kMeanings = {
      "1 when the output is a list of instances",
      "mean of six micro F1, 0 to 1",
      "share of mentions that stand in the text, 0 to 1",
      "1 less the share of extra events and arguments, 0 to 1",
      "events and arguments claimed against gold's number, 0 to 1",
      "how tightly arguments fit gold ones, 0 to 1"};
  std::vector<RewardComponent> all;
  for (std::size_t i = 0; i < kRewards; ++i) {
    all.push_back({std::string(kRewardNames[i]), RewardLevel::kEpisode, 1, std::string(kMeanings[i])});
  }
  return all;
}

class EagerReward final : public RewardPlugin {
 public:
  explicit EagerReward(EagerSettings settings)
      : RewardPlugin("eager", reward_components()), settings_(std::move(settings)) {}

  Status score(std::span<const RewardInput> inputs, RewardReport& report) const override {
    Batch batch;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HARNESSG_ASSIGN(EpisodeReward episode, score(inputs[i], i, report.group_of[i], batch));
      report.episodes.push_back(std::move(episode));
    }
    return add_monitors(batch, report);
  }

 private:
  Result<EpisodeReward> score(const RewardInput& input, std::size_t position, std::size_t group, Batch& batch) const {
    EpisodeReward episode;
    HARNESSG_ASSIGN(std::optional<std::string> output, output_of(input, position));
    HARNESSG_ASSIGN(EventRecord gold, gold_of(input, position));
    if (!output) return not_judged(*input.trace);
    episode.output = std::move(*output);
    HARNESSG_ASSIGN(const Instance instance, Instance::make(std::move(gold), settings_.match));
    HARNESSG_ASSIGN(const Judgement judgement, judge(instance, episode.output));
    for (const double value : judgement.rewards.values) episode.values.emplace_back(value);
    episode.failed = judgement.failure.has_value();
    episode.detail = judgement_json(judgement);
    batch.outputs += 1;
    batch.events += judgement.events;
    batch.empty_instances += judgement.empty_instances;
    batch.counts += judgement.counts;
    if (judgement.failure) batch.failures[failure_name(judgement.failure->kind)] += 1;
    batch.groups.push_back(group);
    batch.boundary.push_back(judgement.rewards[Reward::kBoundary]);
    batch.fixed_boundary.push_back(judgement.failure ? 0 : judgement.boundary.fixed(settings_.rewards.over_nothing));
    return episode;
  }

  Result<Judgement> judge(const Instance& instance, const std::string& output) const {
    if (settings_.schemas) {
      const ParserOptions options{.schemas = &*settings_.schemas, .keep_unknown = settings_.keep_unknown};
      return eager::judge(instance, parse_output(output, options), settings_.rewards);
    }
    HARNESSG_ASSIGN(const SchemaSet own, SchemaSet::of_records({&instance.record(), 1}));
    auto parsed = parse_output(output, {.schemas = &own, .keep_unknown = true});
    if (parsed) {
      for (ExtractedEvent& event : *parsed) event.in_schema = true;
    }
    return eager::judge(instance, parsed, settings_.rewards);
  }

  // nullopt: the episode can still get its answer. One that ran out of turns wrote nothing, which fails as empty.
  static Result<std::optional<std::string>> output_of(const RewardInput& input, std::size_t position) {
    const Json* output = input.record.is_object() ? find_value(input.record, "output") : nullptr;
    if (output && output->is_string()) return output->get<std::string>();
    if (!output && input.trace) return input.trace->truncated ? input.trace->answer.value_or("") : input.trace->answer;
    return fail(ErrorCode::kBadInput, "{}: \"eager\" needs an \"output\", a string, or a trace",
                place_of(input, position));
  }

  static EpisodeReward not_judged(const Trace& trace) {
    EpisodeReward episode;
    episode.values.assign(kRewards, std::nullopt);
    episode.not_judged = trace.ended ? "the episode ended without the text of its answer" : "the episode is not over";
    return episode;
  }

  static Result<EventRecord> gold_of(const RewardInput& input, std::size_t position) {
    if (!input.record.is_object()) {
      return fail(ErrorCode::kBadInput, "{}: \"eager\" needs a record with gold events", place_of(input, position));
    }
    const Json* nested = find_value(input.record, "gold");
    Json gold = nested ? *nested : input.record;
    const Place place = input.place.file.empty() ? Place{"input", position} : input.place;
    if (!gold.is_object())
      return fail(ErrorCode::kBadInput, "{}: \"gold\" must be an object", place_of(input, position));
    if (input.trace && gold.contains("events") && !gold.contains("text")) gold["text"] = seen_text(*input.trace);
    HARNESSG_ASSIGN(const DataSetForm form, data_set_form(gold, place));
    return event_record(gold, form, place);
  }

  static Status add_monitors(const Batch& batch, RewardReport& report) {
    HARNESSG_ASSIGN(const Inversions inversions, count_inversions(batch.boundary, batch.fixed_boundary, batch.groups));
    Json failures = Json::object();
    for (const auto& [kind, count] : batch.failures) failures[std::string(kind)] = count;
    report.monitors["outputs"] = batch.outputs;
    report.monitors["failures"] = failures;
    report.monitors["empty_instances"] = {{"events", batch.events}, {"empty", batch.empty_instances}};
    report.monitors["measures"] = measures_json(batch.counts);
    report.monitors["boundary_inversion"] = {
        {"ordered", inversions.ordered}, {"inverted", inversions.inverted}, {"rate", inversions.rate()}};
    return {};
  }

  EagerSettings settings_;
};

}  // namespace

Result<std::unique_ptr<RewardPlugin>> make_eager_reward(const Json& settings) {
  HARNESSG_ASSIGN(EagerSettings read, settings_of(settings));
  return std::make_unique<EagerReward>(std::move(read));
}

}  // namespace harnessg::eager
