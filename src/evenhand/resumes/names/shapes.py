"""What looks like a name: capitalised words, particles and initials, none of them a word of résumés."""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import KIND_WORDS, given_names, is_no_name, no_names
from evenhand.resumes.names.parts import PARTICLES

__all__ = ["NAME", "inverted", "is_town", "looks_like_a_name", "segments", "uncredentialled"]

_PARTICLE = (
    r"(?:van|von|der|den|dem|de|del|della|di|da|do|dos|das|du|la|las|los|le|el|al|bin|binti|bint|"
    r"ibn|ben|bat|abu|umm|ter|ten|zu|zum|zur|af|av|y|e|"
    r"van der|van den|van de|de la|de los|de las|von der|op de)"
)
_WORD = (
    r"(?:(?:St\.[ ]|(?:al|el|ul|as|ad|ar|az|ash|an|at)-)?(?:[A-Z]|(?:[dDlLOo]|[dD][ae]ll|[dD]egl)'[A-Z])[\w']*"
    r"(?:-\w[\w']*)*)"
)
#: A name in running text: a capitalised word, then up to four more with particles, initials and a nickname among them.
NAME = (
    rf"(?:[A-Z]\.|{_WORD})(?:[ ]{{1,2}}(?:[\"'(][A-Z][\w' -]{{1,20}}[\"')][ ])?(?:(?:{_PARTICLE})[ ']){{0,3}}"
    rf"(?:[A-Z]\.(?:[ ]?[A-Z]\.)*|{_WORD})){{0,4}}"
)
_TOKEN = lazy_re(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
#: Blanks, then one of several marks; written from the first character, which is quick to look for.
_HARD = lazy_re(
    r"[ \t|•·;/<>=\n](?:(?<=[ \t])[ \t]*[|•·;\t/]+[ \t]*|(?<=\t)[ \t]*|(?<=[|•·;/])[|•·;\t/]*[ \t]*|"
    r"(?<=[ \t])[ \t]+|(?<=[ ])[-–—~][ ]|(?<=[ ])[ ]*[<>=]+[ ]*|(?<=[<>=])[<>=]*[ ]*|(?<=\n))"
)
#: What a separator holds; looked for first, which is quick.
_PERHAPS_HARD = lazy_re(r"[ |•·;\t/<>=\n](?:(?<![ ])|(?=[-–—~ \t]))")
#: A degree or a licence behind a name: an abbreviation after a comma, or in capitals.
_CREDENTIAL = lazy_re(
    r"(?:,[ ]?\(?[A-Z]\.?(?:[a-z]{0,3}\.?[A-Z-]|[A-Z]*\.)[\w.-]{0,6}\)?|[ ]\(?[A-Z]{2,5}(?:-[A-Z]{1,3})?\)?)$"
)
_EXTRA = lazy_re(r"\([^)]*\)|[\"“][^\"”]*[\"”]|'[^']{2,20}'(?!\w)")
_PREFIXED = lazy_re(r"(?:[dlo]'|d[ae]ll'|degl'|al-|el-|ul-|as-|ad-|ar-|az-|ash-|an-|at-)[A-Z]")
_EXTRA_MARKS = lazy_re(r"[(\"'\u201c]")
_NEVER = lazy_re(r"[\d@/:&+#%*=<>\[\]{}!?$]")
_NO_MARKS = str.maketrans("", "", ".'-\u2019")
_LONGEST = 60
_MOST = 6


def segments(text: str) -> list[tuple[int, int]]:
    """Return the parts of a header line between its separators, commas kept."""
    if _PERHAPS_HARD.search(text) is None:
        return [(0, len(text))] if text else []
    found, start = [], 0
    for match in _HARD.finditer(text):
        if match.start() > start:
            found.append((start, match.start()))
        start = match.end()
    if start < len(text):
        found.append((start, len(text)))
    return found


def uncredentialled(text: str) -> str:
    """Return a segment without degrees and licences after a name of two words or more.

    >>> [uncredentialled(each) for each in ("Jane Doe, RN, BSN", "Jane Doe MBA", "DOE, JANE", "Jane Doe, Ph.D.")]
    ['Jane Doe', 'Jane Doe', 'DOE, JANE', 'Jane Doe']
    """
    text = text.rstrip(" \u00ae\u2122,")
    capitals = text.isupper()
    while (match := _CREDENTIAL.search(text)) is not None and " " in text[: match.start()]:
        if capitals and match.group()[0] != ",":
            break
        text = text[: match.start()].rstrip(" ,")
    return text


def is_town(text: str) -> bool:
    """Say whether two words are a town's name by the first: `San Jose`, `St. Louis`."""
    return KIND_WORDS.town.fullmatch(text) is not None


def inverted(text: str) -> bool:
    """Say whether a text reads Last, First.

    >>> inverted("O'Brien, Siobhan"), inverted("Lagos, Nigeria")
    (True, False)
    """
    last, comma, first = text.partition(",")
    if not comma or "," in first or not first.strip() or is_town(last) or is_town(first.strip()):
        return False
    kinds = no_names()
    firsts = [match.group().lower() for match in _TOKEN.finditer(first)]
    if not firsts or len(firsts) > 4 or any(kinds.get(word) == "place" for word in firsts):
        return False
    if KIND_WORDS.day.fullmatch(first.strip()) is not None and " " not in last.strip():
        return looks_like_a_name(last)
    if all(word.isupper() and len(word) < 3 for word in first.split()) and len(first.strip()) < 3:
        return False
    return looks_like_a_name(last) and looks_like_a_name(first)


def looks_like_a_name(text: str, *, lower: bool = False, loose: bool = False) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line per reason
    """Say whether a short text has a name's shape; `lower` allows one without capitals.

    `loose` is for places that only names have: common words and places may be part of one,
    beside a word that is neither.

    >>> [looks_like_a_name(each) for each in ("Ngozi Okafor", "Senior Engineer", "Ludwig van der Berg", "in 2004")]
    [True, False, True, False]
    """
    bare = (_EXTRA.sub(" ", text) if _EXTRA_MARKS.search(text) is not None else text).strip(" .,-")
    if not bare or len(bare) > _LONGEST or _NEVER.search(bare) is not None:
        return False
    words = bare.replace(",", " ").split()
    if len(words) > _MOST:
        return False
    capitals = 0
    for number, word in enumerate(words, 1):
        letters = word.strip(".'-")
        if not letters.isalpha():
            if not letters or not letters.translate(_NO_MARKS).isalpha():
                return False
            head, dot, tail = letters.partition(".")
            if dot and len(head) > 2 and tail:
                return False  # an address: blanc.design.de
        low = letters.lower()
        if low in PARTICLES and (letters.islower() or len(words) > 2):
            continue
        if not (letters[0].isupper() or _uncased(letters) or lower or _PREFIXED.match(letters) is not None):
            return False
        if low in _ABBREVIATIONS and letters.istitle():
            capitals += 1
            continue
        if is_no_name(low) or ("-" in low and _is_compound(low)):
            if number == len(words) > 1 and low in KIND_WORDS.surnames_too and words[0].lower() in given_names():
                continue  # Amanda T. Major
            if not loose or no_names().get(low, "other") not in {"other", "place"}:
                return False
            continue
        if len(letters.replace(".", "")) > 1:
            capitals += 1
    return capitals > 0


#: In capitals they are no name: `AI`; with one capital they may be: `Ai Ng`.
_ABBREVIATIONS = frozenset({"ai", "ui", "ux", "qa", "hr", "pm", "ml", "po", "vp", "us", "uk", "eu", "uae", "sre"})
_ABBREVIATIONS |= {"meng", "beng", "doo"}


def _is_compound(word: str) -> bool:
    """Say whether a word with a hyphen is no name: `back-end`, `sales-driven`; `So-young` is one.

    >>> [_is_compound(each) for each in ("so-young", "full-time", "sales-led")]
    [False, True, True]
    """
    parts = word.split("-")
    barred = [part for part in parts if is_no_name(part)]
    return len(barred) == len(parts) or any(no_names().get(part, "job") != "other" or len(part) > 3 for part in barred)


def _uncased(word: str) -> bool:
    return word[0].isalpha() and word[0].lower() == word[0].upper()
