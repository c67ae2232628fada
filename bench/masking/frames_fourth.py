"""What the layouts of the fourth set are put together from."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from masking.body import Body, Degree, Job
from masking.marked import Marked, joined, mark, marked
from masking.person import Person

Text = Marked | str


def stacked(*parts: Text | Iterable[Text], gap: str = "\n") -> Marked:
    """Return parts below each other; empty ones are left out."""
    flat: list[Marked] = []
    for part in parts:
        flat += [marked(part)] if isinstance(part, Marked | str) else map(marked, part)
    return joined(gap, [part for part in flat if part.text])


def paragraphs(*parts: Text | Iterable[Text]) -> Marked:
    return stacked(*parts, gap="\n\n")


def headed(heading: Text, *parts: Text | Iterable[Text], gap: str = "\n") -> Marked:
    """Return parts under a heading, nothing if there are none."""
    inside = stacked(*parts, gap=gap)
    return stacked(heading, inside) if inside.text else Marked()


def items(sign: str, parts: Iterable[Text]) -> list[Marked]:
    return [sign + marked(part) for part in parts]


def prose(parts: Iterable[Text]) -> Marked:
    return joined(" ", [part for part in map(marked, parts) if part.text])


def jobs(
    body: Body, head: Callable[[Job], Text | Iterable[Text]], sign: str = "- ", *, gap: str = "\n\n", most: int = 99
) -> Marked:
    """Return the jobs, each with its head and its lines."""
    told = []
    for job in body.jobs:
        above = head(job)
        above = [above] if isinstance(above, Marked | str) else list(above)
        told.append(stacked(above, items(sign, job.bullets[:most])))
    return joined(gap, told)


def degrees(body: Body, line: Callable[[Degree], Text], *, gap: str = "\n") -> Marked:
    return joined(gap, map(line, body.degrees))


def first(person: Person) -> Marked:
    return mark("NAME", person.given if person.family and "." not in person.given else person.last)


def last(person: Person) -> Marked:
    return mark("NAME", person.last)


def shouting(person: Person) -> Marked:
    """Return the name with the family name in capitals: Jane DOE."""
    parts = [person.given, person.family.upper()] if person.family else [person.given]
    return mark("NAME", " ".join(parts[::-1] if person.family_first else parts))


def title(person: Person) -> Marked:
    return mark("GENDER", "Mr" if person.gender == "m" else "Ms")


def as_file(person: Person, ending: str) -> Marked:
    """Return a file name that begins with the name: Jane_Doe_cv.pdf."""
    return mark("NAME", person.name.replace(" ", "_").replace(".", "")) + ending


def in_columns(text: Marked, width: int) -> Marked:
    """Return text broken into lines at blanks, as extracted from a page."""
    whole, breaks, begin = text.text, set(), 0
    while len(whole) - begin > width:
        stop = whole.find("\n", begin, begin + width + 1)
        if stop < 0:
            stop = whole.rfind(" ", begin + 1, begin + width + 1)
            if stop <= 0:
                later = [at for at in (whole.find(" ", begin + width), whole.find("\n", begin + width)) if at > 0]
                if not later:
                    break
                stop = min(later)
            breaks.add(stop)
        begin = stop + 1
    at, pieces = 0, []
    for piece, category in text.pieces:
        pieces.append(("".join("\n" if at + i in breaks else char for i, char in enumerate(piece)), category))
        at += len(piece)
    return Marked(tuple(pieces))


def as_lines(text: Marked) -> list[Marked]:
    """Return the lines of a text, each with its marks."""
    lines: list[list[tuple[str, str]]] = [[]]
    for piece, category in text.pieces:
        for count, part in enumerate(piece.split("\n")):
            if count:
                lines.append([])
            if part:
                lines[-1].append((part, category))
    return [Marked(tuple(line)) for line in lines]


def side_by_side(left: Marked, right: Marked, width: int) -> Marked:
    """Return two columns as a reader of pages that keeps the layout gives them."""
    rows = zip_longest(as_lines(left), as_lines(right), fillvalue=Marked())
    return joined("\n", [one + " " * max(2, width - len(one.text)) + other for one, other in rows])


def prefixed(sign: str, text: Marked) -> Marked:
    return joined("\n", [sign + line for line in as_lines(text)])


def ligatures(text: Marked) -> Marked:
    """Return text with the ligatures that typeset pages have; names and addresses are left alone."""
    swapped = (
        (piece if category else piece.replace("fi", "ﬁ").replace("fl", "ﬂ"), category)
        for piece, category in text.pieces
    )
    return Marked(tuple(swapped))


def sentence(text: Text) -> Marked:
    """Return a line with a full stop, if it has no end yet."""
    line = marked(text)
    return line if line.text.rstrip("\"')").endswith((".", "!", "?")) else line + "."


def told(lines: Sequence[Marked]) -> Marked:
    """Return lines as running text."""
    return prose(map(sentence, lines))
