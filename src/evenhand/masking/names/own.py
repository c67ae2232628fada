"""Candidates for the person's own name: labels, phrases, header, blocks, sign-off, footers, file name, spellings.

`Evidence` holds what supports a name besides its place: e-mail local parts, profile handles, file name and
metadata. `respelled` finds `Juergen` for Jürgen, `native_script_names` names in scripts other than Latin.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product, takewhile
from typing import NamedTuple

from evenhand.masking.layout import Field, FoldedText, Layout, Line, folded_word, word_list
from evenhand.masking.names import word_kinds
from evenhand.masking.names.word_kinds import PARTICLES, Name, capitalised, name_of
from evenhand.patterns import WordTable, lazy_re

#: How umlauts and similar letters are typed; the normalised text has the bare letter.
_TYPED = {"a": ("a", "ae", "aa"), "o": ("o", "oe"), "u": ("u", "ue")}
_TYPED_OUT = (("ue", "u"), ("oe", "o"), ("ae", "a"), ("aa", "a"))
_SHORTEST, _LONGEST, _SHORTEST_PART, _MOST_VOWELS = 4, 40, 2, 4


def respelled(folded: FoldedText, person: Iterable[Name]) -> list[Name]:
    """Return words of a text that are a token of the person's name with its umlauts typed out, or in two parts.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Signed: Juergen. Asked for Xiao Ming. A rose.")
    >>> [name.text for name in respelled(seen, [name_of("Jurgen Xiaoming"), name_of("Ros Key")])]
    ['Juergen', 'Xiao Ming']
    """
    tokens = dict.fromkeys(token for name in person for token in name.tokens if _SHORTEST <= len(token) <= _LONGEST)
    names = []
    for token in tokens:
        typed = [word for word in _typed(token) if word in folded.where and word not in tokens]
        names += [name_of(word.title()) for word in typed if is_clean(word)]
        names += [name_of(written) for written in _in_parts(folded, token)]
    return names


def _typed(token: str) -> Iterator[str]:
    """Yield a token with some of its vowels typed out as umlauts are, and its typed umlauts as bare letters."""
    bare = token
    for typed, letter in _TYPED_OUT:
        bare = bare.replace(typed, letter)
        yield token.replace(typed, letter)
    yield bare
    if sum(letter in _TYPED for letter in token) <= _MOST_VOWELS:
        yield from map("".join, product(*(_TYPED.get(letter, letter) for letter in token)))


def _in_parts(folded: FoldedText, token: str) -> Iterator[str]:
    """Yield the two words with a capital each, side by side, that are one token together."""
    for cut in range(_SHORTEST_PART, len(token) - _SHORTEST_PART + 1):
        first, last = token[:cut], token[cut:]
        for mark in " -" if first in folded.where and last in folded.where else "":
            start = folded.low.find(f"{first}{mark}{last}")
            written = folded.text[start : start + len(token) + 1]
            if start >= 0 and written[0].isupper() and written[cut + 1].isupper():
                yield written


OWN_NAME_WORDS = WordTable("evenhand.masking.names", "own.toml")

_LOCAL = lazy_re(
    r"([\w.+'-]{2,64}+)(?: ?(?:@|\[at\]|\(at\)) ?| at (?=[\w-]*[a-z][\w-]*(?:\.[a-z]{2}| dot [a-z]{2})))",
    re.IGNORECASE,
)
_CAMEL = lazy_re(r"(?<=[a-z])(?=[A-Z])")
_HYPHEN = lazy_re(r"(?<![a-z])([A-Z][a-z]+)-([a-z]+)(?![a-z-])")


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What says a name besides the text: local parts of e-mail addresses, handles, the file's name and metadata."""

    locals: tuple[str, ...]
    handles: tuple[str, ...]
    file_name: Name | None
    metadata: tuple[Name, ...]


def evidence_of(folded: FoldedText, *, file_name: str | None, metadata: tuple[str, ...]) -> Evidence:
    """Return the evidence of a document's addresses, file name and metadata for the person's name."""
    low = folded.low
    marks = (mark.start() for mark in _AT.finditer(low))
    matches = (_LOCAL.search(low, max(0, mark - _FAR), mark + _FAR) for mark in marks)
    handles = [
        match.group(1) or match.group(2)
        for piece in low.split()
        if "@" not in piece and ("in/" in piece or ("." in piece and OWN_NAME_WORDS.domain.search(piece) is not None))
        for match in OWN_NAME_WORDS.profile.finditer(piece[:_LONGEST_PIECE])
        if not _is_a_links_text(piece, match)
    ]
    return Evidence(
        locals=tuple(dict.fromkeys(match.group(1) for match in matches if match is not None)),
        handles=tuple(dict.fromkeys(handle for handle in handles if handle not in OWN_NAME_WORDS.generic)),
        file_name=None if file_name is None else name_in_file_name(file_name),
        metadata=tuple(name for name in map(_name_in_property, metadata) if name.tokens),
    )


