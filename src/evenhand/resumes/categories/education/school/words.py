"""Words of schools' names: kinds of school, links, what begins no name, what is studied, campuses."""

import re
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.rules import phrases_of
from evenhand.resumes.text.folded_text import folded_word

__all__ = [
    "CAMPUS", "CITIES", "COMMON", "ENDINGS", "GAPS", "GENERIC", "HARD", "IN_NAMES", "LEARNED", "LEARNING", "LINKS",
    "LINKS_BEFORE", "MONTHS", "NOT_FIRST", "PART_AFTER", "PUBLIC", "SMALL", "SOFT", "SUBJECTS", "TOWN", "WEAK", "heads",
    "listed",
]  # fmt: skip

ENDINGS = (
    "universitat", "universitaet", "universitet", "universiteit", "universitetet", "gymnasium", "gymnasiet",
    "hochschule", "schule", "skola", "skolan", "skole", "skolen", "skolegymnasium", "lyceum", "kolleg", "vidyalaya",
    "egyetem", "yliopisto", "college", "skool", "vidyapeetham", "korkeakoulu", "lukio", "university", "akademie",
    "universitesi",
)  # fmt: skip
#: Kinds of school that are also something else: a body of members, a firm's training.
WEAK = frozenset(
    {"institute", "collegiate", "institution", "institut", "instituto", "istituto", "instytut", "akademie", "centro",
     "schule"}
)  # fmt: skip
#: Heads that may be written small after a name: Lunds universitet.
SMALL = frozenset(
    {"universitet", "universitetet", "universitat", "universiteit", "yliopisto", "egyetem", "hogskola", "hogskolan",
     "hogskole", "skola", "skole", "ulikool", "universitate", "universitetas", "университет", "институт", "академия",
     "колледж", "школа", "гимназия", "лицеи", "ammattikorkeakoulu", "gymnasium", "universitatea", "hochschule", "lukio",
     "katedralskole", "fakultet"}
)  # fmt: skip
_LINKS_LISTED = (
    "of the and de des du di da do della del degli la las los le les for at in fur der van voor zu y e et i din and "
    "fuer und der dem den ved og och en na w im am su l d v ve u o pa"
)
LINKS = frozenset(_LINKS_LISTED.split())
#: Words that begin no name of a school, and words of degrees and work that do stand in one.
_NOT_FIRST_LISTED = (
    "graduated attended education bachelor bachelors master masters at from studied degree diploma bsc msc student "
    "alumni alumna alumnus professor lecturer dean adjunct assistant associate senior junior teacher principal "
    "visiting head research director taught instructor volunteer hons honours honors with since summer intern fellow "
    "scholar minor major gpa certificate certification january february september october november december my our "
    "their his her this each every present led ran built managed founded class attending joined coach tutor board "
    "member guest president vice captain exchange semester year years and or for name institution thesis certified "
    "left took gained won member winner speaker fellowship scholarship award awarded published"
)
NOT_FIRST = frozenset(_NOT_FIRST_LISTED.split())
_IN_NAMES_LISTED = (
    "graduate graduates training teachers engineers nursing doctors master's surgeons physicians girls boys trade "
    "technical military police staff open state lead erasmus matriculation baccalaureate"
)
IN_NAMES = frozenset(_IN_NAMES_LISTED.split())
#: After these words the school's kind is no name: `school district`, `university relations`.
HARD = lazy_re(
    r"[ ]+(?:district|districts|board|press|hospital\w*|medical cent\w+|bus|services|lunch|meals?|dinners|trips|"
    r"uniforms?|supplies|nutrition|of thought|athletic|reports?(?=[ ]?[,.:;])|networks?|state board|"
    r"networking|sports|bookstore|credit union|musical|relations)\b",
    re.IGNORECASE,
)
#: Before these words a kind of school with one common word is no name.
SOFT = lazy_re(
    r"[ ]+(?:recruit\w*|hiring|students?|administrat\w+|admissions?|counsel\w+|library|degree|account|licen[cs]e|"
    r"diploma|leaving|leaver|certificate|years?|days|teachers?|nurse|principal|psychologist|readiness|fees|projects?|"
    r"partners|outreach|football|basketball|athletics|magazine|newspaper|radio)\b",
    re.IGNORECASE,
)
_GENERIC_LISTED = (
    "business high law medical graduate summer night old public private middle primary elementary secondary sunday "
    "driving community boarding grammar online language state local junior technical training sales data leadership "
    "coding management new nursing art music dental vocational trade charter international evening drama film "
    "preparatory prep the a an any no university college undergraduate postgraduate free saturday weekend sixth "
    "form cooking acting dance ballet sailing flight ski"
)
GENERIC = frozenset(_GENERIC_LISTED.split())
LEARNING = lazy_re(
    r"(?:of|for|de|di|der|fur|en|et|y|and|&|d'|l')?[ ]?(?:the[ ])?(?:advanced |applied |higher |modern )?"
    r"(?:technolog|econom|tecnol|techni|tecni|teknologi|science|sciences|ciencias|management|business|art\b|arts|"
    r"design|education|fashion|information|music|media|medical|medic|hotel|hospitality|finance|planning|architecture|"
    r"tourism|engineering|ingenier|aeronaut|pharm|computer|commerce|law\b|film|language|etudes|politec|polytech|"
    r"superior|sup\b|national des|agricult|forestry|nautical|maritime|marine|culinary|mathematic|statistic|social|"
    r"foreign|public|nursing|teacher|mass comm|liberal)",
    re.IGNORECASE,
)
_LEARNED_LISTED = (
    "polytechnic technical technological technology military naval police art culinary business fashion medical music "
    "dental maritime merchant marine engineering design science coast air nautical agricultural language tecnologico "
    "film dramatic teachers industrial training high secondary grammar nacional politecnico universitario superior "
    "virginia pratt rensselaer worcester conservatory law"
)
LEARNED = frozenset(_LEARNED_LISTED.split())
CAMPUS = lazy_re(
    r"(?:,[ ]|[ ]?-[ ]?|[ ])(?:Amherst|Ann Arbor|Austin|Berkeley|Boulder|Chapel Hill|Davis|Irvine|Los Angeles|Madison|"
    r"Merced|Riverside|San Diego|San Francisco|San Marcos|San Bernardino|Santa Barbara|Santa Cruz|Twin Cities|Denver|"
    r"Urbana[- ]Champaign|College Park|Baltimore County|St\.? Louis|Chicago|Newark|Camden|New Brunswick|Las Vegas|"
    r"Reno|Long Beach|Fullerton|Northridge|Sacramento|Fresno|Pomona|Dominguez Hills|East Bay|Monterey Bay|Chico|"
    r"Bakersfield|Stanislaus|Milwaukee|Green Bay|Eau Claire|La Crosse|Stevens Point|Whitewater|Oshkosh|Omaha|Lincoln|"
    r"Kearney|Dallas|Arlington|El Paso|San Antonio|Tyler|Permian Basin|Rio Grande Valley|Corpus Christi|Kingsville|"
    r"Commerce|Galveston|Knoxville|Chattanooga|Martin|Birmingham|Huntsville|Tuscaloosa|Little Rock|Fayetteville|"
    r"Fort Smith|Duluth|Morris|Crookston|Rochester|Dearborn|Flint|Boston|Lowell|Dartmouth|Bothell|Tacoma|Seattle|"
    r"Colorado Springs|Pueblo|Greensboro|Charlotte|Wilmington|Asheville|Pembroke|Manoa|Hilo|Anchorage|Fairbanks|"
    r"Kansas City|Columbia|Rolla|Bloomington|Fort Wayne|South Bend|Kokomo|Indianapolis|Akure|Nsukka|Owerri|Minna|Yola|"
    r"Enugu|Bombay|Delhi|Madras|Kanpur|Kharagpur|Roorkee|Guwahati|Hyderabad|Indore|Varanasi|Manila|Diliman|Los Banos|"
    r"Mona|Cave Hill|St\.? Augustine|Five Islands|Pilani|Oxford|Cambridge|London|"
    r"R\. ?K\. ?Puram|Vasant Kunj|Mathura Road|Legon|Calicut|Tiruchirappalli|Trichy|Warangal|Surathkal|Rourkela|"
    r"Durgapur|Jamshedpur|Kurukshetra|Bhopal|Silchar|Hanoi|Ho Chi Minh City)\b",
    re.IGNORECASE,
)
GAPS = frozenset({" ", "-", ". ", ".  ", ".", " & ", "&", "' ", "'"})
#: Links before a head; `at` and `in` end a degree: Business Administration at X College.
LINKS_BEFORE = LINKS - {"at", "in", "for", "im", "am", "na", "su", "pa"}
#: What follows a part of a line.
PART_AFTER = lazy_re(r"[ ]*(?:[,;.|)(\n\t:<>/-]|$|and\b|in\b|with\b|from\b|where\b|\d|'\d)|[ ]{2,}")
_SUBJECTS_LISTED = (
    "history physics chemistry biology mathematics maths economics accounting accountancy psychology sociology "
    "philosophy politics geography geology english french german spanish linguistics literature theology nursing "
    "pharmacy dentistry biochemistry genetics statistics astronomy anthropology archaeology classics journalism "
    "communication communications marketing finance logistics mechatronics physiotherapy informatics theatre drama "
    "dance nutrition zoology botany microbiology biotechnology electronics robotics ecology neuroscience hons "
    "honours installation studies mechanical electrical civil chemical political international industrial visual "
    "graphic creative film maschinenbau"
)
SUBJECTS = frozenset(_SUBJECTS_LISTED.split())
CITIES = frozenset({"london", "dublin", "cork", "galway", "maynooth"})
#: A town after a name, where what follows ends it.
TOWN = lazy_re(
    r",\s(?!(?:Expected|Graduat\w*|Class|Degree|Year|Completed|Awarded|Conferred|Passed|Cum|First|Second|Upper|"
    r"Lower|With|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Fall|Autumn|Winter)|[BM]\.?[A-Z]|Ph|"
    r"Mast|Bach|Dipl|HN|GC|[AO]-?[Ll]ev|NVQ|WA|SS|Abi|Cert|BT)(?:[A-Z][\w'-]+)(?: (?!(?:Class|Year|Degree|Grad\w*|"
    r"Passed|Promotion|Batch|Cohort|Expected|Started|In|Oct|Nov|Dec|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|"
    r"Sept?)\b)[A-Z][\w'-]+)?(?=[ ]*(?:[^\w\s.'-]|[.-](?:\s|$)|\n|\t|$|\d)|[ ]{1,2}(?:[a-z]|Class|Year|Degree|Grad|"
    r"Passed|Promotion|'\d|- |\d)| [Ii][Nn] \d)"
)
#: Names of which there are many: a town tells them.
_COMMON_LISTED = (
    "kendriya loyola xavier's christ sacred heart holy cross family convent bosco salle marist jesuit presidency "
    "islamia model anglo christian delhi army navy force central jawahar navodaya zilla parishad st saint our lady "
    "mary's john's joseph's anne's paul's peter's patrick's thomas's anna"
)
COMMON = frozenset(_COMMON_LISTED.split())
PUBLIC = GENERIC | {"govt", "government", "municipal", "higher", "senior", "govt.", "district"}
MONTHS = frozenset(
    {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
)  # fmt: skip


@cache
def listed(rule: str) -> frozenset[str]:
    """Return the phrases of a rule of school.csv."""
    return frozenset(phrases_of("school")[rule])


@cache
def heads() -> frozenset[str]:
    """Return kinds of school in lower case.

    >>> "university" in heads() and "lycee" in heads()
    True
    """
    return frozenset(folded_word(word) for word in listed("head") | listed("first"))
