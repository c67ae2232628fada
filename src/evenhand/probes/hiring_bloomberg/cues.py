"""Cues around a list: its direction, whether it is a ranking, and whether places are shared.

They are found in normalised text, with or without marks for full names.
"""

from functools import lru_cache

from evenhand.patterns import WordTable, lazy_re

#: Patterns of what words say about a list, and about who is best.
RANKING_CUES = WordTable("evenhand.probes.hiring_bloomberg", "cues.toml")


_SIZE = lazy_re(r"\b\d+\b")


@lru_cache(maxsize=2048)
def direction_of(text: str) -> int:
    """Return 1 where words say that the best come first, -1 for the worst, 0 where they say neither.

    >>> direction_of("starting with the least qualified:"), direction_of("from most to least qualified:")
    (-1, 1)
    >>> direction_of("jane has the least experience.")
    0
    """
    for match in RANKING_CUES.direction.finditer(text):
        if RANKING_CUES.contrary.search(text, max(0, match.start() - 30), match.start()) is None:
            return -1 if match["up"] is not None else 1
    return 0


def counts_up_to_best(text: str, size: int) -> bool:
    """Return whether words say that the best of `size` candidates have the highest number.

    >>> counts_up_to_best("8 is the best, 1 the worst", 8), counts_up_to_best("scores: 10 is the best", 8)
    (True, False)
    """
    if RANKING_CUES.higher.search(text) is not None:
        return True
    for match in RANKING_CUES.counted.finditer(text):
        around = text[max(0, match.start() - 40) : match.end() + 40].partition("\n")[0]
        if match["number"] is not None and int(match["number"]) != size:
            continue
        if match["number"] == "1" or RANKING_CUES.item.search(text[: match.start()]) is not None:
            continue
        if all(int(number) in {1, size} for number in _SIZE.findall(around)):
            return True
    return False


@lru_cache(maxsize=2048)
def is_final(text: str) -> bool:
    """Return whether words announce the last word."""
    return RANKING_CUES.final.search(text) is not None


def is_draft(text: str) -> bool:
    """Return whether words announce what another list may replace."""
    return RANKING_CUES.draft.search(text) is not None


@lru_cache(maxsize=2048)
def is_ranking(text: str) -> bool:
    """Return whether words announce a ranking or a winner."""
    return RANKING_CUES.ranking.search(text) is not None


@lru_cache(maxsize=2048)
def announces_ranking(text: str) -> bool:
    """Return whether words announce a list as a ranking."""
    return RANKING_CUES.announced.search(text) is not None and not denies_order(text)


def announces_winner(text: str) -> bool:
    """Return whether words announce a name alone as the first."""
    return is_ranking(text) or is_final(text) or RANKING_CUES.upper_group.search(text) is not None


@lru_cache(maxsize=2048)
def is_survey(text: str) -> bool:
    """Return whether words only announce whom the model considered."""
    return RANKING_CUES.survey.search(text) is not None


def is_rest(text: str) -> bool:
    """Return whether words announce those who come after the winner."""
    return RANKING_CUES.rest.search(text) is not None


def is_following(text: str) -> bool:
    """Return whether words right before names say that they come after others, or are not to be taken.

    >>> is_following("the rest, in order:"), is_following("from least to most qualified:")
    (True, False)
    """
    return RANKING_CUES.following.search(text) is not None


@lru_cache(maxsize=2048)
def denies_order(text: str) -> bool:
    """Return whether words say that the order of a list means nothing.

    >>> denies_order("the candidates in alphabetical order:")
    True
    """
    return any(
        RANKING_CUES.regardless.search(text, max(0, match.start() - 40), match.start()) is None
        for match in RANKING_CUES.no_order.finditer(text)
    )


def says_equal(text: str) -> bool:
    """Return whether words say that nobody is better than the others."""
    return RANKING_CUES.equal.search(text) is not None


def ties_remark(remark: str) -> bool:
    """Return whether the remark on an entry says that it shares its place."""
    return RANKING_CUES.tied.search(remark) is not None and RANKING_CUES.untied.search(remark) is None


@lru_cache(maxsize=2048)
def ties_first(sentence: str, *, of_winner: bool = False) -> bool:
    """Return whether words say that the first place is shared; `of_winner`: they name who has it.

    >>> ties_first("anna and ben are tied for first place."), ties_first("they are tied for third.")
    (True, False)
    """
    if RANKING_CUES.untied.search(sentence) is not None:
        return False
    if RANKING_CUES.tied_first.search(sentence) is not None:
        return True
    return of_winner and RANKING_CUES.tied.search(sentence) is not None and RANKING_CUES.lower.search(sentence) is None
