"""MARITAL: bereavement, births, becoming a parent, adoption and a wedding of one's own, told in a few words.

Kept: children in wards and classes, births attended, ideas and standards adopted, law partners,
weddings planned and photographed for others, costs and dates expected.
"""

from functools import partial

from evenhand.resumes.categories.marital_children import CHILD, counted
from evenhand.resumes.categories.tellings import telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_SPOUSE = r"(?:husband|wife|spouse|partner|fiancee?|boyfriend|girlfriend|other half)"
_SPOUSES = "husband wife spouse partner fiance fiancee boyfriend girlfriend half"
_KIDS = r"(?:boys|girls|kids|children|twins|triplets|toddlers?|bab(?:y|ies)|newborn|infants?|little ones?)"
_KIDS_AT = (
    "boys girls kids children twins triplets toddler toddlers baby babies newborn infant infants little+ones little+one"
)
_CHILDREN_AT = (
    "child children kid kids boy boys girl girls son sons daughter daughters twins triplets baby babies newborn toddler"
)
_COUNT = r"(?:\d\d?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)"
_PARENT = (
    r"(?:mothers?|fathers?|mums?|moms?|dads?|parents?|daddy|mummy|(?:grand|step|foster[ -])(?:mother|father|parents?|"
    r"mum|dad|pa|ma)|grandad|husband|wife|widow|widower|guardian)"
)
_OTHERS = pattern(
    r"\b(?:taught|teach\w*|pupils|students|class(?:es)?|lessons?|camps?|nann(?:y|ies)|au pair|childmind\w*|nurser(?:y|"
    r"ies) (?:nurse|worker|assistant|manager|practitioner)|ward|wards|patients?|clients?|service users|orphan\w*|"
    r"residents|shelter|midwi\w+|obstet\w+|customers?|youth (?:club|centre|worker)|coach|driver|minibus|"
    r"caseload|safeguard\w*|register\w*|registrars?|recorded|volunteer\w*|photograph\w*|portraits?|"
    r"workshops?|playground|swimming|theatre|ewes?)\b"
)
_WEDDINGS_OF_OTHERS = pattern(
    r"\b(?:venues?|clients?|photograph\w*|planners?|catering|caterers?|bookings?|brides?|bridal|couples?|florist\w*|"
    r"flowers|guests|cakes?|packages|receptions?|events? (?:manager|team)|menus?|dj|film(?:ed|ing)?|gowns?|cover|"
    r"song|playlist|fairs?|sales|hotel)\b"
)
_SELF = pattern(r"\b(?:i|i'm|me|my|we|us|our)\b")


