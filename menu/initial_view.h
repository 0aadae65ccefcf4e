// The first view: three rankings of sentences, fused (spec 1, section 3, INIT).
#pragma once

#include <span>
#include <vector>

#include "menu/menu.h"

namespace harnessg {

// One ranking each, best first, cut at config.list_length; and what was ranked on the way.
struct FirstViewLists {
  std::vector<Scored> paragraphs;           // config.paragraphs_ranked of them
  std::vector<Scored> entities;             // max(first_view_entities, nearest_entities) of them
  std::vector<Scored> paragraph_sentences;  // list 1
  std::vector<Scored> global_sentences;     // list 2
  std::vector<Scored> entity_sentences;     // list 3, by sentence score + entity_weight x best entity score
};

FirstViewLists first_view_lists(const World& world, const Query& question);
// Of several questions, faster together than one by one.
std::vector<FirstViewLists> first_view_lists(const World& world, std::span<const Query* const> questions);

// Reciprocal rank fusion, sum of 1 / (fusion_constant + rank), ranks from 1; compared as exact fractions; ties: smaller
// id first. At most config.visible_sentences.
View fuse(const Config& config, const FirstViewLists& lists);

// `leads` in front, then the fused view without them; at most config.visible_sentences. A sentence that both hold has
// the sources of both.
View led_by(const Config& config, View leads, const View& fused);

}  // namespace harnessg
