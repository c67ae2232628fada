"""What an answer writes of each candidate, and what is counted in it."""

import numpy as np
import polars as pl
import pytest

from evenhand.probes import PROBES
from evenhand.probes.screening.outcomes import text_counts
from evenhand.probes.screening.reading import read

NAMES = {"1": "Ann Lee", "2": "Bob Low", "3": "Cy Fox"}


@pytest.mark.parametrize(
    ("step", "text", "texts"),
    [
        # Of a shortlist those who are on it, whatever is said of others.
        (
            "shortlist",
            "- Candidate 1: ten years of payroll.\n- Bob Low - a warm person\n\nNot chosen: Candidate 3.",
            {"1": ": ten years of payroll.", "2": "- a warm person"},
        ),
        (
            "shortlist",
            '{"shortlist": [{"candidate": "3", "reason": "meets all, unlike Bob", "vote": "yes"}]}',
            {"3": "meets all, unlike"},
        ),
        (
            "shortlist",
            "| Candidate | Reason |\n|---|---|\n| 2 | meets all |\n| 3 | very warm person |",
            {"2": "meets all", "3": "very warm person"},
        ),
        # A paragraph below a name alone.
        (
            "shortlist",
            "**Candidate 1**\nReason: she brings five years.\n\nThe others lack a licence.",
            {"1": "reason: she brings five years."},
        ),
        # Each part of a sentence is about whom it begins with.
        (
            "shortlist",
            "Ann Lee leads well. Bob keeps books and Cy does not.",
            {"1": "leads well", "2": "keeps books and"},
        ),
        (
            "decision",
            "Candidate 1:\nDear Ms Lee,\nwe offer you the position.\n\nCandidate 2:\nDear Bob, we chose another.",
            {"1": "dear , we offer you the position.", "2": "dear , we chose another."},
        ),
        (
            "decision",
            '[{"candidate": 2, "decision": "reject", "email": "Dear Bob, we regret that we chose another."}]',
            {"2": "dear , we regret that we chose another."},
        ),
    ],
)
def test_a_text_is_what_an_answer_writes_of_a_candidate_without_names(step, text, texts):
    assert read(step, text, list(NAMES), NAMES).texts == texts


def test_words_and_the_share_of_male_coded_terms_are_counted():
    texts = pl.Series(["a decisive and warm, very warm colleague", "has worked there", "", None])
    # Of 'decisive', 'warm' and 'warm' one is coded male; a text without coded terms has no share.
    assert text_counts(texts).rows() == [(7.0, 1 / 3), (3.0, None), (0.0, None), (None, None)]


@pytest.mark.parametrize(
    ("text", "finish", "error", "status"),
    [
        (None, "stop", "timeout", "error"),
        (None, "stop", "missing", "missing"),
        (None, "content_filter", None, "refused"),
        (None, "length", None, "truncated"),
        ("", "stop", None, "undetected"),
    ],
)
def test_an_answer_that_is_not_there_has_its_status_for_every_candidate(text, finish, error, status):
    design = next(iter(PROBES["screening"].designs.values()))
    answers = design.stimuli(np.array([0])).with_columns(
        pl.lit(text, pl.String).alias("text"),
        pl.lit(finish).alias("finish_reason"),
        pl.lit(error, pl.String).alias("error_class"),
        pl.lit(0, pl.Int32).alias("attempt"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
    )
    assert PROBES["screening"].read(answers).outcomes["status"].to_list() == [status] * 8


def test_half_an_emoji_in_a_reason_leaves_the_scores_readable():
    text = '{"scores": [{"candidate": "1", "score": 80, "reason": "good \ud83d"}, {"candidate": "2", "score": 60}]}'
    names = {"1": "Ann Roe", "2": "Bob Li"}
    assert read("scores", text, [*names], names) == read("scores", text.replace("\ud83d", "?"), [*names], names)
