"""Documents whose terms are counted: pooled rates, words, lengths. Small numbers are counted by hand."""

import numpy as np
import polars as pl
import pytest

from evenhand.comparisons.documents import word_findings, word_table
from evenhand.comparisons.measure import measure_outcomes
from evenhand.results.measures import Contrast, MeasureSet, Over, Slice, Summary
from evenhand.results.schemas import conform_outcomes

MALE, FEMALE = {"gender": "male"}, {"gender": "female"}
EACH = Over(column="inventory")


def declared(smoothing=0.0, **labels):
    return MeasureSet(
        rate="masculine_rate",
        measures=(
            Summary(name="mean_male", statistic="rate", group=MALE, over=EACH),
            Summary(name="mean_female", statistic="rate", group=FEMALE, over=EACH),
            Contrast(name="mean_diff", statistic="rate", focal=MALE, reference=FEMALE, over=EACH),
            Summary(name="male", statistic="rate", group=MALE),
            Contrast(name="diff", statistic="rate", focal=MALE, reference=FEMALE),
        ),
        overall=("mean_male", "mean_female", "mean_diff"),
        headline=("mean_diff",),
        slices=(
            Slice(columns=("inventory",), prefix="{inventory}_", measures=("male", "diff")),
            Slice(columns=("template",), prefix="template_{template}_", measures=("mean_diff",)),
        ),
        groups=("race", "gender"),
        clusters=("name",),
        instruction="template",
        against=None,
        bands={},
        order={"gender": ("male", "female")},
        pool="trials",
        smoothing=smoothing,
        aspect="inventory",
        impact_ratios=False,
        word_labels=labels,
    )


def document(name, gender, counts, *, length=100.0, status="observed", template="0", race="white"):
    """Return the rows of one document; `counts` maps an inventory to male-coded and all coded terms."""
    seen = status == "observed"
    return [
        {
            "item": f"{name}{template}",
            "unit": f"{name}{template}",
            "attempt": 0,
            "aspect": inventory,
            "successes": male if seen else None,
            "trials": total if seen else None,
            "score": length if seen else None,
            "status": status,
            "reading": "test",
            "protected.gender": gender,
            "protected.race": race,
            "context.name": name,
            "context.template": template,
        }
        for inventory, (male, total) in counts.items()
    ]


def measured(documents, *, smoothing=0.0):
    frame = conform_outcomes(pl.DataFrame([row for rows in documents for row in rows], infer_schema_length=None))
    found = measure_outcomes(frame.lazy(), declared(smoothing), seed=0, resamples=200, permutations=199)
    return {row.name: row for row in found}


FOUR = (
    document("a", "male", {"x": (3, 4), "y": (1, 1)}, length=120),
    document("b", "male", {"x": (1, 4), "y": (0, 1)}, length=100),
    document("c", "female", {"x": (1, 10), "y": (0, 2)}, length=90),
    document("d", "female", {"x": (0, 0), "y": (1, 2)}, length=50),
)


def test_rates_are_pooled_over_terms_and_averaged_over_inventories():
    found = measured(FOUR)
    assert found["x_male"].estimate == 0.5  # 4 of 8, not the mean of 3/4 and 1/4 of other sizes
    assert found["x_diff"].estimate == pytest.approx(0.5 - 0.1)
    assert found["mean_male"].estimate == 0.5
    assert found["mean_diff"].estimate == pytest.approx(((0.5 - 0.1) + (0.5 - 0.25)) / 2)


def test_smoothing_adds_to_both_sides():
    found = measured(FOUR, smoothing=5.0)
    assert found["x_male"].estimate == pytest.approx((4 + 5) / (8 + 10))


def test_an_inventory_without_terms_is_null_and_left_out_of_the_mean():
    found = measured(
        [document("a", "male", {"x": (1, 2), "y": (0, 0)}), document("b", "female", {"x": (0, 2), "y": (0, 0)})]
    )
    assert found["y_male"].estimate is None
    assert found["y_male"].reason == "No term was counted in 1 document."
    assert found["mean_diff"].estimate == 0.5
    assert found["mean_diff"].details.levels == {"inventory": ("x",)}


def test_a_document_is_one_unit_and_one_attempt_however_many_inventories_there_are():
    found = measured([*FOUR, document("e", "female", {"x": (0, 0), "y": (0, 0)}, status="refused")])
    compared = found["mean_diff"]
    assert (compared.n, compared.claim.n_focal, compared.claim.n_reference) == (4, 2, 2)
    assert found["undetected_rate_attempts"].estimate == 0.2
    assert found["undetected_rate_attempts"].n == 5
    assert found["refused_rate_female"].estimate == pytest.approx(1 / 3)
    assert found["refused_rate_diff"].estimate == pytest.approx(-1 / 3)


def test_document_length_is_told_per_group():
    found = measured(FOUR)
    assert found["document_length_male"].estimate == 110
    assert found["document_length_diff"].estimate == 40
    assert found["document_length_diff"].measured_in == "words"


