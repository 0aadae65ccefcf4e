// Rules about entity names that the builder (what becomes an entity) and the menu (what may be looked up) share.
#pragma once

#include <string_view>

#include "data/label.h"

namespace harnessg {

// Dropped as no entity (spec 1, section 2): digits only, one character, a double quote inside, "Firstname X" with one
// trailing letter, no letter and no digit. Titles are exempt: the caller does not ask for them; nor for blank surfaces,
// which are no mentions (answered with false, as the release does).
bool is_junk_entity(std::string_view surface, Label label);

// Whether an entity may be the target of a lookup, by its first surface form and its label (spec 1, sections 4
// and 11.3): not DATE, TIME, CARDINAL, ORDINAL, QUANTITY, PERCENT, MONEY, NORP, junk, nor a bare nationality adjective.
bool is_lookup_target(std::string_view first_surface, Label label);

}  // namespace harnessg
