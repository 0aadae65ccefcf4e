// A hand-made corpus in which the way to every paragraph can be read off: Alpha - Bravo - Charlie - Delta, each named
// by the sentence before it; one paragraph that nothing names, one without anything to look up.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/gold.h"
#include "builder/build.h"
#include "data/index.h"
#include "engine/environment.h"
#include "tests/builder/record_list.h"

namespace harnessg::bench {

// Paragraph n is sentence n. The question's one word is "Alpha", so that the first view is sentence 0.
enum ChainParagraph : std::uint32_t { kAlpha, kBravo, kCharlie, kDelta, kUnnamed, kBare };

inline std::shared_ptr<const Index> chain_index() {
  static const auto index = [] {
    RecordList corpus({record("a", "Alpha", "Alpha knew Bravo."), record("b", "Bravo", "Bravo wed Charlie."),
                       record("c", "Charlie", "Charlie met Delta."), record("d", "Delta", "Delta slept."),
                       record("e", "Echo", "Echo rang."), record("f", "", "It rained.")});
    MentionList mentions({mention("a", 0, "Alpha"), mention("a", 0, "Bravo"), mention("b", 0, "Bravo"),
                          mention("b", 0, "Charlie"), mention("c", 0, "Charlie"), mention("c", 0, "Delta"),
                          mention("d", 0, "Delta"), mention("e", 0, "Echo")});
    auto built = build_content(corpus, &mentions, BuildSettings{}, nullptr);
    REQUIRE_MESSAGE(built.has_value(), built.error().message);
    return Index::in_memory(std::move(built->content), std::move(built->manifest));
  }();
  return index;
}

inline Task chain_task() { return {"Alpha", {"Charlie"}, "chain", 0}; }

inline std::unique_ptr<Environment> chain_environment(std::vector<std::pair<std::string, std::string>> settings = {}) {
  EnvironmentOptions options;
  settings.emplace(settings.begin(), "visible_sentences", "2");
  for (const auto& [name, value] : settings) REQUIRE(set_field(options.config, name, value).has_value());
  auto environment = Environment::create(chain_index(), options, nullptr);
  REQUIRE_MESSAGE(environment.has_value(), environment.error().message);
  return std::move(*environment);
}

inline Gold chain_gold(std::vector<ParagraphId> paragraphs, std::vector<SentenceId> answer = {}) {
  auto gold = Gold::create(chain_index()->graph(), paragraphs, {}, answer);
  REQUIRE_MESSAGE(gold.has_value(), gold.error().message);
  return std::move(*gold);
}

}  // namespace harnessg::bench