def test_the_variance_between_templates_is_that_of_the_headline_contrast():
    rng = np.random.default_rng(0)
    documents = [
        document(f"{gender[0]}{n}", gender, {"x": (int(rng.binomial(10, p)), 10)}, template=template)
        for template, lift in (("0", 0.0), ("1", 0.4))
        for n in range(60)
        for gender, p in (("male", 0.4 + lift), ("female", 0.4))
    ]
    found = measured(documents)
    assert found["template_1_mean_diff"].estimate > found["template_0_mean_diff"].estimate
    # Two templates 0.4 apart: the variance between them is about 0.4² / 2.
    assert found["template_variance_mean_diff"].estimate == pytest.approx(0.08, abs=0.03)


def test_all_terms_alike_claim_no_certainty():
    documents = [document(f"{g}{n}", g, {"x": (5, 5)}) for n in range(50) for g in ("male", "female")]
    found = measured(documents)
    assert found["mean_male"].estimate == 1.0
    assert found["mean_male"].low < 0.97
    assert found["mean_diff"].low < 0 < found["mean_diff"].high


def words_of(n, *, used):
    """Return outcomes and words of n male and n female documents; `used` maps a word to its counts per gender."""
    documents = [document(f"{g}{k}", g, {"x": (1, 2)}) for k in range(n) for g in ("male", "female")]
    outcomes = conform_outcomes(pl.DataFrame([row for rows in documents for row in rows], infer_schema_length=None))
    rows = [
        {"item": f"{g}{k}0", "unit": f"{g}{k}0", "attempt": 0, "word": word, "n": counts[g] + k % 2}
        for k in range(n)
        for g in ("male", "female")
        for word, counts in used.items()
        if counts[g]
    ]
    schema = {"item": pl.String, "unit": pl.String, "attempt": pl.Int32, "word": pl.String, "n": pl.Int32}
    return outcomes.lazy(), pl.DataFrame(rows, schema=schema).lazy()


USED = {
    "leader": {"male": 3, "female": 1},
    "kind": {"male": 1, "female": 3},
    "work": {"male": 5, "female": 5},
    "he": {"male": 9, "female": 0},
}


def test_words_that_one_group_uses_more_are_found_and_pronouns_left_out():
    outcomes, words = words_of(40, used=USED)
    found = {row.name: row for row in word_findings(word_table(outcomes, words, declared(leader="male in x"), seed=0))}
    assert {"word_leader_log_odds", "word_kind_log_odds"} <= set(found)
    assert "word_he_log_odds" not in found
    assert found["word_leader_log_odds"].estimate > 0 > found["word_kind_log_odds"].estimate
    assert found["word_leader_log_odds"].details.coded == "male in x"
    assert found["word_leader_log_odds"].details.count_focal == 140


def test_words_in_few_documents_are_not_tested():
    for documents, tested in ((19, False), (20, True)):
        outcomes, words = words_of(documents, used={"leader": {"male": 3, "female": 0}})
        assert (word_table(outcomes, words, declared(), seed=0) is not None) == tested


def test_a_word_that_a_single_document_repeats_does_not_look_certain():
    # The same total use of 'star': spread over all documents of men, or all in one of them.
    outcomes, words = words_of(60, used={"star": {"male": 1, "female": 1}, "work": {"male": 5, "female": 5}})
    once = pl.DataFrame({"item": ["male00"], "unit": ["male00"], "attempt": [0], "word": ["star"], "n": [60]})
    heaped = pl.concat([words.collect(), once.cast({"attempt": pl.Int32, "n": pl.Int32})]).lazy()
    table = word_table(outcomes, heaped, declared(), seed=0)
    star = table.frame.row(by_predicate=pl.col("word") == "star", named=True)
    assert star["estimate"] > 0
    assert star["low"] <= 0.01
    assert star["p_adjusted"] > 0.05


@pytest.mark.parametrize(("present", "absent"), [("male", "female"), ("female", "male")])
def test_documents_of_one_gender_only_say_that_the_other_is_missing(present, absent):
    # Two inventories: the reason is the missing group, not a matter of each inventory.
    found = measured([document(f"n{n}", present, {"x": (1, 2), "y": (0, 1)}) for n in range(3)])
    for name in ("mean_diff", "x_diff", "template_0_mean_diff", "document_length_diff"):
        assert found[name].estimate is None
        assert found[name].reason == f"{absent}: No answer was observed."
    expected = None if present == "male" else "No answer with gender = male was observed."
    assert found["mean_male"].reason == expected
    assert found["x_male"].reason == expected


def test_documents_without_any_term_say_so_once_with_the_inventories():
    people = (("a", "male"), ("b", "male"), ("c", "female"))
    found = measured([document(name, gender, {"x": (0, 0), "y": (0, 0)}) for name, gender in people])
    assert found["mean_diff"].estimate is None
    assert found["mean_diff"].reason == "male: No term was counted in 2 documents."
    assert found["x_diff"].reason == "male: No term was counted in 2 documents."
    assert found["mean_female"].reason == "No term was counted in 1 document."


def test_braces_in_a_level_stand_in_the_reason_as_they_are():
    found = measured([document("a", "male", {"{x}": (1, 2)}), document("b", "female", {"{x}": (0, 0)})])
    assert found["mean_diff"].estimate is None
    assert found["{x}_diff"].reason == "female: No term was counted in 1 document."
    assert found["mean_diff"].reason == "female: No term was counted in 1 document."
