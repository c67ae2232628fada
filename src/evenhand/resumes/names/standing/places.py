"""Where the names of a document stand in a text.

Every token of a name is looked for throughout; tokens that stand together, with initials,
particles, a nickname or a middle name among them, are one place. A token alone that is
also a word, a month, a place or a tool counts only where it is used as a name.
"""

import re
from collections.abc import Iterable

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.lists import name_words, no_names
from evenhand.resumes.names.others.singles import single_places
from evenhand.resumes.names.parts import PARTICLES, Name, Names
from evenhand.resumes.names.standing.contexts import is_likely, is_possible
from evenhand.resumes.names.standing.hits import UNSPACED, Hit, hits_of, with_initial
from evenhand.resumes.names.standing.reading import is_introduced, kind_of_token, speaks_often, stands_for_person
from evenhand.resumes.names.standing.recasing import has_no_capitals, with_capitals
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS
from evenhand.resumes.names.usage import is_used_as_name
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["standing"]

_PARTICLE = "|".join(sorted((re.escape(each) for each in PARTICLES), key=len, reverse=True))
_BETWEEN = lazy_re(
    r"[ \t]{0,4}\n?[ \t>]{0,4}|[ ]*[|\t][ ]*|;|[ \t]{2,40}|\.[ ]|[ ]{1,4}[A-Z][ ]?\.?[ ]{1,4}|,[ ]{0,2}\n?[ ]{0,2}|"
    r"[ ][a-z]\.[ ]|[-_./+]|\}[ ]?\{|%20|[ ]?,?[ ]?(?:[A-Z]\.?[ -]?){1,3}[ ]?"
    r"|[ ]?[\"'(]|[\"')],?[ ]|,?[ ]?[\"'(“][^\W\d_][\w' .-]{0,24}[\"')”],?[ ](?:[A-Z][\w'-]+[ ]){0,2}"
    rf"|[ ,_.-]*\n?[ \t>]*(?i:(?:{_PARTICLE})(?:[ _.'-]+|[ \t]*\n[ \t>]*)){{1,3}}|[ ](?:[A-Z][\w'-]+[ ]){{1,2}}"
    rf"|(?:[ \t]*[\n ][ \t>]*(?:[A-Z]\.?|[a-z]\.|(?i:{_PARTICLE}))){{1,4}}[ \t]*[\n ][ \t>]*"
    rf"|(?:[_.-]{{1,2}}(?:[A-Za-z]|(?i:{_PARTICLE}))){{1,3}}[_.-]{{1,2}}",
)
_LEFT_INITIALS = lazy_re(
    r"(?<![\w.&])(?<!\w')(?:(?:[A-Z]\.(?:-?[a-z]\.)?[ -]{0,3}|[A-Z] |[A-Z]-[A-Z] ){1,3}|[A-Z]{2,3} )$"
)
_FILED_INITIAL = rf"(?:(?<=_)[a-z](?=(?:{_PARTICLE})_))?"
_LEFT_PARTICLES = lazy_re(
    rf"(?<![^\W_])(?<!-)(?<!\w'){_FILED_INITIAL}(?:(?:{_PARTICLE})(?:[ _'-]|[ ]?\n[ \t>]*)){{1,3}}$", re.IGNORECASE
)
#: What a field, a column's width or a line cuts off: `Given names: Nurul binti`.
_RIGHT_PARTICLES = lazy_re(rf"(?: (?:{_PARTICLE})){{1,3}}(?=[ ]{{2}}|[ ]?[\n|;]|$)", re.IGNORECASE)
_CAPITAL_PARTICLE = lazy_re(rf" (?=[A-Z])(?:(?i:{_PARTICLE}))(?=[ ][a-z(]|[,.;:)!?])")
_SMALL_INITIAL = lazy_re(r"(?<![\w.'&])([a-z])\.[ ]$")
_SMALL_AFTER = lazy_re(r"[ ]([b-hj-z])(?=[,.;])")
#: An initial behind a surname in a file's name: `Roe_A_CV.pdf`.
_FILED = lazy_re(r"_([a-z])(?=[_.])")
_RIGHT_INITIALS = lazy_re(
    r",? ?(?:[A-Z]\.[ -]?){1,3}(?![\w])(?<![ -])|,? ?(?:[A-Z]\.){1,3}(?![A-Z])|,?(?: [A-Z](?![\w'.&+#/-])){1,3}"
    r"|[ ][A-Z]{2,3}(?![\w'.&+#/-])"
)
_GENERATION = lazy_re(r",? (?:Jr|Sr)\b\.?|,? (?:II|III|IV)\b")
_LEFT_HALF = lazy_re(r"(?<![\w-])[A-Z][\w']+-$")
_RIGHT_HALF = lazy_re(r"-[A-Z][\w']+(?![\w-]*\d)")
_LONGEST_GAP = 40
#: The most frequent gaps.
_JOINING = frozenset(" \n.-_")
_ATTACHED = lazy_re(r"\d{1,8}(?![\d.])")


