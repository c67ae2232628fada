"""MARITAL: children, a household and a marriage as bare facts, care for relatives as a reason, homes for families.

`Three kids, two dogs`, `Married 22 years`, `when the baby came`, `Spare time: family`, `household of five`. Kept:
children in classes, wards and groups, flats that are let, care as a trade, personnel work.
"""

from functools import partial

from evenhand.resumes.categories.marital_children import CHILD, STEP, counted
from evenhand.resumes.categories.marital_weddings import CASEWORK
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import Rule, pattern

__all__ = ["HOME", "TELLINGS"]

_SPOUSE = r"(?:husband|wife|spouse|partner|fiancee?|boyfriend|girlfriend|other half)"
_SPOUSES = "husband wife spouse partner fiance fiancee boyfriend girlfriend half"
_CHILD_WORDS = (
    "children kids sons daughters boys girls twins triplets toddlers toddler teenagers teens grandchildren grandkids "
    "stepchildren stepsons stepdaughters dependents dependants newborn child son daughter baby babies kiddos teenager"
)
#: Children, homes and couples that are somebody's work.
_WORK = pattern(
    r"\b(?:taught|teach\w*|pupils|students|class(?:es|room)?|lessons?|camps?|campers|nann(?:y|ies)|"
    r"childmind\w*|nurser(?:y|ies) (?:nurse|worker|assistant|manager|practitioner)|wards?|patients?|clients?|cohorts?|"
    r"samples?|service users|orphan\w*|residents|shelter|midwi\w+|obstet\w+|customers?|youth (?:club|centre|worker)|"
    r"coach\w*|minibus|caseload|safeguard\w*|regist(?:er|rar)\w*|photograph\w*|portraits?|workshops?|playground|"
    r"swimming|ewes?|groups?|per|each|every|rescued|"
    r"u-?\d\d|under-\d\d|league|squad|in (?:my|our|their) care|placements?|sessions?|audience|surveyed|survey|trial|"
    r"enrol\w*|tutor\w*|childcare worker|minded|kindergarten teacher|charity|sponsor\w*|scholarships?|"
    r"programme|nodes?)\b"
)
_PERSONNEL = pattern(
    r"\b(?:polic(?:y|ies)|process\w*|administ\w+|payroll|employees?|staff|requests?|paperwork|cases|claims|"
    r"entitlements?|queries|hr\b|approv\w+|manag(?:ed|ing)|coordinat\w+|train\w*|counsel\w+|clients?|patients?|"
    r"residents?|helpline|customers|support group|charity|agency|business|students|benefits)\b"
)
_YEARS = r"(?:\d\d?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty)"
_FEW = r"(?:two|three|four|five|six|[2-6])"