def _name_in_property(text: str) -> Name:
    """Return the name in an author or a title, without words such as `CV` before or behind first and last name."""
    words = text.replace("_", " ").split()
    rest = [word for word in words if folded_word(word.strip(".,:;()-")) not in OWN_NAME_WORDS.file_words]
    return name_of(" ".join(rest if len(rest) > 1 else words))


def _is_a_links_text(piece: str, match: re.Match[str]) -> bool:
    """Say whether a site's name is what its link reads, as with a firm: `[Otto](https://otto.de)`."""
    handle = match.group(1) or match.group(2)
    return any(f"{mark}{handle}" in piece for mark in ">[") and "in/" not in piece


_AT = lazy_re(r"@|[\[(]at[\])]| at (?=[\w-]+(?:\.[a-z]{2}| dot [a-z]{2}))")
_FAR, _LONGEST_PIECE = 40, 300


def name_in_file_name(file_name: str) -> Name | None:
    """Return the name in a file name, None where there is none.

    >>> name_in_file_name("Latoya_Washington_CV_final.docx").tokens
    ('latoya', 'washington')
    """
    stem = re.split(r"[/\\]", file_name)[-1]
    stem = re.sub(r"(?:\.\w{1,5})+$", "", stem)
    words = [
        word
        for word in re.split(r"[\W\d_]+", _CAMEL.sub(" ", _HYPHEN.sub("\\1\u02d0\\2", stem.replace("'", "\u02bc"))))
        if word and folded_word(word) not in OWN_NAME_WORDS.file_words
    ]
    # An apostrophe, and the hyphen of Shuk-han, were kept as letters.
    words = [word.replace("\u02bc", "'").replace("\u02d0", "-") for word in words]
    name = name_of(" ".join(words[:5]))
    return name if any(len(token) > 1 for token in name.tokens) else None


def file_names_in(folded: FoldedText) -> list[Name]:
    """Return names in file names that a text mentions, CVs and letters only."""
    low = folded.low
    names: list[Name] = []
    if _ending().search(low) is None:
        return names
    for ending in OWN_NAME_WORDS.endings:
        place = low.find(ending)
        while place >= 0:
            match = _STEM.search(folded.text[max(0, place - _LONGEST_STEM) : place])
            if match is not None:
                words = {folded_word(word) for word in re.split(r"[\W\d_]+", _CAMEL.sub(" ", match.group()))}
                name = name_in_file_name(match.group() + ending) if words & OWN_NAME_WORDS.letters else None
                if name is not None and (
                    len(name.tokens) > 1
                    or set(name.tokens) & word_kinds.given_names()
                    or len(folded.where.get(name.tokens[0], ())) > 1
                ):
                    names.append(name)
            place = low.find(ending, place + 1)
    return names


@cache
def _ending() -> re.Pattern[str]:
    return lazy_re(r"\.(?:" + "|".join(ending[1:] for ending in OWN_NAME_WORDS.endings) + ")")


_STEM = lazy_re(r"[^\W\d_][\w'.-]*$")
_LONGEST_STEM = 80

#: Any few words before a comma at a line's end, greetings aside.
_PERHAPS_CLOSING = lazy_re(r"(?!dear|hi|hello|to|good|hey)[a-z]+(?: [a-z]+){0,3},")


@cache
def _closing_words() -> frozenset[str]:
    return word_list(OWN_NAME_WORDS.closing_words)


_FIRST_LINES = 12


class Candidate(NamedTuple):
    """A name somewhere, and how strongly the place speaks for it; `sure`: the place says that it is a name."""

    name: Name
    score: int
    sure: bool = False


