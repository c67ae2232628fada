"""Arms: what is compared for whom, what each text shows, and that arms differ in nothing else."""

import pytest

from evenhand.data.lexicons.names import group_names
from evenhand.errors import InputError
from evenhand.masking.people import Person
from evenhand.synthetic.arms import KINDS, Arm, Arms, affinity_lines, choose_names, person_group
from evenhand.synthetic.templates import template_of

TEXT = "Jane Doe\njane.doe@example.org\n\nMs. Doe led her team of 12 since 2014.\n"
PLAIN = "Jane Doe\n\nWelder, Acme, 2014 to 2019\n"


def made(by, kinds=KINDS, reference=None, **options):
    choice = choose_names(group_names(), by=by, seed=1, **options)
    return Arms(choice=choice, kinds=tuple(kinds), reference=reference)


def template(text=TEXT, **protected):
    return template_of(Person(id="1", text=text, known_names=("Jane Doe",), protected=protected))


def told(arms, of):
    return [(each.kind, each.arm.label, each.against.label) for each in arms.comparisons(of)]


#: What is compared for everybody, with men as the reference; `{own}` are the names that a line alone stands under.
COMPARED = [
    ("name", "names female", "names male"),
    ("name+pronouns", "names female, pronouns", "names male, pronouns"),
    ("affinity", "names {own}, line male", "names {own}"),
    ("affinity", "names {own}, line female", "names {own}"),
    ("combined", "names female, pronouns, line female", "names male, pronouns"),
    ("explicit", "names female, explicit a woman", "names male, explicit a man"),
]
STATED = {"female": "a woman", "male": "a man"}


def of_own(own, *placebos):
    return [
        *(tuple(part.format(own=own) for part in each) for each in COMPARED),
        *(("placebo", f"other names {group}", f"names {group}") for group in placebos),
        ("placebo", f"names {own}, explicit the same in other words", f"names {own}, explicit {STATED[own]}"),
    ]


@pytest.mark.parametrize(
    ("text", "protected", "expected"),
    [
        (TEXT, {"gender": "F"}, of_own("female", "female")),
        (TEXT, {"gender": "M"}, of_own("male", "male")),
        # "Ms. Doe led her team".
        (TEXT, {}, of_own("female", "female")),
        (TEXT, {"gender": "unknown"}, of_own("female", "female")),
        (PLAIN, {}, of_own("male", "male", "female")),
        (PLAIN, {"race": "white"}, of_own("male", "male", "female")),
    ],
)
def test_groups_are_held_against_the_reference_and_the_placebo_within_the_own_group(text, protected, expected):
    assert told(made(["gender"]), template(text, **protected)) == expected


@pytest.mark.parametrize(
    ("by", "reference", "first", "others"),
    [
        (["race"], None, ("white",), 3),
        (["race"], "black", ("black",), 3),
        (["gender", "race"], None, ("male", "white"), 7),
        (["gender", "race"], "female × asian", ("female", "asian"), 7),
    ],
)
def test_the_reference_is_white_men_unless_another_is_named(by, reference, first, others):
    arms = made(by, ["name"], reference=reference)
    for protected in ({}, {"gender": "female", "race": "black"}):
        found = arms.comparisons(template(**protected))
        assert [each.reference for each in found] == [first] * others


def test_a_reference_that_is_no_group_is_refused():
    with pytest.raises(InputError, match="--reference 'women' is none of the groups; expected female or male"):
        made(["gender"], ["name"], reference="women")


def test_names_have_the_persons_value_of_what_is_held_where_it_is_known():
    arms = made(["race"], ["name"])
    black = Arm(names=("black",))
    for of, genders in (
        (template(PLAIN), {"female", "male"}),
        (template(PLAIN, gender="M"), {"male"}),
        (template(TEXT), {"female"}),  # as its pronouns tell
    ):
        names = arms.names(of, black)
        assert {each.signals["gender"] for each in names} == genders
        assert len(names) == 10


def test_each_arm_shows_what_it_says():
    arms = made(["gender"], [kind for kind in KINDS if kind != "explicit"])
    of = template(gender="F", race="white")
    women, men = arms.names(of, Arm(names=("female",))), arms.names(of, Arm(names=("male",)))
    (woman, man), other = (
        (each[3].name for each in (women, men)),
        arms.choice.names(("female",), ("white",), placebo=True),
    )
    line, control = affinity_lines(("gender",), ("male",))
    hers, _ = affinity_lines(("gender",), ("female",))
    shown = {
        Arm(names=("male",)): (man, "Ms.", "her", control),
        Arm(names=("female",)): (woman, "Ms.", "her", control),
        Arm(names=("male",), pronouns=True): (man, "Mr.", "his", control),
        Arm(names=("female",), pronouns=True): (woman, "Ms.", "her", control),
        Arm(names=("female",), line=("male",)): (woman, "Ms.", "her", line),
        Arm(names=("female",), line=("female",)): (woman, "Ms.", "her", hers),
        Arm(names=("female",), pronouns=True, line=("female",)): (woman, "Ms.", "her", hers),
        Arm(names=("female",), placebo=True): (other[3].name, "Ms.", "her", control),
    }
    assert set(arms.arms(of)) == set(shown)
    for arm, (name, title, pronoun, member) in shown.items():
        assert arms.text(of, arm, 3).text == (
            f"{name.text}\n{name.first.lower()}.{name.last.lower()}@example.org\n\n"
            f"{title} {name.last} led {pronoun} team of 12 since 2014.\n\n{member}\n"
        )


