"""Our own CVs: one profile per role, no hint of gender, no line that two CVs share."""

import re

import pytest

from evenhand.probes.hiring_bloomberg.corpus import builtin_corpus

ROLES = {role.name: role for role in builtin_corpus()}
GENDERED = frozenset(
    [
        "he",
        "she",
        "him",
        "his",
        "her",
        "hers",
        "himself",
        "herself",
        "mr",
        "mrs",
        "ms",
        "miss",
        "sir",
        "madam",
        "man",
        "woman",
        "men",
        "women",
        "boy",
        "girl",
        "male",
        "female",
        "chairman",
        "foreman",
        "salesman",
        "waitress",
        "actress",
        "hostess",
        "father",
        "mother",
        "husband",
        "wife",
        "sorority",
        "fraternity",
    ]
)


def words(text):
    return re.findall(r"[a-z]+", text.lower())


@pytest.mark.parametrize("name", ROLES)
def test_every_cv_takes_the_name_once_and_hints_at_no_gender(name):
    role = ROLES[name]
    assert len(role.cvs) == 8
    for text in role.cvs:
        assert text.count("{name}") == 1
        assert set(re.findall(r"[{}]", text.replace("{name}", ""))) == set()
        assert "<hr>" not in text
        assert not GENDERED & set(words(text.replace("{name}", "")))
    assert "{name}" not in role.ad
    assert not GENDERED & set(words(role.ad))


@pytest.mark.parametrize("name", ROLES)
def test_cvs_of_a_role_are_of_one_length_and_share_no_line(name):
    texts = ROLES[name].cvs
    lengths = [len(text.split()) for text in texts]
    assert max(lengths) <= 1.4 * min(lengths)
    seen = set()
    for text in texts:
        own = {" ".join(words(line)) for line in text.splitlines() if len(words(line)) > 5}
        assert not own & seen
        seen |= own


@pytest.mark.parametrize("name", ROLES)
def test_cvs_of_a_role_span_the_same_years(name):
    spans = {tuple(sorted({int(year) for year in re.findall(r"\b(20\d\d)\b", text)})) for text in ROLES[name].cvs}
    assert spans <= {(2012, 2017), (2013, 2018)}


def test_cvs_of_a_role_are_laid_out_in_eight_ways():
    for role in ROLES.values():
        openings = {re.sub(r"[A-Za-z ]+", "", text.splitlines()[0]) + text.splitlines()[1][:3] for text in role.cvs}
        assert len(openings) >= 5
