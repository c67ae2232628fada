"""RELIGION: offices, groups and circles of a faith, a faith that was left or lost, told in a few words.

Kept: customers' faith in a brand, expert witnesses, alpha releases, PCC as police commissioners, passion for code.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "RELIGION")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

_CHURCH_NEAR = pattern(
    r"\b(?:church\w*|chapel|parish\w*|vicar|priest|pastor|diocese|deanery|sidesperson|sidesman|faith|gospel|bible|"
    r"pray\w*|sunday|fellowship|ministry|jesus|christ\w*|baptist|methodist|anglican|catholic|congregation|worship|"
    r"redeemed|evangel\w*|youth)\b"
)
_END = r"(?=[ ]*(?:[.,;)|\n]|$))"

TELLINGS = (
    _telling(
        "group groups cell cells",
        r"\b((?:home|house|care|life|connect|growth|cell|community|missional) (?:cells?|groups?|fellowship)|"
        r"cells? groups?)"
        r"(?= (?:leaders?|host\w*|co-leader|members?|coordinator|facilitator|at|in|with)\b|[ ]*[.,;)]|$)",
        only_in=_CHURCH_NEAR,
        not_in=pattern(r"\b(?:hospital|nursing|residents|plc|ltd|housing|insurance|software|stem cell|battery)\b"),
    ),
    _telling(
        "life connect",
        r"\b((?:life|connect) group)(?= (?:leader|host|co-leader|co-ordinator|coordinator)\b)",
        not_in=pattern(r"\b(?:insurance|plc|assurance|pensions|software)\b"),
    ),
    _telling(
        "alpha",
        r"\b(alpha)(?= (?:course|leader|helper|host|table|weekend|small group|supper|in the workplace)\b)",
        only_in=_CHURCH_NEAR,
    ),
    _telling(
        "church churches",
        r"\b((?:house|kids'?|children'?s|junior|toddler|messy|mega|micro|home|village|cafe|street|gospel|"
        r"parish|chinese|"
        r"korean|african|ethiopian|tamil|filipino|black|local|my|our) church(?:'s)?)(?= (?:leader|teacher|choir|"
        r"volunteer\w*|helper|team|rota|council|elder|deacon|band|member|board|treasurer|secretary|camp|youth|plant))",
    ),
    _telling(
        "faith",
        r"\b(?:left|leaving|lost|losing|found|finding|keep|kept|live out|lives out|living out|practi[sc]\w+|"
        r"shar(?:e|es|ing)|"
        r"deepen\w*|lapsed from|grew in|grounded in|rooted in|because of|through|about|by|of|in|with|from|and|to|for) "
        r"(?:(?:the|my|our|his|her) )(?:own |christian |catholic |muslim |jewish )?(faith)\b"
        r"(?! (?:in (?:the|our|this|that|people|human\w*|him|her|me|them|us|brand|product|team|process|data|"
        r"technology)|"
        r"with (?:customers|clients|the)|placed|of (?:an?|the|our|clients|customers|investors|key)))",
        r"\b(faith)(?= (?:at the (?:heart|cent(?:er|re))|guides|shapes|informs|means|comes first|keeps me|matters|"
        r"background|tradition|leader|formation|sharing|practice|requirements|obligations|needs|days|dress)\b)",
        r"\b(?:a|of|strong|deep|personal|active|living|firm|sincere|devout|quiet|common) (faith)(?= (?:is|and|"
        r"background|"
        r"keeps|guides)\b|[ ]*[.,;)]|$)",
        not_in=pattern(
            r"\b(?:good faith|bad faith|leap of faith|clients?'?|customers?'?|investors?'?|buyers?|users?|"
            r"in the brand)\b"
        ),
    ),
    _telling("religion", rf"{START}(no religion)" + _END, rf"{START}(no religious (?:beliefs?|affiliation|faith))"),
    _telling(
        "religious",
        r"\b((?:strict(?:ly)?|deeply|very|strong|mildly|non|un|conservative|observant) ?-?religious)\b",
        r"\b(religious)(?= (?:upbringing|household|family|background|home\b|vocation|formation|dress|garb|attire|"
        r"head\w*|beard|symbols?|leave|calendar|fast\w*|feasts?|practi[sc]es?|life|sister|brother|order|school|"
        r"schooling|"
        r"belie\w+|convictions?|duties|service attendance|holidays|days|jew\w*|education teacher at|"
        r"instruction|identity))",
        not_in=pattern(
            r"\b(?:discriminat\w*|complaints?|tribunal|policy|policies|residents|patients|clients|students'|pupils|"
            r"employees|protected|equality|cultures?|guests|tenants|harass\w*)\b"
        ),
    ),
    _telling(
        "cult sect",
        r"\b(?:raised|born|grew up|brought up|childhood|left|escaped|leaving) (?:[a-z]+ )?(?:in |into |"
        r"inside )?(?:an? |the )?"
        r"((?:[a-z]+ )?(?:cult|sect))\b",
        r"\b((?:cult|sect) (?:survivor|leaver|childhood|upbringing))\b",
    ),
    _written(
        "st saint holy all",
        r"\b(?:[Ss]ings?|[Ss]ang|[Ss]inging|[Oo]rganist|[Cc]hoirmaster|[Uu]sher|[Aa]ltar|[Ll]ector|[Vv]erger|"
        r"[Ww]orships?|"
        r"[Pp]arishioner|[Cc]onfirmed|[Bb]aptised|[Bb]aptized|[Cc]urate|[Dd]eacon|[Ee]lder|[Pp]riest|[Vv]icar|"
        r"[Bb]ells?|"
        r"[Cc]hoir|[Pp]arish)(?:,? \w+){0,2} (?:at|in|of|for) ((?:St\.?|Saint|All|Holy|SAINT|ST\.?) "
        r"[A-Z][A-Za-z]+(?:'s)?)"
        r"(?! (?:Hospital|College|School|University|Hotel|Street|Road|Day|[A-Z]))",
        r"\b(?:PARISH|CHURCH|CONGREGATION) OF ((?:ST\.?|SAINT|HOLY|ALL) [A-Z]+)\b",
    ),
    _written(
        "pcc",
        r"\b(PCC)(?= (?:member|secretary|treasurer|minutes|meetings?)\b|[ ]*[.,;)\n]|$| and\b)",
        only_in=_CHURCH_NEAR,
        not_in=pattern(r"\b(?:police|crime|commissioners?|concrete|power|college|control)\b"),
    ),
    _written(
        "ccd psr vbs msa isoc re awana",
        r"\b(CCD|PSR|CCE)(?= (?:teacher|catechist|classes|aide|director|coordinator))",
        r"\b(VBS)(?= (?:crafts?|lead|snacks?|music|games|station|teacher|helper|skits))",
        r"\b(MSA|MSU)(?= (?:president|chapter|sister|brother|prayer|iftar|vice[- ]president|secretary) (?:at|"
        r"of|in|and|[A-Z])"
        r"|,? [A-Z])(?=[^\n.;]{0,40}\b(?:[Mm]uslim|[Uu]niversity of|[Ii]ftar|[Pp]rayer|[Rr]amadan)\b)",
        r"\bMuslim Students?'?s?'? Association[ ,(]+(MSA)\b",
    ),
    _telling(
        "witness witnesses",
        r"\b(?:as a|am a|raised a|former|baptised|baptized|ex|lifelong|lapsed|the|among) (witness(?:es)?)\b",
        only_in=pattern(
            r"\b(?:blood products?|transfusions?|kingdom|pioneers?|jehovah\w*|congregation|raised|lapsed)\b"
        ),
        not_in=pattern(r"\b(?:court|expert|crown|police|trial|signature|testif\w+|crime)\b"),
    ),
    _telling(
        "jain",
        r"\((jain)\b",
        r"\b(?:diet|dietary|dietary needs|dietary requirements|meals|food)[ ]*[:;|-][ ]*(jain)\b",
        r"\bjains?\b(?= (?:diet|vegetarian|youth|temple|samaj|sangh|festival|fast))",
    ),
    _telling(
        "aliyah",
        r"\b(?:made|make|making|makes|went on|after|since|our|my) (aliyah)\b",
    ),
    _telling(
        "gita gayatri ganesh ganpati gurbani geeta ramayan",
        r"\b((?:gita|geeta|gayatri|ganesh|ganpati|gurbani|ramayan))(?= (?:class\w*|mantra|festival|visarjan|mandal|"
        r"recit\w+|chant\w*|path|pandal|study|sessions?|idol|utsav|sthapana|homam?|jayanti|reading|discourse)\b)",
    ),
    _telling("passion", r"\b(passion)(?= (?:play\b|of iztapalapa|of christ|of our lord|sunday))"),
    _telling(
        "spiritual",
        r"\b(spiritual)(?= (?:retreats?|director|direction|fellowship|home\b|gatherings?|practice|advis\w+))",
    ),
    _telling(
        "convert revert",
        r"\b((?:convert|revert)(?:ed)? to (?:judaism|islam|christianity|buddhism|hinduism|catholicism|"
        r"orthodoxy|sikhism|"
        r"the (?:faith|church)|roman catholicism|the baha'i faith))\b",
        rf"(?:{START}|\b(?:an?|as an?|muslim|catholic|jewish) )((?:muslim |catholic |jewish )?(?:convert|revert))"
        r"(?=[ ]*[.,;)\n]|$| since\b)",
        only_in=pattern(r"\b(?:islam|muslim|judaism|jewish|catholic\w*|faith|church|buddh\w+|since|orthodox\w*)\b"),
    ),
)