def near_the_top(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return candidates in the block before the first section; the first line scores most."""
    candidates: list[Candidate] = []
    seen = 0
    for number, line in enumerate(layout.lines):
        if line.heading:
            if seen:
                break
            continue
        if seen >= _FIRST_LINES or line.section in {"education", "languages"}:
            break
        text = folded.text[line.start : line.end]
        text = _TAG.sub("  ", text).strip() if "<" in text else text
        pieces = _line_pieces(folded, layout, number, text)
        if not seen and pieces and len(text) > LONGEST_LOST:
            pieces = [_beginning(pieces[0]), *(piece for piece in pieces[1:] if len(piece) < _LONGEST_CANDIDATE)]
        for place, piece in enumerate(pieces):
            candidate = _in_header(piece, line=seen, piece=place)
            if candidate is None:
                continue
            before_job = len(pieces) > 1 and any(map(is_job, pieces[1].lower().split()[:3]))
            bonus = not place and (before_job or (seen < _TOP and _below(folded, layout.lines, number) > 0))
            candidates.append(candidate._replace(score=candidate.score + bonus))
        seen += 1
    return candidates


def _line_pieces(folded: FoldedText, layout: Layout, number: int, text: str) -> list[str]:
    """Return the pieces of a line; a name that is spaced out or stacked is one piece."""
    line = layout.lines[number]
    joined = [word for word, start, _ in layout.spaced if line.start <= start < line.end] if layout.spaced else []
    if joined and len(text) <= LONGEST_LOST:
        return [" ".join(word.title() for word in joined)]
    pieces = [text[start:end] for start, end in word_kinds.segments(text)]
    if 1 < len(pieces) < 5 and _WIDE.fullmatch(text) is not None:
        pieces.insert(0, " ".join(text.split()))  # blanks doubled by a text recogniser
    if len(pieces) == 1 and " " not in text:
        pieces = [_stacked(folded, layout.lines, number)[1]]
    return pieces


def _beginning(text: str) -> str:
    """Return the words with which a text that has lost its lines begins, up to a town, a job or any other word."""
    words: list[str] = []
    for word in text.split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]:
        if words and (_is_place(word) or is_job(word.lower()) or not word[0].isupper()):
            break
        if words and word_kinds.is_ordinary(word.lower()):
            break
        words.append(word)
    return " ".join(words)


#: The penalty of a header of ordinary words only: `Skill Matrix`.
_PLAIN_WORDS = 4


def _in_header(text: str, *, line: int, piece: int) -> Candidate | None:
    head = text.partition(",")[0]
    if (len(head) > _LONGEST_CANDIDATE and "  " not in head) or _NO_NAME.search(head) is not None:
        return None
    text = word_kinds.uncredentialled(unprefixed(text.strip(' *#_=-.:\t[]~+"\u201c\u201d')))
    last_first = word_kinds.inverted(text)
    if not last_first:
        text, _, after = text.partition(",")
        if after.split() and all(map(_is_place, after.split()[:2])):
            return None
    lower, mixed = text.islower(), not line and not piece and _is_mixed(text)
    if not last_first and not word_kinds.looks_like_a_name(text, lower=lower or mixed):
        return None
    text = _BRACKETED.sub(_bracketed_name, text)
    name = name_of(capitalised(text) if mixed else text)
    if not name.tokens:
        return None
    words, single = word_kinds.name_words(), len(name.tokens) == 1
    names = [token for token in name.tokens if token not in words]
    clean = [is_clean(token) for token in name.tokens]
    score = (
        max(1, 3 - line)
        - (piece > 0)
        + 2 * (not word_kinds.given_names().isdisjoint(names))
        + (not word_kinds.surnames().isdisjoint(names))
        + all(clean)
        - 2 * (single and not name.particles and _WITH_INITIALS.match(text) is None)
        - 2 * all(words.get(token, "word") != "word" for token in name.tokens)
        - _PLAIN_WORDS * all(map(word_kinds.is_ordinary, name.tokens))
    )
    if lower:
        score += (any(clean) and not all(clean)) - (2 if single or not any(clean) else 1)
    return Candidate(name=name, score=score + (text.isupper() and line < 3 and not single))


_BRACKETED = lazy_re(r"\(([^()]*)\)?")


def _bracketed_name(bracket: re.Match[str]) -> str:
    """Return a bracket after a name if a name is in it: `(Jones)`, `(born Ada Jones)`, no `(LinkedIn)`, `(Berlin)`."""
    return bracket[0] if any(map(word_kinds.looks_like_a_name, re.findall(r"\w[\w'.-]*", bracket[1]))) else ""


def _is_place(word: str) -> bool:
    return word_kinds.no_names().get(word.strip(".").lower()) == "place"


def _is_mixed(text: str) -> bool:
    """Say whether two to four words, none of them an ordinary one, have capitals in part: `Ewa nowicka`.

    >>> _is_mixed("Ewa nowicka"), _is_mixed("Managed projects"), _is_mixed("Ana de Sousa")
    (True, False, False)
    """
    words = [word for word in text.split() if word not in PARTICLES]
    small = sum(map(str.islower, words))
    return (
        1 < len(words) < 5 and 0 < small < len(words) and all(_is_listed_or_clean(folded_word(word)) for word in words)
    )


def _is_listed_or_clean(word: str) -> bool:
    listed = word_kinds.is_frequent(word)
    return is_clean(word) or (listed and not word_kinds.is_ordinary(word))


def unprefixed(text: str) -> str:
    """Return a line without a document's title, a label or a person's title before a name.

    >>> unprefixed("Resume of Dr. Jane Doe")
    'Jane Doe'
    """
    match = OWN_NAME_WORDS.prefix.match(text)
    return text if match is None else text[match.end() :]


_MOST_WORDS = 6
#: A line that is longer has lost its breaks.
LONGEST_LOST = 200
#: The longest name with a document's title before it, and characters that neither has.
_LONGEST_CANDIDATE, _NO_NAME = 90, lazy_re(r"[\d@%=<>{}$?!]")


def is_clean(token: str) -> bool:
    """Say whether a word is no other word by the lists."""
    return not (
        word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()
    )


_TAG = lazy_re(r"</?[A-Za-z][^<>]{0,60}>")
_WIDE = lazy_re(r"[^\W\d_][\w.'-]*(?: {2,3}[^\W\d_][\w.'-]*){1,3}")
_TOP = 3
_WITH_INITIALS = lazy_re(r"[A-Z]\.[ ]?")


def in_blocks(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return candidates above contact details or a job title: columns and footers may be anywhere in a text."""
    candidates: list[Candidate] = []
    lines = layout.lines
    above, below_heading = -1, True
    for place, (start, end, number, section, heading) in enumerate(lines[:-1]):
        apart = below_heading or number - above > 1
        above, below_heading = number, heading
        if not apart or heading or end - start > _LONGEST_LINE or section == "references":
            continue
        last, text = _stacked(folded, lines, place)
        if _YEAR.search(folded.low, start, lines[min(last + 3, len(lines) - 1)].end) is not None:
            continue
        around = _below(folded, lines, last)
        candidate = _in_header(text, line=1, piece=0) if around else None
        if candidate is not None:
            candidates.append(Candidate(name=candidate.name, score=candidate.score + around))
    return candidates


def _stacked(folded: FoldedText, lines: list[Line], place: int) -> tuple[int, str]:
    """Return a line, with those under it where each holds one word of a name; and the last of them."""
    text = folded.text[lines[place].start : lines[place].end]
    last = place
    if " " in text or text.lower() == text.upper():  # scripts without capitals set no blanks in a line
        return last, text
    while (
        last + 1 < len(lines)
        and last - place < _STACKED
        and lines[last + 1].number - lines[last].number == 1
        and not lines[last + 1].heading
        and " " not in (word := folded.text[lines[last + 1].start : lines[last + 1].end])
        and (word_kinds.looks_like_a_name(word) or _INITIAL.fullmatch(word) is not None or word in PARTICLES)
        and text[-1] not in ",;:"
        and not (" " in text and word.lower() in OWN_NAME_WORDS.jobs_too)
    ):
        last += 1
        text = f"{text} {word}"
    return last, text


def _below(folded: FoldedText, lines: list[Line], place: int) -> int:
    """Return 1 for a job title under a line and 1 for contact details in the next ones."""
    score = 0
    for step, line in enumerate(lines[place + 1 : place + 5]):
        low = folded.low[line.start : line.end]
        if step == 0 and len(low) < _LONGEST_LINE and any(map(is_job, low.split(maxsplit=4)[:4])):
            score += 1
        if step and line.heading and step < 3 and lines[place + 1].number > lines[place].number:
            return max(score, 1)
        if "@" in low or "linkedin" in low or _NUMBER.search(low) is not None or ("box" in low and _BOX.search(low)):
            return score + 1
    return score


def is_job(word: str) -> bool:
    """Say whether a word is a job; surnames such as Cook among them.

    >>> is_job("cook"), is_job("okafor")
    (True, False)
    """
    word = word.strip(",.|()")
    return word_kinds.no_names().get(word) == "job" or word in OWN_NAME_WORDS.jobs_too


_YEAR = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d\b")
_LONGEST_LINE = _LONGEST_CLOSING = 60
_STACKED = 4
_INITIAL = lazy_re(r"[A-Z]\.?")
#: A telephone's or a postal code's.
_NUMBER = lazy_re(r"\d(?:\d{1,3}[) ./-]{1,2}\d{2,4}[ ./-]\d{2}|\d{4})")
_BOX = lazy_re(r"\bp\.?o\.? box\b")


def signed(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return names under a letter's closing, and in page footers."""
    candidates = _in_footers(folded, layout)
    lines = layout.lines
    closings = _line_numbers(folded, _closing_words())
    for place, (start, end, number, _, _) in enumerate(lines):
        if folded.low[end - 1] not in ",*_>" and (number not in closings or end - start > _LONGEST_CLOSING):
            continue
        low = folded.low[start:end].strip(" *_>")
        greeting = OWN_NAME_WORDS.sign_off.match(low) if number in closings else None
        if greeting is not None and (word := low[greeting.end() :].strip(" ,.!")) in word_kinds.given_names():
            candidates.append(Candidate(name_of(word.title()), score=4, sure=is_clean(word)))
            continue
        ends = low[-1:] == ","
        closes = (
            number in closings
            and (ends or low.count(" ") < 4 or low[-1:] in ".!")
            and OWN_NAME_WORDS.closing.match(low) is not None
        )
        if not closes and not (ends and place > 2 and _PERHAPS_CLOSING.fullmatch(low) is not None):
            continue
        for following in lines[place + 1 : place + 3]:
            text = word_kinds.uncredentialled(folded.text[following.start : following.end].strip(" *_-/>~\u2013"))
            pieces = word_kinds.segments(text)
            text = text[pieces[0][0] : pieces[0][1]].split(",")[0] if pieces else ""
            if text and word_kinds.looks_like_a_name(text, loose=len(text.split()) > 1):
                name = name_of(text)
                candidates.append(Candidate(name=name, score=4, sure=closes or all(map(is_clean, name.tokens))))
                break
    return [candidate for candidate in candidates if candidate.name.tokens]


def _in_footers(folded: FoldedText, layout: Layout) -> list[Candidate]:
    numbers, candidates = _line_numbers(folded, _FOOTER_WORDS), []
    for start, end, number, _, _ in layout.lines[3:] if numbers else ():
        if number in numbers and end - start < _LONGEST_FOOTER and _PAGE_NUMBER.search(folded.low, start, end):
            bare = _PAGE_NUMBER.sub("|", folded.text[start:end])
            texts = [bare[first:last].strip(" ,.-\u2013:()") for first, last in word_kinds.segments(bare)]
            names = [name_of(text) for text in texts if " " in text and word_kinds.looks_like_a_name(text)]
            candidates += [Candidate(name, score=3, sure=all(map(is_clean, name.tokens))) for name in names]
    return candidates


def _line_numbers(folded: FoldedText, words: frozenset[str]) -> set[int]:
    return {folded.low.count("\n", 0, folded.words[place][1]) for place in folded.places(words)}


_FOOTER_WORDS = word_list({"page", "p", "continued", "confidential"})
_PAGE_NUMBER = lazy_re(
    r"\b(?:page|p\.)[ ]*\d+(?:[ ]*(?:/|of)[ ]*\d+)?|\d[ ]*(?:/|of)[ ]*\d|\b(?:continued|confidential)\b", re.IGNORECASE
)
_LONGEST_FOOTER = 90
_SCRIPT = r"[\u0370-\u1dff\u3040-\ud7ff]"
_SCRIPT_LETTERS = rf"((?:{_SCRIPT}+[ ]?){{1,4}})"
_SCRIPT_NAME = lazy_re(
    rf"(?<![A-Za-z.'-])([A-Za-z.'-]+)\)?[ ]?[(|/]?[ ]?{_SCRIPT_LETTERS}(?=$|[)|/\n])|"
    rf"(?:^|\n)[ ]*{_SCRIPT_LETTERS}(?=\n|$|[|(])"
)
#: A run of another script that begins a line or a sentence, or follows a mark or a label.
_APART = lazy_re(
    r"(?:^|[\n.:;,?|/({<>=~*_\u00b7\"\u201c\u300c\t\]-]|\b(?i:reads|as|in|is|name|script|signature|signed|written|spelled|spelt|rendered|original|characters))"
    rf"[ *\u2022\u25aa\u27a2>-]*({_SCRIPT}+(?:[ \u30fb]{_SCRIPT}+){{0,3}})(?!\w)"
)
_SCRIPTS = lazy_re(_SCRIPT)
_TOP_LINES = 8
#: The share of letters of another script above which a text is in that script; its names are found like Latin ones.
_SHARE = 0.1
_HAN = lazy_re(r"[\u3400-\u9fff]{2,4}")
_HAN_PARTED = lazy_re(r"[\u3400-\u9fff]{1,3}[ \u30fb][\u3040-\u30ff\u3400-\u9fff]{1,4}")
_HANGUL = lazy_re(r"[\uac00-\ud7a3]{1,2}[ ]?[\uac00-\ud7a3]{1,2}")
_WORDS = lazy_re(
    r"(?:[^\W\d_]|[\u0300-\u036f\u064b-\u065f\u0900-\u0dff]){2,}(?:[ ](?:[^\W\d_]|[\u0900-\u0dff]){2,}){1,3}"
)


def native_script_names(folded: FoldedText, layout: Layout, person: Iterable[Name]) -> list[Candidate]:
    r"""Return names in other scripts: near the top, next to the person's name, or set apart in a name's shape.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Ran the archive of a mill. " * 9 + "\nPassport: 김민지\nFluent in 한국어.")
    >>> [candidate.name.text for candidate in native_script_names(seen, layout_of(seen), [])]
    ['김민지']
    """
    if not any(map(_SCRIPTS.match, folded.foreign)):
        return []
    tokens = {token for name in person for token in name.tokens}
    names = [name_of(text) for text in (*_script_names(folded, layout, tokens), *_set_apart(folded))]
    return [Candidate(name=name, score=4, sure=True) for name in names if name.tokens]


def _script_names(folded: FoldedText, layout: Layout, tokens: set[str]) -> Iterator[str]:
    top = layout.lines[min(_TOP_LINES, len(layout.lines)) - 1].end if layout.lines else 0
    if _is_in_script(folded):  # of its lines at the top one is the name, unless that is known
        top = 0 if any(_SCRIPTS.match(token) for token in tokens) else top
        on_top = chain.from_iterable(_SCRIPT_NAME.finditer(folded.text, *line) for line in _lines(folded.text[:top]))
        yield from islice((match[3] for match in on_top if match[3] and _is_shaped(match[3])), 1)
        top = -1
    for match in chain.from_iterable(_SCRIPT_NAME.finditer(folded.text, *line) for line in _lines(folded.text)):
        latin = (match.group(1) or "").lower()
        if latin in tokens or (match.start() <= top and not (tokens and latin)):
            yield match.group(2) or match.group(3)


def _is_in_script(folded: FoldedText) -> bool:
    return len(_SCRIPTS.findall(folded.text)) > _SHARE * len(folded.text)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of lines with letters of other scripts, with the breaks around them."""
    end = 0
    for letter in _SCRIPTS.finditer(text):
        place = letter.start()
        if place >= end:
            end = (text.find("\n", place) + 1) or len(text)
            yield max(0, text.rfind("\n", 0, place)), end


def _set_apart(folded: FoldedText) -> Iterator[str]:
    """Yield runs that have the shape of a name, in a text that is Latin otherwise."""
    text = folded.text
    if _is_in_script(folded):
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


def in_markup(folded: FoldedText) -> list[Candidate]:
    """Return names in TeX commands and in the sender's line of a mail."""
    names = []
    if "\\" in folded.text:
        commands = OWN_NAME_WORDS.tex_name.finditer(folded.text)
        names += [name_of(" ".join(filter(None, match.groups()))) for match in commands]
    if not folded.where.keys().isdisjoint(_SENDERS):
        senders = (match.group(1) for match in OWN_NAME_WORDS.mail_head.finditer(folded.text))
        names += [name_of(sender) for sender in senders if word_kinds.looks_like_a_name(sender, loose=True)]
    return [Candidate(name=name, score=6, sure=True) for name in names if name.tokens]


_SENDERS = frozenset({"from", "von", "de", "sender"})


_NAME = lazy_re(word_kinds.NAME)
_INVERTED = lazy_re(rf"{word_kinds.NAME}, {word_kinds.NAME}")


@cache
def _at_word() -> dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]]:
    return {
        word: (getattr(OWN_NAME_WORDS, f"lead_{name}"), getattr(OWN_NAME_WORDS, f"follow_{name}", None))
        for name, words in OWN_NAME_WORDS.phrase_words.items()
        for word in words.split()
    }


