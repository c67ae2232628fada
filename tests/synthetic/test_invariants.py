"""What holds for every résumé, name and arm: the same layout is filled, and nothing of the person's name is left."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.data.lexicons.names import group_names
from evenhand.masking.people import Person
from evenhand.synthetic.arms import KINDS, Arms, affinity_lines, choose_names
from evenhand.synthetic.own_name import FullName, unaccented
from evenhand.synthetic.templates import template_of

FIRST = ("Jane", "Ngozi", "José", "Siobhán", "Xiaoming", "Latoya", "Jürgen", "Anne-Marie", "Priya", "Oluwaseun")
LAST = (
    "Okafor",
    "Núñez",
    "O'Brien",
    "Kowalczyk",
    "Nguyen",
    "van der Meer",
    "García López",
    "Al-Masri",
    "Whitfield",
    "Raghavan",
)
NEW = ("Lakisha", "Todd", "Mei", "Guillermo"), ("Banks", "Baker", "Zhao", "Velazquez")
#: Lines of a header and of a body; what stands in braces is the name in a form.
HEADERS = (
    "{first} {last}",
    "{FIRST} {LAST}",
    "# {first} {last}",
    "**{first} {last}**, PMP",
    "Name: {first} {last}",
    "{LAST}, {first}",
    "Résumé of {first} {last}",
    "| Candidate | {first} {last} |",
)
CONTACTS = (
    "E-mail: {plain_first}.{plain_last}@example.org",
    "{plain_first}{plain_last}84@example.org | +1 312-555-0188",
    "{plain_f}{plain_last}@example.org",
    "linkedin.com/in/{plain_first}-{plain_last}-4711",
    "https://github.com/{plain_f}{plain_last}",
)
BODY = (
    "{first} {last} cut scrap by 12 % in 2019.",
    "{first} was praised by the plant manager.",
    "Signed: {f}. {last}",
    "File: {FILE_first}_{FILE_last}_CV.pdf",
    "SKILLS\nPython, SQL, welding (MIG), SAP R/3",
    "EXPERIENCE\nSite Supervisor, Northfield Works, 2014 to 2019",
    "EDUCATION\nBSc Mechanical Engineering, Kestrel College, 2009-2013",
    "Led a crew of 9; budget of $1.2 million.",
)


def shown(lines, name):
    bare = {part: re.sub(r"[^a-z]", "", unaccented(getattr(name, part)).lower()) for part in ("first", "last")}
    return "\n".join(lines).format(
        first=name.first,
        last=name.last,
        FIRST=name.first.upper(),
        LAST=name.last.upper(),
        f=name.first[0],
        plain_first=bare["first"],
        plain_last=bare["last"],
        plain_f=bare["first"][0],
        FILE_first=re.sub(r"\W", "", unaccented(name.first)),
        FILE_last=re.sub(r"\W", "", unaccented(name.last)),
    )


names = st.builds(FullName, st.sampled_from(FIRST), st.sampled_from(LAST))
new_names = st.builds(FullName, st.sampled_from(NEW[0]), st.sampled_from(NEW[1]))
layouts = st.tuples(
    st.sampled_from(HEADERS),
    st.lists(st.sampled_from(CONTACTS), max_size=3, unique=True),
    st.lists(st.sampled_from(BODY), max_size=6, unique=True),
).map(lambda parts: [parts[0], *parts[1], "", *(f"{line}\n" for line in parts[2])])


def person(text, name, **protected):
    return Person(id="1", text=text, known_names=(name.text,), protected=protected)


@settings(max_examples=150, deadline=None)
@given(layout=layouts, name=names, new=new_names)
def test_a_template_under_another_name_is_the_layout_under_that_name(layout, name, new):
    made = template_of(person(shown(layout, name), name))
    assert made.original == shown(layout, name)
    assert made.filled(new) == shown(layout, new)


@settings(max_examples=100, deadline=None)
@given(layout=layouts, name=names)
def test_the_own_name_gives_the_text_back_where_it_is_written_as_it_is_known(layout, name):
    text = shown(layout, name)
    assert template_of(person(text, name)).filled(name) == text


@settings(max_examples=50, deadline=None)
@given(layout=layouts, name=names, new=new_names)
def test_no_word_of_the_name_is_left(layout, name, new):
    made = template_of(person(shown(layout, name), name))
    left = set(re.findall(r"[a-z]+", unaccented(made.filled(new)).lower()))
    words = set(re.findall(r"[a-z]{2,}", unaccented(name.text).lower())) - {"van", "der", "al"}
    assert not left & words


ARMS = {
    by: Arms(choice=choose_names(group_names(), by=by, seed=1, per_group=2), kinds=KINDS[:4])
    for by in (("gender",), ("race",), ("gender", "race"))
}


@settings(max_examples=40, deadline=None)
@given(
    layout=layouts,
    name=names,
    by=st.sampled_from(list(ARMS)),
    gender=st.sampled_from(["female", "male", None]),
    race=st.sampled_from(["black", "white", None]),
)
def test_arms_differ_in_names_pronouns_and_lines_only(layout, name, by, gender, race):
    told = {key: value for key, value in (("gender", gender), ("race", race)) if value}
    text = f"{shown(layout, name)}\nShe led her team."
    of = template_of(person(text, name, **told))
    arms = ARMS[by]
    lines = {line for group in arms.choice.groups for line in affinity_lines(by, group)}
    seen = set()
    for _, _, found in arms.texts(of):
        start, _, line = found.text.rpartition("\n\n")
        assert line in lines
        new = found.name.name
        for woman, man in (("Pronouns: she/her", "Pronouns: he/him"), ("She led her team.", "He led his team.")):
            start = start.replace(man, woman)
        seen.add(start.replace("\nPronouns: she/her", ""))
        assert start.replace("\nPronouns: she/her", "") == f"{shown(layout, new)}\nShe led her team."
        assert abs(len(found.text) - len(text)) < 40 + 40 * text.count("\n")
    assert len(seen) > 1
