"""Where a sure name is the person, though it is a month, a town, a tool or a word as well.

Sure are names that a user gave, that an address or a label confirms, or that stand clearly on top.
What is left of them is a leak, so a place that speaks of a person counts where for a name that
was guessed it would not.
"""

import re

from evenhand.resumes.names.kinds import is_ordinary, is_person_noun, kind_of
from evenhand.resumes.names.lists import given_names, no_names

__all__ = ["IMPERSONAL", "OF_A_TOOL", "is_only_given", "is_surely_person"]

#: What only a person has, does or is told, whatever stands before.
_AFTER = re.compile(
    r"[ ]by name\b|[ ](?:CV|cv|Resume|resume)$|'s name\b"
    r"|[ ][a-z]+,? as (?:the )?\w+(?: \w+)? (?:called it|known)|[ ]sent (?:you|me)\b"
    r"|[ ]at (?:work|home)\b"
    r"|[ ][a-z]+ is still (?:used|in use|called)\b|[ ](?:says|said|thinks|feels|jokes|admits) (?:he|she|they)\b|"
    r"[ ]first, [A-Z][a-z]+ last\b|,? as \w+(?: \w+)? (?:call(?:ed|s)?|named?|dubbed|nicknamed) (?:it|them)\b"
    r"|[ ]\((?:she|he|they)[/)]|,[ ](?:now |aged? )?\d\d,[ ]|[ ]by (?:her|his|their|our|my)\b"
    r"|,[ ](?:thank you|thanks|with thanks|with love|together with|alongside|you\b|your\b|who\b|whose\b)|[ ]-[ ]who\b"
    r"|[ ](?:in|of) (?:my|our|his|her|their|the) family\b|[ ]directly\b|[ ](?:family|household)\b|'s own\b"
    r"|'s (?:CV|R\xe9sum\xe9|Resume|Profile|Story|Portfolio)\b|\.(?:pdf|docx?|rtf|odt|txt|jpe?g|png)\b"
    r"|[ ]and (?:colleagues|others|her|his|their|my|friends|family|teammates|company|"
    r"the (?:apprentices|crew|team|lads|kids|volunteers|trainees|juniors|staff|crew|gang|boys|girls))\b"
    r"|[ ](?:and|&) [A-Z][a-z]+ \([A-Z][a-z]+ [A-Z]|[ ](?:and|&) [A-Z][a-z]+ shared\b"
    r"|[ ](?:in charge|at the helm|on (?:duty|shift|call|leave|board))\b"
    r"|[ ](?:in numbers|at a glance|in brief|in a nutshell|in short|off duty|at work)[ ]*$"
)
#: What is said before a person's name and hardly before another.
_PAPERS = (
    "references?|recommendations?|testimonials?|letters?|tribute|birthday|ode|hello|questions?|prepared|cv|resume|life|"
    "proud|fond|thanks"
)
_WORDS_FROM = "idea|ideas|suggestion|advice|words|help|message|note|letter|quote|testimonial|feedback|praise"
_ADVISED = "colleagues|clients|customers|people|patients|pupils|students|staff|others|everyone|teams|managers|juniors"
_GLAD = "pleasure|joy|delight|privilege|honou?r|lucky|glad|proud|fortunate|thrilled"
_BEFORE = re.compile(
    r"\b(?:well done|congratulations|congrats|bravo|farewell|goodbye|welcome back|hi|hello|hey|(?<!\w)i),? $"
    rf"|\b(?:{_PAPERS}) (?:for|of|about|on|from|to) $|\b(?:{_WORDS_FROM}) (?:came |comes )?from $"
    r"|^(?:encl\.?:? )?(?:cv|r[e\xe9]sum[e\xe9]|curriculum vitae|lebenslauf)(?: of)? $|\bprop(?:erty|\.) of $"
    r"|\b(?:customers|clients|patients|people|families) (?:return|returned|come back|came back) to $"
    r"|^(?:to|for|about|meet|introducing|what \w+ say about) $|"
    r"\b(?:team|studio|atelier|estudio|taller|bottega|maison|bufete|kanzlei|cabinet) $|\bthank you, $"
    rf"|\b(?:{_ADVISED}) (?:\w+ )?(?:come|came|turn(?:ed)?|go|went|look(?:ed)? up|write|wrote|listen(?:ed)?) to $"
    r"|\b(?:give|gave|hand(?:ed)?|leave|left|say|said|show|credit|kudos|praise|listen(?:ed)?|talk(?:ed)?|spoke)"
    r"(?: \w+){0,2} to $|\b(?:value|admire|like[sd]?|love[sd]?|appreciate|see|saw|found|gained|lost) in $"
    rf"|\b(?:{_GLAD}) (?:to |of |in )?(?:have )?(?:work|know|teach|mentor|coach|manag|hav|supervis|serv|call|recommend|"
    r"train)\w*(?: alongside| with)? $"
    r"|\b(?:meet|(?:have|has|had|have all|i've|we've) (?:long |always )?known|to lose|wish(?:ed)?|elect(?:ed)?|"
    r"describe[sd]?|trust(?:s|ed)?|unlike|give|gave|interview with|note on|ask(?:s|ed)?|calls?(?: on)?|award named|"
    r"named|it (?:was|is)|this is|without|mails? to|report(?:s|ed|ing)? to|sign(?:s|ed)? (?:\w+ ){0,4}as|"
    r"(?:please|to) (?:contact|welcome|call)|(?:written|co-written) with|"
    r"(?:led|headed|chaired|founded|directed|coached|mentored|hosted|filed|signed|drafted|compiled|kept|edited|written|"
    r"drawn|painted|sung|played|taught|baked|cooked|knitted|translated|photographed|narrated|prepared) by|"
    r"calls? me|answers? to|(?:me|you|us) about|(?:is|was|were) (?:called|named)|one of (?:two|three|four)|"
    r"(?:shout|call|ask|wait|look|cheer|root)(?:s|ed)? for|"
    r"(?:nobody|no one|none|anyone|everyone|someone|people|nobody else) (?:but|like|except))"
    r" $|[\"'] (?:says|said|writes|wrote|adds|added) $"
    r"|\b(?:applicant|candidate|colleague|employee|winner|finalist|nominee|laureate|author) $"
)
_SUBJECT = re.compile(
    r"^[ ]*(?:subject|re|betreff|objet|asunto|application)\b.*[:|-] "
    r"(?:(?:job |my |your )?(?:application|bewerbung|candidature|candidatura|resume|cv|curriculum vitae|enquiry|"
    r"inquiry|interview|profile)(?: (?:of|from|by|for|von|de))? )?$"
)
#: What is called after somebody, in quotes: `"The May Checklist"`.
_TITLE_BEFORE = re.compile(r"[\"'](?:the )?$", re.IGNORECASE)
_TITLE_AFTER = re.compile(
    r"[ ](?:[A-Z][a-z]+[ ])?(?:Checklist|Method|Rule|Rota|File|System|Formula|Template|Sheet|Plan|Protocol|Matrix|"
    r"Approach|Way|Report|List|Test|Guide|Notes?|Book|Award|Prize|Medal|Fund|Project|Diary|Column|Desk|Principle|"
    r"Standard|Touch|Shift|Corner|Hour|Scale|Fix|Trick|Chart|Board|Cup|Explain|Say|Ask|Answer|"
    r"Write|Cook|Read|Show)s?[\"']",
    re.IGNORECASE,
)
#: What is cited by its author: `(see "May, internal memo 14")`.
_SOURCE = re.compile(
    r",[ ](?:(?:19|20)\d\d|pages? \d+|pp?\.|internal|personal|unpublished|memo|vol\.|no\.|in press|forthcoming)\b"
)
#: What somebody says, writes or knows of a person, up to the name: `wrote that "May`, `noted: May`.
_REPORTED = re.compile(
    r"\b(?:that|says?|said|writes?|wrote|recalls?|recalled|knows?|knew|thinks?|believes?|tells? \w+|told \w+|confirms?|"
    r"admits?|reports?|comments?|commented|adds|added|notes?|noted|found|agrees?|agreed|jokes?|joked|laughs|observed|"
    r"observes|remembers?|reads?|dass|que|che)[,:]? [\"']?$"
    r"|; $|[^\w\s][\"']$|[:,.] [\"']$|^[ *\u2022>-]*[\"']$"
)
_FINITE = re.compile(
    r"(?:[\"']?[ ][\"'](?=[a-z])|[ ])(?:(?:never|always|often|once|also|still|just|really|simply|even|only|[a-z]+ly)\b|"
    r"(?:is|was|has|had|will|would|can|could|should|must|did|does|kept|knew|made|gave|took|got|found|came|went|ran|led|"
    r"built|held|brought|taught|saw|said|told|left|cut|set|put|shod|slept|stood|sat|won|wrote|read|spoke|sang|drove|"
    r"es|fue|era|ha|lleva|nunca|siempre|est|ist|war|hat|habe|auch|fu|sa|sait)\b|[a-z]{2,}(?:[^s\W]s|ed)[ ](?![.,;:]))"
    r"|[ ](?:strong|good|great|excellent|calm|quick|reliable|punctual|keen|ready|polite|steady|solid|impressive|"
    r"outstanding|well|best|better|worth|fit|fine|brilliant)[ ](?:on|in|at|with|and|for|to|of|under|than|as|every)\b"
    r"|,[ ](?:in\b|(?:[a-z]+ ){0,2}(?:you|back|please|soon|come|your)\b)|[ ][\"'][a-z]"
    r"|[ ](?:at|on|in|from|behind)[ ](?:the[ ])?[a-z]+[ ](?:[a-z]+ed|is|was|made|kept|knows|got|saw|found|took|gave)\b"
)
_LISTENS = re.compile(r"[ ][a-z]{2,}[^s\W]s[,.]")
_TO_WHOM = re.compile(r"[ ](?:you|i|we|he|she|they|it|the|this|these|your|my|our|a|an|there|all|not)\b")
_QUOTED = re.compile(r"[,.!?]\" $")
_SAYS = re.compile(r"[ ](?:says|said|writes|wrote|adds|added|recalls|explains|laughs)\b")
_LABEL = re.compile(r"([a-z]+)[ ]?:[ ]$")
_LABELLED = re.compile(r"[ ]*(?:$|[|(;.]|- )")
_IS_ROLE = re.compile(r"(?:[ ][|-][ ]|[ ]\()(?:then |now |formerly )?(?:an? |the |our )?(?:[\w-]+ )?([A-Za-z-]+)")
_TO_DO = re.compile(r"\b(?:taught|helped|trained|encouraged|asked|told|got|allowed|inspired|persuaded|paid|sent) $")
_TO = re.compile(r"[ ](?:how )?to [a-z]+\b")
#: Verbs that begin a clause after these are somebody's: `they knew that May built it`.
_CLAUSE = re.compile(
    r"\b(?:that|because|when|while|how|why|what|as|if|until|before|after|whom|which|where|though|and) $"
)
#: Of any name `called the` tells (see reading.py), of a given one `registered as the` too.
_REGISTERED_AS_THE = re.compile(
    r"\b(?:(?:called|named|nicknamed|dubbed|christened)(?: it| this| that)?|"
    r"(?:known|adopted|used|registered|listed|famous)(?: [a-z]+){0,4} as)"
    r"[ ](?:the|an?|my|our|his|her|their)[ ]$"
)
_NAME = r"([A-Z][a-z]+(?:-[A-Z]?[a-z]+)?)[ ](?:[A-Z]\.[ ])?([A-Z][\w'-]+)"
_AND_NEXT = re.compile(rf"[ ](?:and|&)[ ]{_NAME}")
_AND_BEFORE = re.compile(rf"{_NAME},?[ ](?:and|&)[ ]$")
_AND_GIVEN = re.compile(
    r"(?:[ ](?:and|&|or|nor)|,(?=[ ][A-Z][a-z]+(?:,| and\b| &)))[ ]"
    r"([A-Z][a-z]+(?:-[A-Z]?[a-z]+)?)(?=[.,;:!?)]|$|[ ](?:[a-z]|& )|[ ]{2})"
)
_GIVEN_AND = re.compile(r"(?<![A-Z][ ])\b([A-Z][a-z]+),?[ ](?:(?:and|&|or|nor)[ ])?$")
_ROLE = re.compile(r",[ ](?:our|my|his|her|their|the|an?)[ ](?:[a-z-]+[ ]){0,2}([a-z-]+)")
_VERBS_LISTED = (
    "thanked thank thanks mentored tutored coached supervised onboarded shadowed interviewed praised promoted hired "
    "recommended nominated introduced congratulated invited recruited headhunted persuaded convinced encouraged "
    "inspired mention mentions mentioned phoned emailed texted asked told befriended succeeded"
)
_VERBS = frozenset(_VERBS_LISTED.split())
#: `Whatever May touches`, `neither May nor her team`, `do it the May way`.
_WHATEVER = re.compile(r"\b(?:whatever|whenever|wherever|everything|anything|nothing|all) $")
_TOUCHES = re.compile(r"[ ](?:[a-z]+ly )?[a-z]{2,}s\b(?! of\b)")
_THE_WAY = re.compile(r"\b(?:do|does|did|doing|done) (?:it|things|this|that|everything) the $")
_WAY = re.compile(r"[ ]way\b")
#: `The tools carry a May label`, `the May Fund, my small grant`, `the T-shirt read TEAM MAY`.
_CARRIES = re.compile(r"\b(?:carry|carries|carried|bear|bears|bore|wear|wears|wore|have|has|had) (?:an?|the|my) $")
_LABELS = re.compile(r"[ ](?:label|tag|sticker|badge|name ?plate|stamp)s?\b")
_FUND = re.compile(r"[ ](?:Fund|Prize|Award|Foundation|Bursary|Scholarship|Trust),?[ ](?:which I|my|that I)\b")
_ON_A_SHIRT = re.compile(
    r"\b(?:t-?shirts?|shirts?|jerseys?|caps?|mugs?|banners?|lockers?|vans?|doors?|call ?signs?)"
    r"(?: (?:read|reads|says|said|marked|is|was))?:? [\"']?(?:team )?$"
)
_MET = re.compile(
    r"\b(?:we|i|they|you|who|clients|customers|managers) (?:first |have |had )?(?:met|interviewed|know|knew|hired) $"
)
#: Before a name that somebody is called by in a chat: `Good, May.`, `(built by May)`.
_PUT = re.compile(
    r"(?:\b(?:then|good|right|thanks|thank you|to you|yes|no|well|ok|okay|morning|evening|hello|reading|editor|now),|"
    r"\([a-z]+ by|\b(?:great|perfect|lovely|brilliant|cool|sure|page \d+ [|-]|badge (?:said|says|reads)|no)) $"
)
_GAVE = re.compile(r"\b(?:left|gave|handed|lent|taught|sent|bought|owed|owes|showed|told|asked|wished|between) $")
_THEIRS = re.compile(r"[ ](?:and )?(?:his|her|their|my|our|an?|the)[ ]")
_AGAIN = re.compile(
    r"[ ](?:twice|again|in person|online|last|once|three times|as (?:an?|the|our|my)|when|through|in|on|and)\b|[.,;]"
)
_LAST_WORD = re.compile(r"([\w'-]+)[ ]$")
#: What follows a person whom something was done for; a noun would be what the name describes.
_ENDED = re.compile(
    r"[.,;:!?)\"']|$"
    r"|[ ](?:and|in|on|for|to|from|at|during|with|as|by|when|while|after|before|because|who|last)\b"
)
#: Before a clause of its own: `At Kestrel Freight, May ran`.
_INTRODUCED = re.compile(
    r"(?:^|[.!?;:]|[*\u2022>-])[ ]*(?:At|In|During|After|Before|Since|With|From|For|As|When|While|On|Under|Within|Over)"
    r"\b[^.,;]{2,50},[ ]$",
    re.IGNORECASE,
)
_ACTS = re.compile(
    r"[ ](?:[a-z]+ly )?"
    r"(?:led|ran|did|had|wrote|built|took|made|gave|set|won|grew|kept|taught|cut|slept|stood|sat|went|came|found|held|"
    r"spoke|drove|chose|left|met|paid|put|read|sent|spent|told|[a-z]{2,}ed|is|was|has)\b"
)
_THINGS = (
    "month|months|season|quarter|clients?|customer|bank|employer|lender|supplier|vendor|partner|account|market|country|"
    "city|town|language|framework|tool|library|database|week|deadline|acquired|merged|bought|busy|busier|busiest|hot|"
    "cold|wet|warm|slow|quiet|peak|over|used|installed|deployed|chosen|added|introduced|opened|closed|rainy|dry|"
    "difficult|record|time|right|wrong|high|low|fixed|included|due|free|written|required|supported|preferred|replaced|"
    "migrated|removed|upgraded|rolled|retired|set up|default|enough|first choice|choice|available|part of"
)
#: What is said of a month, a season, a firm, a town or a tool and of no person.
IMPERSONAL = re.compile(
    r"[ ](?:is|was|were|has been|had been|will be|would be)(?: (?:also|always|often|by far|still|then|now))?"
    rf"(?: an?| the| our| my| their| one)?(?: [\w-]+){{0,2}} (?:{_THINGS})\b"
    r"|[ ]as an? (?:second|foreign|additional) language\b"
)
_BE = re.compile(
    r"[ ](?:is|was|has|had|will|would|can|could|might|must|should|does|did)(?: not| never| always| also)?\b"
)
#: What is said of a person and of nothing else.
_IS_DONE = re.compile(
    r"[ ](?:is|was|has been) (?:chosen|hired|promoted|coming|appointed|asked|elected|voted|born|raised|thanked|trusted|"
    r"engaged|recruited|nominated|invited|mentored|trained|patient|kind|punctual|calm|honest)\b"
)
_WONDERED = re.compile(r"\b(?:whether|when|that|if|because|why|how|where|until|since|though|although|so) $")
_IS = re.compile(r"[ ](?:is|was)\b")
_WELL = re.compile(
    r"[ ](?:works|runs) (?:well|hard|fast|best|nights|quickly|calmly|part-time|from home|for us|here|with)\b"
    r"|[ ]is available (?:at once|immediately|to start|for interview|from|for work)\b"
)
#: After whom somebody is something: `elected May as chair`, `give May a chance`, `wish May every success`.
_OBJECT = re.compile(
    r"[ ](?:an?|the|every|all|as|about|once|twice|since|personally|again|employee|nurse|best|first|directly|here|"
    r"may|can|will|could|would|did|is|are|was|were|had|get|gets|who|[a-z]{2,}ed)\b"
)
_THINGS_TOO = frozenset({"month", "organisation", "tool"})
#: What goes with a tool, a month, a country: `Julia's compiler`, `Ruby developer`.
OF_A_TOOL = re.compile(
    r"'s (?:\w+ )?(?:types?|syntax|compiler|packages?|ecosystem|library|libraries|performance|speed|documentation|docs|"
    r"community|standard|runtime|interpreter|api|garbage|memory|concurrency|release|version|gems?|plots?|arrays?|"
    r"tax|laws?|economy|capital|government|market|ports?|weather|climate|border|population|south|north|east|west|"
    r"deadline|figures|sales|results|numbers|close|report|release)\b"
    r"|[ ](?:developers?|engineers?|programm(?:ers?|ing)|apps?|scripts?|scripting|on Rails)\b"
)