_telling = partial(telling, "MARITAL")
TELLINGS = (
    _telling(
        _CHILD_WORDS,
        rf"{START}(?:(?:also|now|plus|and|with|have|has|all|single|divorced) )?((?:{STEP})+{CHILD}"
        rf"(?: and (?:an? |one |another )?{counted(CHILD)})?)(?=[ ]*(?:$|[.,;:|()\n]|- )| (?:at (?:home|school|college|"
        r"university|primary|nursery)|to be included|on (?:my|the|a) (?:visa|pass)|in tow|born|aged?|ages|"
        r"under (?!my\b|our\b|care\b|the care)|of school age|all|both|in (?:primary|secondary|nursery|school|college)|"
        r"will (?:join|follow|move|come)|coming|joining|"
        r"moving|with me|included|to support|who (?:travel|come|live|need)|between \d|accompan\w+|and "
        r"(?:an?|one|two|three|no) ))",
        not_in=_WORK,
    ),
    _telling(
        "toddler toddlers twins triplets newborn baby teenager teenagers infant",
        rf"{START}(?:our |my )?((?:(?:first|second|third|fourth|new) )?(?:toddlers?|twins|triplets|newborn|baby|"
        r"teenagers?|infant)(?: (?:and|plus) (?:an? )?(?:twins|toddlers?|newborn|baby|teenagers?))*)(?= (?:at home|"
        r"born|due|expected|arrived|arriving|number (?:two|three|four|\d)|on the way|in tow|in the house|in the family|"
        r"keeps? (?:me|us)|asleep|coming|since)\b)(?! expected:)",
        not_in=_WORK,
    ),
    _telling(
        "twins baby kids children boys girls triplets youngest eldest little+ones little+one",
        r"\b(?:when|once|until|till|before|after|since|while|because|now that|as soon as|by the time) (?:the|our|my) "
        r"((?:twins|baby|kids|children|boys|girls|little ones?|triplets|youngest|eldest))(?= (?:came|arrived|"
        r"(?:was|were|is|are) (?:born|one|two|three|four|five|six|seven|eight|nine|ten|small|little|young|babies|"
        r"toddlers|older|old enough|at (?:school|university|college|home)|in (?:school|nursery)|grown|\d\d?)\b|"
        r"turned (?:one|two|three|four|five|six|\d)|started? (?:school|nursery|kindergarten|reception)|left home|"
        r"left for|flew|grew up|moved out))",
        not_in=_WORK,
    ),
    _telling(
        "married",
        rf"\b(married (?:over |almost |nearly |about |more than |some )?{_YEARS} (?:happy |wonderful )?"
        r"(?:years?|months|decades))\b(?! of\b)",
        r"\b(married (?:into|outside|within))(?= (?:an?|the|his|her|my) (?:[a-z-]+ ){0,3}(?:family|clan|tribe|culture|"
        r"household|community|faith|caste)\b)",
        r"\b(married),? (?:since |in )?(?:19|20)\d\d\b",
        r"\b(married),? [1-9]\d? (?:children|kids|sons?|daughters?|child)\b",
        r"\b[mf][ ]?[/,|][ ]?((?:un)?married)\b",
    ),
    _telling(
        "verheiratet geschieden verwitwet ledig marie mariee divorce divorcee celibataire casado casada divorciado "
        "divorciada soltero soltera coniugato coniugata sposato sposata separato separata gehuwd getrouwd gift zonaty "
        "mezatka zenaty vdana separado separada viudo viuda",
        r"\b((?:verheiratet|geschieden|verwitwet|ledig|mariee?|divorcee?|celibataire|casad[oa]|divorciad[oa]|"
        r"solter[oa]|coniugat[oa]|sposat[oa]|separat[oa]|gehuwd|getrouwd|gift|zonaty|mezatka|zenaty|vdana|separad[oa]|"
        r"viud[oa])(?: (?:seit|depuis|desde|dal|sinds|sedan) (?:19|20)\d\d)?,? (?:und |et |y |e |en |og |i )?"
        r"(?:mit|avec|con|com|met|med|z|s) (?:[a-z]+ |\d ){0,2}(?:kind\w*|enfants?|hij[oa]s?|figli\w*|filh[oa]s?|barn|"
        r"dziec\w+|deti))\b",
        r"\b((?:verheiratet|geschieden|verwitwet|mariee|casad[oa]|divorciad[oa]|coniugat[oa]|sposat[oa]|gehuwd|"
        r"getrouwd) (?:seit|depuis|desde|dal|sinds|sedan) (?:19|20)\d\d)\b",
    ),
    _telling(
        "children kids sons daughters grandchildren",
        rf"\b((?:my |our |all )?(?:{_FEW} )(?:children|kids|sons|daughters|grandchildren)) through (?:college|"
        r"university|school|uni|a degree|medical school)\b",
        r"\b(?:return(?:er|ed|ing)|back|break|gap|pause|time out)(?: to (?:work|the workplace))? (?:after|for|with) "
        r"(?:having |raising )?(children|kids|a family)(?=[ ]*(?:$|[.,;)\n]))",
        r"\b(?:the|near|with|for|see|to|closer to|minding|babysitting) (?:our |my )?(grandchildren|grandkids)\b",
        not_in=_WORK,
    ),
    _telling(
        " ".join(f"{whose}+{few}" for whose in ("own", "my", "our") for few in ("two", "three", "four", "five", "six")),
        r"\b(?:educator (?:of|to|for)|educat(?:ed|ing)|rais(?:ed|ing)|(?:mother|father|parent|mum|mom|dad) (?:of|to)|"
        r"home-?school(?:ed|ing)|schooling|bringing up|brought up|caring for|cared for|home with|parenting|"
        rf"looking after|looked after|time with) ((?:my|our) (?:own )?{_FEW})(?=[ ]*(?:[.,;)\n]|$)| "
        r"(?:for|at|while|until|alone|and|since|in|from|through|on|during|under)\b)",
        not_in=_WORK,
    ),
    _telling(
        "family",
        r"\b(?:spare time|free time|hobb(?:y|ies)|interests?|likes|leisure|off duty|outside (?:of )?work|pastimes?|"
        r"passions)[: -][^.\n|]{0,50}?\b(family)(?=[ ]*(?:[(,;.\n|\"]|$)| and\b)",
        r"\b(?:my|our) (family)(?= (?:will |can |would |is |has |have |also |all )*(?:join|joins|joining|"
        r"follow|follows|moves|moving|relocat\w+|stays|remains|lives (?:in|here|there|abroad|nearby)|comes? (?:with|"
        r"along|later)|"
        r"travels? with))",
        r"\b(?:need|needs|require|requires|request|prefer|want|seeking|wanted|needed|required):? (?:an? )?(family) "
        r"(?:accommodation|housing|quarters|visas?|cover|home|flat)\b",
        r"\b(family) (?:accommodation|housing|quarters|flat|villa) (?:is |would be |for \w+ )?(?:required|"
        r"requested|preferred|needed|wanted|please|essential|welcome)\b",
        rf"{START}(family)(?= with (?:{STEP})+{CHILD}|"
        r" status (?:requested|required|preferred|posting|needed))",
        not_in=_WORK,
    ),
    _telling(
        _CHILD_WORDS,
        rf"\b(?:family|married|wife|husband|single|divorced)[ ]*\(((?:my |our )?{counted(CHILD)})",
        not_in=_WORK,
    ),
    _telling(
        "grandkids grandchildren",
        rf"{START}(?:our |my |the )?(grandkids|grandchildren)(?=[ ]*(?:$|[.,;)\n]))",
        not_in=_WORK,
    ),
    _telling(
        "two+under three+under four+under both+under all+under",
        rf"(?:{START}|[,(;] ?)((?:two|three|four|both|all) (?:(?:kids|children) )?under (?:one|two|three|four|"
        r"five|six|seven|eight|nine|ten|twelve|\d\d?))(?=[ ]*(?:$|[.,;)\n])| at home)",
        not_in=_WORK,
    ),
    _telling(
        "kids children newborn baby twins family toddler",
        r"[(]((?:(?:small|young|school-age|three|two|my|our|new) )*(?:kids|children|newborn|baby|twins|toddler))[)]",
        r"[,;:] ((?:school[- ]age|young|small|teenage|pre-?school) (?:children|kids))(?=[ ]*(?:$|[.,;)\n]))",
        not_in=_WORK,
        only_in=pattern(
            r"\b(?:i|my|we|hours|shifts?|availab\w*|prefer\w*|term|flexib\w*|part[- ]time|nights?|evenings?|relocat\w*|"
            r"leave|break|gap|mornings?|reasons?|because|due|home|mondays?|fridays?|wednesdays?|school)\b"
        ),
    ),
    _telling(
        "pregnant",
        r"\b(pregnant with (?:my|our|her) (?:first|second|third|fourth|son|daughter|twins|eldest|youngest|"
        r"child|baby))\b",
    ),
    _telling(
        "partner's spouse's husband's wife's fiance's fiancee's partner",
        r"\b(?:mov(?:e|ed|ing)|relocat\w+|follow\w*|transferr\w*|left|resigned|quit)(?: \w+){0,4} (?:for|with|"
        r"because of|after|due to|following) (?:a |my |the |our )?(partner|spouse|husband|wife|fiancee?)'s (?:new |own "
        r")?(?:job|career|work|post|posting|transfer|studies|role|relocation|assignment|deployment|promotion|position|"
        r"degree|illness)\b",
    ),
    _telling(
        "marriage family children childcare wedding divorce separation baby parents spouse husband wife pregnancy",
        r"\breasons? for (?:leaving|the move|move|moving|gap|the gap|absence|break|the break|change|relocation|"
        r"relocating|return|returning|resignation)[ ]*(?:[:=-]|was|is)[ ]*(?:own |my |to |raise |raising |care of |"
        r"caring for |birth of |a |the |our |elderly |ailing |ill |young |small )*(marriage|family|children|childcare|"
        r"wedding|divorce|separation|baby|parents|spouse|husband|wife|pregnancy)\b(?! (?:business|firm|law|emergency))",
        not_in=pattern(r"\b(?:clients?|survey\w*|applicants?|tenants?)\b"),
    ),
    _telling(
        "family",
        r"\b(?:relocat(?:e|ing|ion|ed)|move|moving|travel|travelling|emigrat\w+|come|coming|live|living|settle|"
        r"arrive|arriving) (?:abroad |overseas |there |here |together |to \w+ )?with (?:my |the |whole |entire |young "
        r")*(family)\b(?! (?:office|business|offices|members of))",
        rf"{START}(family)(?= (?:stays|remains|lives in|lives here|will join|joins me|to join|to follow|follows|"
        r"back home|left behind|settled)\b)",
        not_in=_WORK,
    ),
    _telling(
        "children kids child dependants dependents",
        r"\b(?:places?|schools?|schooling|visas?|tickets?|flights?|health cover|insurance|nursery|passes)(?: are| is)?"
        rf"(?: needed| required| wanted)? for ((?:my |our )?(?:{STEP})+(?:children|kids|child|dependants|"
        r"dependents))\b",
        only_in=pattern(r"\b(?:i|my|we|our|need\w*|requir\w*|relocat\w*|package|wanted|please)\b"),
        not_in=_WORK,
    ),
    _telling(
        "household",
        rf"(?:{START}|\b(?:my|our|a|busy|the|one) )(household of (?:two|three|four|five|six|seven|eight|[2-8]))\b",
        not_in=pattern(r"\b(?:survey\w*|research\w*|average|sample|tariffs?|clients?|typical|per|claims?|benefits?)\b"),
    ),
    _telling(
        "honeymoon",
        rf"{START}(?:the |our |my )?(honeymoon)(?= (?:in|from|until|to|first|second|planned|leave|booked|is|was|"
        r"trip)\b)",
        r"\b(?:my|our) (honeymoon)\b(?! (?:period|phase|is over))",
        not_in=pattern(
            r"\b(?:clients?|packages?|couples|suites?|guests|hotel|resort|tours?|sold|sales|brand|campaign|agency|"
            r"market|customers)\b"
        ),
    ),
    _telling(
        "divorce remarriage widowhood",
        rf"{START}(?:my |our |a )?(divorce|remarriage|widowhood)(?= in (?:19|20)\d\d|,? (?:(?:19|20)\d\d)|,? and "
        r"(?:a|the) (?:move|fresh|new)| (?:brought|left|meant|made|took) (?:me|us|that))",
        not_in=pattern(r"\b(?:clients?|law|cases?|act|bill|reform|rates?|filings|statistics|legislation|coach\w*)\b"),
    ),
    _telling(
        _SPOUSES,
        rf"\b((?:bereavement|death|loss|passing|funeral) of (?:my|our|his|her|a) (?:late |dear )?{_SPOUSE})\b",
        rf"{START}(?:accompanied by |relocating with |moving with )(?:my )?({_SPOUSE})\b",
        not_in=pattern(r"\b(?:clients?|residents?|estates?|probate|widows|support group)\b"),
    ),
    _telling(
        "bereavement loss death passing funeral",
        r"\b((?:bereavement|death|loss|passing|funeral) of (?:my|our) (?:late |dear |only |eldest |youngest |"
        r"baby |infant |newborn |elderly )*(?:child|son|daughter|baby|parents?|mother|father|mum|mom|dad|brother|"
        r"sister|grandmother|grandfather|twins))\b",
    ),
    _telling(
        "law facto",
        rf"{START}(common[ -]law|de facto)(?= since (?:19|20)\d\d| for [\w]+ years|,? (?:and |with )?(?:one|two|three|"
        r"four|no|\d) (?:child|kid|son|daughter|depend))",
    ),
    _telling(
        "nanny pair childminder grandparents babysitter grandmother granny",
        rf"{START}(?:the |my |our |both |live-in )?((?:nanny|au pair|childminder|grandparents|"
        r"babysitter))(?= (?:in place|at home(?! of| in)|arranged|covers?|nearby|lives? (?:near|close|with|next|round)|"
        r"can (?:help|mind|look|babysit|take|collect|step|cover)|helps?|looks? after|"
        r"on hand|minds?|available for)\b)",
        not_in=pattern(r"\b(?:worked|agenc(?:y|ies)|references?|families|position|experience|charges|employer|post)\b"),
    ),
    _telling(
        "nursing breastfeeding pumping feeding",
        r"\b(pumping) (?:breaks?|twice|milk)\b",
        rf"(?:{START}|\b(?:still|currently|am|i'm|while|am still) )((?:breast-?feeding|chest-?feeding|"
        r"nursing (?:an? |my |our )(?:baby|infant|newborn|son|daughter)))(?! (?:consult|support|clinic|counsel|educat|"
        r"peer|class|group|promot|advis|help|policy|mothers|initiative|research|stud))",
        not_in=pattern(
            r"\b(?:consultants?|patients?|clients?|polic\w+|employees|concrete|water|mothers|peer|midwi\w+)\b"
        ),
    ),
    _telling(
        "surrogacy ivf adoption fertility donation",
        rf"{START}((?:surrogacy|ivf|adoption|fertility|egg donation)(?: (?:journey|leave|process|treatment|break|"
        r"cycles?))?)(?= (?:in )?(?:19|20)\d\d|, (?:19|20)\d\d| of (?:two|three|an?|our|my) (?:siblings?|sibling group|"
        r"brothers|sisters|child|son|daughter|baby|toddler))",
        r"\b(?:break|gap|leave|pause|time off|sabbatical|time out)(?: \w+)? for (?:an? |our |the |my )?(adoption|"
        r"surrogacy)(?=[ ]*(?:$|[.,;)\n(]))",
        r"\b((?:the )?adoption of (?:(?:our|my|his|her|an?|two|three|the) )*(?:siblings?|sibling group|"
        rf"{counted(CHILD)}))(?!'s|-)",
        not_in=pattern(
            r"\b(?:law|agenc(?:y|ies)|clients?|clinics?|labs?|laborator\w+|casework\w*|panel|research|dogs?|cats?|"
            r"standards?|technolog\w+|nurse|consultant|social work\w*)\b"
        ),
    ),
    _telling("childcare care", r"\b((?:childcare|child care))(?= (?:permitting|allowing)\b)"),
    _telling(
        "youngest eldest oldest",
        rf"{START}(?:my |our )?(youngest|eldest|oldest)(?= (?:now|is|has|just|starts|started|goes|"
        r"finally) (?:at (?:school|university|college|nursery|home)|in (?:school|year|nursery|college|university|"
        r"reception|secondary|primary|high)|"
        r"to (?:school|"
        r"nursery|university)|school|starting school|left home|off to|turned|nursery)\b)",
        not_in=_WORK,
    ),
    _telling(
        "children kids baby twins boys girls",
        r"\b(?:minds?|looks? after|watch(?:es)?|takes? care of|helps? (?:out )?with|cares? for|collects?|"
        r"picks? up) the (children|kids|baby|twins|boys|girls)\b",
        not_in=_WORK,
        only_in=pattern(
            r"\b(?:in-laws|grandparents|(?:my|our) (?:mother|mum|mom|parents|sister|aunt|husband|wife|partner|"
            r"neighbou?r|father|dad)|nanny|au pair|i|we)\b"
        ),
    ),
    _telling(
        "bachelor",
        rf"{START}(bachelor) (?=(?:flat|accommodation|quarters|housing|room|apartment|studio|pad)\b)",
        r"\b(bachelor) (?:flat|accommodation|quarters|housing|room|apartment|studio|status|posting|package|visa|terms|"
        r"contract)(?=,? (?:or (?:shared|single|family) (?:\w+ )?)?(?:required|requested|preferred|needed|"
        r"please|wanted|sought|is|would|will|acceptable|accepted|ok|okay|fine|sufficient|suits|suffices|or shared))",
        r"\b(?:need|require|prefer|accept|want|request|seeking|happy with|content with):? (?:an? )?(bachelor) "
        r"(?:flat|accommodation|quarters|housing|room|apartment|studio|status)",
        not_in=pattern(
            r"\b(?:rent\w*|inventory|units?|estate|tenants?|built|clean\w*|manag\w+|booked|guests|lease|leased|"
            r"listings?)\b"
        ),
    ),
    _telling(
        "association council group committee forum",
        r"\b(parents' (?:association|council|group|committee|forum))(?= (?:of|at|in|for) my )",
    ),
    _telling(
        "couple",
        r"\b(?:work|working|live|living|move|moving|relocat\w+|employed|apply|applying|hired|jobs?|posts?|travel\w*) "
        r"as a (couple)\b(?! of\b)",
        r"\b(?:we are|we're) a (?:\w+ )?(couple)\b(?! of\b)",
    ),
    _telling(
        "parents parent relatives relative grandmother grandfather mother father mum dad mom",
        r"\b(?:care[ds]?|caring|look(?:ed|ing)? after|nurs(?:ed|ing)|support(?:ed|"
        r"ing)?)(?: for)? (?:full[- ]time for )?"
        r"((?:(?:my|our|an|a|his|her) )?(?:elderly|ailing|ageing|aging|sick|ill|dying|frail|widowed|"
        r"terminally ill) (?:parents?|mother|father|mum|mom|dad|relatives?|grandmother|grandfather|grandparents?))\b",
        not_in=_WORK,
    ),
)

