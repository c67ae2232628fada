"""Mask résumés in the JSON Resume schema (jsonresume.org); keys and structure stay.

A field's category is known by its place (`basics.name`), by its key (`gender`) or that of a parent, or from
key and value as a line of a form (`isMarried: yes`). Every other string is masked as text. Numbers and
booleans stay unless their field is masked. `resume_text` gives the résumé as plain text.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from evenhand.errors import InputError
from evenhand.masking.documents.check import refuse_leaks
from evenhand.masking.documents.request import DocumentText, MaskedDocument, Request, Tally
from evenhand.masking.documents.text import decoded, masked_in, rendered, without_markup, without_returns
from evenhand.masking.layout import folded_word
from evenhand.masking.mask import mask_segments
from evenhand.masking.names.word_kinds import Names
from evenhand.masking.pronouns import OPTIONAL, MaskOptions, Span, token_of
from evenhand.patterns import WordTable, lazy_re

RESUME_WORDS = WordTable("evenhand.masking.documents", "json_resume.toml")
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
_MIXED = frozenset({"NAME"})
#: Keys of an object about a person, and of its name in it.
_PERSONS = frozenset({"contact", "contactperson", "manager", "supervisor", "referee", "reference", "author", "spouse"})
_NAMED = frozenset({"name", "first", "last", "given", "family"})
#: Keys of the schema that are labels of a form as well.
_SCHEMA_KEYS = frozenset({"title"})
_WORD_END = lazy_re(r"(?<=[^\W\dA-Z_])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\dA-Z_])|[\W_]+")
#: Words before or after the subject of a key: `isMarried`, `numberOfChildren`, `kidsCount`.
_ASKING = lazy_re(
    r"^(?:(?:is|am|are|was|has|have|had|do|does|you|i|my|your|identifies|identify|as|an?|the|any|number|num|nr|no|"
    r"count|total|of) )+(?=.)|(?<=.)(?: (?:count|number|total|flag|status|yesno|yn))+$"
)
_LETTER = lazy_re(r"[^\W\d_]")
_PREFIX = lazy_re(r"^(?:is|has|have|are|was|my|your|num|numberof|noof)(?=.)")
_SHORTEST_LABEL, _SHORTEST_NUMBER = 3, 7
_YES, _NO = "yes", "no"
#: Begins the key of a list of languages.
_OF_LANGUAGES = "language"
_BITS = {"1": _YES, "0": _NO}
#: Longer strings are sentences: they are read by themselves.
_LONGEST_VALUE = 60
_REMEMBERED = 4096
_SENTENCES = ("I am {}.", "I am a {}.", "I have {}.")


def category_of(path: Path, value: Any, options: MaskOptions) -> str | None:
    """Return the category of a field, None where it is text or its category is not masked.

    >>> category_of(("personal", "gender", "value"), "F", MaskOptions())
    'GENDER'
    >>> category_of(("references", "name", "firm"), "Acme", MaskOptions()) is None
    True
    >>> [category_of(("basics", key), True, MaskOptions()) for key in ("isMarried", "muslim", "remote")]
    ['MARITAL', 'RELIGION', None]
    """
    category = _by_place(path, {OPTIONAL[name] for name in options.optional})
    if category is not None or value is None or value == "" or path[0] == "meta":
        return category
    if any(_key_letters(key).startswith(_OF_LANGUAGES) for key in path):
        return None  # `languages.german` is no nationality
    return next(filter(None, (_category_as_line(key, _answer(value), options) for key in reversed(path))), None)


def _by_place(path: Path, optional: set[str]) -> str | None:
    """Return the category of a field by its place, its key or the key of a parent."""
    if len(path) > 1 and _key_letters(path[-1]) in _NAMED and _key_letters(path[-2]) in _PERSONS:
        return "NAME"
    for length in range(len(path), 0, -1):
        category = _PLACES.get(path[:length])
        if category is None and path[0] != "meta":
            key = _key_letters(path[length - 1])
            category = _key_categories().get(key) or _key_categories().get(_PREFIX.sub("", key))
        if category in _MIXED and length < len(path):
            continue  # a firm may stand next to a referee's name
        if category is not None and (category not in OPTIONAL.values() or category in optional):
            return category
    return None


def _key_letters(key: str) -> str:
    return "".join(letter for letter in folded_word(key) if letter.isalpha())


def _answer(value: Any) -> str:
    """Return a value in the words of a form."""
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, str):
        return _answers().get(folded_word(value.strip()), value)
    return str(value)


@cache
def _key_categories() -> dict[str, str]:
    return {key: category for category, keys in RESUME_WORDS.categories.items() for key in keys}


@cache
def _answers() -> dict[str, str]:
    return {word: answer for answer, words in RESUME_WORDS.answers.items() for word in words}


@cache
def _labels() -> dict[str, str]:
    """Return labels of forms by their letters, as keys have no blanks: `ethnicgroup`."""
    labels = {_key_letters(label): label for label in RESUME_WORDS.labels}
    return {letters: label for letters, label in labels.items() if len(letters) >= _SHORTEST_LABEL}


@cache
def _key_labels(key: str) -> tuple[str, ...]:
    """Return the labels of a key, the whole one first.

    >>> _key_labels("numberOfChildren"), _key_labels("isLGBT"), _key_labels("ismarried")
    (('number of children', 'children'), ('is lgbt', 'lgbt'), ('ismarried', 'married'))
    """
    words = " ".join(folded_word(_WORD_END.sub(" ", key)).split())
    bare = _ASKING.sub("", words)
    letters = _key_letters(key)
    listed = [_labels().get(form) for form in (letters, _PREFIX.sub("", letters))]
    return tuple(dict.fromkeys(filter(None, (words, bare, *listed))))


@lru_cache(maxsize=_REMEMBERED)
def _category_as_line(key: str, answer: str, options: MaskOptions) -> str | None:
    """Return the category of a key and its value, read as a line of a form: `Number of children: 2`.

    The key decides for values without words: a yes or a number. A yes is read as a sentence, too.
    """
    if len(answer) > _LONGEST_VALUE or "\n" in answer or key in _SCHEMA_KEYS:
        return None
    for label in _key_labels(key):
        category = _labelled_category(label, answer, options)
        if category is None and answer in _BITS:
            category = _labelled_category(label, _BITS[answer], options)
        if category is not None:
            return category
    return None


def _labelled_category(label: str, answer: str, options: MaskOptions) -> str | None:
    begin = len(label) + len(": ")
    for span in _spans(f"{label}: {answer}", options):
        if span.start == begin and span.category == "URL" and _LETTER.search(answer) is None:
            long = sum(map(str.isdigit, answer)) >= _SHORTEST_NUMBER  # WhatsApp's
            return "PHONE" if long and "phone" in options.optional else None
        # A value that matches by itself is masked as text: maybe only a part has to go.
        if span.start == begin and not any(span.start == 0 for span in _spans(answer, options)):
            return span.category
        if answer in {_YES, _NO} or (span.rule == "labelled" and span.start == begin):
            return span.category
    if answer in {_YES, _NO}:
        # A faith or a people is known by its capital; more words are a thing's name: White Label.
        words = label if " " in label else label.title()
        for sentence in _SENTENCES:
            for span in _spans(sentence.format(words), options):
                return span.category
    return None


def _spans(text: str, options: MaskOptions) -> tuple[Span, ...]:
    (masked,) = mask_segments([text], Names(), options)
    return masked.spans


#: The fields of an entry's first line, in this order; dates follow.
_HEAD = (
    "position",
    "studyType",
    "area",
    "title",
    "name",
    "language",
    "institution",
    "organization",
    "entity",
    "publisher",
    "awarder",
    "issuer",
    "level",
    "fluency",
    "location",
)
_DATES = ("startDate", "endDate", "date", "releaseDate")
#: No text of the résumé.
_UNSEEN = frozenset({"image", "picture", "$schema", "meta"})
_DEEPEST = 20


def resume_text(resume: Any) -> tuple[str, tuple[str, ...]]:
    r"""Return a JSON Resume as text, and the person's name as it says it.

    >>> resume_text({"basics": {"name": "Jo Doe", "email": "jo@x.org"}, "skills": [{"name": "SQL"}]})
    ('Jo Doe\njo@x.org\n\nSKILLS\nSQL\n', ('Jo Doe',))

    Raises
    ------
    InputError
        It is no JSON Resume, or holds no text; the message goes on after its name.

    """
    if not (isinstance(resume, dict) and isinstance(resume.get("basics"), dict)):
        raise InputError('is not a JSON Resume: it has no object "basics"; see jsonresume.org/schema.')
    basics = resume["basics"]
    lines = list(_basics(basics))
    for section, value in resume.items():
        if section == "basics" or section in _UNSEEN:
            continue
        section_lines = list(_section(value))
        if section_lines:
            lines += ["", section.upper(), *section_lines]
    text = "\n".join(lines).strip() + "\n"
    if not text.strip():
        raise InputError("holds no text.")
    name = basics.get("name")
    return text, (name.strip(),) if isinstance(name, str) and any(map(str.isalpha, name)) else ()


def _basics(basics: Mapping[str, Any]) -> Iterator[str]:
    for key in ("name", "label"):
        if line := _line(basics.get(key)):
            yield line
    contacts = [_line(basics.get(key)) for key in ("email", "phone", "url", "website", "location")]
    if any(contacts):
        yield " | ".join(filter(None, contacts))
    profiles = basics.get("profiles")
    for profile in profiles if isinstance(profiles, list) else ():
        if isinstance(profile, dict):
            address = _line(profile.get("url")) or _line(profile.get("username"))
            network = _line(profile.get("network"))
            yield f"{network}: {address}" if network and address else address or network
    others = {"name", "label", "email", "phone", "url", "website", "location", "profiles", "summary", *_UNSEEN}
    yield from _fields({key: value for key, value in basics.items() if key not in others}, 0)
    if summary := basics.get("summary"):
        yield from ("", str(summary))


def _section(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a section: an entry's head, its text, its list."""
    if depth > _DEEPEST:
        raise InputError("is not a JSON Resume: it is nested too deeply.")
    if isinstance(value, list):
        for entry in value:
            yield from _section(entry, depth + 1)
    elif isinstance(value, dict):
        yield from _entry(value, depth)
    elif line := _line(value):
        yield line