def is_surely_person(left: str, right: str, kind: str, *, opens: bool) -> bool:
    """Say whether a capitalised word between `left` and `right` stands for the person whose name it was given as.

    `kind` is what else the word is; `opens`: it begins a sentence.

    >>> is_surely_person("Customers asked for ", " by name.", "month", opens=False)
    True
    >>> is_surely_person("Orders rose in ", " and June.", "month", opens=False)
    False
    """
    low = left.lower()
    if _AFTER.match(right) is not None or _is_told_before(low, right, kind) or _has_role(low, right):
        return True
    if left[-1:] in {"(", '"', "'"} and _SOURCE.match(right) is not None:
        return True
    if _is_beside_a_person(left, right) or (_QUOTED.search(left) is not None and _SAYS.match(right) is not None):
        return True
    if right.startswith("'s ") and right[3:4].islower() and kind in {"tool", "organisation"}:
        return _LAST_WORD.search(low) is not None and OF_A_TOOL.match(right) is None
    return _is_reported(low, right, kind) or _is_said_to_act(left, right, kind, opens=opens)


def _is_reported(low: str, right: str, kind: str) -> bool:
    """Say whether a verb follows in what somebody says: `wrote that May never`, `"May found the leak"`."""
    quoted = low[-1:] in {'"', "'"} and _LISTENS.match(right) is not None
    if (
        _REPORTED.search(low) is None
        or not (quoted or _FINITE.match(right) is not None)
        or _TO_WHOM.match(right) is not None
    ):
        return False
    return kind not in _THINGS_TOO or (IMPERSONAL.match(right) is None and _BE.match(right) is None)


