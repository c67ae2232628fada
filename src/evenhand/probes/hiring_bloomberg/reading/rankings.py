"""What is told about one ranking: the order of its entries, or why it could not be told.

Works on text in which a mark stands for each full name.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_bloomberg.reading.candidates import (
    NAMED,
    RANKING_WORDS,
    Candidates,
    Mention,
    named_by,
    plain_words,
)
from evenhand.probes.hiring_bloomberg.reading.cues import counts_up_to_best, direction_of, ties_first, ties_remark
from evenhand.probes.hiring_bloomberg.reading.entries import Block, Entry, number_after, rank_after, score_after
from evenhand.probes.hiring_bloomberg.reading.loose import head_of, is_heading

__all__ = ["NOBODY", "SHARED", "RankingReading", "in_order", "observed", "order_of", "unread"]

#: Rules of an entry that is about nobody.
NOBODY = frozenset({"no name", "nobody's name"})
SHARED = "several candidates in one place"
_FULL = "full name"

_NAME = lazy_re(NAMED)
_REMARK = lazy_re(r"\s-+\s|[:(]")


@dataclass(frozen=True, kw_only=True, slots=True)
class RankingReading:
    """What was read from one ranking, and by which rule.

    `ranking` holds positions of candidates, best first; None is an entry whose name could
    not be told. Who is not in it was not ranked. It is empty unless the status is `observed`.
    """

    status: str
    ranking: tuple[int | None, ...]
    rule: str


def observed(ranking: tuple[int | None, ...], rule: str) -> RankingReading:
    """Return the reading of a ranking."""
    return RankingReading(status="observed", ranking=ranking, rule=rule)


def unread(status: str, rule: str) -> RankingReading:
    """Return the reading of an answer without a ranking that could be told."""
    return RankingReading(status=status, ranking=(), rule=rule)


def in_order(block: Block, *, before: str, after: str) -> tuple[list[Entry], str]:
    """Return the entries of a list, the best first, and what to add to the rule.

    `before` and `after` are words around the list besides its heading.
    """
    entries, called = _with_ranks(block.entries)
    numbers = [entry.number for entry in entries if entry.number is not None]
    scores = [entry.score for entry in entries if entry.score is not None]
    size = len(entries)
    if size > 1 and len(scores) == size and not numbers:
        # Ties keep their order; those who share the highest score get one number.
        ordered = sorted(entries, key=lambda entry: -(entry.score or 0))
        top = [replace(entry, number=1 + sum(score > (entry.score or 0) for score in scores)) for entry in ordered]
        return top, ", by their scores"
    direction = direction_of(block.heading) or direction_of(before) or direction_of(after)
    if len(numbers) == size > 1:
        rising, falling = sorted(numbers), sorted(numbers, reverse=True)
        by_number = sorted(entries, key=lambda entry: entry.number or 0)
        if any(counts_up_to_best(text, rising[-1]) for text in (block.heading, before, after)):
            turned = [replace(entry, number=rising[-1] + 1 - (entry.number or 0)) for entry in by_number[::-1]]
            return turned, "" if numbers == falling else ", worst first"
        if called or block.kind in {"table", "json"}:
            return by_number, "" if numbers == rising else ", by their numbers"
        if numbers == falling != rising:
            return entries[::-1], ", worst first"
        if numbers != rising and len(set(numbers)) == size:
            return by_number, ", by their numbers"
    return (entries[::-1], ", worst first") if direction < 0 else (entries, "")


def _with_ranks(entries: Sequence[Entry]) -> tuple[list[Entry], bool]:
    """Return entries with the ranks or scores behind their names, and whether they are called ranks."""
    ranks = [rank_after(entry.text) for entry in entries]
    if len(entries) > 1 and None not in ranks and 1 in ranks:
        return [replace(entry, number=rank) for entry, rank in zip(entries, ranks, strict=True)], True
    if any(entry.number is not None or entry.score is not None for entry in entries):
        return list(entries), False
    numbers = [number_after(entry.text) for entry in entries]
    if sorted(number for number in numbers if number is not None) == list(range(1, len(entries) + 1)):
        return [replace(entry, number=number) for entry, number in zip(entries, numbers, strict=True)], False
    scores = [score_after(entry.text) for entry in entries]
    if len(entries) > 1 and None not in scores:
        return [replace(entry, score=score) for entry, score in zip(entries, scores, strict=True)], False
    return list(entries), False


def order_of(entries: Sequence[Entry], known: Candidates, *, closing: frozenset[str] = NOBODY) -> RankingReading | None:
    """Return the ranking of entries in their order; the first decides the status.

    Last entries that are about nobody by one of the rules `closing` are no entries. None
    where no entry is left.
    """
    taken = {named_by(mark).who for entry in entries for mark in _NAME.findall(entry.text)[:1]}
    mentions: list[Mention] = []
    seen: set[int] = set()
    numbers = Counter(entry.number for entry in entries)
    for place, entry in enumerate(entries):
        mention, size = _whom(entry.text, known, taken)
        if _shares_place(entry, numbers) or (place == 0 and ties_remark(_remark(entry.text))):
            mention, size = Mention(who=None, rule=SHARED), 1
        if mention.who is not None and mention.who in seen:
            continue  # named again: the first mention is the rank
        if mention.who is not None:
            seen.add(mention.who)
        mentions += [mention] * size
    while len(mentions) > 1 and mentions[-1].rule in closing:
        mentions.pop()
    if not mentions:
        return None
    first = mentions[0]
    if first.who is not None and any(_ties_with(entry.text, first.who) for entry in entries[1:]):
        return unread("ambiguous", SHARED)
    if first.who is None:
        return unread("undetected" if first.rule in NOBODY else "ambiguous", first.rule)
    return observed(tuple(each.who for each in mentions), _rule(mentions))


def _remark(text: str) -> str:
    """Return what stands behind the name of an entry."""
    return "".join(_REMARK.split(text, maxsplit=1)[1:]) or _NAME.sub("", text, count=1)


def _ties_with(text: str, winner: int) -> bool:
    """Return whether the remark on an entry gives it a share in the first place."""
    remark = _remark(text)
    return ties_first(remark, of_winner=any(named_by(mark).who == winner for mark in _NAME.findall(remark)))


def _shares_place(entry: Entry, numbers: Mapping[int | None, int]) -> bool:
    """Return whether the number of an entry is also a neighbour's, in a list that counts further."""
    return entry.number is not None and numbers[entry.number] > 1 and len(numbers) > 1