def standing(folded: FoldedText, layout: Layout, names: Names, *, strict: bool = False) -> list[Found]:
    """Return the places of all names of a document.

    A word of a known name is the name wherever it has a capital, or stands in a text without any, if only it may be;
    a word of another sure name where that is likely. `strict`: both wherever they may be, however unlikely.
    """
    found: list[Found] = []
    seen = with_capitals(folded) if names.others else folded
    for view, names_of_kind, rule, confidence in (
        (folded, names.person, "person", 0.98),
        (seen, names.others, "other person", 0.9),
    ):
        for name in names_of_kind:
            places = _places(view, layout, name, own=rule == "person", names=names, strict=strict)
            found += [
                Found(start=start, end=end, category="NAME", rule=rule, confidence=confidence) for start, end in places
            ]
    alone = {name.tokens[0] for name in names.others if len(name.tokens) == 1}
    if alone:
        found += [
            Found(start=start, end=end, category="NAME", rule="other person", confidence=0.9)
            for start, end in single_places(seen)
            if folded.low[start:end] in alone
        ]
    return found


def _places(
    folded: FoldedText, layout: Layout, name: Name, *, own: bool, names: Names, strict: bool
) -> Iterable[tuple[int, int]]:
    sure, told = names.sure, names.sure if strict else names.known
    hits = hits_of(folded, layout, name, known=names.known if own else frozenset(), own=own)
    unclear: list[tuple[int, int, str]] = []
    alone: set[str] = set()
    place = 0
    while place < len(hits):
        start, end, token = hits[place]
        tokens = {token}
        place += 1
        while place < len(hits) and _belongs(folded, hits[place - 1], end, hits[place], tokens):
            end = max(end, hits[place][1])
            tokens.add(hits[place][2])
            place += 1
        whole = len(tokens) > 1 and sure.issuperset(tokens) and tokens.issuperset((name.tokens[0], name.tokens[-1]))
        if _is_words(folded, start, end, tokens, whole=whole, known=names.known.issuperset(tokens)):
            continue
        grown = _grown(folded, name, start, end)
        if len(tokens) > 1 or "" in tokens or grown.sure:
            yield grown.start, grown.end
            continue
        if own and token in told and _may_be_the_name(folded, start, end, token, strict=strict):
            counts: bool | None = True
        else:
            counts = _counts_alone(folded, layout, start, end, token, own=own, given=token in sure)
        if counts is None:
            unclear.append((grown.start, grown.end, token))
        elif counts:
            alone.add(token)
            yield grown.start, grown.end
    yield from ((start, end) for start, end, token in unclear if token in alone)


def _may_be_the_name(folded: FoldedText, start: int, end: int, token: str, *, strict: bool) -> bool:
    """Say whether a word may be the name at all: it has a capital, or none has one, and no date or the like behind."""
    kind = kind_of_token(token)
    if kind is None or not (folded.text[start].isupper() or has_no_capitals(folded)):
        return False
    return is_possible(folded.text, start, end, kind, strict=strict)


#: What stands behind a whole name after a label: `from: may tan <`.
_APART = lazy_re(r"[ \t|,;.]*(?:$|[<(\[\n])")


