"""Terms of positions without lists: what counts as one, and how much."""

import numpy as np

from evenhand.data.inputs import Position
from evenhand.matching.terms import LabelledTexts, terms_of
from evenhand.matching.texts import lines_of

POSITIONS = [
    Position(id="1", title="Nurse", text="Our nurse knows wound care and dialysis"),
    Position(id="2", title="Nurse", text="Our nurse knows wound dressing and dialysis"),
    Position(id="3", title="Clerk", text="Our clerk knows letters"),
    Position(id="4", title="Clerk", text="Our clerk knows dialysis", skills=("letters",)),
]


def trained(*, people=90, seed=0):
    """Return terms of people, of whom those who know dialysis have the label, whatever else they know."""
    rng = np.random.default_rng(seed)
    knows = rng.random((people, 4)) < 0.5
    names = np.array(["wound care", "dialysis", "letters", "our"])
    texts = [lines_of(f"Jaroslava, {', '.join(rng.permutation(names[own]))}") for own in knows]
    rows, columns = (each.ravel() for each in np.indices((people, len(POSITIONS))))
    return terms_of(
        LabelledTexts(positions=POSITIONS, people=texts, rows=rows, columns=columns, label=knows[rows, 1].astype(float))
    )


def test_phrases_that_people_list_and_positions_have_count_as_one_term():
    terms = trained()
    assert terms.phrases == {("wound", "care")}
    assert not any("jaroslava" in term for term in (*terms.phrases, *terms.weights))


def test_what_no_resume_has_counts_nothing_nor_does_a_title_nor_text_beside_a_list():
    terms = trained()
    assert terms.weights["knows",] == terms.weights["dressing",] == 0
    assert ("nurse",) not in terms.of(POSITIONS[0])
    assert not terms.of(POSITIONS[3])


def test_terms_count_by_how_much_they_tell_of_the_label_and_new_ones_as_much_as_the_mean():
    terms = trained()
    assert terms.weights["dialysis",] > 2
    assert max(terms.weights["wound", "care"], terms.weights["our",]) < 0.5
    assert terms.of(Position(id="5", title="Nurse", text="Telemetry")) == {("telemetry",): 1.0}


def test_without_pairs_that_tell_terms_apart_all_count_alike():
    told = LabelledTexts(
        positions=POSITIONS[:1], people=[lines_of("dialysis")], rows=np.array([0]), columns=np.array([0]),
        label=np.ones(1),
    )  # fmt: skip
    assert terms_of(told).of(POSITIONS[0]) == {("dialysis",): 1.0}