def _entry(entry: Mapping[str, Any], depth: int) -> Iterator[str]:
    head = ", ".join(filter(None, (_line(entry.get(key)) for key in _HEAD)))
    dates = " to ".join(filter(None, (_line(entry.get(key)) for key in _DATES)))
    if dates and dates == _line(entry.get("startDate")) and "institution" not in entry:
        dates = f"since {dates}"
    if head or dates:
        yield f"{head} ({dates})" if head and dates else head or dates
    yield from _fields({key: value for key, value in entry.items() if key not in {*_HEAD, *_DATES, *_UNSEEN}}, depth)


def _fields(fields: Mapping[str, Any], depth: int) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
            listed = [line for item in value if (line := _line(item))]
            if key == "keywords":
                yield ", ".join(listed)
            else:
                yield from (f"- {line}" for line in listed)
        elif isinstance(value, dict | list):
            yield from _section(value, depth + 1)
        elif text := _line(value):
            yield text if key in {"summary", "description", "reference", "url", "website"} else f"{key}: {text}"


def _line(value: Any) -> str:
    """Return a plain value as text, an address's parts joined; nothing for null."""
    if isinstance(value, dict):
        return ", ".join(filter(None, (_line(item) for item in value.values() if not isinstance(item, dict | list))))
    if value is None or isinstance(value, list):
        return ""
    return str(value).strip()


