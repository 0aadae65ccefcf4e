#include "credit/rewards/eager/schemas.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace harnessg::eager {
namespace {

constexpr std::size_t kMaxSchemaBytes = std::size_t{1} << 20;

constexpr std::array<std::string_view, 35> kPythonKeywords = {
    "False",    "None", "True", "and",    "as",    "assert", "async",  "await", "break",  "class", "continue", "def",
    "del",      "elif", "else", "except", "for",   "from",   "global", "if",    "import", "in",    "is",       "lambda",
    "nonlocal", "not",  "or",   "pass",   "raise", "return", "try",    "while", "with",   "yield", "finally"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80u;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); }) &&
         std::find(kPythonKeywords.begin(), kPythonKeywords.end(), name) == kPythonKeywords.end();
}

std::string identifier_of(std::string_view name) {
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  if (result.empty() || is_digit(result.front())) result.insert(0, "_");
  return result;
}

void avoid_keyword(std::string& name) {
  if (std::find(kPythonKeywords.begin(), kPythonKeywords.end(), name) != kPythonKeywords.end()) name += '_';
}

// Python's name for `original`: `name`, or with the first number behind it that is taken neither by an earlier one nor
// by another's original name.
template <class Originals>
std::string unique_name(const std::string& original, const std::string& name, const Originals& originals,
                        std::set<std::string>& taken) {
  std::string result = name;
  for (int number = 2; (result != original && originals.contains(result)) || !taken.insert(result).second; ++number) {
    result = fmt::format("{}_{}", name, number);
  }
  return result;
}

Status check_roles(const EventSchema& schema) {
  std::set<std::string_view> names;
  for (const RoleSchema& role : schema.roles) {
    if (!is_identifier(role.field) || role.field == "mention") {
      return fail(ErrorCode::kBadInput,
                  "role \"{}\" of event type \"{}\" needs a field name other than \"{}\": a Python "
                  "identifier, and not \"mention\"",
                  role.role, schema.type, role.field);
    }
    const bool is_new = names.insert(role.field).second && (role.role == role.field || names.insert(role.role).second);
    if (role.role.empty() || !is_new) {
      return fail(ErrorCode::kBadInput, "event type \"{}\" has the role \"{}\" (field \"{}\") twice or without a name",
                  schema.type, role.role, role.field);
    }
  }
  return {};
}

Result<std::string> text_of(const Json& object, const char* key, const Place& place) {
  const Json* value = find_value(object, key);
  if (!value) return std::string();
  if (value->is_string()) return value->get<std::string>();
  return fail(ErrorCode::kBadInput, "{}:{}: \"{}\" of a schema must be a string", place.file, place.number, key);
}

Result<RoleSchema> role_from_json(const Json& object, const Place& place) {
  if (!object.is_object()) {
    return fail(ErrorCode::kBadInput, "{}:{}: every role of a schema must be an object with a \"role\"", place.file,
                place.number);
  }
  RoleSchema role;
  HARNESSG_ASSIGN(role.role, text_of(object, "role", place));
  HARNESSG_ASSIGN(role.field, text_of(object, "field", place));
  HARNESSG_ASSIGN(role.guideline, text_of(object, "guideline", place));
  if (role.field.empty()) role.field = field_name_of(role.role);
  return role;
}

}  // namespace

const RoleSchema* EventSchema::find_role(std::string_view name) const {
  for (const RoleSchema& role : roles) {
    if (role.field == name) return &role;
  }
  for (const RoleSchema& role : roles) {
    if (role.role == name) return &role;
  }
  return nullptr;
}

Result<SchemaSet> SchemaSet::make(std::vector<EventSchema> schemas) {
  SchemaSet set;
  set.schemas_ = std::move(schemas);
  for (std::size_t i = 0; i < set.schemas_.size(); ++i) {
    const EventSchema& schema = set.schemas_[i];
    if (!is_identifier(schema.class_name)) {
      return fail(ErrorCode::kBadInput, "event type \"{}\" needs a class name that is a Python identifier, not \"{}\"",
                  schema.type, schema.class_name);
    }
    const bool is_new = set.by_name_.emplace(schema.class_name, i).second &&
                        (schema.type == schema.class_name || set.by_name_.emplace(schema.type, i).second);
    if (schema.type.empty() || !is_new) {
      return fail(ErrorCode::kBadInput, "event type \"{}\" (class \"{}\") is there twice or without a name",
                  schema.type, schema.class_name);
    }
    HARNESSG_RETURN_IF_ERROR(check_roles(schema));
  }
  return set;
}