@cache
def _at_words() -> frozenset[str]:
    return word_list(_at_word())


_COPYRIGHT_BY = lazy_re(r"\u00a9[ ]*(?:19|20)\d\d(?:-\d+)?[ ]+(?:by[ ])?")


def renamed(folded: FoldedText, person: Collection[Name]) -> list[Name]:
    """Return earlier names: after `Formerly` that begins a sentence, with the person's first name, or after its name.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Jane Doe, formerly Roe. Formerly Jane Smith. Formerly a clerk.")
    >>> [name.text for name in renamed(seen, [name_of("Jane Doe")])]
    ['Roe', 'Jane Smith']
    """
    if folded.where.keys().isdisjoint(_EARLIER):
        return []
    tokens = {token for name in person for token in name.tokens}
    firsts = {name.tokens[0] for name in person if name.tokens}
    names = []
    for place in folded.places(_EARLIER):
        _, start, end = folded.words[place]
        _, _, before = folded.words[place - 1]
        if place and folded.words[place - 1][0] in tokens and folded.text[before:start] in _BEFORE_EARLIER:
            named, _ = _name_at(folded.text, end + 1, inverted_too=False)
            if named:
                names.append(name_of(named))
    named_so = (
        _name_at(folded.text, match.end(), inverted_too=False)[0]
        for match in OWN_NAME_WORDS.renamed.finditer(folded.text)
    )
    names += [name_of(text) for text in named_so if " " in text]
    return [name for name in names if name.tokens and (len(name.tokens) == 1 or name.tokens[0] in firsts)]


