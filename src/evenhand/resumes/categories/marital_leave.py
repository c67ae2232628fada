"""MARITAL: leave and breaks for a family, childcare as a reason, pregnancy, adoption and fostering.

Kept: leave as a matter of personnel work, maternity wards, childcare as a trade, career breaks
without a reason, IVF laboratories, `expecting growth`, foster carers who are recruited.
"""

from evenhand.resumes.categories.marital_children import CHILD, counted
from evenhand.resumes.rules import Rule, pattern

__all__ = ["LEAVE"]

#: Personnel work, and others who are on leave.
_PERSONNEL = (
    r"\b(?:polic(?:y|ies)|guid(?:e|ance|ed)|advice|advis\w+|process\w*|administ\w+|manag\w+|calculat\w+|payroll\w*|"
    r"cover(?:ed|ing|s)?|statutory pay|queries|employees?|staff|colleagues?|manager|boss|predecessor|post-?holder|"
    r"clients?|cases?|forms?|letters?|rules|law|cohort|statistics|during (?:her|his) manager's|head'?s?|director'?s?|"
    r"enhanced|introduc\w+|negotiat\w+|campaign\w*|wrote|drafted|"
    r"updated)\b[^.|\n]{0,56}(?<!\bmy\s)(?<!\bi\stook\s)(?<!\bi\swas\son\s)$"
)
_PERSONNEL_AFTER = (
    r"[\s-]+(?:and (?:sick|adoption|holiday|other|flexible|paternity|maternity|parental) )?(?:(?:absence|leave|pay) )?"
    r"(?:polic(?:y|ies)|entitlements?|rules|requests?|records?|guid\w+|process\w*|cover\b|replacement|law|legislation|"
    r"rights|benefits|calculat\w+|queries|administ\w+|cases|forms?|schemes?|packages?|statistics|returners?|claims?|"
    r"payments|provisions?|toolkit|pay\b|take-?up)"
)
_FAMILY = (
    rf"(?:{CHILD}|child[ -]?(?:care|birth|rearing)\b|rais(?:e|ed|ing) (?:my|our|a|his|her|two|three|\w+ (?:kids|"
    rf"children))|"
    r"parent(?:hood|ing|al)\b|motherhood|fatherhood|pregnan\w+|got married|getting married|"
    r"marriage|wedding|husband|wife\b|spouse|adoption|ivf|fertility|births?\b|"
    r"famil(?:y|ies)\b(?! (?:members?|emerg\w+|illness|bereave\w*|business\w*|cris\w+|health|firm|farm|shop|compan\w+|"
    r"therap\w+|medicine|law|support|nurse|history|estate|doctor)))"
)
_LINKED = (
    r"(?:\s+in)?\s*(?:,?\s*\(?(?:19|20)\d\d(?:\s*[-/to]+\s*(?:(?:19|20)?\d\d|present|now))?\)?)?\s*[,:;(]?\s*"
    r"(?:of \w+ (?:years?|months) )?(?:taken |spent |mainly |chiefly |partly |also )?"
)
_WHY = r"\b(?:to|for|while|whilst|due|because|following|after|as|when|with|during|caring|on|owing|raising|having)\b"
_NO_CARE = (
    r"(?:worker|cent(?:re|er)|charity|provider|setting|company|agency|assistant|voucher|practitioner|level|diploma|"
    r"manager|sector|services?|qualif\w+|business|course|staff|team|polic\w+|subsid\w+|benefits?|platform|app\b|"
    r"start-?up|costs? (?:policy|study|research)|regulat\w+|inspect\w+|award|learning|and education|work\b|jobs?|"
    r"professional|legislation|training|industry|network|nvq|student|graduate|placement)"
)
_OTHERS = (
    r"\b(?:women|patients|mothers|clients|care|support\w*|midwi\w+|classes|couples|counsel\w+|advis\w+|research\w*|"
    r"studied|stud(?:y|ies)|trials?|monitor\w*|teenage|prevent\w*|risk\w*|diabetes in|ewes?|cows?|"
    r"mares?)\b[^.\n]{0,30}$"
)
_NO_PREGNANCY = (
    r"[\s-]+(?:tests?|testing|outcomes?|wards?|clinics?|trials?|complications?|class(?:es)?|apps?|care|cris[ie]s|"
    r"rates?|lab\w*|nurs\w+|units?|cent(?:re|er)\w*|embryolog\w+|consultants?|services?|patients?|advi\w+|counsel\w+|"
    r"data\w*|research|stud\w+|scann?\w*|products?|kits?|department|law|discrimination|polic\w+|programme|support "
    r"(?:work|group)\w*|yoga|massage|pillows?|loss (?:service|unit|clinic|midwife)|book\w*|vitamins?|monitoring|"
    r"diagnos\w+|specialist|team|detection|wear|photo\w*|schools?|related work|equipment|risk)\b"
)

