"""MARITAL: children cared for, custody, adopted relatives, grandchildren's days, weddings, told in a few words.

Kept: children of a class, a ward or a caseload, standards adopted, weddings as a trade, anniversaries of a firm.
"""

from functools import partial

from evenhand.resumes.categories.marital_children import CHILD, counted
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "MARITAL")

_KIDS_AT = (
    "child children kid kids boy boys girl girls son sons daughter daughters twins triplets baby babies newborn "
    "newborns infant infants toddler toddlers teenager teenagers teens stepchildren stepson stepdaughter dependents "
    "dependants grandchildren grandkids grandson granddaughter grandchild"
)
_SMALL = r"(?:newborns?|infants?|toddlers?|bab(?:y|ies)|twins|triplets|pre-?schoolers?|little ones?)"
_SMALL_AT = "newborn newborns infant infants toddler toddlers baby babies twins triplets preschooler preschoolers"
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|school (?:days|holidays)|term[- ]time|"
    r"mornings|afternoons|evenings|half[- ]terms?|summers|holidays)"
)
_WHOSE = r"(?:(?:my|our|his|her|their|the|an?|another) )?"
_BELIEVER = (
    r"(?:christian|muslim|jewish|hindu|sikh|catholic|buddhist|evangelical|mormon|orthodox|(?:wo)?man|male|female|"
    r"mother|father|parent|mum|mom|dad)"
)
_END = r"(?=[ ]*(?:$|[.,;:|)\n\"(/]|- ))"
_OTHERS = pattern(
    r"\b(?:taught|teach\w*|pupils|students|class(?:es|room)?|camps?|nann(?:y|ies)|au pair|childmind\w*|nurser(?:y|ies)|"
    r"wards?|patients?|clients?|orphan\w*|residents|shelter|midwi\w+|customers?|coach(?:ed|ing)?|caseload|safeguard\w*|"
    r"volunteer\w*|photograph\w*|workshops?|care home|playgroup|neonat\w+|nicu|paediatric\w*|pediatric\w*|"
    r"social work\w*|daycare cent\w+|agency|unit|families|law|settings?)\b"
)
_TRADE = pattern(
    r"\b(?:venues?|clients?|photograph\w*|planners?|cater\w+|bookings?|brides|bridal|couples|florist\w*|flowers|guests|"
    r"cakes?|packages|receptions?|menus?|dj|filmed|films?|gowns?|playlist|fairs?|sales|hotel|compan(?:y|ies)|firm|"
    r"brand|store|shop|club|society|charity|foundation|gala|choir|campaign|edition|magazine|issue|celebrants?|"
    r"registrars?|barn|lawn|season|chapel|march|dress(?:es)?)\b"
)
_JUBILEE = (
    r"(?:(?:first|second|third|fifth|tenth|fifteenth|twentieth|twenty-fifth|thirtieth|fortieth|fiftieth|paper|tin|"
    r"crystal|china|silver|pearl|ruby|coral|golden|diamond|\d\d?(?:st|nd|rd|th)|[a-z]+ieth|own|joint) )+"
)