def _is_words(folded: FoldedText, start: int, end: int, tokens: set[str], *, whole: bool, known: bool) -> bool:
    """Say whether tokens in small letters side by side are words only; not where a whole line is the name.

    The whole of a sure name is the name in a line without capitals, of a known one in any, but for `will chase`.
    """
    if len(tokens) < 2 or "" in tokens or not folded.text[start:end].islower():
        return False
    if is_introduced(folded.low, start):
        return False
    if any(each and kind_of_token(each) in {None, "short"} for each in tokens):
        return False
    written = folded.text[start:end]
    if (whole and " " not in written) or (known and written.replace(".", "").replace("_", "").isalpha()):
        return False  # ruby-page, min.ji.park
    low = folded.low
    first, last = low.rfind("\n", 0, start) + 1, low.find("\n", end)
    last = last if last >= 0 else len(low)
    modal = low.startswith(("will ", "may ", "can "), start) and low[end + 1 : end + 2].isalpha()
    left = low[first:start].rstrip()
    labelled = left.endswith((":", "signed")) and _APART.match(low, end, last) is not None
    if whole and (labelled or left.endswith(': "') or (not modal and (known or folded.text[first:last].islower()))):
        return False
    return bool((low[first:start] + low[end:last]).strip(" \t*#_|,.-"))


def _belongs(folded: FoldedText, before: Hit, end: int, hit: Hit, tokens: set[str]) -> bool:
    if hit[0] - end > _LONGEST_GAP:
        return False
    gap = folded.text[end : hit[0]]
    if gap not in _JOINING and _BETWEEN.fullmatch(gap) is None:
        return False
    if "," in gap and (hit[2] in tokens or "" in tokens or not hit[2]):
        return False  # a list of mentions
    if folded.text[before[0] : before[1]].islower() and before[2] == hit[2]:
        return False  # Every summer Summer
    return hit[2] not in tokens or gap in {".", "_"} or (gap == " " and folded.text[hit[0]].isupper())  # Cruz Cruz


class _Grown:
    __slots__ = ("end", "start", "sure")

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end, self.sure = start, end, False


def _grown(folded: FoldedText, name: Name, start: int, end: int) -> _Grown:  # noqa: C901, PLR0912 - one step per thing that may stand beside
    """Return a place with the initials, particles and halves of a double name around it."""
    text, low = folded.text, folded.low
    grown = _Grown(start, end)
    capital = not text[start:end].islower() or not text[start].isascii()
    if not capital:
        others = {token[0] for token in name.tokens if token != low[start:end]}
        if (joined := with_initial(low, start, end, others)) is not None:
            grown.start, grown.end, grown.sure = *joined, True
            return grown
    if capital:
        if text[start - 1 : start] == "-" and (half := _LEFT_HALF.search(text, max(0, start - 24), start)) is not None:
            grown.start = half.start()
        if text[end : end + 1] == "-" and (half := _RIGHT_HALF.match(text, end)) is not None:
            grown.end = half.end()
    if name.particles:
        particles = _LEFT_PARTICLES.search(text, max(0, grown.start - 20), grown.start)
        parts = re.split(r"[ _'>\s-]", particles.group().lower()) if particles is not None else ()
        if particles is not None and not name.particles.isdisjoint(parts):
            grown.start, grown.sure = particles.start(), True
        after = _RIGHT_PARTICLES.match(text, grown.end) if capital else None
        if after is not None and name.particles.issuperset(after.group().lower().split()):
            grown.end, grown.sure = after.end(), True
        part = _CAPITAL_PARTICLE.match(text, grown.end) if capital else None
        if part is not None and text[start : part.end()].lower() in name.text.lower():
            grown.end, grown.sure = part.end(), True  # 'Le Van spent seven years', of Le Van Phuc
    if capital:
        before = text[max(0, grown.start - 4) : grown.start].rstrip(" -")
        if before.endswith(".") or before[-1:].isupper():
            initials = _LEFT_INITIALS.search(text, max(0, grown.start - 10), grown.start)
            if initials is not None and _fits(initials.group(), name):
                grown.start, grown.sure = initials.start(), True
        abbreviated = MENTION_WORDS.left_abbreviated.search(text, max(0, grown.start - 6), grown.start)
        if abbreviated is not None:
            grown.start, grown.sure = abbreviated.start(), True
        if text[grown.end : grown.end + 3].lstrip(" ,")[:1].isupper():
            initials = _RIGHT_INITIALS.match(text, grown.end)
            if initials is not None and _fits(initials.group(), name):
                grown.end, grown.sure = initials.end(), True
            generation = _GENERATION.match(text, grown.end)
            if generation is not None:
                grown.end = generation.end()
    elif (
        text[start - 2 : start] == ". "
        and (initial := _SMALL_INITIAL.search(low, max(0, start - 4), start))
        and initial.group(1) in name.initials
    ):
        grown.start, grown.sure = initial.start(), True
    elif (initial := _SMALL_AFTER.match(low, end)) is not None and initial.group(1) in name.initials:
        grown.end, grown.sure = initial.end(), True  # 'castell j, roe b. on fog'
    if low[end : end + 1] == "_" and (initial := _FILED.match(low, end)) and initial.group(1) in name.initials:
        grown.end = initial.end()
    if end < len(low) and low[end].isdigit() and low[end - 1].isalpha():
        digits = _ATTACHED.match(low, end)
        if digits is not None:
            grown.end, grown.sure = digits.end(), len(digits.group()) > 1 or low[start:end] == text[start:end]
    return grown


