"""Recall, precision and over-masking of annotated texts, counted by hand."""

from pathlib import Path

import numpy as np
import orjson
import pytest

from evenhand.errors import InputError
from evenhand.masking.quality import AnnotatedText, annotated_texts, masking_counts, masking_rates
from evenhand.stats import clustered_rate

TEXT = "Ann Lee (she) at Lee & Co. Runs daily."
ALL = ("NAME", "GENDER", "EMAIL")


def counts(spans, masked, *, ignored=(), wanted=ALL):
    found = masking_counts(AnnotatedText(text=TEXT, spans=spans, ignored=ignored), masked, wanted=wanted)
    names = ("annotated", "found", "masked", "right", "needless")
    return [dict(getattr(found, name)) for name in names] + [found.words]


NAME, SHE = (0, 7, "NAME"), (9, 12, "GENDER")


@pytest.mark.parametrize(
    ("spans", "masked", "more", "expected"),
    [
        ([NAME, SHE], [NAME, SHE], {}, [1, 1, 1, 1, 1, 1, 1, 1, 0, 5]),
        # Found by whatever category; punctuation does not matter.
        ([NAME, SHE], [NAME, (8, 13, "NAME")], {}, [1, 1, 1, 1, 2, 0, 2, 0, 0, 5]),
        # A part is not found; half of what is masked is right.
        ([NAME], [(0, 3, "NAME")], {}, [1, 0, 0, 0, 1, 0, 1, 0, 0, 6]),
        ([(0, 3, "NAME")], [NAME], {}, [1, 0, 1, 0, 1, 0, 1, 0, 1, 7]),
        ([(0, 2, "NAME")], [NAME], {}, [1, 0, 1, 0, 1, 0, 0, 0, 1, 7]),
        # Masked for nothing.
        ([NAME], [NAME, (27, 31, "GENDER")], {}, [1, 0, 1, 0, 1, 1, 1, 0, 1, 6]),
        # What may be masked or not counts neither way, nor do categories that are not asked for.
        ([NAME], [NAME, SHE], {"ignored": [(9, 12)]}, [1, 0, 1, 0, 1, 0, 1, 0, 0, 5]),
        ([NAME, SHE], [NAME, SHE], {"wanted": ["NAME"]}, [1, 0, 1, 0, 1, 0, 1, 0, 0, 5]),
    ],
)
def test_spans_and_words_are_counted_as_a_person_would(spans, masked, more, expected):
    annotated, found, predicted, right, needless, words = counts(spans, masked, **more)
    of = [(each.get("NAME", 0), each.get("GENDER", 0)) for each in (annotated, found, predicted, right)]
    assert [*(n for pair in of for n in pair), sum(needless.values()), words] == expected


def test_rates_are_of_all_texts_and_vary_over_texts():
    whole = masking_counts(AnnotatedText(text=TEXT, spans=[NAME, SHE]), [NAME, SHE], wanted=ALL)
    half = masking_counts(AnnotatedText(text=TEXT, spans=[NAME, SHE]), [NAME], wanted=ALL)
    rates = {
        (each.measure, each.category, each.origin): each
        for each in masking_rates([("a", whole), ("a", half), ("b", whole), (None, half)])
    }
    recall = rates["masking_recall", None, None]
    assert (recall.k, recall.n, recall.texts, recall.estimate) == (6, 8, 4, 0.75)
    # G / (G - 1) times the sum of squares of (k - p n) / N over four texts.
    residuals = np.array([2 - 1.5, 1 - 1.5, 2 - 1.5, 1 - 1.5]) / 8
    variance = 4 / 3 * (residuals**2).sum()
    limits = clustered_rate(0.75, variance, 4)
    assert (recall.low, recall.high) == pytest.approx((limits.low, limits.high))
    assert recall.standard_error == pytest.approx(np.sqrt(variance))
    assert rates["masking_recall", "GENDER", None].estimate == 0.5
    assert rates["masking_recall", "NAME", "a"].k == 2
    alone = rates["masking_recall", "NAME", "b"]
    assert (alone.estimate, alone.low, alone.reason) == (
        1.0,
        None,
        "An interval of clustered answers needs two clusters.",
    )
    assert rates["masking_precision", "GENDER", None].n == 2


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"spans": []}, "text in line 2 of annotated.jsonl is missing"),
        ({"text": "Ann"}, "spans in line 2"),
        ({"text": "Ann", "spans": [[0, 3]]}, "spans.0"),
        ({"text": "Ann", "spans": [[0, "3", "NAME"]]}, "spans.0.1"),
        ({"text": "Ann", "spans": [[0, 3, "NOM"]]}, "is of category 'NOM'; expected NAME, GENDER"),
        ({"text": "Ann", "spans": [[0, 4, "NAME"]]}, "does not lie within its text"),
        ({"text": "Ann", "spans": [[2, 2, "NAME"]]}, "does not lie within its text"),
        ({"text": "Ann", "spans": [], "ignored": [[-1, 2]]}, "does not lie within its text"),
        ({"text": "Ann", "spans": [], "known_names": "Ann"}, "known_names in line 2"),
        ({"text": "Ann", "spans": [], "origin": 3}, "origin in line 2"),
    ],
)
def test_annotations_that_do_not_fit_are_told_without_the_text(tmp_path, monkeypatch, row, told):
    monkeypatch.chdir(tmp_path)
    rows = [{"text": "Ann", "spans": [[0, 3, "NAME"]]}, row]
    Path("annotated.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    with pytest.raises(InputError, match=told.replace(".", r"\.")) as found:
        list(annotated_texts(Path("annotated.jsonl")))
    assert "Ann" not in str(found.value).replace("annotated", "")
