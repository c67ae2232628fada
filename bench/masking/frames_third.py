"""What the layouts of the third set are put together from."""

from collections.abc import Callable

from masking.body import Body, Degree, Job
from masking.marked import Marked, joined, mark, marked
from masking.person import Person

Text = Marked | str


def in_lines(*lines: Text) -> Marked:
    return joined("\n", [line for line in lines if marked(line).text])


def blocks(*blocks: Text) -> Marked:
    return joined("\n\n", [block for block in blocks if marked(block).text.strip()]) + "\n"


def section(title: str, *lines: Text) -> Marked:
    return title + "\n" + in_lines(*lines) if any(marked(line).text for line in lines) else Marked()


def listed(lines: tuple[Text, ...], sign: str = "- ") -> list[Marked]:
    return [sign + marked(line) for line in lines]


def jobs_of(body: Body, head: Callable[[Job], Text], sign: str = "• ", gap: str = "\n\n") -> Marked:
    return joined(gap, [in_lines(head(job), *listed(job.bullets, sign)) for job in body.jobs])


def studies_of(body: Body, line: Callable[[Degree], Text], gap: str = "\n") -> Marked:
    return joined(gap, [line(degree) for degree in body.degrees])


def forenames(person: Person) -> Marked:
    return mark("NAME", " ".join(part for part in (person.given, person.middle) if part))


def surname(person: Person) -> Marked:
    return mark("NAME", person.last)


def initials(person: Person) -> Marked:
    """Return the name with initials before the family name: A. B. Family."""
    if not person.family:
        return person.plain()
    letters = [part[0] + "." for part in (person.given, person.middle) if part]
    return mark("NAME", f"{' '.join(letters)} {person.family}")


def file_name(person: Person, ending: str) -> Marked:
    return mark("NAME", person.name.replace(" ", "_")) + ending


def wrapped(text: Marked, width: int) -> Marked:
    """Return the text with lines broken at blanks, as they are in text taken from a PDF."""
    plain, breaks, column, blank = text.text, set(), 0, -1
    for at, char in enumerate(plain):
        column = 0 if char == "\n" else column + 1
        if char == "\n":
            blank = -1
        elif char == " ":
            blank = at
        if column > width and blank >= 0:
            breaks.add(blank)
            column, blank = at - blank, -1
    pieces, at = [], 0
    for piece, category in text.pieces:
        pieces.append(("".join("\n" if at + i in breaks else char for i, char in enumerate(piece)), category))
        at += len(piece)
    return Marked(tuple(pieces))