_BREAK = (
    r"\b(?:break|gap|pause|hiatus|sabbatical|absence|absent|time off|time out|years? off|years? out|away from work|"
    r"stepped back|interruption|part[- ]time|reduced hours|out of work|not working|stopped work\w*)\b[^.;|\n]{0,40}$"
)
_REASON = (
    r"\b(?:owing to|due to|because of|on account of|given|subject to|depending on|pending|"
    r"taken for)\s(?:my |our |the )?$"
)
_CARE_AS_TRADE = (
    r"[\s-]+(?:workers?|homes?|wing|assistants?|services?|facilit\w+|sector|law|attorney|medicine|"
    r"providers?|industry|agency|nurs\w+|staff|compan\w+|unit|ward|settings?|diploma|manager|experience|polic\w+|"
    r"requests|paperwork|admin\w*|cases|support|charity|counsel\w+|team|helpline|customers|skills|training|"
    r"certificat\w+|aide|jobs?|robots?|research|products?|entitle\w+|processing|claims|and disability|group|visits|"
    r"notices?|fares?|packages?)\b"
)
_BOUND = r"(?:^|[\n.;:•*|>▪●·➢■◆→○✓~+–-])\s*"
HOME = {
    "childcare_alone": Rule(
        confidence=0.87,
        before=pattern(_REASON, r"\b(?:elder care|eldercare|parent care) and\s$", r"[(]\s*$"),
        after=pattern(r"\s*(?:$|[.,;)\n])", r"\s+(?:combined|duties|issues|needs|permitting|allowing)\b"),
        not_before=pattern(
            r"\b(?:skills|topics|sectors?|services|retail|experience|diploma|level \d|nvq|staff|employees|clients?|"
            r"polic\w+|benefits|vouchers|subjects?|modules?|studies|industries|health|education)\b[^.\n]{0,50}$",
        ),
        not_after=pattern(
            r"\s*[.,;]?\s*(?:education|nursing|elderly|health|cooking|cleaning|housekeeping|first aid|tutoring)\b"
        ),
    ),
    "eldercare": Rule(
        confidence=0.86,
        before=pattern(_BREAK, _REASON, r"\b(?:gap|break|years?)\b[^.;|\n]{0,20} (?:was|were|is)\s$"),
        tail=pattern(r"\s+and child ?care\b", r" of (?:my|our|his|her) \w+"),
        not_before=pattern(
            r"\b(?:staff|employees|colleagues|clients|polic\w+|process\w*|approv\w+|covered)\b[^.\n]{0,40}$"
        ),
        not_after=pattern(_CARE_AS_TRADE),
    ),
    "care_leave": Rule(
        confidence=0.86,
        before=pattern(_BOUND + "$", r"\b(?:took|taking|on|my|of|months'?|weeks'?|had)\s$"),
        after=pattern(
            r"\s*[,(:]?\s*(?:(?:19|20)\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* (?:19|20)\d\d)",
            r",?\s+(?:after|following|when|while|to|for|in (?:19|20)\d\d|in the family|of (?:my|our)|and childcare)\b",
            r"\s*(?:$|\n)",
        ),
        tail=pattern(r"\s+and child ?care\b"),
        not_before=pattern(
            r"\b(?:staff|employees|colleagues|clients|polic\w+|process\w*|approv\w+|covered|training)\b[^.\n]{0,40}$"
        ),
        not_after=pattern(_CARE_AS_TRADE, r"\s+for (?:staff|employees|teams?|workers|residents|clients)\b"),
    ),
    "family_visa": Rule(
        confidence=0.88,
        not_before=pattern(
            CASEWORK,
            r"\b(?:paralegal|immigration|petitions?|applications?|lawyer|attorney|caseworker|consular|"
            r"sponsored)\b[^.\n]{0,50}$",
        ),
        not_after=pattern(
            r"s?\s+(?:applications?|petitions?|cases|processing|holders|queries|law|fees|interviews?|categories|"
            r"casework\w*|officer|workshops?|charity|advice|advis\w+)\b"
        ),
    ),
}
