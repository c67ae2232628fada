"""Labels of details in forms: which category their values tell, and what counts as a value.

A label is made of a word that tells the category (`nationality`, `Familienstand`) and of words that go with any
(`current`, `status`, `optional`). Where other things are labelled by such a word too, only some values count.
"""

from functools import lru_cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.personal.marital_children import CHILD, counted

__all__ = ["category_of", "counts"]

_KEYS = {
    "NAME": (
        r"nick ?name|preferred name|(?:call(?:ing)?|pet) name|goes by|alias|name you go by|spitzname|rufname|apodo|"
        r"(?:father|mother|guardian)(?:'?s)? name|name of (?:father|mother)|next[ -]of[ -]kin"
    ),
    "GENDER": (
        r"gender|sex|pronouns?|sexo|genero|geschlecht|sexe|geslacht|sesso|jantina|jenis kelamin|kjonn|plec|cinsiyeti?|"
        r"gioi tinh|m/f|male/female|title|prefix|salutation|honorific|(?:form|mode) of address|anrede|civilite|"
        r"tratamiento|aanhef"
    ),
    "ETHNICITY": (
        r"race|racial|raza|raca|etnia|ethnic(?:ity)?|nationalit(?:y|ies)|nacionalidade?|nationalite|nationalitat|"
        r"staatsangehorigkeit|nazionalita|nationaliteit|uyruk|narodowosc|obywatelstwo|citizen(?:ship)?s?|ciudadania|"
        r"cidadania|cittadinanza|staatsburgerschaft|caste|sub-?caste|trib(?:e|al)|clan|heritage|origin|herkunft|"
        r"birth ?place|place of birth|country of birth|native (?:place|country)|home ?town|domicile|visa|immigration|"
        r"residency|residence|resident|residential|iqama|work (?:permit|authori[sz]ation|eligibility|rights?|status)|"
        r"right to work|eligibility to work|leave to remain|sponsorship|passport|permit|community|category|minority|"
        r"refugee|asylum|indigenous|aboriginal|first nations?|hispanic or latino|iwi|lga|titre de sejour|"
        r"aufenthaltsstatus|aufenthaltstitel|arbeitserlaubnis"
    ),
    "RELIGION": (
        r"religion|religious|faith|beliefs?|denomination|creed|sect|konfession|religionszugehorigkeit|religione|"
        r"religiao|religie|religia|wyznanie|agama|glaube|godsdienst|geloof|place of worship|church|parish"
    ),
    "DISABILITY": (
        r"disab(?:ility|ilities|led)|impairments?|handicap(?:s|ped)?|(?:schwer)?behinderung|schwerbehindert|gdb|rqth|"
        r"discapacidad|deficiencia|disabilita|health|medical|illness|allergies|accommodations?|adjustments?|"
        r"access(?:ibility)?|support|special needs|neurodiver(?:sity|gence|gent)|pwb?d|learning difficult(?:y|ies)|"
        r"learning differences?|mobility|differently[ -]abled|physically (?:challenged|handicapped)|hearing|vision|"
        r"interpreter"
    ),
    "MARITAL": (
        r"marital|matrimonial|married|civil|family|m/status|familienstand|zivilstand|estado civil|etat civil|"
        r"stato civile|burgerlijke staat|stan cywilny|sivilstatus|civilstand|medeni (?:hal|durum)|"
        r"situation (?:familiale|matrimoniale)|situacion familiar|relationship|partnership|children|kids|"
        r"kinder|enfants|hijos|figli|kinderen|filhos|dependa?e?nts?|spouse|husband|wife|partner|household|pregnant|pregnancy|maternity|parental|parent"
    ),
    "ORIENTATION": r"(?:sexual )?orientation|sexuality|lgbt\w*\+?|transgender|trans",
}
_KEYED = {category: lazy_re(rf"(?<![a-z])(?:{keys})(?![a-z])") for category, keys in _KEYS.items()}
_BESIDE_LISTED = (
    "status state type details category group identity background current present legal previous former original dual "
    "second first other your my own preferred personal optional voluntary self identified described declared any if of "
    "and or at by in the to for held country countries number no nr information info statement needs need needed "
    "requirements required requests requested known registered uk us eu name age ages date birth assigned expression "
    "marker eligible eligibility conditions condition long-term existing special situation composition members "
    "size accompanying occupation s nature kind community affiliation is are do does have you what how would a an per "
    "with work working permission rights valid expiry history percentage interview reasonable workplace view views "
    "preference nationality religion sexual civil mental physical sensory leave responsibilities caring"
)
_BESIDE = frozenset(_BESIDE_LISTED.split())
_WORD = lazy_re(r"[a-z][a-z'.-]*")

