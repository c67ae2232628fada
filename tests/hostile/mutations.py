"""Damage done to a file or an answer: bits, bytes and pieces of it, and signs that have broken readers before."""

import io
import zipfile
from collections.abc import Callable, Sequence
from random import Random

__all__ = ["mutated"]

#: At most so many changes to one input; most bugs need one or two.
MOST_EDITS = 6
#: Longer inputs make the fuzzer slow; growth is what the doubled patterns are for.
LONGEST = 100_000

TOKENS = (
    *(b"\x00", b"\x1b[31m", b"\x7f", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80"),
    *(b"\r", b"\n", b"\r\n", b"\t", b"\x0b", b"\x0c", b"\x85", b"\x1c", b" " * 9),
    *("\u2028", "\u202e", "\u200b", "\u0301", "\u00a0", "\ufffe", "\U0001f469\u200d", "\u0130", "\u00df", "\U00017000"),
    *(b'"', b"'", b"\\", b'\\"', b"\\u", b"\\ud83d", b"\\u0000", b"`", b"```json\n", b"\\n"),
    *(b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b"[" * 300, b'{"a":' * 300, b"(" * 300),
    *(b",", b";", b"|", b"=", b":", b"&", b"#", b"%", b"%s", b"{}", b"{0}", b"$", b"*", b"_", b"~~", b"--"),
    *(b"0", b"-1", b"1e999", b"-1e-999", b"9" * 25, b"9" * 5000, b"NaN", b"Infinity", b"1_0", b"0x1", b"\xd9\xa1"),
    *(b"null", b"true", b"[]", b"{}", b'""', b"[null]", b"[[]]", b'{"a": null}'),
    *(b"<think>", b"</think>", b"<|channel|>final<|message|>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#x0;"),
    *(b"<![CDATA[", b"]]>", b"<!--", b"<?xml", b"<w:p/>", b"xmlns=''", b" obj\n", b"endobj", b"stream\n", b"/Length 9"),
    *(b"BT", b"ET", b"Tj", b" Td", b" q", b" Q", b"<</A 1>>", b"1 0 R", b"startxref", b"%%EOF", b"xref\n"),
    *(b"not ", b" and ", b"select ", b"--", b"/*", b" in (", b" is null", b"year(", b"like '%'", b"x'", b"e'"),
    *(b"reject", b"accept", b"rank 1:", b"1. ", b"2) ", b"tied ", b"last place: ", b"i'm sorry, i cannot rank "),
)  # fmt: skip


def mutated(seeds: Sequence[bytes], random: Random, *, zipped: bool = False) -> bytes:
    """Return one of the seeds with some changes; of an archive mostly within one of its files."""
    content = random.choice(seeds)
    if zipped and random.random() < 0.8:
        return _in_a_member(content, random)
    return _edited(content, seeds, random)


def _edited(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    for _ in range(random.randint(1, MOST_EDITS)):
        content = random.choice(_EDITS)(content, others, random)[:LONGEST]
    return content


def _in_a_member(archive: bytes, random: Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as given:
        members = {name: given.read(name) for name in given.namelist()}
    name = random.choice(list(members))
    kind = random.random()
    if kind < 0.05:
        del members[name]
    elif kind < 0.1:
        members[_edited(name.encode(), [b"../", b"/"], random).decode("utf-8", "replace")[:200]] = members.pop(name)
    else:
        members[name] = _edited(members[name], list(members.values()), random)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for member, content in members.items():
            made.writestr(zipfile.ZipInfo(member.split("\0")[0] or "a"), content)
    return file.getvalue()


def _span(content: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(content))
    return start, min(len(content), start + 2 ** random.randint(0, 8))


def _flip(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    if not content:
        return content
    place = random.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]


def _cut(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    place = random.randint(0, len(content))
    return content[:place] if random.random() < 0.7 else content[place:]


def _remove(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(content, random)
    return content[:start] + content[end:]


def _double(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(content, random)
    return content[:start] + content[start:end] * random.choice((2, 3, 50)) + content[end:]


def _move(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(content, random)
    place = random.randint(0, len(content))
    return content[:place] + content[start:end] + content[place:]


def _splice(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    other = random.choice(others)
    start, end = _span(other, random)
    place = random.randint(0, len(content))
    return content[:place] + other[start:end] + content[place:]


def _insert(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    start = random.randint(0, len(content))
    end = start if random.random() < 0.6 else _span(content, random)[1]
    token = random.choice(TOKENS)
    return content[:start] + (token.encode() if isinstance(token, str) else token) + content[max(start, end) :]


def _number(content: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """Write a number where one stands: sizes and places in a file lie."""
    places = [place for place, sign in enumerate(content[:LONGEST]) if 48 <= sign <= 57]
    if not places:
        return content
    place = random.choice(places)
    return (
        content[:place]
        + random.choice((b"", b"0", b"-1", b"9", b"99999999", b"2.5", b"\xc2\xb2"))
        + content[place + 1 :]
    )


#: Insertions find most.
_EDITS: tuple[Callable[[bytes, Sequence[bytes], Random], bytes], ...] = (
    *(_insert, _insert, _insert, _splice, _move, _double),
    *(_remove, _cut, _flip, _flip, _number),
)  # fmt: skip
