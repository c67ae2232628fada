"""Learns the weights of evenhand.resumes.names.contexts: `python scripts/train_own_name.py`.

Reads own_name_contexts.csv beside it: places of words that are names as well, each with what stands on both sides in
its line and whether it was the person. Writes own_name_weights.csv into the package.
"""

import csv
from collections import Counter
from pathlib import Path

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from evenhand.resumes.names.contexts import features

CONTEXTS = Path(__file__).with_name("own_name_contexts.csv")
WEIGHTS = Path(__file__).parents[1] / "src/evenhand/resumes/names/own_name_weights.csv"
#: A feature that is rarer says more about its text than about names.
LEAST = 2
#: The inverse of the L2 penalty, chosen with whole sets of texts left out.
STRENGTH = 10.0


def learned(contexts: Path = CONTEXTS) -> dict[str, float]:
    """Return the weight of each feature, and the intercept first."""
    with contexts.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    told = [set(features(row["left"], row["word"], row["right"], row["kind"])) for row in rows]
    counts = Counter(feature for each in told for feature in each)
    vectors = DictVectorizer()
    matrix = vectors.fit_transform([{each: 1 for each in sorted(row) if counts[each] >= LEAST} for row in told])
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(matrix, [int(row["person"]) for row in rows])
    weights = zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
    return {"intercept": float(model.intercept_[0])} | {name: float(weight) for name, weight in weights}


def main() -> None:
    weights = learned()
    with WEIGHTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["feature", "weight"])
        writer.writerows((name, round(weight, 3)) for name, weight in weights.items())
    print(f"{len(weights) - 1:,} features")


if __name__ == "__main__":
    main()