LEAVE = {
    "leave_own": Rule(
        confidence=0.93,
        lead=pattern(r"\b(?:extended|shared|additional|ordinary|second|first|third|unpaid|paid|long|full) $"),
        not_before=pattern(_PERSONNEL),
        not_after=pattern(_PERSONNEL_AFTER),
    ),
    "career_break": Rule(
        confidence=0.88,
        after=pattern(
            rf"{_LINKED}{_WHY}(?:[^.;|\n]|\n\s*(?=[a-z(])){{0,44}}?\b{_FAMILY}",
            rf"(?:\s*(?:19|20)\d\d[^,:(\n]{{0,12}})?\s*[,:(/-][\s-]*(?:[\w'-]+ ){{0,3}}{_FAMILY}",
        ),
    ),
    "childcare_reason": Rule(
        confidence=0.87,
        before=pattern(
            r"\b(?:paus\w+|stopp\w+|left|quit|gave up|giv\w+ up|reduc\w+|cut|part[ -]time|flexib\w+|hours|breaks?|"
            r"gap|leave|time|off|out|away|fit\w*|juggl\w+|balanc\w+|combin\w+|work\w* around|shifts?|days|mornings|"
            r"evenings|absen\w+|unavailable|not work\w*|returned|return|resigned|relocat\w+|moved|unable|stepp?\w+|"
            r"home|stopped|nights|manag\w+)\b[^.;|\n]{0,40}\b(?:for|to|due to|because of|around|with|owing to|on "
            r"account of|through|between|lack of|and|by|given|as)\s+"
            r"(?:(?:my|full-time|own|the|our|family|of|unpaid|shared|sole)\s+)*$",
            r"\bwork\w* around (?:my |the )?$",
            r"\b(?:my|our|reliable|sole|shared|arranged|sorted|arrange|need|needs|full|have|good|stable) (?:own |"
            r"full-time )?$",
        ),
        tail=pattern(r"\s+(?:responsibilit\w+|commitments?|duties|obligations|reasons|arrangements?|needs|issues)\b"),
        not_before=pattern(r"\b(?:famil\w+|parents|staff|employees|mothers|clients|employers|children) [^.\n]{0,30}$"),
        not_after=pattern(rf"\s+{_NO_CARE}", r"'s\b"),
    ),
    "family_reasons": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:my|our|for|due to|because of|around|owing to|own|with|no|of|personal|his|her)\s(?:my |own )?$"
        ),
        not_before=pattern(r"\b(?:staff|employees|colleagues|clients|applicants|customers|patients) [^.\n]{0,40}$"),
    ),
    "pregnancy": Rule(
        confidence=0.87,
        before=pattern(
            r"\b(?:my|our|during|her|while|was|am|became|being|after|since|to|through\w*|difficult|and|around|between|"
            r"despite|first|second|third|twin|high-risk|two|three|following|late|early|i|we|she|of|a|an|for|by|"
            r"before|until)\s+(?:an?\s+|my\s+|our\s+|her\s+|the\s+)?$",
            r"\b(?:break|gap|leave|absence|time off|sabbatical|pause|returned|returning|return|"
            r"off work)\b[^.;|\n]{0,30}(?:\n\s*[a-z(][^.;|\n]{0,30})?$",
            r"(?:^|[\n.;:(•*|>▪●·➢■◆→○✓~+–-])\s*$",
        ),
        lead=pattern(r"\b(?:my |our |first |second |third |twin |high-risk |difficult |two |three )+$"),
        not_before=pattern(
            _OTHERS, r"\b(?:lectur\w+|cours\w+|paper|articles?|papers|book|workshops?) (?:on|about) [^.\n]{0,20}$"
        ),
        not_after=pattern(
            _NO_PREGNANCY,
            r" of justice",
            r" to (?:the|an?) (?:idea|concept|project|compan\w+|product|brand|new|movement|service)",
        ),
    ),
    "treatment": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:need\w*|had|have|having|undergo\w*|underwent|going through|went through|go through|been through|"
            r"through|after|during|for|my|our|her|rounds? of|cycles? of|course of|between|around|on|started|began|"
            r"completed|finished|leave|tried|trying|failed|successful|private|due to|following|by|with)\s(?:my |our |"
            r"her |an? |the |private |several |two |three |some )*$"
        ),
        tail=pattern(r"\s+(?:treatments?|cycles?|rounds?|leave|journey)\b"),
        not_before=pattern(
            _OTHERS,
            r"\b(?:worked|work|experience|specialis\w+|training|lab\w*|nurse|consultant|market\w*)\b[^.\n]{0,30}$",
        ),
        not_after=pattern(
            rf"(?: treatments?)?{_NO_PREGNANCY}", r"[\s-]+(?:and|&) (?:andro|gynae|embryo|reproductive|genetic)"
        ),
    ),
    "pregnant": Rule(
        confidence=0.9,
        not_after=pattern(
            r"\s+(?:patients?|clients?|ewes|cows|mares|mice|rats|sows|sheep|teens?|teenagers|people|adolescents|"
            r"pauses?|wom[ae]n|mothers|mums|staff|employees|workers|families|girls|refugees|users?|with (?:opportun\w+|"
            r"meaning))\b"
        ),
        not_before=pattern(
            r"\b(?:for|of|treat\w*|examin\w*|scann\w*|care\w*|heavily|advis\w+|support\w*)\s+(?:the\s)?$",
            r"\b(?:patients|women|clients|staff|employees|mothers) (?:who (?:are|were)|that are|when) $",
        ),
        lead=pattern(
            r"\b(?:(?:\w+ (?:months?|weeks?) )|heavily |currently |newly |got |fell |became |falling |becoming |"
            r"getting )$"
        ),
    ),
    "expecting": Rule(
        confidence=0.88,
        tail=pattern(rf"\s+(?:(?:an?|our|my|her|his|another|the) )?{counted(CHILD)}", r"\s+again\b"),
        before=pattern(
            r"\b(?:i am|i'm|we are|we're|she is|she's|and i are|wife is|partner is|am|was|were|both)\s(?:currently |"
            r"now |also |both |again |happily )*$",
            r"(?:^|[\n.;:•*|>▪●·➢■◆→○✓~+\"–-])\s*(?:currently |also )?$",
            r"\b[a-z]+ is (?:currently |now )?$",
        ),
        after=pattern(
            rf"\s+(?:an?|our|my|her|another|the) {counted(CHILD)}",
            rf"\s+{counted(r'(?:twins|triplets|bab(?:y|ies))')}",
            r"\s+(?:our|my|her) (?:first|second|third|fourth)\b(?! (?:order|release|deliver\w*|shipment|client|batch|"
            r"customers?|results?|audit|hire|visit))",
            r"\s+(?:again\s*)?(?:in|by|this|next|early|late|mid|around) (?:early |late |mid-?|the )?(?:january|"
            r"february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|"
            r"winter|new year|month|year|q[1-4])\b(?! (?:and )?(?:results|figures|growth))",
            r"\s+and (?:will|plan|hope|would|due|able|fit)\b",
            r"\s*[.;]",
        ),
    ),
    "foster": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:an?|as|am|is|approved|registered|former|and|short-term|long-term|respite|emergency|full-time|become|"
            r"became|being|are|our)\s$",
            r"(?:^|\n\s*|[^\w\s'&/-]\s*|\s[-/]\s+|\t|\s{2,})$",
        ),
        lead=pattern(r"\b(?:(?:approved|registered|short-term|long-term|respite|emergency|full-time|kinship) )+$"),
        not_before=pattern(
            r"\b(?:recruit\w*|support\w*|train\w*|assess\w*|supervis\w+|advis\w+|work\w*|match\w*|approv(?:e|ing|al)|"
            r"social worker|retention of|liais\w+|between)\b[^.\n]{0,30}$"
        ),
        not_after=pattern(
            r"(?:'s?)?\s+(?:recruit\w*|train\w*|assess\w*|support|panel|team|agency|services?|retention|allowance|"
            r"payments|association|network|manager|social|liaison|supervis\w+|relations|engagement|enquir\w+|lists?|"
            r"groups?|were|reviews?)\b"
        ),
    ),
    "adopted": Rule(
        confidence=0.87,
        tail=pattern(rf"\s+(?:an? |our |my |his |her |the )?{counted(CHILD)}"),
        after=pattern(
            rf"\s+(?:an? |our |my |his |her |the )?{counted(CHILD)}(?!'s|\s+(?:care|protection|services|strategy|"
            rf"policy|focus))"
        ),
        before=pattern(
            r"\b(?:i|we|he|she|and i|have|has|having|are|am|husband|wife|partner|to|after|while|were)\s(?:also |now |"
            r"been |both )?$",
            r"(?:^|[\n.;:•*|>▪●·➢■◆→○✓~+–-])\s*$",
        ),
    ),
    "childless": Rule(
        confidence=0.93,
        not_after=pattern(
            r"[\s-]+(?:couples?|clients?|women|patients|people|venues?|hotels?|resorts?|cruises?|zones?|events?|"
            r"weddings?|nights?|nodes?|elements?|process\w*)\b"
        ),
    ),
}
