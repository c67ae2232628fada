"""MARITAL: births, babies due, fertility treatment, numbers of children, families of four, told in a few words.

Kept: families of products, babies on a ward, expected deliveries, IVF laboratories, children as clients.
"""

from functools import partial

from evenhand.resumes.categories.marital_children import CHILD, counted
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_SPOUSE = r"(?:husband|wife|spouse|partner|fiancee?|girlfriend|boyfriend)"
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|spring|summer|autumn|fall|winter|easter|christmas|"
    r"eid|diwali|(?:19|20)\d\d|new year"
)
_WHEN = rf"(?:(?:early|late|mid|the|this|next|about|around|end of)[ -](?:the )?)*(?:{_MONTH}|month|year|week|term)\b"
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|[2-9])"
_SELF = pattern(r"\b(?:i|i'm|me|my|we|us|our|self|myself)\b")
_AT_WORK = pattern(
    r"\b(?:wards?|patients?|clients?|midwi\w+|obstet\w+|nurses?|hospital|customers?|pupils|students|"
    r"residents|survey\w*|ewes?|mares?|cows?|deliver(?:y|ies)|shipments?|stock|case studies|recipes?|products?|labs?|"
    r"laborator\w+|clinics?|embryo\w*|andrology|research|trials?|stud(?:y|ies)|technicians?|unit|sales|donors?|"
    r"protocols?)\b"
)

_telling = partial(telling, "MARITAL")
_COUNT = (
    r"(?:\d\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty(?:-\w+)?|thirty(?:-\w+)?|"
    r"forty|many)"
)

