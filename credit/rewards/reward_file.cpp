#include "credit/rewards/reward_file.h"

namespace harnessg {
namespace {

constexpr std::size_t kMaxRecordBytes = std::size_t{64} << 20;

bool is_trace(const Json& object) { return object.contains("steps") && object.contains("tool_version"); }

Status add_trace(const Json& object, const Place& place, RewardRollouts& rollouts, RewardInput& input) {
  Result<Trace> trace = trace_from_json(object.dump());
  if (!trace) {
    return fail(trace.error().code, "{}:{}: {}", place.file, place.number, trace.error().message);
  }
  rollouts.traces.push_back(std::move(*trace));
  input.trace = &rollouts.traces.back();
  return {};
}

std::string group_name(const Json* value) {
  if (!value) return "";
  if (value->is_string()) return value->get<std::string>();
  return value->is_number() || value->is_boolean() ? value->dump() : "";
}

Result<std::string> group_of(const Json& object, const std::string& key, const Place& place, const RewardInput& input) {
  if (key.empty()) return std::string();
  std::string group = group_name(find_value(object, key));
  if (group.empty() && input.trace && key == "question_id") group = input.trace->question_id;
  if (!group.empty()) return group;
  return fail(ErrorCode::kBadInput, "{}:{}: there is no \"{}\" to group by; name another key, or none", place.file,
              place.number, key);
}

}  // namespace

Status add_rollout(const Json& object, const Place& place, const std::string& group_key, RewardRollouts& rollouts) {
  RewardInput input;
  input.place = place;
  if (is_trace(object)) {
    HARNESSG_RETURN_IF_ERROR(add_trace(object, place, rollouts, input));
  } else {
    input.record = object;
    if (const Json* trace = find_value(object, "trace")) {
      HARNESSG_RETURN_IF_ERROR(add_trace(*trace, place, rollouts, input));
      input.record.erase("trace");
    }
  }
  HARNESSG_ASSIGN(input.group, group_of(object, group_key, place, input));
  rollouts.inputs.push_back(std::move(input));
  return {};
}

Result<RewardRollouts> read_rollouts(const std::filesystem::path& file, const std::string& group_key) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxRecordBytes));
  RewardRollouts rollouts;
  for (;;) {
    HARNESSG_ASSIGN(std::optional<JsonRecord> record, reader.next());
    if (!record) return rollouts;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    HARNESSG_RETURN_IF_ERROR(add_rollout(*record->object, record->place, group_key, rollouts));
  }
}

}  // namespace harnessg
