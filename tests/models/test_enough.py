"""When answers are enough: completed prefixes only, looked at every hundred items."""

from random import Random

import numpy as np
import pytest

from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.models.order import OrderedPrompts, planned
from evenhand.models.stopping import LOOK_EVERY, StoppingRule, watched
from evenhand.probes import PROBES
from evenhand.probes.hiring_bloomberg.probe import PROBE as BLOOMBERG
from evenhand.probes.probe import shuffled_indices
from evenhand.stats import MeanSequence

PROBE = PROBES["hiring-an"]
ACCEPTED, REJECTED = "You have been selected.", "We regret to inform you of our decision."


def stimuli(design, sample, *, seed=1):
    return design.stimuli(shuffled_indices(design.size, sample, seed=seed, block=design.block))


def lines(rows, answer):
    """Return journal lines that answer the rows of stimuli in their order."""
    return [
        {
            "sent_order": order,
            "index": row["index"],
            "attempt": 0,
            "text": answer(order, row),
            "finish_reason": "stop",
            "error_class": None,
        }
        for order, row in enumerate(rows.iter_rows(named=True))
    ]


def chance(order, row):
    return ACCEPTED if Random(order).random() < (0.7 if row["gender"] == "male" else 0.5) else REJECTED


def enough(design="card", *, sample=1000, width=0.2, probe=PROBE):
    return StoppingRule(probe, probe.designs[design], width=width, sample=sample, confidence=0.95)


def test_the_interval_is_that_of_the_k_th_male_against_the_k_th_female_prompt():
    rows = stimuli(PROBE.designs["card"], 300)
    watching = enough(sample=1000, width=0.2)
    for line in lines(rows, chance):
        watching.add(line)
    scores = {"male": [], "female": []}
    for order, row in enumerate(rows.iter_rows(named=True)):
        scores[row["gender"]].append(chance(order, row) == ACCEPTED)
    sequence = MeanSequence(lowest=-1, highest=1, width=0.2, horizon=500)
    sequence.add([int(male) - female for male, female in zip(scores["male"], scores["female"], strict=False)])
    expected = sequence.interval()
    found = watching.interval
    assert (found.low, found.high, found.n) == (pytest.approx(expected.low), pytest.approx(expected.high), expected.n)
    assert (watching.looks, watching.attempts) == (3, 300)


def test_a_slow_answer_holds_the_look_back_however_many_came_after_it():
    made = lines(stimuli(PROBE.designs["card"], 400), chance)
    watching = enough()
    for line in made[:7] + made[8:]:
        assert watching.add(line) is None
    assert (watching.looks, watching.attempts) == (0, 0)
    watching.add(made[7])
    assert (watching.looks, watching.attempts) == (4, 400)


def test_the_order_of_arrival_changes_nothing():
    made = lines(stimuli(PROBE.designs["card"], 1000), chance)
    ends = []
    for seed in (None, 1, 2):
        watching = enough(width=0.3)
        order = (
            np.arange(1000)
            if seed is None
            else np.argsort(np.arange(1000) + 60 * np.random.default_rng(seed).random(1000))
        )
        for place in order:
            watching.add(made[place])
        ends.append((watching.reached, watching.attempts, watching.looks, watching.interval))
    assert ends[0][0] is True
    assert ends[0] == ends[1] == ends[2]


def test_what_comes_after_the_stop_is_not_looked_at():
    made = lines(stimuli(PROBE.designs["card"], 1000), chance)
    watching = enough(width=0.3)
    told = [watching.add(line) for line in made]
    assert watching.attempts % LOOK_EVERY == 0
    assert watching.attempts < 1000
    assert told.index("The interval of diff_acceptance_rate is narrow enough.") == watching.attempts - 1
    assert watching.interval.width <= 0.3


def test_unread_and_failed_answers_are_complete_and_have_no_score():
    made = lines(stimuli(PROBE.designs["card"], 200), lambda order, _: "Hello." if order % 2 else ACCEPTED)
    made[0] |= {"text": None, "error_class": "content_filter"}
    watching = enough()
    for line in made:
        watching.add(line)
    assert watching.looks == 2
    assert watching.interval.n <= 50


def test_of_matched_prompts_only_pairs_count_in_which_both_were_read():
    rows = stimuli(PROBE.designs["matched"], 400)
    made = lines(rows, chance)
    made[0]["text"] = "Hello."
    watching = enough("matched")
    for line in made:
        watching.add(line)
    text = [line["text"] for line in made]
    values = [(text[k] == ACCEPTED) - (text[k + 1] == ACCEPTED) for k in range(2, 400, 2)]
    sequence = MeanSequence(lowest=-1, highest=1, width=0.2, horizon=500)
    sequence.add(values)
    assert (watching.looks, watching.items, watching.interval.n) == (2, 200, 199)
    assert watching.interval.low == pytest.approx(sequence.interval().low)


