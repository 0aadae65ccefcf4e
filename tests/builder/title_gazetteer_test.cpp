#include "builder/title_gazetteer.h"

#include <doctest/doctest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "builder/build.h"
#include "builder/title_names.h"
#include "data/entity_text.h"
#include "data/text.h"
#include "tests/builder/record_list.h"

using namespace harnessg;

namespace {

using Names = std::vector<std::string>;

struct Page {
  std::string title;
  std::string text;
};

BuiltContent build(const std::vector<Page>& pages, std::optional<bool> gazetteer = true) {
  std::vector<CorpusRecord> records;
  for (const Page& page : pages) records.push_back(record(std::to_string(records.size()), page.title, page.text));
  RecordList corpus(std::move(records));
  BuildSettings settings;
  settings.title_gazetteer = gazetteer;
  auto built = build_content(corpus, nullptr, settings, nullptr);
  REQUIRE_MESSAGE(built, built.error().message);
  return std::move(*built);
}

// "title < text as it stands" for what is found in the first page, where the titles of the others are looked for.
Names found_in_first(const std::vector<Page>& pages) {
  const BuiltContent built = build(pages, false);
  const GraphTables& tables = built.content.graph.tables();
  Names found;
  for (const TitleOccurrence& occurrence : find_titles(tables)) {
    if (occurrence.sentence >= tables.sentence_ends[0]) continue;
    const std::uint32_t begin = tables.text_begins[occurrence.sentence] + occurrence.begin;
    found.push_back(std::string(tables.titles[occurrence.paragraph]) + " < " +
                    std::string(tables.texts[0].substr(begin, occurrence.end - occurrence.begin)));
  }
  return found;
}

// What is found in a text of a title of its own.
Names found(const std::string& text, const Names& titles, const std::string& own = "Xyzzy plugh") {
  std::vector<Page> pages = {{own, text}};
  for (const std::string& title : titles) pages.push_back({title, "nothing to see here."});
  return found_in_first(pages);
}

}  // namespace

TEST_CASE("A title's name is what stands before its bracketed qualifier") {
  CHECK(title_name("Solaris (1972 film)") == "Solaris");
  CHECK(title_qualifier("Solaris (1972 film)") == "1972 film");
  CHECK(title_name("Paris, Texas") == "Paris, Texas");
  CHECK(title_qualifier("Paris, Texas").empty());
  CHECK(title_name("(500) Days of Summer") == "(500) Days of Summer");
  CHECK(title_name("(I Can't Get No) Satisfaction (song)") == "(I Can't Get No) Satisfaction");
  CHECK(title_qualifier("(I Can't Get No) Satisfaction (song)") == "song");
  CHECK(title_name("(bracketed)") == "(bracketed)");
  CHECK(title_qualifier("(bracketed)").empty());
  CHECK(title_name("").empty());
}

TEST_CASE("The longest title counts, from left to right, and what is inside it does not") {
  CHECK(found("He taught at New York University in New York.", {"New York", "New York University", "York"}) ==
        Names{"New York University < New York University", "New York < New York"});
}

TEST_CASE("A title is found in whole words only") {
  CHECK(found("The Romanovs and Roma met an Anglo-Roma in Roma.", {"Roma", "Roman"}) ==
        Names{"Roma < Roma", "Roma < Roma"});
  CHECK(found("The Maputo-based firm, Maputo's oldest, left pro-Maputo papers.", {"Maputo"}).size() == 3);
  CHECK(found("Baden-Vöslau was not meant, nor O'Baden.", {"Baden", "Vöslau"}).empty());
}

TEST_CASE("Words are compared by Unicode case folding, and a capital of the title must be one of the text") {
  CHECK(found("They saw ÉMILE ZOLA and Émile Zola but no émile zola.", {"Émile Zola"}) ==
        Names{"Émile Zola < ÉMILE ZOLA", "Émile Zola < Émile Zola"});
  CHECK(found("It is a NATO Summit, not a Nato Summit.", {"NATO Summit"}) == Names{"NATO Summit < NATO Summit"});
  CHECK(found("A film about the town and The Town.", {"The Town"}) == Names{"The Town < The Town"});
}

TEST_CASE("The first word's capital is asked for too, and a title in small letters is found in any") {
  CHECK(found("Into a black hole they fell. Black hole it was.", {"Black hole"}) == Names{"Black hole < Black hole"});
  CHECK(found("Into a black hole they fell. Black hole it was.", {"black hole"}).size() == 2);
  CHECK(found("An area 51 miles wide is no Area 51.", {"Area 51"}) == Names{"Area 51 < Area 51"});
}

