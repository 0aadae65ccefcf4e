#include "credit/selfplay/chain.h"

#include <fmt/format.h>

#include <algorithm>

namespace harnessg::selfplay {
namespace {

struct Step {
  EntityId link{};
  SentenceId sentence{};
};

bool visited(const Graph& graph, const Chain& chain, SentenceId sentence) {
  return std::any_of(chain.sentences.begin(), chain.sentences.end(),
                     [&](SentenceId s) { return graph.paragraph(s) == graph.paragraph(sentence); });
}

std::vector<Step> steps_from(const Graph& graph, const Chain& chain, std::span<const SentenceId> retrieved) {
  std::vector<Step> near;
  std::vector<Step> all;
  for (const EntityId entity : graph.entities(chain.sentences.back())) {
    if (std::find(chain.links.begin(), chain.links.end(), entity) != chain.links.end()) continue;
    for (const SentenceId sentence : graph.sentences(entity)) {
      if (visited(graph, chain, sentence)) continue;
      all.push_back({entity, sentence});
      if (std::find(retrieved.begin(), retrieved.end(), sentence) != retrieved.end()) near.push_back(all.back());
    }
  }
  return near.empty() ? all : near;
}

std::string name_of(const Graph& graph, SentenceId sentence) {
  return std::string(graph.title(graph.paragraph(sentence)));
}

}  // namespace

Chain draw_chain(const Graph& graph, ParagraphId source, std::span<const SentenceId> retrieved, std::size_t hops,
                 SplitMix& bits) {
  const std::uint32_t first = index(graph.first_sentence(source));
  const std::uint32_t count = index(graph.end_sentence(source)) - first;
  Chain chain{{SentenceId{first + static_cast<std::uint32_t>(bits.next() % count)}}, {}};
  while (chain.links.size() < hops) {
    const std::vector<Step> steps = steps_from(graph, chain, retrieved);
    if (steps.empty()) break;
    const Step& step = steps[bits.next() % steps.size()];
    chain.links.push_back(step.link);
    chain.sentences.push_back(step.sentence);
  }
  return chain;
}

std::string chain_text(const Graph& graph, const Chain& chain) {
  std::string text = fmt::format("<from>{}</from>\n", name_of(graph, chain.sentences.front()));
  for (const EntityId link : chain.links) text += fmt::format("<link>{}</link>\n", graph.surface(link));
  text += fmt::format("<to>{}</to>\n", name_of(graph, chain.sentences.back()));
  for (const SentenceId s : chain.sentences) text += fmt::format("<fact>{}</fact>\n", graph.text(s));
  return text;
}

}  // namespace harnessg::selfplay
