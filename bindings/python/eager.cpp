#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/errors.h"
#include "bindings/python/module.h"
#include "credit/rewards/eager/data_sets.h"
#include "credit/rewards/eager/judgement_json.h"
#include "credit/rewards/eager/output_format.h"
#include "credit/rewards/eager/prompts.h"
#include "credit/rewards/eager/textee.h"

namespace harnessg::python {
namespace {

using namespace harnessg::eager;
using Lines = std::vector<std::string>;

Result<SchemaSet> schemas_of(const Lines& lines) {
  std::vector<EventSchema> schemas;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Place place{"schema", i};
    HARNESSG_ASSIGN(const Json object, parse_object(lines[i], place));
    HARNESSG_ASSIGN(EventSchema schema, schema_from_json(object, place));
    schemas.push_back(std::move(schema));
  }
  return SchemaSet::make(std::move(schemas));
}

Result<EventRecord> record_of(const std::string& line, std::size_t number) {
  const Place place{"record", number};
  HARNESSG_ASSIGN(const Json object, parse_object(line, place));
  HARNESSG_ASSIGN(const DataSetForm form, data_set_form(object, place));
  return event_record(object, form, place);
}

Result<std::vector<EventRecord>> records_of(const Lines& lines) {
  std::vector<EventRecord> records;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    HARNESSG_ASSIGN(EventRecord record, record_of(lines[i], i));
    records.push_back(std::move(record));
  }
  return records;
}

// {"events": [...]} or {"failure": {...}}.
std::string parse(const std::string& output, const std::optional<Lines>& schemas, bool keep_unknown) {
  return compute([&]() -> Result<std::string> {
    SchemaSet set;
    if (schemas) {
      HARNESSG_ASSIGN(set, schemas_of(*schemas));
    }
    const auto parsed = parse_output(output, {.schemas = schemas ? &set : nullptr, .keep_unknown = keep_unknown});
    const Json object =
        parsed ? Json{{"events", extraction_json(*parsed)}} : Json{{"failure", failure_json(parsed.error())}};
    return object.dump();
  });
}

std::string gold_output(const std::string& record, const Lines& schemas) {
  return compute([&]() -> Result<std::string> {
    HARNESSG_ASSIGN(const SchemaSet set, schemas_of(schemas));
    HARNESSG_ASSIGN(const EventRecord read, record_of(record, 0));
    return format_output(extraction_of(read.events), set);
  });
}

Lines read_records(const std::filesystem::path& file) {
  return compute([&]() -> Result<Lines> {
    HARNESSG_ASSIGN(const std::vector<EventRecord> records, read_event_records(file));
    Lines lines;
    for (const EventRecord& record : records) lines.push_back(event_record_json(record));
    return lines;
  });
}

Lines make_schemas(const Lines& records) {
  return compute([&]() -> Result<Lines> {
    HARNESSG_ASSIGN(const std::vector<EventRecord> read, records_of(records));
    HARNESSG_ASSIGN(const SchemaSet set, SchemaSet::of_records(read));
    Lines lines;
    for (const EventSchema& schema : set.schemas()) lines.push_back(schema_json(schema));
    return lines;
  });
}

Result<SchemaDraw> draw_of(const std::string& name) {
  if (name == "rollout") return SchemaDraw::kPerRollout;
  if (name == "group") return SchemaDraw::kPerGroup;
  if (name == "all") return SchemaDraw::kAll;
  return fail(ErrorCode::kInvalidArgument, "draw is \"rollout\", \"group\" or \"all\", not \"{}\"", name);
}

// A prompt a rollout.
Lines prompts(const std::string& record, const Lines& schemas, std::size_t rollouts, const std::string& draw,
              std::size_t negatives, std::uint64_t seed, const std::string& instruction) {
  return compute([&]() -> Result<Lines> {
    HARNESSG_ASSIGN(const SchemaSet set, schemas_of(schemas));
    HARNESSG_ASSIGN(const EventRecord read, record_of(record, 0));
    PromptOptions options;
    HARNESSG_ASSIGN(options.draw, draw_of(draw));
    options.negatives = negatives;
    options.seed = seed;
    options.instruction = instruction;
    Lines all;
    for (std::size_t i = 0; i < rollouts; ++i) {
      HARNESSG_ASSIGN(std::string prompt, rollout_prompt(read, set, i, options));
      all.push_back(std::move(prompt));
    }
    return all;
  });
}

Result<std::vector<TexteeWindow>> windows_of(const Lines& lines, const char* what, TokenOffsets& offsets) {
  std::vector<TexteeWindow> windows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Place place{what, i};
    HARNESSG_ASSIGN(const Json object, parse_object(lines[i], place));
    HARNESSG_ASSIGN(TexteeWindow window, textee_window(object, offsets, place));
    windows.push_back(std::move(window));
  }
  return windows;
}

std::string textee(const Lines& gold, const Lines& predicted, bool arguments_only) {
  return compute([&]() -> Result<std::string> {
    TokenOffsets offsets;
    HARNESSG_ASSIGN(const std::vector<TexteeWindow> wanted, windows_of(gold, "gold", offsets));
    HARNESSG_ASSIGN(const std::vector<TexteeWindow> given, windows_of(predicted, "predicted", offsets));
    HARNESSG_ASSIGN(const MeasureCounts counts,
                    arguments_only ? score_arguments(wanted, given) : score_events(wanted, given));
    return measures_json(counts).dump();
  });
}

}  // namespace

void add_eager(py::module_& module) {
  module.def("eager_parse", &parse, py::arg("output"), py::arg("schemas"), py::arg("keep_unknown"));
  module.def("eager_gold_output", &gold_output, py::arg("record"), py::arg("schemas"));
  module.def("eager_records", &read_records, py::arg("file"));
  module.def("eager_schemas", &make_schemas, py::arg("records"));
  module.def("eager_prompts", &prompts, py::arg("record"), py::arg("schemas"), py::arg("rollouts"), py::arg("draw"),
             py::arg("negatives"), py::arg("seed"), py::arg("instruction"));
  module.def("eager_textee", &textee, py::arg("gold"), py::arg("predicted"), py::arg("arguments_only"));
}

}  // namespace harnessg::python