TEST_CASE("A comma between two words is the title's or none") {
  CHECK(found("He went to Paris, Texas, by Paris Texas and Kiev, Perm.", {"Paris, Texas", "Kiev Perm"}) ==
        Names{"Paris, Texas < Paris, Texas", "Paris, Texas < Paris Texas"});
}

TEST_CASE("One word among capitalised words is no title, save behind an office or a role") {
  CHECK(found("Then Paris Hilton, Sir Paris and Mount Paris saw Paris.", {"Paris"}).size() == 2);
  CHECK(found("Her father was King Oswiu of Northumbria.", {"Oswiu"}) == Names{"Oswiu < Oswiu"});
}

TEST_CASE("Months, weekdays, nationalities, function words, numbers and single letters are no names") {
  CHECK(found("On May 3 a German told X and Who that 1984 and Monday passed.",
              {"May", "German", "X", "Who", "1984", "Monday", "May (film)", "1984 (novel)"})
            .empty());
  CHECK(found("On May 3 the WHO met.", {"WHO", "May"}) == Names{"WHO < WHO"});
}

TEST_CASE("A common word is one that the corpus writes small") {
  const std::string talk = "They like Gravity very much. So gravity pulls.";
  CHECK(found(talk, {"Gravity"}).empty());
  CHECK(found("They like Gravity very much. So it pulls.", {"Gravity"}) == Names{"Gravity < Gravity"});
  // One small among five capitals is no habit.
  const std::string often = "We saw Gravity and Gravity and Gravity and Gravity and Gravity, as gravity pulls.";
  CHECK(found(often, {"Gravity"}).size() == 5);
  // A capital at a clause's head is not counted, as any word has it there.
  CHECK(found("Gravity pulls: Gravity, and gravity.", {"Gravity"}).empty());
}

TEST_CASE("A title of one word with a qualifier is meant where the qualifier's words are found in the paragraph") {
  const Names titles = {"Creed (band)"};
  CHECK(found("He was the singer of the band Creed.", titles) == Names{"Creed (band) < Creed"});
  CHECK(found("He fought bands. A creed is small, but Creed is here.", titles) == Names{"Creed (band) < Creed"});
  CHECK(found("They follow Creed and his kin.", titles).empty());
  CHECK(found("A creed is small. Creed is a band.", titles).empty());  // a common word at a sentence's head
  CHECK(found("It was directed by Bhaskar.", {"Bhaskar (director)"}) == Names{"Bhaskar (director) < Bhaskar"});
}

TEST_CASE("Of namesakes the supported ones are meant, and all where none is supported") {
  const Names titles = {"London Road (film)", "London Road (musical)", "London Road (stadium)"};
  CHECK(found("He saw the musical London Road.", titles) == Names{"London Road (musical) < London Road"});
  CHECK(found("They went to London Road again.", titles).size() == 3);
  CHECK(found("The film is about London Road.", {"London Road (film)", "London Road"}).size() == 2);
  CHECK(found("In The Battle of old.", {"The Battle (song)"}).empty());
  CHECK(found("The Old London Road Bridge fell.", titles).empty());
  CHECK(found("They went to London Road.",
              {"London Road (a1)", "London Road (a2)", "London Road (a3)", "London Road (a4)", "London Road (a5)"})
            .size() == 4);
}

TEST_CASE("A paragraph's own title is not found in it, nor a namesake that nothing supports") {
  const Names titles = {"Stone Alien (soundtrack)"};
  CHECK(found("Everybody saw Stone Alien that year.", titles, "Stone Alien (film)").empty());
  CHECK(found("The soundtrack of Stone Alien sold well.", titles, "Stone Alien (film)") ==
        Names{"Stone Alien (soundtrack) < Stone Alien"});
  CHECK(found("Everybody saw Stone Alien that year.", {}, "Stone Alien").empty());
}

TEST_CASE("Titles are found in scripts without case and without spaces") {
  CHECK(found("他住在東京都。", {"東京"}) == Names{"東京 < 東京"});
  CHECK(found("その本はカラマーゾフの兄弟である。", {"カラマーゾフの兄弟"}) ==
        Names{"カラマーゾフの兄弟 < カラマーゾフの兄弟"});
  CHECK(found("วัดนี้อยู่ในเชียงใหม่ใช่ไหม", {"เชียงใหม่"}) == Names{"เชียงใหม่ < เชียงใหม่"});
  CHECK(found("Он жил в Нижнем Новгороде и видел Нижний Новгород.", {"Нижний Новгород"}) ==
        Names{"Нижний Новгород < Нижний Новгород"});
  CHECK(found("سافر إلى القاهرة أمس.", {"القاهرة"}) == Names{"القاهرة < القاهرة"});
}

