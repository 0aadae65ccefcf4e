#include "engine/episode.h"

#include <xxhash.h>

#include "engine/saved_episode.h"

namespace harnessg {

bool operator==(const Episode& a, const Episode& b) {
  return a.state_ == b.state_ && a.answered_ == b.answered_ && a.answer_ == b.answer_ && a.seed_ == b.seed_ &&
         a.question_->text == b.question_->text && a.question_->answers == b.question_->answers &&
         a.question_->id == b.question_->id && a.world_->index_hash == b.world_->index_hash &&
         a.world_->rules_hash == b.world_->rules_hash;
}

std::uint64_t Episode::hash() const {
  const std::string bytes = save();
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string Episode::save() const {
  return write_saved_episode({std::string(index_hash()), rules_hash(), question_->id, question_->text,
                              question_->answers, seed_, answered_, answer_, state_});
}

}  // namespace harnessg