_EARLIER = word_list({"formerly", "previously", "earlier"})
_BEFORE_EARLIER = frozenset({", ", " (", " ", ",\n", "\n"})


_HEREBY = lazy_re(r"i,[ ](?=\w)")
_INTRODUCING = frozenset({"i", "i'm", "hi", "hello", "hey"})


def phrased(folded: FoldedText) -> list[Candidate]:
    """Return names in phrases that only a person's own name follows: CV of, my name is, formerly."""
    candidates = []
    for text, introduced in _name_phrases(folded):
        name = name_of(text)
        if not name.tokens or (
            introduced
            and len(name.tokens) < 2
            and not (name.tokens[0] in word_kinds.given_names() or is_clean(name.tokens[0]))
        ):
            continue
        candidates.append(Candidate(name=name, score=6, sure=True))
    return candidates + [Candidate(name=name_of(text), score=6, sure=True) for text in _spoken(folded)]


def _spoken(folded: FoldedText) -> Iterator[str]:
    """Yield names after `my name is` in lines without capitals, as in transcribed speech."""
    low = folded.low
    if folded.where.keys().isdisjoint(_SAYING) or not any(phrase in low for phrase in _SAYINGS):
        return
    for match in OWN_NAME_WORDS.introduction.finditer(low):
        first, last = low.rfind("\n", 0, match.start()) + 1, low.find("\n", match.end())
        if not folded.text[first : last if last >= 0 else len(low)].islower():
            continue
        named = list(takewhile(lambda word: word not in OWN_NAME_WORDS.goes_on, match.group(1).split()))
        if named and any(len(word) > 2 for word in named):
            yield " ".join(named[:_MOST_PHRASE_WORDS])