Node = tuple[Path, Any]
#: Strings are plain text; many sites show them as Markdown.
_VIEWS = (without_returns, without_markup, rendered)
_SCHEMA = ("https://raw.githubusercontent.com/jsonresume/resume-schema/", "https://jsonresume.org/")
_INDENT = 2
_HEADING = ("", "SUMMARY", "")


def masked_json_resume(content: bytes, request: Request) -> MaskedDocument:
    """Return a masked JSON Resume.

    Raises
    ------
    InputError
        The bytes are no JSON, or no JSON Resume.
    CheckFailed
        The result still holds a masked detail, in a key for example.

    """
    source = decoded(content)
    resume = _parsed(source.text)
    fields = [(path, value, category_of(path, value, request.options)) for path, value in _leaves(resume)]
    named = [value for path, value, category in fields if category == "NAME" and value and isinstance(value, str)]
    addresses = [str(value) for path, value, category in fields if category in {"EMAIL", "URL"} and value]
    free = [value for path, value, category in fields if category is None and _is_text(path, value)]
    # The text under a name and addresses is no header: a heading separates them.
    text = "\n".join((*named[:1], *addresses, *(_HEADING if named else ()), *free))
    tally = Tally(request)
    names = tally.names_in(text, known=named)
    tally.note_absent(text)
    _count_unmasked([(path, value) for path, value, category in fields if category is None and value], request, tally)

    def instead(path: Path, value: Any) -> Any:
        category = category_of(path, value, request.options)
        if category is not None:
            if value is None or value == "" or isinstance(value, (dict, list)):
                return value
            if category == "IMAGE":
                tally.note("pictures removed")
                return ""
            tally.spans[category] += 1
            tally.masked.add((category, str(value)))
            return token_of(category)
        if not _is_text(path, value):
            return value
        return masked_in(value, _VIEWS, names=names, tally=tally)

    result = _mapped(resume, instead)
    written = json.dumps(result, ensure_ascii=_not_writable(result, source.codec), indent=_INDENT) + "\n"
    reread = _parsed(written)
    texts = [value for path, value in _leaves(reread) if _is_text(path, value)]
    tally.note_ordinary("\n".join(texts), names)
    refuse_leaks(
        texts=dict.fromkeys(view_of(text).text for text in texts for view_of in _VIEWS),
        bare=[*_keys(reread), *(str(value) for _, value in _leaves(reread) if not isinstance(value, bool))],
        trace=tally.trace(names),
        options=request.options,
        mend="Rename the key that shows it, and mask the file again.",
    )
    return tally.document(source.encoded(written.replace("\n", "\r\n") if "\r\n" in source.text else written))


