"""Make tests/oracles/predictions.json: measures of scores beside outcomes, by scikit-learn, fairlearn and statsmodels.

Run from the repository root, with these packages: python tests/oracles/make_predictions.py

The people are invented: scores with ties, three groups and a previous version, by arithmetic without a generator.
"""

import json
from importlib.metadata import version
from pathlib import Path

CUTOFF, PREVIOUS_CUTOFF = 0.5, 0.45


def people():
    """Return 240 people as columns."""
    rows = []
    for number in range(240):
        group = ("north", "south", "west")[(number * 7) % 3 if number % 4 else 0]
        noise = (number * 37 % 101) / 101
        score = round(0.05 + 0.9 * ((number * 53 % 97) / 97), 2)
        previous = round(0.05 + 0.9 * (0.6 * ((number * 53 % 97) / 97) + 0.4 * ((number * 29 % 89) / 89)), 2)
        shift = {"north": 0.0, "south": 0.12, "west": -0.1}[group]
        rows.append({"group": group, "label": int(noise < score + shift), "score": score, "previous": previous})
    return {name: [row[name] for row in rows] for name in rows[0]}


def placements(score, label):
    """Return DeLong's variance by comparing each pair of people."""
    import numpy as np

    positive, negative = score[label == 1], score[label == 0]
    wins = (positive[:, None] > negative[None, :]) + 0.5 * (positive[:, None] == negative[None, :])
    return wins.mean(axis=1), wins.mean(axis=0), np


def delong(score, label):
    """Return the variance of an AUC."""
    mine, theirs, np = placements(score, label)
    return float(np.var(mine, ddof=1) / mine.size + np.var(theirs, ddof=1) / theirs.size)


def delong_covariance(one, other, label):
    """Return the covariance of the AUCs of two scores of the same people."""
    (mine, theirs, np), (mine_too, theirs_too, _) = placements(one, label), placements(other, label)
    return float(
        np.cov(mine, mine_too, ddof=1)[0, 1] / mine.size + np.cov(theirs, theirs_too, ddof=1)[0, 1] / theirs.size
    )


def recalibrated(score, label):
    """Return calibration intercept and slope with their standard errors, as logistic regressions."""
    import numpy as np
    import statsmodels.api as sm

    logit = np.log(score / (1 - score))
    family = sm.families.Binomial()
    exactly = {"tol": 1e-14, "maxiter": 200}
    large = sm.GLM(label, np.ones((score.size, 1)), family=family, offset=logit).fit(**exactly)
    slope = sm.GLM(label, sm.add_constant(logit), family=family).fit(**exactly)
    return {
        "calibration_intercept": [float(large.params[0]), float(large.bse[0])],
        "calibration_slope": [float(slope.params[1]), float(slope.bse[1])],
    }


def measured(score, label, cutoff):
    """Return every measure of some people."""
    from fairlearn import metrics as fair
    from sklearn import metrics as sk

    chosen = (score > cutoff).astype(int)
    return {
        "auc": float(sk.roc_auc_score(label, score)),
        "auc_variance": delong(score, label),
        "brier": float(sk.brier_score_loss(label, score)),
        "selection_rate": float(fair.selection_rate(label, chosen)),
        "tpr": float(fair.true_positive_rate(label, chosen)),
        "tnr": float(fair.true_negative_rate(label, chosen)),
        "fpr": float(fair.false_positive_rate(label, chosen)),
        "fnr": float(fair.false_negative_rate(label, chosen)),
        "precision": float(sk.precision_score(label, chosen)),
        "f1": float(sk.f1_score(label, chosen)),
        **recalibrated(score, label),
    }


def main():
    """Write what the packages give."""
    import numpy as np
    from fairlearn import metrics as fair

    columns = people()
    group = np.array(columns["group"])
    label, score, previous = (np.array(columns[name]) for name in ("label", "score", "previous"))
    chosen = (score > CUTOFF).astype(int)
    asked = {"y_true": label, "y_pred": chosen, "sensitive_features": group}
    found = {
        "versions": {name: version(name) for name in ("scikit-learn", "fairlearn", "statsmodels", "numpy")},
        "cutoff": CUTOFF,
        "previous_cutoff": PREVIOUS_CUTOFF,
        "people": columns,
        "all": measured(score, label, CUTOFF),
        "all_previous": measured(previous, label, PREVIOUS_CUTOFF),
        "auc_covariance": delong_covariance(score, previous, label),
        "groups": {
            name: measured(score[group == name], label[group == name], CUTOFF) for name in sorted(set(columns["group"]))
        },
        "demographic_parity_difference": float(fair.demographic_parity_difference(**asked)),
        "demographic_parity_ratio": float(fair.demographic_parity_ratio(**asked)),
        "equalized_odds_difference": float(fair.equalized_odds_difference(**asked)),
        "equal_opportunity_difference": float(fair.equal_opportunity_difference(**asked)),
    }
    path = Path(__file__).with_name("predictions.json")
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
