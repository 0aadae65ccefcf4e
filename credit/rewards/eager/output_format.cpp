#include "credit/rewards/eager/output_format.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "credit/rewards/eager/python_string.h"

namespace harnessg::eager {
namespace {

std::vector<std::string_view> roles_of(const ExtractedEvent& event) {
  std::vector<std::string_view> roles;
  for (const ExtractedArgument& argument : event.arguments) {
    if (std::find(roles.begin(), roles.end(), argument.role) == roles.end()) roles.push_back(argument.role);
  }
  return roles;
}

std::string values_of(const ExtractedEvent& event, std::string_view role) {
  std::string list;
  for (const ExtractedArgument& argument : event.arguments) {
    if (argument.role != role) continue;
    if (!list.empty()) list += ", ";
    list += quote(argument.text);
  }
  return '[' + list + ']';
}

std::string instance_of(const ExtractedEvent& event, const SchemaSet& schemas) {
  const EventSchema* schema = schemas.find(event.type);
  std::string result = (schema ? schema->class_name : class_name_of(event.type)) + "(mention=" + quote(event.mention);
  for (const std::string_view role : roles_of(event)) {
    const RoleSchema* known = schema ? schema->find_role(role) : nullptr;
    result += ", " + (known ? known->field : field_name_of(role)) + '=' + values_of(event, role);
  }
  return result + ')';
}

}  // namespace

std::string format_output(const Extraction& events, const SchemaSet& schemas) {
  std::string result = "[";
  for (const ExtractedEvent& event : events) {
    if (result.size() > 1) result += ",\n ";
    result += instance_of(event, schemas);
  }
  return result + ']';
}

}  // namespace harnessg::eager
