"""ETHNICITY: classes, statuses and peoples in the frames of forms, bulletins and greetings.

Kept: stamps on a form, a straight classification of stock, Irish passports renewed for clients, Roma the football
club, colleagues' favourite colours, Scottish weather.
"""

from functools import cache, partial

from evenhand.resumes.categories.ethnicity_told import OFFICE
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern, phrases_of

__all__ = ["TELLINGS"]

_telling = partial(telling, "ETHNICITY")
_written = partial(_telling, capitals=True)
_CAPITAL = r"[A-Z][\w'-]+"
#: Peoples whose name is nothing else: no surname, town, product or word.
_ALSO_LISTED = (
    "apache basque burgher crow dakota edo fang fur ga han hazara hindi kamba karen lango latin mari meru "
    "mon naga nair oneida osage pueblo roma saho salish shan sherpa tswana swahili swazi zulu jat rajput "
    "yadav tatar bengal newar cherokee comanche cheyenne seneca omaha mohawk cree creek"
)
_ALSO_A_NAME = frozenset(_ALSO_LISTED.split())


@cache
def _peoples() -> str:
    names = {*phrases_of("ethnicity")["tribe"], "fulani", "ngapuhi", "luo", "roma"}
    one = sorted(name for name in names if name.isalpha() and len(name) > 2 and name not in _ALSO_A_NAME)
    return " ".join(one)


_PEOPLES = _peoples()
_ANY_PEOPLE = r"[a-z'-]{3,}"
_OF_THEM = (
    r"(?:students'?|welfare|cultural|community|development|women'?s?|youth|union|associations?|elders'?|heritage|"
    r"education|health|support|inclusion|integration|language (?:society|school)|professionals'?|society|"
    r"students' welfare|solidarity|progressive|council|dance|housing|history month|rights|empowerment|mediators?|"
    r"mentoring|advocacy|outreach)"
)
_COLOUR = (
    r"(?:black|white|coloured|colored|indian|asian|african|brown|indigenous|khoisan|non-white|hispanic|latin[oaex]|"
    r"mixed(?:[- ]race)?|biracial|multiracial)"
)
_FORM = (
    r"(?:(?:equalit(?:y|ies)|diversity|equal opportunit(?:y|ies)|ethnic(?:ity)?|edi|eeo|ee|eo|census|self-id|"
    r"demographic|monitoring) )*(?:monitoring(?: form| data| section| question| details)?|form|census|survey|"
    r"data|self-identification|self-id|eeo-1|declaration|category)"
)
_ENDS = r"(?=[ ]*(?:[,.;|)(\n\"]|$)| / | - | (?:under|until|since|from|on the basis|issued)\b)"
_VALUE = rf"([^\s,.;:|/(][^,.;:|(\n]{{0,50}}?(?: ?\([\w() .-]{{1,24}}\))?(?: [a-z]+)?){_ENDS}"
_ADJECTIVES = (
    r"(?:hard-?working|proud|young|mature|friendly|cheerful|dedicated|motivated|experienced|determined|"
    r"enthusiastic|ambitious|resilient|well-?travelled|well-?traveled|energetic|trilingual|bilingual|multilingual|"
    r"soft-?spoken|resourceful|seasoned|dynamic|loyal|patient|god-?fearing|passionate|restless|adaptable|"
    r"native-born|licensed|trained|simple|fun-?loving|competent|warm|outgoing|displaced|exiled|transplanted|"
    r"homesick|stubborn|curious|quiet|retired|fellow)"
)
_FIRST_WORDS = (
    "hard hardworking proud young mature friendly cheerful dedicated motivated experienced determined enthusiastic "
    "ambitious resilient well energetic trilingual bilingual multilingual soft resourceful seasoned dynamic loyal "
    "patient god passionate restless adaptable native licensed trained simple fun competent warm outgoing displaced "
    "exiled transplanted homesick stubborn curious quiet retired fellow"
)
_NATIONALITY = r"[A-Z][a-z]+(?:in[ao]|ian|ean|an|ese|ish|ani|qi|i|er|ch|k|n)"
_PERSON_AFTER = (
    r"(?=, (?!and\b|or\b)|[.;] |[ ](?:with|who|and (?:mother|father|proud)|living|based|raised|born|in (?:the )?"
    r"[A-Z]|abroad|by|at heart|looking|seeking|willing|ready)\b)"
)

