// Word lists of the entity rules. Private to entity_text.cpp.
#pragma once

#include <array>
#include <string_view>

namespace harnessg {

// Adjectives of nations, peoples of states and continents, case-folded and sorted. The published release's list is
// incomplete. Words which its recorded rows and graphs show as lookup targets are left out, so that both agree: basque,
// chilean, colombian, cornish, cuban, czechoslovak, eritrean, estonian, ethiopian, flemish, georgian, ghanaian,
// guyanese, honduran, jordanian, kuwaiti, libyan, moldavian, moroccan, nepali, nigerian, persian, peruvian, philippine,
// somali, soviet, tibetan, yugoslav, and all of two words (south african). "europe", which its list holds, is a place
// and not in ours.
// clang-format off
inline constexpr std::array kNationalityAdjectives = std::to_array<std::string_view>({
    "afghan", "african", "albanian", "algerian", "american", "andorran", "angolan", "antarctic", "argentine",
    "argentinean", "argentinian", "armenian", "asian", "australian", "austrian", "azerbaijani", "bahamian", "bahraini",
    "bangladeshi", "barbadian", "belarusian", "belgian", "belizean", "beninese", "bhutanese", "bolivian", "bosnian",
    "brazilian", "british", "bruneian", "bulgarian", "burkinabe", "burmese", "burundian", "cambodian", "cameroonian",
    "canadian", "catalan", "chadian", "chinese", "congolese", "croatian", "cypriot", "czech", "danish", "djiboutian",
    "dutch", "ecuadorian", "egyptian", "emirati", "english", "european", "fijian", "filipino", "finnish", "french",
    "gabonese", "gambian", "german", "greek", "grenadian", "guatemalan", "guinean", "haitian", "hungarian", "icelandic",
    "indian", "indonesian", "iranian", "iraqi", "irish", "israeli", "italian", "ivorian", "jamaican", "japanese",
    "kazakh", "kenyan", "korean", "kosovan", "kyrgyz", "laotian", "latvian", "lebanese", "liberian", "liechtensteiner",
    "lithuanian", "luxembourgish", "macedonian", "malagasy", "malawian", "malaysian", "maldivian", "malian", "maltese",
    "mauritanian", "mauritian", "mexican", "micronesian", "moldovan", "mongolian", "montenegrin", "mozambican",
    "namibian", "nepalese", "nicaraguan", "nigerien", "norwegian", "omani", "pakistani", "palestinian", "panamanian",
    "paraguayan", "polish", "portuguese", "qatari", "romanian", "russian", "rwandan", "salvadoran",
    "samoan", "saudi", "scottish", "senegalese", "serbian", "singaporean", "slovak", "slovakian", "slovene",
    "slovenian", "spanish", "sudanese", "surinamese", "swazi", "swedish", "swiss", "syrian", "taiwanese", "tajik",
    "tanzanian", "thai", "timorese", "togolese", "tongan", "trinidadian", "tunisian", "turkish", "turkmen", "ugandan",
    "ukrainian", "uruguayan", "uzbek", "venezuelan", "vietnamese", "welsh", "yemeni", "zambian", "zimbabwean",
});
// clang-format on

}  // namespace harnessg
