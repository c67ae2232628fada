"""A person whose name is written as it is where they come from, and how it turns up elsewhere."""

import re
from dataclasses import dataclass, replace
from random import Random

from masking.marked import IGNORED, Marked, mark
from masking.names import NAMES, Names, folded

FAMILY_FIRST = {"chinese": 0.15, "vietnamese": 0.5, "korean": 0.4}
NICKS = {
    "open": {
        "Robert": "Bob",
        "James": "Jim",
        "Thomas": "Tom",
        "Elizabeth": "Liz",
        "Margaret": "Peggy",
        "Krzysztof": "Chris",
        "Aleksandr": "Sasha",
        "Katarzyna": "Kasia",
        "Guadalupe": "Lupe",
        "Reginald": "Reggie",
        "Guillermo": "Memo",
    },
    "unseen": {
        "Andrew": "Drew",
        "Matthew": "Matt",
        "Nicholas": "Nico",
        "Patricia": "Trish",
        "Samantha": "Sam",
        "Theodore": "Teddy",
        "Whitney": "Whit",
        "Francisco": "Paco",
        "Enrique": "Quique",
        "Gabriela": "Gaby",
        "Olufemi": "Femi",
        "Alicja": "Ala",
        "Abdelkader": "Kader",
    },
}
#: English names that people with Chinese, Korean and Vietnamese names go by at work.
GO_BY = {
    "open": {"m": ("Kevin", "Jason", "Eric", "Jack"), "f": ("Amy", "Vivian", "Cindy", "Joyce")},
    "unseen": {"m": ("Simon", "Alan", "Victor", "Gary"), "f": ("Jessie", "Carol", "Phoebe", "Iris")},
}
#: The name in its own script, as some add it in brackets; only the form matters here.
SCRIPTS = {
    "open": {
        "chinese": ("王伟", "李小燕", "張志明"),
        "korean": ("김민준", "박서연"),
        "arabic": ("محمد الهاشمي", "فاطمة حداد"),
        "slavic": ("Андрій Шевченко", "Ольга Петрова"),
        "south_asian": ("प्रिया शर्मा",),
    },
    "unseen": {
        "chinese": ("郑晓峰", "何美玲", "謝文豪"),
        "korean": ("임동훈", "송은미"),
        "arabic": ("حسام القاسم", "ليلى رزوق"),
        "slavic": ("Зоряна Литвин", "Юрий Козлов"),
        "south_asian": ("विशाल जायसवाल", "অপর্ণা গুহ"),
    },
}
PATRONYMICS = {"m": ("Ivanovich", "Petrovich", "Sergeyevich"), "f": ("Ivanovna", "Petrovna", "Sergeyevna")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """One person. `given`, `middle` and `family` are strings, empty where there is none."""

    origin: str
    gender: str
    given: str
    middle: str
    family: str
    family_first: bool = False
    nick: str = ""
    former: str = ""
    suffix: str = ""
    script: str = ""

    @property
    def name(self) -> str:
        parts = (self.family, self.middle, self.given) if self.family_first else (self.given, self.middle, self.family)
        return " ".join(part for part in parts if part)

    @property
    def last(self) -> str:
        return self.family or self.given

    @property
    def tokens(self) -> frozenset[str]:
        """Words of two letters or more of the name, folded."""
        return words_of(self.name)

    @property
    def all_tokens(self) -> frozenset[str]:
        return self.tokens | words_of(self.nick) | words_of(self.former)

    def full(self) -> Marked:
        """Return the name as a heading has it: with a nickname, a suffix, a former name."""
        if self.script:
            return mark("NAME", self.name) + " (" + mark("NAME", self.script) + ")"
        if self.former:
            return mark("NAME", self.name) + " (formerly " + mark("NAME", f"{self.given} {self.former}") + ")"
        if not self.nick:
            return mark("NAME", self.name) + self._suffix()
        quoted = f'"{self.nick}"' if len(self.nick) % 2 else f"({self.nick})"
        rest = " ".join(part for part in (self.middle, self.family) if part)
        return mark("NAME", f"{self.given} {quoted} {rest}") + self._suffix()

    def _suffix(self) -> Marked:
        return Marked(((", ", ""), (self.suffix, IGNORED))) if self.suffix else Marked()

    def plain(self) -> Marked:
        return mark("NAME", self.name)

    def inverted(self) -> Marked:
        if not self.family:
            return self.plain()
        return mark("NAME", f"{self.family}, {' '.join(part for part in (self.given, self.middle) if part)}")

    def inverted_caps(self) -> Marked:
        if not self.family:
            return self.plain()
        return mark("NAME", f"{self.family.upper()}, {self.given}")

    def spaced(self) -> Marked:
        return mark("NAME", "   ".join(" ".join(word) for word in self.name.upper().split()))

    def initialed(self) -> Marked:
        return mark("NAME", f"{self.given[0]}. {self.last}") if self.family else self.plain()

    def cited(self) -> Marked:
        """Return the name as a list of publications has it: Family, G."""
        return mark("NAME", f"{self.family}, {self.given[0]}.") if self.family else self.plain()

    def slug(self, between: str = ".") -> str:
        given = _ascii(self.given)
        return between.join(part for part in (given, _ascii(self.family)) if part)


def words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in re.split(r"[^\w]+", folded(text)) if len(word) > 1)


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", folded(text))


