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
        r"cells? groups?)(?= (?:leaders?|host\w*|co-leader|members?|coordinator|facilitator|at|in|with)\b|[ ]*[.,;)]|"
        r"$)",
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
        r"parish|chinese|korean|african|ethiopian|tamil|filipino|black|local|my|our) church(?:'s)?)(?= (?:leader|"
        r"teacher|choir|volunteer\w*|helper|team|rota|council|elder|deacon|band|member|board|treasurer|secretary|camp|"
        r"youth|plant))",
    ),
    _telling(
        "faith",
        r"\b(?:left|leaving|lost|losing|found|finding|keep|kept|live out|lives out|living out|practi[sc]\w+|"
        r"shar(?:e|es|ing)|deepen\w*|lapsed from|grew in|grounded in|rooted in|because of|through|about|by|of|in|with|"
        r"from|and|to|for) (?:(?:the|my|our|his|her) )(?:own |christian |catholic |muslim |jewish )?(faith)\b"
        r"(?! (?:in (?:the|our|this|that|people|human\w*|him|her|me|them|us|brand|product|team|process|data|"
        r"technology)|"
        r"with (?:customers|clients|the)|placed|of (?:an?|the|our|clients|customers|investors|key)))",
        r"\b(faith)(?= (?:at the (?:heart|cent(?:er|re))|guides|shapes|informs|means|comes first|keeps me|matters|"
        r"background|tradition|leader|formation|sharing|practice|requirements|obligations|needs|days|dress)\b)",
        r"\b(?:a|of|strong|deep|personal|active|living|firm|sincere|devout|quiet|common) (faith)(?= (?:is|and|"
        r"background|keeps|guides)\b|[ ]*[.,;)]|$)",
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
        r"schooling|belie\w+|convictions?|duties|service attendance|holidays|days|jew\w*|education teacher at|"
        r"instruction|identity))",
        not_in=pattern(
            r"\b(?:discriminat\w*|complaints?|tribunal|policy|policies|residents|patients|clients|students'|pupils|"
            r"employees|protected|equality|cultures?|guests|tenants|harass\w*)\b"
        ),
    ),
    _telling(
        "cult sect",
        r"\b(?:raised|born|grew up|brought up|childhood|left|escaped|leaving) (?:[a-z]+ )?(?:in |into |"
        r"inside )?(?:an? |the )?((?:[a-z]+ )?(?:cult|sect))\b",
        r"\b((?:cult|sect) (?:survivor|leaver|childhood|upbringing))\b",
    ),
    _written(
        "st saint holy all",
        r"\b(?:[Ss]ings?|[Ss]ang|[Ss]inging|[Oo]rganist|[Cc]hoirmaster|[Uu]sher|[Aa]ltar|[Ll]ector|[Vv]erger|"
        r"[Ww]orships?|[Pp]arishioner|[Cc]onfirmed|[Bb]aptised|[Bb]aptized|[Cc]urate|[Dd]eacon|[Ee]lder|[Pp]riest|"
        r"[Vv]icar|[Bb]ells?|[Cc]hoir|[Pp]arish)(?:,? \w+){0,2} (?:at|in|of|for) ((?:St\.?|Saint|All|Holy|SAINT|ST\.?) "
        r"[A-Z][A-Za-z]+(?:'s)?)(?! (?:Hospital|College|School|University|Hotel|Street|Road|Day|[A-Z]))",
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
        r"orthodoxy|sikhism|the (?:faith|church)|roman catholicism|the baha'i faith))\b",
        rf"(?:{START}|\b(?:an?|as an?|muslim|catholic|jewish) )((?:muslim |catholic |jewish )?(?:convert|revert))"
        r"(?=[ ]*[.,;)\n]|$| since\b)",
        only_in=pattern(r"\b(?:islam|muslim|judaism|jewish|catholic\w*|faith|church|buddh\w+|since|orthodox\w*)\b"),
    ),
    _telling(
        "asr zuhr dhuhr maghrib isha fajr zohar namaz mincha maariv shacharit vespers matins lauds compline angelus",
        r"\b(?:for|and|or|,|before|after|at|of|between|to|pray|from|my|the|daily|,) "
        r"(asr|zuhr|dhuhr|maghrib|isha|fajr|mincha|maariv|shacharit|vespers|matins|lauds|compline|angelus)"
        r"(?= (?:prayers?|salah|namaz|and|at|on|in|break|time|each|every|with|before|after)\b|,|[ ]*[.;)]|$)",
        not_in=pattern(r"\b(?:speech|recognition|whisper|wer|word error|automatic|cisco|routers?|scooters?|models?)\b"),
    ),
    _telling(
        "easter christmas passion nativity",
        r"\b((?:easter|christmas|passion|nativity))(?= (?:pageants?|vigils?|passion play|cantatas?|"
        r"play at (?:my|our|the) (?:church|parish|chapel)|play(?:s)? (?:director|producer|narrator)|triduum|mass|"
        r"liturg\w+|sermon|procession)\b)",
        not_in=pattern(
            r"\b(?:pupils|school hall|year \d|key stage|reception class|grade \d|venue|hotel|tv|broadcast)\b"
        ),
    ),
    _telling(
        "pilgrim pilgrims",
        rf"{START}(pilgrims?)(?= (?:guide|leader|on|to|along|helper|volunteer|in|with|of|since|host|warden)\b)",
        only_in=pattern(
            r"\b(?:pilgrimage|camino|hajj|umrah|lourdes|fatima|santiago|compostela|shrine|walsingham|"
            r"knock|medjugorje|kumbh|yatra|dioces\w+|parish|assisi|rome|jerusalem|holy land|croagh|czestochowa|"
            r"canterbury|iona|shikoku|arbaeen|karbala)\b"
        ),
    ),
    _telling(
        "parish",
        r"\b(parish)(?= (?:council clerk|clerk|councill?or|council|president|secretary|treasurer|administrator)\b)",
        only_in=pattern(
            r"\b(?:cathedral|church|catholic|orthodox|anglican|lutheran|episcopal|(?:at|of|for) (?:st\.?|saint|"
            r"our lady|holy|sacred|all saints|christ)\b|priest|vicar|mass|diocese|bishop|congregation|pastor\w*)"
        ),
        not_in=pattern(r"\b(?:planning|bins|allotments? (?:officer|fees)|louisiana|sheriff|civil parish|precept)\b"),
    ),
    _telling(
        "confirmed baptised baptized christened confirmation",
        rf"(?:{START}|\b(?:i was|was|been|and|am) )(confirmed)(?=,? (?:in|at|as|by|into|with|and)\b|[ ]*[,;(])",
        only_in=pattern(
            r"\b(?:catech\w*|church|parish|bishop|baptis\w*|baptiz\w*|communion|altar|sunday school|anglican|catholic|"
            r"lutheran|confirmation classes|youth group|congregation|faith|godparent|christened|archbishop|orthodox)\b"
        ),
        not_in=pattern(r"\b(?:bookings?|orders?|permanent|appointments?|attendance|cases?|sightings?|diagnos\w+)\b"),
    ),
    _telling(
        "mass masses",
        r"(?:\bo'clock|\b\d{1,2}(?:[:.]\d\d)? ?(?:a\.?m\.?|p\.?m\.?)?|\bnoon|\bmidnight|\bvigil|\bsunday|\bsaturday|"
        r"\bdawn|\bmorning|\bevening|\bchrismation|\bfamily|\bfolk|\byouth|\bchildren's|\bschool|\bspanish|\bpolish|"
        r"\blatin|\btridentine) (mass(?:es)?)\b(?! (?:spec|transit|media|market|of \d|produc|transfer|balance|"
        r"start|flow|email|participation|event|general))",
        only_in=pattern(
            r"\b(?:reader|readers|lector|cantor|server|serve|usher|organist|choir|catholic|parish|sing\w*|church|"
            r"priest|eucharistic|attend\w*|altar|go to|music|collection|before work|after|reading|acolyte|faith)\b"
        ),
        not_in=pattern(r"\b(?:kg|grams?|payload|spectromet\w+|vehicle|aircraft|rocket|tonnes)\b"),
    ),
    _written("mass", r"\b(?:a\.m\.|p\.m\.|o'clock) (Mass)\b(?! [A-Z])"),
    _telling(
        "hafiz hafidh hafizah hafez",
        rf"(?:{START}|\b(?:am an?|became an?|as an?|is an?|i'm an?|a|the) )(hafi[zd]h?(?:ah|a)?|hafez)"
        r"(?= (?:since|from|at|by|of|with|and (?:qari|imam|alim)|certificate|programme|program|class|quran|qur)\b|"
        r"[ ]*\(|,? (?:since|having|memori[sz]\w+))",
    ),
    _telling(
        "lent advent ramadan",
        r"(?:^|\b(?:the|my|our|in|;|,)|[;,.]) ?(lent)(?= (?:meals?|fast(?:ing)?|menus?|observance|services?|appeal|"
        r"retreats?|lunch(?:es)?|course|group|reflections?|diet|is|means|abstinence|boxes|starts|begins|keeps)\b)",
        only_in=pattern(
            r"\b(?:christian|coptic|orthodox|catholic|church|parish|vegan|fast\w*|easter|mass|i|my|we|faith|meat)\b"
        ),
        not_in=pattern(r"\b(?:money|loans?|borrow\w*|books?|tools)\b"),
    ),
)
