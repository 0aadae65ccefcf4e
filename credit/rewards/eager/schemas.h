// The event types a model is told of: a dataclass each, with guidelines (docs/eager.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

struct RoleSchema {
  std::string role;       // the data set's name: "Treatment.Drug"
  std::string field;      // the dataclass's: "treatment_drug"
  std::string guideline;  // "" without one

  friend bool operator==(const RoleSchema&, const RoleSchema&) = default;
};

struct EventSchema {
  std::string type;        // the data set's name: "Life.Die.Unspecified"
  std::string class_name;  // "Life_Die_Unspecified"
  std::string guideline;   // "" without one
  std::vector<RoleSchema> roles;

  // By its field or role name; null when there is none.
  const RoleSchema* find_role(std::string_view name) const;

  friend bool operator==(const EventSchema&, const EventSchema&) = default;
};

// Immutable; reading is thread-safe.
class SchemaSet {
 public:
  // kBadInput when two schemas share a type or class name, two roles of one schema a field or role, a name is empty or
  // no Python identifier, or a field is called "mention".
  static Result<SchemaSet> make(std::vector<EventSchema> schemas);

  // One schema for every event type of the records, with the roles it has there, types and roles in byte order, names
  // made by class_name_of and field_name_of (with a number appended where two fall together), guidelines empty.
  static Result<SchemaSet> of_records(std::span<const EventRecord> records);

  std::span<const EventSchema> schemas() const { return schemas_; }
  std::size_t size() const { return schemas_.size(); }
  bool empty() const { return schemas_.empty(); }

  // By class name or type; null when there is none.
  const EventSchema* find(std::string_view name) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::vector<EventSchema> schemas_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_name_;
};

// Every character that an identifier cannot hold becomes "_"; a leading digit gets a "_" before it. Fields are
// lower-cased (ASCII); one that is "mention" or a Python keyword gets a "_" behind it.
std::string class_name_of(std::string_view type);
std::string field_name_of(std::string_view role);

// One object a schema: {"type", "class", "guideline", "roles": [{"role", "field", "guideline"}]}; "class" and "field"
// may be left out. This is the file in which guidelines are written.
Result<EventSchema> schema_from_json(const Json& object, const Place& place);
std::string schema_json(const EventSchema& schema);  // one line

// A file of them, JSON lines or one list. Errors of JsonRecordReader::open, kBadInput with the place.
Result<SchemaSet> read_schemas(const std::filesystem::path& file);

}  // namespace harnessg::eager
