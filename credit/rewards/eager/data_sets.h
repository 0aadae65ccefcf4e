// Event extraction sets, from their public files to one form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "credit/rewards/eager/events.h"
#include "data/json_records.h"
#include "data/result.h"

namespace harnessg::eager {

enum class DataSetForm : std::uint8_t {
  kOwn,   // {"id", "text", "events": [{"type", "trigger": {"text", "start", "end"}, "arguments": [{"role", "text",
          // "start", "end"}]}]}; start and end in code points, both or neither
  kPhee,  // ZhaoyueSun/PHEE, data/json
  kWikiEvents,  // raspberryice/gen-arg, data/wikievents
  kTextEe,      // ej0cl6/TextEE's conversions: CASIE, GENIA2011, GENIA2013, MLEE, M2E2 and others
  kCasie,       // Ebiquity/CASIE, data/annotation
  kM2e2,        // M2E2's text_only_event.json
};

// What the object is a record of, by its keys; kBadInput when it is none of them.
Result<DataSetForm> data_set_form(const Json& object, const Place& place);

// One record. kBadInput with the place and the key that is missing or wrong.
//
// PHEE: roles are "Effect", "Treatment", "Treatment.Drug", ..., "Treatment.Combination.Drug"; the word that marks a
// modifier ("Negated", "Speculated", "Severity") and a combination's trigger are arguments of these names.
// WikiEvents: the text is the sentences at their own offsets, one character apart; arguments are the entities'
// mentions. TextEE: token offsets, the tokens as they follow each other in the text (which is their join by spaces when
// absent); M2E2 likewise. CASIE: types are "Attack:Databreach". A mention in several pieces is the pieces joined by a
// space, without a span.
Result<EventRecord> event_record(const Json& object, DataSetForm form, const Place& place);

// Every record of a file: JSON lines or one list, .gz and .zst too, each of a form of its own; or the documents of a
// folder, see read_event_folder: GENIA2011, GENIA2013, MLEE, CASIE. The first error ends it.
Result<std::vector<EventRecord>> read_event_records(const std::filesystem::path& path);

// In the own form, one line.
std::string event_record_json(const EventRecord& record);

}  // namespace harnessg::eager
