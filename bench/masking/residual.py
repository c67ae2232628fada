"""How well a classifier tells gender and origin from a text: before masking, after it, and after perfect masking.

Words and pairs of words (TF-IDF), logistic regression, five folds. Résumés differ by gender and
origin also in what is never masked (fields of work, native languages, towns), so that chance is
not what perfect masking reaches: the text masked by its annotations is the mark to compare with.
"""

from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

from evenhand.stats import selection_rate


def masked_by(text: str, spans: Sequence[Sequence], wanted: frozenset[str]) -> str:
    """Return the text with a token for every span of the categories wanted."""
    parts, at = [], 0
    for start, end, category in spans:
        if category in wanted:
            parts += [text[at:start], f"[{category}]"]
            at = end
    return "".join([*parts, text[at:]])


def _model():
    # The tokens say of themselves that something was masked: their words are no words of the text.
    words = TfidfVectorizer(
        token_pattern=r"(?<![\[\w])\w\w+(?![\]\w])", ngram_range=(1, 2), min_df=5, sublinear_tf=True
    )
    return make_pipeline(words, LogisticRegression(C=10, max_iter=200, tol=1e-3))


def told(rows: Sequence[dict], texts: Sequence[str]) -> dict[str, str]:
    """Return AUC of gender and accuracy of origin, out of fold, with 95 % intervals."""
    folds = StratifiedKFold(5, shuffle=True, random_state=1)
    gender = np.array([row["gender"] == "f" for row in rows])
    origin = np.array([row["origin"] for row in rows])
    scored = cross_val_predict(_model(), texts, gender, cv=folds, method="predict_proba")[:, 1]
    rng = np.random.default_rng(2)
    draws = rng.integers(0, len(rows), (500, len(rows)))
    low, high = np.percentile([roc_auc_score(gender[each], scored[each]) for each in draws], [2.5, 97.5])
    guessed = cross_val_predict(_model(), texts, origin, cv=folds)
    right = int((guessed == origin).sum())
    wilson = selection_rate(right, len(rows))
    return {
        "gender": f"{roc_auc_score(gender, scored):.3f} ({low:.3f} to {high:.3f})",
        "origin": f"{100 * right / len(rows):.1f} ({100 * wilson.low:.1f} to {100 * wilson.high:.1f})",
    }
