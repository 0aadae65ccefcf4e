#include "credit/rewards/eager/judgement_json.h"

namespace harnessg::eager {

Json measures_json(const MeasureCounts& counts) {
  Json all = Json::object();
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const Counts& count = counts[i];
    all[std::string(kMeasureNames[i])] = {{"predicted", count.predicted}, {"gold", count.gold},
                                          {"matched", count.matched},     {"precision", count.precision()},
                                          {"recall", count.recall()},     {"f1", count.f1()}};
  }
  return all;
}

Json failure_json(const ParseFailure& failure) {
  return {{"kind", failure_name(failure.kind)},
          {"offset", failure.offset},
          {"line", failure.line},
          {"column", failure.column},
          {"message", failure.message}};
}

Json extraction_json(const Extraction& events) {
  Json list = Json::array();
  for (const ExtractedEvent& event : events) {
    Json arguments = Json::array();
    for (const ExtractedArgument& argument : event.arguments) {
      arguments.push_back({{"role", argument.role}, {"text", argument.text}});
    }
    list.push_back({{"type", event.type},
                    {"mention", event.mention},
                    {"in_schema", event.in_schema},
                    {"arguments", std::move(arguments)}});
  }
  return list;
}

Json judgement_json(const Judgement& judgement) {
  Json object{{"events", judgement.events},
              {"arguments", judgement.arguments},
              {"empty_instances", judgement.empty_instances},
              {"measures", measures_json(judgement.counts)}};
  if (judgement.failure) object["failure"] = failure_json(*judgement.failure);
  return object;
}

}  // namespace harnessg::eager
