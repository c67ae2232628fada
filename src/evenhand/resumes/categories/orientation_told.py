"""ORIENTATION: coming out, being out and answers to a form's question, told in a few words.

Kept: books and products that came out, out on site, out of office, straight answers.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_ANSWER = r"(?:yes|no|prefer not(?: to (?:say|disclose|answer))?|decline[^\n.;|]{0,24}|not disclosed|n/a|none)"
_AT_AGE = (
    r"(?:\d\d|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[ -]\w+)?|thirty(?:[ -]\w+)?|forty(?:[ -]\w+)?|"
    r"fifty|work|school|home|university|college|church|my (?:last|first|old|previous|current|then))"
)
_WHOM = (
    r"(?:us|me|my|his|her|their|the (?:whole )?(?:team|crew|staff|lads|shift|floor|platoon|squad)|"
    r"colleagues|everyone|everybody|family|friends|parents|clients|co-?workers|management)"
)
_AS = (
    r"(?:an? )?(?:openly |proud(?:ly)? )?(?:gay|bi|bisexual|lesbian|queer|trans\w*|pan\w*|ace|asexual|non-?binary|"
    r"lgbt\w*)"
)
_NO_PRODUCT = pattern(
    r"\b(?:albums?|books?|products?|versions?|releases?|reports?|results?|films?|games?|papers?|findings?|editions?|"
    r"budget|ahead|on top|first in|with honou?rs|of (?:retirement|prison|hospital|care|the army|lockdown|uni\w*))\b"
)


_telling = partial(telling, "ORIENTATION")
TELLINGS = (
    _telling(
        "lgbt lgbtq lgbtqia lgbtqi lgbtiq lgbti lgbtq2s 2slgbtq 2slgbtqia 2slgbtqi lgbtqa lgbta glbt",
        r"\b(?:2s)?(?:lgbt|glbt)\w*\+?\*?(?: community| person| individual| people| identity|[- ]identif\w+|"
        r" self[- ]identif\w+| \(?self[- ]\w+| status)?\)?\s*(?:[:=|]|"
        r"\?|-(?= ?yes|"
        rf" ?no\b))\s*(?:a(?:nswer)?\s*[:.]\s*)?({_ANSWER})(?=\s*(?:[.,;|)\n\"]|$))",
    ),
    _telling(
        "came come coming",
        r"\b(?:i|he|she|they|i've|i'd|we|who|when|had|have|has|having) (?:(?:finally|only|first|later|never|have|had|"
        rf"also|recently|publicly|openly) )*((?:came|come|coming) out)(?= (?:publicly\b|openly\b|to {_WHOM}\b|at "
        rf"{_AT_AGE}\b|as {_AS}\b|late in life|(?:in|around|back in) (?:19|20)\d\d[ ]*(?:[.,;)]|$|and\b)|in my "
        r"(?:teens|twenties|thirties|forties|fifties|first|last|final|second)))",
        r"\b(?:after|since|before|upon|by|my) (coming out)(?=,? (?:i|he|she|they|we|my|his|her|at|to|in (?:19|20)|as|"
        r"publicly|late|took|was|story|cost|taught|made|gave)\b)",
        r"\b(?:when|since|after|before|until) (?:i|he|she) (?:first )?(came out)(?=,? (?:my|his|her|the|nobody|"
        r"everyone|some|it|i|a)\b)",
        not_in=_NO_PRODUCT,
    ),
    _telling(
        "out",
        r"\b(?:i|she|he|they|who|being|been|openly) (?:was|is|am|were|are|have been|has been|being) (?:fully |"
        r"always |already |also |completely )*(out)(?= (?:from day one|and (?:calm|proud|happy|visible|relaxed|"
        r"unafraid|comfortable|easy about|at ease|unashamed|open about)|(?:at|on) (?:work|site|school|the (?:job|"
        r"floor))? ?(?:long |well |years )?before (?:it|that|most|anyone|others)|as (?:an? )?(?:gay|bi|lesbian|queer|"
        rf"trans)|to {_WHOM}))",
        not_in=pattern(
            r"\b(?:injur\w+|sick|stock|tide|sun|jury|ball|batsman|fire|lights?|power|sold|sent|handed|put|laid|"
            r"pallets?|van|truck|order|reach\w*)\b"
        ),
    ),
    _telling(
        "attracted",
        r"\b((?:romantically |sexually |only |mainly )*attracted to (?:(?:both |other )?(?:wom[ae]n|m[ae]n)(?: and "
        r"(?:men|women))?|both sexes|(?:the|my) (?:same|opposite|own) (?:sex|gender)|all genders))\b",
    ),
    _telling("straight", r"\b(?:am|i'm|(?:he|she|who) is) (not straight)(?=[ ]*(?:[.,;)]|$)| and\b| but\b)"),
    _telling(
        "closet closeted",
        r"\b(in the closet|closeted)(?= (?:at|for|until|about|during|in|when|while|since)\b|[ ]*[.,;)])",
        only_in=pattern(r"\b(?:i|my|he|she)\b"),
        not_in=pattern(
            r"\b(?:network|server|linen|wiring|telecom|cable|supply|storage|clothes|wardrobe|broom|rack|found|"
            r"kept|fitted|built|shel(?:f|ves)|install\w*|doors?|paint\w*)\b"
        ),
    ),
    _telling(
        "sexuality",
        r"\b((?:faith|gender|race|religion|identity|disability|law|church|theology) (?:and|"
        r"&) sexuality)\b(?! (?:stud|education))",
        r"\b(sexuality)(?= (?:and (?:faith|gender|religion)|forum|network|group|committee|panel|champion))",
    ),
    _telling(
        "closet",
        r"\b(?:came|come|coming|was|am|been) ((?:out of|in) the closet)\b",
        not_in=pattern(r"\b(?:shoes|clothes|linen|broom|server|wiring|storage|cleaning)\b"),
    ),
    _telling(
        "heterosexual nonheterosexual",
        r"\b((?:non|not)[ -]?heterosexual)\b(?!-)",
    ),
    _telling(
        "homoseksuell homosexuell homosexuel homosexuelle homoseksueel homoseksualny homosexuella omosessuale "
        "heteroseksuell heterosexuell bisexuell biseksuell bisexuel bisexuelle biseksueel bisessuale schwul lesbisch "
        "lesbisk lesbica lesbienne lesbiana bisexuella",
        r"\b(homoseksuell|homosexuell[ae]?|homosexuel|homoseksueel|homoseksualny|omosessuale|heteroseksuell|"
        r"heterosexuell|bi(?:sexuell[ae]?|seksuell|sexuel|seksueel|sessuale)|schwul|lesbi(?:sch|sk|ca|enne|ana))\b",
        not_in=pattern(r"\b(?:filmfest\w*|literatur\w*|studien|archiv\w*|forschung\w*)\b"),
    ),
    _telling(
        "transgender trans",
        r"\b(?:do you identify as |are you |identif(?:y|ies) as )?(?:transgender|trans)(?:/non-?binary)?"
        r"(?: (?:status|history|identity|person|or non-?binary))?\)?[ ]?\??[ \t]*(?:[:=|?]|"
        rf"-(?= ))[ \t]*(?:a(?:nswer)?[:.] ?)?({_ANSWER})(?=\s*(?:[.,;|)\n\"]|$))",
    ),
    telling(
        "GENDER",
        "birth",
        r"\bgender\b[^\n:?]{0,40}\b(?:same as|different from|differs from|"
        r"match\w*)[^\n:?]{0,50} at birth\)?[ ]?[:?|]+[ \t]*"
        rf"({_ANSWER})(?=\s*(?:[.,;|)\n\"]|$))",
    ),
    _telling(
        "out",
        rf"{START}(out)(?= (?:since (?:my|school|university|college|day one|i was)|at (?:work|school|"
        r"every (?:job|employer|site|firm))[ ]?(?:[.,;)\n]|$|since|and)|to (?:my|colleagues|everyone|all (?:my|"
        r"colleagues)|the whole)))",
        r"\bi (?:have|'ve) (?:always |never hidden being |long )?(?:been )(out)(?= (?:in|at|to|since|as|"
        r"and)\b)(?! (?:at sea|in the field|at the coast|and about|of))",
        r"\b(?:being|been|as|am|was|is) (out)(?= (?:and (?:proud|gay|trans|queer|bi|visible)|gay|lesbian|trans|"
        r"bisexual|queer)\b)",
        not_in=pattern(r"\b(?:stock|sold|sent|office|for delivery|of (?:order|date|print)|loan|sick|injur\w+)\b"),
    ),
    _telling(
        "came",
        r"\b(?:when|once|after|since|before|until|because) (?:i|he|she|they) (?:first |finally |had )?((?:came|"
        r"come) out)(?= ?(?:[.;)\n]|$|, (?:my|his|her|the|i|he|she|some|nobody|it)|(?:and|but) (?:my|his|her|lost|the|"
        r"some|i|it)\b))",
        not_in=_NO_PRODUCT,
    ),
    _telling(
        "hormone hormones hrt",
        r"\b(hormone(?:s| (?:replacement )?therapy| treatment)?|hrt)\b",
        only_in=pattern(r"\b(?:trans\b|transgender|transition\w*|gender|my own transition|pronouns?|mtf|ftm)\b"),
        not_in=pattern(
            r"\b(?:patients?|clients?|clinic\w*|nurs\w+|assay\w*|research\w*|pharm\w*|trials?|menopaus\w*|prescri\w+)\b"
        ),
    ),
    _telling(
        "pride",
        r"\b(pride ?@ ?[a-z]\w*)\b(?!\.[a-z])",
    ),
    # A partner of the same sex, told by both sides: `his husband`, `a wife, as a woman`.
    _telling(
        "husband wife boyfriend girlfriend",
        r"\b(?:he|his)\b[^.;\n]{0,40}\bhis (husband|boyfriend)\b",
        r"\b(?:she|her)\b[^.;\n]{0,40}\bher (wife|girlfriend)\b",
    ),
    _telling(
        "transitioned transitioning",
        r"\b(?:i|she|he|they|having|who|since i) (?:have |has |had |socially |medically |publicly |openly )*"
        r"(transition(?:ed|ing))(?= (?:as an? (?:trans|woman|man|non|adult|teen)|at work|while (?:employed|working|at)|"
        r"socially|medically|from (?:male|female)|to (?:male|female|living as)|in (?:19|20)\d\d(?:,| with| and|\.|;|$)|"
        r"on the job|publicly|openly|with (?:full|the) support))",
        rf"{START}((?:socially |medically |openly )?transition(?:ed|ing))(?= (?:at work|socially|medically|on the job|"
        r"while employed|in post|as an? (?:trans|woman|man|adult)|in (?:19|20)\d\d, (?:with|fully|my|"
        r"colleagues|name)))",
        not_in=pattern(
            r"\b(?:cloud|systems?|platform|process\w*|clients?|accounts?|vendors?|roles? (?:from|to)|career|data|"
            r"from (?:sales|nursing|teaching|engineering)|remote|hybrid|teams? (?:from|to)|manufactur\w+|suppliers?)\b"
        ),
    ),
    _telling(
        "rainbow",
        r"\b(rainbow)(?: [a-z]+)? (?:bursary|scholar\w*|award|prize|grant|fellow\w*|fund|laureate|mentor|list|ball|"
        r"tick|leader|champion|certificat\w+|accreditation|index)\b",
        only_in=pattern(
            r"\b(?:lgb\w*|queer|gay|lesbian|trans|bi|bisexual|pride|out|same-sex|rainbow (?:laureate|tick|list|"
            r"index))\b"
        ),
    ),
    _telling(
        "came coming",
        rf"{START}(came out|coming out) (?:at (?!the\b|top|number|about|around|nearly|\d|[£$€])[a-z]|to (?:my|the team|"
        r"colleagues|parents|everyone)|as (?:an? )?(?:gay|lesbian|bi|trans|queer|non))",
        not_in=pattern(r"\b(?:retirement|record|album|book|film|game|issue|edition|top|product|release)\b"),
    ),
    _telling(
        "gender",
        r"\b((?:legal )?gender (?:marker|recognition)(?: (?:changed|updated|corrected|certificate|"
        r"change))?)(?=[ ]*(?:$|"
        r"[.,;|)\n]| (?:in (?:19|20)|on|since|and|changed|granted|obtained|issued)\b))",
        r"\b(legal gender (?:changed|updated|corrected|change))\b",
        not_in=pattern(
            r"\b(?:clients?|clinic\w*|law|polic\w+|cases?|form|database|field|systems?|advis\w+|research\w*)\b"
        ),
    ),
    _telling(
        "ace aro",
        r"\b(?:campus|university|college|student|uni|our|local|the) (ace|aro)"
        r"(?= (?:and aro |and ace )?(?:society|soc|group|meet-?ups?|network|week)\b)",
        not_in=pattern(r"\b(?:hardware|hotels?|insurance|tennis|pilots?|flight)\b"),
    ),
    _telling("proud", r"\b(proud ?@ ?work)\b"),
    _telling(
        "rainbow",
        r"\b(rainbow) (?:volleyball|football|soccer|rugby|badminton|hockey|running|swim\w*|squash|tennis|softball|"
        r"kickball|bowling|water polo|choir|runners|rollers|sports) ?(?:team|club|league|group|squad|side)?\b",
        not_in=pattern(r"\b(?:trout|school of|primary|nursery|kids|children)\b"),
    ),
)
