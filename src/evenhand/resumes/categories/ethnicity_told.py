"""ETHNICITY: members of a nation, indigenes, classes of visa, white as a race, told in a few words.

Kept: citizen science, nationals' bank, refugee camps, white goods, the United Nations.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["OFFICE", "TELLINGS"]

OFFICE = pattern(
    r"\b(?:clients?|cases|petitions?|filed|filing|prepar\w+|process(?:ed|es|ing)|applicants|customers?|employees|"
    r"engineers|workers|paralegal|caseload|attorney|law|recruit\w*|candidates|office|embass\w+|consulate|"
    r"sponsored \w+ (?:staff|hires))\b"
)
_CAPITAL = r"[A-Z][\w'-]+"
#: Classes of visa as words: `F-1` is two of them, `f1` one.
_CLASSES = " ".join(
    ["tn", "td", "h+4", "h+1b", "h+1", "h4", "h1b", "h1"]
    + [
        f"{letter}{dash}{digit}{part}"
        for letter in "efjklop"
        for dash in ("+", "")
        for digit in "123"
        for part in ("", "a", "b")
    ]
)

_telling = partial(telling, "ETHNICITY")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

TELLINGS = (
    _written(
        "nation nations tribe band rancheria pueblo",
        r"\b(?:[Mm]embers?|[Cc]itizens?|[Dd]escendants?|[Ee]lders?|[Ee]nrolled|[Dd]aughter|[Ss]on|[Ff]rom|"
        rf"[Bb]elong\w*)(?: (?:of|in|with|to))? (?:the )?((?!United|All|Three)(?:{_CAPITAL} "
        rf"(?:\({_CAPITAL}\) )?){{1,3}}(?:First )?(?:Nations?|Tribe|Band|Rancheria|Pueblo)(?: of "
        rf"(?:the )?{_CAPITAL}(?: {_CAPITAL})?)?)\b(?! (?:Media|Broadcast|Newspaper|Building|Capital|Wide|Theat|"
        r"Orchestra|Leader))",
        r"\b(?:[Mm]ember|[Cc]itizen|[Dd]escendant|[Ee]lder|[Ff]rom)(?: of)? (?:the )?"
        rf"((?:Six|Five|Nine) Nations(?: of (?:the )?{_CAPITAL}(?: {_CAPITAL})?)?)\b(?! (?:rugby|cup|match|Rugby|Cup))",
        rf"(?<=\()({_CAPITAL} First Nations?)(?=\))",
    ),
    _written(
        "nation tribe",
        r"\b((?:Navajo|Cherokee|Choctaw|Chickasaw|Osage|Muscogee|Seminole|Oneida|Seneca|Onondaga|Mohawk|Cree|Ojibwe|"
        r"Blackfeet|Crow|Hopi|Lakota|Oglala Sioux|Standing Rock Sioux|Yakama|Tohono O'odham|Metis|Squamish|"
        r"Musqueam|Haida|Nisga'a|Dene) (?:Nation|Tribe)(?: of [A-Z]\w+)?)\b"
        r"(?! (?:Police|Department|Gaming|Casino|Housing|Hospital|Health))",
    ),
    _telling("status", r"\b(status indian)\b", r"\b(?:have|has|hold|holds|my) (indian status)\b"),
    _written(
        "indigene",
        rf"\b({_CAPITAL}(?:[ -](?:Ibom|River|Rivers|State))? [Ii]ndigene)\b",
        rf"\b([Ii]ndigene (?:of|from) (?:the )?{_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}}(?: [Ss]tate| LGA)?)\b",
    ),
    _telling("indigene", r"\b(?:am|is|as|proud) (?:an? )?([\w'-]+ (?:state )?indigene)\b"),
    _telling(
        "indigenous aboriginal",
        r"\b(indigenous|aboriginal) (?=traineeships?|cadetships?|internships?|scholarships?|bursary|apprenticeships?|"
        r"graduate (?:program|intake)|employee (?:network|group|resource)|staff (?:network|association)|students? |"
        r"network|mentor\w*|pathways?|recruitment|leadership|businesses|australians?|cadet|trainee)",
    ),
    _telling(
        "racialized racialised",
        r"\b(raciali[sz]ed)(?: (?=person|woman|man|people|women|communit|group|minorit|individual|canadian|candidate|"
        r"youth|applicant|immigrant|student|professional|background|and|academic|scholar)|(?=[ ]?[.,;)]|$))",
    ),
    _telling(
        "hispanic nonhispanic non",
        r"\b((?:white|black|asian)(?:,| or [a-z ]{3,20})?[ -]+\(?(?:non-?|not )hispanic(?: or latin[oaex]+)?\)?)",
    ),
    _telling(
        "white",
        rf"{START}(white)(?=(?:, ?|/| and |; ?)(?:male|female|man|woman|british|irish|european|english|"
        r"scottish|welsh|middle[- ]class|working[- ]class|rural|straight|first|american|australian|southern|\d\d\b))",
        r"\b(?:i am|i'm|identify as|race is|ethnicity is|identifies as) (white)\b(?! (?:hat|box|belt|collar|space))",
    ),
    _telling(
        "hispanic nonhispanic", r"\b((?:not|non)[ -]?hispanic(?: (?:or|/) ?latin[oaex]+)?(?: (?:white|black))?)\b"
    ),
    _telling(
        "generation",
        r"\b(windrush generation)\b(?! (?:project|events?|scandal|compensation|exhibition|archive|day))",
        r"\b((?:first|second|third|1st|2nd|3rd|1\.5)[- ]generation[ -](?:[a-z]+(?:ish|ese|[a-z]an|ani|ean|i))"
        r"(?: (?:immigrant|refugee|migrant|american|canadian|australian|"
        r"briton))?)\b(?![ -](?:[a-z]+[ -]){0,2}(?:computer|ipad|iphone|college|university|graduate|student|"
        r"scholar|products?|lines?|models?|versions?|platforms?|chips?|machines?|range)\b)",
    ),
    _written(
        "i'm+from am+from is+from are+from originally+from proudly+from",
        r"\b(?:I'm|I am|[Ss]he is|[Hh]e is|[Ww]e are) (?:originally |proudly )?from ((?:the )?(?!(?:The|A|"
        rf"Head)\b){_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})(?= originally|[ ]*(?:[.,;\n]|$)| and (?:moved|came|grew|now|"
        r"speak))",
    ),
    _telling(
        "born",
        r"\b((?:british|american|canadian|australian|uk|us|overseas|foreign|london|irish|african|"
        r"caribbean)[ -]born) (?=[a-z])",
        not_in=OFFICE,
    ),
    _telling(
        "visa",
        r"\b(visa (?:subclass )?\(?[145689]\d\d\)?)(?! (?:cards|transactions|merchants|customers|users|"
        r"clients))(?![\d,.])",
        not_in=OFFICE,
    ),
    _written(
        "cree ojibwe mohawk blackfoot dene haida salish lakota dakota mohegan",
        r"(?:\b[Aa]m |\b[Ii]'m |\b[Pp]roud |\()(Cree|Ojibwe|Mohawk|Blackfoot|Dene|Haida|Salish|Lakota|Dakota|"
        r"Mohegan)(?![\w-])",
        r"\b(Cree|Ojibwe|Mohawk|Blackfoot|Dene|Haida|Salish|Lakota|Mohegan)(?= (?:from|on my|by birth|"
        r"and proud|status)|, (?:enrolled|member|raised|citizen))",
    ),
    _telling("ukraine", r"\b(homes for ukraine)\b(?= scheme| visa|[ ]?[.,;)]|$| sponsor)", not_in=OFFICE),
    _telling(
        "d+2 d+8 d+10 e+1 e+2 e+3 e+4 e+5 e+6 e+7 e+8 e+9 f+1 f+2 f+3 f+4 f+5 f+6 f+7 f+8 f+9 h+4 h+1b h1b j+1 j+2 "
        "l+1 l+1a l+1b l+2 l+2a l+2b o+1 o+1a o+1b tn",
        r"(?<![\w-])(e-\d|d-(?:2|8|10)|l-[12][ab]?|o-1[ab]?|h-4|h-?1b|f-\d|j-[12]|tn)(?![\w-])",
        only_in=pattern(
            r"\b(?:passport|visas?|ead|green card|spouse|dependent|sponsorship|citizen|intra-?company transfer|"
            r"uscis|i-?\d{3})\b"
        ),
        not_in=OFFICE,
    ),
    # Classes of visa with what goes with them: `F-1 STEM OPT`, `L-2 spouse EAD`, `H4 dependent visa`.
    _telling(
        _CLASSES,
        r"(?<![\w-])((?:e-?[123]|[fjklop]-?[12][ab]?|h-?(?:1-?b|4)|tn|td)(?:,? (?:stem |spouse |student |dependent |"
        r"dependant |holder |visa |post-completion )*(?:stem|opt|cpt|ead|visa(?: holder)?|spouse|dependent|dependant|"
        r"status|(?:stem )?(?:opt )?extension|student)))(?![\w-])",
        not_in=OFFICE,
    ),
    _telling(
        "opt cpt",
        r"\b(?:with|on|and|under|in|currently|my|stem|for) (opt|cpt)(?= (?:until|till|ead|stem|through|extension|valid|"
        r"ends|expires|now)|[ ]?[.,;)]|$)",
        only_in=pattern(r"\b(?:f-?1|ead|stem (?:opt|extension)|visa|uscis|i-20)\b"),
        not_in=OFFICE,
    ),
    _written(
        "residence residency",
        r"\b(?:with|have|has|hold|holds|under|on|my|and) (?:an? )?(?:permanent |temporary |valid )?"
        r"([A-Z][a-z]+(?:an|ish|ese|i|ch|ss|tch|sh) (?:residence|residency)(?: permit| card| visa)?)\b",
        not_in=OFFICE,
    ),
    _telling("permit", r"\b((?:swiss|liechtenstein) [bcgl][ -]permit)\b(?! (?:office|applications))", not_in=OFFICE),
    _telling(
        "nacionalidad nationalite ciudadania cittadinanza "
        "staatsangehorigkeit staatsburgerschaft nacionalidade cidadania "
        "obywatelstwo nationaliteit",
        r"\b((?:doble|double|doppelte|dupla|doppia|dubbele|podwojne|[a-z]{4,}(?:sche|zer|kie)) (?:nacionalidad|"
        r"nationalite|ciudadania|cittadinanza|staatsangehorigkeit|staatsburgerschaft|nacionalidade|cidadania|"
        r"obywatelstwo|nationaliteit))",
        r"\b((?:nacionalidad|nationalite|ciudadania|cittadinanza|nacionalidade|cidadania) [a-z]{3,}(?:ana|ola|"
        r"esa|ina|ense|uaya|ena|aise|ienne|aine|oise|iana|ese|eira|ca|sa))\b",
    ),
    _telling(
        "refugees refugee migrants migrant immigrants immigrant exiles seekers",
        r"\b(?:parents|grandparents|family|mother|father|grandfather|grandmother|we|they|i)(?: [a-z]+){0,2}? "
        r"(?:were|was|are|am|came(?: here)? as|arrived as|fled as) (?:an? )?"
        r"((?:political |economic |war )?(?:refugees?|migrants?|immigrants?|exiles?|asylum[ -]seekers))\b(?= from)",
    ),
    _telling(
        "tribal",
        r"\b(?:on|from|"
        r"off) (?:the )?(tribal lands?)\b",
        r"\b(tribal (?:id|card|member))\b(?! services| games?)",
    ),
    _telling("status", r"\b((?:indian )?status card(?: holder)?)\b(?! (?:reader|colou?rs?|design|component))"),
    _telling("passports", r"\b(?:hold|holds|have|has|carry|carries) ((?:two|2|dual) passports)\b"),
    _written(
        "ep spr dp ltvp",
        r"\b(EP|DP|LTVP\+?) (?=holder)",
        r"(?:^|\n[ \t]*|[:;|] ?)(SPR)(?=[ ]*(?:[.,;|\n]|$| since| holder))",
        r"\b(?:hold|have|on|under|with|granted|my) (TPS)\b(?! (?:report|system|load))",
    ),
    _telling("tps", r"\b(?:hold|granted|under|have) (tps)\b(?! (?:reports?|systems?|load|tests?))", not_in=OFFICE),
    _written(
        "dreamer dreamers",
        r"\b(?:a|as a|DACA|former|undocumented) (Dreamer)\b(?=[ ]*[.,;)\n]|$| (?:under|"
        r"with|who|and))",
    ),
    _telling(
        "remain",
        r"\b(?:have|has|hold|holds|granted|got|my|with) (?:the )?((?:right|"
        r"permission) to remain)\b(?! (?:silent|anonymous))",
        not_in=OFFICE,
    ),
    _telling("gc", r"\b(gc (?:holder|ead))\b"),
    _telling(
        "dual",
        r"\b(dual (?:nationality|citizenship|nationals?|citizens?)(?: holder)?)\b(?! (?:laws?|clients|cases|issues|"
        r"advice))",
        not_in=OFFICE,
    ),
    _telling(
        "reservation rez reserve",
        r"\b(?:grew up|raised|born|live|lived|living|childhood|home|family|youth|years|summers|came|come|returned|"
        r"moved back|brought up)(?: [a-z]+){0,2} (?:on|from|off|to) (?:the |an? |my |our )?"
        r"(?!(?:[\w-]+ ){0,2}(?:nature|game|forest|wildlife|marine|army) )((?:[\w'-]+ ){0,3}(?:reservation|rez|"
        r"reserve))\b(?! (?:desk|team|system|staff|clerk|agent|price|fund|bank|force|squad))",
        rf"(?:{START}|\bfrom (?:the )?)((?:[\w'-]+ ){{1,2}}(?:indian |first nation )?(?:reservation|reserve) "
        r"(?=native|member|resident|raised|born))",
        r"\b((?:[\w'-]+ ){1,2}indian reservation)\b",
        not_in=pattern(
            r"\b(?:hotels?|booking|restaurants?|guests?|airline|tables?|auction|army|bird|safari|wildlife)\b"
        ),
    ),
    _written(
        "immigrant immigrants refugee refugees migrant migrants",
        r"\b(?:[Vv]olunteer|[Mm]ember|[Tt]rustee|[Tt]utor|[Mm]entor|[Tt]reasurer|[Ss]ecretary|[Cc]hair|[Oo]rganis?z?er|"
        r"[Hh]elper|[Ff]ounder|[Bb]oard|[Ss]peaker)(?: [a-z]+){0,2}(?:,| of| at| with| for|"
        r" in)(?: the)? (?:[A-Z][\w'-]+ ){0,3}(Immigrants?|Refugees?|Migrants?)(?='? [A-Z])",
    ),
    _telling(
        "undocumented",
        r"\b(?:was|am|were|grew up|been|became|being|formerly|once|as an?|i'm) (undocumented)\b"
        r"(?! (?:features?|apis?|code|process\w*|behaviou?r|changes?|systems?|work))",
        not_in=pattern(r"\b(?:api|code|legacy|endpoints?|software|clients|process(?:es)?|procedures?|assets)\b"),
    ),
    _telling("kindertransport", r"\b(?:on|by|through|with|via) (?:the |a )?(kindertransport)\b"),
    _telling("unaccompanied", r"\b(unaccompanied (?:minor|child|asylum[ -]seeking child))\b(?!ren)", not_in=OFFICE),
    _telling(
        "ee bee bbbee bbee",
        r"\b((?:ee|bee|bbbee|b-bbee)[ -](?:candidate|applicant|appointment))\b(?! [a-z]|s)",
    ),
    _telling(
        "islander hispanic minority indigenous racialized racialised aboriginal",
        r"\b(?:torres strait islander|hispanic or latin[oax]+|hispanic/latino|visible minority|racialized person|"
        r"raciali[sz]ed|indigenous person|aboriginal person)(?: (?:origin|descent|status|person))?[ \t]*[?:|][ \t?:|-]*"
        r"(yes|no(?:ne)?|neither|prefer not to (?:say|answer)|n/a)\b",
        confidence=0.92,
    ),
    _telling(
        "tps asylee parolee",
        r"\b(tps)(?: holder| status|,? (?:valid|until))\b",
        r"\b(?:i am|i'm|am|as|an?) (asylee|parolee)\b",
        rf"{START}(asylee)\b",
        not_in=OFFICE,
    ),
    _telling(
        "seeker",
        rf"(?:{START}|\b(?:i am|i'm|am|as|was|former) (?:an? )?)((?:former )?asylum[ -]seeker)\b"
        r"(?! (?:support|team|accommodation|services?|cases?|housing|project))",
    ),
    _telling(
        "refugee immigrant migrant seeker",
        rf"{START}((?:former |once an? |an? |proud |first-generation )?(?:refugee|immigrant|migrant))"
        r"(?=,? (?:from|and (?:first|proud|the|single|a\b)|who|since|in (?:19|20)|at (?:age|the age)|turned|"
        r"background|by)|"
        r"[ ]?[,.;)])(?! (?:rights|law|support))",
        r"\b(?:came|arrived|landed|moved|fled)(?: (?:here|over|in|to|from) ?(?:the |"
        r"this )?[\w.]*(?: [\w.]+)?)?,? as (?:an? )?"
        r"((?:[a-z]{3,}(?:an|ese|i|ish|al) )?(?:refugee|immigrant|migrant|asylum seeker))\b",
        not_in=pattern(r"\b(?:legal aid|caseworkers?|clients|camps?|agency|resettlement agency)\b"),
    ),
    _telling(
        "hispanic aboriginal indigenous sponsorship citizen latino visa",
        r"\b(?:are|do|will|would) you (?:[^?\n]{0,90}\b)?(?:hispanic|aboriginal|indigenous|sponsorship|citizen|"
        r"latino|visa)\b[^?\n]{0,80}\?[ \t]*[:|-]?[ \t]*\n?[ \t]*"
        r"(yes|no(?:ne)?|prefer not to (?:say|answer)|n/a)\b",
        confidence=0.92,
    ),
    _telling(
        "equity",
        r"\b(equity[- ](?:deserving|seeking) (?:group|communit(?:y|ies)|candidate))\b",
    ),
    _telling(
        "bipoc bame aapi latinx",
        r"\b(bipoc|bame|aapi|latinx)\b(?= (?:staff|employee|network|students?|founders?|mentor|erg|person|woman|women|"
        r"professionals?|alumni|group|leader|artist|youth))",
    ),
    _telling(
        "dialect",
        r"\bdialect(?: group)?[ \t]*[:|=-][ \t]*([a-z]+(?: [a-z]+)?)(?=[ \t]*(?:[\n,;|/]|$))",
        not_in=pattern(r"\b(?:sql|postgresql|lisp|xml|mysql|markdown)\b"),
    ),
    _telling("preference", r"\b((?:american |alaska native )?indian preference)\b(?! (?:polic|regulation|act))"),
    _telling(
        "immigrant refugee migrant",
        rf"{START}((?:[a-z]+ )?(?:immigrant|refugee|migrant)) (?=(?:founder|entrepreneur|professional|scholar|student|"
        r"leader|writer|artist|journalist|academic|women|youth)s?'? (?:fellow\w*|network|scholar\w*|program\w*|award|"
        r"alumn\w+|circle|association|collective|cohort|accelerator|mentee|bursary|prize|grant))",
    ),
    _telling(
        "refugees immigrants migrants exiles",
        r"\b(?:child|son|daughter|kid|grandchild|grandson|granddaughter|born|raised|family) (?:of|to|by) (?:two )?"
        r"((?:[a-z]+(?:an|ese|ish|i|ic|ch|al|k|se|ean|economic|political) )?(?:refugees|immigrants|migrants|exiles))\b"
        r"(?! (?:rights|law|support))",
        not_in=OFFICE,
    ),
    _written(
        "first",
        r"\b[Ff]irst ((?:openly )?(?:Black|Asian|Latino|Latina|Hispanic|Indigenous|Native|Arab|Roma|Aboriginal|African)"
        r"(?:[- ]American)?)(?= (?:(?:[a-z]+) )?(?!customer|supplier|order|distributor|investor|dealer|competitor|"
        r"carrier|buyer|reseller|retailer|subscriber)[a-z]{2,}(?:er|or|ist|ian|ant|woman|man|head|chair|captain|"
        r"president|nurse)\b)",
        not_in=pattern(r"\b(?:museum|exhibition|book on|biograph\w+|documentar\w+)\b"),
    ),
    _written(
        "black", r"\b(Black)(?= Business (?:Fund|Network|Association|Alliance|Council|Owners|Expo|Chamber|Forum))"
    ),
    # Networks of an employer: `Black @ Kestrel`.
    _written(
        "black",
        r"\b(Black)(?= @ ?[A-Z]| (?:at|in) [A-Z][\w'-]+(?: [A-Z][\w'-]+)?(?: (?:[a-z]+ )?(?:ERG|"
        r"[Nn]etwork|[Gg]roup|[Cc]hapter|[Cc]ommunity|[Cc]ommittee)\b|, (?:our|the|an?) (?:employee|staff)))",
    ),
    _telling("historically+black", r"\bhistorically (black)\b"),
    _written(
        "born",
        r"\b([A-Z][a-z]+(?:ian|ean|an|ese|ish|ani|qi|li|ch|ek|ss)[ -]born)(?=,| (?:and|engineer|nurse|teacher|"
        r"accountant|raised|resident|chef|driver|cook|designer|developer)\b)",
        not_in=OFFICE,
    ),
    _written(
        "diploma degree licence license qualification qualifications diplomas",
        r"\b[Mm]y ([A-Z][a-z]+(?:ian|ean|an|ese|ish|ani|qi|li|ch|ek)) (?:[a-z]+ )?(?:diplomas?|degrees?|licen[cs]e|"
        r"qualifications?)\b",
        only_in=pattern(
            r"\b(?:recogni[sz]ed|recognition|converted|equivalen\w+|validated|assessed|anerkannt|naric|enic)\b"
        ),
    ),
    _telling(
        "nationality",
        r"(?:^|[\n|;\u2022\u00b7][ \t]*)nationality[ ]"
        r"([a-z]+(?:an|ese|ish|i|ch|ine|sh|k)(?:[ /][a-z]+(?:an|ese|ish|i|ch))?)"
        r"(?=[ \t]*(?:$|[|;\n]))",
    ),
    _telling(
        "gyopo kyopo zainichi nisei sansei issei", r"\b(gyopo|kyopo|zainichi|nisei|sansei|issei)\b(?! [a-z]+ ltd)"
    ),
    _telling(
        "citizenship nationality passport passports",
        r"\b(dual [a-z]{2,}(?: kingdom| states)? ?(?:and |/ ?|& )[a-z]{2,} (?:citizenship|nationality|passports?))\b",
        not_in=pattern(r"\b(?:clients?|cases|applicants|law|petitions?)\b"),
    ),
    _telling("visa", r"\b(special immigrant visa)\b", not_in=OFFICE),
)
