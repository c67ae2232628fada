"""Make tests/oracles/clusters.json: a published field experiment in small, and cluster-robust figures by statsmodels.

Run from the repository root with the data of the experiment, which evenhand data example bertrand-2004 writes:
python tests/oracles/make_clusters.py bertrand-2004.csv
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

ORIGIN = "Bertrand and Mullainathan (2004), American Economic Review 94, 991-1013: 4,870 résumés, callbacks by race"


def fitted(rows, clusters, *, log):
    """Return coefficient and standard error of the group, without the factor (N - 1)/(N - 2) that statsmodels adds."""
    import numpy as np
    import statsmodels.api as sm

    focal = rows["focal"].to_numpy(dtype=float)
    groups = rows[clusters].to_numpy() if len(clusters) > 1 else rows[clusters[0]].to_numpy()
    design = sm.add_constant(focal)
    family = sm.families.Poisson() if log else sm.families.Gaussian()
    found = sm.GLM(rows["y"].to_numpy(dtype=float), design, family=family).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}
    )
    n = len(rows)
    shrunk = found.bse * np.sqrt((n - 2) / (n - 1))
    return {"estimate": float(found.params[1]), "standard_error": float(shrunk[1])}


def within(rows, block):
    """Return the coefficient of the group with a constant for each block, and its standard error by blocks."""
    import numpy as np
    import pandas as pd
    import statsmodels.api as sm

    design = pd.get_dummies(rows[block], dtype=float)
    design.insert(0, "focal", rows["focal"].astype(float))
    y, n = rows["y"].to_numpy(dtype=float), len(rows)
    found = sm.OLS(y, design.to_numpy()).fit(cov_type="cluster", cov_kwds={"groups": rows[block].to_numpy()})
    shrunk = found.bse[0] * np.sqrt((n - design.shape[1]) / (n - 1))
    return {"estimate": float(found.params[0]), "standard_error": float(shrunk)}


def mean(rows, clusters):
    """Return a rate and its standard error."""
    import numpy as np
    import statsmodels.api as sm

    groups = rows[clusters].to_numpy() if len(clusters) > 1 else rows[clusters[0]].to_numpy()
    y = rows["y"].to_numpy(dtype=float)
    found = sm.OLS(y, np.ones((len(y), 1))).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True})
    return {"estimate": float(found.params[0]), "standard_error": float(found.bse[0])}


def main(path):
    """Write the file beside this script."""
    import numpy as np
    import pandas as pd

    rows = pd.read_csv(path)
    rows = rows.assign(focal=(rows.race == "black").astype(int), y=(rows.called_back == "yes").astype(int))
    rows["ad"], rows["name"] = pd.factorize(rows.ad)[0], pd.factorize(rows.first_name)[0]
    by_ad = rows.groupby(["ad", "race"]).y.agg(["sum", "count"]).unstack(fill_value=0)
    order = [("sum", "black"), ("count", "black"), ("sum", "white"), ("count", "white")]
    patterns = [tuple(int(number) for number in each) for each in by_ad[order].to_numpy()]
    counted = pd.Series(patterns).value_counts().sort_index()
    by_name = rows.groupby(["first_name", "race"]).y.agg(["sum", "count"]).reset_index()
    rng = np.random.default_rng(0)  # neither way alone has the larger variance here, so nothing is floored
    a, b, focal = rng.integers(0, 12, 240), rng.integers(0, 9, 240), rng.integers(0, 2, 240)
    chance = 0.5 + 0.6 * (rng.random(12)[a] - 0.5) - 0.6 * (rng.random(9)[b] - 0.5) + 0.1 * focal
    chance += 0.5 * focal * (rng.random(12)[a] - 0.5) - 0.5 * focal * (rng.random(9)[b] - 0.5)
    small = pd.DataFrame({"a": a, "b": b, "focal": focal, "y": (rng.random(240) < chance).astype(int)})
    document = {
        "origin": {"published": ORIGIN, "computed": f"statsmodels {version('statsmodels')}, by make_clusters.py"},
        "by_ad": {
            "columns": ["called_black", "n_black", "called_white", "n_white", "ads"],
            "rows": [[*key, int(n)] for key, n in counted.items()],
            "difference": fitted(rows, ["ad"], log=False),
            "log_ratio": fitted(rows, ["ad"], log=True),
            "within_ad": within(rows, "ad"),
        },
        "by_name": {
            "columns": ["name", "race", "called", "n"],
            "rows": [[name, race, int(called), int(n)] for name, race, called, n in by_name.to_numpy()],
            "difference": fitted(rows, ["name"], log=False),
            "log_ratio": fitted(rows, ["name"], log=True),
        },
        "two_ways": {
            "columns": ["a", "b", "focal", "y"],
            "rows": small[["a", "b", "focal", "y"]].to_numpy().tolist(),
            "difference": fitted(small, ["a", "b"], log=False),
            "log_ratio": fitted(small, ["a", "b"], log=True),
            "rate": mean(small, ["a", "b"]),
            "within_a": within(small, "a"),
        },
    }
    target = Path(__file__).with_name("clusters.json")
    target.write_text(json.dumps(document) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
