"""Exchange text in a Word file and leave every other byte of its parts as it is.

A part is changed where its text stands: in the `w:t` of the runs that show it, in text that readers do not see (the
fallback of a text box, hidden or deleted text), and in attributes and properties. `WordInPlace.text` is what
`word_document_text` reads; `elsewhere` has the other strings.
"""

import io
import re
import zipfile
from bisect import bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

from lxml import etree

from evenhand.errors import InputError
from evenhand.masking.documents import word_file
from evenhand.masking.documents.packed_xml import Package, opened_package
from evenhand.masking.documents.request import Edit, Tally, watched
from evenhand.masking.documents.word import TELLING, cleaned_parts, shown_roots, word_document_text
from evenhand.masking.documents.word_cleaning import FONT_ATTRIBUTES, WORD_WORDS
from evenhand.masking.documents.word_file import PARAGRAPH, PIECES, XML_SPACE, Story, W, paragraph_story
from evenhand.patterns import lazy_re
from evenhand.results.files import Budget

_BODY: Final = W + "body"
#: Parts whose strings are names of fonts and colours.
_FONTS: Final = ("word/fonttable.xml", "word/theme/")
_PRESERVE: Final = b' xml:space="preserve"'
#: Names of fonts, not of people: Georgia's résumé may be set in Georgia.
_NO_FONT: Final = "".join(f"(?<![:\\s]{etree.QName(name).localname})" for name in sorted(FONT_ATTRIBUTES)).encode()


class _Place(NamedTuple):
    """Where an element stands in the bytes of a part: its start, the start and end of its content, its end."""

    part: str
    start: int
    inside: int
    inside_end: int
    end: int


_Changes = dict[str, list[tuple[int, int, bytes]]]