def _fits(initials: str, name: Name) -> bool:
    """Say whether initials are the name's; dotted ones may be a middle name's."""
    letters = [letter.lower() for letter in initials if letter.isalpha()]
    if len(letters) > 1 and "." not in initials:
        return all(letter in name.initials for letter in letters)
    if any(letter in name.initials for letter in letters):
        return True
    return "." in initials


def _counts_alone(
    folded: FoldedText, layout: Layout, start: int, end: int, token: str, *, own: bool, given: bool
) -> bool | None:
    """Say whether a single token at a place is the name; None where it can be a word as well."""
    written = folded.text[start:end]
    if UNSPACED.search(token) is not None:
        return True
    if not own:
        return _counts_as_other(folded, layout, start, end, token)
    kind = kind_of_token(token)
    if kind is None:
        return (len(token) > 3 or not written.islower()) and not _names_a_place(folded.text, start)
    told = stands_for_person(folded, layout, start, end, kind, given=given)
    open_to_weights = told is not True and given and (written[0].isupper() or has_no_capitals(folded))
    return True if open_to_weights and is_likely(folded.text, start, end, kind) else told


def _names_a_place(text: str, start: int) -> bool:
    """Say whether the word before makes a name a town: `San Jose`, `St. Louis`."""
    return MENTION_WORDS.before_towns.search(text, max(0, start - 7), start) is not None


_LONGEST_ACRONYM = 6


def _is_of_a_thing(text: str, start: int, end: int) -> bool:
    """Say whether a word is a firm's or a school's name, or letters that stand for words: capitals among small ones."""
    if AROUND_WORDS.organisation_after.match(text, end) is not None:
        return True
    beside = text[max(0, start - 24) : start] + text[end : end + 24]
    return end - start < _LONGEST_ACRONYM and text[start:end].isupper() and any(map(str.islower, beside))


def _counts_as_other(folded: FoldedText, layout: Layout, start: int, end: int, token: str) -> bool:
    """Say whether a single token of another person's name is that name."""
    text = folded.text
    if no_names().get(token) == "other":
        return is_used_as_name(folded, layout, start, end, "tool")
    kind, written = name_words().get(token), text[start:end]
    beside = (text[start - 1] if start else " ") + (text[end] if end < len(text) else " ")
    if "_" in beside or "@" in beside:
        return True
    if kind is None and len(token) > 2:
        return (len(token) > 3 or not written.islower()) and not _is_of_a_thing(text, start, end)
    if not written[0].isupper() and written.isascii():
        return False
    return (beside == "\n:" and speaks_often(folded.low, token)) or is_used_as_name(
        folded, layout, start, end, kind if kind is not None else "short"
    )
