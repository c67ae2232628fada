"""How the pages of match scores open: each case was read."""

from dataclasses import replace

import pytest

from evenhand.report.match import scored_summary, trained_summary
from evenhand.results.score_audit import EvaluatedGroup, FrontierRow, MatchAudit, Parts, Recommended, TrainedOn


def row(group, auc, n, positive, mean, *, model="matcher", half=0.05, reason=None):
    known = auc is not None and half is not None
    return EvaluatedGroup(
        model=model,
        attribute="gender" if group else "",
        group=group,
        n=n,
        positive=positive,
        people=n,
        auc=auc,
        auc_low=auc - half if known else None,
        auc_high=auc + half if known else None,
        mean_score=mean,
        brier=0.2,
        method="DeLong",
        reason=reason,
    )


def point(strength, auc, gap, *, candidate=False):
    gaps = {"gender": gap}
    return FrontierRow(
        strength=strength, rounds=9, auc=auc, worst_auc=auc, gaps=gaps, candidate=candidate, chosen=not strength
    )


ALL, LOGISTIC = row("", 0.8, 400, 100, 0.25), row("", 0.75, 400, 100, 0.25, model="logistic regression")
WOMEN, MEN = row("women", 0.7, 180, 30, 0.2), row("men", 0.85, 220, 70, 0.3)
PLAIN = point(0, 0.8, 0.1)
RANKED = (
    "The score ranks a test pair with the label above one without it in 80.0 % of cases (AUC 0.800, 95 % CI 0.750 to "
    "0.850; a logistic regression on the same features: 0.750). The 400 test pairs are of "
    "people and positions that training has not seen."
)
WORST = (
    "Of the 2 groups with a known AUC, it is lowest for women (gender): 0.700 (180 pairs, 95 % CI 0.650 to 0.750); "
    "whether groups differ was not judged."
)
MEANS = "By gender, mean scores run from 0.200 (women) to 0.300 (men); the share with the label from 16.7 % to 31.8 %."
NONE = (
    "On the validation pairs no penalty that was tried narrows the widest gap of mean scores (0.100) at a cost of at "
    "most 0.010 of AUC."
)


@pytest.mark.parametrize(
    ("rows", "frontier", "sentences"),
    [
        (
            (ALL, WOMEN, MEN, LOGISTIC),
            (PLAIN, point(3, 0.795, 0.04, candidate=True), point(30, 0.7, 0.01)),
            [
                RANKED,
                WORST,
                MEANS,
                "On the validation pairs a penalty of 3 narrows the widest gap of mean scores from 0.100 to 0.040; the "
                "AUC goes from 0.800 to 0.795. 1 model on the frontier is marked for counsel to weigh.",
            ],
        ),
        ((ALL, WOMEN, MEN, LOGISTIC), (PLAIN, point(3, 0.7, 0.04)), [RANKED, WORST, MEANS, NONE]),
        (
            (ALL, row("women", 0.9, 20, 2, 0.2, half=None), MEN, LOGISTIC),
            (PLAIN,),
            [
                RANKED,
                "The AUC is known of men (gender) alone: 0.850 (220 pairs, 95 % CI 0.800 to 0.900). 1 group had too "
                "few pairs for an estimate.",
                "By gender, mean scores run from 0.200 (women) to 0.300 (men); the share with the label from 10.0 % to "
                "31.8 %.",
                NONE,
            ],
        ),
        (
            (row("", 0.2, 400, 100, 0.25), WOMEN, MEN, LOGISTIC),
            (PLAIN,),
            [
                "The AUC of all test pairs is 0.200, below the 0.5 of chance: the score is probably turned round. "
                "Check which value of the label counts.",
                RANKED.replace("80.0 %", "20.0 %").replace(
                    "0.800, 95 % CI 0.750 to 0.8", "0.200, 95 % CI 0.150 to 0.2"
                ),
                WORST,
                MEANS,
                NONE,
            ],
        ),
        (
            (row("", None, 12, 12, 0.9, reason="Nobody is without the label."),),
            (PLAIN,),
            ["Nothing can be said of 12 test pairs: Nobody is without the label.", NONE],
        ),
    ],
)
def test_a_matcher_opens_with_what_it_ranks_for_whom_and_what_a_penalty_changes(rows, frontier, sentences):
    trained = TrainedOn(
        label="advanced",
        positive=100,
        groups={"gender": {"women": 180, "men": 220}},
        fairness=0.0,
        within=0.01,
        parts=Parts(test=400),
        features=(),
        curves=(),
        frontier=frontier,
        evaluation=rows,
        calibrations={},
        card={},
    )
    audit = MatchAudit(reproduce="evenhand match train p.csv --fairness 0", trained=trained)
    opening = trained_summary(audit, trained, ())
    assert list(opening.sentences) == sentences
    steps = [step.command for step in opening.steps]
    assert steps == (["evenhand match train p.csv --fairness 3"] if "penalty of 3 " in sentences[-1] else [])


PAIRS = MatchAudit(people=40, positions=3, pairs=120, matches={"0": 100, "4": 20})
SCORED = "120 pairs of 40 people and 3 positions were scored on masked texts."


@pytest.mark.parametrize(
    ("ranked", "top", "sentences", "command"),
    [
        (None, 1, [SCORED], None),
        (
            "positions",
            5,
            [
                SCORED,
                "Each position has its masked candidates, the best match first; recommendations.html shows them as "
                "cards.",
                "Ranks 1 to 5 count as a success in outcomes.parquet.",
            ],
            "evenhand impact . --protected gender,race",
        ),
        (
            "people",
            1,
            [
                SCORED,
                "Each person got positions, the best match first: recommendations.html shows them as cards.",
                "Rank 1 counts as a success in outcomes.parquet. Everybody has as many successes, so groups can differ "
                "in which positions they are shown, not in how many.",
            ],
            "evenhand impact . --protected gender,race --position position",
        ),
    ],
)
def test_scores_open_with_how_many_there_are_and_lists_with_what_counts_as_a_success(ranked, top, sentences, command):
    recommended = ranked and Recommended(ranked=ranked, attributes=("gender", "race"), top=top, listed=10)
    opening = scored_summary(replace(PAIRS, recommended=recommended))
    assert list(opening.sentences) == sentences
    assert [step.command for step in opening.steps] == ([command] if command else [])