TELLINGS = (
    _telling(
        "children kids dependents dependants sons daughters offspring siblings",
        r"(?:\bnos?\.?|\bnr\.?|#)(?: of)? (?:(?:minor|own|living|dependent|"
        r"unmarried|school-age|small) )*(children|kids|dependents|dependants|sons|daughters|offspring|siblings)"
        r"(?=[ ]*[:=|\t]|[ ]+\d\b)",
        not_in=pattern(r"\b(?:class|taught|per class|enrolled|enrolment|capacity|cared for|served|reached)\b"),
    ),
    _telling(
        "parent mother mum mom father dad",
        r"\b(?:(?:school|school board|pta|pto|ptsa|class|nursery|daycare|council|sen|swim|scout|room|lead|board|"
        r"elected|team) )+(parent|mother|mum|mom|father|dad)(?: (?:rep|representative|volunteer|governor|member|"
        r"liaison|helper|chair|council))?\b(?=[^.;\n]{0,40}[\s](?:my|our))",
        r"\b((?:parent|mum|mom|dad) (?:rep|representative|volunteer|helper|liaison|council|governor))\b"
        r"(?=[^.;\n]{0,30}\s(?:my|our))",
        not_in=pattern(r"\b(?:recruit\w*|led a team|engag\w+|managed)\b"),
    ),
    _telling(
        "family",
        r"\b(?:self and|me and|for (?:a|my|our|the)|my|our|with (?:a|my)|support(?:s|ing)? a|feeds? a|rais(?:e|"
        r"ed|ing) a|"
        rf"move|relocat\w+|a|as a|we are a) (?:\w+ )?(family of {_NUMBER})\b",
        only_in=pattern(
            r"\b(?:i|i'm|my|we|our|self|myself|relocat\w*|health plan|insurance|visas?|housing|accommodation|"
            r"breadwinner|package|cover|earner)\b"
        ),
        not_in=pattern(
            r"\b(?:products?|fonts?|chips?|recipes?|meals? for|brands?|standards|species|processors?|clients?|"
            r"customers?|tickets?|typical|average|tours?|menus?|cost of feeding|budget for)\b"
        ),
    ),
    _telling(
        "birth",
        rf"\b(?:my|our) (?:\w+ )?{_SPOUSE} (?:had |just |was )?((?:gave|given|giving) birth)\b",
        r"\b(?:i|she|we|and|after|since|before|until|of|when she|when i) (?:had |just |was |recently )*"
        r"((?:gave|given|giving) birth)\b(?! (?:to (?:a|an|the|our|this|new) (?!son|daughter|boy|girl|baby|child|twins|"
        r"first|second|third|healthy|little|triplets)))",
        not_in=_AT_WORK,
        only_in=_SELF,
    ),
    _telling(
        "labour labor",
        rf"\b(?:i|{_SPOUSE}) (?:had )?((?:went|gone|was) (?:into|in) labou?r)\b",
        only_in=_SELF,
        not_in=_AT_WORK,
    ),
    _telling(
        "expecting",
        rf"\b(?:i|we|my {_SPOUSE}|she) (?:was|were|are|am|is|'re|had been|have been) (?:then |also |now |still |both )*"
        rf"(expecting)(?=(?: again| then| by| in| at the time| around| when| while| during| for| this| next)*"
        rf" (?:{_WHEN}|and (?:i|we|my|it|took|moved)|the time|i\b|we\b|my\b)|(?: again)?,? (?:so|and so|which|hence) "
        r"(?:i|we|the|my)\b|[ ]*[.;)](?=[\s]|$))(?! in (?:19|20)\d\d (?:to|that))",
        r"\b(?:i'm|we're) (?:also |now |both )*(expecting)(?= (?:in|this|next|again|around|and)\b|[ ]*[.;,)])",
        not_in=pattern(
            r"\b(?:deliver(?:y|ies)|shipments?|results?|growth|orders?|traffic|audit|parcels?|visitors?|inspectors?|"
            r"reply|answer|offer)\b"
        ),
    ),
    _telling(
        "baby child twins triplets son daughter first second third",
        r"\b(?:with|and|have|expecting|our|my|a|an|another|second|first|third|new|little|of) ((?:baby|child|twins|"
        r"triplets|son|daughter|girl|boy))(?= (?:is |was |are |were |now )?(?:due|on the way|on its way|"
        r"arriving|expected)(?: (?:in|at|this|next|by|around|any|soon|early|late|on|before|after)\b|[ ]*[.,;)]|$))",
        r"\b(?:our|my) (first|second|third|fourth)(?= (?:is |was )?(?:due|on the way)\b)",
        not_in=_AT_WORK,
    ),
    _telling(
        "grandparent grandmother grandfather grandma grandpa nana granny grandad mother father mum mom dad parent "
        "stepmother stepfather stepdad stepmum",
        rf"{START}(?:proud |young |new |doting )?((?:great-)?(?:grandparent|grandmother|grandfather|grandma|grandpa|"
        r"granny|grandad|mother|father|mum|mom|dad|parent|stepmother|stepfather|stepdad|stepmum))"
        rf"[ ]*(?=(?::|,|;|\(|-)[ ]*(?:{_NUMBER}|one|a|an|\d) (?:[a-z-]+ ){{0,2}}(?:grand|step)?(?:child|kid|"
        r"son|daughter|boy|girl|bab|twins|teen|toddler))",
    ),
    _telling(
        "children kids child sons daughters boys girls twins",
        rf"(?:,|;| and| with|/) ((?:no |an? |our |and )?{counted(CHILD)})(?=[ ]*(?:[.,;)|\n]|$))",
        only_in=pattern(
            r"\b(?:married|marriage|divorced|separated|widow(?:ed|er)?|wedding|engaged|single (?:parent|mother|father|"
            r"mum|mom|dad)|husband|wife|nikah|common[- ]law|de facto|civil union|remarried|handfast\w*|spouse|"
            r"household|breadwinner|cohabit\w*|estavel|union libre|union de hecho|unmarried|"
            r"casad[oa]|solter[oa]|solteir[oa]|viud[oa]|viuv[oa]|separad[oa]|divorciad[oa]|coniugat[oa]|"
            r"sposat[oa]|mariee?|pacsee?|verheiratet|ledig|geschieden|gehuwd|getrouwd|samenwonend|samboer|evli|zonaty|"
            r"mezatka|kawin|menikah|never married|partnered|in a relationship|jef[ea] de hogar)\b"
        ),
        not_in=pattern(
            r"\b(?:clients?|patients?|pupils|photograph\w*|venues?|registrar|cases?|guests?|counsel\w*|catering|cakes?|"
            r"planner|portraits?|novel|film|play)\b"
        ),
    ),
    # Who comes along: `Partner and baby come along`, `FIFO fine: partner and bub are used to it`.
    _telling(
        "baby bub bubs bubba kids kid children child boys girls son sons daughter daughters twins toddler "
        "toddlers newborn bairn bairns tamariki little+ones",
        rf"\b((?:{_SPOUSE}|missus|hubby|other half)(?: and|,| &| plus|,? with)(?: (?:the|our|my|an?|one|two|"
        r"three|four|new|young|small|baby|teenage|both|little))* (?:baby|bubs?|bubba|kids?|children|child|boys|girls|"
        r"sons?|daughters?|twins|toddlers?|newborn|bairns?|tamariki|little ones))\b(?!'|-)",
        not_in=_AT_WORK,
    ),
    _telling(
        "first-born firstborn first+born second-born lastborn last-born arrival",
        r"\b(?:our|my) ((?:first|second|third|last)[- ]?born|(?:new|little|latest|tiny|first|"
        r"second) arrival)(?= (?:came|arrived|was|is|now|turned|starts?|started|goes|joined|in|at|has|made|keeps|"
        r"and)\b|[ ]*[.,;)]|$)",
    ),
    _telling(
        "honeymoon",
        r"\b(?:gap|break|year|months?|leave|weeks?|sabbatical|time off|travel\w*|trip|"
        r"pause)\b[^.;\n]{0,24}?(?:[:(,-] ?|\bfor |"
        r"\bas |\bon |\bwas |\bwith )(?:an? |my |our |the )?(?:[a-z]+ )?(honeymoon)\b(?! (?:period|phase|suite|"
        r"couples|packages))",
        r"\b(honeymoon)(?= that (?:grew|turned|became|lasted|took))",
        not_in=_AT_WORK,
    ),
    _telling(
        "wedding",
        rf"{START}(?:my |our |own )?(wedding)(?=,? (?:and|&|plus) (?:my |the |a |an |"
        r"our )?(?:[a-z]+ )?(?:exams?|thesis|"
        r"defen[cs]e|graduation|move|house|relocation|degree|promotion|baby|visa|honeymoon|emigration|finals?|viva|"
        r"dissertation|new job|deadline|go-live|product launch)\b)",
        not_in=pattern(
            r"\b(?:photo\w*|venues?|clients?|planner|cater\w*|couples|florist\w*|guests?|dj|bookings?|film\w*)\b"
        ),
    ),
    _telling(
        "kids' boys' girls' kids children's son's daughter's sons' daughters'",
        r"\b(?:help(?:s|ed|ing)?(?: out)?|volunteer(?:s|ed|ing)?|referee(?:s|d)?|umpires?|cook(?:s|ed)?|bakes?|"
        r"steward(?:s|ed)?|linesman|taxi|driver|coach(?:es|ed)?) (?:at|with|for|to|of) (?:the |my |our )((?:kids|boys|"
        r"girls|sons?|daughters?)'s?)(?= (?:(?:football|school|cricket|swim\w*|netball|rugby|hockey|tennis|judo|scout|"
        r"dance|athletics|gymnastics|basketball|soccer|sunday|primary|local|music|chess) )?(?:club|school|team|matches|"
        r"class|training|sports|football|cricket|games|teams|pta|fete|fair|scouts|band|choir|parties)\b)",
        not_in=pattern(r"\b(?:u-?\d+s?|academy|employed|paid|charity|camp|manager)\b"),
    ),
    _telling(
        "sambo",
        rf"{START}(sambo)(?=,? (?:and |with |med |og |och )?(?:one|two|three|four|no|a|en|ett|tva|tre|to|my|min|"
        r"\d) |,? (?:since|sedan|siden) )",
        not_in=pattern(r"\b(?:judo|wrestl\w*|martial|championships?|wushu|coach\w*)\b"),
    ),
    # Who is cared for, and in what capacity.
    _telling(
        "carer caregiver",
        r"\b((?:(?:full|part)[- ]time |family |unpaid |primary |sole |main )*(?:carer|caregiver) for "
        r"(?:an?|my|our|his|her|their|two|three) (?:[a-z]+ ){0,2}"
        r"(?:child(?:ren)?|toddlers?|bab(?:y|ies)|sons?|daughters?)(?: under \w+)?)\b",
        not_in=pattern(r"\b(?:agency|clients?|employed|residents?|domiciliary|wages?|salary|patients?|hospice)\b"),
    ),
    _telling(
        "carer caregiver",
        r"\b((?:(?:full|part)[- ]time |family |unpaid |primary |sole |main |young )*(?:carer|"
        r"caregiver))(?= (?:for|to|of) (?:my|our|an?|his|her|their|the) (?:[a-z]+ ){0,3}(?:mother|father|mum|mom|dad|"
        r"parents?|brother|sister|husband|wife|partner|spouse|son|"
        r"daughter|grand[a-z]+|uncle|aunt|child|toddler|baby|relative|nephew|niece|in-laws?|sibling|twins?)\b)",
        not_in=pattern(r"\b(?:agency|clients?|employed|residents?|domiciliary|wages?|salary|patients?)\b"),
    ),
    _telling(
        "dependent dependant dependents dependants",
        r"\b(?:h-?4|l-?2|f-?2|j-?2|visa|permit|pass|iqama|status|ead) (?:visa |status |permit |"
        r"holder )?as (?:an? |the |his |her )?(depend[ae]nt(?: (?:spouse|wife|husband|child))?)\b",
    ),
    _telling(
        "grandkids grandchildren triplets twins",
        r"\b(?:(?:two|three|four|five|six|seven|[2-9]) |weekends? with (?:the |my )?)(grandkids|grandchildren)\b",
        rf"{START}(triplets|twins)(?=[ ]*[.;,](?:[ ]|\n|$))",
        not_in=_AT_WORK,
    ),
    _telling(
        "baby toddler newborn childcare",
        r"\b(?:have|has|with|and|had) ((?:an? |our |my )?(?:new |small |little )?(?:baby|toddler|newborn)(?: at home)?)"
        r"(?= (?:and no|at home|who|since|to)\b|[ ]*[.,;\n])",
        r"\b(?:asks?|asked|asking|enquired|looking|need|needs) (?:about |for )?(childcare"
        r"(?: for (?:an? |my |his |her |our )?(?:toddler|baby|child|son|daughter|two|three))?)",
        not_in=_AT_WORK,
    ),
    # Common-law and de facto couples, without a noun: `De facto of eight years`.
    _telling(
        "facto law",
        r"\b(?:lives?|living|lived|together) (common[- ]law|de facto)(?= (?:with|since|for)\b|[ ]*[.,;)\n])",
        rf"{START}(?:in a |living )?(de facto|common[- ]law)(?= (?:of|for) (?:\w+ )?(?:years?|\w+ years)\b|"
        r",? (?:\d+|two|three|four|five|six|seven|eight|nine|ten) years\b|[ ]*(?:[.;\n]|$)|, (?:no|one|two|three|with|"
        r"mortgage|living|together|and|since|relocat\w+|open|partner)\b| (?:spouse|partner|couple|relationship|union|"
        r"husband|wife|visa|with (?:my|one|two|a|no)))",
        not_in=pattern(r"\b(?:jurisdictions?|contracts?|torts?|standard|legal|court|rules?|lawyer|notary)\b"),
    ),
    _telling(
        "ivf icsi iui",
        r"\b(?:the|my|our|her|for|an?|through|during|after|of|between|failed|round of|rounds of|cycles of|undergoing|"
        r"underwent|had|having|with) ((?:ivf|icsi|iui)(?: (?:treatments?|cycles?|rounds?|journey|appointments?|"
        r"attempts?|process|leave))?)\b",
        only_in=pattern(
            r"\b(?:i|my|we|our|gap|explains?|break|leave|career|time off|months|part-time|paused?|absence|reduced|"
            r"sabbatical|hours)\b"
        ),
        not_in=pattern(
            r"\b(?:labs?|laborator\w+|embryo\w*|clinics?|nurs\w+|technicians?|andrology|consultants?|patients?|units?|"
            r"cent(?:re|er)s?|trainee|scientist|sales|research|theatre|stud(?:y|ies)|protocols?|clients?|couples|"
            r"polic\w+|benefits?|cover(?:ed|age)|animals?|cattle|bovine|employees)\b"
        ),
    ),
    _telling(
        "maternity paternity",
        rf"(?:{START}|\b(?:i|since|after|on|and|when i) )((?:just |recently )?(?:returned|returning|came back|"
        r"coming back|back|return) from (?:my |a )?(?:maternity|paternity))\b(?! (?:leave|pay|ward|unit|hospital|cover|"
        r"clinic))",
    ),
    # One's parting as an item of a list, with what was settled then; births and classes of one's children.
    _telling(
        "separated divorced widowed remarried estranged",
        rf"{START}((?:(?:fully|mutually|formally|informally|amicably|legally|recently|happily|newly|now|"
        r"currently) )*(?:separated|divorced|widowed|remarried|estranged))"
        r"(?=[,;:] (?:shared|joint|sole|split|alternate|alternating|equal|full|co-?parent\w*|custody|every (?:second|"
        r"other)|with|two|three|four|one|no|a|my|amicabl\w+|since|raising|father|mother|children|kids|sons?|daughters?|"
        r"parent\w*|living|lives?|free|in (?:19|20)|(?:19|20))\b)",
    ),
    _telling(
        "child baby son daughter twins grandchild",
        r"\b(?:when|after|before|until|since) (?:our|my|his|her|the|their)? ?((?:first|second|third|fourth|youngest|"
        r"eldest|oldest|only|last|new) (?:child|baby|son|daughter|twins|grandchild))(?= (?:was|were|is|came|"
        r"arrived|turned|started|starts|turns|has|had|left|goes|went)\b)",
        not_in=pattern(r"\b(?:clients?|patients?|famil(?:y|ies) i|employers?'?|nanny|midwi\w+)\b"),
    ),
    _telling(
        "childcare care",
        r"\b(?:years?|months?|time|spell|period|stint|summer|break|paus\w+|leave|gap|sabbatical) (?:out )?(?:of|for|on|"
        r"spent (?:in|on)|devoted to|in|doing|with) (?:full-time |unpaid |sole |my own )?(child-?care)\b(?! "
        r"(?:provider|work\w*|experience|training|management|stud\w+|qualif\w+|nvq|sector|settings?|centre|center|"
        r"assistant))",
        rf"{START}(child-?care)(?= (?:years?|break|gap|leave|period|pause|career break|at home|full[- ]time|"
        r"(?:19|20)\d\d)\b)(?! (?:full[- ]time|years) (?:worker|manager|assistant|nurse))",
        not_in=pattern(r"\b(?:experience (?:of|in)|nanny|nursery nurse|diploma|level \d|vouchers?|provider)\b"),
    ),
    _telling(
        "engaged",
        rf"{START}((?:recently |newly |happily )?engaged)(?=[,;] (?:planning (?:to|a)|to be|wedding|marry\w*|getting|"
        r"moving|no (?:kids|children)|due to|with (?:a|the|our) wedding|hop\w+ to|soon|relocat\w+|will (?:marry|move))|"
        r" since| to (?:my|be (?:wed|married))\b|[ ]*(?:[.]?\n|\|))",
        rf"{START}(engaged)[.]?\Z",
        not_in=pattern(r"\b(?:stakeholders?|customers?|learners?|audience|students|clients|team)\b"),
    ),
    _telling(
        "divorce separation breakup marriage",
        r"\b(?:after|since|following|during|through|before|despite|because of|owing to|until|from) (?:my|our|his|her) "
        r"(?:(?:recent|own|long|messy|amicable|first|second) )?(divorce|separation|break-?up|marriage)\b(?! "
        r"(?:law|case|clients?|work|petition|of (?:powers|duties|concerns)|guidance|counsel))",
    ),
    _telling(
        "married widowed divorced marriage wedlock",
        rf"\b({_COUNT}(?: happy| good| long)? years? (?:of being |of )?(?:happily )?(?:married|wed|widowed|divorced|"
        r"marriage|wedlock))\b(?! (?:counsel|guidance|ministry|records|couples))",
    ),
    _telling(
        "newborn baby infant toddler arrival",
        r"\b(?:care|caring|looking after|looked after|home with|time with|break for|leave for|arrival of|"
        r"raising|gap for|pause for|off with|off for) (?:of |for )?(?:an?|my|our|his|her|the) ((?:premature |poorly |"
        r"second |first |third |adopted |sick )*(?:newborn|new-born|new baby|baby|infant|toddler|new arrival))\b(?!'s|"
        r"-| (?:unit|ward|care|food|products?|clothes|class|room|elephant|animals?|lambs?))",
        only_in=pattern(r"\b(?:gap|break|leave|career|year|sabbatical|paus\w+|time off|(?:19|20)\d\d|i|my|our|home)\b"),
        not_in=pattern(
            r"\b(?:nann\w+|nursery|ward|patients?|midwi\w+|units?|clinic\w*|neonatal|au pair|nicu|famil\w+)\b"
        ),
    ),
    _telling(
        "parent",
        rf"{START}((?:room |class |year )?parent)(?= (?:volunteer|governor|rep(?:resentative)?|helper|council member|"
        r"committee|coach|chaperone|reader|treasurer|secretary|chair)\b)(?! \w+ (?:coordinat|manag|recruit|"
        r"train|liaison))",
    ),
    _telling(
        "surrogate", rf"(?:{START}|\b(?:a|as|was) )(surrogate(?: mother| mum)?)(?= (?:for|to|mother|in (?:19|20))\b)"
    ),
    _telling(
        "cover",
        r"\b((?:maternity|paternity|adoption|parental)(?: leave)? cover)(?= (?:is|has been|was|already|now) (?:now |"
        r"already |being )?(?:arranged|in place|agreed|sorted|organi[sz]ed|found|planned)\b)",
        rf"{START}(expecting)(?= (?:in|by|this|next|around) (?:early |late |mid-?)?(?:january|february|march|april|may|"
        r"june|july|august|september|october|november|december|spring|summer|autumn|winter)[;,.] )",
    ),
)
