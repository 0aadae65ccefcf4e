#include "builder/abbreviations.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace harnessg {
namespace {

using WordSet = std::unordered_set<std::string_view>;

// Held as they are written; where case says nothing both writings are given.
constexpr std::string_view kJoining[] = {
    "e.g",   "E.g",    "eg",   "i.e",  "I.e",  "ie",   "cf",     "Cf",       "vs",    "Vs",   "viz",  "a.k.a",
    "A.k.a", "aka",    "co",   "al",   "v",    "lit",  "transl", "translit", "Th",    "Mr",   "Mrs",  "Ms",
    "Mx",    "Messrs", "Mme",  "Mmes", "Mlle", "Prof", "Profs",  "Revd",     "Hon",   "Pres", "Gov",  "Sen",
    "Rep",   "Reps",   "Sens", "Amb",  "Atty", "Capt", "Cpt",    "Cmdr",     "Comdr", "Cdr",  "Lt",   "Lieut",
    "Col",   "Gen",    "Maj",  "Sgt",  "Cpl",  "Pvt",  "Adm",    "Brig",     "Pfc",   "Supt", "Insp", "Det",
    "Fr",    "Msgr",   "Wm",   "Geo",  "Chas", "Thos", "Jos",    "Ste",      "z.B",   "bzw",  "ggf",  "u.a",
    "d.h",   "vgl",    "Vgl",  "Hr",   "Hrn",  "Fa",   "Dres",   "Dra",      "Sra",   "Srta", "Dña",  "Sig",
    "Sigg",  "Dott",   "Ing",  "Avv",  "Exmo", "Ud",   "Uds",    "EE",       "т.е",   "т.к",  "т.н",  "напр",
    "см",    "ср",     "им",   "ул",   "проф", "акад", "св",     "डॉ",       "श्री",   "प्रो"};
constexpr std::string_view kNamePrefixes[] = {"St", "Sts", "Dr", "Drs", "Mt", "Mts", "Ft", "Pt", "Rev", "Sr", "Dn"};
constexpr std::string_view kMayEndWords[] = {
    "Inc",  "Corp", "Ltd",  "Co",   "Cos", "Bros", "Jr",   "Sr",   "Jnr",   "Snr",  "Esq",   "Ave",
    "Blvd", "Rd",   "Hwy",  "Pkwy", "Sq",  "Bldg", "Dept", "Univ", "Inst",  "Assn", "Assoc", "Intl",
    "Natl", "Mfg",  "Pty",  "Pte",  "Pvt", "Ph.D", "Ed",   "Eds",  "Trans", "Lic",  "etc",   "ft",
    "feat", "Feat", "Gmbh", "Cie",  "Ger", "Eng",  "Bde",  "Regt", "pron",  "cca"};
constexpr std::string_view kNumberPrefixes[] = {
    "No",     "no",  "Nos", "nos",  "Nr",   "nr",  "Núm",  "núm",  "Vol",  "vol", "Vols", "vols",  "pp",
    "Pp",     "pg",  "Op",  "op",   "Fig",  "fig", "Figs", "figs", "Ch",   "ch",  "chap", "Chap",  "Art",
    "art",    "Sec", "sec", "Sect", "Par",  "par", "Abs",  "ca",   "Ca",   "aft", "bef",  "circa", "fl",
    "approx", "est", "Est", "cent", "Jan",  "Feb", "Mar",  "Apr",  "Jun",  "Jul", "Aug",  "Sep",   "Sept",
    "Oct",    "Nov", "Dec", "Ver",  "ver",  "Ep",  "ep",   "Pub",  "Stat", "Bd",  "Str",  "Tel",   "tel",
    "Ex",     "Gen", "Lev", "Deut", "Matt", "cap", "ред",  "стр",  "рис",  "табл"};

constexpr std::string_view kPronouns[] = {"He",    "She",   "It",   "They",  "We",    "His",  "Her", "Its",
                                          "Their", "These", "This", "Those", "There", "Он",   "Она", "Оно",
                                          "Они",   "Его",   "Её",   "Er",    "Il",    "Elle", "Ils", "Elles"};
constexpr std::string_view kOpeners[] = {
    "The",       "A",           "An",        "In",        "On",         "At",         "As",
    "For",       "From",        "By",        "With",      "During",     "After",      "Before",
    "Since",     "Until",       "While",     "When",      "Although",   "Though",     "However",
    "But",       "And",         "Or",        "If",        "Because",    "Despite",    "Under",
    "Following", "Between",     "Among",     "Both",      "Each",       "Every",      "Many",
    "Most",      "Much",        "Some",      "Several",   "Other",      "Others",     "Another",
    "One",       "Two",         "Three",     "All",       "Also",       "According",  "Additionally",
    "Today",     "Later",       "Then",      "Thus",      "Therefore",  "Here",       "That",
    "What",      "Where",       "Who",       "Why",       "How",        "Which",      "Is",
    "Are",       "Was",         "Were",      "Currently", "Originally", "Formerly",   "Eventually",
    "Meanwhile", "Prior",       "Upon",      "Within",    "Without",    "Through",    "Throughout",
    "Unlike",    "Like",        "Due",       "To",        "Over",       "About",      "Around",
    "Along",     "Against",     "Besides",   "Beside",    "Founded",    "Located",    "Formed",
    "Released",  "Born",        "Based",     "Set",       "Written",    "Directed",   "Produced",
    "Built",     "Established", "Published", "Named",     "Known",      "Considered", "Designed",
    "Recorded",  "Starring",    "Created",   "Filmed",    "My",         "Our",        "Your",
    "You",       "Not",         "No",        "Yes",       "So",         "Such",       "Once",
    "Only",      "Even",        "Still",     "Often",     "Only",       "В",          "На",
    "После",     "По",          "С",         "Во",        "К",          "Но",         "И",
    "Это",       "Эта",         "Этот",      "До",        "Из",         "За",         "При",
    "Для",       "Der",         "Die",       "Das",       "Ein",        "Eine",       "Im",
    "Am",        "Sie",         "Es",        "Nach",      "Seit",       "Bei",        "Mit",
    "Von",       "Zu",          "Auf",       "Le",        "Les",        "Un",         "Une",
    "En",        "Dans",        "Elle",      "Ce",        "Cette",      "El",         "Los",
    "Las",       "Una",         "Su",        "Fue",       "Lo",         "Gli"};

constexpr std::string_view kLettered[] = {"War",     "Division", "Group", "Serie", "Class",   "Type",
                                          "Part",    "Phase",    "Act",   "Model", "Vitamin", "vitamin",
                                          "Section", "group",    "type",  "class", "Band"};

constexpr std::string_view kThaiContinuations[] = {"และ", "หรือ", "ที่",    "ซึ่ง",  "อัน",  "โดย", "เพื่อ",
                                                   "ของ", "กับ",  "ว่า",   "คือ",  "แก่",  "ตาม", "จาก",
                                                   "ใน",  "เป็น", "ได้แก่", "เช่น", "รวม", "พร้อม"};

constexpr std::string_view kDottedMonths[] = {"Januar", "Jänner", "Februar",   "März",    "April",    "Mai",     "Juni",
                                              "Juli",   "August", "September", "Oktober", "November", "Dezember"};

template <std::size_t N>
void add(std::unordered_map<std::string_view, Abbreviation>& map, const std::string_view (&words)[N],
         Abbreviation kind) {
  for (std::string_view word : words) map.emplace(word, kind);
}

const std::unordered_map<std::string_view, Abbreviation>& abbreviations() {
  static const auto map = [] {
    std::unordered_map<std::string_view, Abbreviation> made;
    add(made, kJoining, Abbreviation::kJoins);
    add(made, kNamePrefixes, Abbreviation::kBeforeName);
    add(made, kMayEndWords, Abbreviation::kMayEnd);
    add(made, kNumberPrefixes, Abbreviation::kBeforeNumber);
    return made;
  }();
  return map;
}

}  // namespace

Abbreviation abbreviation_kind(std::string_view word) {
  const auto& map = abbreviations();
  const auto found = map.find(word);
  return found == map.end() ? Abbreviation::kNone : found->second;
}

bool is_opening_pronoun(std::string_view word) {
  static const WordSet words(std::begin(kPronouns), std::end(kPronouns));
  return words.contains(word);
}

bool opens_sentence(std::string_view word) {
  static const WordSet words(std::begin(kOpeners), std::end(kOpeners));
  return words.contains(word) || is_opening_pronoun(word);
}

bool takes_letter(std::string_view word) {
  static const WordSet words(std::begin(kLettered), std::end(kLettered));
  return words.contains(word);
}

bool continues_thai(std::string_view text) {
  return std::any_of(std::begin(kThaiContinuations), std::end(kThaiContinuations),
                     [text](std::string_view word) { return text.starts_with(word); });
}

bool is_dotted_day_month(std::string_view word) {
  static const WordSet words(std::begin(kDottedMonths), std::end(kDottedMonths));
  return words.contains(word);
}

}  // namespace harnessg
