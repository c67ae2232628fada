"""Make tests/oracles/two_groups.json: published figures restated, the rest by other packages.

Run from the repository root: python tests/oracles/make_stats.py
"""

import json
from importlib.metadata import version
from pathlib import Path

#: id, focal selected, focal n, reference selected, reference n, where the counts come from, figures read there
CASES = [
    ("two-reference-rows", (7, 15, 14, 25), "Eightfold AI (2023), Responsible AI, table 4", {}),
    ("flip-flop", (2, 5, 3, 5), "Eightfold AI (2023), Responsible AI, tables 5-6",
     {"impact_ratio": 0.667, "flipped_ratio": 1.5}),
    ("flip-flop-after", (3, 5, 2, 5), "Eightfold AI (2023), Responsible AI, table 6", {"impact_ratio": 1.5}),
    ("low-rate-below", (1, 100, 2, 100), "Eightfold AI (2023), Responsible AI, text", {"impact_ratio": 0.5}),
    ("low-rate-passes", (4, 100, 5, 100), "Eightfold AI (2023), Responsible AI, text", {"impact_ratio": 0.8}),
    ("z-against-fisher", (2, 10, 15, 25), "invented: Z and Fisher disagree at 5 %", {}),
    ("teal", (26, 48, 206, 259), "Connecticut v. Teal, 457 U.S. 440 (1982)",
     {"rate_focal": 0.5417, "rate_reference": 0.7954, "impact_ratio": 0.68}),
    ("ricci-captain", (6, 16, 16, 25),
     "Ricci v. DeStefano, 557 U.S. 557 (2009); Miao (2010), Journal of Statistics Education 18(3)", {}),
    ("ricci-lieutenant", (6, 19, 25, 43), "Ricci v. DeStefano, 557 U.S. 557 (2009)",
     {"rate_focal": 0.316, "rate_reference": 0.581}),
    ("berkeley-1973", (557, 1835, 1198, 2691),
     "Bickel, Hammel and O'Connell (1975), Science 187, 398; R datasets UCBAdmissions", {}),
    ("nobody-focal", (0, 20, 9, 30), "invented: a = 0", {}),
    ("everybody-focal", (20, 20, 9, 30), "invented: a = N1", {}),
    ("everybody-reference", (5, 20, 30, 30), "invented: c = N2", {}),
    ("koopman-example", (36, 40, 16, 80), "counts of the example in Koopman (1984), recalled", {}),
    ("newcombe-a", (56, 70, 48, 80), "counts of example (a) in Newcombe (1998), recalled", {}),
    ("large", (480_000, 1_000_000, 960_700, 2_000_000), "invented: large counts", {}),
]  # fmt: skip


def computed(a: int, n1: int, c: int, n2: int) -> dict[str, object]:
    """Return every figure that SciPy and statsmodels give for this table."""
    import numpy as np
    from scipy import stats
    from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

    p1, p2 = a / n1, c / n2
    z, p = proportions_ztest([a, c], [n1, n2])
    table = [[a, n1 - a], [c, n2 - c]]
    everyone, selected = n1 + n2, a + c
    support = np.arange(max(0, selected - n2), min(selected, n1) + 1)
    pmf = stats.hypergeom.pmf(support, everyone, n1, selected)
    own = pmf[a - support[0]]
    tie = np.isclose(pmf, own, rtol=1e-9, atol=0)
    figures = {
        "impact_ratio": p1 / p2,
        "wilson_focal": proportion_confint(a, n1, method="wilson"),
        "newcombe": confint_proportions_2indep(a, n1, c, n2, method="newcomb", compare="diff"),
        "z": z,
        "p_z": p,
        "p_fisher": stats.fisher_exact(table).pvalue,
        "p_fisher_mid": pmf[~tie & (pmf < own)].sum() + pmf[tie].sum() / 2,
    }
    if 0 < a < n1 and 0 < c < n2:
        figures["katz"] = confint_proportions_2indep(a, n1, c, n2, method="log", compare="ratio")
        figures["cornfield"] = confint_proportions_2indep(
            a, n1, c, n2, method="score", compare="odds-ratio", correction=False
        )
    if c < n2:  # statsmodels returns complex numbers and an empty interval where c = n2
        figures["koopman"] = confint_proportions_2indep(a, n1, c, n2, method="score", compare="ratio", correction=False)
    return {name: np.asarray(value, dtype=float).tolist() for name, value in figures.items()}


def main() -> None:
    """Write the file beside this script."""
    document = {
        "origin": {
            "published": "read in copies of the named sources; figures as printed, so only their digits count",
            "computed": f"scipy {version('scipy')}, statsmodels {version('statsmodels')}, by make_stats.py",
        },
        "cases": [
            {"id": name, "table": table, "source": source, "published": published, "computed": computed(*table)}
            for name, table, source, published in CASES
        ],
    }
    Path(__file__).with_name("two_groups.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
