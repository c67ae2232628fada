"""Whether a word that is also a name is used as one: `Grace led`, not `in grace`, `Jordan's team`, not `in Jordan`."""

import re
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.lists import is_no_name
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["is_alone", "is_used_as_name"]


@cache
def _not_cue() -> dict[str, re.Pattern[str]]:
    return {
        "place": AROUND_WORDS.not_cue_place,
        "organisation": AROUND_WORDS.not_cue_organisation,
        "month": AROUND_WORDS.not_cue_month,
        "tool": lazy_re(r".$"),
    }


_NEXT_WORD = lazy_re(r"[ ]([^\W\d_][\w'-]*)")
_PREVIOUS_WORD = lazy_re(r"([\w'&+.-]+)[ ]$")


def is_used_as_name(folded: FoldedText, layout: Layout, start: int, end: int, kind: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - one line per cue
    """Say whether a capitalised word that is also of another kind stands for a person here."""
    text, low = folded.text, folded.low
    left, low_left = text[max(0, start - 40) : start], low[max(0, start - 40) : start]
    right = text[end : end + 60]
    if AROUND_WORDS.title.search(low_left) is not None or AROUND_WORDS.sure_cue.search(low_left) is not None:
        return True
    if is_alone(folded, layout, start, end):
        return kind != "tool"
    if kind == "month" and (
        AROUND_WORDS.month_after.match(right) is not None or _not_cue()["month"].search(low_left) is not None
    ):
        return False
    if AROUND_WORDS.article.search(low_left) is not None:
        return False
    following, previous = _NEXT_WORD.match(right), _PREVIOUS_WORD.search(left)
    if following is not None and following.group(1)[0].isupper():
        return False
    at_start = previous is None or previous.group(1)[-1] in ".!?:•-"
    opens = previous is not None and previous.group(1) in AROUND_WORDS.openers
    if (
        previous is not None
        and previous.group(1)[0].isupper()
        and not at_start
        and not opens
        and not _ends_sentence(left)
    ):
        return not is_no_name(previous.group(1).lower()) and kind == "short"
    if right.startswith("'s "):
        return kind not in {"month", "tool", "organisation"} or at_start
    verb = AROUND_WORDS.verb.match(right)
    if verb is not None:
        if (
            kind in {"tool", "month"}
            and AROUND_WORDS.be.match(right) is not None
            and (kind == "tool" or AROUND_WORDS.done.match(right) is None)
        ):
            return False
        unplaced = _not_cue().get(kind)
        return at_start or unplaced is None or unplaced.search(low_left) is None
    if kind == "tool":
        return False
    unplaced = _not_cue().get(kind)
    if unplaced is not None and unplaced.search(low_left) is not None:
        return kind == "place" and low_left.endswith(("by ", " me "))
    if kind == "place" and AROUND_WORDS.place_after.match(right) is not None:
        return False
    if AROUND_WORDS.cue.search(low_left) is not None:
        return True
    return (
        kind in {"word", "short"}
        and not at_start
        and bool(left.strip())
        and left.rstrip()[-1] in "abcdefghijklmnopqrstuvwxyz,"
    )


def _ends_sentence(left: str) -> bool:
    return left.rstrip().endswith((".", "!", "?", ":"))


def is_alone(folded: FoldedText, layout: Layout, start: int, end: int) -> bool:
    """Say whether the word is a line of its own, near the top or at the end."""
    low = folded.low
    before = low.rfind("\n", 0, start) + 1
    after = low.find("\n", end)
    after = len(low) if after < 0 else after
    if low[before:start].strip(" *#_->|\t") or low[end:after].strip(" *#_-,.|\t\r"):
        return False
    previous = low[max(0, before - 60) : before].rstrip(" >|\n\t").rpartition("\n")[2].strip(" >|*")
    if AROUND_WORDS.closing.match(previous) is not None:
        return True
    lines = layout.lines
    near_top = len(lines) > 2 and start <= lines[min(3, len(lines) - 1)].start
    near_end = bool(lines) and end >= lines[-2 if len(lines) > 1 else -1].start
    return near_top or near_end
