// The word lists of the built-in recogniser: what a word, written in small letters, says about the words beside it.
#pragma once

#include <cstdint>
#include <string_view>

namespace harnessg {

enum WordClass : std::uint32_t {
  kFunctionWord = 1u << 0,  // never a name by itself: "the", "he", "in"
  kOpenerWord = 1u << 1,    // no name when it stands alone at a sentence's head: "former", "located"
  kParticleWord = 1u << 2,  // joins capitalised words: "of", "de", "van"
  kMonthWord = 1u << 3,
  kWeekdayWord = 1u << 4,
  kNationality = 1u << 5,  // "american"
  kHonorific = 1u << 6,    // stands before a person and is left out of the name: "mr", "president"
  kRegalTitle = 1u << 7,   // stands before a person and belongs to the name: "queen", "pope"
  kRoleWord = 1u << 8,     // in small letters, tells of a person: "actor", "daughter"
  kOrgWord = 1u << 9,      // "university", "ltd"
  kGpeWord = 1u << 10,     // "county", "republic"
  kLocWord = 1u << 11,     // "river", "mount"
  kFacWord = 1u << 12,     // "bridge", "airport"
  kEventWord = 1u << 13,   // "war", "olympics"
  kPlaceName = 1u << 14,   // a country or a state of one word
  kContinent = 1u << 15,
  kNumberWord = 1u << 16,     // "two", "hundred"
  kOrdinalWord = 1u << 17,    // "first"
  kMagnitude = 1u << 18,      // "million"
  kUnitWord = 1u << 19,       // "km", "miles"
  kCurrencyWord = 1u << 20,   // "dollars"
  kPeriodWord = 1u << 21,     // "years"
  kClockWord = 1u << 22,      // "hours"
  kAwardWord = 1u << 23,      // joins "for" and "in": "prize for literature"
  kDottedWord = 1u << 24,     // an abbreviation that keeps its full stop: "st", "dr", "jr"
  kSuffixWord = 1u << 25,     // "jr", "sr"
  kMakerVerb = 1u << 26,      // "directed (by)", "starring"
  kPlainAcronym = 1u << 27,   // capitals that name nothing by themselves: "EP", "BC"
  kOfficeTitle = 1u << 28,    // an honorific that also ends what stands before it: "NHL Commissioner Gary Bettman"
  kDirectionWord = 1u << 29,  // begins names of peoples: "south korean", "sri lankan"
};

// The WordClass bits of a word in small ASCII letters, 0 when it is in no list.
std::uint32_t word_classes(std::string_view lower);

// The length of the longest listed word; longer words need not be looked up.
constexpr std::size_t kLongestListedWord = 20;

}  // namespace harnessg