_UNDER = re.compile(r"(?:^|[.!?] )under $")
_WRITTEN = re.compile(r"\b(?:says|reads|read|said|marked|labell?ed|named|called|dubbed) [\"']$")
_OF_TWO = re.compile(r"[ ][a-z]+[\"']")
_OURS = re.compile(r"\b(?:our|dear|my) $")
_QUOTE_ENDS = re.compile(r"[.!,]?[\"']")


def _is_told_before(low: str, right: str, kind: str) -> bool:  # noqa: C901, PLR0911 - one line per kind of words
    """Say whether the words before tell a person: `called the`, `a reference for`, `we met`, `thanked`."""
    ended = _ENDED.match(right) is not None
    titled = _TITLE_BEFORE.search(low) is not None and _TITLE_AFTER.match(right) is not None
    if titled or _SUBJECT.search(low) is not None or _REGISTERED_AS_THE.search(low) is not None:
        return True
    if _BEFORE.search(low) is not None and (ended or _OBJECT.match(right) is not None):
        return True
    if _GAVE.search(low) is not None and _THEIRS.match(right) is not None:
        return True
    if _MET.search(low) is not None and _AGAIN.match(right) is not None:
        return True
    last = _LAST_WORD.search(low)
    if low.endswith((". ", "! ", "best, ", "warmly, ")) and not right.partition("<")[0].strip(" .!\"',"):
        return True  # a letter's last word
    if _WRITTEN.search(low) is not None and _OF_TWO.match(right) is not None:
        return True  # the ticket says "May special"
    if _UNDER.search(low) is not None and right.startswith(", "):
        return True
    if _OURS.search(low) is not None and _QUOTE_ENDS.match(right) is not None:
        return True
    if _is_told_by_a_pair(low, right, kind):
        return True
    if ended and (_PUT.search(low) is not None or (last is not None and last.group(1) in _VERBS)):
        return True
    return kind != "tool" and _TO_DO.search(low) is not None and _TO.match(right) is not None


