"""What a résumé says, before a layout arranges it."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from types import ModuleType

from masking.contact import HOME, MONTHS, address, birth, email, phone, town, urls
from masking.marked import Marked, fill, joined, mark
from masking.names import ORIGINS, SETS
from masking.person import Person, draw_person, words_of

PRONOUNS = {"m": ("he", "his", "him"), "f": ("she", "her", "her")}
#: Category → the chance that a résumé has sentences of it.
CHANCES = {"GENDER": 0.6, "ETHNICITY": 0.45, "RELIGION": 0.4, "DISABILITY": 0.4, "MARITAL": 0.3, "ORIENTATION": 0.3}


@dataclass(frozen=True, slots=True)
class Job:
    title: str
    company: str
    place: Marked
    start: str
    end: str
    bullets: tuple[Marked, ...]

    @property
    def dates(self) -> str:
        return f"{self.start} – {self.end}"


@dataclass(frozen=True, slots=True)
class Degree:
    degree: str
    school: Marked
    start: Marked
    year: Marked
    #: The time of study as a set writes it, if it has ways of its own.
    when: Marked = Marked()  # noqa: RUF009 - frozen


class Writer:
    """Fills the sentences of one set for one person."""

    def __init__(self, which: str, person: Person, rng: Random) -> None:
        self.which, self.person, self.rng = which, person, rng
        self.used: set[str] = set()
        self.prose: ModuleType = import_module(f"masking.prose_{which}")
        self.identity: ModuleType = import_module(f"masking.identity_{which}")
        self.field = rng.choices(
            list(self.prose.FIELDS),
            [share if person.gender == "f" else 1 - share for share, *_ in self.prose.FIELDS.values()],
        )[0]
        _, self.titles, self.skills, self.objects, self.bullets = self.prose.FIELDS[self.field]

    def pick(self, choices: Sequence[str]) -> str:
        return self.rng.choice(choices)

    def fresh(self, choices: Sequence[str]) -> str:
        """Return a sentence that this résumé doesn't have yet, while there are any."""
        chosen = self.pick([each for each in choices if each not in self.used] or choices)
        self.used.add(chosen)
        return chosen

    def proper(self, choices: Sequence[str]) -> str:
        """Return one of the proper names that share no word with the person's name."""
        return self.pick([each for each in choices if not words_of(each) & self.person.all_tokens])

    def other(self) -> Person:
        origin = self.person.origin if self.rng.random() < 0.4 else self.pick(ORIGINS)
        other = draw_person(self.which, origin, self.pick("mf"), self.rng)
        return other if not other.all_tokens & self.person.all_tokens else self.other()

    def title_of(self, person: Person) -> Marked:
        return mark("GENDER", self.pick(("Mr.", "Mr") if person.gender == "m" else ("Ms.", "Mrs", "Ms", "Mrs.")))

    def fill(self, template: str) -> Marked:
        return fill(template, self.slot)

    def slot(self, name: str) -> "Marked | str":  # noqa: C901, PLR0911, PLR0912
        person, rng, prose = self.person, self.rng, self.prose
        he, his, him = PRONOUNS[person.gender]
        match name:
            case "he" | "his" | "him":
                return mark("GENDER", {"he": he, "his": his, "him": him}[name])
            case "He" | "His":
                return mark("GENDER", {"He": he, "His": his}[name].title())
            case "pronouns":
                return mark("GENDER", self.pick((f"{he}/{him}", f"{he}/{him}/{his}", f"{he.title()}/{him.title()}")))
            case "first":
                return mark("NAME", person.last if "." in person.given else person.given)
            case "last":
                return mark("NAME", person.last)
            case "full":
                return person.plain()
            case "Mr":
                return self.title_of(person)
            case "other" | "another":
                return self.other().plain()
            case "other_first":
                return mark("NAME", self.other().given.split(".")[-1].strip() or self.other().plain().text)
            case "other_initialed":
                return self.other().initialed()
            case "mr_other":
                other = self.other()
                return self.title_of(other) + " " + mark("NAME", other.last)
            case "eth":
                return mark("ETHNICITY", self.pick(self.identity.ETHNIC[person.origin]))
            case "nat":
                return mark("ETHNICITY", self.pick(self.identity.NATIONALITY[person.origin]))
            case "rel":
                return mark("RELIGION", self.pick(self.identity.RELIGION_OF[person.origin]))
            case "marital":
                return mark("MARITAL", self.pick(self.identity.MARITAL_WORDS))
            case "Marital":
                return mark("MARITAL", self.pick(self.identity.MARITAL_WORDS).capitalize())
            case "spouse":
                usual = "wife" if person.gender == "m" else "husband"
                return mark("MARITAL", self.pick((usual, usual, "spouse", "fiancée" if usual == "wife" else "fiancé")))
            case "title":
                return self.pick(self.titles)
            case "object":
                return self.pick(self.objects)
            case "industry":
                return self.pick(prose.INDUSTRIES)
            case "company":
                return self.proper(prose.COMPANIES)
            case "school":
                return mark("SCHOOL", self.proper(prose.SCHOOLS))
            case "land":
                return mark("ETHNICITY", self.pick(self.identity.LANDS[person.origin]))
            case "native":
                return self.identity.NATIVE[person.origin]
            case "month":
                return self.pick(MONTHS)
            case "year":
                return str(rng.randrange(2004, 2025))
            case "money":
                return self.pick(("$2.4 million", "EUR 350,000", "£1.1m", "900,000 dollars"))
            case "n":
                return str(rng.randrange(11, 99))
            case "pct":
                return str(rng.randrange(5, 60))
            case "k":
                return str(rng.randrange(3, 10))
        raise KeyError(name)

    def ordinary(self) -> Marked:
        """Return a bullet that tells nothing about who the person is."""
        chance, prose = self.rng.random(), self.prose
        if chance < 0.25:
            return self.fill(self.fresh(self.bullets))
        if chance < 0.45:
            return self.fill(self.fresh(prose.TRAPS))
        if chance < 0.52:
            return self.fill(self.fresh(prose.OTHERS))
        rest = f"{self.pick(prose.CONTEXTS)}, {self.pick(prose.RESULTS)}" if chance < 0.9 else self.pick(prose.CONTEXTS)
        return self.fill(f"{self.pick(prose.VERBS)} {self.pick(self.objects)} {rest}.")

    def identity_lines(self) -> list[Marked]:
        """Return sentences that tell who the person is, of some of the categories."""
        lines: list[str] = []
        own = self.identity.GENDER_M if self.person.gender == "m" else self.identity.GENDER_F
        pools = {
            "GENDER": (*self.identity.GENDER_BOTH * 2, *own),
            "ETHNICITY": (*self.identity.ETHNICITY, *self.identity.NATIONAL),
            **{name: getattr(self.identity, name) for name in ("RELIGION", "DISABILITY", "MARITAL", "ORIENTATION")},
        }
        for category, pool in pools.items():
            if self.rng.random() < CHANCES[category]:
                count = self.rng.choice((1, 1, 2)) if category != "MARITAL" else 1
                lines += self.rng.sample(pool, min(count, len(pool)))
        self.rng.shuffle(lines)
        return [self.fill(line) for line in lines]


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """The parts of a résumé; layouts choose and arrange."""

    writer: Writer
    person: Person
    rng: Random
    country: str
    title: str
    summary: Marked
    third: Marked
    jobs: tuple[Job, ...]
    degrees: tuple[Degree, ...]
    skills: tuple[str, ...]
    identity: tuple[Marked, ...]
    certificates: tuple[Marked, ...]
    hobbies: tuple[str, ...]
    email: Marked
    phone: Marked
    address: Marked
    town: Marked
    urls: tuple[Marked, ...]
    birth: Marked
    #: Lines about oneself and about awards, in sets whose sentences have places (`spread.py`).
    personal: tuple[Marked, ...] = ()
    awards: tuple[Marked, ...] = ()

    def languages(self) -> str:
        native = self.writer.identity.NATIVE[self.person.origin]
        more = [each for each in ("English", "French", "Japanese", "Italian") if each != native]
        return ", ".join((f"{native} (native)", f"{more[0]} (fluent)", f"{self.rng.choice(more[1:])} (basic)"))

    def references(self, count: int = 2) -> list[Marked]:
        """Return people who vouch, with how to reach them."""
        found = []
        for _ in range(count):
            other = self.writer.other()
            titled = self.writer.title_of(other) + " " + other.plain() if self.rng.random() < 0.3 else other.plain()
            who = [titled, self.writer.pick(("Head of Operations", "Director", "Team Lead", "Professor"))]
            who += [self.writer.proper(self.writer.prose.COMPANIES)] if self.rng.random() < 0.7 else []
            who += [mark("EMAIL", f"{other.slug('.')}@example.com")] if self.rng.random() < 0.6 else []
            who += [phone(self.country, self.rng)] if self.rng.random() < 0.5 else []
            found.append(joined(", ", who))
        return found

    def publications(self, count: int = 3) -> list[Marked]:
        """Return references to papers, the person one of the authors."""
        prose, found = self.writer.prose, []
        for title in self.rng.sample(prose.TITLES_OF_PAPERS, count):
            authors = [self.person.cited(), *(self.writer.other().cited() for _ in range(self.rng.randrange(1, 3)))]
            self.rng.shuffle(authors)
            year = str(self.rng.randrange(2004, 2025))
            pages = f"{self.rng.randrange(3, 40)}, {self.rng.randrange(11, 99)}-{self.rng.randrange(100, 140)}"
            found.append(joined(", ", authors) + f" ({year}). {title}. {self.rng.choice(prose.JOURNALS)}, {pages}.")
        return found