Result<SchemaSet> SchemaSet::of_records(std::span<const EventRecord> records) {
  std::map<std::string, std::set<std::string>> roles_of;
  for (const EventRecord& record : records) {
    for (const GoldEvent& event : record.events) {
      std::set<std::string>& roles = roles_of[event.type];
      for (const GoldArgument& argument : event.arguments) roles.insert(argument.role);
    }
  }
  std::vector<EventSchema> schemas;
  std::set<std::string> classes;
  for (const auto& [type, roles] : roles_of) {
    EventSchema& schema = schemas.emplace_back();
    schema.type = type;
    schema.class_name = unique_name(type, class_name_of(type), roles_of, classes);
    std::set<std::string> fields;
    for (const std::string& role : roles) {
      schema.roles.push_back({role, unique_name(role, field_name_of(role), roles, fields), ""});
    }
  }
  return make(std::move(schemas));
}

const EventSchema* SchemaSet::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &schemas_[found->second];
}

std::string class_name_of(std::string_view type) {
  std::string name = identifier_of(type);
  avoid_keyword(name);
  return name;
}

std::string field_name_of(std::string_view role) {
  std::string name = identifier_of(role);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (name == "mention") name += '_';
  avoid_keyword(name);
  return name;
}

Result<EventSchema> schema_from_json(const Json& object, const Place& place) {
  EventSchema schema;
  HARNESSG_ASSIGN(schema.type, text_of(object, "type", place));
  HARNESSG_ASSIGN(schema.class_name, text_of(object, "class", place));
  HARNESSG_ASSIGN(schema.guideline, text_of(object, "guideline", place));
  if (schema.type.empty()) {
    return fail(ErrorCode::kBadInput, "{}:{}: a schema needs a \"type\"", place.file, place.number);
  }
  if (schema.class_name.empty()) schema.class_name = class_name_of(schema.type);
  const Json* roles = find_value(object, "roles");
  if (!roles) return schema;
  if (!roles->is_array()) {
    return fail(ErrorCode::kBadInput, "{}:{}: \"roles\" of schema \"{}\" must be a list", place.file, place.number,
                schema.type);
  }
  for (const Json& role : *roles) {
    HARNESSG_ASSIGN(RoleSchema parsed, role_from_json(role, place));
    schema.roles.push_back(std::move(parsed));
  }
  return schema;
}

std::string schema_json(const EventSchema& schema) {
  nlohmann::ordered_json roles = nlohmann::ordered_json::array();
  for (const RoleSchema& role : schema.roles) {
    roles.push_back({{"role", role.role}, {"field", role.field}, {"guideline", role.guideline}});
  }
  const nlohmann::ordered_json object{
      {"type", schema.type}, {"class", schema.class_name}, {"guideline", schema.guideline}, {"roles", roles}};
  return object.dump();
}

Result<SchemaSet> read_schemas(const std::filesystem::path& file) {
  HARNESSG_ASSIGN(JsonRecordReader reader, JsonRecordReader::open(file, kMaxSchemaBytes));
  std::vector<EventSchema> schemas;
  for (;;) {
    HARNESSG_ASSIGN(std::optional<JsonRecord> record, reader.next());
    if (!record) break;
    if (!record->object) return tl::unexpected<Error>(record->object.error());
    HARNESSG_ASSIGN(EventSchema schema, schema_from_json(*record->object, record->place));
    schemas.push_back(std::move(schema));
  }
  auto set = SchemaSet::make(std::move(schemas));
  if (!set) return fail(set.error().code, "{}: {}", file.string(), set.error().message);
  return set;
}

}  // namespace harnessg::eager
