"""Train the e-mail classifier of an2024 and write it beside the probe.

    python scripts/train_email_classifier.py

Learnt from: 840 e-mails of the grammar, its decisions as single sentences, and the e-mails
written one by one. 180 others of the grammar fit the abstain zone. The figures in
classifier.toml are those of 180 more, whose sentences are in neither part, and of 320 e-mails
of two authors who wrote nothing else (tests/probes/an2024/other_authors.jsonl).
"""

from dataclasses import replace
from pathlib import Path

import polars as pl

import evenhand.probes.an2024 as package
from evenhand.probes.an2024.classifier import metrics, our_letters, train, zoned
from evenhand.probes.an2024.stimuli import PARTS, labelled_letters

OTHER_AUTHORS = Path(__file__).parents[1] / "tests" / "probes" / "an2024" / "other_authors.jsonl"


def main() -> None:
    folder = Path(package.__file__).parent
    letters = our_letters()
    validation, test = (
        labelled_letters(part, PARTS[part]).with_columns(pl.lit("").alias("name")) for part in ("validation", "test")
    )
    found = zoned(train(letters, report={}), validation)
    report: dict[str, float | int | str] = {"trained on": f"{letters.height} e-mails and sentences of our own"}
    authors = pl.read_ndjson(OTHER_AUTHORS).rename({"label": "decision"})
    for where, frame in (("unseen sentences", test), ("other authors", authors)):
        figures = metrics(found.decide(frame["text"], frame["name"]), frame["decision"].to_list())
        report[f"{where}: e-mails"] = frame.height
        report |= {f"{where}: {key}": round(value, 4) for key, value in figures.items()}
    found = replace(found, report=report)
    for name, text in found.files().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text):,} characters")
    print(found.report)


if __name__ == "__main__":
    main()
