"""What the layouts of the unseen set are put together from."""

from collections.abc import Iterable

from masking.body import Body
from masking.marked import Marked, joined, mark, marked

Text = Marked | str


def stack(*parts: Text | Iterable[Text], gap: str = "\n") -> Marked:
    """Return parts below each other; empty ones are left out."""
    flat = [marked(each) for part in parts for each in ([part] if isinstance(part, Marked | str) else part)]
    return joined(gap, [each for each in flat if each.text])


def paras(*parts: Text | Iterable[Text]) -> Marked:
    return stack(*parts, gap="\n\n")


def part(heading: str, *parts: Text | Iterable[Text], gap: str = "\n") -> Marked:
    """Return parts under a heading, nothing if there are none."""
    inside = stack(*parts, gap=gap)
    return heading + "\n" + inside if inside.text else Marked()


def listed(sign: str, lines: Iterable[Text]) -> list[Marked]:
    return [sign + marked(line) for line in lines]


def jobs(body: Body, head: str, sign: str = "- ") -> list[Marked]:
    """Return jobs with heads like '{title} | {company}'."""
    told = []
    for job in body.jobs:
        slots = {"{title}": job.title, "{company}": job.company, "{dates}": job.dates, "{start}": job.start}
        line = head.replace("{end}", job.end)
        for slot, text in slots.items():
            line = line.replace(slot, text)
        before, *after = line.split("{place}")
        line = before + job.place + after[0] if after else before
        told.append(stack(line, listed(sign, job.bullets)))
    return told


def degrees(body: Body, between: str = ", ") -> list[Marked]:
    return [joined(between, [each.degree, each.school, each.when]) for each in body.degrees]


def _label(line: Text) -> str:
    return marked(line).text.split(":")[0].split(" - ")[0].strip().casefold()


def details(body: Body, *fields: Text) -> list[Text]:
    """Return fields, and lines about oneself whose label is not among them."""
    taken = {_label(field) for field in fields} | {"sex" if any(_label(f) == "gender" for f in fields) else ""}
    return [*fields, *(line for line in body.personal if _label(line) not in taken)]


def gender(body: Body) -> Marked:
    return mark("GENDER", "Male" if body.person.gender == "m" else "Female")
