"""The person's name in its own script: near the top, beside its Latin form, or set apart anywhere in a Latin text."""

from collections.abc import Iterable, Iterator
from itertools import chain

from evenhand.patterns import lazy_re
from evenhand.resumes.names.own.candidates import Candidate
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["in_own_script"]

_SCRIPT = r"[\u0370-\u1dff\u3040-\ud7ff]"
_LETTERS = rf"((?:{_SCRIPT}+[ ]?){{1,4}})"
_BESIDE = lazy_re(
    rf"(?<![A-Za-z.'-])([A-Za-z.'-]+)\)?[ ]?[(|/]?[ ]?{_LETTERS}(?=$|[)|/\n])|(?:^|\n)[ ]*{_LETTERS}(?=\n|$|[|(])"
)
#: A run of another script that begins a line or a sentence, or stands behind a mark or a label.
_APART = lazy_re(
    r"(?:^|[\n.:;,?|/({<>=~*_\u00b7\"\u201c\u300c\t\]-]|\b(?i:reads|as|in|is|name|script|signature|signed|written|spelled|spelt|rendered|original|characters))"
    rf"[ *\u2022\u25aa\u27a2>-]*({_SCRIPT}+(?:[ \u30fb]{_SCRIPT}+){{0,3}})(?!\w)"
)
_SCRIPTS = lazy_re(_SCRIPT)
_TOP_LINES = 8
#: Of a text in another script, so many letters are; a name there is found like one in Latin letters.
_SHARE = 0.1
_HAN = lazy_re(r"[\u3400-\u9fff]{2,4}")
_HAN_PARTED = lazy_re(r"[\u3400-\u9fff]{1,3}[ \u30fb][\u3040-\u30ff\u3400-\u9fff]{1,4}")
_HANGUL = lazy_re(r"[\uac00-\ud7a3]{1,2}[ ]?[\uac00-\ud7a3]{1,2}")
_WORDS = lazy_re(
    r"(?:[^\W\d_]|[\u0300-\u036f\u064b-\u065f\u0900-\u0dff]){2,}(?:[ ](?:[^\W\d_]|[\u0900-\u0dff]){2,}){1,3}"
)


def in_own_script(folded: FoldedText, layout: Layout, person: Iterable[Name]) -> list[Candidate]:
    r"""Return names in scripts other than Latin: near the top, beside the person's name, or set apart and shaped so.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Ran the archive of a mill. " * 9 + "\nPassport: 김민지\nFluent in 한국어.")
    >>> [found.name.text for found in in_own_script(seen, layout_of(seen), [])]
    ['김민지']
    """
    if not any(map(_SCRIPTS.match, folded.foreign)):
        return []
    tokens = {token for name in person for token in name.tokens}
    names = [name_of(text) for text in (*_beside(folded, layout, tokens), *_set_apart(folded))]
    return [Candidate(name=name, score=4, sure=True) for name in names if name.tokens]


def _beside(folded: FoldedText, layout: Layout, tokens: set[str]) -> Iterator[str]:
    top = layout.lines[min(_TOP_LINES, len(layout.lines)) - 1].end if layout.lines else 0
    for match in chain.from_iterable(_BESIDE.finditer(folded.text, *line) for line in _lines(folded.text)):
        beside = (match.group(1) or "").lower()
        if beside in tokens or (match.start() <= top and not (tokens and beside)):
            yield match.group(2) or match.group(3)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield where lines with letters of other scripts begin and end, with the breaks before and behind them."""
    end = 0
    for letter in _SCRIPTS.finditer(text):
        place = letter.start()
        if place >= end:
            end = (text.find("\n", place) + 1) or len(text)
            yield max(0, text.rfind("\n", 0, place)), end


def _set_apart(folded: FoldedText) -> Iterator[str]:
    """Yield runs that have the shape of a name, in a text that is Latin otherwise."""
    text = folded.text
    if len(_SCRIPTS.findall(text)) > _SHARE * len(text):
        return
    for match in chain.from_iterable(_APART.finditer(text, *line) for line in _lines(text)):
        run = match.group(1)
        line = folded.low[folded.low.rfind("\n", 0, match.start(1)) + 1 : match.start(1)].rpartition(". ")[2]
        if (
            run not in OWN_NAME_WORDS.script_no_names
            and _is_shaped(run)
            and OWN_NAME_WORDS.of_things.search(line) is None
        ):
            yield run


def _is_shaped(run: str) -> bool:
    if _HAN_PARTED.fullmatch(run) is not None:
        return True
    if _HAN.fullmatch(run) is not None:
        return run[0] in OWN_NAME_WORDS.han_surnames or run[:2] in OWN_NAME_WORDS.han_double
    if _HANGUL.fullmatch(run) is not None:
        return run[0] in OWN_NAME_WORDS.hangul_surnames
    words = run.split(" ")
    cased = any(word[0].upper() != word[0].lower() for word in words)
    return _WORDS.fullmatch(run) is not None and all(word[0].isupper() or not cased for word in words)
