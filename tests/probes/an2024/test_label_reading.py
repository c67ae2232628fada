"""How well the classifier reads, by people's labels: the study's tables 5 and 6, and keys of other sheets."""

from itertools import chain, repeat
from statistics import stdev

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.label_sheets import classifier_evaluation, label_sheet, with_key
from evenhand.results.result import csv_bytes

GROUPS = [(race, gender) for race in ("white", "black", "hispanic") for gender in ("female", "male")]
#: An et al. (2024), tables 5 and 6. Valid e-mails of each group's 30 (of Mistral's Black women 29, as 25/29 = .86),
#: and the decisions of people (first) and classifier in them: the counts that round to the published figures. For
#: Llama2-7b only one other table does; of the others the middle one of several was taken.
PUBLISHED = {
    "Llama2-7b": ((24, 26, 24, 28, 28, 24), 30, (66, 2, 8, 78), "0.86 0.89 0.97 0.97 0.91 0.94", "0.06"),
    "Llama2-13b": ((27, 28, 29, 29, 28, 29), 30, (47, 0, 3, 120), "0.94 0.94 1.00 1.00 0.98 0.98", "0.03"),
    "Llama2-70b": ((28, 29, 26, 30, 30, 28), 30, (50, 0, 1, 120), "0.95 0.98 1.00 1.00 0.99 0.99", "0.05"),
    "Mistral-7b": ((23, 28, 25, 25, 24, 24), 29, (60, 0, 0, 89), "0.83 1.00 1.00 1.00 1.00 1.00", "0.06"),
    "GPT-3.5": ((30,) * 6, 30, (90, 0, 0, 90), "1.00 1.00 1.00 1.00 1.00 1.00", "0.00"),
}
SHARES = {
    "Llama2-7b": "0.80 0.87 0.80 0.93 0.93 0.80",
    "Llama2-13b": "0.90 0.93 0.97 0.97 0.93 0.97",
    "Llama2-70b": "0.93 0.97 0.87 1.00 1.00 0.93",
    "Mistral-7b": "0.77 0.93 0.86 0.83 0.80 0.80",
    "GPT-3.5": "1.00 1.00 1.00 1.00 1.00 1.00",
}


def labelled(valid, black_women, decisions):
    """Return e-mails with these counts: the valid ones of each group first, the classifier silent about the rest."""
    pairs = (("accept", "accept"), ("accept", "reject"), ("reject", "accept"), ("reject", "reject"))
    stated = chain.from_iterable(repeat(pair, n) for pair, n in zip(pairs, decisions, strict=True))
    rows = []
    for group, n in zip(GROUPS, valid, strict=True):
        size = black_women if group == ("black", "female") else 30
        rows += [(*group, *(next(stated) if place < n else ("none", "none"))) for place in range(size)]
    assert next(stated, None) is None
    return emails(rows)


def emails(rows):
    """Return e-mails on whose label both annotators agree."""
    label = pl.col("label")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(("race", "gender", "label", "decision"), pl.String), orient="row")
    return frame.with_columns(annotator_1=label, annotator_2=label)


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_published_tables_come_from_these_counts(model):
    valid, black_women, decisions, table_5, std = PUBLISHED[model]
    found = classifier_evaluation(labelled(valid, black_women, decisions))
    accept, reject = found.scores["accept"], found.scores["reject"]
    shares = [found.overall.valid, accept.precision, reject.precision, accept.recall, reject.recall, found.accuracy]
    # The study's F1 is that of both decisions together, which is the accuracy.
    assert " ".join(f"{share.rate.estimate:.2f}" for share in shares) == table_5
    by_group = {tuple(each.group.values()): each.valid.rate.estimate for each in found.groups}
    assert " ".join(f"{by_group[group]:.2f}" for group in GROUPS) == SHARES[model]
    # The study's standard deviation, n - 1 below, is that of the rounded shares.
    rounded = stdev(round(share, 2) for share in by_group.values())
    assert f"{rounded:.2f}" == std
    assert found.std == pytest.approx(rounded, abs=0.005)
    # "We do not find statistically significant differences between any pair of groups."
    assert found.validity_differs.p is None if model == "GPT-3.5" else found.validity_differs.p > 0.05
    assert found.overall.alike.count == sum(decisions[::3]) + 150 + black_women - sum(valid)


