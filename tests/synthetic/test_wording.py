"""Facts of O*NET as advertisements and résumés tell them."""

import csv
import re
from importlib import resources

import pytest

from evenhand.data.lexicons.occupations import occupation, occupations
from evenhand.synthetic.positions import named, past, path_of, present, required_technology, wording

VERBS = {
    row["verb"]: row["past"]
    for row in csv.DictReader(
        (resources.files("evenhand.synthetic") / "verbs.csv").read_text(encoding="utf-8").splitlines()
    )
}
#: Verbs whose last letter is doubled, besides those of one syllable.
DOUBLED = {"confer", "control", "debug", "patrol", "program", "refer", "transfer", "transmit", "submit"}
IRREGULAR = {
    "be": "was", "bend": "bent", "bind": "bound", "build": "built", "buy": "bought", "choose": "chose", "cut": "cut",
    "deal": "dealt", "dig": "dug", "do": "did", "draw": "drew", "drive": "drove", "eat": "ate", "feed": "fed",
    "find": "found", "forecast": "forecast", "give": "gave", "grind": "ground", "hang": "hung", "hold": "held",
    "keep": "kept", "know": "knew", "lay": "laid", "lead": "led", "make": "made", "meet": "met",
    "oversee": "oversaw", "pay": "paid", "read": "read", "rebuild": "rebuilt", "run": "ran", "seek": "sought",
    "sell": "sold", "send": "sent", "set": "set", "shut": "shut", "spread": "spread", "sweep": "swept",
    "take": "took", "teach": "taught", "tell": "told", "troubleshoot": "troubleshot", "underwrite": "underwrote",
    "withdraw": "withdrew", "write": "wrote",
}  # fmt: skip


def regular(verb):
    """The past by the rules of school grammars."""
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    if verb in DOUBLED or re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb):
        return f"{verb}{verb[-1]}ed"
    return f"{verb}ed"


def test_the_past_of_a_verb_is_irregular_or_follows_the_rule():
    assert {verb: IRREGULAR.get(verb, regular(verb)) for verb in VERBS} == VERBS
    assert set(IRREGULAR) | DOUBLED <= set(VERBS)


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("Direct or coordinate activities.", "Directed and coordinated activities"),
        ("Serve food, beverages, or desserts.", "Served food, beverages, and desserts"),
        ("Weigh, grind, or pack coffee beans.", "Weighed, ground, and packed coffee beans"),
        ("Plan budgets to buy tools or cut costs.", "Planned budgets to buy tools and cut costs"),
        ("Select vendors, and negotiate contracts.", "Selected vendors, and negotiated contracts"),
        ("Train workers who load and unload trucks.", "Trained workers who load and unload trucks"),
        ("Clean, using water, and remove trash.", "Cleaned, using water, and removed trash"),
        ("Carry items to storage areas and notify staff.", "Carried items to storage areas and notified staff"),
        ("Submit and file reports.", "Submitted and filed reports"),
        ("Answer telephones and give information.", "Answered telephones and gave information"),
        ("Keep work and supply areas clean.", "Kept work and supply areas clean"),
        ("Sort items and regularly notify supervisors.", "Sorted items and regularly notified supervisors"),
    ],
)  # fmt: skip
def test_a_task_is_told_in_the_past(task, told):
    assert past(task) == told


def test_every_task_begins_with_a_past_verb_and_offers_no_choice():
    for task in [task for each in occupations() for task in each.tasks]:
        first, told = task.split()[0].rstrip(",").lower(), past(task)
        assert told.split()[0].rstrip(",").lower() == VERBS[first]
        assert not re.search(r"\bor\b", f"{told} {present(task)}")
        assert told.endswith(tuple(task.split()[-1][-2:])) or told.split()[-1] == task.split()[-1]


@pytest.mark.parametrize(
    ("technology", "written"),
    [
        ("Microsoft Office software", "Microsoft Office"),
        ("SAP software", "SAP"),
        ("Accounting software", "accounting software"),
        ("Point of sale POS software", "point of sale (POS) software"),
        ("Structured query language SQL", "structured query language (SQL)"),
        ("Extensible markup language XML", "extensible markup language (XML)"),
        ("Amazon Web Services AWS software", "Amazon Web Services (AWS)"),
        ("Apple iOS", "Apple iOS"),
        ("eClinicalWorks EHR software", "eClinicalWorks EHR software"),
        ("GE Healthcare Centricity EMR", "GE Healthcare Centricity EMR"),
        ("Python", "Python"),
        ("C++", "C++"),
    ],
)
def test_technology_is_named_as_people_write_it(technology, written):
    assert named(technology) == written


def test_little_technology_is_asked_for_where_work_is_done_by_hand():
    assert required_technology(occupation("35-9021.00")) == ()
    assert required_technology(occupation("35-2011.00")) == ("point of sale (POS) software",)
    assert len(required_technology(occupation("13-2051.00"))) == 5


def test_every_occupation_has_a_path_in_a_field_of_work():
    for each in occupations():
        path = path_of(each)
        assert path.family in wording().families
        assert path.position
        assert path.qualification
    used = {path_of(each).family for each in occupations()}
    assert set(wording().families) == used
    assert {other.family for other in wording().others} <= used