def _month(style: int, year: int, rng: Random) -> str:
    month = rng.randrange(12)
    return (f"{MONTHS[month]} {year}", f"{month + 1:02d}/{year}", f"{MONTHS[month][:3]} {year}", str(year))[style]


def _jobs(writer: Writer, rng: Random, present: str) -> tuple[Job, ...]:
    style, year, jobs = rng.randrange(4), 2025, []
    for count in range(rng.choice((3, 3, 4, 4, 5))):
        end = present if not count else _month(style, year, rng)
        year -= rng.randrange(1, 5)
        bullets = tuple(writer.ordinary() for _ in range(rng.randrange(4, 10)))
        place = town(writer.which, rng.choice(HOME[writer.person.origin]), writer.person.all_tokens, rng)
        start = _month(style, year, rng)
        jobs.append(Job(writer.pick(writer.titles), writer.proper(writer.prose.COMPANIES), place, start, end, bullets))
    return tuple(jobs)


def _degrees(writer: Writer, rng: Random) -> tuple[Degree, ...]:
    year, degrees = rng.randrange(1992, 2019), []
    for degree in rng.sample(writer.prose.DEGREES, rng.choice((1, 2, 2))):
        school = mark("SCHOOL", writer.proper(writer.prose.SCHOOLS))
        degrees.append(Degree(degree, school, mark("?", str(year - 4)), mark("GRADYEAR", str(year))))
        year -= rng.randrange(4, 7)
    return tuple(degrees)