def test_pronouns_are_declared_where_the_text_has_none():
    arms = made(["gender"], ["name", "name+pronouns"])
    of = template(PLAIN, gender="female")
    man = arms.names(of, Arm(names=("male",)))[0].name
    assert arms.text(of, Arm(names=("male",)), 0).text == PLAIN.replace("Jane Doe", man.text)
    assert arms.text(of, Arm(names=("male",), pronouns=True), 0).text == PLAIN.replace(
        "Jane Doe", f"{man.text}\nPronouns: he/him"
    )


def test_arms_differ_in_nothing_but_what_they_show():
    arms = made(["gender", "race"], [kind for kind in KINDS if kind != "explicit"])
    of = template(gender="female", race="black")
    seen = set()
    for arm, _, found in arms.texts(of):
        name = found.name.name
        lines = {line for group in arms.choice.groups for line in affinity_lines(arms.choice.by, group)}
        rest = found.text
        for shown in (
            name.first,
            name.last,
            name.first.lower(),
            name.last.lower(),
            *sorted(lines, key=len, reverse=True),
        ):
            rest = rest.replace(shown, "_")
        rest = rest.replace("Mr.", "Ms.").replace(" his ", " her ")
        seen.add(rest)
        assert ("Mr." in found.text) == (arm.pronouns and arm.names[0] == "male")
    assert seen == {"_ _\n_._@example.org\n\nMs. _ led her team of 12 since 2014.\n\n_\n"}


def test_texts_are_addressed_by_template_arm_and_name():
    arms = made(["race"])
    of = template(race="white")
    for arm, number, found in arms.texts(of):
        assert arms.text(of, arm, number) == found
    assert len(list(arms.texts(of))) == 10 * len(arms.arms(of))


def test_lines_are_about_as_long_as_their_control():
    for by in (("gender",), ("race",), ("gender", "race")):
        groups = choose_names(group_names(), by=by).groups
        lines = [affinity_lines(by, group) for group in groups]
        assert len({control for _, control in lines}) == 1
        assert len({line for line, _ in lines}) == len(groups)
        assert all(abs(len(line) - len(control)) <= 2 for line, control in lines)


@pytest.mark.parametrize(
    ("protected", "by", "found"),
    [
        ({"gender": "Woman", "race": "WHITE"}, ("gender", "race"), ("female", "white")),
        ({"sex": "m", "Ethnicity": "Hispanic or Latino"}, ("gender", "race"), ("male", "hispanic")),
        ({"race": "Black or African American"}, ("race",), ("black",)),
        ({"race": "martian"}, ("race",), None),
        ({"gender": "female"}, ("gender", "race"), None),
        ({}, ("gender",), None),
    ],
)
def test_the_own_group_is_told_by_columns(protected, by, found):
    assert person_group(protected, by, choose_names(group_names(), by=by).groups) == found


@pytest.mark.parametrize(
    ("kinds", "options", "told"),
    [
        (
            ["names"],
            {},
            "'names' is not a kind of arm; expected name, name\\+pronouns, affinity, combined, explicit",
        ),
        ([], {}, "No kind of arm"),
        (["name", "name"], {}, "twice: name, name"),
        (["name", "placebo"], {"placebo": False}, "No names are left for the placebo"),
    ],
)
def test_kinds_that_nothing_can_be_made_of_are_refused(kinds, options, told):
    with pytest.raises(InputError, match=told):
        made(["gender"], kinds, **options)


@pytest.mark.parametrize(
    ("kind", "told"), [("name+pronouns", "signal no gender"), ("affinity", "No membership signals A")]
)
def test_the_users_groups_have_no_pronouns_and_no_lines(kind, told):
    pool = [
        type(group_names()[0])(name=f"{first} {last}", signals={"group": group})
        for first, group in (("Al", "A"), ("Bo", "A"), ("Cy", "B"), ("Di", "B"))
        for last in ("Ray", "Lim")
    ]
    choice = choose_names(pool, by=["group"])
    assert len(Arms(choice=choice, kinds=("name", "placebo")).comparisons(template())) == 3
    with pytest.raises(InputError, match=told):
        Arms(choice=choice, kinds=(kind,))
