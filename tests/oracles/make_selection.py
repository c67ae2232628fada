"""Make tests/oracles/selection.json: selection tables of the literature beside those of make_stats.py.

Run from the repository root: python tests/oracles/make_selection.py

`published` holds figures read in a copy of the source, as printed. `recalled` holds figures
that were not: they agree with what is computed and are not called published. `computed`
is by statsmodels or mpmath.
"""

import json
from importlib.metadata import version
from pathlib import Path

import mpmath
import numpy as np
from statsmodels.stats.contingency_tables import StratifiedTable

#: Per department: men admitted, men, women admitted, women.
BERKELEY = [
    (512, 825, 89, 108),
    (353, 560, 17, 25),
    (120, 325, 202, 593),
    (138, 417, 131, 375),
    (53, 191, 94, 393),
    (22, 373, 24, 341),
]


def berkeley() -> dict[str, object]:
    """Return the six largest departments, pooled by statsmodels; focal are men, as in R's example."""
    table = StratifiedTable([np.array([[a, n1 - a], [c, n2 - c]]) for a, n1, c, n2 in BERKELEY])
    plain, corrected = table.test_null_odds(), table.test_null_odds(correction=True)
    equal, tarone = table.test_equal_odds(), table.test_equal_odds(adjust=True)
    return {
        "source": "R datasets UCBAdmissions, after Bickel, Hammel and O'Connell (1975), Science 187, 398",
        "tables": BERKELEY,
        "published": {"common_odds_ratio": 0.9046968},
        "published_in": "R, example of mantelhaen.test",
        "recalled": {"common_odds_ratio_interval": [0.7719074, 1.0603298]},
        "computed": {
            "estimate": table.oddsratio_pooled,
            "interval": list(table.oddsratio_pooled_confint()),
            "chi2": plain.statistic,
            "p": plain.pvalue,
            "chi2_corrected": corrected.statistic,
            "p_corrected": corrected.pvalue,
            "chi2_equal": equal.statistic,
            "p_equal": equal.pvalue,
            "chi2_tarone": tarone.statistic,
            "p_tarone": tarone.pvalue,
        },
    }


def z_curve() -> dict[str, object]:
    """Return Z of one percentage point at a rate of 30 %, to 30 digits before rounding."""
    with mpmath.workdps(30):
        rate, gap = mpmath.mpf("0.3"), mpmath.mpf("0.01")
        z = [(n, float(gap / mpmath.sqrt(rate * (1 - rate) * 2 / n))) for n in (2, 1000, 10_000, 50_000)]
        quantile = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.95"))
        crossing = float(2 * rate * (1 - rate) * (quantile / gap) ** 2)
    return {
        "source": "Eightfold AI (2023), Responsible AI, figure 14: the formula, without printed figures",
        "published": {},
        "computed": {"z": z, "crossing": crossing},
    }


def main() -> None:
    """Write the file beside this script."""
    guidelines = "Uniform Guidelines Questions and Answers, 44 FR 11996 (1979)"
    document = {
        "origin": {"computed": f"statsmodels {version('statsmodels')}, mpmath {mpmath.__version__}, make_selection.py"},
        "berkeley-departments": berkeley(),
        "guidelines-11": {
            "source": f"{guidelines}, Q. 11: percentages selected, White being the highest",
            "percentages": {"White": 60, "Hispanic": 48, "Black": 51, "American Indian": 45},
            "published": {
                "impact_ratio": {"American Indian": 0.75, "Hispanic": 0.8, "Black": 0.85},
                "below_four_fifths": ["American Indian"],
            },
        },
        "guidelines-21": {
            "source": f"{guidelines}, Q. 21: 3 of 20 Black and 16 of 80 White applicants, counts recalled",
            "table": [3, 20, 16, 80],
            "published": {},
            "recalled": {"impact_ratio": 0.75, "rates_after": [0.2, 0.1875], "reverses": True},
        },
        "eightfold-figure-14": z_curve(),
        "eightfold-table-7": {
            "source": "Eightfold AI (2023), Responsible AI, table 7",
            "published": {"means": [3.032, 3.028], "ratios": [0.988, 1.0]},
            "note": "The printed .988 is neither 3.028/3.032 = .9987 nor its inverse and stands beside the larger "
            "mean: an erratum, which is no expected value.",
        },
    }
    Path(__file__).with_name("selection.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