def _family(origin: str, gender: str, names: Names, rng: Random) -> str:
    family = rng.choice(names.family)
    chance = rng.random()
    if origin == "hispanic" and chance < 0.55:
        second = rng.choice([name for name in names.family if name != family])
        return f"{family} {'y ' if chance < 0.05 else ''}{second}"
    if gender == "f" and origin in {"english", "african_american", "west_african", "european"} and chance < 0.1:
        second = rng.choice([name for name in names.family if name != family])
        return f"{family}-{second}"
    if origin == "arabic" and chance < 0.1:
        return f"{'bin' if gender == 'm' else 'bint'} {rng.choice(names.male)} {family}"
    return family


def _middle(origin: str, gender: str, names: Names, given: str, rng: Random) -> str:
    chance = rng.random()
    pool = [name for name in (names.male if gender == "m" else names.female) if name != given]
    if origin == "vietnamese":
        return ("Văn" if gender == "m" else "Thị") if chance < 0.5 else ""
    if origin == "slavic" and chance < 0.08:
        return rng.choice(PATRONYMICS[gender])
    if origin in {"chinese", "korean"}:
        return ""
    if chance < 0.2:
        return f"{rng.choice('ABCDEFGHJKLMNPRST')}."
    return rng.choice(pool) if chance < 0.3 else ""


def unmarked(text: str) -> str:
    """Return text without its marks, case kept: Nguyễn → Nguyen."""
    letters = (folded(char) if len(folded(char)) == 1 else char for char in text)
    return "".join(letter.upper() if char.isupper() else letter for char, letter in zip(text, letters, strict=True))


def draw_person(which: str, origin: str, gender: str, rng: Random) -> Person:
    """Return a random person with names of one set."""
    names = NAMES[which, origin]
    given = rng.choice(names.male if gender == "m" else names.female)
    family = _family(origin, gender, names, rng)
    middle = _middle(origin, gender, names, given, rng)
    if words_of(given) & words_of(family):
        return draw_person(which, origin, gender, rng)
    person = Person(origin=origin, gender=gender, given=given, middle=middle, family=family)
    person = replace(person, family_first=rng.random() < FAMILY_FIRST.get(origin, 0))
    scripts = SCRIPTS[which].get(origin)
    if scripts and rng.random() < 0.06:
        person = replace(person, script=rng.choice(scripts))
    chance = rng.random()
    if origin == "south_asian" and chance < 0.12:
        # Southern habits: initials before the one name, or the one name alone.
        initials = rng.choice(("S.", "K. R.", "P. V.", "M.")) if chance < 0.09 else ""
        return replace(person, given=initials or given, middle="", family=given if initials else "")
    if given in NICKS[which] and chance < 0.5:
        person = replace(person, nick=NICKS[which][given])
    elif origin in FAMILY_FIRST and not person.family_first and chance < 0.15:
        person = replace(person, nick=rng.choice(GO_BY[which][gender]))
    if gender == "f" and rng.random() < 0.04:
        person = replace(person, former=rng.choice(names.family))
    if gender == "m" and origin in {"english", "african_american", "hispanic"} and rng.random() < 0.04:
        person = replace(person, suffix=rng.choice(("Jr.", "III", "Sr.")))
    if rng.random() < (0.5 if origin == "vietnamese" else 0.15):
        person = replace(
            person, given=unmarked(person.given), middle=unmarked(person.middle), family=unmarked(person.family)
        )
    return person
