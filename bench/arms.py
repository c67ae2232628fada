"""Arms of résumés: templates per second, and texts per second that are filled from them, on one core.

    python bench/arms.py [--people 200] [--repeats 5]

The résumés are those of hiring-bloomberg under names of its table, with an e-mail, a web address, titles and pronouns.
Every kind of arm by gender is filled under every name.
"""

import argparse
import time
from random import Random

from evenhand.lexicons.names import group_names
from evenhand.probes.hiring_bloomberg.corpus import own_corpus
from evenhand.resumes.arms.arms import KINDS, Arms
from evenhand.resumes.arms.choosing import choose_names
from evenhand.resumes.arms.template import templates_of
from evenhand.resumes.people.person import Person


def people(n: int) -> list[Person]:
    rng = Random(1)
    cvs = [cv for role in own_corpus() for cv in role.cvs]
    found = []
    for number in range(n):
        name = rng.choice(group_names())
        first, last = name.name.split()
        title, pronoun = ("Ms.", "her") if name.signals["gender"] == "female" else ("Mr.", "his")
        text = (
            f"{cvs[number % len(cvs)].replace('{name}', name.name)}\n\n{first.lower()}.{last.lower()}@example.org\n"
            f"linkedin.com/in/{first.lower()}-{last.lower()}\n{title} {last} led {pronoun} team. {first} is punctual.\n"
        )
        found.append(Person(id=str(number), text=text, known_names=(name.name,), protected=name.signals))
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    given = people(args.people)
    templates_of(given[:10])
    started = time.perf_counter()
    made = templates_of(given)
    taken = time.perf_counter() - started
    arms = Arms(choice=choose_names(group_names(), by=["gender"]), kinds=KINDS)
    best, texts, characters = float("inf"), 0, 0
    for _ in range(args.repeats):
        started = time.perf_counter()
        lengths = [len(found.text) for template in made.templates for _, _, found in arms.texts(template)]
        best = min(best, time.perf_counter() - started)
        texts, characters = len(lengths), sum(lengths)
    print(f"{len(given) / taken:,.0f} templates/s ({len(made.templates)} of {len(given)} résumés)")
    print(
        f"{texts / best:,.0f} arm texts/s of {characters / texts:,.0f} characters ({texts:,}, best of {args.repeats})"
    )


if __name__ == "__main__":
    main()