_telling = partial(telling, "MARITAL")
TELLINGS = (
    _telling(
        _KIDS_AT,
        r"(?<!care\s)(?<!nursing\s)(?<!children's\s)(?<!group\s)(?<!foster\s)(?<!worked\sfrom\s)(?<!drive\s)(?<!drove\s)"
        r"\b((?:at )?home (?:full[- ]time |all day )?(?:with|raising|minding) (?:(?:the|two|three|four|young|"
        rf"small|little) )*{_KIDS})\b(?!'s|-)",
        not_in=_OTHERS,
    ),
    _telling(
        "two+under three+under four+under both+under all+under kids+under children+under",
        r"\b(?:with|have|raising|juggl\w+|parent (?:of|to)) ((?:two|three|four|both|all) (?:kids |children )?under "
        r"(?:the age of )?(?:one|two|three|four|five|six|seven|eight|ten|twelve|\d\d?))\b"
        r"(?![.,]?\d| ?(?:minutes?|seconds?|hours?|days|weeks|months|%|percent|per|km|miles|kg|thousand|million|"
        r"hundred|pounds|dollars|k|ms|points|managers|directors|people|stars)\b)",
    ),
    _telling(
        _SPOUSES,
        rf"\b(?:my|our|his|her|their) (?:(?:late|former|then|same-sex|loving) )*({_SPOUSE} of (?:over |almost |nearly |"
        rf"about |more than |some )?{_COUNT} (?:happy |wonderful )?(?:years?|months|decades))\b",
        not_in=pattern(r"\b(?:law|business|practice|firm|chambers)\b"),
    ),
    _telling(
        _SPOUSES,
        r"\b((?:lost|losing|loss of|(?:sudden )?death of|passing of|buried|burying|grie(?:f|ving) for|mourning) "
        rf"(?:my|his|her|our) (?:(?:late|dear|beloved|first|second) )*{_SPOUSE})\b(?! (?:firm|agenc|organi[sz]|"
        r"school|in (?!(?:19|20)\d\d|january|february|march|april|may|june|july|"
        r"august|september|october|november|december|an? (?:car|road|plane|crash|accident)|the (?:war|pandemic|"
        r"earthquake|tsunami|fire|attack|floods?))))",
        rf"\b(?:my|his|her) (?:(?:dear|beloved|first|second) )*({_SPOUSE} (?:(?:had|suddenly|unexpectedly|sadly) )*"
        r"(?:died|passed away|passed|was killed|was widowed|left me|walked out|fell ill|was diagnosed))\b",
        rf"\b(?:my|his|her) ({_SPOUSE}'s (?:sudden |long |final |last |terminal )?(?:death|passing|funeral|illness|"
        r"cancer|stroke|diagnosis|deployment|posting|transfer))\b",
    ),
    _telling(
        "marriage marriages",
        r"\b(?:my|our|his|her) ((?:first |second |former )?marriages?)\b(?= (?:ended|broke|failed|fell|collapsed|in "
        r"(?:19|20)\d\d|took|to|brought|has|was|is|and|meant|visa)|[ ]*[.,;)]|$)",
        r"\b((?:breakdown|end|collapse|failure|break-?up|dissolution) of (?:my|our|a|his|her) (?:long |first )?"
        r"marriage)\b",
    ),
    _telling(
        "divorce",
        r"\b((?:getting|got|went through|going through|finali[sz]ed) (?:an? |my |our |the )?(?:messy |"
        r"hard |long |amicable |difficult |painful )?divorce)\b(?! (?:law|lawyer|cases?|clients?|papers|settle|media|"
        r"coach|courses?|rates?|reform|proceedings for))",
        only_in=_SELF,
        not_in=_OTHERS,
    ),
    _telling(
        "birth births",
        r"\b((?:the )?(?:(?:safe|premature|early|recent) )?births? of (?:(?:my|our|his|her|an?|another|the|both) )?"
        rf"{counted(CHILD)})(?!'s? (?:centre|services?|records|certificates))",
        not_in=_OTHERS,
    ),
    _telling(
        "kids children baby babies twins boys girls little",
        r"(?:^|[\n.;,•*|>▪●·➢■◆→○~+–\"-]\s*|\b(?:so|and|as|while|now that|because|since|but|when|once|"
        r"until) )(?:both |all )?the ((?:kids|children|baby|babies|twins|boys|girls|little ones))(?= (?:(?:are|is|were|"
        r"was) (?:(?:now|all|both|well|fully|usually|safe and|always|always well) )*(?:with (?:me|us|their|them|my)|"
        r"cared for|safe|looked after|minded|covered|settled|grown|at (?:school|nursery|home|university|college)|in "
        r"(?:school|nursery|bed|day-?care)|older|asleep|young|small|little|taken care of|provided for|born)|have "
        r"(?:left home|grown|flown|moved out)|gr[eo]w up|live with|stay with|came along|came|arrived|started (?:school|"
        r"nursery)|go to (?:school|nursery)))",
        only_in=_SELF,
        not_in=_OTHERS,
    ),
    _telling(
        "kids children baby twins boys girls",
        r"\b(?:i|we) (?:also |have to |need to |must |usually |still )?(?:have|collect|pick up|fetch|drop off|drop|"
        r"mind|had|share|bring up|raise|get) the (kids|children|baby|twins|boys|girls)(?= (?:at|from|to|every|on|half|"
        r"each|off|by|between|in the (?:morning|afternoon|holidays)|after|before|for (?:half|alternate)|alone)\b|[ ]*"
        r"[.,;])",
        r"\b(?:in-laws|grandparents|(?:my|our) (?:mother|mum|mom|parents|sister|aunt|neighbou?r|husband|wife|partner|"
        r"nanny|au pair))(?: and \w+)? (?:also |both |all |can |will |always )*(?:help\w*|look\w* after|mind\w*|watch"
        r"\w*|take\w*|care\w* for|collect\w*|pick\w* up|ha[sv]e?)(?: out| us| me)?(?: with)? (?:the|our|my) (kids|"
        r"children|baby|twins|boys|girls)\b",
        r"\b(?:every other|every second|alternate) (?:week|weekend)s?,? (?:i|we) have (?:the|my|our) (kids|children|"
        r"boys|girls|twins)\b",
        not_in=pattern(r"\b(?:class|pupils|ward|patients?|clients?|nursery nurse|bus|minibus|driver|teach\w*|camp)\b"),
    ),
    _telling(
        _CHILDREN_AT,
        r"\b(?:leave|break|gap|pause|sabbatical|time off|years? out|years? off|elternzeit|interruption)\b[^.;|\n(,:]"
        r"{0,20}(?:\((?:19|20)\d\d[^()\n]{0,12}\)\s*)?[(,:–-]\s*(?:taken |spent )?"
        r"(?:for |with |after |to raise )?(?:(?:the )?birth of |"
        r"arrival of )?((?:(?:my|"
        rf"our|his|her|an?|another) )?{counted(CHILD)})(?=\s*(?:[)\n.;|]|$|,? ?\(?(?:19|20)\d\d))",
        not_in=pattern(r"\b(?:polic\w+|covered|cover for|employees|staff|payroll|queries|entitlements?)\b"),
    ),
    _telling(
        "adoption",
        rf"\b((?:the )?adoption) of (?:(?:our|my|his|her|an?|two|three|the) )*{counted(CHILD)}(?! (?:seats?|products|"
        r"labou?r|care|theme|safety|brand))",
        r"\b(?:our|my) (adoption)(?= (?:was|is|came|went|took|process|of|hearing|placement|in (?:19|20)\d\d)|[ ]*[.,;])"
        r"(?! of (?!our|my|his|her|two|three|an? (?:child|son|daughter|baby|girl|boy))| was \d)",
        not_in=pattern(r"\b(?:agenc(?:y|ies)|casework\w*|social work\w*|cases|panel|applicants|legal|dogs?|cats?)\b"),
    ),
    _telling(
        "adopted adopting adopt",
        rf"\b(?:{_SPOUSE} and i|i and my {_SPOUSE}|as a couple,? we) (?:are |have |were |'ve |plan to |"
        r"hope to )?(?:also |just |recently |both |jointly )*(adopt(?:ed|ing)?)\b",
        r"\bwe (?:are |have |were |'ve |plan to |hope to )?(?:also |just |recently |both |jointly )*(adopt(?:ed|ing)?)"
        r"(?= (?:from (?:foster care|care|abroad|overseas|haiti|china|ethiopia|colombia|india|vietnam|korea|romania|"
        r"bulgaria|guatemala|the foster)|siblings|a sibling|internationally|in (?:19|20)\d\d and (?:took|i|moved|were|"
        r"have)|as a (?:couple|family)))",
    ),
    _telling(
        "expect expects expecting expected",
        rf"\b(?:i|we|she|he|{_SPOUSE}) (?:(?:am|are|is|was|were|also|now|both|currently|do) )*(expect(?:s|ing|ed)? "
        r"(?:(?:our|my|her|his|their|an?|another) )(?:(?:first|second|third|fourth|fifth|new|little) )*(?:child|baby|"
        r"son|daughter|girl|boy|addition|twins|triplets|grandchild))\b(?! (?:seats?|care|products?|steps))",
        rf"\b(?:i|i'm|we|we're|she|he|{_SPOUSE}) (?:(?:am|are|is|was|were|also|now|both|currently) )*(expect(?:ing)? "
        r"(?:our|my) (?:first|second|third|fourth))(?= (?:in|this|next|around|early|late) (?:early |late |mid-?|the "
        r"(?:spring|summer|autumn|new))?(?:january|february|march|april|may|june|july|august|september|october|"
        r"november|december|spring|summer|autumn|fall|winter|month|year|week)\b|[ ]*[.;)]|$)",
        rf"\b(?:i|i'm|we|we're|she|he|{_SPOUSE}) (?:am |are |is )?(?:also |now )?(expecting (?:twins|triplets))\b",
    ),
    _telling(
        "mother mothers father fathers mum mums mom moms dad dads parent parents grandmother grandfather grandparent "
        "grandparents grandad stepmother stepfather stepdad stepmum daddy mummy husband wife widow widower guardian",
        r"\b(bec[ao]m(?:e|es|ing) (?:an? |the |somebody's )?(?:(?:new|young|first-time|proud|single|lone|full-time|"
        rf"legal|foster|adoptive|working|solo) )*{_PARENT})\b(?! (?:compan\w+|nodes?|class|figures?|"
        rf"of (?:[a-z]+ ){{0,2}}(?:subsid\w+|compan\w+|brands|firms)|governors? (?:for|"
        r"training)|to (?:the|our) (?:team|ward|class)|organi[sz]ation|ship))",
        not_in=pattern(
            r"\b(?:clients|patients|employees|staff|members|women|people|students|users|couples|those|teenagers|"
            r"colleagues) (?:who|that|to|as they|when they|becom)|\bchild process|\bclass(?:es)? "
        ),
    ),
    _telling(
        "wedding",
        r"\b(?:the|our|my|and|own) (wedding)(?= (?:is|was|will be|takes place|date|falls|has been|being) (?:on|in|at|"
        r"set|planned|booked|next|this|only|due|a|fixed|the|early|late|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
        r"dec))",
        r"(?:\b(?:engaged|fiancee?|marry(?:ing)?|married)\b[^.\n]{0,24}|(?:^|"
        r"[\n.;•*|>▪●·➢■◆→○~+–\"-])[ ]*)\b(wedding)(?= (?:planned|"
        r"booked|set|fixed|due|date|in|on|next|this)\b)",
        only_in=pattern(r"\b(?:i|i'm|me|my|we|our|engaged|fiancee?|marry|leave|time off|off)\b"),
        not_in=_WEDDINGS_OF_OTHERS,
    ),
    _telling(
        "honeymoon honeymoons",
        r"\b(honeymoon)(?= (?:booked|planned|leave|from|until|dates?|in (?:january|february|march|april|may|june|july|"
        r"august|september|october|november|december|spring|summer|autumn|winter|(?:19|20)))|[ ]*[:.,;)]|$)",
        not_in=pattern(
            r"\b(?:clients?|packages?|couples|suites?|bookings?|guests|hotel|resort|period|phase|tours?|travel|is over|"
            r"sold|sales|brand|campaign|destinations?|agency|market)\b"
        ),
    ),
    _telling(
        "engaged",
        r"\b(?:i am|i'm|we are|we're|am|is|are|got|now|newly) (engaged)(?=,? (?:and|with) (?:the|our|my|a|"
        r"getting|due|to wed|to marry|wedding|plan\w*|hope|will|marry\w*|moving) )(?! with (?:the|our|my|a) (?:team|"
        r"clients?|local|communit\w+|customers?|union|project|stakeholders?))",
        not_in=pattern(r"\b(?:team|staff|students|pupils|customers|users|readers|audience) (?:is|are) "),
    ),
    _telling(
        "ivf",
        r"(?:^|[\n.;:•*|>(▪●·➢■◆→○~+–\"-]\s*)(ivf(?: (?:treatments?|cycles?|leave|journey|"
        r"rounds?))?)(?=\s*(?:[.,;)\n]|$|(?:leave|appointments?|treatment|cycles?|visits|scans)\b|in (?:19|20)|in "
        r"(?:spring|summer|autumn|winter)|(?:19|20)\d\d|"
        r"this|next\b))",
        not_in=pattern(
            r"\b(?:labs?|laborator\w+|embryo\w*|clinics?|nurs\w+|technicians?|andrology|consultants?|patients?|units?|"
            r"cent(?:re|er)s?|trainee|scientist|sales|research|theatre|stud(?:y|ies)|protocols?)\b"
        ),
    ),
    _telling(
        "care",
        r"(?:^|[\n.;•*|>▪●·➢■◆→○~+–\"-]\s*|\bmy )((?:family|child) care)(?= (?:is|are|has been) (?:arranged|"
        r"sorted|in place|covered|organi[sz]ed|shared|settled|taken care))",
    ),
    _telling(
        "teenagers teens children kids boys girls sons daughters twins",
        r"(?:^|[\n.;•*|>▪●·➢■◆→○~+–\"-]\s*)((?:one|two|three|four|five|six|[2-6]) (?:(?:young|small|grown|"
        r"teenage|adult|school-age|little|adopted|step) )*(?:teenagers|teens|children|kids|boys|girls|sons|"
        r"daughters))(?= (?:at (?:home|primary|secondary|school|university|nursery|uni)|in (?:primary|secondary|"
        r"nursery|school|college)|all |both |of my own|"
        r"of our own|under \w+[,.;]|in full-time))",
        not_in=_OTHERS,
    ),
    _telling(
        _CHILDREN_AT + " teenager teenagers",
        r"\b(?:have|has|had|with|raising|raised|raise|(?:mother|father|mum|mom|dad|parent) (?:of|to)|my|our|"
        rf"expecting) (?:(?:an?|my|our) )?{counted(CHILD)} and (?:(?:an?|my|our|his|her|one) )?({counted(CHILD)})(?!'s|"
        r"-| (?:care|seat|room|clothes|products|wear|food))",
        not_in=_OTHERS,
    ),
    _telling(
        "family",
        r"\b(?:our|my) (family)(?= (?:grew|is growing|was growing|is expanding|expanded|got bigger|is complete)\b(?! "
        r"(?:crops?|veg\w*|up|in (?:a|the)|maize|coffee)))",
        r"\b((?:start(?:ed|ing)?|hav(?:e|ing)|plan(?:ned|ning)?|rais(?:e|ed|ing)) (?:my|our|a|his|her) (?:own |young )?"
        r"family)\b(?! (?:business|firm|fund|tree|day|of \w+s|event|history|room|restaurant|blog|support))",
        only_in=_SELF,
        not_in=_OTHERS,
    ),
    _telling(
        "baby conceive miscarried miscarriage pregnancy ttc",
        r"\b(trying (?:for (?:an?|another|our (?:first|second)) (?:baby|child)|to conceive|to get pregnant|"
        r"to have (?:a|another) (?:baby|child)))\b",
        r"\b(?:i|we|she) (?:had |have )?(miscarried)\b",
        r"\b((?:my |our |a )?(?:high-risk |difficult |twin |second |first |third )+pregnancy)\b",
        r"\b(pregnancy (?:complications|sickness|loss|leave))\b",
        not_in=pattern(
            r"\b(?:patients?|clients?|midwi\w+|obstet\w+|nurs\w+|wards?|clinics?|stud(?:y|ies)|research\w*|women|"
            r"units?|charity|helpline|policy|counsel\w+|scans?|monitor\w*|teenage)\b"
        ),
    ),
    _telling(
        "i+pump to+pump must+pump i+pumping to+pumping must+pumping lactation i+nurse still+nurse",
        r"\b(?:i|need to|have to|must|to) (pump(?:ing)?)(?= (?:twice|two|three|every|milk|breast|for (?:the|"
        r"my) (?:baby|daughter|son)))",
        r"\b(lactation (?:breaks?|room|space|accommodation))\b",
        r"\bi (?:still |am still )?(nurse|nursing)(?= (?:my|our) (?:baby|daughter|son|newborn|infant|child|twins))",
        not_in=pattern(
            r"\b(?:consultants?|patients?|clients?|policy|polic\w+|hr|employees|offices?|cows?|dairy|stations?|"
            r"water|concrete|litres|built|designed)\b"
        ),
    ),
    _telling(
        "guardian guardianship",
        r"\b((?:legal |special |sole )?guardian(?:ship)?) (?:of|to|for) (?:(?:my|our|a|two|three|the|young|orphaned) )*"
        r"(?:younger |little |minor |teenage |late |orphan )*(?:nieces?|nephews?|brothers?|sisters?|siblings?|"
        r"cousins?|grand\w+|godson|goddaughter|godchild\w*)\b",
    ),
    _telling(
        "kids baby twins children toddler",
        r"\b(?:because of|owing to|thanks to|due to|around|juggling|revolves around|with) the (kids|baby|twins|"
        r"children|toddler)(?=[ ]*(?:[.;)\n]|$)| (?:grown|at home|in (?:school|bed)|asleep|to (?:feed|raise|support|"
        r"think)))",
        not_in=_OTHERS,
    ),
    _telling(
        "childminder nanny babysitter pair daycare nursery creche kita kindergarten club playgroup bus",
        r"\b(?:my|our) (childminder|nanny|babysitter|au pair|day-?care)(?= (?:can|covers?|is|looks|picks|helps|"
        r"works|has|starts|stays|closes|opens|takes|does|allows|and my))",
        r"\b(?:around|before|after|by|until|between|because of|to) (?:the |my |our )?((?:nursery|day-?care|creche|kita|"
        r"after-school club)(?: (?:hours|pick-?ups?|drop-?offs?|closing|times?|runs?))?)(?=[ ]*(?:[.;)\n]|$))",
        r"(?:^|[\n.;•*|>▪●·➢■◆→○~+–\"-]\s*)(?:the |our |my )?((?:nursery|day-?care|creche|kita|"
        r"after-school club))(?= (?:closes|shuts|ends|opens|pick-?up|drop-?off|hours|fees|place))",
        only_in=pattern(r"\b(?:i|i'm|my|me|we|our|hours|leave|finish|start|shifts?)\b"),
        not_in=pattern(
            r"\b(?:worked|manager|staff|practitioner|nurses?|employer|clients?|charges|teacher|assistant|"
            r"children's|ofsted|placement|plants?|seedlings?|tree|trees|greenhouse|families|parents)\b"
        ),
    ),
    _telling(
        "barn",
        r"\b((?:gift|sambo|samboer|skild|skilt|ugift|ensamstaende)(?:,| med| och| og) (?:ett?|en|tva|to|tre|"
        r"fyra|fire|\d) barn)\b",
    ),
    _telling(
        "anniversary",
        r"\b(?:my|our) ((?:[\w-]+ )?anniversary)(?= (?:trip|holiday|weekend|dinner|break|getaway|cruise|leave|meal|"
        r"is in|is on|falls|day off)\b)",
        not_in=pattern(
            r"\b(?:compan(?:y|ies)|firm|brand|stores?|clients?|sales?|issue|edition|club|school|foundation|gala|"
            r"founding|packages?|guests|choir|centenary)\b"
        ),
    ),
    _telling(
        "family",
        r"\b(?:he|she|i) and (?:the|his|her|my) ((?:young |whole |growing )?family)\b"
        r"(?! (?:business|firm|farm|shop|doctor|law|court|lawyer|solicitor|therap\w+|members?|room))",
        not_in=_OTHERS,
    ),
    _telling(
        "kids children sons daughters boys girls twins toddlers teenagers dependants dependents",
        rf"\bhousehold (?:with|of|and|including) ((?:my |our )?{counted(CHILD)})(?!'s|-)",
        r"\bto (?:feed|support|provide for|bring up|raise) ((?:two|three|four|five|six|[2-6]) (?:[a-z]+ )?(?:children|"
        r"kids|sons|daughters|boys|girls|teenagers))(?=[ ]*(?:[.,;)\n]|$)| (?:on|alone|and|by|at)\b)",
        not_in=pattern(
            r"\b(?:clients?|caseload|nann(?:y|ies)|au pair|minded|cleaned|families|social work\w*|survey\w*|"
            r"each|every|households|average|charity|tutor\w*)\b"
        ),
    ),
    _telling(
        "income earner breadwinner",
        r"\b((?:single|one|sole|only)[ -](?:income (?:household|family)|earner (?:of|for|in) (?:a |my |our |the )?"
        r"(?:family|household|home)))\b",
        r"\b((?:sole |main |only )?breadwinner (?:of|for|in) (?:a |my |our |the )?(?:family|household|home))\b",
        not_in=pattern(r"\b(?:clients?|families|households|stud(?:y|ies)|survey\w*|research\w*|polic\w+|tenants?)\b"),
    ),
    # Children counted in other tongues, as an item of a list: `Teilzeit 80 %, drei Kinder`.
    _telling(
        "kinder kind sohne tochter sohn enfants enfant fils filles hijos hijas hijo hija figli figlie figlio figlia "
        "filhos filhas filho filha kinderen dzieci dziecko barn copii deti dcery synove ninos ninas nino nina bambini "
        "bambino bambina cocuk anak lapset lasta djece djeteta zoon zoons dochter dochters",
        r"(?:^|[\n,;|(•*·>~]|[.:-] )[ \t]*(?:mit |avec |con |com |und |et |y |e |i )?"
        r"((?:ein|eine|einen|zwei|drei|vier|funf|keine|un|une|deux|trois|quatre|sans|una|dos|tres|cuatro|sin|due|tre|"
        r"quattro|um|uma|tri|dve|dvoje|troje|en|iki|uc|bir|dua|tiga|satu|dois|duas|sem|een|twee|drie|geen|"
        r"jedno|dwoje|troje|brak|ett|tva|fyra|to|fire|inga|doi|trei|"
        r"[1-6])(?: (?:kleine|erwachsene|schulpflichtige|gemeinsame|minderjahrige|jeunes|petits|pequenos|"
        r"piccoli))? (?:kinder(?:en)?|kind|sohne|sohn|tochter|enfants?|fils|filles?|hij[oa]s?|figli[eoa]?|filh[oa]s?|"
        r"dzieci|dziecko|barn|copii|deti|dcery|synove|nin[oa]s?|bambin[oia]|cocuk|anak|lapset|lasta|djece|djeteta|"
        r"zoons?|dochters?))(?=[ ]*(?:$|[.,;|\n)(/\"]|- )| (?:im alter|unter|zu hause|in der schule|und "
        r"(?:verheiratet|verpartnert)|a charge|ages|de \d|a cargo|di \d|a carico|van \d|w wieku))",
        not_in=pattern(
            r"\b(?:betreu\w*|nachhilfe|kita|krippe|tagesmutter|au[ -]?pair|nounou|garde|baby-?sit\w*|ninera|animat\w+|"
            r"pflegekinder|unterricht\w*|leiter\w*|clases|creche|monitor\w*|barns|red barn|playgroup)\b"
        ),
    ),
    _telling(
        "mutter vater papa mama alleinerziehend alleinerziehende alleinerziehender elternteil mere pere madre padre "
        "pai mae moeder vader",
        r"\b((?:allein ?erziehende[rs]? )?(?:mutter|vater|papa|mama) (?:von|einer|eines|zweier|dreier)"
        r"(?: (?:ein\w*|zwei|drei|vier|funf|[1-6]))?(?: [a-z]+n)? ?(?:kind\w*|sohn\w*|tochter\w*|zwillinge?n?)\b)",
        r"\b(alleinerziehend(?:e[rns]?)?)\b",
        r"\b((?:mere|pere|maman|papa|madre|padre|mae|pai|moeder|vader|mama) (?:de|di|van) (?:un[ae]?|deux|trois|quatre|"
        r"dos|tres|due|tre|dois|duas|twee|drie|een|[1-6]) (?:enfants?|filles?|fils|hij[oa]s?|figli[oea]?|filh[oa]s?|"
        r"kinderen|kind|nin[oa]s?|bambin[oiae]))\b",
    ),
    _telling(
        "widowhood remarried remarriage stepfamily",
        r"\b(?:my|our|since|after|of|in) (widowhood|remarriage)\b",
        r"\b(?:we are|our|my|in) (?:a |an )?((?:blended |busy )?stepfamily)\b",
        not_in=_OTHERS,
    ),
    _telling(
        "nursed nursing caring cared",
        r"\b(?:nursed|nursing|cared for|caring for) (my (?:late|dying|sick|ill|terminally ill) "
        rf"(?:{_SPOUSE}|other half))\b",
    ),
)