@dataclass(frozen=True, kw_only=True)
class WordInPlace:
    """A Word file; `elsewhere` are its strings besides the text, `body` the letters of the text before headers.

    `unseen` are the paragraphs that no reader sees, `hidden` other texts that none sees, in their order.
    """

    text: str
    body: int
    elsewhere: frozenset[str]
    hidden: tuple[str, ...]
    has_pictures: bool
    story: Story
    unseen: Sequence[Story]
    places: Mapping[Any, _Place]
    members: Sequence[tuple[zipfile.ZipInfo, str, bytes]]
    unpack_limit: int

    def written(self, text: str, elsewhere: Mapping[str, str]) -> bytes:
        """Return the file with another text, and with others of the strings of `elsewhere`.

        A word that takes another's place has its looks; a line that is added is a paragraph, or in a cell or a text box
        a line of the paragraph before it.

        Raises
        ------
        InputError
            The file would show another text than this.

        """
        changes: _Changes = {name: [] for _, name, _ in self.members}
        edits = _edits(self.text, text)
        for story in self.unseen:
            self._exchange(changes, story, _edits(story.text, elsewhere.get(story.text, story.text)))
        self._exchange(changes, self.story, [edit for edit in edits if not edit.text.startswith("\n")])
        for edit in edits:
            if edit.text.startswith("\n"):
                self._add_lines(changes, edit)
        read = sorted((place.part, place.inside, place.inside_end) for place in self.places.values())
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for info, name, content in self.members:
                if _is_xml(name):
                    for old, new in elsewhere.items():
                        changes[name] += _loose(content, old, new, name, read)
                member = zipfile.ZipInfo(info.filename, info.date_time)
                member.compress_type, member.create_system = info.compress_type, info.create_system
                member.external_attr = info.external_attr
                archive.writestr(member, _spliced(content, changes[name]))
        result = file.getvalue()
        if word_document_text(result, self.unpack_limit).text != text:
            raise InputError("can't get another name: its text is in a place where it can't be replaced.")
        return result

    @cached_property
    def _content(self) -> Mapping[str, bytes]:
        return {name: content for _, name, content in self.members}

    def _exchange(self, changes: _Changes, story: Story, edits: Sequence[Edit]) -> None:
        for number, text in story.texts_after(edits).items():
            piece = story.pieces[number]
            place = self.places[piece.element]
            added = changes[place.part]
            if piece.fixed:
                added.append((place.start, place.end, self._shown(place.part, text) if text else b""))
            elif text != piece.element.text:
                added.append((place.inside, place.inside_end, escape(text).encode()))
                if text != text.strip() and piece.element.get(XML_SPACE) is None:
                    added.append((place.inside - 1, place.inside - 1, _PRESERVE))

    def _shown(self, part: str, text: str) -> bytes:
        prefix = _prefix(self._content[part])
        return b"<%bt%b>%b</%bt>" % (prefix, _PRESERVE, escape(text).encode(), prefix)

    def _add_lines(self, changes: _Changes, edit: Edit) -> None:
        number = bisect_right(self.story.ends, edit.start, key=lambda paragraph: paragraph[0]) - 1
        ends, paragraph = self.story.ends[max(number, 0)]
        _, *lines = edit.text.split("\n")
        if ends != edit.start:  # a line of a paragraph that goes on
            piece = bisect_right(self.story.pieces, edit.start, key=lambda piece: piece.end) - 1
            place = self.places[self.story.pieces[max(piece, 0)].element]
            changes[place.part].append((place.end, place.end, self._breaks(place.part, lines)))
            return
        place = self.places[paragraph]
        prefix = _prefix(self._content[place.part])
        look, of_run = self._look(paragraph)
        if paragraph.getparent().tag == _BODY:
            texts = (
                b"<%br>%b%b</%br>" % (prefix, of_run, self._shown(place.part, line), prefix) if line else b""
                for line in lines
            )
            new = b"".join(b"<%bp>%b%b</%bp>" % (prefix, look if text else b"", text, prefix) for text in texts)
            changes[place.part].append((place.end, place.end, new))
            return
        new = b"<%br>%b%b</%br>" % (prefix, of_run, self._breaks(place.part, lines), prefix)
        if self._content[place.part][place.inside - 2 : place.inside] == b"/>":
            new = b">%b</%bp>" % (new, prefix)
            changes[place.part].append((place.inside - 2, place.inside, new))
        else:
            changes[place.part].append((place.inside_end, place.inside_end, new))

    def _breaks(self, part: str, lines: Sequence[str]) -> bytes:
        prefix = _prefix(self._content[part])
        return b"".join(b"<%bbr/>%b" % (prefix, self._shown(part, line) if line else b"") for line in lines)

    def _look(self, paragraph: Any) -> tuple[bytes, bytes]:
        """Return the properties of a paragraph that stands behind another: those of the next one, else of this one."""
        place = next(
            (self.places[after] for after in paragraph.itersiblings(PARAGRAPH) if any(paragraph_story(after).text)),
            self.places[paragraph],
        )
        content, prefix = self._content[place.part], _prefix(self._content[place.part])
        own = content[place.start : place.end]
        look = re.search(b"<%bpPr>.*?</%bpPr>" % (prefix, prefix), own, re.DOTALL)
        of_run = re.search(b"<%brPr>.*?</%brPr>" % (prefix, prefix), own[look.end() if look else 0 :], re.DOTALL)
        return tuple(  # type: ignore[return-value]
            b"" if match is None or any(word in match[0] for word in (b"sectPr", b"numPr", b"Change")) else match[0]
            for match in (look, of_run)
        )


