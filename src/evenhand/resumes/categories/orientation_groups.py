"""ORIENTATION: clubs, charities, networks and papers of the community, and being out.

Kept: attitude, divas, switchboards of hospitals, the Pittsburgh Steelers, outstanding lists of defects,
pink paper, coming out of administration. A name that is an ordinary word counts beside a cue only.
"""

from evenhand.resumes.categories.orientation_names import NAMES
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Rule, pattern

__all__ = ["GROUPS"]

#: What tells the community near a name that has other meanings.
_CUE = (
    r"\b(?:lgbt\w*|gay\w*|lesbians?|queer\w*|bisexual\w*|trans|homophob\w*|pride|same-sex|equality|role models?|"
    r"sexuality|inclusive|lgb|glbt|lgtb\w*|stonewall|pansexual|coming out)\b"
)
_WRITES = (
    r"\b(?:writ(?:e|es|ten|ing)|wrote|column(?:s|ist)?|contribut\w+|edit(?:s|ed|or|ing)?|reporter|freelanc\w+|"
    r"published|journalist|features?|articles?|interview\w*|intern\w*|sub-edit\w+|photograph\w*|designed|listings|"
    r"subscri\w+|cover|reviews?|reviewer|pieces?|worked|volunteer\w*|sold adverti\w+|profiled|essays?|blog\w*)"
    r"(?: (?:[\w-]+ ){0,2}(?:for|in|at|on|of|by|with|to)(?: the)?)?\s$"
)
_HELPS = (
    r"\b(?:volunteer\w*|listener|call[ -]?handler|helpline|phones?|trustee|trained|shifts?|answer\w*|supporter|"
    r"donat\w+|fundrais\w+|run for|work\w*)(?: [\w-]+){0,3} (?:on|at|for|with|of|to|by)(?: the| london| brighton)?\s$"
)
_SPOKE = (
    r"\b(?:spoke|spoken|speak(?:s|ing|er)?|talk(?:s|ed|ing)?|wrote|writ(?:e|es|ten|ing)|blog\w*|panel\w*|podcasts?|"
    r"essays?|articles?|stor(?:y|ies)|lectur\w+|workshops?|sessions?|column\w*|book|film|play|memoir|keynote|"
    r"present(?:ed|ations?)|chapters?|research\w*|thesis|advis\w+|support\w*|help\w*|guid\w+|open|honest)(?: "
    r"[\w-]+){0,3} (?:on|about|of|around|to|with|in)\s(?:my |his |her |their |the )?$"
)
_ROLE = (
    r"(?:[a-z]{2,}(?:er|or|wife|ist|ian|ant|ier|eer|eon|man|woman|person|ess)|nurse|doctor|gp|chef|cook|colleagues?|"
    r"member|staff|lead|captain|apprentice|student|head|parents?|role model|professionals?|athlete|academic|clerk|mp|"
    r"councillor|candidate|employee|executive|head ?teacher|trans|bi|gay|lesbian|queer|bisexual|lgbt\w*|ally|founder|"
    r"partner|judge|vicar|priest|pilot|coach|graduate|trustee|governor|"
    r"(?:maths|science|primary|secondary|pe|english|bus|train|police|fire|senior|junior|black|asian|muslim) "
    r"(?:teacher|driver|officer|lead|nurse|manager|engineer|fighter|partner|professional|woman|man))s?\b"
)
_NO_ROLE = (
    r"\s+(?:of|patients?|trays?|going|door|build\w*|put|source\w*|take|bound|house|post|field\w*|turn|let|line|"
    r"counter|number|folder|parameter|pointer|register|order|letter|corner|quarter|buffer|filter|adapter|layer|player|"
    r"inner|either|other|under)\b"
)


def _is_role_models(plain: Plain, first: int, _last: int) -> bool:
    """Say whether OUTstanding is written as the list of role models writes it, or that list is named."""
    _, start, end = plain.words[first]
    written = plain.text[start:end]
    return (written[:3] == "OUT" and written[3:].islower()) or _ROLE_MODELS.match(plain.low, end) is not None


_ROLE_MODELS = pattern(
    r"\s+(?:list of (?:\w+ )?role models|(?:lgbt\S* )?role models? list|(?:top )?100|lgbt\S* (?:role|list|"
    r"executives))\b"
)


