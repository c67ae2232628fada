"""GENDER: pronouns, titles and words for women, men and people of other genders.

Kept: connectors, plugs and laboratory animals that are male or female, `manned`, `man-hours`,
sister companies, clothing and health departments, abbreviations such as HER and HIS, the
position `chairman` in a company's name, maternity wards, `journeyman`, `freshman`, `ombudsman`.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.candidate import LEAVE_AS_WORK, OFFICE_LEAVE
from evenhand.resumes.categories.personal.titles import TITLES
from evenhand.resumes.rules import Rule, pattern
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["RULES"]

_PARTS = (
    r"(?:connectors?|plugs?|sockets?|threads?|threaded|fittings?|adapt[eo]rs?|pins?|headers?|jacks?|couplings?|"
    r"couplers?|flanges?|ends?(?!-| user)|hoses?|terminals?|npt|bnc|sma|usb|hdmi|luer|contacts?|crimps?|receptacles?|"
    r"sterile|sterility|rats?|mice|mouse|rabbits?|flowers?|plants?(?! (?:manager|director|engineer|operator|supervisor|"
    r"lead))|cattle|calves|cows?|birds?|ducks?|bees?|fish|mosquito(?:es)?|insects?|larvae|primates|macaques|hamsters?|"
    r"piglets?|screws?|dies|mo[u]?lds?|genitalia|hormones?|condoms?|blades?|spades?|valves?)\b"
)
_WARD = r"(?:\w+ )?(?:surgical|medical|orthop\w+|psychiatric|acute|general|wards?|bays?|units?|wing)\b"
_WEAR = (
    r"(?:\w*wear|clothing|clothes|apparel|fashions?|shoes|boots|bags|handbags|suits|tailoring|jackets|coats|"
    r"sizes|sizing|ready-to-wear|denim|jeans|accessories|line|jewell?ery|watches|fragrances?|grooming|razors?|lingerie|"
    r"hosiery|toilets?|restrooms?|washrooms?|changing rooms?|locker rooms?|uniforms?|dresses|toys|hair|haircuts?|"
    r"collections?|magazines?|rea|beauty|skincare)\b"
)
_FIELD = (
    r"health\s*(?:$|[,.;)/|]|and\b|depart|clinic|unit|ward|service|nurs|np\b|practition|rotation|cent(?:er|re)|"
    r"physio|practice|portfolio|product|care\b|team|program|hospital|research|drug|market|brand|supplement|franchise|"
    r"business|app\b|platform|start-?up|compan|division|segment|specialist|stud)"
)
_FIRM = (
    r"(?:\s+\w+)?\s+(?:systems|inc|ltd|llc|corp|corporation|group|mills|industries|gmbh|plc|catering|"
    r"construction|brands?|electric|publishing|holdings|grills?)\b"
)
#: What stands beside a pronoun that is declared, in other languages too.
_LISTED = (
    r"(?:he|him|his|she|her|hers|they|them|theirs?|ze|zie|hir|hirs|zir|zirs|xe|xem|xyr|xyrs|ey|em|eirs?|fae|"
    r"faers?|it|its|per|pers|ae|aers?|ve|ver|vis|thon|co|any|all|elles?|ellas?|el|il|lui|iel|sie|ihr|er|ihm|hen|dey|le|"
    r"la|lei|loro|eles?|dela|dele|ela|hij|hem|zij|haar|die|hun)\b"
)
_START = r"(?:^|\n\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$"
_OF_PEOPLE = (
    r"\s+of\s+(?!(?:an?|one|two|three|four|five|six|seven|\d+|twins?|triplets|teen\w*|young|grown|adult|small|"
    r"school\w*|toddlers?|my|his|her|boys|girls|sons|daughters|little|the (?:bride|groom|year|house)|\w+ (?:children|"
    r"kids|boys|girls))\b)"
)


def _with_stroke(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether S/o and D/o are written with their stroke."""
    return folded.low[folded.words[first][2] : folded.words[last][1]] == "/"


