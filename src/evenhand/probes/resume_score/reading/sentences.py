"""What the words before a number in its sentence, or its label, say that the number is."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.labels import ASIDE, PART, QUALIFIED, SCALE, SCORE, TOTAL, label_kind
from evenhand.probes.resume_score.reading.numbers import SCORE_WORDS, Number

__all__ = ["ALONE", "ELSE", "NAMED", "role_in_sentence"]

#: A number that stands for itself: its line or sentence is nothing else, or goes on with reasons.
ALONE = "alone"
#: A number behind a label that names no score: 'Emily Walsh: 72', 'Skills: 8'.
NAMED = "named"
#: The score of somebody else, or a usual one.
ELSE = "of somebody else"

_TOKEN = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\s\w]")
_SENTENCE = lazy_re(r"[.!?;] +")
_ENDS = lazy_re(r"[)\"'\]}$]*(?:\s*$|[.!?,;:\u3002])")
_ARROW = lazy_re(r"\d[^\s\w]? ?(?:\u2192|[-=]+>) ?$")
#: A heading of fewer blanks needs no colon.
_SHORT = 4


def role_in_sentence(number: Number, before: str, behind: str, *, heading: str, previous: str | None) -> str | None:
    """Return what a number is by the words beside it, None where they don't make it a score.

    `heading` is the line above, `previous` the role of the number before it in its line.
    """
    ends = [match.end() for match in _SENTENCE.finditer(before)]
    sentence = before[ends[-1] :] if ends else before
    tokens = _TOKEN.findall(sentence)
    rest, boxed = _without_hedges(tokens, number)
    if boxed:
        return TOTAL
    if not rest:
        return _standing(behind, heading=None if ends else heading)
    last, joined = rest[-1], len(rest) > 1 and rest[-2][0].isdigit()
    if (
        last[0].isdigit()
        or (last in SCORE_WORDS.joining and previous is not None)
        or (last in SCORE_WORDS.listing and joined and previous is not None)
    ):
        return previous if last not in SCORE_WORDS.listing or len(rest) != len(tokens) or _ENDS.match(behind) else None
    if SCORE_WORDS.leading.issuperset(rest):
        return ALONE if _ENDS.match(behind) else _of_part(ALONE, behind)
    if last in SCORE_WORDS.signs:
        return _labelled(rest, sentence, previous)
    role = _named(rest, number) or _given(rest, tokens, number)
    if role is None and _is_beside(rest, tokens, behind):
        role = SCORE
    return _of_part(role, behind)


def _is_beside(rest: Sequence[str], tokens: Sequence[str], behind: str) -> bool:
    """Return whether what is beside a number makes it a score: 'a 77% match', '80 is my rating', 'if so, 80'."""
    if SCORE_WORDS.is_score.match(behind) or (len(rest) != len(tokens) and SCORE_WORDS.noun_behind.match(behind)):
        return True
    if _ENDS.match(behind) is None:
        return False
    if rest[-1] == "but":
        return len(rest) != len(tokens)
    return rest[-1] in {",", *SCORE_WORDS.condition} and (
        "scale" in tokens or tokens[:2] == ["out", "of"] or not SCORE_WORDS.condition.isdisjoint(tokens)
    )


def _of_part(role: str | None, behind: str) -> str | None:
    """Return the role of a number in a sentence, which may go on to say of what part it is."""
    if role not in {SCORE, ALONE, QUALIFIED}:
        return role
    if SCORE_WORDS.of_part.match(behind):
        return PART
    return NAMED if SCORE_WORDS.for_bare.match(behind) else role


def _standing(behind: str, *, heading: str | None) -> str | None:
    """Return the role of a number before which there is nothing in its sentence, or in its line below a heading."""
    if heading is None:
        return ALONE if _ENDS.match(behind) or SCORE_WORDS.is_score.match(behind) else None
    if heading.rstrip().endswith(":") or heading.count(" ") < _SHORT:
        kind = label_kind(_words(_TOKEN.findall(heading[-160:])))
        if kind in {TOTAL, SCORE}:
            return kind
    return _of_part(ALONE, behind)


def _without_hedges(tokens: Sequence[str], number: Number) -> tuple[list[str], bool]:
    """Return the tokens before 'approximately', 'a solid', brackets; and whether the number is in a LaTeX box."""
    rest = list(tokens)
    boxed = False
    while rest and (rest[-1] in SCORE_WORDS.openers or _is_symbol(rest[-1])):
        boxed = boxed or rest[-1] == "boxed"
        rest.pop()
    if len(rest) != len(tokens) and tokens[len(rest)] == "(" and ":" in rest[-3:]:
        # 'Suitability: high (85)'
        del rest[len(rest) - rest[::-1].index(":") :]
    loose = SCORE_WORDS.hedges
    if number.until is not None:
        loose = SCORE_WORDS.range_hedges
    elif number.bound:
        loose = SCORE_WORDS.bound_hedges
    while rest and rest[-1] in loose:
        rest.pop()
    if rest and rest[-1] in {"a", "an"}:
        rest.pop()
    elif len(rest) > 1 and rest[-2] in {"a", "an"} and _is_adjective(rest[-1]) and "(" not in tokens[len(rest) :]:
        del rest[-2:]
    while rest and (rest[-1] in loose or rest[-1] in SCORE_WORDS.openers):
        rest.pop()
    # A list's sign, an emoji.
    if not any(token[0].isalnum() for token in rest) and not (rest and rest[-1] in {":", "="}):
        rest.clear()
    return rest, boxed


def _labelled(rest: Sequence[str], sentence: str, previous: str | None) -> str | None:
    """Return the role that a label gives: 'score:'."""
    words = _words(_clause(rest[:-1]))
    if _ARROW.search(sentence):
        # '65 -> 72'
        return previous
    if not words and rest[-1] == "=":
        # A sum: 'total: 30 + 42 = 72'.
        return label_kind(_words(_TOKEN.findall(sentence.partition("=")[0]))) or ALONE
    kind = label_kind(words)
    if kind in {SCALE, ASIDE}:
        # 'On a scale of 0 to 100: 72', but not 'maximum: 100'.
        return ALONE if "scale" in words and any(token[0].isdigit() for token in rest) else None
    if kind != PART:
        return kind
    if not SCORE_WORDS.of_errors.isdisjoint(words):
        return None
    return NAMED if SCORE_WORDS.strong_nouns.isdisjoint(words) else PART


def _named(rest: Sequence[str], number: Number) -> str | None:
    """Return the role that a noun gives: 'a score of', 'the rating is', 'total'."""
    last = rest[-1]
    if last == "of":
        return _of_noun(rest[:-1], number)
    if last in SCORE_WORDS.nouns or last in SCORE_WORDS.whole:
        return _kind_of_noun(rest, spread=number.until is not None)
    if last in SCORE_WORDS.copulas:
        # 'The score, given the above, is 72.'
        subject = rest[:-1]
        if "that" in subject:
            subject = subject[subject.index("that") + 1 :]
        words = _words(_clause(subject)) or _words(rest[: rest.index(",")] if "," in rest else [])
        kind = label_kind(words)
        if kind == QUALIFIED:
            # 'The ATS score is 72', but not 'Her TOEFL score was 95'.
            return PART if last == "was" else NAMED
        told = last == "was" and SCORE_WORDS.nouns.isdisjoint(words)
        return kind if kind in {TOTAL, SCORE} and not told else None
    return None


def _of_noun(tokens: Sequence[str], number: Number) -> str | None:
    """Return the role of a number behind 'a score of', 'a total of'."""
    if not tokens or (tokens[-1] not in SCORE_WORDS.nouns and tokens[-1] not in SCORE_WORDS.whole):
        return None
    if tokens[-1] not in SCORE_WORDS.nouns and number.top is None and SCORE_WORDS.giving.isdisjoint(tokens):
        # 'She completed a total of 45.'
        return None
    kind = _kind_of_noun(tokens)
    return PART if kind == QUALIFIED else kind


def _kind_of_noun(tokens: Sequence[str], *, spread: bool = False) -> str | None:
    """Return the kind of the noun that ends the tokens, by the words between it and its article."""
    words: list[str] = []
    giving, given = SCORE_WORDS.giving, SCORE_WORDS.given
    for token in reversed(tokens):
        if token in SCORE_WORDS.articles or not token[0].isalpha() or (words and (token in giving or token in given)):
            break
        words.insert(0, token)
    kind = label_kind(words)
    is_verb = words[-1:] == ["scores"] or spread or not SCORE_WORDS.modals.isdisjoint(words)
    if kind == PART and is_verb and words[-1] in giving and words[-1] not in SCORE_WORDS.weak:
        # 'Would likely score', but not 'TOEFL score'.
        return QUALIFIED
    return kind if kind in {TOTAL, SCORE, QUALIFIED} else None


def _given(rest: Sequence[str], tokens: Sequence[str], number: Number) -> str | None:
    """Return a score where a verb gives the number: 'I would rate her a 7', 'I'd say 70'."""
    if rest[-1] in SCORE_WORDS.copulas and len(rest) == len(tokens):
        return None
    linked = rest[-1] in SCORE_WORDS.links
    loose = linked or len(rest) != len(tokens) or number.until is not None
    giving, given, breaks = SCORE_WORDS.giving, SCORE_WORDS.given, SCORE_WORDS.breaks
    for place in range(len(rest) - 1 - linked, max(-1, len(rest) - 20), -1):
        token = rest[place]
        if token in giving or (linked and token in SCORE_WORDS.standing):
            # A noun: 'test scores of', 'awards (2014)', 'raised test scores to'.
            following = tokens[place + 1 : place + 2]
            is_noun = following in (["of"], ["("]) or (
                token in SCORE_WORDS.nouns and (place == len(rest) - 1 or following == ["to"])
            )
            return None if is_noun else SCORE
        if token in given:
            return None if SCORE_WORDS.speaking.isdisjoint(rest) else SCORE
        if token in breaks or (not loose and token in SCORE_WORDS.prepositions):
            return None
    return None


def _is_adjective(word: str) -> bool:
    """Return whether a word behind an article may be an adjective: 'a solid 72'."""
    return word.isalpha() and word not in SCORE_WORDS.nouns and word not in SCORE_WORDS.giving


def _is_symbol(token: str) -> bool:
    """Return whether a token is a star, an emoji or the like."""
    return not token.isascii() and not token[0].isalnum() and token not in SCORE_WORDS.signs


def _clause(tokens: Sequence[str]) -> Sequence[str]:
    """Return the tokens after the last comma, without a relative clause."""
    end = len(tokens)
    for place in range(len(tokens) - 1, -1, -1):
        if tokens[place] in {",", ";", "|", ":", "but"}:
            if place + 1 < end and tokens[place + 1] in {"which", "who"}:
                end = place
            else:
                return tokens[place + 1 : end]
    return tokens[:end]


def _words(tokens: Sequence[str]) -> list[str]:
    return [token.replace("\u00e9", "e") for token in tokens if token[0].isalpha()]