def word_in_place(content: bytes, unpack_limit: int) -> WordInPlace:
    """Return a Word file whose text can be exchanged.

    Raises
    ------
    InputError
        As of `word_document_text`; or a part is in another encoding than UTF-8.

    """
    budget = Budget(unpack_limit)
    with watched(budget):
        file = word_file.opened(content, budget)
        with opened_package(content, budget, kind="Word document") as package:
            members = [
                (info, name, b"" if info.is_dir() else package.content(name)) for name, info in package.members.items()
            ]
            trees = {part.name: part.root for part in file.parts}
            loose = list(_strings(package, trees))
        marked = {part.name: list(part.root.iter(*PIECES)) for part in file.parts if part.kind in TELLING}
        contents = {name: content for _, name, content in members}
        places = {
            element: place
            for name, elements in marked.items()
            for element, place in zip(elements, _places(name, contents[name]), strict=True)
        }
        parts = cleaned_parts(file, Tally(), kinds=TELLING)
        story = word_file.story_of(shown_roots(parts))
        shown = {piece.element for piece in story.pieces}
        unseen = [
            hidden
            for elements in marked.values()
            for element in elements
            if element.tag == PARAGRAPH
            and (hidden := paragraph_story(element)).text.strip()
            and not any(piece.element in shown for piece in hidden.pieces)
        ]
        read = shown | {piece.element for hidden in unseen for piece in hidden.pieces}
        hidden_texts = tuple(
            "\n" if element.tag == PARAGRAPH or not element.tag.startswith(W) else text
            for element, text in loose
            if element is not None and element not in read
        )
    strings = {text for element, text in loose if element not in read and text.strip()}
    return WordInPlace(
        text=story.text,
        body=len(word_file.story_of(shown_roots(parts)[:1]).text),
        elsewhere=frozenset(strings.union(hidden.text for hidden in unseen)),
        hidden=hidden_texts,
        has_pictures=any("/media/" in name for name in contents),
        story=story,
        unseen=unseen,
        places=places,
        members=members,
        unpack_limit=unpack_limit,
    )


def _is_xml(name: str) -> bool:
    return name.endswith((".xml", ".rels")) and not name.startswith(_FONTS)