def _is_told_by_a_pair(low: str, right: str, kind: str) -> bool:
    """Say whether words on both sides tell a person: `whatever May touches`, `neither May nor her team`."""
    if low.endswith("neither "):
        return right.startswith(" nor ")
    if _LABELS.match(right) is not None and _CARRIES.search(low) is not None:
        return True
    if _FUND.match(right) is not None or _ON_A_SHIRT.search(low) is not None:
        return True
    if _THE_WAY.search(low) is not None:
        return _WAY.match(right) is not None
    return kind != "month" and _WHATEVER.search(low) is not None and _TOUCHES.match(right) is not None


def _has_role(low: str, right: str) -> bool:
    """Say whether a word has a role beside it: `May, our analyst`, `Project lead: May`, a line `May | Nurse`."""
    role = _ROLE.match(right) or (_IS_ROLE.match(right) if not low.strip(" *#>\u2022-") else None)
    label = _LABEL.search(low) if _LABELLED.match(right) is not None else None
    return any(each is not None and is_person_noun(each.group(1).lower()) for each in (role, label))


def _is_said_to_act(left: str, right: str, kind: str, *, opens: bool) -> bool:
    """Say whether a verb follows that is a person's, not a month's, a firm's or a tool's."""
    if _IS_DONE.match(right) is not None and not (kind == "tool" and right.startswith(" was chosen")):
        return True
    well = opens and _WELL.match(right) is not None
    if well or IMPERSONAL.match(right) is not None:
        return well
    if _WONDERED.search(left.lower()) is not None and _BE.match(right) is not None:
        return True
    clause = _INTRODUCED.search(left) is not None or _CLAUSE.search(left.lower()) is not None
    if clause and _ACTS.match(right) is not None:
        return kind not in {"tool", "organisation"} or _IS.match(right) is None
    return opens and kind in _THINGS_TOO and _BE.match(right) is not None