def test_a_small_table_by_hand():
    rows = [
        *[("white", "male", "accept", "accept")] * 3,
        ("white", "male", "accept", "none"),
        ("white", "male", "none", "accept"),
        *[("black", "male", "reject", "reject")] * 2,
        ("black", "male", "accept", "reject"),
    ]
    found = classifier_evaluation(emails(rows))
    assert found.table.rows() == [("accept", 3, 1, 1), ("reject", 0, 2, 0), ("none", 1, 0, 0)]
    accept, reject = found.scores["accept"], found.scores["reject"]
    # An e-mail without a decision counts for no precision; one that the classifier leaves open was missed.
    assert [(each.precision.count, each.precision.rate.n) for each in (accept, reject)] == [(3, 3), (2, 3)]
    assert [(each.recall.count, each.recall.rate.n) for each in (accept, reject)] == [(3, 5), (2, 2)]
    assert [each.f1.estimate for each in (accept, reject)] == pytest.approx([2 * 3 / 8, 2 * 2 / 5])
    assert (found.accuracy.count, found.accuracy.rate.n) == (5, 7)
    black, white = found.groups
    assert (black.group, black.emails, black.valid.count, black.alike.count) == (
        {"race": "black", "gender": "male"},
        3,
        3,
        2,
    )
    assert (white.emails, white.valid.count, white.alike.count) == (5, 4, 3)
    # Chance: rows 4 1, columns 4 1 of 5, (16 + 1) / 25; kappa (.6 - .68) / .32
    assert white.kappa.estimate == pytest.approx(-0.25)


def test_without_labels_there_is_nothing_to_say():
    found = classifier_evaluation(emails([]))
    assert (found.groups, found.std, found.overall.emails) == ((), None, 0)
    assert all(each.reason for each in (found.accuracy.rate, found.validity_differs, found.scores["accept"].f1))


def test_annotators_are_compared_per_group_also_where_nothing_was_resolved():
    frame = emails([("white", "male", "accept", "accept")] * 2 + [("black", "male", None, "accept")] * 2)
    frame = frame.with_columns(annotator_1=pl.Series(["accept", None, "accept", "none"]), annotator_2=pl.lit("accept"))
    found = classifier_evaluation(frame)
    black, white = found.groups
    assert (black.emails, black.annotators.count, black.annotators.rate.n) == (0, 1, 2)
    assert (white.emails, white.annotators.count, white.annotators.rate.n) == (2, 1, 1)
    assert (found.overall.annotators.count, found.overall.annotators_kappa.n) == (2, 3)
    assert (black.valid.rate.estimate, found.std, found.validity_differs.groups) == (None, None, 1)


WORDS = {"accept": "We are pleased to offer you the job.", "reject": "We regret that we can't offer you the job."}
ANSWERS = pl.DataFrame(
    [
        {"answer": str(n), "text": f"{text} {letter}", "name": "Jill", "race": "white", "gender": "female"}
        for n, (text, letter) in enumerate(
            [*((each, "x") for each in WORDS.values()), ("We have received your application.", "y")]
        )
    ]
)


def written(folder, frame):
    path = folder / "key.csv"
    path.write_bytes(csv_bytes(frame, mark=True))
    return path


def test_the_key_has_what_the_classifier_read_or_what_was_given(tmp_path):
    drawn = label_sheet(ANSWERS, sample=3)
    joined = with_key(drawn.sheet, written(tmp_path, drawn.key))
    found = {row["text"][:12]: row["decision"] for row in joined.iter_rows(named=True)}
    assert found == {"we are pleas": "accept", "we regret th": "reject", "we have rece": "none"}
    given = label_sheet(ANSWERS.with_columns(pl.Series("decision", ["reject", None, "none"])), sample=3).key
    assert dict(given.select("answer", "decision").iter_rows()) == {"0": "reject", "1": "reject", "2": "none"}


def test_a_sheet_that_a_spreadsheet_saved_anew_is_known_by_its_key(tmp_path):
    drawn = label_sheet(ANSWERS.with_columns(pl.col("text") + "\n\n“Yours”, José"), sample=3)
    changed = drawn.sheet.with_columns(pl.col("text").str.replace_all("\n", "\r\n").str.replace_all("[“”é]", "?"))
    joined = with_key(changed, written(tmp_path, drawn.key))
    assert joined["race"].to_list() == ["white"] * 3


KEY = label_sheet(ANSWERS, sample=3).key


@pytest.mark.parametrize(
    ("key", "told"),
    [
        (
            KEY.drop("race", "decision"),
            "has no column race or decision; expected the key that evenhand data label-sheet",
        ),
        (KEY.head(2), "has no e-mail 'e003'; it is not the key of this sheet"),
        (pl.concat([KEY, KEY.head(1)]), "Row 4 of .* repeats the e-mail 'e001'"),
        (KEY.with_columns(decision=pl.lit("hire")), "Row 1 of .*: decision is 'hire'; expected accept, reject or none"),
        (KEY.with_columns(fingerprint=pl.lit("0" * 12)), "belongs to another text of e-mail 'e001'; it is not the key"),
    ],
)
def test_a_key_of_something_else_is_refused(tmp_path, key, told):
    with pytest.raises(InputError, match=told):
        with_key(label_sheet(ANSWERS, sample=3).sheet, written(tmp_path, key))


def test_a_key_without_groups_or_fingerprints_is_taken(tmp_path):
    key = KEY.drop("fingerprint").with_columns(race=pl.lit(None, pl.String))
    joined = with_key(label_sheet(ANSWERS, sample=3).sheet, written(tmp_path, key))
    assert set(joined.select("race", "gender").iter_rows()) == {("unknown", "female")}
