#include <nlohmann/json.hpp>

#include "bench/report.h"

namespace harnessg::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n'; }

Json gaps_of(const std::vector<LeftOut>& left_out) {
  Json list = Json::array();
  for (const LeftOut& one : left_out)
    list.push_back({{"id", one.id}, {"reason", gap_name(one.gap)}, {"what", one.what}});
  return list;
}

}  // namespace

std::string report_json(const Report& report) {
  Json json{{"report_version", 1},
            {"measured", Json::parse(report.description)},
            {"bootstrap", {{"resamples", kResamples}, {"level", kLevel}, {"over", "questions"}}},
            {"questions", report.asked},
            {"gold_not_in_corpus", gaps_of(report.left_out)},
            {"figures", Json::array()},
            {"misses", report.misses},
            {"checkpoints", report.series},
            {"definitions", Json::object()}};
  for (const Figure& figure : report.figures) {
    json["figures"].push_back({{"name", figure.name},
                               {"value", figure.value},
                               {"low", figure.low},
                               {"high", figure.high},
                               {"questions", figure.questions}});
  }
  for (const SectionTable& table : section_tables(report.figures, report.subjects))
    for (const std::string& column : table.columns)
      json["definitions"][table.section + "/" + column] = meaning_of(table.section, column);
  return text_of(json);
}

std::string differences_json(std::string_view description_a, std::string_view description_b,
                             std::span<const Difference> differences) {
  Json json{{"a", Json::parse(description_a)},
            {"b", Json::parse(description_b)},
            {"bootstrap", {{"resamples", kResamples}, {"level", kLevel}, {"over", "questions"}}},
            {"differences", Json::array()}};
  for (const Difference& d : differences) {
    json["differences"].push_back({{"name", d.name},
                                   {"a", d.a},
                                   {"b", d.b},
                                   {"difference", d.b - d.a},
                                   {"low", d.low},
                                   {"high", d.high},
                                   {"better", d.better},
                                   {"worse", d.worse},
                                   {"questions", d.questions}});
  }
  return text_of(json);
}

}  // namespace harnessg::bench
