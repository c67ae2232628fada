"""Learns the weights of evenhand.masking.names.mentions: `python scripts/train_own_name.py`.

Reads own_name_contexts.csv beside it: places of words that are names as well, each with what stands on both sides in
its line and whether it was the person. Writes own_name_weights.csv into the package, and own_name_weights_small.csv
for texts without capitals: from the same places in small letters, and from places of ordinary words.
"""

import csv
from collections import Counter
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from evenhand.masking.names.mentions import features

CONTEXTS = Path(__file__).with_name("own_name_contexts.csv")
NAMES = Path(__file__).parents[1] / "src/evenhand/masking/names"
#: A feature that is rarer says more about its text than about names.
LEAST = 2
#: The inverse of the L2 penalty, chosen with whole sets of texts left out.
STRENGTH = 10.0


def contexts(path: Path = CONTEXTS, *, small: bool) -> list[tuple[str, str, str, str, int]]:
    """Return left, word, right, kind of the word and whether it was the person, of each place once."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if small or not row["word"].islower()]
    told = [((row["left"], row["word"], row["right"]), row["kind"], int(row["person"])) for row in rows]
    seen = {tuple(part.lower() if small else part for part in place): rest for place, *rest in told}
    return [(*place, kind, person) for place, (kind, person) in sorted(seen.items())]


def learned(path: Path = CONTEXTS, *, small: bool) -> dict[str, float]:
    """Return the weight of each feature, and the intercept first."""
    rows = contexts(path, small=small)
    told = [set(features(left, word, right, kind)) for left, word, right, kind, _ in rows]
    counts = Counter(feature for each in told for feature in each)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform([{each: 1 for each in sorted(row) if counts[each] >= LEAST} for row in told])
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(matrix, [person for *_, person in rows])
    weights = zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
    return {"intercept": float(model.intercept_[0])} | {name: float(weight) for name, weight in weights}


def weights_file(*, small: bool) -> Path:
    """Return where the weights for texts with capitals or for those without stand."""
    return NAMES / ("own_name_weights_small.csv" if small else "own_name_weights.csv")


def main() -> None:
    for small in (False, True):
        weights = learned(small=small)
        with weights_file(small=small).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")  # noqa: TID251 - data of the package, not for spreadsheets
            writer.writerow(["feature", "weight"])
            writer.writerows((feature, round(weight, 3)) for feature, weight in weights.items())
        print(f"{file.name}: {len(weights) - 1:,} features")


if __name__ == "__main__":
    main()
