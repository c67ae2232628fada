"""Arms of résumés: templates beside masking, and texts per second that are filled from them, on one core.

    python bench/arms.py [--people 165] [--repeats 5]

Templates are made of the résumés of `masking.generate`, their names given, by turns with masking the same texts: their
recognition alone (`mask_text`), and as `evenhand mask` does a Markdown document, which is read again. Texts of arms are
filled from résumés of hiring-bloomberg under names of its table, with an e-mail, a web address, titles and pronouns:
every kind of arm by gender under every name.
"""

import argparse
import time
from collections.abc import Callable
from itertools import islice
from random import Random

from evenhand.data.lexicons.names import group_names
from evenhand.masking.documents.request import Request
from evenhand.masking.documents.text import masked_markdown
from evenhand.masking.mask import mask_text
from evenhand.masking.people import Person
from evenhand.probes.hiring_bloomberg.corpus import builtin_corpus
from evenhand.synthetic.arms import KINDS, Arms, choose_names
from evenhand.synthetic.templates import template_of, templates_of
from masking.generate import resumes


def people(n: int) -> list[Person]:
    rng = Random(1)
    cvs = [cv for role in builtin_corpus() for cv in role.cvs]
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


def generated(n: int) -> list[Person]:
    rows = islice(resumes("open", per_origin=-(-n // 11), seed=13), n)
    return [Person(id=row["id"], text=row["text"], known_names=tuple(row["known_names"])) for row in rows]


def as_document(person: Person) -> object:
    return masked_markdown(person.text.encode(), Request(known_names=person.known_names))


def by_cpu(works: dict[str, Callable[[Person], object]], given: list[Person], repeats: int) -> dict[str, float]:
    """Return seconds of CPU per résumé, the best of several turns."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, work in works.items():
            started = time.process_time()
            for person in given:
                work(person)
            best[name] = min(best[name], (time.process_time() - started) / len(given))
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=165)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    works: dict[str, Callable[[Person], object]] = {
        "mask_text": lambda person: mask_text(person.text, known_names=person.known_names),
        "masked document": as_document,
        "template": template_of,
    }
    given = generated(args.people)
    by_cpu(works, given[:10], 1)
    best = by_cpu(works, given, args.repeats)
    words = sum(len(person.text.split()) for person in given) // len(given)
    each = ", ".join(f"{name} {1 / seconds:,.0f}" for name, seconds in best.items())
    ratios = [best["template"] / best[name] for name in ("mask_text", "masked document")]
    print(f"{len(given)} résumés of {words} words, per second of CPU: {each}")
    print(f"a template costs {ratios[0]:.2f} times mask_text, {ratios[1]:.2f} times masking the document")
    made = templates_of(people(args.people))
    arms = Arms(choice=choose_names(group_names(), by=["gender"]), kinds=KINDS)
    seconds, texts, characters = float("inf"), 0, 0
    for _ in range(args.repeats):
        started = time.perf_counter()
        lengths = [len(found.text) for template in made.templates for _, _, found in arms.texts(template)]
        seconds = min(seconds, time.perf_counter() - started)
        texts, characters = len(lengths), sum(lengths)
    print(f"{texts / seconds:,.0f} arm texts/s of {characters / texts:,.0f} characters ({texts:,} texts)")


if __name__ == "__main__":
    main()