TELLINGS = (
    # Custody of whom, and children whom a foster parent has had.
    _telling(
        _KIDS_AT,
        rf"\b(?:custody|guardianship|residence|parenting|care) of ({_WHOSE}{counted(CHILD)})(?!'s|-)",
        only_in=pattern(r"\b(?:custody|separated|divorced?|co-?parent\w*|guardianship)\b"),
        not_in=pattern(r"\b(?:law|clients?|cases?|caseload|hearings?|court|disputes?|mediat\w+|paralegal|solicitor)\b"),
    ),
    _telling(
        _KIDS_AT,
        rf"\b(?:cared for|car(?:e|es|ing) for|look(?:s|ed|ing)? after|had|have|welcom(?:e|ed|ing)|rais(?:ed|ing)|"
        rf"host(?:s|ed|ing)|given a home to|taken in|took in|foster(?:ed|ing|s)?|placed|homed|home to) "
        rf"((?:(?:over|some|more than|about|around|almost|nearly|\d\d|eleven|twelve|thirteen|fourteen|fifteen|"
        rf"sixteen|twenty|thirty|many) )?{counted(CHILD)})(?!'s|-)",
        only_in=pattern(r"\bfoster (?:parents?|carers?|famil(?:y|ies)|mother|father|mum|mom|dad)\b|\bfostering\b"),
        not_in=pattern(
            r"\b(?:recruit\w*|supervis\w+|agency|caseload|social work\w*|panel|assess\w*|support(?:ed|ing)? foster|"
            r"train\w* foster|clients?)\b"
        ),
    ),
    _telling(
        "adopted adopting adopt adopts",
        rf"\b(?:i|we|he|she|and i|(?:husband|wife|partner|spouse)|[a-z]+) (?:(?:have|has|had|am|are|is|later|then|"
        rf"also|formally|legally|jointly|recently) )*(adopt(?:ed|ing|s)?) (?={_WHOSE}(?:[a-z]+ )?(?:nephews?|nieces?|"
        rf"cousins?|(?:younger |little |half-?)?(?:brothers?|sisters?|siblings?)|step[a-z]+|grand(?:son|daughter|"
        rf"child)\w*|godchild\w*|godson|goddaughter|foster (?:son|daughter|child\w*))\b)",
        not_in=pattern(
            r"\b(?:agency|clients?|casework\w*|compan(?:y|ies)|dogs?|cats?|shelter|sister (?:brand|company))\b"
        ),
    ),
    # Days for grandchildren and children.
    _telling(
        "grandchildren grandkids grandson granddaughter grandchild grandsons granddaughters",
        rf"{START}(?:our |my |the |two |three |four |\d )?((?:great-)?grand(?:children|kids|sons?|daughters?|child))"
        rf"(?= (?:on|every|each|at|from|two|three|one|come|live|keep|stay|nearby|in|and|both|are|is) )",
        r"\b(?:mind|minds|minding|look after|looks after|looking after|babysit|babysits|collect|collects|care for|"
        r"have|has|with|for|see|visit) (?:the |my |our |his |her )?((?:great-)?grand(?:children|kids|sons?|daughters?|"
        r"child))(?= (?:on|every|each|at|one|two|three|after|in|most) |[ ]*(?:$|[.,;:|)\n]))",
        not_in=pattern(r"\b(?:residents|patients|clients|customers|beneficiar\w+|trust|estate)\b"),
    ),
    _telling(
        _SMALL_AT + " kids children boys girls teenagers teens family",
        rf"\b(?:carer|caregiver|caretaker|(?:full[- ]time )?care|caring|home|homemaker|home-maker|mother|father|parent|"
        rf"cared|looking after|stayed home) (?:for|of|with|to) ({_WHOSE}(?:[a-z]+ )?(?:own )?{counted(CHILD)})"
        r"(?=[ ]*(?:$|[.;|)\n\"(]|,? (?:(?:19|20)\d\d|at home|full[- ]time|from|since|until)|- ))",
        r"\b(?:time out|time off|year off|years off|year out|years out|break|pause|paused|gap|leave|hiatus|"
        r"stepped back|months off|sabbatical|stop) (?:from work |work |\(?(?:19|20)\d\d[^()\n]{0,8}\)? )?(?:for|"
        rf"with|after|to look after|to care for|to raise|caring for|looking after|to mind|to be with|raising) ({_WHOSE}"
        rf"(?:(?:new|tiny|small|young|first|second|third|premature|sick|own) )*{counted(CHILD)})(?!'s|-|"
        r" (?:seats?|wear|food|products?|clothes))",
        rf"{START}((?:an?|our|my|two|new)? ?(?:[a-z]+ )?(?:{_SMALL}|teenagers?|teens|schoolchild\w*|kids|children))"
        r"(?= at home(?! (?:safety|deliver\w*|tests?))\b)",
        rf"\b(?:with|have|has) ((?:an?|our|my|two|three|small|young|the) (?:[a-z]+ )?{counted(CHILD)}) at home\b",
        not_in=_OTHERS,
    ),
    _telling(
        _KIDS_AT,
        rf"\b(?:empty[- ]nest(?:er|ers)?|nest(?: is)? (?:now )?empty)\b[^.;\n]{{0,24}}?\b({counted(CHILD)})(?!'s|-)",
        r"\b(?:i|we) have (?:an? |one |two |three )(?:[\w-]+ ){0,3}(?:and|plus|,) (?:an? |one |"
        rf"two )({counted(CHILD)}){_END}",
        r"\b(?:numbers?|no\.?|count|total) of (?:(?:minor|own|living|dependent|depend[ae]nt|"
        r"unmarried|school-age|small) )*(children|kids|dependants|dependents|sons|daughters)"
        r"(?=[\"'* ]*[:=|\t]|[ ]+(?:\d|none|nil|one|two|three|four)\b)",
        not_in=_OTHERS,
    ),
    _telling(
        "dependants dependents",
        rf"{START}((?:no|two|three|four|\d|zero|without) (?:[a-z]+ )?depend[ae]nts)(?=[ ]*(?:$|[.,;|)\n\"(]| (?:and "
        r"(?:free|mobile|able|willing|ready|happy|flexible)|so|living|at home)\b))",
        r"\b(?:i have|with|have|having|has) ((?:no|two|three|four|\d) (?:[a-z]+ )?depend[ae]nts)"
        r"(?=[ ]*(?:$|[.,;|)\n]| (?:and|so|in|at|to)\b))",
        not_in=pattern(r"\b(?:software|packages?|librar\w+|modules?|builds?|claims?|clients?|applicants?|employees)\b"),
    ),
    # Weddings and their days.
    _telling(
        "anniversary wedding",
        rf"\b({_JUBILEE}wedding(?: anniversary)?)\b(?! (?:of (?:the|our) (?:company|firm|hotel)))",
        rf"{START}((?:our |my )?wedding(?: anniversary)?)(?=,? (?:trip|booked|planned|leave|date|day off|set|due|"
        r"holiday|week|weekend|fixed|in|on|next|this|last|abroad|and|away|celebrat\w+) )",
        r"(?:,|;|:|\band|\bengaged|- )[ ]((?:our |my |own |the )?wedding)(?= (?:is |was |set |planned |fixed |booked |"
        r"due |date )*(?:in|on|for|next|this|planned|booked|set|fixed|due|after|before|abroad)\b)",
        only_in=pattern(
            r"\b(?:i|i'm|my|we|our|engaged|fiancee?|marry\w*|leave|trip|off|booked|planned|set|due|fixed|january|"
            r"february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|"
            r"winter|next|anniversary|away|(?:19|20)\d\d)\b"
        ),
        not_in=_TRADE,
    ),
    # What one calls the other.
    _telling(
        "intended betrothed bride groom bridegroom sweetheart soulmate significant+other",
        r"\b(?:my|our) ((?:future )?(?:intended|bride(?:-to-be)?|bridegroom|groom(?:-to-be)?|"
        r"(?:high[- ]school |childhood |college )?sweetheart|soulmate|significant other))(?= (?:and|is|was|has|lives?|"
        r"works?|moved|took|from|in|of|since|will|got|runs?|who|for)\b|'s\b|[ ]*[.,;)]|$)(?! (?:audience|use|users|"
        r"readers|market))",
        not_in=_TRADE,
    ),
    _telling(
        "spouse widow widower partner",
        r"\b(surviving (?:spouse|widow|widower|partner))\b(?! (?:benefits?|claims?|pensions?|rules))",
        r"\b(registered partner)\b(?=[ ]*(?:$|[.,;|)\n(]| (?:since|in|of|and|is|lives)\b))(?! (?:in the (?:programme|"
        r"program)|of (?:microsoft|google|aws|oracle|sap|the)\b))",
        not_in=pattern(
            r"\b(?:clients?|claims?|estates?|probate|vendors?|reseller|advis\w+|benefits (?:officer|clerk))\b"
        ),
    ),
    _telling(
        "childcare care",
        r"\b(?:help(?:s|ed)?|helping)(?: out)? (?:me |us |out )?with (?:the |our |my )?(childcare|child care|"
        r"babysitting)\b",
        not_in=_OTHERS,
    ),
    _telling(
        "leave off",
        r"\b(?:expecting|pregnant|due)\b[^.\n]{0,40}[;,] ((?:maternity |paternity |parental )?leave)(?= (?:is |are )?"
        r"(?:planned|expected|from|starts?|agreed|begins|due|until|arranged))",
    ),
    _telling(
        "annulled",
        rf"{START}(annulled)(?=[ ]*(?:$|[.,;|\n)]))",
        r"\b(?:status|married|marriage) ?(?:[:=-]|is|was)? ?(annulled)\b",
        not_in=pattern(r"\b(?:contracts?|orders?|decisions?|court|bookings?|results?|elections?|tender)\b"),
    ),
    # What one is besides: `I am Korean and married`, `a married Christian`, `Divorced Hindu, two kids`.
    _telling(
        "married divorced widowed single separated remarried",
        r"\b(?:i am|i'm|he is|he's|she is|she's|they are) (?:an? )?(?:[a-z-]+ )?(?:[a-z-]+|\d\d),? (?:and|but) "
        r"(?:happily |recently |now )?(married|divorced|widowed|single|separated|remarried)"
        r"(?=[ ]*(?:[.,;)\n]|$)| (?:with|since|and (?:we|have|live)|to (?:an?|my|his|her))\b)",
        r"\b(?:i am|i'm|he is|he's|she is|she's) \d\d, [a-z]+,? (?:and )?(married|divorced|widowed|single)"
        r"(?=[ ]*(?:[.,;)\n]|$))",
        r"\b(?:i am|i'm|he is|he's|she is|she's) an? (?:happily |recently |newly )?(married|divorced|widowed|remarried)"
        r"(?= [a-z]+(?: [a-z]+)?[ ]*(?:[.,;)\n]|$))",
        rf"\b(?:i am|i'm|he is|he's|she is|she's) an? (single) (?={_BELIEVER}\b)",
        rf"{START}(married|divorced|widowed|single) (?={_BELIEVER}\b)",
        not_in=pattern(r"\b(?:the idea|single (?:point|source|out|handed\w*))\b"),
    ),
    _telling(
        "phase familienphase",
        r"\b(family phase|familienphase)\b",
        not_in=pattern(r"\b(?:of the (?:product|app)|plan)\b"),
    ),
)
