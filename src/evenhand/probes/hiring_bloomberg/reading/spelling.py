"""How near two words are to each other in spelling."""

__all__ = ["edits", "is_near_word"]


def is_near_word(written: str, own: str) -> bool:
    """Return whether one part is a slip of the other: a cut end, or one or two edits by its length."""
    if written == own:
        return True
    short, long = sorted((written, own), key=len)
    if long.startswith(short) and (len(short) >= 4 or len(short) == 3 >= len(long) - len(short)):
        return True
    if len(short) <= 2:
        return False
    # Two edits turn Thanh into Thuan and Maya into Maria: other names.
    allowed = 1 if len(own) <= 5 else 2
    return edits(written, own, most=allowed) <= allowed


def edits(written: str, own: str, *, most: int) -> int:
    """Return the Damerau-Levenshtein distance (optimal string alignment), or more than `most`.

    >>> edits("devonte", "devotne", most=2), edits("vasquez", "vazquez", most=2)
    (1, 1)
    """
    if abs(len(written) - len(own)) > most:
        return most + 1
    if most == 1:
        return _one_edit(written, own)
    before: list[int] = []
    above = list(range(len(own) + 1))
    for row, letter in enumerate(written, start=1):
        line = [row]
        for column, other in enumerate(own, start=1):
            cost = min(above[column] + 1, line[column - 1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == own[column - 2] and written[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]


def _one_edit(written: str, own: str) -> int:
    """Return 0 or 1 for the same word and for one edit, else 2: what is left between equal ends tells."""
    start = 0
    while start < min(len(written), len(own)) and written[start] == own[start]:
        start += 1
    written, own = written[start:], own[start:]
    while written and own and written[-1] == own[-1]:
        written, own = written[:-1], own[:-1]
    if not written and not own:
        return 0
    return 1 if max(len(written), len(own)) == 1 or (len(own) == 2 and written == own[::-1]) else 2
