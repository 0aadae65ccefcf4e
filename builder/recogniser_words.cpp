#include "builder/recogniser_words.h"

#include <algorithm>
#include <unordered_map>

namespace harnessg {
namespace {

struct WordList {
  std::uint32_t classes;
  std::string_view words;  // separated by spaces
};

constexpr WordList kLists[] = {
    {kFunctionWord,
     "a an the this that these those there here he she it they we you i him her them us his hers its their theirs our "
     "your my me himself herself itself themselves who whom whose which what when where why how if whether because "
     "although though while whereas unless until since before after during within without through throughout despite "
     "under over above below between among against about around across along beside besides beyond into onto upon "
     "toward towards from with by at on in to as for of than then thus hence therefore however moreover furthermore "
     "nevertheless nonetheless meanwhile instead otherwise also too very only just even still yet already again once "
     "always never often sometimes usually both either neither each every all any some many much more most several few "
     "fewer less least other others another such same so and or but nor not no yes is are was were be been being am "
     "has "
     "have had having do does did doing would shall should could might must now today later soon per via "
     "like unlike due according following prior together together ago else etc vs versus although albeit plus except"},
    {kOpenerWord,
     "additionally originally initially currently formerly previously recently eventually finally subsequently "
     "consequently similarly likewise alternatively generally typically historically officially commonly traditionally "
     "born known based located situated founded formed established created released published written directed "
     "produced built designed named called considered recorded filmed set made used found given seen part people "
     "students members critics fans scholars researchers scientists women men children players one former early late "
     "first second third last next new old young little great good best well long high low big small notable famous "
     "popular modern ancient local national international public private major minor general special various "
     "different numerous certain main total half left right single double see note notes born died started began "
     "raised educated trained elected appointed married buried listed inspired starring featuring including "
     "beginning working growing playing writing living being using taking making having coming going "
     "film films song songs album albums book books novel novels story stories music game games team teams season "
     "series show shows episode episodes work works word words name names number numbers town towns village villages "
     "city cities country countries area areas district districts region regions state states school schools "
     "population census history example examples species genus family families plants animals fish birds "
     "time times day days year years life death war wars world production construction filming shooting "
     "reception principal critical commercial music lyrics vocals reviews sales actor actress singer writer author "
     "director producer journalist politician footballer overall analyses height guilty annual"},
    {kParticleWord,
     "of the de la le las los del della delle dei degli di da das do dos du des van der den ter ten von vom zu zum zur "
     "und et y ibn bin bint ben ap al el ul af av och og sur sous lez nad"},
    {kMonthWord,
     "january february march april may june july august september october november december jan feb mar apr "
     "jun jul aug sep sept oct nov dec"},
    {kWeekdayWord, "monday tuesday wednesday thursday friday saturday sunday"},
    {kNationality,
     "afghan african albanian algerian american andorran angolan arab arabian arabic argentine argentinian armenian "
     "asian australian austrian azerbaijani bahamian bahraini bangladeshi barbadian basque bavarian belarusian belgian "
     "belizean bengali bolivian bosnian brazilian british bulgarian burmese cambodian cameroonian canadian caribbean "
     "catalan celtic chilean chinese christian colombian congolese cornish croatian croat cuban cypriot czech "
     "czechoslovak danish dominican dutch ecuadorian egyptian emirati english estonian ethiopian european fijian "
     "filipino finnish flemish french frankish georgian german germanic ghanaian greek guatemalan haitian hawaiian "
     "hebrew hindu hispanic honduran hungarian icelandic indian indonesian iranian iraqi irish islamic israeli italian "
     "jamaican japanese jewish jordanian kazakh kenyan korean kurdish kuwaiti kyrgyz lao laotian latin latvian "
     "lebanese "
     "liberian libyan lithuanian luxembourgish macedonian malaysian malayalam maltese mauritian mexican moldovan "
     "mongolian montenegrin moroccan mozambican muslim namibian nepalese nepali nigerian norman norse norwegian "
     "ottoman pakistani palestinian panamanian paraguayan persian peruvian polish portuguese prussian punjabi qatari "
     "roman romanian russian rwandan salvadoran samoan saudi scandinavian scottish senegalese serbian serb singaporean "
     "slavic slovak slovene slovenian somali soviet spanish sudanese swedish swiss syrian taiwanese tajik tamil "
     "tanzanian telugu thai tibetan trinidadian tunisian turkish turkmen ugandan ukrainian urdu uruguayan uzbek "
     "venezuelan vietnamese welsh yemeni yugoslav zambian zimbabwean americans europeans africans asians germans "
     "romans russians italians greeks christians muslims jews hindus indians canadians australians mexicans arabs "
     "serbs croats turks danes swedes poles czechs britons scots catholic protestant buddhist catholics protestants "
     "buddhists anglican lutheran sikh sikhs mormon orthodox sunni shia republican republicans democrat democrats "
     "lankan rican zealander zealanders kannada hindi marathi gujarati byzantine byzantines viking vikings maori "
     "aboriginal inuit"},
    {kHonorific | kDottedWord,
     "mr mrs ms dr prof rev revd hon capt lt col gen maj sgt cpl pvt adm cmdr brig gov sen rep pres fr"},
    {kHonorific,
     "sir dame lord lady captain colonel general major sergeant lieutenant admiral commander judge justice doctor "
     "bishop "
     "archbishop cardinal father brother sister reverend miss madame monsieur mister master chief attorney"},
    {kHonorific | kOfficeTitle,
     "president senator governor mayor minister chancellor professor congressman congresswoman ambassador secretary "
     "commissioner coach director actor actress singer author novelist poet composer producer writer screenwriter "
     "filmmaker musician rapper comedian journalist historian philosopher architect sculptor painter critic"},
    {kRegalTitle,
     "king queen prince princess emperor empress pope saint duke duchess earl count countess baron baroness marquess "
     "marquis viscount sultan shah tsar czar kaiser archduke infante maharaja raja emir caliph"},
    {kRegalTitle | kDottedWord, "st ste"},
    {kRoleWord,
     "actor actress singer songwriter musician rapper drummer guitarist bassist pianist composer conductor director "
     "filmmaker screenwriter producer writer author novelist poet playwright journalist historian philosopher "
     "scientist "
     "physicist chemist mathematician biologist botanist economist psychologist architect engineer inventor sculptor "
     "painter photographer artist cartoonist animator comedian dancer choreographer model politician lawyer judge "
     "footballer player cricketer boxer wrestler swimmer cyclist golfer skater sprinter goalkeeper midfielder striker "
     "defender coach manager businessman businesswoman entrepreneur executive banker philanthropist activist "
     "missionary priest theologian monk nun soldier officer pilot sailor explorer astronaut nobleman noblewoman king "
     "queen prince princess duke duchess emperor son daughter father mother brother sister wife husband widow cousin "
     "uncle aunt nephew niece grandson granddaughter grandfather grandmother half-brother half-sister friend "
     "professor teacher scholar physician surgeon doctor nurse critic editor presenter broadcaster host personality "
     "designer chef wrestler gymnast criminal outlaw"},
    {kOrgWord,
     "university college institute school academy company corporation inc ltd llc plc gmbh records pictures studios "
     "studio entertainment productions films press party club fc team orchestra band society association "
     "federation union league council committee commission agency ministry department bureau board court bank group "
     "foundation organization organisation army navy corps regiment division brigade battalion airlines airways "
     "industries systems technologies partners times post herald tribune gazette magazine network channel broadcasting "
     "television radio church parliament congress senate assembly government police seminary conservatory choir "
     "ensemble quartet philharmonic united rovers wanderers athletic"},
    {kOrgWord | kDottedWord, "inc ltd corp co bros"},
    {kGpeWord,
     "county city province state republic kingdom district township municipality borough parish village town "
     "prefecture oblast raion canton commune region department territory empire commonwealth"},
    {kLocWord,
     "river lake mount mountain mountains sea ocean island islands bay valley desert forest creek peninsula hills hill "
     "coast gulf strait cape glacier range plateau basin canyon falls beach reef archipelago"},
    {kLocWord | kDottedWord, "mt"},
    {kFacWord,
     "bridge airport station stadium arena theatre theater hospital museum library cathedral abbey castle palace tower "
     "hall house street road avenue boulevard highway park square gardens garden building center centre temple mosque "
     "monastery prison cemetery dam tunnel railway lighthouse fort courthouse mansion plaza observatory hotel gallery"},
    {kFacWord | kDottedWord, "ave blvd rd ft"},
    {kEventWord,
     "war olympics games cup championship championships festival revolution battle siege tournament prix "
     "rebellion uprising massacre crusade summit expo exposition marathon election elections"},
    {kPlaceName,
     "afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas bahrain "
     "bangladesh barbados belarus belgium belize benin bhutan bolivia botswana brazil brunei bulgaria burma cambodia "
     "cameroon canada chad chile china colombia congo croatia cuba cyprus czechoslovakia denmark dominica ecuador "
     "egypt "
     "england eritrea estonia ethiopia fiji finland france gabon gambia georgia germany ghana greece grenada guatemala "
     "guinea guyana haiti honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan "
     "kazakhstan kenya korea kosovo kuwait kyrgyzstan laos latvia lebanon liberia libya liechtenstein lithuania "
     "luxembourg madagascar malawi malaysia maldives mali malta mauritania mauritius mexico moldova monaco mongolia "
     "montenegro morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway oman pakistan "
     "palestine panama paraguay peru philippines poland portugal prussia qatar romania russia rwanda samoa scotland "
     "senegal serbia singapore slovakia slovenia somalia spain sudan suriname sweden switzerland syria taiwan "
     "tajikistan tanzania thailand tibet togo tonga tunisia turkey turkmenistan uganda ukraine uruguay uzbekistan "
     "vanuatu venezuela vietnam wales yemen yugoslavia zambia zimbabwe alabama alaska arizona arkansas california "
     "colorado connecticut delaware florida hawaii idaho illinois indiana iowa kansas kentucky louisiana maine "
     "maryland "
     "massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania "
     "tennessee texas utah vermont virginia wisconsin wyoming ontario quebec manitoba saskatchewan alberta london "
     "paris "
     "berlin rome madrid vienna moscow tokyo beijing chicago boston"},
    {kContinent, "africa asia europe antarctica oceania eurasia americas"},
    {kNumberWord,
     "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
     "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred dozen"},
    {kOrdinalWord, "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"},
    {kMagnitude, "thousand million billion trillion crore lakh bn"},
    {kUnitWord,
     "km kilometers kilometres kilometer kilometre miles mile meters metres meter metre feet foot inches inch yards cm "
     "mm kg kilograms grams tons tonnes pounds acres hectares ha mph knots ft litres liters gallons mw kw mb gb hp"},
    {kCurrencyWord, "dollars dollar euros euro pounds yen rupees francs marks rubles pesos cents"},
    {kPeriodWord, "years year months month weeks week days day decades decade centuries century seasons"},
    {kClockWord, "hours hour minutes minute seconds am pm"},
    {kAwardWord,
     "prize prizes award awards medal academy committee center centre institute society school department ministry "
     "museum council college association foundation fund campaign secretary minister order"},
    {kPlainAcronym, "ep lp cd dvd tv bc bce ce ad am pm hd rpg isbn gmt est pst edt utc iata icao rr aka ii iii iv"},
    {kDirectionWord,
     "south north east west southern northern eastern western central new sri puerto costa saudi latin"},
    {kSuffixWord | kDottedWord, "jr sr"},
    {kMakerVerb,
     "directed written produced composed starring stars starred created founded designed played portrayed edited sung "
     "performed coached hosted managed succeeded co-written featuring married"},
};

const std::unordered_map<std::string_view, std::uint32_t>& listed_words() {
  static const auto map = [] {
    std::unordered_map<std::string_view, std::uint32_t> made;
    for (const WordList& list : kLists) {
      for (std::size_t at = 0; at < list.words.size();) {
        const std::size_t end = std::min(list.words.find(' ', at), list.words.size());
        made[list.words.substr(at, end - at)] |= list.classes;
        at = end + 1;
      }
    }
    return made;
  }();
  return map;
}

}  // namespace

std::uint32_t word_classes(std::string_view lower) {
  const auto found = listed_words().find(lower);
  return found == listed_words().end() ? 0 : found->second;
}

}  // namespace harnessg