def _is_beside_a_person(left: str, right: str) -> bool:
    """Say whether a word stands in a list of people: `May and Ann Roe`, `Ann Roe and May`, `Ann, May and Bo`."""
    following, before = _AND_NEXT.match(right), _AND_BEFORE.search(left)
    if following is not None and _is_a_person(*following.groups()):
        return True
    if before is not None and _is_a_person(*before.groups()) and _ENDED.match(right) is not None:
        return True
    following, before = _AND_GIVEN.match(right), _GIVEN_AND.search(left)
    return (following is not None and is_only_given(following.group(1))) or (
        before is not None and is_only_given(before.group(1)) and _ENDED.match(right) is not None
    )


def is_only_given(word: str) -> bool:
    """Say whether a word is a given name and no town, tool or word.

    >>> is_only_given("Daisuke"), is_only_given("Paris")
    (True, False)
    """
    return word.lower() in given_names() and kind_of(word.lower()) == "name" and word.lower() not in no_names()


def _is_a_person(first: str, last: str) -> bool:
    """Say whether two words are a person's name."""
    given, family = first.lower(), last.lower().removesuffix("'s")
    if is_ordinary(family) or kind_of(given) in {"ordinary", "job", "particle"}:
        return False
    return given in given_names() or (kind_of(given) in {"word", "name"} and kind_of(family) == "name")