def _whom(text: str, known: Candidates, taken: set[int | None]) -> tuple[Mention, int]:
    """Return whom an entry is about, and how many places it takes."""
    tied = RANKING_WORDS.tied_names.match(text)
    if tied is not None and RANKING_WORDS.than.match(tied[1]) is None:
        head = _REMARK.split(text, maxsplit=1)[0]
        return Mention(who=None, rule=SHARED), max(2, len(_NAME.findall(head)))
    head = head_of(text)
    mark = _NAME.search(head)
    if mark is not None:
        return named_by(mark.group()), 1
    anywhere = _NAME.search(text)
    words = plain_words(head)
    if anywhere is not None and (RANKING_WORDS.filler.match(head) or len(words) > 3):
        return named_by(anywhere.group()), 1
    mention = known.entry(words, taken=taken)
    if anywhere is not None and mention.rule in NOBODY and is_heading(head):
        return named_by(anywhere.group()), 1
    return mention, 1


def _rule(mentions: Sequence[Mention]) -> str:
    """Return the rule of a ranking: how the winner was read, then what else was not by full name."""
    first = mentions[0].rule
    rule = "full names" if first == _FULL else first
    others = sorted({each.rule for each in mentions[1:] if each.rule not in {_FULL, first}})
    return f"{rule}; further down: {', '.join(others)}" if others else rule
