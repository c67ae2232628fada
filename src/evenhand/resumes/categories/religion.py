"""RELIGION: faiths, their people, places, books, feasts and offices, also in an organisation's name.

Kept: Temple University, The Hindu, Islamic finance, Church encoding, cloud-agnostic, Ministry
of Health, Christian and Faith as names, good faith, Java evangelists, mass mailings.
"""

from evenhand.resumes.categories.religion_life import CHURCH_NAME, LIFE_RULES, OF_WORK
from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

_PLACES = (
    r"(?:street|st\b|road|rd\b|lane|ln\b|ave|avenue|hill|gate|square|walk|farm|house hotel|green|wood|end|row|close)"
)
_BUILDING = (
    r"(?:roofs?|floors?|spires?|steeples?|towers?|buildings?(?! (?:trips?|missions?|teams?|camps?|weeks?))|masonry|"
    r"architecture|conversions?|bells?(?! ring)|ruins|complex)"
)
#: What a body of believers has or does.
_BODY = (
    r"(?:temple|communit\w+|faith|religio\w+|societ\w+|students?'?|festival|association|cent(?:er|re)|diet|vegetarian|"
    r"youth|volunteer|famil\w+|fellowship|relief|sangh|samaj|aid|charit\w+|convention|council|union|group|network|"
    r"federation|school|trust|committee|camp|choir|monk|nun|priest|philosophy|household|background|heritage|parents|"
    r"women'?s?|men'?s?|girls|boys|scholar\w*|professionals?|chaplain\w*|club|league|study|prayer|meditation|"
    r"hospital|medical|nurses|doctors|students|summer|sunday|bookshop|library|ladies|holiday|"
    r"buddhis\w+|retreats?|master|practice|practitioner|monastery|population|traditions?|vihar)\b"
)
#: A body of members that is told behind them: `Lawyers' and Professionals' Guild`.
_GUILD = (
    r"(?:[a-z]+'?s?'? (?:and |& |in )?){0,4}(?:guilds?|associations?|societ(?:y|ies)|networks?|unions?|councils?|"
    r"forums?|federations?|fellowships?|circles?|leagues?|alliances?|chambers?|funds?|charit(?:y|ies))\b"
)
#: A building that is sold, let or rebuilt is property.
_PROPERTY = (
    r"\b(?:sales?|leases?|leas(?:ed|ing)|sold|selling|survey\w*|valu\w+|valuation|convert\w*|conversion|refurbish\w*|"
    r"demol\w+|renovat\w+|auction\w*|redevelop\w*|planning (?:permission|applications?|consent)|survey|purchase|"
    r"acquisition|disposal)\s(?:(?:of|for|at|on)\s)?(?:(?:an?|the|two|three|old|former|disused|empty|derelict|listed|"
    r"victorian|gothic|medieval|small|redundant|large|village)\s){0,4}$"
)
_DISUSED = r"\b(?:disused|derelict|redundant|deconsecrated)\s$"
#: Faiths as what a school teaches.
_TAUGHT = (
    r"\b(?:units?|lessons?|modules?|curriculum|syllabus|key stage \w+|year \d+|classes|topics?) "
    r"(?:on|about|covering|in) (?:[a-z]+(?:,| and|, and) ){0,4}$"
)
#: A newspaper in a list of them.
_PAPERS = r"\b(?:times|guardian|telegraph|herald|post|tribune|observer|independent|gazette)(?:,| and|, and) (?:the )?$"
_TITLED = r"\b(?:mr|mrs|ms|dr|prof|miss|professor)\.?\s$"