def _strings(package: Package, trees: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield the texts of elements, with their element, and the values of attributes that name no font."""
    for name in filter(_is_xml, package.members):
        root = trees[name] if name in trees else package.parsed(name)
        for element in root.iter(etree.Element):
            yield element, element.text or ""
            for key, value in element.attrib.items():
                if key not in FONT_ATTRIBUTES and value.rstrip("0123456789") not in WORD_WORDS.values:
                    yield None, value


def _places(part: str, content: bytes) -> list[_Place]:
    """Return where the elements of a part that hold or divide text stand, in the order of their starts."""
    places: list[_Place] = []
    opened: list[int | None] = []
    parser = expat.ParserCreate(namespace_separator="}")

    def begin(name: str, _attributes: object) -> None:
        opened.append(len(places) if f"{{{name}" in PIECES else None)
        if opened[-1] is not None:
            start = parser.CurrentByteIndex
            places.append(_Place(part, start, content.index(b">", start) + 1, 0, 0))

    def end(_name: str) -> None:
        number = opened.pop()
        if number is not None:
            at = parser.CurrentByteIndex
            places[number] = places[number]._replace(inside_end=at, end=content.index(b">", at) + 1)

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if (encoding or "utf-8").lower() not in {"utf-8", "us-ascii"}:
            raise _encoded()

    if content.startswith((BOM_UTF16_BE, BOM_UTF16_LE)):
        raise _encoded()
    parser.StartElementHandler, parser.EndElementHandler, parser.XmlDeclHandler = begin, end, declare
    parser.Parse(content, True)
    return places


def _encoded() -> InputError:
    return InputError("is not in UTF-8, so its text can't be replaced; save it again.")


def _prefix(content: bytes) -> bytes:
    """Return the prefix of a part's elements, with its colon."""
    match = re.search(rb"<(\w+:)?(?:document|hdr|ftr|footnotes|endnotes|comments)[\s>]", content)
    return (match[1] or b"") if match else b""


def _loose(
    content: bytes, text: str, new: str, part: str, read: Sequence[tuple[str, int, int]]
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the changes of a string wherever it is the whole of an attribute or of a text that is not read."""
    forms = dict.fromkeys(
        (escape(text), escape(text, {'"': "&quot;"}), text.replace("&", "&amp;").replace("<", "&lt;"))
    )
    form = b"|".join(re.escape(form.encode()) for form in forms)
    replacement = escape(new, {'"': "&quot;", "'": "&apos;"}).encode()
    for match in re.finditer(b"%b=(\"|')(%b)\\1|>(%b)<" % (_NO_FONT, form, form), content):
        group = 2 if match[2] is not None else 3
        place = (part, *match.span(group))
        if group == 2 or place not in read:
            yield *match.span(group), replacement


_WORDS = lazy_re(r"\w+|\W")


def _edits(old: str, new: str) -> list[Edit]:
    r"""Return edits that make one text another, word by word; lines that are added are edits of their own.

    >>> [(edit.start, edit.end, edit.text) for edit in _edits("Jane Doe\nNurse", "Ana Doe\nShe/her\nNurse")]
    [(0, 4, 'Ana'), (8, 8, '\nShe/her')]
    """
    lines, others = old.split("\n"), new.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    shared = set(_WORDS.findall(old)).intersection(_WORDS.findall(new))
    matcher = SequenceMatcher(
        None, [_key(line, shared) for line in lines], [_key(line, shared) for line in others], autojunk=False
    )
    edits: list[Edit] = []
    for _, first, last, begin, end in matcher.get_opcodes():
        block, more = others[begin:end], max(0, end - begin - (last - first))
        at = 0
        if more:
            at = max(
                range(last - first + 1),
                key=lambda at: (_shared_words(lines[first:last], _without(block, at, more)), at),
            )
        for number, line in enumerate(_without(block, at, more), first):
            edits += _in_line(starts[number], lines[number], line)
        if more:
            place, added = first + at, block[at : at + more]
            while place and lines[place - 1] == added[-1]:  # a blank line comes before what it sets apart
                place, added = place - 1, [added[-1], *added[:-1]]
            text = "".join(f"\n{line}" for line in added)
            edits.append(Edit(start=starts[place] - 1, end=starts[place] - 1, text=text, category=""))
    return sorted(edits, key=lambda edit: edit.start)


def _key(line: str, shared: Collection[str]) -> str:
    """Return what lines have in common that differ in words which one of the texts lacks, such as names."""
    words = (word for word in _WORDS.findall(line) if word in shared or not word[0].isalnum())
    return f"{bool(line.strip())} {' '.join(word for word in words if word.strip())}"


def _without(lines: Sequence[str], at: int, number: int) -> list[str]:
    return [*lines[:at], *lines[at + number :]]


def _shared_words(lines: Sequence[str], others: Sequence[str]) -> int:
    return sum(len({*line.split()} & {*other.split()}) for line, other in zip(lines, others, strict=False))


def _in_line(start: int, line: str, other: str) -> Iterator[Edit]:
    """Yield the edits of a line; a word that is added stands in the run of what is before it, or of what follows."""
    words, new = _WORDS.findall(line), _WORDS.findall(other)
    places = [0, *accumulate(map(len, words))]
    for kind, first, last, begin, end in SequenceMatcher(None, words, new, autojunk=False).get_opcodes():
        at, stop, text = places[first], places[last], "".join(new[begin:end])
        if at == stop and line[at - 1 : at].strip():
            at, text = at - 1, line[at - 1] + text
        elif at == stop:
            stop, text = stop + 1, text + line[stop : stop + 1]
        if kind != "equal":
            yield Edit(start=start + at, end=start + stop, text=text, category="")


def _spliced(content: bytes, changes: Iterable[tuple[int, int, bytes]]) -> bytes:
    pieces, done = [], 0
    for start, end, new in sorted(changes, key=lambda change: change[0]):
        pieces += [content[done:start], new]
        done = max(done, end)
    return b"".join([*pieces, content[done:]])
