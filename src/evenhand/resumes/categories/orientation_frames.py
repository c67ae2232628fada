"""ORIENTATION: networks by their name, being out, transition and inclusion told in a few more words.

Kept: a rainbow of colours, straight and level, companies in transition, products that came out at a fair, the
Pride of the fleet, an alliance of suppliers.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "ORIENTATION")
_written = partial(_telling, capitals=True)
_SELF = pattern(
    r"\b(?:i|i'm|i've|my|me|myself|own|first|only|openly|out|proud|they|them|she|he|network|erg|lead|led|co-?lead|"
    r"chair\w*|member|volunteer\w*|wrote|author\w*|founded|founder|policy|champion|ally|mentor\w*|employee)\b"
)
_NETWORK_LABEL = (
    r"\b(?:[Dd]iversity |[Ee]mployee |[Ss]taff |[Cc]ampus |[Ww]orkplace |[Cc]ompany |[Ff]irm |[Bb]ank |[Ii]nternal |"
    r"[Dd]&I |DEI |EDI )?(?:ERGs?|BRGs?|[Ee]mployee [Rr]esource [Gg]roups?|[Aa]ffinity [Gg]roups?|"
    r"[Bb]usiness [Rr]esource [Gg]roups?|[Rr]esource [Gg]roups?|[Ss]taff [Nn]etworks?|[Ee]mployee [Nn]etworks?|"
    r"[Nn]etworks?|[Cc]lubs?|[Ss]ociet(?:y|ies)|[Cc]ommittees?|[Mm]emberships?)[ ]*(?:[:(,-]|\|)[ ]*(?:the )?"
)
_TRANS_NOUN = (
    r"(?:inclusion|equality|equity|rights|awareness|visibility|liberation|healthcare|health care|ally\w*|"
    r"employees?|colleagues?|staff|workers?|officer|rep(?:resentative)?|network|policy|pride|day of visibility|joy|"
    r"solidarity|support group|youth|mentor\w*|community|history|person|people|guidelines|toolkit|affirming|"
    r"fundraiser|campaign\w*|archive|choir|march|swimming|swim|sport\w*|club|elders?|parents?)"
)
_AND_ALSO = (
    r"(?:gay|bi|bisexual|queer|lesbian|trans\w*|gender-?fluid|genderqueer|non-?binary|enby|agender|"
    r"ace|asexual|pan|pansexual|aro|aromantic|demi\w*|intersex|poly\w*|two-spirit|lgbt\w*)"
)
_SHORT = r"(?:pan|bi|ace|aro|poly|demi|enby|femme|butch|masc|omni)"
#: What somebody does at a Pride.
_ROLES = (
    r"[Ss]teward(?:ed)?|[Vv]olunteer(?:ed|ing)?|[Mm]arshal(?:led|ed)?|[Mm]arch(?:ed|ing)?|[Oo]rgani[sz](?:er|ed|ing)|"
    r"[Hh]elp(?:ed|er|ing)?|[Tt]reasurer|[Cc]hair|[Tt]rustee|[Cc]ommittee|[Ff]ounder|[Cc]o-?founder|[Pp]arade(?:d)?|"
    r"[Ff]loat|[Bb]uilder|[Ff]irst[- ]aider|[Pp]hotograph(?:er|ed)|[Pp]erform(?:er|ed)|[Ss]peaker|[Ss]poke|[Ss]tall|"
    r"[Cc]oordinator|[Cc]aptain|[Dd]irector|[Mm]ember|[Cc]rew|[Pp]layed|[Ss]ang|[Dd]rummer|[Aa]ttend(?:ed)?|[Rr]an|"
    r"[Ss]et up|[Bb]ooth|[Ll]ed|[Cc]ontingent|[Pp]roduc(?:er|ed)"
)

TELLINGS = (
    _written(
        "rainbow pride prism spectrum out equal open unity lambda kaleidoscope glamazon glow iris mosaic",
        rf"{_NETWORK_LABEL}((?:[A-Z]\w+ )?(?:Rainbow|RAINBOW)(?:[ @&]?[A-Z]\w*){{0,2}}|"
        r"(?:[A-Z]\w+ )?Pride(?! (?:of|and|in))(?:[ @&]?[A-Z]\w*){0,2}|Prism|Out(?:[ @&]?[A-Z]\w*){1,2}|OUT\w*|"
        r"Open(?:ly)? (?:Out|Proud|Pride)|GLOW|Glamazon)\b",
        r"\b(Rainbow (?:Alliance|Connection|Coalition|Network|Committee|Club|Choir|Famil(?:y|ies)|Youth|Refugees|"
        r"Railroad|Laces|Tick|Flag|Crew|Council|Caucus|Chorus|Employees|Staff|Society|Collective|Community|Cats|"
        r"Runners|Dads|Mums|Moms|Parents|Seniors|Action|Cafe|Brigade|Force|Champions?|Allies|ERG|Riders|"
        r"Migration|Label|House|Cops|Nurses|Engineers|Street|Ambassador|Sash|Warriors))\b",
        not_in=pattern(
            r"\b(?:suppliers?|nursery|preschool|kindergarten|daycare|brownies|guides|trout|fishing|south africa|"
            r"girl scouts|paint\w*|toys?|logistics|freight|greenpeace|hospice for children|"
            r"crossing|vacuum\w*)\b"
        ),
    ),
    _telling(
        "transitioning transitioned transition transitions",
        r"\b(transitioning) (?=(?:employees?|colleagues?|staff|workers?|co-?workers?|members|students|people|"
        r"teammates?|at work|in the workplace|on the job|in service|while (?:working|employed|serving)|socially|"
        r"medically)\b)",
        r"\b(transition(?:ed|ing)?(?: (?:socially|medically|openly|publicly))?)(?= (?:at work|on the job|in post|in "
        r"the workplace|mid-career|while (?:working|employed|serving|at [a-z]+))\b)",
        r"\b((?:gender|social|medical|my own) transition(?: (?:policy|guidelines?|plan|leave|toolkit))?)\b",
        only_in=_SELF,
        not_in=pattern(
            r"\b(?:military|veterans|retire\w*|offboarding|outsourc\w*|vendors?|tupe|acquired|merger|remote|hybrid|"
            r"new systems?|software|erp|sap|cloud|to (?:the|a|an|new|agile|remote|civilian|contract\w*)|from (?:paper|"
            r"the|legacy))\b"
        ),
    ),
    _telling(
        "trans",
        rf"\b(trans {_TRANS_NOUN})\b"
        r"(?! (?:fats?|siberian|atlantic))",
        not_in=pattern(r"\b(?:trans[- ](?:fats?|fatty|siberian|atlantic|pacific|european|canada|mountain))\b"),
    ),
    _telling(
        "pan bi ace aro poly demi enby femme butch masc omni",
        rf"\b{_AND_ALSO}(?:,? and|,? &|/|, also|, but also|,) (?:also |very |quite |happily |proudly )?({_SHORT})"
        r"(?=[ ]*(?:[.,;:)!\n]|$)| (?:and|in|person|parent|woman|man|at|since|as)\b)",
        rf"{START}({_SHORT})(?=,? (?:and|&) (?:{_AND_ALSO}|proud|out|married|happy)\b|/(?:{_AND_ALSO}))",
        rf"\b(?:i am|i'm|am|identif(?:y|ies) as|being|as an?) (?:openly |proudly |also )?({_SHORT})"
        r"(?=[ ]*(?:[.,;:)!\n]|$)| (?:and|person|parent|woman|man|founder|engineer|nurse|teacher)\b)",
        not_in=pattern(
            r"\b(?:power bi|tableau|sql|frying|pasta|ace the|flash in|certified|looker|qlik|bi (?:tools?|developer|"
            r"analyst)|tennis|poly(?:mer|ester|technic)|pilot)\b"
        ),
    ),
    _telling(
        "out",
        rf"(?:\band|,|\b{_AND_ALSO},?|\bbeen|\bam|;) (?:have been |been |always |proudly |openly |happily )*(out) "
        r"(?=(?:since (?:school|college|university|uni|day one|my (?:teens|twenties|first|apprenticeship)|i was|"
        r"(?:19|20)\d\d|the age|sixth form|high school|secondary|freshman|the nineties|fifteen|sixteen|seventeen|"
        r"eighteen|nineteen|twenty|\d\d)|at (?:work|school|every (?:job|firm|employer|site))|to (?:everyone|all my|my "
        r"(?:team|colleagues|parents|family|clients|boss|managers?)|colleagues|clients|the (?:whole|team|crew)))\b)",
        not_in=pattern(
            r"\b(?:stock|sold|sent|office|for delivery|of (?:order|date|print|work)|loan|sick|injur\w+|"
            r"prison|jail|laid|contracts?|report\w*|letters?|e-?mails?|invoices?|newsletter|roll\w*|handed|reach\w*|"
            r"catalogue|version|album|edition|book)\b"
        ),
    ),
    _telling(
        "coming+out came+out come+out out",
        rf"(?:{START}|\b(?:since|after|before|about|despite|through|of|by|upon|around|on) (?:my )?)(coming out)(?= (?:"
        r"at (?:my|work|school|\d\d|an?|the (?:firm|bank|office|yard|mill|plant|hospital)|fifteen|sixteen|seventeen|"
        r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty)|to (?:my|the (?:team|crew|lads|whole)|a|colleagues|"
        r"family|friends|parents|everyone)|in (?:my|a|the (?:army|navy|military|police|church|nineties|eighties|"
        r"workplace|classroom|office))|as (?:gay|lesbian|bi\w*|trans\w*|queer|an?|non-?binary|asexual|pan\w*)|late|"
        r"early|young|twice|again|taught|changed|cost|made|gave|was|saved|ended|helped|story|stories|day|"
        r"while|when i|before i|on the job|on site)\b)",
        not_in=pattern(
            r"\b(?:albums?|books?|products?|versions?|releases?|reports?|results?|films?|games?|papers?|findings?|"
            r"editions?|budget|smoke|water|steam|trains?|retirement|prison|ahead|on top|of (?:the|a) (?:press|oven|"
            r"line|mould|kiln)|recession|lockdown|parts|castings?)\b"
        ),
    ),
    _telling(
        "straight cis heterosexual hetero",
        r"(?:[,;:] |\b(?:and|but|also|fairly|boringly|happily|very|quite|as) )(straight|hetero)(?=,? (?:and|&|but) "
        r"(?:(?:slightly|happily|very|quite|rather|proudly|a bit|somewhat|incurably|utterly|sadly) )?(?:boring|dull|"
        r"married|cis\w*|white|male|unashamed|an ally|proud ally|supportive|old|middle-aged|ordinary|"
        r"conventional|out as)\b)",
        rf"{START}(straight)(?= (?:and|but|&) (?:slightly |happily |very |quite |rather |proudly |a bit )*(?:boring|"
        r"dull|married|cis\w*|white|male|ally|an ally|supportive|old|middle-aged|ordinary)\b|, (?:white|male|cis\w*|"
        r"married|single)\b)",
        r"\b(straight)(?=,? (?:according to|as my|in case|for the record|since you ask|if anyone|if you)\b)",
        not_in=pattern(r"\b(?:hair|lines?|edges?|seams?|welds?|furrows?|cuts?|roads?|sections?|a's|answers?)\b"),
    ),
    _written("csd", r"\(?\b(CSD)\b", only_in=pattern(r"\bchristopher street day\b")),
    _telling(
        "stonewall",
        r"\b(stonewall)(?='?s? (?:role models?|top \d+|champions?|school|bronze|silver|gold|award|index|scotland|cymru|"
        r"housing|uk|fc|programme|leadership|allies|ally|network|submission|trustee|volunteer|"
        r"employee|workplace|riots?|inn|democrats?|chorale|chapter|kickball|sports|alliance)\b)",
        not_in=pattern(r"\bstonewall jackson\b"),
    ),
    _telling(
        "identity clinic",
        r"\b(gender (?:identity|clinic))(?= (?:support|peer|discussion|drop-?in|youth|social|circle|group|"
        r"network|forum|alliance|meet-?up|working group|workshop|waiting|patient|appointments?|referral)\b)",
        not_in=pattern(r"\b(?:nurs\w+|psycholog\w+|clinician|nhs trust|secretary at|policy review|research\w*)\b"),
    ),
    _telling("straight nonstraight", r"\b(non-?straight)\b", rf"{START}(not straight)(?=[,.;])"),
    _telling(
        "straight heterosexual hetero",
        rf"{START}((?:heterosexual[ /]+)?straight)(?=[,;(] ?(?:if|for the|since|as far|should|in case|thanks|married)|"
        r"[ ]*\((?:heterosexual|if|for the))",
        rf"{START}((?:heterosexual|hetero)(?:[ ]?/[ ]?straight)?)(?=[ ]*(?:[.,;|]?\n|\())",
    ),
    _telling(
        "transitioned",
        rf"{START}(transitioned)(?= in (?:19|20)\d\d[ ]*(?:[.;|\n]|, (?:and (?:out|open|legal)|name|documents|"
        r"legally)))",
        r"\b(?:since|before|after) i (transitioned)\b(?! (?:to|into|from|out|back|the)\b)",
    ),
    _written(
        "pride csd orgullo",
        rf"\b(?:{_ROLES}) (?:at |of |for |in |with |to |the |on |both |our |first |local )*"
        r"((?:[A-Z][\w'.-]+ ){1,2}Pride)(?= (?:for|in|since|each|every|parade|march|20\d\d|19\d\d|and|festival|"
        r"week|from|volunteer|committee)|[ ]*[.,;:()|\n]|$)",
        rf"{START}((?:[A-Z][\w'.-]+ ){{1,2}}Pride)(?= (?:parade|march|festival|steward|volunteer|marshal|committee|"
        r"organi[sz]er|trustee|board member|director|week|float|weekend|picnic|run|choir|stage|first aid\w*|"
        r"photographer|coordinator|20\d\d)\b)",
        rf"\b(?:{_ROLES}|[Mm]arch\w* (?:in|at)) (?:at |of |for |in |the )*(CSD (?:[A-Z][\w-]+))",
        not_in=pattern(r"\b(?:poultry|plant|chicken|brewery|lions?|fuller|ale|sanitation|foods?|beer)\b"),
    ),
)
