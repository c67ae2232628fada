"""How much a run of capitalised words looks like a person's name."""

from collections.abc import Collection

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import KIND_WORDS, given_names, surnames
from evenhand.resumes.names.others.runs import OTHER_NAME_WORDS
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["shape_of"]

_LONGEST = 5


def shape_of(folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str]) -> int:  # noqa: C901, PLR0911 - one line per shape
    """Return how sure a shape is a person's name.

    4: a frequent given name and a frequent surname; 3: a frequent given name and another; 2: one frequent name;
    1: none; 0: words that are names as well; -1: no name.
    """
    named = [
        (folded.low[start:end].removesuffix("'s"), kind)
        for (start, end), kind in zip(pieces, kinds, strict=True)
        if kind not in {"initial", "particle"}
    ]
    initials = "initial" in kinds
    if not named or len(named) + initials < 2 or len(named) > _LONGEST:
        return -1
    given, family = given_names(), surnames()
    (first, _), (last, last_kind) = named[0], named[-1]
    begins, ends = _is_in(first, given), _is_in(last, family) or last in KIND_WORDS.surnames_too
    clean = [kind == "name" for _, kind in named]
    if len(named) == 1:
        return 2 if clean[0] else 0
    if last_kind == "maybe":
        return 0
    if not any(clean):
        if begins and (last_kind == "word" or ends) and named[0][1] == "word":
            return 1
        return 0 if last_kind == "word" or ends or (begins and last_kind != "particle") else -1
    if begins and clean[0]:
        if ends and last_kind == "name":
            return 4
        return 3 if last_kind in {"name", "word"} or ends else 2
    if begins and ends and clean[-1]:
        return 4
    if (
        len(named) == 2
        and clean[0]
        and last in OTHER_NAME_WORDS.east_asian
        and _TWO_SYLLABLES.fullmatch(first) is not None
    ):
        return 4  # Yoo-na Kwon, Huifen Xu
    if begins or any(kind == "name" and (word in given or word in family) for word, kind in named):
        return 2
    return 1


#: Two syllables of a Chinese or Korean given name, written as one word or with a hyphen.
_SYLLABLE = (
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ueng|ai|an|ao|ei|en|er|ia|ie|in|"
    r"iu|ou|ua|ui|un|uo|ue|a|e|i|o|u)|(?:kk|[bcdghjkmnpstw]|ch)?y?(?:eo|eu|ae|oo|ee|wo|wa|yu|ye|ya)[nmngklp]?g?)"
)
_TWO_SYLLABLES = lazy_re(rf"{_SYLLABLE}-?{_SYLLABLE}")


def _is_in(word: str, listed: Collection[str]) -> bool:
    return word in listed or ("-" in word and any(part in listed for part in word.split("-")))
