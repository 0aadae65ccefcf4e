// walk_bench INDEX CORPUS QUESTIONS EPISODES NAME
// Seeded random episodes on a real index: every action of every state is previewed and stepped on a clone. Also: every
// paragraph of the corpus stands in the graph and its sentences give it back up to white space.
#include <chrono>
#include <cstdlib>
#include <map>

#include "bench/figure.h"
#include "data/corpus.h"
#include "data/questions.h"
#include "data/splitmix.h"
#include "data/text.h"
#include "engine/environment.h"

namespace {

using namespace harnessg;

template <class Value>
Value value_or_exit(Result<Value> result) {
  if (!result) {
    fmt::print(stderr, "walk_bench: {}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

struct WalkCounts {
  std::uint64_t states = 0;
  std::uint64_t previews = 0;
  std::uint64_t unequal = 0;
  std::uint64_t changed_hashes = 0;
  std::uint64_t steps = 0;
};

void check_state(const Environment& environment, const Episode& episode, WalkCounts& counts) {
  ++counts.states;
  if (episode.over()) return;
  const std::uint64_t before = episode.hash();
  const auto foreseen = value_or_exit(environment.preview_all(episode));
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    Episode twin = episode;
    ++counts.previews;
    counts.unequal += value_or_exit(environment.step(twin, i)) == foreseen[i] ? 0 : 1;
  }
  counts.changed_hashes += episode.hash() == before ? 0 : 1;
}

WalkCounts walk(const Environment& environment, const std::vector<QuestionRecord>& questions, std::uint64_t episodes) {
  WalkCounts counts;
  for (std::uint64_t n = 0; n < episodes; ++n) {
    SplitMix bits(n);
    const QuestionRecord& question = questions[n % questions.size()];
    Episode episode = value_or_exit(environment.reset({question.question, question.answers, question.id, n}));
    check_state(environment, episode, counts);
    while (!episode.over()) {
      value_or_exit(environment.step(episode, bits.next() % episode.menu().size()));
      ++counts.steps;
      check_state(environment, episode, counts);
    }
  }
  return counts;
}

std::string without_space(std::string_view text) {
  std::string out;
  for (const std::string_view word : split_words(text)) out += word;
  return out;
}

// Paragraphs of the corpus that the graph lacks or whose sentences do not add up to their text.
std::pair<std::uint64_t, std::uint64_t> check_texts(const Graph& graph, const char* corpus) {
  std::map<std::pair<std::string, std::string>, bool> paragraphs;
  for (std::uint32_t p = 0; p < graph.paragraph_count(); ++p) {
    std::string joined;
    for (std::uint32_t s = index(graph.first_sentence(ParagraphId{p})); s < index(graph.end_sentence(ParagraphId{p}));
         ++s) {
      joined += without_space(graph.text(SentenceId{s}));
    }
    paragraphs.emplace(std::pair(std::string(graph.title(ParagraphId{p})), std::move(joined)), true);
  }
  auto reader = value_or_exit(CorpusReader::open({corpus}, {}));
  std::uint64_t records = 0;
  std::uint64_t lost = 0;
  while (auto record = value_or_exit(reader->next())) {
    ++records;
    lost += paragraphs.contains({record->title, without_space(record->text)}) ? 0 : 1;
  }
  return {records, lost};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    fmt::print(stderr, "usage: walk_bench INDEX CORPUS QUESTIONS EPISODES NAME\n");
    return 2;
  }
  const std::string name = argv[5];
  const auto index = value_or_exit(Index::open(argv[1]));
  const auto questions = value_or_exit(read_questions(argv[3]));
  const auto environment = value_or_exit(Environment::create(index, {}, nullptr));

  const auto [records, lost] = check_texts(index->graph(), argv[2]);
  bench::print_figure("paragraphs_not_given_back_" + name, lost, fmt::format("of {}", records), "0", lost == 0);

  const auto begin = std::chrono::steady_clock::now();
  const WalkCounts counts = walk(*environment, questions, std::strtoull(argv[4], nullptr, 10));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  bench::print_figure("preview_unequal_step_" + name, counts.unequal, fmt::format("of {}", counts.previews), "0",
                      counts.unequal == 0 && counts.previews > 0);
  bench::print_figure("preview_changed_episode_" + name, counts.changed_hashes, fmt::format("of {}", counts.states),
                      "0", counts.changed_hashes == 0);
  fmt::print(stderr, "{} episodes, {} states, {} steps, {} previews and as many steps on clones in {:.1f} s\n", argv[4],
             counts.states, counts.steps, counts.previews, seconds);
  return 0;
}
