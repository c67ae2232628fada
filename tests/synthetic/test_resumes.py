"""Synthetic résumés and advertisements: what must hold for every one of them."""

import re
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.data.lexicons.names import bloomberg_names
from evenhand.data.lexicons.occupations import occupation, occupations
from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from evenhand.synthetic.positions import Draws, path_of, position_text, required_technology, wording
from evenhand.synthetic.resumes import LAYOUTS, LEVELS, career, resume_text, without_email

VERSIONS = range(1, 25)
BY_CODE = pytest.mark.parametrize("each", occupations(), ids=lambda each: each.code)
#: Words that tell a gender, an age, a family, a faith or a people, or stand for a person.
TELLING = """
    he she him her his hers they them their theirs i me my mine himself herself themselves mr mrs ms miss sir
    madam man men woman women male female boy boys girl girls lady ladies gentleman gentlemen guy guys father
    mother son daughter husband wife brother sister chairman foreman salesman saleswoman waitress waiter hostess
    stewardess actress seamstress handyman journeyman fraternity sorority maternity paternity married single
    divorced pregnant young old age aged elderly christian jewish muslim catholic hindu buddhist church mosque
    synagogue christmas easter ramadan diwali hanukkah thanksgiving asian black white hispanic latino latina
    african european american chinese indian mexican irish italian spanish arab gay lesbian disabled veteran
    immigrant citizen native
"""
#: Words at the start of a line that are names as well.
VERBS = {"Drew", "Mark"}


@cache
def names():
    people = {part for name in bloomberg_names()["name"] for part in name.split(" ")}
    return people - VERBS - {"Branch"}


@cache
def texts(each):
    return {
        (level, version): resume_text(each, version=version, level=level) for level in LEVELS for version in VERSIONS
    }


@BY_CODE
def test_a_resume_has_its_slots_and_a_usual_length(each):
    for text in texts(each).values():
        assert text.count("{email}") == 1
        assert 1 <= text.count("{name}") <= 2
        assert text.index("{name}") < text.index("{email}") < 60
        assert "{name}" not in next(line for line in text.split("\n") if "{email}" in line)
        assert not re.search(r"[{}]", text.replace("{name}", "").replace("{email}", ""))
        assert 150 <= len(text.split()) <= 300


@BY_CODE
def test_a_resume_tells_nothing_of_who_the_person_is(each):
    for text in (*texts(each).values(), position_text(each)):
        words = set(re.findall(r"[\w-]+", text.lower()))
        assert not words & set(TELLING.split())
        assert not {word for word in re.findall(r"\b[A-Z][a-z]+\b", text) if word in names()}


@BY_CODE
def test_versions_are_all_different_and_always_the_same(each):
    assert len(set(texts(each).values())) == len(LEVELS) * len(VERSIONS)
    version = VERSIONS[-1]
    assert resume_text(each, version=version, level="weak") == texts(each)["weak", version]
    employers = {line for text in texts(each).values() for line in text.split("\n") if path_of(each).position in line}
    assert len(employers) > 20


@BY_CODE
def test_years_follow_each_other_and_levels_differ_in_them(each):
    experience = {}
    for level in LEVELS:
        for version in VERSIONS:
            jobs = career(each, level, Draws(f"{version}")).jobs
            assert jobs[0].last is None
            assert all(job.first < (job.last or 2026) for job in jobs)
            assert all(later.first == earlier.last for later, earlier in pairwise(jobs))
            path = path_of(each)
            own = [job for job in jobs if job.title in {path.position, path.senior, path.junior}]
            years = sum((job.last or 2025) - job.first for job in own)
            experience.setdefault(level, []).append(years)
    asked = wording().zones[each.zone].years
    assert min(experience["strong"]) > max(asked, *experience["medium"])
    assert min(experience["medium"]) > max(experience["weak"]) == 0


@BY_CODE
def test_levels_differ_in_qualification_and_technology(each):
    asked, path = required_technology(each), path_of(each)
    for (level, _), text in texts(each).items():
        had = sum(name in text for name in asked)
        assert had == len(asked) if level == "strong" else had <= max(1, (len(asked) + 1) // 2 + 1)
        assert (f"{path.qualification}, " in text) == (
            level != "weak" or path.qualification == "High school diploma" in text
        )
        assert bool(path.licence and path.licence in text) == bool(path.licence and level != "weak")
        assert (path.senior in text) >= (level == "strong")


@BY_CODE
def test_no_duty_is_told_twice(each):
    for level, version in texts(each):
        duties = [duty for job in career(each, level, Draws(f"{version}")).jobs for duty in job.duties]
        assert len(set(duties)) == len(duties)


def test_versions_are_laid_out_in_many_ways():
    found = {resume_text(occupation("43-6014.00"), version=version, level="medium")[:20] for version in VERSIONS}
    assert len(LAYOUTS) == len(found) >= 4
    assert sum(text.count("{name}") == 2 for text in texts(occupation("43-6014.00")).values()) >= 12


@BY_CODE
def test_an_advertisement_has_title_tasks_and_requirements(each):
    text = position_text(each)
    assert text.startswith(f"{path_of(each).position}\n\n")
    assert text.count("\n- ") >= 6
    assert all(name in text for name in required_technology(each))
    assert 120 <= len(text.split()) <= 220
    assert not re.search(r"[{}]", text)


@pytest.mark.parametrize("each", occupations()[::3], ids=lambda each: each.code)
def test_masking_finds_nothing_but_what_the_slots_were_filled_with(each):
    options = MaskOptions(optional=tuple(set(OPTIONAL) - {"school"}))
    for level in LEVELS:
        text = texts(each)[level, 1 + sum(map(ord, each.code)) % 12]
        filled = text.replace("{name}", "Jane Okafor").replace("{email}", "jane.okafor@example.org")
        masked = mask_text(filled, known_names=["Jane Okafor"], options=options)
        assert masked.text == text.replace("{name}", "[NAME]").replace("{email}", "[EMAIL]")


@given(st.sampled_from(occupations()), st.integers(1, 10**9), st.sampled_from(LEVELS))
def test_any_version_has_the_same_form(each, version, level):
    text = resume_text(each, version=version, level=level)
    assert 150 <= len(text.split()) <= 300
    assert "{email}" not in without_email(text)
    assert "\n\n\n" not in without_email(text)


def test_draws_are_the_same_everywhere():
    # Written down once, on Python 3.11: an id must mean the same text on every machine.
    draws = Draws("43-6014.00 strong 3")
    assert [draws.number(1, 100) for _ in range(4)] == [50, 50, 20, 37]
    assert draws.some("abcdef", 3) == ["f", "b", "a"]
    assert draws.filled("{1-9} of {1000-1000}") == "1 of 1,000"
