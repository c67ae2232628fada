"""Train the e-mail classifier of an2024 and write it beside the probe.

    python scripts/train_email_classifier.py

840 e-mails of the grammar and all single written ones are learnt from; 180 others fit the
abstain zone, 180 more and nothing else give the figures in classifier.toml. No sentence of
the grammar is in two of these parts.
"""

from dataclasses import replace
from pathlib import Path

import polars as pl

import evenhand.probes.an2024 as package
from evenhand.probes.an2024.classifier import metrics
from evenhand.probes.an2024.letters import PARTS, labelled_letters
from evenhand.probes.an2024.train import our_letters, train, zoned


def main() -> None:
    folder = Path(package.__file__).parent
    letters = our_letters()
    validation, test = (
        labelled_letters(part, PARTS[part]).with_columns(pl.lit("").alias("name")) for part in ("validation", "test")
    )
    found = zoned(train(letters, report={}), validation)
    figures = metrics(found.decide(test["text"], test["name"]), test["decision"].to_list())
    report = {"trained on": f"{letters.height} e-mails of our own", "test e-mails": test.height}
    found = replace(found, report={**report, **{key: round(value, 4) for key, value in figures.items()}})
    for name, text in found.files().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(text):,} characters")
    print(found.report)


if __name__ == "__main__":
    main()
