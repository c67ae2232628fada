"""ETHNICITY: the country somebody or their family came from, told by journeys, papers, service and relatives.

Kept: returns to a town for a fair, family reunions at a hotel, certificates recognised by clients.
"""

from functools import partial

from evenhand.resumes.categories.tellings import telling

__all__ = ["TELLINGS"]

_CAPITAL = r"[A-Z][\w'-]+"
#: What is no country after `from`, `between`, `left`.
_WORK = (
    r"(?!(?:The|A|An|Sales|Finance|Retail|Hospitality|Marketing|IT|HR|Operations|Engineering|Banking|Logistics|Nursing|"
    r"Teaching|Consulting|Google|Amazon|Microsoft)\b)"
)
#: An adjective of a nation by its ending.
_NATION = r"[A-Z][a-z]+(?:ian|ean|an|ese|ish|ani|ai|qi|li|ch|ek|lsh|iss)"

_telling = partial(telling, "ETHNICITY")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

TELLINGS = (
    _written(
        "scholarship embassy government",
        r"\b[Ss]cholarship (?:of|from|by) the (?:[Gg]overnment|[Mm]inistry(?: of [A-Z]\w+)?|[Ee]mbassy|[Ss]tate) of "
        rf"(?:the )?({_CAPITAL}(?: {_CAPITAL})?)",
        r"\b(?:[Mm]y|[Hh]is|[Hh]er) (?:\w+'s (?:degree)?|degree|doctorate|PhD|studies|tuition|fees|education)\b"
        r"[\w ]{0,12} (?:was|were) (?:paid(?: for)?|funded|sponsored|covered) by the "
        rf"({_CAPITAL}) (?:[Ee]mbassy|[Gg]overnment|state)\b",
    ),
    _written(
        "summer+i winter+i year+i spring+i autumn+i holiday+i summer+she summer+he summer+we year+she year+he",
        r"\b(?:[Ee]ach|[Ee]very) (?:summer|winter|year|spring|autumn|holiday) (?:I|she|he|we) "
        r"(?:returns?|(?:goe?s?|fly|flies|travels?) (?:back|home))(?: home)? to (?:the )?"
        rf"({_CAPITAL}(?: {_CAPITAL})?)\b"
        r"(?! [A-Z]| (?:to (?:train|audit|inspect|sell|open|run|set|work)\b|"
        r"for (?:the|our|work|an? [a-z]+ (?:fair|audit|conference))|as|"
        r"store|office|site|with (?:the|our) (?:team|staff)))",
    ),
    _written(
        "comes+from come+from came+from hails+from",
        rf"\b(?:comes?|came|hails?) from an? (?:small |old |big |large )?({_CAPITAL}) (?:[a-z]+ )?"
        r"(?:valley|village|town|family|farm|island|household|clan|background|home)\b",
    ),
    _written(
        "native",
        rf"\b(?:am|is|as) an? (native {_CAPITAL})(?= who\b| and (?:I|feel|at)\b|[ ]*(?:[.;\n]|$))",
    ),
    _telling(
        "reunion reunification",
        r"\b(?:by|on|through|under|via|with) (?:the |an? )?(family (?:reunion|reunification))\b",
    ),
    _written(
        "right+to leave+to",
        rf"\b(?:is|am|I'm) ({_CAPITAL})"
        r"(?= with (?:the |a |full |indefinite )*(?:right to (?:work|live)|leave to remain))",
    ),
    _written(
        "recognised recognized",
        r"\b(?:[Cc]ertificate|[Dd]iploma|[Dd]egree|[Qq]ualifications?|[Ll]icen[cs]e|[Tt]raining|[Pp]apers) from "
        rf"(?:the )?({_CAPITAL}(?: {_CAPITAL})?) (?:was|were|is|are|has been|have been) (?:fully )?recogni[sz]ed",
    ),
    _written(
        "service",
        rf"\b(?:military|national|compulsory) service (?:was )?(?:in|with) the ({_CAPITAL}) "
        r"(?:[Nn]avy|[Aa]rmy|[Aa]ir [Ff]orce|marines)",
    ),
    _written("book", rf"\b[Ss]ea(?:m[ae]n'?s?|farer'?s?)(?: discharge)? book: ({_CAPITAL})"),
    _written(
        "evening evenings night nights",
        rf"\b(?:[Hh]ost|[Oo]rgani[sz]er|[Hh]osting|[Rr]an|[Rr]un) (?:of )?an? ({_CAPITAL}) "
        r"(?:cooking|film|poetry|tea|dance|music|culture|language) (?:evening|night)s?\b",
    ),
    _written(
        "moved+from",
        rf"\b[Mm]oved from ({_CAPITAL}(?: {_CAPITAL})?(?:, {_CAPITAL})?) to (?:the )?{_CAPITAL}[\w ,]{{0,24}} "
        r"(?:when I was|as a (?:child|kid|teenager|baby|teen)|aged \w+|at (?:the )?age |"
        r"at (?:[a-z]+teen|three|four|five|six|seven|eight|nine|ten)(?=[ ]*(?:[.,;\n]|$)))",
    ),
    _written(
        "come+from came+from hail+from",
        r"\bI (?:come|came|hail)(?: originally)? from "
        rf"{_WORK}({_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})(?=[ ]*(?:[.,;)\n]|$)| (?:and|in (?:19|20)|where|but)\b)",
    ),
    _written(
        "mother+from father+from mum+from mom+from dad+from parents+from grandmother+from grandfather+from "
        "grandparents+from is+from was+from are+from were+from came+from comes+from come+from hail+from both+from",
        r"\b(?:[Mm]other|[Ff]ather|[Mm]um|[Mm]om|[Dd]ad|[Pp]arents|[Gg]rand(?:mother|father|parents)) "
        r"(?:is |was |are |were |came |comes |come |hails |both )*from ((?:the )?(?!The|"
        rf"A){_CAPITAL}(?:[ -]{_CAPITAL}){{0,2}})"
        r"(?=[ ]*(?:[.,;)\n]|$)| (?:and|in (?:19|20)|who|where|to)\b)",
    ),
    _written(
        "ancestors forebears people grandparents parents family",
        r"\b[Mm]y (?:ancestors|forebears|people|grandparents|parents|family) (?:is|are|were|was) (?:all |both |mostly |"
        rf"originally )?({_CAPITAL}(?: {_CAPITAL})?)(?=[ ]*(?:[.,;)\n]|$)| (?:and|from|who|farmers|by)\b)",
    ),
    _written(
        "parents grandparents grandmother grandfather mother father family ancestors forebears",
        r"\b(?:[Pp]arents|[Gg]rand(?:parents|mother|father)|[Mm]other|[Ff]ather|[Ff]amily|[Aa]ncestors|[Ff]orebears)"
        rf" (?:had )?(?:left|escaped) ({_CAPITAL}(?:[ -]{_CAPITAL})?)\b"
        r"(?=[ ]*(?:[.,;\n]|$)| (?:in|during|after|before|for (?!an? )|when|with|as|at|and|on|because)\b)",
    ),
    _written(
        "raised+between up+between childhood+between upbringing+between divided+between split+between",
        r"\b(?:[Rr]aised|[Gg]rew up|[Bb]rought up|[Cc]hildhood|[Uu]pbringing)(?: was)?(?: divided| split)? between "
        r"(?!(?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sep|Oct|Nov|Dec|Series)[a-z]*\b)"
        rf"((?:the )?{_CAPITAL}(?:[ -]{_CAPITAL})? and (?:the )?{_CAPITAL}(?:[ -]{_CAPITAL})?)",
    ),
    _written(
        "came+to moved+to arrived+in",
        rf"\b(?:[Cc]ame|[Mm]oved|[Aa]rrived) (?:to|in) (?:the )?{_CAPITAL}(?:[ -]{_CAPITAL})? (?:when I was|as a|aged|"
        r"at (?:the )?age|at (?:\d\d?|[a-z]+teen|four|five|six|seven|eight|nine|ten|eleven|twelve))\b"
        rf"[\w -]{{0,24}} from (?:the )?{_WORK}({_CAPITAL}(?:[ -]{_CAPITAL})?)",
    ),
    _written(
        "cooking food kitchen humour accent",
        rf"\b[Mm]y (?:cooking|food|kitchen|humour|accent) is ({_NATION})\b(?! (?:chef|supplier|brand))",
    ),
    _written(
        "follow follows support supports",
        rf"\b(?:I|[Ss]he|[Hh]e|[Ww]e) (?:still |also )?(?:follow|support)s? the ({_NATION})"
        r"(?= (?:[a-z]+ )?(?:league|football|rugby|team|cup|side|cricket|news|premiership|squad)\b)",
    ),
    _written(
        "brought brings bring shared shares share",
        rf"\b(?:brought|brings?|shared?|shares)(?: in| us)?(?: home-?made)? ({_NATION})"
        r"(?= (?:sweets|food|dishes|tea|pastr(?:y|ies)|cakes?|bread|snacks|coffee|treats|cooking|recipes)\b)",
    ),
)
