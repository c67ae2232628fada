"""Places of listed words in a text: of lists that all texts are looked through for, and of any."""

from hypothesis import given
from hypothesis import strategies as st

from evenhand.masking.layout import folded_text, word_list

WORDS = ("ann", "o'neil", "d'or", "rock'n'roll", "of", "desk", "2019", "zo\u00eb")
LISTS = ({"ann", "of"}, {"of", "desk", "2019"}, {"o'neil", "rock'n'roll"}, {"nowhere"}, set())


@given(text=st.lists(st.sampled_from((*WORDS, "Ann", "OF", "\n", "-"))).map(" ".join))
def test_lists_kept_for_all_texts_have_the_same_places_as_others(text):
    kept, passing = folded_text(text), folded_text(text)
    for listed in LISTS:
        expected = [place for place, (word, _, _) in enumerate(passing.words) if word in listed]
        assert passing.places(frozenset(listed)) == expected
        assert kept.places(word_list(listed)) == expected


def test_a_list_made_after_a_text_was_looked_through():
    seen = folded_text("a cup of tea, a pot of it")
    assert seen.places(word_list({"cup", "pot"})) == [1, 5]
    assert seen.places(word_list({"tea", "it"})) == [3, 7]


def test_words_with_an_apostrophe_inside():
    seen = folded_text("'Til d'Or met O'Neil's rock'n'roll dogs' vet")
    assert [seen.words[place][0] for place in seen.elided] == ["d'or", "o'neil's", "rock'n'roll"]
    assert [seen.words[place][0] for place in seen.capitals] == ["til", "d'or", "o'neil's"]