def json_resume_document_text(content: bytes, _unpack_limit: int) -> DocumentText:
    """Return a JSON Resume as a reader sees it, and the person's name.

    Raises
    ------
    InputError
        The bytes are no JSON, or no JSON Resume.

    """
    text, names = resume_text(_parsed(decoded(content).text))
    return DocumentText(text=text, names=names)


def _count_unmasked(fields: list[Node], request: Request, tally: Tally) -> None:
    """Count what would be masked by options that are off: fields by category, and matches in other texts."""
    every = replace(request.options, optional=tuple(OPTIONAL))
    options = {category: name for name, category in OPTIONAL.items()}
    fields_by_category = [(path, value, options.get(category_of(path, value, every) or "")) for path, value in fields]
    tally.unmasked.update(option for _, _, option in fields_by_category if option)
    free = [value for path, value, option in fields_by_category if not option and _is_text(path, value)]
    tally.note_unmasked("\n\n".join(free))


def _parsed(text: str) -> dict[str, Any]:
    try:
        resume = json.loads(text, object_pairs_hook=_once, parse_constant=_refused, parse_float=_number)
    except RecursionError as error:
        raise InputError("is not a JSON Resume: it is nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON ({error.msg} in line {error.lineno}).") from error
    except ValueError as error:
        raise InputError("is not a JSON Resume: it holds a number of thousands of digits.") from error
    if not (isinstance(resume, dict) and isinstance(resume.get("basics"), dict)):
        raise InputError('is not a JSON Resume: it has no object "basics"; see jsonresume.org/schema.')
    return resume


def _refused(constant: str) -> float:
    raise InputError(f"is not JSON: {constant} is not a number there.")


def _number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text[:20])


def _not_writable(resume: Any, codec: str) -> bool:
    """Say whether the file's encoding lacks a letter that the file has as an escape."""
    try:
        json.dumps(resume, ensure_ascii=False).encode(codec)
    except UnicodeEncodeError:
        return True
    return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise InputError("is not a JSON Resume: an object has one key twice.")
    return result


def _leaves(node: Any, path: Path = ()) -> Iterator[Node]:
    """Yield the values that are no object and no list, with their places."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(node, list):
        for value in node:
            yield from _leaves(value, path)
    else:
        yield path, node


def _mapped(node: Any, instead: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    if isinstance(node, dict):
        return {key: _mapped(value, instead, (*path, key)) for key, value in node.items()}
    if isinstance(node, list):
        return [_mapped(value, instead, path) for value in node]
    return instead(path, node)


def _keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from _keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from _keys(value)


def _is_text(path: Path, value: Any) -> bool:
    return isinstance(value, str) and not (path[-1:] == ("$schema",) and value.startswith(_SCHEMA))