_SAYING = frozenset({"name", "name's", "call", "go"})
_SAYINGS = ("my name", "my full name", "you can call me", "i go by")
_MOST_PHRASE_WORDS = 5


def _name_phrases(folded: FoldedText) -> Iterator[tuple[str, bool]]:  # noqa: C901 - one branch per kind of phrase
    """Yield names in phrases, and whether it is a phrase such as `I'm`, which other words follow too."""
    text, low = folded.text, folded.low
    for place in folded.places(_at_words()):
        word, start, _ = folded.words[place]
        lead, follow = _at_word()[word]
        before = lead.match(low, start)
        if word == "i" and before is None:
            before, follow = _HEREBY.match(low, start), OWN_NAME_WORDS.hereby_then
        if before is None:
            continue
        if word == "known" and OWN_NAME_WORDS.of_a_thing.search(low, max(0, start - 20), start) is not None:
            continue  # 'a product known as Falcon'
        named, end = _name_at(text, before.end(), inverted_too=follow is None)
        if named and (follow is None or follow.match(text, end) is not None):
            yield named, word in _INTRODUCING
    if "\u00a9" in text:
        for match in _COPYRIGHT_BY.finditer(low):
            named, _ = _name_at(text, match.end(), inverted_too=False)
            if named:
                yield named, False
    for thing in OWN_NAME_WORDS.owned_things:
        place = low.find(f"'s {thing}") if thing in folded.where else -1
        if place >= 0:
            owned = OWN_NAME_WORDS.owned.match(text, low.rfind("\n", 0, place) + 1)
            if owned is not None and word_kinds.looks_like_a_name(owned.group(1), loose=True):
                yield owned.group(1), False