def _is_wife_of(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is written as W/o, not as w/o or W/O, which mean without."""
    return folded.text[folded.words[first][1] : folded.words[last][2]] == "W/o"


_WARD_BEFORE = lazy_re(
    r"\b(?:nurs(?:e|es|ing)|midwi\w+|sister|matron|sonographer|doctor|registrar|assistant)\b[^.;\n]{0,40}$"
)
_LEAVE = lazy_re(r"\s+(?:leave|break|pay|absence|gap)")


def _is_no_ward(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is none where a nurse works: `Staff Nurse, Maternity`, not `Nurse, maternity leave`."""
    start = folded.words[first][1]
    ward = _WARD_BEFORE.search(folded.low, max(0, start - 56), start) is not None
    return not ward or _LEAVE.match(folded.low, folded.words[last][2]) is not None


_BIG = pattern(r"\b(?:big|little) $")

_ALL = pattern(r"\ball[\s-]$")

_OWN = pattern(r"'s\b")

_ONLY = pattern(r"'?[\s-]only\b")

#: Which child of the family: `eldest daughter`.
_WHICH = pattern(
    r"(?<![\w'-])(?:(?:only|first-born|eldest|oldest|youngest|middle|elder|older|younger|late|proud|adopted|twin) )+$"
)


_WORDS = {
    "declared": Rule(
        confidence=0.99,
        after=pattern(rf"\s?/\s?{_LISTED}"),
        tail=pattern(rf"(?:\s?/\s?{_LISTED})+"),
    ),
    "told": Rule(
        confidence=0.95,
        before=pattern(r"\bpronouns?\s*(?:are|is|[:=(-])?\s*$"),
        tail=pattern(rf"(?:\s?(?:/|,|and|or)\s?{_LISTED})*"),
    ),
    "pronoun": Rule(
        confidence=0.98,
        case="prose",
        not_after=pattern(r"\d", r"\s*(?:\+|-?2\b|-ne\b|stain\w*\b)", r"\s+(?:majesty|royal highness)\b"),
    ),
    "sex": Rule(
        confidence=0.95,
        not_after=pattern(
            r"(?:[\s,/-]+(?:and|or|to|with|versus|vs\.?|from|than)?[\s/-]*(?:fe)?male)?"
            rf"(?:[\s-]+(?!(?:in|on|for|and|to|with|of|at|who|by)\b)[a-z0-9.-]+){{0,2}}[\s-]+{_PARTS}",
            r"[\s-]+to[\s-]+(?:fe)?male\b",
            rf"\s+{_WARD}",
        ),
        not_before=pattern(r"\b(?:fe)?male[\s-]+to[\s-]+$"),
        lead=_ALL,
    ),
    "noun": Rule(
        confidence=0.95,
        not_after=pattern(
            r"'s (?:comp|office\b|secretary|p\.?a\b)",
            r"(?:ed|ing)?\s+(?:clauses?|clocks?|rights?|provisions?|status)\b",
            r"(?: (?:and|or) (?:feminine|masculine))?\s+(?:gender|nouns?|forms?|endings?|rhymes?|hygiene|care|"
            r"cruises?)\b",
        ),
        tail=_OWN,
        not_before=pattern(r"\b(?:death of a|disney|smith &|smith and) $"),
    ),
    "wife_of": Rule(confidence=0.93, capital_next=True, before=pattern(_START), check=_is_wife_of),
    "child_of": Rule(confidence=0.95, capital_next=True, check=_with_stroke),
    "office": Rule(confidence=0.9, not_after=pattern(_FIRM, r"-style", r"'s (?:office|secretary|p\.?a\b)")),
    "man": Rule(
        confidence=0.9,
        not_after=pattern(
            r"-(?!of-the)\w",
            r"\s+(?:hours?|days?|weeks?|months?|years?|pages?|power|group|utd|united|city|machine|baskets?|"
            r"lifts?|cages?|hoists?|riding|the (?:phones?|desk|booth|stand|stall|counter|helpline|pumps)|rider|doors?|"
            r"overboard|down|traps?|caves?|marking|utilities|booker|investments?|hole|"
            r"locks?|pack\w*|"
            r"portable|transport|truck\w*|diesel|energy|made|in the (?:middle|loop|browser|dog))\b",
        ),
    ),
    "women_men": Rule(
        confidence=0.95,
        not_after=pattern(
            r"'?\s*(?:and|&|/|,)?\s*(?:men'?s|women'?s|children'?s|kids'?|boys'?|girls'?|"
            r"ladies'?)?\s*(?:\w+\s+)?" + _WEAR,
            r"'?\s+" + _FIELD,
            r"\s+(?:bird|lake|gaga|macbeth|liberty|luck|justice|shri ram|beetles?|ferns?|chapel|day)\b",
        ),
        not_before=pattern(r"(?<!\ball)-$", r"\b(?:mad|x|no|of mice and|pink) $"),
        tail=_ONLY,
    ),
    "family": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s*-?(?:tongue|boards?|compan(?:y|ies)|ships?|lode|nature|node|brands?|sites?|city|cities|"
            r"agenc(?:y|ies)|propert(?:y|ies)|organi[sz]ation|firm|stores?|concern|publication|stations?|paper|project|"
            r"team|plants?|hotel|liquor|plates?|earth|cells?|cultures?|sauce|figure|theresa|teresa|christmas|time|john|"
            r"baby|rolls?|tanks?|'s name|'s day)\b",
            r"\s+(?:growth|basis|change|retention|increase|trends?|revenue)\b",
            _OF_PEOPLE,
        ),
    ),
    "sibling": Rule(
        confidence=0.9,
        case="small",
        not_after=pattern(
            r"[\s-]*(?:compan(?:y|ies)|ships?|brands?|sites?|cit(?:y|ies)|agenc(?:y|ies)|propert(?:y|ies)|"
            r"organi[sz]ations?|firms?|stores?|concern|publications?|stations?|papers?|projects?|teams?|plants?|"
            r"hotels?|schools?|universit\w+|depots?|facilit\w+|offices?|mills?|products?|titles?|charit\w+|clubs?|"
            r"chromatids?|cells?|mines?|restaurants?|channels?|printers?|counters?|branch(?:es)?|departments?|"
            r"practices?|newspapers?|vessels?|wards?)\b"
        ),
    ),
    "sibling_capital": Rule(
        confidence=0.88,
        lead=_BIG,
        before=pattern(
            rf"{_START}",
            r"\b(?:big|little|my|our|band of|ward|theatre|junior|senior|night|charge|older|elder|younger|soul|"
            r"frat\w*|blood|of|and|lay|twin|by|the|with|for|between|two|three|four|disabled|autistic|10|12) $",
        ),
        not_after=pattern(
            r"[\s-]+(?:industries|printers?|machines?|act|compan(?:y|ies)|sites?|ships?|brands?|gaming|inc|ltd|"
            r"llc|corp|bakery|construction|and sons|& sons|plants?|stores?|uk|usa|sewing|label|hotel|furniture|mfc|"
            r"\d)\b"
        ),
        case="capital",
    ),
    "child": Rule(
        confidence=0.9,
        case="small",
        not_after=pattern(
            r"[\s-]*(?:cards?|boards?|compan\w+|isotopes?|cells?|nucle\w+|products?|elements?|ions?|colon\w+|"
            r"process\w*|windows?|nodes?|strands?|firms?|of a gun|phases?|droplets?|centrioles?)\b|"
            r" et lumiere"
        ),
        tail=_OWN,
        lead=_WHICH,
    ),
    "girl": Rule(
        confidence=0.9,
        not_after=pattern(
            r"'?\s*(?:and (?:boys|girls)'?\s+)?(?:school\s+)?" + _WEAR,
            r"\s+with a pearl",
            r"[\s-]+(?:band|group)s?\b",
            r"'?\s+(?:p\.?e\b|games|hostels?)",
        ),
        lead=_ALL,
        not_before=pattern(
            r"\b(?:gilmore|spice|golden|cow|beach|backstreet|pet shop|bad|old|sunny|game|bat|bell|hudson's) $"
        ),
    ),
    "trans": Rule(
        confidence=0.9,
        not_after=pattern(
            r"-",
            r"\s+(?:fats?|fatty|isomers?|unsaturat\w+|configuration|union|alaska\w*|siberia\w*|canad\w+|world|"
            r"mountain|texas|am\b|pennine|pacific|atlantic|national|europ\w+|sahara\w*|caspian|adriatic|anatolian|"
            r"asia\w*|africa\w*|americ\w*|retinoic|acid|states|tasman|port|action|jakarta|nzoia|global|express|lux)\b",
        ),
        not_before=pattern(r"[\w-]-$", r"\b(?:cis|cis and|cis or|zero|no|industrial|artificial|saturated and) ?/?$"),
    ),
    "leave": Rule(
        confidence=0.93,
        not_before=OFFICE_LEAVE,
        not_after=LEAVE_AS_WORK,
        check=_is_no_ward,
    ),
    "plain": Rule(confidence=0.9),
    "proxy": Rule(confidence=0.7, strict=True),
}
RULES = _WORDS | TITLES
