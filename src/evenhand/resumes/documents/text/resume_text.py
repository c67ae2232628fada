"""A JSON Resume as the text that a reader sees: one layout, sections in the order of the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from evenhand.errors import InputError

__all__ = ["resume_text"]

#: What stands in an entry's first line, in this order; dates follow.
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
        raise InputError('is no JSON Resume: it has no object "basics"; see jsonresume.org/schema.')
    basics = resume["basics"]
    lines = list(_basics(basics))
    for section, value in resume.items():
        if section == "basics" or section in _UNSEEN:
            continue
        told = list(_section(value))
        if told:
            lines += ["", section.upper(), *told]
    text = "\n".join(lines).strip() + "\n"
    if not text.strip():
        raise InputError("holds no text.")
    name = basics.get("name")
    return text, (name.strip(),) if isinstance(name, str) and any(map(str.isalpha, name)) else ()


def _basics(basics: Mapping[str, Any]) -> Iterator[str]:
    for key in ("name", "label"):
        if told := _line(basics.get(key)):
            yield told
    contacts = [_line(basics.get(key)) for key in ("email", "phone", "url", "website", "location")]
    if any(contacts):
        yield " | ".join(filter(None, contacts))
    profiles = basics.get("profiles")
    for profile in profiles if isinstance(profiles, list) else ():
        if isinstance(profile, dict):
            where = _line(profile.get("url")) or _line(profile.get("username"))
            network = _line(profile.get("network"))
            yield f"{network}: {where}" if network and where else where or network
    others = {"name", "label", "email", "phone", "url", "website", "location", "profiles", "summary", *_UNSEEN}
    yield from _fields({key: value for key, value in basics.items() if key not in others}, 0)
    if summary := basics.get("summary"):
        yield from ("", str(summary))


def _section(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a section: an entry's head, its text, its list."""
    if depth > _DEEPEST:
        raise InputError("is no JSON Resume: it is nested too deeply.")
    if isinstance(value, list):
        for entry in value:
            yield from _section(entry, depth + 1)
    elif isinstance(value, dict):
        yield from _entry(value, depth)
    elif told := _line(value):
        yield told


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
        if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
            listed = [line for each in value if (line := _line(each))]
            if key == "keywords":
                yield ", ".join(listed)
            else:
                yield from (f"- {line}" for line in listed)
        elif isinstance(value, dict | list):
            yield from _section(value, depth + 1)
        elif told := _line(value):
            yield told if key in {"summary", "description", "reference", "url", "website"} else f"{key}: {told}"


def _line(value: Any) -> str:
    """Return a plain value as text, an address's parts joined; nothing for null."""
    if isinstance(value, dict):
        return ", ".join(filter(None, (_line(each) for each in value.values() if not isinstance(each, dict | list))))
    if value is None or isinstance(value, list):
        return ""
    return str(value).strip()