def _name_at(text: str, start: int, *, inverted_too: bool) -> tuple[str, int]:
    """Return the name that begins at a place and where it ends; empty where other words go with it."""
    particles = OWN_NAME_WORDS.particles.match(text, start)
    first = particles.end() if particles is not None else start
    match = _INVERTED.match(text, first) if inverted_too else None
    if match is None or not word_kinds.inverted(match.group()):
        match = _NAME.match(text, first)
    if match is None:
        return "", start
    named = _upto_no_name(match.group().removesuffix("'s"))
    return (text[start : first + len(named)], first + len(named)) if named else ("", start)


def _upto_no_name(text: str) -> str:
    """Return the beginning of a text that looks like a name; nothing where a firm's word ends it: `Lehman Brothers`."""
    words = text.split(" ")
    while words and not word_kinds.looks_like_a_name(" ".join(words), loose=True):
        if word_kinds.no_names().get(words[-1].lower()) == "organisation":
            return ""
        words.pop()
    return " ".join(words)


# Labels are found by their last words, without those that end others.
@cache
def _label_words() -> frozenset[str]:
    return word_list(
        {label.split()[-1] for label in OWN_NAME_WORDS.own_labels} - {"as", "of", "by", "passport", "full"}
    )


_OBJECT_END = lazy_re(r"[{}]|\n[ ]*-[ ]|\n\n")


def is_name_label(label: str) -> bool:
    """Say whether a label is a name's, or made of such: `First name(s) / Surname(s)`.

    >>> is_name_label("surname"), is_name_label("first name(s) / surname(s)"), is_name_label("company name")
    (True, True, False)
    """
    if label in OWN_NAME_WORDS.own_labels:
        return True
    if "name" not in label:
        return False
    label = OWN_NAME_WORDS.whose.sub("", label)
    bare = OWN_NAME_WORDS.bracketed.sub("", label.replace("(s)", "")).strip(" .-")
    parts = [part.strip() for part in re.split(r"[/&,]| and | or ", bare)]
    return all(
        part in OWN_NAME_WORDS.own_labels or part.removesuffix("s") in OWN_NAME_WORDS.own_labels for part in parts
    )