def _is_beside_cue(plain: Plain, first: int, last: int) -> bool:
    """Say whether the community is named within a few words of a name that has other meanings."""
    start, end = plain.words[first][1], plain.words[last][2]
    left, right = plain.low[max(0, start - 60) : start], plain.low[end : end + 70]
    left, right = left.rpartition("\n")[2], right.split("\n\n")[0]
    return _NEAR_CUE.search(left) is not None or _NEAR_CUE.search(right) is not None


_NEAR_CUE = pattern(_CUE)

#: What tells that a transition is of one's gender (no token of a masking); nothing of work is said to follow it.
_GENDER_CUE = pattern(
    r"(?<!\[)\b(?:trans|transgender|genders?|pronouns?|(?:former|old|new|dead|previous|chosen|legal|birth|another|"
    r"first|given|my) names?|names?|deadnam\w*|hrt|hormones?|surger(?:y|ies)|misgender\w*|lgbt\w*|own experience|"
    r"openly)\b"
)
_TRANSITION_ENDS = pattern(
    r"\s*(?:[.;:)]|$)",
    r"\s+while (?:working|employed|at|serving|studying|in)\b",
    r"(?:\s+(?:in|at|around|before|after|during|since|back in|early|late|mid|the|january|february|march|"
    r"april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|work|age|"
    r"university|college|school))*\s+(?:(?:19|20)\d\d|\d\d|work|university|college|school)\s*(?:[.;:,)\n]|$|and\b|"
    r"with\b|so\b|while\b|but\b)",
    r"\s+(?:on the job|socially|medically|publicly|openly|genders?\b|from (?:male|female)|to (?:male|"
    r"female|living as))\b",
)
_TRANSITION_OF = pattern(r"\s+(?:guid\w+|polic\w+|toolkit|plan|support|leave|at work|handbook|network)\b")
_SUBJECT = frozenset({"i", "he", "she", "they", "who", "i've", "had", "have", "openly"})
_TIME = frozenset({"since", "after", "before", "while", "when", "of", "my", "his", "her", "own", "social", "medical"})


def _is_of_gender(plain: Plain, first: int, last: int) -> bool:
    """Say whether it is one's gender that is told to have changed.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "I transitioned in 2016.", "I transitioned in 2016 to sales.", "Since transitioning my name is Ana."
    >>> [_is_of_gender(seen, 1, 1) for seen in map(plain_text, texts)]
    [True, False, True]
    """
    if not first:
        return False
    before, end = plain.words[first - 1][0], plain.words[last][2]
    right = plain.low[end : end + 70]
    around = plain.low[max(0, plain.words[first][1] - 70) : end + 90]
    word = plain.words[first][0]
    if word == "transitioned":
        if _TRANSITION_ENDS.match(right) is None:
            return False
        return before in _SUBJECT or (before[-1:].isalpha() and _GENDER_CUE.search(around) is not None)
    if _GENDER_CUE.search(around) is None or right.lstrip()[:3] in {"to ", "of ", "int", "fro", "bet"}:
        return False
    return before in _TIME or (word == "transition" and _TRANSITION_OF.match(right) is not None)


_MARDI_GRAS = pattern(
    r"\b(?:rainbow|drag|glitter|hyde park|taylor square|sydney|march(?:ed|es|ing)|lgbt\w*|gay|lesbian|"
    r"queer|oxford street|newtown|australia\w*|acon)\b"
)
_AUSTRALIA_LISTED = (
    "sydney melbourne brisbane adelaide perth canberra darwin hobart nsw queensland australia australian tasmania tafe "
    "wollongong newcastle geelong cairns aboriginal fifo auckland wellington midsumma aud abn"
)
_AUSTRALIA = frozenset(_AUSTRALIA_LISTED.split())
_CARNIVAL = pattern(r"\b(?:new orleans|louisiana|mobile|krewe|beads|bourbon|carnival|king cake|galveston|rio)\b")


def _is_of_sydney(plain: Plain, first: int, last: int) -> bool:
    """Say whether it is the march in Sydney, not the carnival."""
    around = plain.low[max(0, plain.words[first][1] - 80) : plain.words[last][2] + 80]
    if _CARNIVAL.search(around) is not None:
        return False
    return _MARDI_GRAS.search(around) is not None or not _AUSTRALIA.isdisjoint(plain.where)


