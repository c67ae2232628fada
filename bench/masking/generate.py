"""Annotated résumés from a seed.

    PYTHONPATH=bench python -m masking.generate {open,unseen} --per-origin 20 --seed 1 > resumes.jsonl

Each line: `text`; `spans`, what has to be masked; `ignored`, what may be masked or not;
`known_names`, the name as an employer's system has it; layout, origin, gender. Sets have
other layouts, sentences and names; README.md tells which were looked at while rules were written.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random

from masking.body import draw_body
from masking.marked import Marked
from masking.names import ORIGINS, SETS
from masking.person import Person, draw_person
from masking.spread import spread


def draw_document(which: str, origin: str, number: int, seed: int) -> tuple[Person, str, Marked]:
    """Return a person, the name of a layout and the résumé; the same for the same arguments."""
    rng = Random(f"{which} {origin} {number} {seed}")
    layouts = import_module(f"masking.layouts_{which}").LAYOUTS
    person = draw_person(which, origin, "mf"[number % 2], rng)
    layout = rng.choice(list(layouts))
    return person, layout, layouts[layout](spread(draw_body(which, person, rng)))


def resume(which: str, origin: str, number: int, seed: int) -> dict:
    """Return one résumé with its annotations."""
    person, layout, document = draw_document(which, origin, number, seed)
    return {
        "id": f"{which}-{origin}-{number:04d}",
        "text": document.text,
        "spans": [list(span) for span in document.spans()],
        "ignored": [list(span) for span in document.ignored()],
        "known_names": [person.name],
        "all_names": [each for each in (person.name, person.nick, person.former, person.script) if each],
        "layout": layout,
        "origin": origin,
        "gender": person.gender,
    }


def resumes(which: str, *, per_origin: int, seed: int) -> Iterator[dict]:
    """Yield that many résumés of every origin, half of them women's."""
    for number in range(per_origin):
        for origin in ORIGINS:
            yield resume(which, origin, number, seed)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("set", choices=SETS)
    parser.add_argument("--per-origin", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for row in resumes(args.set, per_origin=args.per_origin, seed=args.seed):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