def labelled(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return the values of fields such as Name, Surname, Maiden name, also of table cells."""
    candidates = []
    fields = [
        (field.label, field.start, field.end)
        for field in layout.fields
        if is_name_label(field.label) and not _is_head(folded.low, field)
    ]
    for typed, start, end in [*fields, *_cells(folded), *_elements(folded)]:
        if _names_a_thing(folded, start, end):
            continue
        label = OWN_NAME_WORDS.whose.sub("", typed).replace("(s)", "")
        value = folded.text[start : min(end, start + _LONGEST_FIELD)]
        stop = OWN_NAME_WORDS.value_end.search(value)
        value = unprefixed(value[: stop.start()] if stop is not None else value).strip(" .,;-*_")
        value = word_kinds.uncredentialled(value)
        if not word_kinds.inverted(value):
            value = value.split(",")[0]
        value = value.replace(" / ", " ")  # First name(s) / Surname(s)
        weak = label in OWN_NAME_WORDS.weak
        several = len(value.split()) > 1 or not weak
        if several and word_kinds.looks_like_a_name(value, lower=not weak and len(value.split()) < 4, loose=not weak):
            candidates.append(Candidate(name=name_of(value), score=8, sure=True))
    return [candidate for candidate in candidates if candidate.name.tokens]


#: The most characters of a field for a name.
_LONGEST_FIELD = 200


def _names_a_thing(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a value in JSON or YAML is the name of a firm, project or skill, by the neighbouring keys."""
    low = folded.low
    line = low[low.rfind("\n", 0, start) + 1 : start]
    if low[end : end + 1] != '"' and line.lstrip(" ")[:2] != "- " and line[:2] != "  ":
        return False
    after = _OBJECT_END.search(low, end)
    around = low[end : min(end + 200, after.start() if after is not None else len(low))]
    before = low[max(0, start - 120) : start]
    before = before[max(before.rfind("{"), before.rfind("\n- "), before.rfind("\n\n")) + 1 :]
    return any(OWN_NAME_WORDS.keys_of_things.search(part) is not None for part in (around, before))


def _cells(folded: FoldedText) -> Iterator[tuple[str, int, int]]:
    """Yield labels in a table's cell, with the places of their values."""
    low = folded.low
    for place in folded.places(_label_words()) if "|" in low else ():
        word_start = folded.words[place][1]
        begin = max(low.rfind("\n", 0, word_start), low.rfind("|", 0, word_start)) + 1
        stop = min(place for place in (low.find("\n", word_start), low.find("|", word_start), len(low)) if place >= 0)
        label = low[begin:stop].strip(" \t*_#:.")
        if low[stop : stop + 1] == "|" and len(label) <= _LONGEST_LABEL and is_name_label(label):
            yield label, *_cell_after(folded.text, begin, stop)


def _elements(folded: FoldedText) -> Iterator[tuple[str, int, int]]:
    """Yield the contents of elements such as `<name>`, but not of those inside `<employer>` and the like."""
    if "name>" not in folded.low:
        return
    for match in _ELEMENT.finditer(folded.low):
        before = _OPENED.findall(folded.low, max(0, match.start() - 80), match.start())
        if not before or before[-1] not in OWN_NAME_WORDS.things:
            yield match.group(1).replace("_", " "), *match.span(2)


_ELEMENT = lazy_re(r"<([a-z_:-]*name)(?:[ ][^<>]*)?>[ ]*([^<>\n]{2,60}?)[ ]*</")
_OPENED = lazy_re(r"<([a-z_:-]+)[^<>]*>")


def _cell_after(text: str, begin: int, stop: int) -> tuple[int, int]:
    """Return the cell to the right of one, or the one under it where a table's head ends with a line of dashes."""
    first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", stop)
    end = text.find("|", stop + 1)
    end_of_line = last if last >= 0 else len(text)
    right = stop + 1, end if 0 <= end < end_of_line else end_of_line
    if not _is_ruled(text, last):
        return right
    column = text.count("|", first, begin)
    start = text.find("\n", last + 1) + 1
    if text[begin - 1 : begin] != "|" or column == 0:
        column = 0
    for _ in range(column):
        start = text.find("|", start) + 1
    ends = [place for place in (text.find("|", start), text.find("\n", start)) if place >= 0]
    return start, min(ends) if ends else len(text)


def _is_ruled(text: str, line_end: int) -> bool:
    """Say whether a table's head ends here: a line of dashes is under it."""
    under = text[line_end + 1 : text.find("\n", line_end + 1)] if line_end >= 0 else ""
    return "--" in under and not under.strip(" |:-+")


def _is_head(low: str, field: Field) -> bool:
    """Say whether a field's label is in the head of a table, whose values are found with the cells."""
    return "|" in low[field.label_start : field.start] and _is_ruled(low, low.find("\n", field.start))


_LONGEST_LABEL = 40