def draw_body(which: str, person: Person, rng: Random) -> Body:
    """Return the parts of one person's résumé."""
    assert which in SETS
    writer = Writer(which, person, rng)
    prose = writer.prose
    countries = HOME[person.origin]
    country = countries[0] if rng.random() < 0.5 else rng.choice(countries)
    avoided = person.all_tokens
    return Body(
        writer=writer,
        person=person,
        rng=rng,
        country=country,
        title=writer.pick(writer.titles),
        summary=writer.fill(writer.pick(prose.SUMMARY)),
        third=writer.fill(writer.pick(prose.THIRD)),
        jobs=_jobs(writer, rng, rng.choice(("Present", "present", "now"))),
        degrees=_degrees(writer, rng),
        skills=tuple(rng.sample(writer.skills, min(len(writer.skills), rng.randrange(5, 10)))),
        identity=() if hasattr(writer.identity, "PLACES") else tuple(writer.identity_lines()),
        certificates=tuple(writer.fill(each) for each in rng.sample(prose.CERTIFICATES, rng.randrange(3))),
        hobbies=tuple(rng.sample(prose.HOBBIES, 3)),
        email=email(which, person, rng),
        phone=phone(country, rng),
        address=address(which, country, avoided, rng),
        town=town(which, country, avoided, rng),
        urls=tuple(urls(which, person, rng)),
        birth=birth(which, rng),
    )
