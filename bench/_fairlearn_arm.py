"""fairlearn's MetricFrame on the groups of an applicant table; run with a Python that has fairlearn.

python bench/_fairlearn_arm.py TABLE ROWS BOOTSTRAPS
"""

import sys
import time

import pandas as pd
from fairlearn.metrics import MetricFrame, count, selection_rate

path, rows, bootstraps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
started = time.perf_counter()
table = pd.read_parquet(path, columns=["race", "gender", "selected"])[:rows]
loaded = time.perf_counter()
more = {"n_boot": bootstraps, "ci_quantiles": [0.025, 0.975], "random_state": 0} if bootstraps else {}
frame = MetricFrame(
    metrics={"rate": selection_rate, "n": count},
    y_true=table["selected"],
    y_pred=table["selected"],
    sensitive_features=table[["race", "gender"]],
    **more,
)
rates = frame.by_group["rate"]
ratios = rates / rates.max()
done = time.perf_counter()
print(f"{loaded - started:.3f} {done - loaded:.3f} {ratios.min():.6f}")