def test_of_rankings_the_k_th_items_of_the_four_roles_are_averaged():
    design = BLOOMBERG.designs["card"]
    rows = stimuli(design, 800)

    def first(order, row):
        names = [each["name"] for each in row["candidates"]]
        return "\n".join(Random(order).sample(names, len(names)))

    watching = enough(probe=BLOOMBERG, sample=8000, width=0.05)
    made = lines(rows, first)
    for line in made:
        watching.add(line)
    scores = {}
    for k in range(0, 800, 2):
        won = 0.0
        for line, row in zip(made[k : k + 2], rows[k : k + 2].iter_rows(named=True), strict=True):
            gender = {each["name"]: each["gender"] for each in row["candidates"]}
            won += (gender[line["text"].splitlines()[0]] == "male") / 2
        scores.setdefault(rows["role"][k], []).append(won)
    shortest = min(map(len, scores.values()))
    sequence = MeanSequence(width=0.05, horizon=1000)
    sequence.add([sum(of_role[k] for of_role in scores.values()) / 4 for k in range(shortest)])
    assert watching.watched.measure == "masculine_rate"
    assert watching.interval.n == shortest
    assert (watching.interval.low, watching.interval.high) == (
        pytest.approx(sequence.interval().low),
        pytest.approx(sequence.interval().high),
    )


def test_a_last_look_takes_what_is_left():
    watching = enough(sample=250)
    for line in lines(stimuli(PROBE.designs["card"], 250), chance):
        watching.add(line)
    assert (watching.looks, watching.attempts) == (2, 200)
    watching.finish()
    assert (watching.looks, watching.attempts) == (3, 250)


def test_the_fixed_sample_is_that_of_the_normal_interval():
    watching = enough(width=0.3)
    for line in lines(stimuli(PROBE.designs["card"], 1000), chance):
        watching.add(line)
    # Some 2 (1.96 / W)² (.7 · .3 + .5 · .5) pairs of one male and one female prompt.
    pairs = (2 * 1.96 / watching.interval.width) ** 2 * (0.7 * 0.3 + 0.5 * 0.5)
    assert watching.fixed_sample() == pytest.approx(2 * pairs, rel=0.25)


@pytest.mark.parametrize("other", [set(), {50}])
def test_answers_that_are_almost_all_alike_tell_nothing_of_a_fixed_sample(other):
    # Without a spread the normal approximation asks for 0 prompts; one other answer in 300 for 6 pairs at W = 0.15.
    watching = enough(width=0.15)
    for line in lines(stimuli(PROBE.designs["card"], 1000), lambda order, _: REJECTED if order in other else ACCEPTED):
        watching.add(line)
    assert watching.reached
    assert watching.fixed_sample() is None


@pytest.mark.parametrize(("name", "told"), [("an2024", "permutation"), ("business-vocabulary", "pooled words")])
def test_other_measures_are_refused_with_a_reason(name, told):
    probe = PROBES[name]
    with pytest.raises(InputError, match=told):
        watched(probe, probe.designs["card"])


def test_an_interrupted_run_is_taken_up_where_it_was(tmp_path):
    from evenhand.models.journal import Journal

    design = PROBE.designs["card"]
    plan = {
        "stimuli": design.stimuli,
        "asked": OrderedPrompts(probe="hiring-an", version="1", model="m", generation=Generation(), seed=0),
        "order_seed": 0,
    }
    indices = shuffled_indices(design.size, 1000, seed=1)
    made = lines(stimuli(design, 1000), chance)
    ids = [each.request.id for chunk in planned(indices, **plan) for each in chunk]
    with Journal(tmp_path) as journal:
        for place in (*range(3, 350), 0, 1, 360):  # the third answer is under way
            journal.append({**made[place], "id": ids[place], "time": None, "latency": None, "retries": 0})
    with Journal(tmp_path) as journal:
        answered = journal.answered()
    watching = enough(width=0.3)
    watching.replay(tmp_path, planned(indices, **plan, chunk=128), answered)
    assert (watching.looks, watching.attempts) == (0, 0)
    straight = enough(width=0.3)
    for line in made:
        straight.add(line)
    for place in (2, *range(350, 360), *range(361, 1000)):
        watching.add(made[place])
    assert (watching.attempts, watching.looks, watching.interval) == (
        straight.attempts,
        straight.looks,
        straight.interval,
    )
