"""What values count behind a label that other things have too: `Title: Engineer` tells nothing, `Title: Ms` does."""

import re

from evenhand.resumes.categories.marital_children import CHILD, counted

__all__ = ["VALUES"]

#: A bare right to work in a country tells of no status; what it rests on does.
_STATUS = re.compile(
    r".*\b(?:visas?|status|settled|citizen\w*|nationals?|permits?|leave|refugee|asylum|sponsor\w*|"
    r"residen\w+|passport|ilr|brp|euss|h-?1b|opt|ead|gc|pr|tn|green card|blue card|card|birth|descent|ancestry|stamp|"
    r"subclass|tier|graduate|dependant|spous\w+|protection|talent|bn\(?o\)?|share code|british|irish|indian|eu|eea|us "
    r"citizen)\b"
)
_RIGHT_TO_WORK_LISTED = (
    "right to work|right to work status|right to work in uk|right to work in the uk|uk right to work|"
    "work rights|working rights|work right|work status|work eligibility|eligibility to work|eligibility to work in the "
    "uk|work authorization|work authorisation|residency|residence permit|leave to remain|sponsorship status"
)
_YES_OR_NO = re.compile(
    r"(?:yes|no|none|not|required|needed|n/a|nil|may|will|from|until|husband|father|company|own|tier|valid)\b"
)
_TITLES = re.compile(
    r"(?:mr|mrs|ms|miss|mx|sir|madam|master|dame|lady|lord|mme|mlle|madame|mademoiselle|monsieur|frau|herr|"
    r"sra?|srta|senora?|senorita|signora?|pani?|mevrouw|dhr|mevr|smt|shri|sri|kum|kumari|encik|puan|cik|"
    r"tuan)\b\.?(?!\s*\w{2})"
)
_SEXES = re.compile(
    r"(?:m|f|z|w|n|no|ferfi|musk\w*|zensk\w*|muz|zena|mees|naine|karl|kona|mke|mwanamke|mume|mwanaume|erkak|ayol|erkek|"
    r"kadin|kisi|qadin|male|female)\b"
)
_WITH_WHOM = re.compile(
    r"(?:none|nobody|no one|no\b|yes|alone|(?:my |his |her )?(?:wife|husband|spouse|partner|family|"
    r"fiancee?|parents)\b|single|couple|family|\d\d?(?: people| persons| adults)?\s*(?:$|[(,;])|(?:one|two|three|four|"
    rf"five|six|seven)\b|{counted(CHILD)})"
)
_LEAVE_DATES = re.compile(
    r"(?:none|no|yes|\d|currently|planned|from|until|since|due|expected|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|"
    r"nov|dec)[a-z]* (?:\d|(?:19|20)\d\d))"
)
_TITLED = (
    "form of address|mode of address|form of address/title|prefix|name prefix|salutation|honorific|anrede|civilite|"
    "aanhef|tratamiento|title/prefix|courtesy title"
)
#: Labels of an application form and of a list of skills alike, and values that only the form has.
_OF_HEALTH_LISTED = (
    "hearing|accessibility|accessibility requirements|accessibility requests|accessibility request|"
    "accessibility note|accessibility notes|assistive technology|assistive technology used|aids used|mobility aid|"
    "mobility aids|wheelchair|hearing aid|hearing aids|service animal|pip|dla|esa|dsa|cud|cnib|odsp|access to work|"
    "access notes|access note|access request|chronic conditions|epilepsy|diabetes|asthma|dyslexia|dyspraxia|adhd|"
    "add/adhd|autism|autistic|asd|neurotype|neurodiverse|neurodivergent|hearing loss|visual impairment|vision "
    "impairment|hearing impairment|sight loss|physical condition|physical status|physical limitations|health details|"
    "health information|health needs|gleichstellung|ztp|invaliditat|colour vision|color vision|accommodation(s)|boeth|"
    "legge 104|l. 68/99|legge 68/99|reasonable adjustment|reasonable accommodation|workplace accommodation|mobility "
    "needs|impairment type|impairments|merkzeichen|dyslexic|saglik durumu|physical impairment|learning difference|"
    "learning differences|transgender|trans history|gender history|gender reassignment|trans status|amenagements|"
    "schedule a letter|colour blindness|color blindness|colour-blind|color-blind|colour blind|color blind"
)
_OF_COMMUNICATION = re.compile(
    r".*\b(?:text|email|e-mail|writing|written|phone|calls|relay|lip-?read\w*|sign\w*|[ab]sl|captions?|interpreter)\b"
)
_OF_HEALTH = re.compile(
    r"(?!.*\b(?:wcag|test\w*|audit\w*|aria|axe|complian\w*|standards?|design\w*|section 508|vpat|champion|patients?|"
    r"clinic\w*|research|courts?|teach\w*|taught|clients?|claims?)\b)"
    r".*\b(?:yes|y|no(?= ?(?:$|[,;(.]|known|disab\w+|impair\w*|condition))|none|nil|n/a|not|prefer not|"
    r"deaf\w*|blind\w*|hearing|hard of|loss|impair\w*|wheelchair|ramps?|"
    r"step-free|bsl|asl|"
    r"interpreter|captions?|captioned|screen ?reader|nvda|jaws|braille|large print|mild|"
    r"moderate|severe|"
    r"profound|partial\w*|registered|enhanced|standard rate|awarded|recipient|since|controlled|diagnos\w+|"
    r"type [12]|left|right|both|deuter\w+|protan\w*|normal|good|fit|corrected|aids?|implants?|prosthe\w+|crutch\w*|"
    r"stick|cane|\d{1,3} ?%|holder|lip-?read\w*|ground floor|lift|parking|"
    r"autis\w+|adhd|dys\w+|asd|tourette\w*|ndis|yok|var|aucun\w*|oui|non|ja|nein|si|keine?|evet|hayir|gleichgestellt)\b"
)
#: Fields for a relative's name hold one, of up to five words.
_RELATIVE = re.compile(
    r"(?!(?:none|n/?a|nil|no|yes|same|as|not|optional|on|available|deceased|upon|to|see)\b)"
    r"[a-z][\w'.-]*(?: [a-z][\w'.-]*){0,4}[ ]*(?:$|[,;|(])"
)
_RELATIVES_LISTED = (
    "father's name|fathers name|father name|name of father|mother's name|mothers name|mother name|name of mother|"
    "guardian's name|guardian name|next of kin|next-of-kin"
)
#: What one is called may be any word: `Nickname: Coach`.
_CALLED = re.compile(
    r"[\"']?(?!(?:none|n/?a|nil|no|yes|same|as|not|optional)\b)[a-z][\w'.-]{1,20}(?: [a-z][\w'.-]*){0,2}"
    r"[\"']?[ ]*(?:$|[,.;|(])"
)
#: Labels whose value counts only if it is one of these: `Title: Engineer` tells nothing, `Family: law` neither.
VALUES = {
    **dict.fromkeys(
        ("preferred name", "nickname", "nick name", "call name", "calling name", "pet name", "apodo"), _CALLED
    ),
    **dict.fromkeys(_RELATIVES_LISTED.split("|"), _RELATIVE),
    **dict.fromkeys(("name you go by", "spitzname", "rufname", "surnom"), _CALLED),
    **dict.fromkeys(_RIGHT_TO_WORK_LISTED.split("|"), _STATUS),
    "sponsorship": _YES_OR_NO,
    "noc": re.compile(r"(?:yes|no\b|not|available|required|can|with|from|obtained)\b"),
    "visa": re.compile(r"(?!.*\b(?:mastercard|amex|payments?|debit|applications|processing)\b).*"),
    "work permit": re.compile(r"(?!.*\b(?:hot work|height|confined|isolation)\b).*"),
    "title": re.compile(r"(?:mr|mrs|ms|miss|mx|sir|madam)\b\.?"),
    **dict.fromkeys(_TITLED.split("|"), _TITLES),
    **dict.fromkeys(
        ("m/f", "male/female", "kon", "sex (m/f)", "gender (m/f)"),
        re.compile(r"(?:f|m|fe?male|man|woman|w|kvinna|kvinde|kvinne|mand|mann|k)\b"),
    ),
    **dict.fromkeys(("nem", "neme", "spol", "pol", "sugu", "jinsi", "kyn", "cins"), _SEXES),
    **dict.fromkeys(
        (
            "kids",
            "kinder",
            "enfants",
            "hijos",
            "figli",
            "kinderen",
            "enfant(s)",
            "lapset",
            "copii",
            "djeca",
            "cocuk",
            "cocuklar",
            "gyermekek",
            "con cai",
        ),
        re.compile(
            r"(?:none|bez|nincs\w*|yok|ei|nema|fara|brak|iki|bir|uc|ket|ketto|egy|kaksi|yksi|kolme|doi|trei|"
            r"dvoje|khong|nil|no|yes|\d|one|two|three|four|five|kein\w*|ein\w*|zwei|drei|une?|deux|trois|aucun|sin|"
            r"ningun\w*|un[oa]?|dos|tres|due|tre|nessuno|geen|twee|drie)\b"
        ),
    ),
    **dict.fromkeys(("pregnancy", "pregnant"), re.compile(r"(?:no\b|none|yes|not|\d|n/a|nil|due)")),
    **dict.fromkeys(("lgbt", "lgbt+", "lgbtq", "lgbtq+", "lgbtqia+"), re.compile(r"(?:yes|no)\b")),
    "category": re.compile(
        r"(?:sc|st|obc|ews|bc|mbc|oc|nt|vjnt|sebc|gen|general|open|ur|un-?reserved|reserved|scheduled|other backward|"
        r"backward|forward|minority|pwb?d|ph|persons?|none)\b(?! (?:merchandise|goods|spray|ledger|management|"
        r"admin\w*|store|contractor|public))"
    ),
    "race": re.compile(r"(?!.*\b(?:marathon|triathlon|ironman|regatta|relay|\d+ ?(?:km?|miles?))\b).*"),
    "community": re.compile(r"(?:sc|st|obc|general|bc(?:-[a-e])?|mbc|dnc|oc|forward)\b(?:\s*\(.*)?\s*$"),
    **dict.fromkeys(
        ("domicile", "place of domicile", "permanent domicile", "domicile state"),
        re.compile(r"(?!.*\b(?:funds?|tax|compan\w+|luxembourg|cayman|entit\w+|offices?)\b)[a-z][a-z (),&/-]+\s*$"),
    ),
    **dict.fromkeys(
        ("tribe", "clan"), re.compile(r"(?!.*\b(?:squads?|payments|platform|product|fictional|engineering|data)\b).*")
    ),
    **dict.fromkeys(("cor", "cotas", "raca"), re.compile(r"(?:pret|pard|branc|amarel|indigen|negr|ppi|sim|nao|racia)")),
    **dict.fromkeys(
        ("permit held", "type of permit", "permit type", "pass held", "work pass", "work pass type", "pass type"),
        re.compile(
            r".*\b(?:employment|s pass|ep\b|dependa?e?nt|ltvp|residen\w+|visa|stamp|critical|settlement|b\b|c\b|g\b|"
            r"l\b|open)"
        ),
    ),
    **dict.fromkeys(
        ("home county", "county of birth", "home district", "home village"), re.compile(r"[a-z'-]+(?: [a-z'-]+)?\s*$")
    ),
    "legal status": re.compile(
        r".*\b(?:residen\w+|citizen|refugee|permit|visa|asyl\w+|opt|h-?1b|ead|daca|settled|leave|national|pr|"
        r"immigrant)\b"
    ),
    **dict.fromkeys(("marae", "ancestry", "first nation"), re.compile(r"[a-z][\w' -]+(?:\s*[,/(].*)?$")),
    **dict.fromkeys(
        (
            "eu citizen",
            "us citizen",
            "u.s. citizen",
            "stateless",
            "naturalized",
            "naturalised",
            "dual national",
            "dual citizen",
            "immigration details",
        ),
        re.compile(r"(?:yes|no\b|n/a|none|in (?:19|20)|(?:19|20)\d\d|since|by|prefer)"),
    ),
    "family": re.compile(
        r"(?:(?:un)?married|single|divorced|widow\w*|separated|engaged|partner|cohabiting|wife|husband|spouse|"
        rf"\d|two|three|one|accompan\w+|unaccompan\w+|with me|{counted(CHILD)})\b"
    ),
    "children": re.compile(rf"(?:none|no|nil|yes|\d\d?|one|two|three|four|five|six|{counted(CHILD)})\b"),
    "childcare": re.compile(r"(?:in place|arranged|not|none|n/a|yes|no\b|covered|sorted|full|shared|required|needed)"),
    "grandchildren": re.compile(r"(?:none|no|nil|\d|one|two|three|four|five|yes)\b"),
    "grandparent": re.compile(r"(?:none|no|nil|\d|one|two|three|four|five|yes)\b"),
    **dict.fromkeys(
        ("barn", "anak", "filhos", "dzieci", "dependentes"), re.compile(r"(?:\d|[a-z]{2,6}\s*(?:$|[(,;]))")
    ),
    **dict.fromkeys(("sons", "daughters"), re.compile(r"(?:none|no|nil|\d|one|two|three|four)\b")),
    "married": re.compile(r"(?:yes|no|since)\b"),
    **dict.fromkeys(
        ("marriage", "anniversary"),
        re.compile(
            r"(?:none|not|\d\d? [a-z]+ (?:19|20)?\d\d|\d\d?[./-]|\d{1,2}(?:st|nd|rd|th)|\d\d? [a-z]+$|in (?:19|"
            r"20)\d\d|(?:19|20)\d\d|since|[a-z]+ (?:\d|(?:19|20)\d\d))"
        ),
    ),
    **dict.fromkeys(
        ("maternity leave", "maternity", "on parental leave", "planned parental leave", "expected due date"),
        _LEAVE_DATES,
    ),
    **dict.fromkeys(
        ("wedding", "engaged"), re.compile(r"(?:yes|no\b|none|since|not yet|\d\d? [a-z]+|[a-z]+ (?:19|20)\d\d)")
    ),
    **dict.fromkeys(
        (
            "household",
            "household members",
            "living situation",
            "people in household",
            "living with",
            "accompanied by",
            "relocating with",
            "partner/children",
            "partner and children",
            "familie",
            "home situation",
        ),
        _WITH_WHOM,
    ),
    "partner": re.compile(
        r"(?:yes|no\b|none|employed|works?|working|lives|moving|relocat\w+|wife|husband|accompan\w+)\b"
    ),
    **dict.fromkeys(
        ("parent", "parent/carer", "parent or carer", "carer status", "caring status"),
        re.compile(
            r"(?:yes|no\b|none|of\b|to\b|\d|one|two|three|four|single|solo|mother|father|primary|sole|carer|parent)"
        ),
    ),
    **dict.fromkeys(("tax class", "steuerklasse", "lohnsteuerklasse"), re.compile(r"(?:i{1,3}|iv|vi?|[1-6])\b")),
    "personal status": re.compile(
        r"(?:(?:un)?married|single|divorced|widow\w*|separated|engaged|partnered|cohabiting)"
    ),
    "relationship": re.compile(
        r"(?:single|married|engaged|divorced|widow\w*|separated|partnered|cohabiting|in a |spouse|husband|wife)\b"
    ),
    "family members": re.compile(r"(?:none|wife|husband|spouse|\d|one|two|three|four|five)\b"),
    "caring responsibilities": re.compile(rf"(?:none|no|yes|my|two|one|three|parent|mother|father|{counted(CHILD)})\b"),
    "orientation": re.compile(
        r"(?:an? )?(?:straight|gay|lesbian|bi\b|bisexual|hetero\w*|homo\w*|queer|asexual|pan\w*|prefer|undisclosed|"
        r"not |none|n/a|other|ace\b|lgbt|same-sex|demi\w*|aro\w*|private|declined?)"
    ),
    "accommodations": re.compile(r"(?!.*\b(?:hotel|book|travel)).*"),
    "heritage": re.compile(r"\w+(?: \w+)?\s*$"),
    "disability": re.compile(
        r"(?!in (?:mentee|global|member|board|summit|conference|affiliate|north|uk|australia)\b).*"
    ),
    "adjustments": re.compile(
        r".*\b(?:interpreter|large print|extra time|step-free|quiet|screen|captions?|bsl|asl|none|ramp|wheelchair|"
        r"hearing|braille|software|flexible|breaks|parking|lighting|font|note-?taker)\b"
    ),
    "disabled": re.compile(r"(?:yes|no|none|n/a)\b"),
    "mobility": re.compile(r".*\b(?:wheelchair|stick|reduced|limited|impaired|scooter|crutch\w*|walk\w*|aid|frame)\b"),
    "mental health": re.compile(
        r"(?:none|no|yes|depress\w*|anxi\w*|bipolar|ptsd|ocd|stable|good|diagnos\w*|history|adhd|schizo\w*|eating)\b"
    ),
    "neurodiversity": re.compile(r"(?:yes|no|none|adhd|autis\w*|dys\w+|asd|add|tourette\w*|neuro\w+)\b"),
    "support required": re.compile(
        r".*\b(?:interpreter|print|time|access|hearing|captions?|reader|scribe|none|wheelchair|breaks)\b"
    ),
    "equipment needed": re.compile(
        r".*\b(?:magnifier|reader|ergonomic|hearing|braille|large|adapt\w+|voice|chair|none)\b"
    ),
    "adaptations": re.compile(
        r".*\b(?:hand controls?|magnifier|reader|ergonomic|hearing|braille|wheelchair|ramp|chair|none)\b"
    ),
    # Not a person named Faith in a chat: `Faith: hey there!`.
    "faith": re.compile(r"(?!ringgold)(?!.*(?:!|\?|\b(?:i'm|i|my|now|here|there|hey|hi|hello)\b))\S+(?: \S+){0,5}\s*$"),
    **dict.fromkeys(
        ("home town", "hometown", "home state", "home country", "local government", "lga", "dialect"),
        re.compile(r"(?!.*\bsql\b)[a-z][a-z' -]+(?:[,/(] ?[a-z][a-z' -]+\)?)?\s*$"),
    ),
    **dict.fromkeys(
        ("indigenous", "first nations", "visible minority"),
        re.compile(r"(?:yes|no\b|none|n/a|prefer|not|decline|status|metis|inuit)"),
    ),
    **dict.fromkeys(_OF_HEALTH_LISTED.split("|"), _OF_HEALTH),
    **dict.fromkeys(
        ("communication preference", "communication preferences", "communication method", "preferred communication"),
        _OF_COMMUNICATION,
    ),
    **dict.fromkeys(
        ("interpreter", "interpreter needed", "interpreter required"),
        re.compile(r".*\b(?:yes|no|none|[abi]sl|auslan|lsf|dgs|sign|lip-?speaker|required|needed|please|for the)\b"),
    ),
    "genotype": re.compile(r"(?:a[asc]|s[sc]|cc)\b"),
    "handicap": re.compile(r"(?:none|nil|no\b|n/a|yes|physical|visual|hearing|left|right)"),
    "disability confident": re.compile(r"(?:yes|no\b|n/a)"),
    "disability confident scheme": re.compile(r"(?:yes|no\b|n/a)"),
    "din": re.compile(r"(?:islam|musluman|muslim|yok|ateist|hristiyan)\w*\s*$"),
    **dict.fromkeys(
        ("church", "parish", "culte", "culto", "credo", "confession", "confessione", "confesion", "holy days"),
        re.compile(
            r"(?:.*\b(?:st\.?|saint|baptist|methodist|catholic|catolic\w*|cattolic\w*|evangel\w*|protestant\w*|"
            r"muslim\w*|islam\w*|none|christian\w*|orthodox\w*|anglican|lutheran|reform\w*|jewish|fridays?|yes|no|"
            r"temple|chapel|assembly|winners|redeemed)\b)"
        ),
    ),
    "sect": re.compile(r"\w+(?: \w+)?\s*$"),
    "belief": re.compile(r"\w+(?: \w+)?\s*$"),
    "beliefs": re.compile(r"\w+(?: \w+)?\s*$"),
}