_TITLES = (
    r"(?:mr|mrs|ms|miss|mx|sir|madam|master|dame|lady|lord|mme|mlle|madame|mademoiselle|monsieur|frau|herr|sra?|srta|"
    r"senora?|senorita|signora?|pani?|mevrouw|dhr|mevr|smt|shri|sri|kumari|encik|puan|cik)\b\.?(?!\s*\w{2})"
)
_ANSWER = r"(?:yes|no|none|nil|n/?a|not|nobody|prefer|declined?|private|undisclosed)\b"
_NUMBER = r"(?:\d\d?|one|two|three|four|five|six)\b"
_STATE = r"(?:(?:un|re)?married|single|divorced|widow\w*|separated|engaged|partnered|cohabiting|living|in a )"
_KIN = rf"(?:my |one |his |her )?(?:wife|husband|spouse|partner|family|parents|fiancee?|{counted(CHILD)})"
_PLACE = (
    r"(?!.*\b(?:sql|funds?|tax|compan\w+|squads?|platform|product|data)\b)[a-z][\w'&/-]*"
    r"(?:[ ,(]+[a-z][\w'&/-]*\)?){0,3}\s*$"
)
#: What stands behind a name's label: up to five words, and no answer.
_NAMED = (
    rf"(?!{_ANSWER}|same\b|as\b|see\b|to\b|on\b|deceased\b|available\b)[\"']?[a-z][\w'.-]*"
    r"(?: [a-z][\w'.-]*){0,4}[\"']?\s*(?:$|[,;.|(])"
)
#: Words of a label, and the values that count behind it; the first that fits.
_VALUES = tuple(
    (lazy_re(rf"(?:{words})(?![a-z])"), lazy_re(values))
    for words, values in (
        (_KEYS["NAME"], _NAMED),
        (r".*\bpronouns?", r""),
        (r".*\b(?:title|prefix|salutation|honorific|address|anrede|civilite|tratamiento|aanhef)", _TITLES),
        (
            r"(?:.*\b)?(?:right to work|work (?:rights?|status|eligibility|authori[sz]ation)|eligibility to work|"
            r"residen(?:cy|ce|tial)|sponsorship)",
            r".*\b(?:visas?|status|settled|citizen\w*|nationals?|permits?|leave|refugee|asylum|sponsor\w*|residen\w+|"
            r"passport|ilr|brp|h-?\d\w?|opt|ead|gc|pr|tn|cards?|birth|descent|tier|dependant|spous\w+|stamp|yes|no|"
            r"required|needed)\b",
        ),
        (r"visa|(?:work )?permit", r"(?!.*\b(?:mastercard|amex|payments?|debit|processing|hot work|height)\b)"),
        (
            r"category|community|minority",
            r"(?:sc|st|obc|ews|bc|mbc|oc|gen(?:eral)?|open|un-?reserved|reserved|scheduled|other backward|yes|no|none|"
            r"minority)\b(?! (?:merchandise|goods|ledger|management|store|manager))",
        ),
        (r"race", r"(?!.*\b(?:marathon|triathlon|ironman|regatta|relay|\d+ ?(?:km?|miles?))\b)"),
        (r"(?:.*\b)?(?:tribe|clan|heritage|home ?town|domicile|lga|indigenous|first nations?)", rf"{_ANSWER}|{_PLACE}"),
        (
            r"(?:.*\b)?(?:children|kids|kinder|enfants|hijos|figli|kinderen|filhos|dependa?e?nts?)",
            rf"{_ANSWER}|{_NUMBER}|{counted(CHILD)}|(?:kein|ein|zwei|drei|une?|deux|aucun|sin|dos|tres|due|geen|twee)",
        ),
        (
            r"(?:family|household|relationship|partner|married|civil|parent|spouse|husband|wife)(?! (?:status|name))",
            rf"{_ANSWER}|{_NUMBER}|{_STATE}|{_KIN}|since\b|accompan|of\b|works?\b|working|employed|lives",
        ),
        (
            r"maternity|parental|pregnan\w+",
            rf"{_ANSWER}|\d|currently|planned|from|until|since|due|(?:jan|feb|mar|apr|may|"
            r"jun|jul|aug|sep|oct|nov|dec)[a-z]* \d",
        ),
        (
            r"(?:.*\b)?(?:health|medical|mobility|support|access(?:ibility)?|accommodations?|adjustments?|hearing|vision|"
            r"interpreter|special needs|learning \w+|allergies)",
            r"(?!.*\b(?:wcag|test\w*|audit\w*|aria|design\w*|patients?|clinic\w*|research|hotel|clients?|insurance)\b)"
            r".*\b(?:yes|no|none|nil|not|deaf\w*|blind\w*|hard of|loss|impair\w*|wheelchair|ramps?|step-free|[ab]sl|"
            r"interpreter|caption\w*|screen|braille|large print|extra time|quiet|breaks?|parking|mild|moderate|severe|"
            r"profound|partial\w*|registered|controlled|diagnos\w+|left|right|good|fit|excellent|aids?|crutch\w*|stick|"
            r"autis\w+|adhd|dys\w+|asd|diabet\w+|epilep\w+|asthma\w*|nuts?|flexible|ergonomic|lighting)\b",
        ),
        (r"disab\w+", r"(?!in (?:mentee|global|member|board|summit|conference)\b|insurance|desk|claims)"),
        (
            r"(?:sexual )?orientation",
            r"(?:an? )?(?:straight|gay|lesbian|bi\b|bisexual|hetero\w*|homo\w*|queer|asexual|pan\w*|prefer|undisclosed|"
            r"not |none|n/a|other|ace\b|lgbt|same-sex|demi\w*|aro\w*|private|declined?)",
        ),
        (r"lgbt\w*\+?|trans(?:gender)?(?! )", r"(?:yes|no)\b"),
        (
            r"church|parish|(?:home )?place of worship",
            r".*\b(?:st\.?|saint|baptist|methodist|\w*catholic|evangel\w*|protestant|muslim|islam|none|christian|orthodox|"
            r"anglican|lutheran|reform\w*|jewish|yes|no|temple|chapel|assembly)\b",
        ),
        (r"faith|beliefs?|sect", r"(?!.*(?:!|\?|\b(?:i'm|i|my|now|here|hey|hi|hello)\b))\S+(?: \S+){0,5}\s*$"),
    )
)  # fmt: skip


@lru_cache(maxsize=4096)
def category_of(label: str) -> str | None:
    """Return the category that the value behind a label tells, None for other labels.

    >>> [category_of(each) for each in ("current nationality", "marital status", "sex education", "skills")]
    ['ETHNICITY', 'MARITAL', None, None]
    """
    for category, keyed in _KEYED.items():
        if keyed.search(label) is not None and _BESIDE.issuperset(_WORD.findall(_without_keys(label))):
            return category
    return None


def _without_keys(label: str) -> str:
    for keyed in _KEYED.values():
        label = keyed.sub(" ", label)
    return label


def counts(label: str, value: str) -> bool:
    """Say whether a value counts behind a label that has a category.

    >>> counts("title", "ms"), counts("title", "engineer"), counts("race", "marathon")
    (True, False, False)
    """
    for words, values in _VALUES:
        if words.match(label) is not None:
            return values.match(value) is not None
    return True