RULES = {
    **LIFE_RULES,
    "term": Rule(
        confidence=0.96,
        not_before=pattern(_TAUGHT, _PAPERS),
        not_after=pattern(
            r"\s+(?:finance|banking|banks?|bonds?|architecture|mint|development bank|calligraphy|sukuk|maths|"
            r"automotive|brandy|mathematics|monitor|street|road|lane|plants?)\b"
        ),
    ),
    "methodist": Rule(
        confidence=0.95,
        not_before=pattern(_TAUGHT, r"\b(?:houston|riverside|nebraska|dallas|arkansas|iowa|indiana|clarian) $"),
        not_after=pattern(r"\s+(?:system|healthcare|health|dallas|le bonheur|mansfield|rollout)\b"),
        tail=pattern(r" missions?\b"),
    ),
    "christian": Rule(
        confidence=0.9,
        case="capital",
        not_after=pattern(
            r"\s+(?:dior|louboutin|lacroix|bale|mingle|siriano|brothers (?:automotive|auto|brandy)|horner|wulff|"
            r"name|science monitor|county|aid (?:as|account|contract|campaigns?|for a client|\(client))\b",
            r"'s\b|\s+[a-z]\.\s",
        ),
    ),
    "hindu": Rule(
        confidence=0.94,
        not_before=pattern(r"\bthe $", _TAUGHT),
        not_after=pattern(r"\s+(?:newspaper|business\s?line|kush)\b"),
    ),
    "hindu_the": Rule(
        confidence=0.9,
        before=pattern(r"\bthe $"),
        after=pattern(
            rf"\s+{_BODY}",
            rf"\s+{_GUILD}",
            r"\s+(?:education\w*|american|heritage|foundation|cultural|forum|mission|dharma|mandir|spiritual|scripture|"
            r"human rights|service|sabha|mahasabha|swayamsevak|sewa|seva|way of life|epics?|gods?|calendar|wedding)\b",
        ),
    ),
    "catholic": Rule(
        confidence=0.94,
        case="capital",
        not_before=pattern(_TAUGHT, _PAPERS),
        not_after=pattern(r"\s+(?:worker|tastes?|interests?|reading)\b"),
    ),
    "orthodox": Rule(
        confidence=0.9,
        case="capital",
        not_after=pattern(
            r"\s+(?:[a-z-]+\s){0,2}(?:views?|thinking|treatments?|opinions?|wisdom|theory|keynesian|marxist|"
            r"lines|methods?|approach\w*|techniques?|medicine|econom\w+|accounting|management|practices?|ways?)\b"
        ),
    ),
    "jain": Rule(
        confidence=0.85, case="capital", after=pattern(rf"\s+{_BODY}", r"\s+and\s"), not_before=pattern(_TITLED)
    ),
    "jain_told": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(
            r"\b(?:an?|the|am|i'm|as|up|practi[sc]ing|devout|raised|born|of|religion\W{1,4}|"
            r"faith\W{1,4}|lapsed|local|fellow)\s$"
        ),
        not_after=pattern(r"\s+(?:[a-z]+\s)?(?:garden|desk|theme|mode|spa)\b", r"\s+(?:of|and) "),
    ),
    "mosque": Rule(confidence=0.94, not_before=pattern(_TITLED, _PROPERTY, _DISUSED)),
    "church": Rule(
        confidence=0.88,
        lead=CHURCH_NAME,
        tail=pattern(r" of (?:st\.?|saint) [a-z'-]+", r" of (?:the )?(?:holy|sacred) [a-z]+"),
        not_after=pattern(
            r"\s+(?:&|and) (?:dwight|co)\b",
            rf"[\s-]+(?:encoding|numerals?|rosser|turing|thesis|{_PLACES}|{_BUILDING}|stretton|"
            rf"fenton|view|path|crookham|brampton)",
            r"'s (?:shoes|chicken|fish)",
        ),
        not_before=pattern(r"\b(?:alonzo|charlotte|frank|mr|mrs|ms|miss|dr)\.?\s$", _PROPERTY, _DISUSED),
    ),
    "temple": Rule(
        confidence=0.85,
        case="small",
        not_before=pattern(r"\b(?:greek|roman|egyptian|mayan|ancient)\s$"),
        not_after=pattern(rf"\s+(?:{_BUILDING}|bar\b|run|fortune|ball|of (?:zeus|apollo|doom))"),
    ),
    "temple_after": Rule(
        confidence=0.85,
        after=pattern(
            rf"\s+(?:{_BODY}|services?|seva|kitchen|beth|israel|emanu|sholom|shalom|sinai|square mission|b'nai)"
        ),
        not_before=pattern(r"\b(?:inner|middle)\s$"),
    ),
    "cathedral": Rule(
        confidence=0.85,
        not_after=pattern(
            rf"[\s-]+(?:city|quarter|{_PLACES}|down|ceiling|law|insurance|allerton|en le frith|"
            rf"peak|hats?|school|primary|software|avenue|capital|energy|group)",
            r"'s\b",
        ),
        not_before=pattern(r"\b(?:york|shinto-style|bazaar|software)\s$", _PROPERTY, _DISUSED),
    ),
    "seminary": Rule(confidence=0.85, not_before=pattern(r"'s $"), not_after=pattern(rf"\s+(?:garden|{_PLACES})")),
    "sermon": Rule(
        confidence=0.9,
        not_near=pattern(
            r"\b(?:editions?|printed|manuscripts?|corpus|corpora|transcri\w+|puritan|1[4-8]\d\d|tei|archiv\w+)\b"
        ),
    ),
    "parish": Rule(
        confidence=0.9,
        not_before=pattern(
            r"\b(?:orleans|jefferson|baton rouge|caddo|lafayette|calcasieu|tammany|bossier|rapides|ouachita|terrebonne|"
            r"tangipahoa|ascension|livingston|lafourche|iberia|vermilion|bernard|landry|charles|civil|mr|ms|mrs|"
            r"clerk (?:to|of|for) the)\.?\s$"
        ),
        not_after=pattern(
            r"\s+(?:council (?:clerk|minutes|meetings?|grants?|precept|elections?)|"
            r"councill?ors?|clerk|registers?|ledgers?|records|archives?|boundar|school board|"
            r"sheriff|government|president)"
        ),
        tail=pattern(r"\s+(?:council|choir|priest|fete|festival|youth group)\b"),
    ),
    "ministry": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:youth|campus|worship|music|prison|children'?s|women'?s|men'?s|pastoral|gospel|college|student|"
            r"church|prayer|media|hospitality|full-time|part-time|ordained|christian|outreach|street|singles|family|in|"
            r"pulpit|teaching|preaching|deaf|healing|homeless|compassion|urban|young adults?|couples|marriage|recovery|"
            r"dance|drama|technical|sound|ushering|greet\w+|food|jail|hospital|leadership|evangelism|discipleship|"
            r"bus|nursing home|intercession|my|our|lay|parish|catholic|choir|welcome|international|faith|grace)\s$"
        ),
        not_before=pattern(r"\bline\s$"),
        not_after=pattern(
            r"\s+of (?:[a-z]+ )?(?:health|sports?|youth|culture|works|finance|defen[cs]e|education|justice|"
            r"labou?r|foreign|interior|trade)"
        ),
    ),
    "ministry_after": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:teams?|leader|school|training|apprentice|fair|of (?:music|the word|presence|mercy|jesus))\b"
        ),
    ),
    "minister": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:lay|ordained|youth|eucharistic|methodist|baptist|presbyterian|unitarian|associate|assistant|worship|"
            r"children'?s|community|parish|non-denominational|licensed|music|campus|interfaith|student|church|hospital|"
            r"prison|pastoral|pentecostal|lutheran|congregational|reformed|a|as)\s$"
        ),
        not_after=pattern(
            r"\s+(?:of (?!religion|music|the word|worship|the gospel|word)|for |counsellor|plenipotentiary)"
        ),
        not_before=pattern(r"\b(?:prime|cabinet|junior|shadow|deputy)\s$"),
    ),
    "minister_of": Rule(
        confidence=0.85, after=pattern(r"\s+(?:of (?:religion|music|the word|worship|the gospel)|at st\b)")
    ),
    "clergy": Rule(
        confidence=0.85,
        not_before=pattern(r"\b(?:high|tech|technology|desmond|judas|mr|mrs|ms|miss|grey|gray)\.?\s$"),
        not_after=pattern(r"\s+(?:brown|inc|lake|river|creek|hole|rapids|cove|garcia)\b", rf"\s+{_PLACES}"),
    ),
    "bishop": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:the|a|an|auxiliary|my|our|assistant|as|suffragan|for|buddhist|ordained|zen|tibetan|benedictine|"
            r"former|lay|catholic|anglican|methodist|his|synagogue|temple|cathedral|and|of|with)\s$"
        ),
        not_after=pattern(
            r"'s (?:stortford|castle|waltham|move)",
            r"-like\b",
            r"\s+(?:auckland|arts|stortford|frome|rock|move|fruit|crook)",
        ),
    ),
    "missionary": Rule(confidence=0.93, not_after=pattern(r"\s+(?:zeal|position|work in sales)")),
    "mission": Rule(
        confidence=0.85, not_after=pattern(r"[\s-]+(?:critical|statement|control|driven|oriented|district)\b")
    ),
    "mission_served": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:served (?:a|my|his|her)|two-year|18-month|eighteen-month|full-time|gospel|rescue|city|lds)\s$"
        ),
        not_after=pattern(r"[\s-]+(?:critical|statement|control|driven|oriented|district|specialist|planner|bay)\b"),
    ),
    "evangelism": Rule(
        confidence=0.9,
        not_before=pattern(
            r"\b(?:developer|product|technical|technology|tech|brand|customer|cloud|data|api|internal|community|design|"
            r"open[- ]source|security|agile|quality|platform)\s$"
        ),
        not_after=pattern(r"\s+(?:of (?:best|agile|devops|new|the product)|agile|devops|best)"),
    ),
    "evangelical": Rule(confidence=0.93, not_after=pattern(r"\s+(?:about|zeal|in my)\b")),
    "quaker": Rule(confidence=0.93, not_after=pattern(r"\s+(?:oats|state|chemical|houghton|foods)\b")),
    "baptism": Rule(confidence=0.93, not_after=pattern(r"\s+(?:of|by) fire")),
    "communion": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:with nature|of minds|bicycles?|bikes?)", r"-(?:style|like|shaped|inspired|effect)\b"),
        not_before=pattern(r"\bon the\s$"),
    ),
    "bible": Rule(
        confidence=0.93,
        tail=pattern(r" (?:stud(?:y|ies)|reading)\b", r" (?:group|class|college|camp|society|college)\b"),
        not_after=OF_WORK,
        case="capital",
        not_before=pattern(
            r"\b(?:scrum|onboarding|sales|playbook|style|brand|developer|tester'?s?|kitchen|industry|trade|"
            r"series|show|unofficial)\s$"
        ),
    ),
    "jesus": Rule(
        confidence=0.9,
        after=pattern(
            r"(?:')?\s*(?:[,.;:)!|-]|$)|\s(?:movement|film|calling|is|as|at|in|and|of|people|project|family)\b"
        ),
    ),
    "god": Rule(
        confidence=0.85,
        case="capital",
        not_after=pattern(
            r"\s+(?:church|college|hospital|school|object|class|of war|mode|save|the king|"
            r"the redeemer|street|of mercy)",
            r"'?s?\s+(?:hospital|college|church|lutheran college)",
        ),
        not_before=pattern(r"\b(?:corpus|jesus|acts? of)\s$"),
    ),
    "faith": Rule(
        confidence=0.85,
        after=pattern(
            r"[\s-]+(?:based|community|communities|group|groups|leaders?|formation|journey|healing|tradition|school|"
            r"schools|and|commitment|matters to me|is important|in (?:god|christ|jesus|action|allah))\b"
        ),
        not_before=pattern(r"\b(?:good|bad|full) $"),
    ),
    "faith_small": Rule(
        confidence=0.85,
        case="small",
        not_before=pattern(
            r"\b(?:good|bad)-$",
            r"\b(?:good|bad|best|blind|little|every|full|utmost|have|had|has|put|lost|keep|kept|keeping|earn\w*|"
            r"won the|the|placed|restor\w+|regain\w*|more|new|(?:client|customer|investor|user|buyer|team|"
            r"lender)s?'?s?'?)\s$",
            r"\b(?:leap|show|article|act|profession|vote|lack|breach)[ -]of[\s-]$",
        ),
        not_after=pattern(
            r"\s+(?:in (?!god|christ|jesus|action|allah|the lord)|that |of (?!my|our|our fathers|the church|"
            r"islam|abraham)|with (?:the|our|my|its|his|her)\b)"
        ),
    ),
    "faith_own": Rule(
        confidence=0.85,
        before=pattern(r"(?:^|[.;:!?\n,]\s*|\b(?:and|because|as|where|though|but|of|by|in|to|from|through) )my\s$"),
        not_after=pattern(r"\s+(?:in (?!god|christ|jesus|action|allah|the lord)|that |restored)"),
    ),
    "pray": Rule(
        tail=pattern(
            r" (?:the namaz|namaz|salah)?(?:(?:,? ?(?:five|5|three|two|seven)(?: times)?)(?: (?:a|each|every|"
            r"per) day| daily)|daily|every day)\b"
        ),
        confidence=0.9,
        not_near=pattern(r"\bspray|antivirus"),
    ),
    "agnostic": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:i am|i'm|an|a|as|up|raised|now|devout|atheist or|atheist and|secular|religion\W{0,3}|is|"
            r"proud|practi[sc]ing)\s(?:an? )?$"
        ),
        not_before=pattern(r"-$"),
        not_after=pattern(r"\s+(?:to|about|towards?|on)\b"),
    ),
    "agnostic_body": Rule(
        confidence=0.85,
        after=pattern(rf"\s+(?:celebrants?|uk|ceremon\w+|moot|alliance|weddings?|funerals?|{_BODY})\b"),
        not_before=pattern(r"-$"),
    ),
    "worship": Rule(confidence=0.88, not_before=pattern(r"\b(?:hero|ancestor|celebrity|tech)[\s-]$")),
    "food": Rule(
        confidence=0.9,
        not_after=pattern(
            r"[\s-]+(?:and (?:kosher|halal) )?(?:certif\w+|audits?|standards?|complian\w+|salt|pickles?|schemes?|"
            r"meat (?:plant|processing)|slaughter)\b"
        ),
    ),
    "turban": Rule(confidence=0.93),
    "feast": Rule(
        confidence=0.93,
        not_before=pattern(r"\bblack\s$"),
        not_after=pattern(
            r"\s+(?:gift |sale|sales|campaigns?|promotion|season|marketing|offers?|ads?\b|collection|discount|traffic|"
            r"peak)"
        ),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