TEST_CASE("A word of a script without case that stands in many sentences is common") {
  std::string text;
  for (int i = 0; i < 11; ++i) text += "هذا كتاب جديد. ";
  CHECK(found(text, {"كتاب"}).empty());
}

TEST_CASE("The gazetteer adds mentions and forms, but changes no number, name or label of an entity") {
  const std::vector<Page> pages = {
      {"Vertigo (film)", "Vertigo is a 1958 film by Alfred Hitchcock. It ran in Ealing."},
      {"Ealing", "Ealing is in London. He saw the film Vertigo twice, a black hole and a Black hole."},
      {"black hole", "A hole is dark. The film Vertigo is not."}};
  const BuiltContent with = build(pages), without = build(pages, false);
  const Graph& graph = with.content.graph;
  REQUIRE(graph.entity_count() == without.content.graph.entity_count());
  for (std::uint32_t e = 0; e < graph.entity_count(); ++e) {
    CHECK(graph.canonical(EntityId{e}) == without.content.graph.canonical(EntityId{e}));
    CHECK(graph.label(EntityId{e}) == without.content.graph.label(EntityId{e}));
    CHECK(graph.surface(EntityId{e}) == without.content.graph.surface(EntityId{e}));
    for (std::uint32_t f = 0; f < graph.surface_count(EntityId{e}); ++f)
      CHECK(identity_key(graph.surface(EntityId{e}, f)) == identity_key(graph.canonical(EntityId{e})));
  }
  const EntityId film = graph.title_entity(ParagraphId{0});
  CHECK(graph.canonical(film) == "vertigo (film");
  CHECK(graph.mentions(SentenceId{3}, film));
  CHECK(graph.mentions(SentenceId{5}, film));
  CHECK_FALSE(graph.mentions(SentenceId{1}, film));
  const EntityId hole = graph.title_entity(ParagraphId{2});
  CHECK(graph.mentions(SentenceId{3}, hole));
  CHECK(graph.surface_count(hole) == 2);
  CHECK(graph.surface(hole, 1) == "Black hole");
  // What was recognised comes first in a sentence's row, then the titles by position.
  const auto row = graph.entities(SentenceId{3});
  REQUIRE(row.size() >= 2);
  CHECK(row[row.size() - 2] == film);
  CHECK(row[row.size() - 1] == hole);
  CHECK(with.report.counts.at("mentions") == without.report.counts.at("mentions") + 4);
}

TEST_CASE("The gazetteer is on with the built-in rules and off with given mentions, unless it is asked for") {
  const std::vector<CorpusRecord> records = {record("a", "Ealing", "nobody lives in Perivale now."),
                                             record("b", "Perivale", "nobody lives here.")};
  const auto mentions_of = [&](bool given, std::optional<bool> asked) {
    RecordList corpus(records);
    MentionList rows({mention("a", 0, "nobody")});
    BuildSettings settings;
    settings.title_gazetteer = asked;
    const auto built = build_content(corpus, given ? &rows : nullptr, settings, nullptr);
    REQUIRE_MESSAGE(built, built.error().message);
    const Graph& graph = built->content.graph;
    const bool on = built->manifest.settings.at("title_gazetteer") == "on";
    CHECK(on == asked.value_or(!given));
    if (given) CHECK(graph.mentions(SentenceId{0}, graph.title_entity(ParagraphId{1})) == on);
  };
  for (const bool given : {false, true}) {
    for (const std::optional<bool> asked : {std::optional<bool>(), std::optional(false), std::optional(true)})
      mentions_of(given, asked);
  }
}

TEST_CASE("Any number of threads finds the same titles") {
  std::vector<Page> pages;
  for (int i = 0; i < 600; ++i) {
    const std::string next = "Name" + std::string(1, static_cast<char>('a' + i % 23)) + " Second";
    pages.push_back({next + (i % 3 == 0 ? "" : " (kind " + std::to_string(i % 7) + ")"),
                     "They met Namea Second and " + next + ". A kind word helped Gravity " +
                         (i % 2 == 0 ? "and gravity." : "and Gravity.")});
  }
  pages.push_back({"Gravity", "All of it."});
  const BuiltContent built = build(pages, false);
  std::vector<std::vector<TitleOccurrence>> found;
  for (const std::size_t threads : {1u, 2u, 7u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    found.push_back(find_titles(built.content.graph.tables()));
  }
  CHECK(found[0].size() > 600);
  CHECK(found[0] == found[1]);
  CHECK(found[0] == found[2]);
}
