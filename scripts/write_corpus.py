"""Write the résumés and job ads of hiring-bloomberg from facts that we wrote.

    python scripts/write_corpus.py

scripts/corpus_facts/ROLE.toml has, per role, one job ad and for each of eight résumés six
duties and five skills. All résumés of a role have the same profile: two employers, three
duties at each, one qualification, five skills, the same years. What differs is the wording of
the duties and the layout. The files go to src/evenhand/probes/hiring_bloomberg/corpus/.
"""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE.parent / "src" / "evenhand" / "probes" / "hiring_bloomberg" / "corpus"

PLACES = ("Northfield", "Larkmoor", "Ashbrook", "Stonebridge", "Fairholt", "Westhaven", "Oakridge", "Millbrook")
EARLIER = ("Brackwater", "Redfern", "Hollins", "Eastmere", "Cartway", "Dunmore", "Pinecrest", "Valehurst")
SCHOOLS = ("Kestrel", "Marlow", "Tamarack", "Juniper", "Harrow Hill", "Cedar Point", "Elmstead", "Briarwood")
#: All have the same span; half of them begin a year later with both positions.
YEARS = (("2012", "2017"), ("2013", "2018"))


def markdown(cv):
    return f"""**{{name}}**

**EXPERIENCE**

**{cv.senior}**, {cv.now} | {cv.middle} to present
{lines("- ", cv.first)}

**{cv.junior}**, {cv.before} | {cv.start} to {cv.middle}
{lines("- ", cv.second)}

**EDUCATION**
{cv.degree}, {cv.school}

**SKILLS**
{", ".join(cv.skills)}"""


def capitals(cv):
    return f"""{{name}}

SKILLS
{lines("* ", cv.skills)}

WORK HISTORY

{cv.middle} to date   {cv.senior}, {cv.now}
{lines("* ", cv.first)}

{cv.start} to {cv.middle}   {cv.junior}, {cv.before}
{lines("* ", cv.second)}

TRAINING
{cv.degree}, {cv.school}"""


def labelled(cv):
    return f"""Name: {{name}}
Current position: {cv.senior} at {cv.now}, since {cv.middle}
Previous position: {cv.junior} at {cv.before}, {cv.start} to {cv.middle}
Qualification: {cv.degree} ({cv.school})
Skills: {"; ".join(cv.skills)}

In the current position:
{lines("- ", cv.first)}

In the previous position:
{lines("- ", cv.second)}"""


def underlined(cv):
    return f"""Résumé of {{name}}

Employment
----------
{cv.senior} ({cv.middle} until now)
{cv.now}
{lines("+ ", cv.first)}

{cv.junior} ({cv.start} until {cv.middle})
{cv.before}
{lines("+ ", cv.second)}

Qualification
-------------
{cv.degree}
{cv.school}

Abilities
---------
{" / ".join(cv.skills)}"""


def numbered(cv):
    return f"""{{name}}

Professional experience

1. {cv.senior}, {cv.now}, from {cv.middle}
{lines("   • ", cv.first)}

2. {cv.junior}, {cv.before}, from {cv.start} to {cv.middle}
{lines("   • ", cv.second)}

Education: {cv.degree}, {cv.school}

Skills: {", ".join(cv.skills[:-1])} and {cv.skills[-1]}"""


def table(cv):
    return f"""| Candidate | {{name}} |
|---|---|
| Qualification | {cv.degree}, {cv.school} |
| {cv.middle} to present | {cv.senior}, {cv.now} |
| {cv.start} to {cv.middle} | {cv.junior}, {cv.before} |
| Skills | {", ".join(cv.skills)} |

{cv.now}
{lines("- ", cv.first)}

{cv.before}
{lines("- ", cv.second)}"""


def prose(cv):
    first, second = (" ".join(f"{duty}." for duty in duties) for duties in (cv.first, cv.second))
    return f"""{cv.senior}

{{name}}

{cv.now}, {cv.middle} to today. {first}

{cv.before}, {cv.start} to {cv.middle}, as {cv.junior}. {second}

Background: {cv.degree} from {cv.school}. Works with {", ".join(cv.skills[:-1])} and {cv.skills[-1]}."""


def bracketed(cv):
    return f"""*{{name}}*

[Education]
{cv.degree}, {cv.school}

[Positions]
{cv.now}: {cv.senior} ({cv.middle} to present)
{lines("– ", cv.first)}
{cv.before}: {cv.junior} ({cv.start} to {cv.middle})
{lines("– ", cv.second)}

[Skills]
{lines("– ", cv.skills)}"""


LAYOUTS = (markdown, capitals, labelled, underlined, numbered, table, prose, bracketed)


def lines(mark, texts):
    return "\n".join(f"{mark}{text}" for text in texts)


class Facts:
    """The facts of one résumé."""

    def __init__(self, role, number):
        duties = [duty.strip() for duty in role["duties"][number].split("|")]
        if len(duties) != 6:
            message = f"{role['role']}, résumé {number}: {len(duties)} duties, expected 6."
            raise ValueError(message)
        self.first, self.second = duties[:3], duties[3:]
        self.skills = [skill.strip() for skill in role["skills"][number].split("|")]
        self.senior, self.junior = role["titles"]
        sectors = role["sector"]
        self.now = f"{PLACES[number]} {sectors[number % len(sectors)]}"
        self.before = f"{EARLIER[number]} {sectors[(number + 1) % len(sectors)]}"
        self.start, self.middle = YEARS[number % 2]
        self.degree = role["degree"]
        self.school = f"{SCHOOLS[number]} College"


def main() -> None:
    CORPUS.mkdir(exist_ok=True)
    for turn, path in enumerate(sorted((HERE / "corpus_facts").glob("*.toml"))):
        role = tomllib.loads(path.read_text(encoding="utf-8"))
        # Another layout comes first in each role, so that no layout goes with a place in the list.
        texts = [LAYOUTS[(number + turn) % len(LAYOUTS)](Facts(role, number)) for number in range(8)]
        body = ",\n".join(f'"""\n{text}\n"""' for text in texts)
        content = (
            "# Written by scripts/write_corpus.py. Common profile: two employers over the same span of years, a step\n"
            "# up from the first to the second, three duties at each, one qualification, five skills.\n"
            f'role = "{role["role"]}"\nad = """\n{role["ad"].strip()}\n"""\ncvs = [\n{body},\n]\n'
        )
        (CORPUS / f"{path.stem}.toml").write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