GROUPS = {
    **NAMES,
    "transition": Rule(confidence=0.86, check=_is_of_gender),
    "mardi_gras": Rule(confidence=0.86, check=_is_of_sydney),
    "dont_ask": Rule(confidence=0.93, after=pattern(r",? don't tell\b"), tail=pattern(r",? don't tell\b")),
    "dadt": Rule(confidence=0.9, case="upper"),
    "after_coming_out": Rule(
        confidence=0.86,
        before=pattern(r"\b(?:after|since|before|my|his|her|their|upon) $"),
        after=pattern(r"\s*(?:[.;,)]|$)"),
        not_before=pattern(r"\b(?:products?|releases?|versions?|albums?|books?|results?|report|film)\b[^.\n]{0,30}$"),
    ),
    "csd": Rule(
        confidence=0.88,
        case="upper",
        after=pattern(
            r"\s+(?:berlin|koln|cologne|hamburg|munich|munchen|stuttgart|zurich|frankfurt|leipzig|dresden|nurnberg|"
            r"dusseldorf|mannheim|freiburg|bremen|hannover|rostock|wien|vienna|basel|bern|essen|dortmund|kiel|"
            r"graz|linz|salzburg|innsbruck|luzern|saarbrucken|augsburg|karlsruhe|magdeburg|bielefeld|munster|aachen|"
            r"parade|verein|truck|wagen|demo\b|orga\w*|deutschland|committee|komitee|volunteer\w*|steward\w*|ordner\w*|"
            r"festival|march|float|helper\w*|in [a-z])\b"
        ),
    ),
    "out_at_firm": Rule(
        confidence=0.88,
        case="capital",
        after=pattern(r"@[a-z]"),
        not_after=pattern(r"@[\w-]+\.[a-z]{2}"),
        tail=pattern(r"@[\w-]+"),
    ),
    "does_drag": Rule(
        confidence=0.87,
        before=pattern(r"\b(?:do|does|did|doing|performing|perform|performs|performed) $"),
        not_after=pattern(
            r"[\s-]+(?:and|&|coefficients?|forces?|reduction|calc\w*|analys\w+|tests?|measure\w*|model\w*|"
            r"estimat\w+|races?|racing)\b"
        ),
    ),
    "topic": Rule(
        confidence=0.86,
        before=pattern(r"[a-z,&/]\s$"),
        not_before=pattern(r"\b(?:monitoring|form|my|declared|label|field|the)\s$", r"\n[^\n]{0,3}$"),
        not_after=pattern(
            r"[\s\"]*[:=|(\t]", r"\s{2,}", r"\s+(?:is|was)\b", r"\s*\n\s*(?:gay|straight|hetero|bi|lesbian)"
        ),
    ),
    "own_topic": Rule(
        confidence=0.87,
        before=pattern(r"\b(?:my|their|his|her|own|because of|about|on grounds of)\s(?:own )?$"),
        not_after=pattern(r"[\s\"]*[:=|(]"),
    ),
    "two_parents": Rule(
        confidence=0.87,
        before=pattern(r"\b(?:my|by|have|had|with|has|our|(?:child|children|kid|kids|son|daughter) of)\s(?:my )?$"),
        not_after=pattern(
            r" (?:and (?:two|three|four|one|\d|their|dads?|mums?|moms?|toddlers|children|bab\w+|pupils)|who (?:needed|"
            r"came|help\w*|volunteer\w*))\b"
        ),
    ),
    "in_drag": Rule(
        confidence=0.87, before=pattern(r"\b(?:perform\w*|dress\w*|sing\w*|sang|host\w*|appear\w*|shows?) $")
    ),
    "paper": Rule(
        confidence=0.88,
        before=pattern(_WRITES, r"\b(?:gay times|diva|attitude|pink news|pinknews|boyz)(?:,| and|,? &) $"),
        not_after=pattern(
            r"\s+(?:to|of|is|was|towards?|analy\w+|fitting|problems?|change|survey|stud\w+|data|scales?|cup|"
            r"behaviou?r)\b"
        ),
        not_before=pattern(r"\b(?:an?|the right|good|positive|great|my|his|her|can-do) $"),
    ),
    "paper_named": Rule(
        confidence=0.88,
        case="capital",
        after=pattern(r"(?:'s)?\s+(?:magazine|mag\b|awards?|pride|\(lgbt|pride awards|power list|heroes)"),
    ),
    "beside_cue": Rule(confidence=0.87, case="capital", check=_is_beside_cue),
    "beside_small": Rule(confidence=0.87, check=_is_beside_cue),
    "switchboard": Rule(
        confidence=0.9,
        after=pattern(r"[\s,(-]+(?:the )?(?:national )?(?:lgbt\w*|lesbian|gay|queer|rainbow)\b"),
        tail=pattern(r"[\s,(-]+(?:the )?(?:national )?lgbt\w*\+?"),
    ),
    "switchboard_helper": Rule(
        confidence=0.85,
        case="capital",
        before=pattern(_HELPS, _CUE + r"\+?[\s,]*$"),
        not_after=pattern(
            r"\s+(?:operator|room|team|at the|of the|hospital|manufactur\w*|engineer|panel|upgrade|maintenance)"
        ),
        not_before=pattern(r"\b(?:lv|mv|hv|voltage|main|electrical|hospital|hotel|busy|low|medium|high)[^.\n]{0,20}$"),
    ),
    "steelers": Rule(confidence=0.9, before=pattern(r"\bking'?s'? cross $")),
    "outstanding": Rule(confidence=0.9, check=_is_role_models),
    "proud_group": Rule(
        confidence=0.87,
        case="capital",
        capital_next=True,
        after=pattern(rf"\s+(?:[a-z-]+ ){{0,3}}[a-z]+,?[^.\n]{{0,50}}{_CUE}"),
        not_after=pattern(r"\s+(?:to|of|and|father|mother|parent|member|mary)\b"),
    ),
    "spoke_on": Rule(
        confidence=0.88,
        before=pattern(_SPOKE),
        not_after=pattern(
            r" of (?:lockdown|administration|recession|retirement|the (?:pandemic|recession|closet of)|covid|"
            r"insolvency|prison|care|surgery|chapter|beta|stealth|hospital|the other|school|university)|\s+(?:ahead|on "
            r"top|of)\b"
        ),
    ),
    "out_role": Rule(
        confidence=0.87,
        before=pattern(
            r"\b(?:an|only|first|openly|as an|few|proudly|other|fellow|more|visible|visibly|our|several|two|being|"
            r"many|coach(?:ed|ing)?|mentor(?:ed|ing)?|for|among|celebrat\w+|support(?:s|ed|ing)?|young|by|of)\s$"
        ),
        after=pattern(rf"\s+(?:and proud |and visible )?{_ROLE}"),
        not_after=pattern(_NO_ROLE),
        not_before=pattern(
            r"\b(?:log|sign|opt|cash|print|read|turn|work|drop|roll|sell|stand|point|hand|fade|time|lock|"
            r"way)\w* (?:an|only|first)\s$"
        ),
    ),
    "out_to": Rule(
        confidence=0.87,
        before=pattern(
            r"\b(?:i am|i'm|i have been|i've been|he is|she is|being|been|was|were|am|bisexual and|gay and|queer and|"
            r"trans and|lesbian and|openly|fully) (?:fully |completely |openly |always |now )*$"
        ),
        after=pattern(
            r"\s+(?:to (?:my|all|the team|the whole|everyone|colleagues|clients|students|pupils|family|friends|"
            r"parents|managers)|since (?:school|college|university|my|the (?:start|site|induction)|day one|\w+teen|"
            r"(?:19|20)\d\d)|at (?:every|all|my|each|work|school|university)\b|in (?:every|my (?:team|current|last|job|"
            r"role)|all (?:my|areas))|with (?:my|the) (?:team|colleagues|"
            r"clients))\b"
        ),
        not_before=pattern(
            r"\b(?:sent|handed|given|sold|laid|set|carried|rolled|paid|let|hired|rented|put|bailed)\b[^.\n]{0,20}$"
        ),
    ),
    "out_small": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:member of|mentor (?:at|for|with)|volunteer (?:at|for|with)|chapter of|chaired|chair of|network,?|"
            r"treasurer of|joined) $"
        ),
    ),
    "stonewall_small": Rule(
        confidence=0.88,
        case="small",
        after=pattern(
            r"(?:'s)?\s+(?:workplace|equality|index|top (?:100|50)|diversity|champions?|charity|role models?|training|"
            r"allies|leadership|ambassadors?|volunteers?|supporters?|trustee|fundrais\w*|members?|award|network|"
            r"speaker|young|housing|riots?|inn|submission|conference|programme|toolkit|school champions?)\b"
        ),
    ),
}
