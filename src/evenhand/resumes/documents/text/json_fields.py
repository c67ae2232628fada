"""What a field of a JSON Resume holds, by its place, by its key, and by what key and value say together."""

from functools import cache, lru_cache
from typing import Any

from evenhand.patterns import lazy_re
from evenhand.resumes.mask import MaskOptions, mask_segments
from evenhand.resumes.names.parts import Names
from evenhand.resumes.spans import OPTIONAL, Span
from evenhand.resumes.text.folded_text import folded_word

__all__ = ["Path", "category_of"]

Path = tuple[str, ...]
#: By place; list positions are left out of places.
_PLACES: dict[Path, str] = {
    ("basics", "name"): "NAME",
    ("basics", "email"): "EMAIL",
    ("basics", "phone"): "PHONE",
    ("basics", "url"): "URL",
    ("basics", "website"): "URL",
    ("basics", "image"): "IMAGE",
    ("basics", "picture"): "IMAGE",
    ("basics", "profiles", "username"): "URL",
    ("basics", "profiles", "url"): "URL",
    ("basics", "location"): "ADDRESS",
    ("basics", "address"): "ADDRESS",
    ("references", "name"): "NAME",
    ("meta", "canonical"): "URL",
    ("education", "institution"): "SCHOOL",
    ("education", "endDate"): "GRADYEAR",
}
#: By key, in lower case without marks, wherever it stands.
_KEYS = {
    **dict.fromkeys(("firstname", "lastname", "fullname", "givenname", "familyname", "surname", "middlename"), "NAME"),
    **dict.fromkeys(
        ("maidenname", "birthname", "formername", "nickname", "preferredname", "referee", "author"), "NAME"
    ),
    **dict.fromkeys(("father", "mother", "fathersname", "mothersname", "mothersmaidenname", "guardian"), "NAME"),
    **dict.fromkeys(("supervisor", "emergencycontact", "contactperson"), "NAME"),
    **dict.fromkeys(("email", "mail", "emailaddress"), "EMAIL"),
    **dict.fromkeys(("phone", "mobile", "telephone", "phonenumber", "fax"), "PHONE"),
    **dict.fromkeys(("phones", "tel", "cell", "cellphone", "mobilephone", "homephone", "workphone"), "PHONE"),
    **dict.fromkeys(("image", "photo", "picture", "avatar", "thumbnail"), "IMAGE"),
    **dict.fromkeys(("gender", "sex", "pronouns", "pronoun"), "GENDER"),
    **dict.fromkeys(("ethnicity", "race", "nationality", "citizenship", "birthplace", "placeofbirth"), "ETHNICITY"),
    **dict.fromkeys(("religion", "faith"), "RELIGION"),
    **dict.fromkeys(("maritalstatus", "children", "spouse", "husband", "wife"), "MARITAL"),
    **dict.fromkeys(("disability", "disabilities"), "DISABILITY"),
    **dict.fromkeys(("sexualorientation", "orientation"), "ORIENTATION"),
    **dict.fromkeys(("birthdate", "dateofbirth", "dob", "birthday", "birth", "born", "age"), "DOB"),
    **dict.fromkeys(("birthyear", "yearofbirth", "yob", "birthmonth", "monthofbirth", "agerange", "agegroup"), "DOB"),
}
_MIXED = frozenset({"NAME"})
#: Keys of an object about a person, and of its name in it.
_PERSONS = frozenset({"contact", "contactperson", "manager", "supervisor", "referee", "reference", "author", "spouse"})
_NAMED = frozenset({"name", "first", "last", "given", "family"})
#: Keys of the schema that are labels of a form as well.
_SCHEMA_KEYS = frozenset({"title"})
_WORD_END = lazy_re(r"(?<=[^\W\dA-Z_])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\dA-Z_])|[\W_]+")
#: What a key has before or behind what it asks: `isMarried`, `numberOfChildren`, `kidsCount`.
_ASKING = lazy_re(
    r"^(?:(?:is|am|are|was|has|have|had|do|does|you|i|my|your|identifies|identify|as|an?|the|any|number|num|nr|no|"
    r"count|total|of) )+(?=.)|(?<=.)(?: (?:count|number|total|flag|status|yesno|yn))+$"
)
_LETTER = lazy_re(r"[^\W\d_]")
_PREFIX = lazy_re(r"^(?:is|has|have|are|was|my|your|num|numberof|noof)(?=.)")
_SHORTEST_LABEL, _SHORTEST_NUMBER = 3, 7
_YES, _NO = "yes", "no"
_ANSWERS = {
    **dict.fromkeys(("yes", "y", "true", "ja", "oui", "si", "sim", "tak", "da", "evet"), _YES),
    **dict.fromkeys(("no", "n", "false", "nein", "non", "nao", "nee", "nie", "ne", "hayir"), _NO),
}
#: Begins the key of a list of languages.
_OF_LANGUAGES = "language"
_BITS = {"1": _YES, "0": _NO}
#: Longer strings are sentences: they are read by themselves.
_LONGEST_VALUE = 60
_REMEMBERED = 4096
_SAID = ("I am {}.", "I am a {}.", "I have {}.")


