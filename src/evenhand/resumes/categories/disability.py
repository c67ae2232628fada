"""DISABILITY: conditions, aids and arrangements, of the person or of people that are mentioned.

Kept: expertise in accessibility (WCAG, tests with screen readers), double-blind trials, deaf
ears, the economy's depression, disabled alarms, sign languages (a skill), bipolar transistors,
disability insurance as a line of business.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

#: Work on accessible products tells a skill, not a condition.
_EXPERTISE = pattern(
    r"\bwcag\b",
    r"\baria\b",
    r"\ba11y\b",
    r"\bsection 508\b",
    r"\bvpat\b",
    r"\baccessib(?:le|ility) (?:pages?|sites?|websites?|"
    r"apps?|web|design|audit|audits|testing|standards?|guidelines?|features?|components?|software|"
    r"compliance|engineer|team)",
    r"\bada complian",
    r"\busers? with\b",
    r"\bassistive tech",
    r"\bnvda\b",
    r"\bvoiceover\b",
)
_PEOPLE = (
    r"(?:persons?|people|veterans?|athletes?|students?|child(?:ren)?|adults?|employees?|communit(?:y|ies)|candidates?|"
    r"clients?|users?|m[ae]n|wom[ae]n|youth|workers?|staff|individuals?|applicants?|professionals?|artists?|"
    r"network|parking|access|sports?|sport|swimming|rugby|football|cricket|golf|soccer|pupils?|learners?|patients?|"
    r"runners?|skiers?|residents?|seniors?|teens?|girl|boy|entrepreneurs?|lawyers?|association|society|school|union|"
    r"guests?|customers?|passengers?|in (?:one|both|my)|since|from birth|card)"
)

RULES = {
    "term": Rule(confidence=0.96, not_near=_EXPERTISE),
    "always": Rule(confidence=0.96),
    "aid": Rule(
        confidence=0.93, not_near=_EXPERTISE, not_before=pattern(r"\b(?:sold|design(?:ed)? of|manufactured)\s$")
    ),
    "screen_reader": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:i|and|to|by|with a|my|me|as a|relies on a|rely on a)\s+(?:daily\s+)?(?:use|uses|using|"
            r"rely on|relies on|work with|working with|"
            r"need|needs|am)?\s*(?:an?|my|the)?\s*$",
            r"\b(?:using|use|via|need|require|requires)\s+(?:an?|my)\s$",
        ),
        not_near=_EXPERTISE,
        not_before=pattern(
            r"\b(?:tested|testing|tests|test|compatible|compatibility|support|works|pages|site|audited|"
            r"audits)\b[^.\n]{0,40}$"
        ),
    ),
    "deaf": Rule(
        confidence=0.95,
        not_after=pattern(r"\s+ears?\b"),
        not_before=pattern(r"\btone[\s-]$"),
    ),
    "blind": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:legally|partially|registered|am|i'm|born|colou?r|is|went|going|clinically|totally|"
            r"deaf and|the|and|of|for|"
            r"become|became|night|congenitally|fully|half|i am)[\s-]$"
        ),
        not_before=pattern(
            r"\b(?:double|single|triple|study was|trial was|review (?:is|was)|open|(?:and|the|of|for) "
            r"(?:the )?(?:double|single))[\s-]$",
            r"\bvenetian\s$",
        ),
        not_after=pattern(
            r"[\s-]+(?:reviews?|reviewed|trials?|spots?|stud(?:y|ies)|tests?|tasting|auditions?|hiring|"
            r"recruit\w+|screening|dates?|"
            r"eye|hems?|rivets?|faith|signatures?|sql|xss|pool|trust|copy|cv|resume|assessment|grading|"
            r"marking|alley|box|"
            r"manufacturer|install\w+|evaluation|ambition|peer|holes?|flanges?|carbon)\b"
        ),
    ),
    "blind_people": Rule(
        confidence=0.93,
        after=pattern(rf"[\s-]+{_PEOPLE}\b"),
        not_before=pattern(r"\b(?:double|single|triple)-$"),
        not_after=pattern(r"\s+(?:candidates?|applicants?) (?:review|screen)"),
        not_near=_EXPERTISE,
    ),
    "disabled": Rule(
        confidence=0.93,
        after=pattern(rf"[\s-]+(?:[a-z]+\s)?{_PEOPLE}\b"),
        not_after=pattern(
            r"\s+(?:user|staff|employee|network|access|guest|customer|client)s?\s*(?:accounts?|logins?|"
            r"profiles?|ports?|devices?|interface|keys?|cards?)",
            r"\s+(?:the|a|an|all|alerts|access|network)\b",
        ),
        not_near=_EXPERTISE,
    ),
    "disabled_self": Rule(
        confidence=0.93,
        before=pattern(
            r"\b(?:am|i'm|is|registered|as|identify as|identifies as|became|the|profoundly|severely|"
            r"for|with|neuro)\s(?:an?\s)?$"
        ),
        after=pattern(r"\s*(?:[.,;)\n]|and\b|since\b|under\b|as\b|with\b|from\b|by\b|$)"),
        not_before=pattern(
            r"\b(?:alerts?|accounts?|feature|mode|service|default|flag|function|logging|port|is|access|"
            r"was|were|which|that) (?:is|are|was|were|as|with)\s$"
        ),
    ),
    "disability": Rule(
        confidence=0.94,
        not_after=pattern(
            r"[ ]*:",
            r"\s+(?:insurance|claims?|benefits? (?:admin|claims|adjudicat)|underwrit|income|law|policy "
            r"holders|discrimination law|management|payments|products?|lawyer|attorney)",
        ),
        not_before=pattern(
            r"\b(?:short-term|long-term|short term|long term|life and|life,|std/ltd|income|workers' "
            r"comp(?:ensation)? and|and permanent)\s$"
        ),
        not_near=_EXPERTISE,
    ),
    "condition": Rule(
        confidence=0.9,
        not_near=pattern(
            r"\btransistors?\b",
            r"\bplates?\b",
            r"\bjunction",
            r"\bstepper",
            r"\bmembrane",
            r"\bamplifier",
            r"\bcell\b",
            r"\bcircuit",
            r"\belectrode",
            r"\bmosfet",
            r"\bcautery",
            r"\bpower suppl",
        ),
    ),
    "own": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:diagnos(?:ed|is) (?:with|of)|living with|live with|lives with|liv(?:e|ed) through|"
            r"suffer(?:ed|ing|s)? (?:from|with)|my|i have|i've|have|manage|managing my|"
            r"history of|survivor of|recover(?:ed|ing|y) from|due to|overc(?:o|a)me|coping with|struggl\w+ "
            r"with|battl\w+(?: with)?|treated for|"
            r"severe|chronic|clinical|major|postnatal|postpartum|type (?:1|2|i|ii)|acquired|in remission "
            r"from|account of|having|experienced|despite|with)\s"
            r"(?:an?\s|my\s|severe\s|chronic\s|clinical\s|type (?:1|2|i|ii)\s|mild\s|generali[sz]ed\s|"
            r"bouts of\s|anxiety and\s|depression and\s|own\s|stage \w+\s)*$"
        ),
        not_before=pattern(
            r"\b(?:patients?|clients?|residents?|adults|children|people|individuals|persons|those|students|"
            r"trial|trials|study|studies|research|"
            r"care|caring|work\w*|model\w*|data|deal\w*|help\w*|assist\w*|engine\w*|provid\w*)\s[^.\n]{0,24}$",
            r"\b(?:great|economic|market|dealing|during the)\s$",
        ),
        not_after=pattern(
            r"\s+(?:in the (?:housing|labou?r|market)|data|market|research|nurse|nurses|team|services|"
            r"model|unit|ward|clinic|care|screening|apps?|awareness|drugs?|treatments?|prevention|centre|"
            r"center|charity)"
        ),
    ),
    "own_state": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:i am|i'm|am|as an?|became|was born)\s(?:an?\s|also\s|mildly\s|severely\s|type (?:1|2|i|ii)\s)*$"
        ),
    ),
    "leave": Rule(confidence=0.85),
    "adjustments": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:require|requires|required|need|needs|requesting|request|may need|will need|with|for|"
            r"of|some|any|no|and|my)\s(?:some\s|any\s|no\s)?$"
        ),
        not_before=pattern(
            r"\b(?:managed|processed|handled|coordinated|administered|approved|reviewed|policies|provision|"
            r"requests)\b[^.\n]{0,40}$"
        ),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
