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


GROUPS = {
    **NAMES,
    "transition": Rule(confidence=0.86, check=_is_of_gender),
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
    "beside_cue": Rule(confidence=0.87, case="capital", check=_is_beside_cue),
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
    "out_small": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:member of|mentor (?:at|for|with)|volunteer (?:at|for|with)|chapter of|chaired|chair of|network,?|"
            r"treasurer of|joined) $"
        ),
    ),
}