def category_of(path: Path, value: Any, options: MaskOptions) -> str | None:
    """Return what a field holds, None where it is text or its category was not asked for.

    >>> category_of(("personal", "gender", "value"), "F", MaskOptions())
    'GENDER'
    >>> category_of(("references", "name", "firm"), "Acme", MaskOptions()) is None
    True
    >>> [category_of(("basics", key), True, MaskOptions()) for key in ("isMarried", "muslim", "remote")]
    ['MARITAL', 'RELIGION', None]
    """
    found = _by_place(path, {OPTIONAL[name] for name in options.optional})
    if found is not None or value is None or value == "" or path[0] == "meta":
        return found
    if any(_folded(key).startswith(_OF_LANGUAGES) for key in path):
        return None  # `languages.german` tells no nationality
    return next(filter(None, (_by_reading(key, _answer(value), options) for key in reversed(path))), None)


def _by_place(path: Path, optional: set[str]) -> str | None:
    """Return what a field holds by where it stands, or by its key or that of a field that it is in."""
    if len(path) > 1 and _folded(path[-1]) in _NAMED and _folded(path[-2]) in _PERSONS:
        return "NAME"
    for length in range(len(path), 0, -1):
        category = _PLACES.get(path[:length])
        if category is None and path[0] != "meta":
            key = _folded(path[length - 1])
            category = _KEYS.get(key) or _KEYS.get(_PREFIX.sub("", key))
        if category in _MIXED and length < len(path):
            continue  # a firm stands beside a referee's name
        if category is not None and (category not in OPTIONAL.values() or category in optional):
            return category
    return None


def _folded(key: str) -> str:
    return "".join(letter for letter in folded_word(key) if letter.isalpha())


def _answer(value: Any) -> str:
    """Return a value in the words of a form."""
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, str):
        return _ANSWERS.get(folded_word(value.strip()), value)
    return str(value)


@cache
def _labels() -> dict[str, str]:
    """Return labels of forms by their letters, as keys have no blanks: `ethnicgroup`."""
    found = {_folded(label): label for label in _OFTEN_LISTED.split("|")}
    return {letters: label for letters, label in found.items() if len(letters) >= _SHORTEST_LABEL}


_OFTEN_LISTED = (
    "married|children|lgbt|disabled|gender identity|preferred pronouns|ethnic group|ethnic origin|national origin|"
    "citizenship status|country of birth|place of birth|visa status|immigration status|work permit|right to work|"
    "work authorization|religious affiliation|disability status|health condition|access needs|special needs|"
    "marital status|civil status|family status|relationship status|number of children|spouse name|sexual orientation|"
    "preferred name|father's name|mother's name|next of kin"
)


@cache
def _readings(key: str) -> tuple[str, ...]:
    """Return the labels that a key stands for, the whole one first.

    >>> _readings("numberOfChildren"), _readings("isLGBT"), _readings("ismarried")
    (('number of children', 'children'), ('is lgbt', 'lgbt'), ('ismarried', 'married'))
    """
    words = " ".join(folded_word(_WORD_END.sub(" ", key)).split())
    bare = _ASKING.sub("", words)
    letters = _folded(key)
    listed = [_labels().get(each) for each in (letters, _PREFIX.sub("", letters))]
    return tuple(dict.fromkeys(filter(None, (words, bare, *listed))))


@lru_cache(maxsize=_REMEMBERED)
def _by_reading(key: str, answer: str, options: MaskOptions) -> str | None:
    """Return what a key and its value tell when they are read as a line of a form: `Number of children: 2`.

    What holds no words of its own, a yes or a number, is told by its key. A yes is read as a sentence, too.
    """
    if len(answer) > _LONGEST_VALUE or "\n" in answer or key in _SCHEMA_KEYS:
        return None
    for label in _readings(key):
        found = _told_by(label, answer, options)
        if found is None and answer in _BITS:
            found = _told_by(label, _BITS[answer], options)
        if found is not None:
            return found
    return None


def _told_by(label: str, answer: str, options: MaskOptions) -> str | None:
    begin = len(label) + len(": ")
    for span in _spans(f"{label}: {answer}", options):
        if span.start == begin and span.category == "URL" and _LETTER.search(answer) is None:
            long = sum(map(str.isdigit, answer)) >= _SHORTEST_NUMBER  # WhatsApp's
            return "PHONE" if long and "phone" in options.optional else None
        # A value that tells something by itself is masked as text: maybe only part of it is.
        if span.start == begin and not any(each.start == 0 for each in _spans(answer, options)):
            return span.category
        if answer in {_YES, _NO} or (span.rule == "labelled" and span.start == begin):
            return span.category
    if answer in {_YES, _NO}:
        # A faith or a people is known by its capital; more words are a thing's name: White Label.
        words = label if " " in label else label.title()
        for said in _SAID:
            for span in _spans(said.format(words), options):
                return span.category
    return None


def _spans(text: str, options: MaskOptions) -> tuple[Span, ...]:
    (masked,) = mask_segments([text], Names(), options)
    return masked.spans