TELLINGS = (
    # What a label of status has behind a country: `Visa status in Japan: Engineer (renewed in May)`.
    _telling(
        "status permission authorization authorisation entitlement visa permit residence",
        r"\b(?:visa|immigration|residence|residency|resident|work|stay|legal) (?:status|permission|authori[sz]ation|"
        r"entitlement|category|class|type)(?: (?:in|for|of) (?:the )?[a-z]+(?: [a-z]+)?)?(?: \([a-z0-9 ./-]{1,20}\))?"
        r"[ ]*(?:[:=]|\|[ ]*)[ ]*\|?[ ]*(?!(?:confirmed|verified|pending review|open|closed|done|complete|ok)\b)"
        rf"{_VALUE}",
        r"\b(?:permission|entitlement|right) to (?:work|remain|reside|stay)(?: in (?:the )?[a-z]+(?: [a-z]+)?)?"
        r"[ ]*[:=][ ]*((?:stamp|visa|settled|pre-settled|indefinite|ilr|citizen|permanent|spous|graduate|skilled|"
        rf"blue card|green card|refugee|section|tier|subclass)[^,.;:|\n]{{0,50}}?){_ENDS}",
        not_in=pattern(
            r"\b(?:hot work|confined|order status|ticket|caseload|clients'|dashboard|column|field|report on|"
            r"contractors?|scaffold\w*|isolation)\b"
        ),
    ),
    _written(
        "stamp",
        r"\b([Ss]tamp [0-6][A-Z]?)(?= (?:under|on|from|in|as|for|through|via|\(|and)\b)(?! (?:on|in) (?:the|a|each|"
        r"every) (?:form|page|letter|envelope|document|corner))",
        only_in=pattern(
            r"\b(?:permission|visa|ireland|irish|irp|gnib|dublin|cork|galway|limerick|graduate|level|spouse|"
            r"dependant|hold\w*|on|residen\w+|employment|permit|immigration|status)\b"
        ),
        not_in=pattern(r"\b(?:collect\w*|philatel\w*|postage|loyalty|machine|press|die)\b"),
    ),
    _telling(
        "claimant claimants protected convention gar parolee",
        r"\b(?:as|am|was|were|is|being|now|became|become|then|once|from) (?:an? |also )?((?:recognised |recognized |"
        r"former |accepted |successful )?(?:refugee claimant|protected person|convention refugee|asylum claimant|"
        r"government-assisted refugee|privately sponsored refugee|humanitarian parolee))\b(?! (?:housing|"
        r"support|cases?|services|law|clients?))",
        not_in=pattern(r"\b(?:represented|advised|clients?|caseload|paralegal|lawyer|settlement worker)\b"),
    ),
    # A second passport: `an Irish passport as well as a U.S. one`.
    _telling(
        "passport passports",
        r"\bpassports?(?: holder)?(?: as well as|,? and(?: also)?|,? plus|,? alongside|,? besides|,? together with|"
        r",? in addition to|,? next to|,? beside) (?:an? |my |the )?([a-z][a-z.]*(?: [a-z]+)?)(?: one| passport|"
        r" citizenship| nationality)\b",
        r"\b(?:carry|carries|hold|holds|have|has|travel on|travels on) (?:both )?(?:an? )?([a-z]+(?:,? and |/| & )"
        r"(?:an? )?[a-z.]+) (?:passports?|citizenships?|nationalit(?:y|ies))\b",
        not_in=OFFICE,
    ),
    # `A hardworking Filipina, flexible with schedule`.
    _written(
        " ".join(f"{article}+{word}" for article in ("a", "an") for word in _FIRST_WORDS.split()),
        rf"{START}(?:An?|a|an) {_ADJECTIVES}(?:(?:,| and|, and) {_ADJECTIVES})? ({_NATIONALITY}){_PERSON_AFTER}",
        not_in=pattern(
            r"\b(?:restaurant|cuisine|menu|dish|cheese|wine|bank|christian|german shepherd|labrador|technician|"
            r"librarian|statistician|physician|guardian|musician|electrician|dietitian|veterinarian|custodian|"
            r"historian|veteran|optician|pharmacist)\b"
        ),
    ),
    _telling(
        "filipina filipino pinoy pinay kabayan kiwi aussie brit scot scotsman welshman welshwoman irishman irishwoman "
        "frenchman dutchman dane finn swede pole serb croat turk kurd arab spaniard latina latino boricua tico paisa "
        "chilango carioca paulista desi yankee newfoundlander quebecer quebecois quebecoise",
        rf"{START}(?:an? )?(?:{_ADJECTIVES},? (?:and )?)+(filipina|filipino|pinoy|pinay|kabayan|kiwi|aussie|brit|"
        r"scot|scotsman|welshman|welshwoman|irishman|irishwoman|frenchman|dutchman|dane|finn|swede|serb|croat|turk|"
        r"kurd|arab|spaniard|latina|latino|boricua|tico|desi|newfoundlander|quebec(?:er|ois|oise))\b"
        r"(?! (?:food|cuisine|fruit|ware|bird))",
    ),
    # `Classified Black under the Employment Equity Act`.
    _telling(
        "classified classed categorised categorized designated recorded registered counted listed qualify qualifies "
        "qualifying qualified identified identifying declared self tick ticked ticking reclassified",
        r"\b(?:(?:re)?classified|classed|categori[sz]ed|designated|recorded|registered|counted|listed|qualif(?:y|ies|"
        r"ying|ied)|identif(?:ied|ying)|(?:self-?)?declared|tick(?:ed|ing)?)(?: (?:as|under|the|an?|box|myself|me|"
        rf"himself|herself)\b)* ((?:white and )?{_COLOUR}(?: (?:african|south african|caribbean|british|american|"
        r"other|candidate|person|man|woman|(?:fe)?male|applicant|employee))?)(?= (?:under|for|by|per|in terms of|"
        r"according to|in the (?:census|registry|old|form|hr)|on the (?:form|census|monitoring|payroll|"
        r"register|ee)|at birth|and (?:proud|coloured|female|male|disabled))\b|[ ]?[.;)]|$)",
        not_in=pattern(
            r"\b(?:runs?|slopes?|piste|pixels?|cells?|hat|boxes|samples?|images?|soils?|wines?|belt|kernel|balls?|"
            r"goods|products?|species|rhino\w*|spruce|oak|walnut|pepper|tea|ink|paint|wire|stock|fonts?|garments?)\b"
        ),
    ),
    # An answer on a form in one line: `Monitoring form: White British`, `EEO survey: Black`.
    _telling(
        "form monitoring census survey eeo eeo+1 declaration demographic self",
        rf"\b{_FORM}[ ]*[:=-][ ]*(?:i (?:am|ticked|put) )?((?:{_COLOUR}|any other|other|british|"
        r"arab|chinese|gypsy|roma|irish traveller|pakistani|bangladeshi|caribbean|pacific islander|"
        rf"native (?:american|hawaiian))(?:[ /-][a-z(][a-z()-]*){{0,5}}?){_ENDS}",
        not_in=pattern(r"\b(?:ink|paper|printing|paint|cover|binding)\b"),
    ),
    # Peoples by name, also in a text of small letters: `luo students' welfare association`, `sinti by descent`.
    _telling(
        _PEOPLES,
        rf"\b({_ANY_PEOPLE}) (?:by (?:descent|birth|blood|origin|heritage|family|ancestry|tribe|parentage|caste|clan|"
        r"community)|on (?:my|his|her) (?:mother|father|dad|mum|mom|grand\w+)'s side)\b",
        rf"\b({_ANY_PEOPLE})(?:'s?)? {_OF_THEM}\b",
        rf"{START}({_ANY_PEOPLE})(?=, (?:to be (?:exact|precise|more exact|specific)|more (?:exactly|precisely)|"
        r"specifically|namely|strictly|and (?:proud|glad|happy)|if you ask|of the|from the|one of|the first|like my|"
        r"though|but (?:born|raised))\b)",
        r"\b(?:to be (?:exact|precise|more exact|specific)|more (?:exactly|precisely)|specifically|namely|"
        rf"strictly speaking|precisely),? (?:an? |of the )?({_ANY_PEOPLE})(?=[ ]*(?:[,.;)]|$))",
        rf"\b(?:our|my) ({_ANY_PEOPLE})(?= (?:camp|clan|village|people|elders|ancestors|grand\w+|family|kin|name|"
        r"homeland|tradition|customs?|wedding|dress)\b)",
        rf"\b(?:speaks?|speaking|sings?|raised|brought up|grew up|married|dressed) (?:in |as )?(?:an? )?"
        rf"({_ANY_PEOPLE})(?= (?:at home|household|family|village|with my|to my)\b)",
    ),
    _written(
        "roma traveller travellers gypsy pavee sinti romani romany",
        r"\b(Roma|Travellers?|Gyps(?:y|ies)|Pavee|Sinti|Romani|Romany|Roma and Sinti|Gypsy,? Roma(?: and|,) Traveller)"
        r"(?= (?:[A-Z][\w'-]+ ){0,3}(?:Education|Support|Project|Point|Women|Women's|Youth|Health|Rights|Community|"
        r"Council|Inclusion|Integration|Network|Forum|Union|Association|Heritage|Movement|Mediat\w+|Scholar\w*|"
        r"Memorial|Fund|Foundation|Cultur\w+|Families|Champions?|History|"
        r"Summer|Academy|Centre|Center)\b)(?!(?<=Traveller) (?:Education Fund|Centre|Network (?:app|card)))"
        r"(?! (?:Termini|Fiumicino|Capitale))",
    ),
    # Greetings and frames in Maori: `Ko Ngati Hine te iwi`, `No Ngapuhi ahau`.
    _telling(
        "ahau au iwi hapu uri ko whakapapa",
        r"\bno (?:te )?((?:ng[a]i? |ngati |te |tai)?[a-z'-]+(?: [a-z'-]+)?) (?:ahau|au)\b",
        r"\bko ((?:ng[a]i? |ngati |te )?[a-z'-]+(?: [a-z'-]+)?) (?:toku |taku |te |tooku )?(?:iwi|hapu|whanau|waka|"
        r"tangata)\b",
        r"\b(?:te iwi|toku iwi|taku iwi|iwi|hapu) ko (ng[a]i? [a-z]+|ngati [a-z]+|[a-z]+)\b",
        r"\b(?:he )?uri (?:ahau |au )?(?:no|o) (?:te )?((?:ng[a]i? |ngati |te )?[a-z'-]+)\b",
        r"\b(?:i )?whakapapa (?:back )?to ((?:ng[a]i? |ngati |te )?[a-z'-]+(?:(?:,| and) (?:ng[a]i? |ngati |te )?"
        r"[a-z'-]+)?)",
    ),
    _written(
        "affiliate affiliates affiliated affiliation affiliations descent whakapapa rohe",
        r"\b[Aa]ffiliat(?:e|es|ed|ions?)(?::| is| to| with|,)* (?:the )?((?:Ng[a]i|Ngati|Nga|Te|Tai)[ -]?"
        r"[A-Z]?[\w-]+(?:(?:,| and|/) (?:(?:Ng[a]i|Ngati|Nga|Te) )?[A-Z][\w-]+)?)",
    ),
    # Talks and panels: `"Black in the Boardroom"`, `Brown in the Newsroom`.
    _telling(
        "black brown asian latina indigenous",
        rf"[\"'(] ?((?:{_COLOUR}))(?= (?:in the [a-z]+|at work|at the table|on campus|while [a-z]+ing|behind the|"
        r"and (?:british|brilliant|in business|in charge|successful|thriving|excellent)))",
        r"\b(black|brown|asian|latina)(?= (?:in the (?:boardroom|c-suite|newsroom|classroom|lab|workplace|academy|"
        r"ivory tower|courtroom|countryside|outdoors)|at work\b))",
        not_in=pattern(r"\b(?:ink|dress code|uniform|shoes|trousers|hens|tie)\b"),
    ),
    # A community's school at the weekend: `Teach on Saturdays at the Korean school`.
    _written(
        "saturdays sundays saturday sunday weekends weekend",
        r"\b(?:[Ss]aturdays?|[Ss]undays?|[Ww]eekends?)(?: mornings?| afternoons?)? (?:at|in|for) (?:the|our|an?|my) "
        r"(?:local |town's |city's )?([A-Z][a-z]+(?:in[ao]|ian|ean|an|ese|ish|ani|[tl]i|ali|il|ch|ek|ic|k))"
        r"(?= (?:language |community |supplementary |heritage |complementary )?(?:school|classes))",
        not_in=pattern(r"\b(?:riding|driving|cookery|culinary|restaurant|ski)\b"),
    ),
    _written("apia", r"\b(APIA)\b(?! ?(?:,|\||/) ?(?:SAMOA|Samoa))"),
    _telling(
        "color colour",
        r"\b(?:colleagues|hires?|interns?|peers?|execs?|executives?|creatives?|entrepreneurs?|couples|elders|"
        r"neighbou?rs|musicians|nurses|trainees|graduates|professionals|veterans|males?|females?|teens?|teenagers|"
        r"tenants|farmworkers|academics|technicians|undergrad\w*|grads?|siblings|friends|trustees|cyclists|"
        r"hikers|climbers|divers|sailors|pilots|playwrights|poets|mums|moms|dads|femmes?|elders|members|"
        r"candidates|attorneys|workers|employees|artists) (of colou?r)\b(?! (?:theory|correction|grading|matching))",
    ),
    _written(
        "syndicate school schools",
        r"\b(?:[Mm]ember|[Tt]reasurer|[Ss]ecretary|[Cc]hair|[Pp]resident|[Bb]oard|[Oo]f|[Tt]he|[Tt]o) (?:of )?(?:the )?"
        r"([A-Z][a-z]+(?:ian|ese|ish|an|i)) (?:[A-Z]\w+ )?Syndicate\b",
        r"\b(?:[Ss]aturday|[Ss]unday|[Ww]eekend|[Ee]vening|[Cc]ommunity|[Ss]upplementary|[Hh]eritage|[Cc]omplementary) "
        r"([A-Z][a-z]+(?:ian|ese|ish|an|[sq]i|bi|ali|ili|ew|ic|ek|kish|ati|arsi|ashto|il|gu|u))(?: language)? "
        r"schools?\b",
        not_in=pattern(r"\b(?:christian|cook\w*|sales)\b"),
    ),
    _telling(
        "caledonian gullah geechee kieu",
        r"\b(caledonian)(?= (?:society|club|ball|association|games|pipe|gathering|ladies)\b)",
        r"\b(gullah(?:[ -]geechee)?|geechee)\b",
        r"\b(viet kieu|hoa kieu|hua ?qiao)\b",
    ),
    _telling(
        "prc roc drc uae uk us eu hksar rok ksa rsa",
        r"\b(prc|roc|drc|uae|hksar|hong kong sar|macao sar|rok|ksa|rsa|eu|eea|uk|us|eu/eea)(?= (?:national|"
        r"citizen|passport holder|subject|nationality|citizenship|passport)\b)(?! (?:national|citizen) (?:accounts?|"
        r"services|sales|grid|average|express|insurance|health|security|curriculum))",
        not_in=pattern(
            r"\b(?:clients?|customers?|processed|applicants|students|sales|advis\w+|checks?|renew\w* for)\b"
        ),
    ),
    _telling(
        "ead opt cpt",
        r"\b(?:daca|tps|asylum|asylee|renewed|my|valid|with|hold|holds|have|has|current|unexpired|combo|h-?4|h4|l-?2|c9|"
        r"on|now|f-?1)\b[^.;\n]{0,20}?[ -]((?:stem )?(?:ead|opt|cpt))(?= (?:through|until|valid|with the|expir\w+|to "
        r"(?:20|\w+ 20)|card|extension|status|in hand|since|till|ends|pending|granted|approved)|[ ]*[.,;)\n])",
        only_in=pattern(
            r"\b(?:daca|tps|asyl\w+|visa|status|f-?1|stem|work|authori[sz]\w+|card|through|until|h-?4|l-?2|hold|holds|"
            r"student|sponsor\w*|recipient)\b"
        ),
        not_in=pattern(r"\b(?:clients?|students'|advised|advising|processed|employees|dso|billing|codes?|medical)\b"),
    ),
    _telling(
        "tier permit visa status waiver national citizen passport",
        r"\b(?:visa|permit|status|leave|route|authori[sz]ation|permission)(?: type| category| class)?[ :,(-]{1,3}"
        r"(tier \d(?:[ ]?\((?:general|student|ict|migrant|youth mobility)\))?)(?=[ ]*(?:[,;.)|\n]|$| valid| "
        r"until| visa))",
        r"\b(?:national|citizen|visa|status|passport)[,;:(]? ?(?:on |an |visa )*((?:e|h|l|o|j|f|tn|r|k|p|t|"
        r"u)-?[1-4][ab]?)(?= (?:not applicable|visa|waiver|status|holder|valid|expired|until|through|required|eligible|"
        r"granted)\b)",
    ),
    _written(
        "before+that previously formerly originally earlier",
        r"\b(?:[Cc]iti[sz]en|[Nn]ational|[Nn]aturali[sz]ed|[Pp]assport)\b[^.;\n]{0,50}\b(?:[Bb]efore that|"
        r"[Pp]reviously|[Ff]ormerly|[Oo]riginally|[Ee]arlier)[, ]+(?:a citizen of|of|from|in) (?:the )?([A-Z]\w+(?: "
        r"[A-Z]\w+){0,2})",
    ),
    _written(
        "travel laissez-passer refugee document",
        r"\b([A-Z][a-z]+(?:ian|ese|ish|an|i))(?: (?:[Tt]ravel (?:[Dd]ocument|[Pp]ermit)|[Rr]efugee (?:[Dd]ocument|"
        r"[Tt]ravel)|[Ll]aissez-?passer|[Ii]dentity [Cc]ard|[Rr]esidence (?:[Cc]ard|[Pp]ermit)))",
        not_in=pattern(r"\b(?:clients?|issued|processed|customers?|checked|checks)\b"),
    ),
    _telling(
        "jordanian lebanese syrian egyptian iraqi palestinian turkish german british",
        r"\bwith an? (jordanian|lebanese|syrian|egyptian|iraqi|palestinian|turkish|german|british)(?= travel document)",
    ),
    _telling(
        "nysc idf zivildienst",
        r"\b(?:complet\w+|serv\w+|finish\w+|did|did my|discharged|exempt\w*|posted|during|my|year|passed out|after) "
        r"(?:[a-z]+ ){0,4}?(nysc|idf)\b(?! (?:clients|members who|students|office staff))",
        rf"{START}(nysc|idf)(?=[ ]*(?:[:,(\u2013-]|\n)| (?:service|discharge|certificate|year|member|batch|"
        r"posting|corper|veteran|reserv\w+|completed)\b)",
    ),
    _written(
        "bhangra garba dabke salsa capoeira ceilidh hula taiko",
        r"\b([A-Z][a-z]+(?:ian|ese|ish|an|bi|ati|[sq]i))(?: (?:[Bb]hangra|[Gg]arba|[Dd]abke|[Hh]ula|[Tt]aiko|"
        r"[Dd]rumming) (?:[Tt]eam|[Gg]roup|[Tt]roupe|[Cc]lub|[Ss]ociety|[Dd]ancer|[Cc]aptain))",
    ),
)
