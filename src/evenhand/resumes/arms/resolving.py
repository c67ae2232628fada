"""Stretches that masking found as parts of a template: names, addresses, files' names."""

from collections.abc import Iterable, Sequence

from evenhand.patterns import lazy_re
from evenhand.resumes.arms.own_name import GENERATIONS, OwnName, folded
from evenhand.resumes.arms.pieces import Piece, mentions, pieces_in_run, pieces_of, with_particles
from evenhand.resumes.arms.slots import Case, Fixed, NameSlot, Part, Slot

__all__ = ["address_parts", "file_name_parts", "joined", "name_parts"]

Parts = list[str | Slot]

#: What stands in an address that shows no name, or shows it in a way that no other name can follow.
NEUTRAL_LOCAL, NEUTRAL_PATH, NEUTRAL_HOST, NEUTRAL_FILE = "applicant", "profile", "example.org", "resume"

_RUN = lazy_re(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_SEGMENT = lazy_re(r"[^/@?#=&:]+")
_BETWEEN = lazy_re(r"(?<=[^\W\d_])[\W\d_]+(?=[^\W\d_])")
_OPENING = {'"': '"', "(": ")", "\u201c": "\u201d", "'": "'", "[": "]", "\u2018": "\u2019"}
_SHORT, _LONG = 3, 4


def name_parts(text: str, own: OwnName) -> Parts:
    """Return a name as parts: first and last in their form, text between; what other names lack is fixed.

    >>> from evenhand.resumes.arms.own_name import own_name
    >>> [getattr(part, "own", part) for part in name_parts("Doe, Jane A.", own_name([], ["Jane Doe"], []))]
    ['Doe', ', ', 'Jane', ' A.']
    """
    return _parts(text, _called(text, pieces_of(text, own)), own)


def _called(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in which a nickname or middle name is the first name where a mention has no other."""
    shown = {piece.mention for piece in pieces if piece.kind == "first"}
    found: list[Piece] = []
    for piece in pieces:
        word = folded(text[piece.start : piece.end])
        calls = piece.kind == "rest" and not piece.initial and word.isascii() and word not in GENERATIONS
        if calls and piece.mention not in shown:
            shown.add(piece.mention)
            found.append(piece._replace(kind="first"))
        else:
            found.append(piece)
    return found


def _parts(text: str, pieces: Sequence[Piece], own: OwnName, *, address: bool = False) -> Parts:
    merged = _merged(text, [piece for piece in pieces if piece.kind is not None])
    words = [piece.start for piece in pieces if piece.kind is None]
    stretches: list[tuple[int, int, Slot]] = []
    for place, piece in enumerate(merged):
        done = stretches[-1][1] if stretches else 0
        if piece.kind == "rest":
            before = _beside(merged[place - 1 : place], piece, words)
            after = _beside(merged[place + 1 : place + 2], piece, words)
            start, end = _with_beside(text, piece, before, after, done)
            stretches.append((start, end, Fixed(own=text[start:end])))
        else:
            stretches.append((piece.start, piece.end, _slot(text, piece, own, address=address)))
    return _with_text_between(text, stretches)


def _beside(others: Sequence[Piece], piece: Piece, words: Sequence[int]) -> Piece | None:
    """Return the piece next to another where it is of the same mention and no word of no part stands between."""
    for other in others:
        begin, end = min(other.end, piece.end), max(other.start, piece.start)
        if other.mention == piece.mention and not any(begin <= at < end for at in words):
            return other
    return None


def _merged(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces in which words of one part that stand side by side are one."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if (
            last is not None
            and last.kind == piece.kind != "rest"
            and last.mention == piece.mention
            and last.initial == piece.initial
            and not any(map(str.isalnum, text[last.end : piece.start]))
            and "," not in text[last.end : piece.start]
        ):
            found[-1] = Piece(
                last.start, piece.end, last.kind, initial=last.initial, spaced=last.spaced, mention=last.mention
            )
        else:
            found.append(piece)
    return found


def _with_beside(text: str, piece: Piece, before: Piece | None, after: Piece | None, done: int) -> tuple[int, int]:
    """Return where a word that other names lack stands, with the marks that stand there for it alone."""
    start, end = piece.start, piece.end
    opening = text[start - 1 : start]
    if opening in _OPENING and start > done and text[end : end + 1] == _OPENING[opening]:
        start, end = start - 1, end + 1
    short = piece.initial or end - piece.start <= _SHORT
    if short and text[end : end + 1] == ".":
        end += 1
    if before is not None:
        start = max(done, before.end)
        if before.initial and text[start : start + 1] == ".":
            start += 1
        return min(start, piece.start), end
    if after is not None:
        return start, after.start
    return start, end


def _slot(text: str, piece: Piece, own: OwnName, *, address: bool) -> NameSlot:
    written = text[piece.start : piece.end]
    part: Part = "first" if piece.kind == "first" else "last"
    value = own.name.first if part == "first" else own.name.last or own.name.first
    letters = [letter for letter in written if letter.isalpha()]
    upper = written.isupper() and (len(letters) > 1 or piece.initial)
    case: Case = (
        "upper" if upper else "lower" if written.islower() and (piece.initial or not value.islower()) else "own"
    )
    bare = address or "_" in text[max(0, piece.start - 1) : piece.end + 1]
    between = set(_BETWEEN.findall(written)) if " " in value and not piece.spaced else set()
    return NameSlot(
        own=written,
        part=part,
        case=case,
        initial=piece.initial,
        plain=address or (written.isascii() and not value.isascii()),
        bare=bare,
        joint=between.pop() if len(between) == 1 else "" if bare else " ",
        spaced=piece.spaced,
    )


def _with_text_between(text: str, stretches: Sequence[tuple[int, int, Slot]]) -> Parts:
    parts: Parts = []
    done = 0
    for start, end, slot in stretches:
        if start > done:
            parts.append(text[done:start])
        parts.append(slot)
        done = end
    if done < len(text):
        parts.append(text[done:])
    return parts


def address_parts(text: str, own: OwnName, *, email: bool, others: frozenset[str] = frozenset()) -> Parts:
    """Return an e-mail or web address as parts; what holds the name in no form that can be followed is neutral.

    An e-mail's local part that shows no name is neutral as well, unless it shows one of `others`.

    >>> from evenhand.resumes.arms.own_name import own_name
    >>> own = own_name([], ["Jane Doe"], [])
    >>> [getattr(part, "part", part) for part in address_parts("jane.doe84@x.org", own, email=True)]
    ['first', '.', 'last', '84@x.org']
    >>> address_parts("sunny84@x.org", own, email=True)
    [Fixed(own='sunny84', instead='applicant'), '@x.org']
    """
    parts: Parts = []
    done = 0
    for place, match in enumerate(_SEGMENT.finditer(text)):
        local = email and not place
        found = _segment_parts(match.group(), own, local=local)
        if local and found is not None and all(isinstance(part, str) for part in found):
            runs = {folded(run) for run in _RUN.findall(match.group())}
            found = found if runs & others else None
        if found is None:
            instead = NEUTRAL_LOCAL if local else NEUTRAL_HOST if "." in match.group() else NEUTRAL_PATH
            found = [Fixed(own=match.group(), instead=instead)]
        parts += [text[done : match.start()], *found]
        done = match.end()
    return joined([*parts, text[done:]])


def joined(parts: Iterable[str | Slot]) -> Parts:
    """Return parts in which text that stands side by side is one, and none is empty.

    >>> joined(["a", "", "b", Fixed(own="c"), ""])
    ['ab', Fixed(own='c', instead='')]
    """
    found: Parts = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, str) and isinstance(last, str):
            found[-1] = last + part
        elif part != "":
            found.append(part)
    return found


def _segment_parts(text: str, own: OwnName, *, local: bool) -> Parts | None:
    """Return a segment of an address as parts, None where it holds the name in no form that can be followed."""
    if not local:
        letters = folded(text)
        if not any(form in letters for form in own.kinds):
            return [text]
    pieces: list[Piece] = []
    sure = whole = 0
    for match in _RUN.finditer(text):
        run, low = match.group(), folded(match.group())
        if len(run) == 1:
            pieces.append(Piece(*match.span(), "rest", initial=True))
            continue
        kind = own.kinds.get(low, "rest" if low in GENERATIONS else None)
        if kind is not None:
            pieces.append(Piece(*match.span(), kind))
            sure += len(run) >= _SHORT and low not in GENERATIONS
            whole += low not in GENERATIONS
            continue
        within = pieces_in_run(run, own, initials=local)
        for start, end, part, initial in within:
            pieces.append(Piece(match.start() + start, match.start() + end, part, initial=initial))
        if within:
            sure += 1
        elif any(len(form) >= _LONG and form in low for form in own.kinds):
            return None
        else:
            pieces.append(Piece(*match.span(), None))
    if not sure and whole < 2:
        return [text]
    return _parts(text, _called(text, mentions(text, with_particles(text, pieces), own)), own, address=True)


def file_name_parts(name: str, own: OwnName) -> Parts:
    """Return a file's name as parts; neutral where it holds the name in no form that can be followed.

    >>> from evenhand.resumes.arms.own_name import own_name
    >>> own = own_name([], ["Jane Doe"], [])
    >>> [getattr(part, "part", part) for part in file_name_parts("CV_Jane-Doe_2024.pdf", own)]
    ['CV_', 'first', '-', 'last', '_2024.pdf']
    """
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    found = _segment_parts(stem, own, local=True)
    return joined([*(found if found is not None else [Fixed(own=stem, instead=NEUTRAL_FILE)]), f"{dot}{ending}"])
