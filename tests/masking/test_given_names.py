"""A name that the caller gave is masked in any case and place, and its ordinary words stay elsewhere."""

from itertools import product

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.names.mentions import ordinary_uses

NAMES = [
    *(
        "Anand krishnan",
        "Do Thanh",
        "Will Frost",
        "Hope Price",
        "May Tan",
        "Xu Li",
        "Siobhan O'Brien",
        "Anne-Marie Roux",
    ),
    *("Maria de la Cruz", "Ammar Al-Masri", "Joost van der Berg", "Nguyen Thi Van", "José Núñez", "Łukasz Żak"),
    *("Amit Dave", "Max Born", "Van Tran", "Rose Mark"),
]
#: A text with the name whole, its first and its last words, and what is left of it.
PLACES = {
    "top": ("{name}\nTester\nMilton\n\n{Last} worked for Bosch.", "\nTester\nMilton\n\n worked for Bosch."),
    "label": ("Name: {name}\nClerk at Bosch", "Name: \nClerk at Bosch"),
    "sentence": ("Report\nThe board thanked {name} for the audit.", "Report\nThe board thanked  for the audit."),
    "signature": (
        "Clerk at Bosch.\nI apply.\n\nBest regards,\n{first}",
        "Clerk at Bosch.\nI apply.\n\nBest regards,\n",
    ),
    "file": ("see {joined}_cv.pdf for more", "see _cv.pdf for more"),
    "genitive": ("The audit was {name}'s idea.", "The audit was 's idea."),
}


def cases_of(name):
    for cases in product((str.lower, str.title, str.upper), repeat=name.count(" ") + 1):
        yield " ".join(case(word) for case, word in zip(cases, name.split(" "), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_a_given_name_goes_in_any_case(name):
    wrong = []
    for written in cases_of(name):
        first, last = written.split(" ")[0], written.split(" ")[-1]
        for place, (text, left) in PLACES.items():
            shown = text.format(
                name=written,
                first=first,
                Last=last.title() if last.islower() else last,
                joined=written.replace(" ", "_"),
            )
            masked = mask_text(shown, known_names=[written]).text
            if masked.replace("[NAME]", "") != left:
                wrong.append((place, written, masked))
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "text", "masked"),
    [
        (
            "Petra vogel formerly Petra Holm",
            "Petra vogel, formerly Petra Holm\nHere Holm sang.",
            "[NAME], formerly [NAME]\nHere [NAME] sang.",
        ),
        ("Lena Brandt", "L\u0435na \u0412randt\nHere Le\u200bna Brandt wrote.", "[NAME]\nHere [NAME] wrote."),
        ("Lena Brandt", "\uff2cena BRANDT spoke; lena\u2010brandt", "[NAME] spoke; [NAME]"),
        ("Will Frost", "First name: will\nSurname: frost\nclerk", "First name: [NAME]\nSurname: [NAME]\nclerk"),
        (
            "Rosa Bell",
            "| First name | rosa |\nDear rosa, see the bell.",
            "| First name | [NAME] |\nDear [NAME], see the bell.",
        ),
        ("Will Frost", "W\u0456ll led; i will go.", "[NAME] led; i will go."),
        ("Arun Prasad", "Ar\x07un led. Pra\x7fsad did.", "[NAME] led. [NAME] did."),
        ("Rich Long", "The bill was long, rich in detail.", "The bill was long, rich in detail."),
        ("Will Frost", "I will travel in frost; will power.", "I will travel in frost; will power."),
        ("An Do", "an offer to do more; so an agent can do it", "an offer to do more; so an agent can do it"),
        # Words over the end of a line or a sentence are no name.
        ("Rich Hope", "Keen and rich\nHope to lead one day", "Keen and rich\nHope to lead one day"),
        ("Mark May", "We set the mark. May 2019", "We set the mark. May 2019"),
        ("So In", "The log shows so in here.", "The log shows so in here."),
        # Ordinary uses with a capital, and digits behind a word.
        ("Dean Hope", "Dean's list 2015\nHope to move to Hull", "Dean's list 2015\nHope to move to Hull"),
        ("In Joy", "Joy of cooking, in2019, in-house", "Joy of cooking, in2019, in-house"),
        # A name's place in small letters.
        ("Grace Bell", "Clerk\nbell ran the desk\nSigned by grace.", "Clerk\n[NAME] ran the desk\nSigned by [NAME]."),
        ("Rose Price", "see rose_cv.docx, price_list.docx", "see [NAME]_cv.docx, price_list.docx"),
        ("Mark Frost", "mARK led the mark-up", "[NAME] led the mark-up"),
        ("Frost, Mark", "mark frost led", "[NAME] led"),
        ("Grace Bell", "Clerk at Otto. grace led a team.", "Clerk at Otto. [NAME] led a team."),
        ("Joy Price", "In Hull, joy joined Otto; a price rose.", "In Hull, [NAME] joined Otto; a price rose."),
        ("An Roux", "Tester\n\nan led a team\nan automated test", "Tester\n\n[NAME] led a team\nan automated test"),
        ("So In", "Audited by so in, 2019. so in led it, so far.", "Audited by [NAME], 2019. [NAME] led it, so far."),
        ("Mark Law", "Edited by law. Call mark on 030 1234.", "Edited by [NAME]. Call [NAME] on 030 1234."),
        (
            "Amy Frost",
            "Clerk\nThe board met amy twice, thanks to amy.",
            "Clerk\nThe board met [NAME] twice, thanks to [NAME].",
        ),
        (
            "Will Frost",
            "In 2017 will joined Acme. We will. In Hull, will wrote a plan.",
            "In 2017 [NAME] joined Acme. We will. In Hull, [NAME] wrote a plan.",
        ),
        (
            "Joy Price",
            "joy, LPN\nNurse joy trained a team; patient joy grew.",
            "[NAME], LPN\nNurse [NAME] trained a team; patient joy grew.",
        ),
        (
            "May Tan",
            "The engineer may need it; the chef may built a kiln.",
            "The engineer may need it; the chef [NAME] built a kiln.",
        ),
        ("Rose Price", "rOsE sang, PriCe wrote. A price.", "[NAME] sang, [NAME] wrote. A price."),
        # A word between two of a name, and a name's first or last word that looks like a particle or a degree.
        ("So In", "I lived in Seoul so far.", "I lived in Seoul so far."),
        ("Ben Zupan", "Dear ben, ask. Big ben.", "Dear [NAME], ask. Big ben."),
        ("Kim Do", "Name: do\nWhat I do", "Name: [NAME]\nWhat I do"),
        # Letters of seven scripts that look like Latin ones, emphasis inside a word.
        ("Ravi Kumar", "K\u1d1cma\u0433, \u13e6uma\u13d2, \u2c94umar", "[NAME], [NAME], [NAME]"),
        ("Lee Tae-min", "l**ee Tae-min**\nTester", "[NAME]**\nTester"),
        ("Louis Zupan", "Opened St. Louis. Louis taught; zupan too.", "Opened St. Louis. [NAME] taught; [NAME] too."),
    ],
)
def test_a_given_name_is_found_as_it_is_typed(name, text, masked):
    assert mask_text(text, known_names=[name]).text == masked


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("陈美玲", ("会计师", "上海")),
        ("박지성", ("간호사", "서울")),
        ("Анна Волкова", ("Инженер проектов", "Екатеринбург")),
        ("Νίκος Γεωργίου", ("Λογιστής", "Θεσσαλονίκη")),
        ("सीता वर्मा", ("अध्यापिका", "मुंबई")),
    ],
)
def test_a_document_in_another_script_loses_the_name_on_top_only(name, lines, given):
    rest = "\n".join(lines)
    assert mask_text(f"{name}\n{rest}", known_names=[name] if given else []).text == f"[NAME]\n{rest}"


@pytest.mark.parametrize("name", ["Lena Brandt", "Grace Hope", "An Do"])
def test_a_name_that_does_not_occur_leaves_the_search_for_the_name_on(name):
    text = f"{name}\nNurse\nHull\n\n{name.split()[-1]} ran a ward."
    assert mask_text(text, known_names=["Ivan Zupan", "Will So"]).text == "[NAME]\nNurse\nHull\n\n[NAME] ran a ward."


def test_a_link_to_a_firm_reads_no_name():
    text = 'Jane Roe\nClerk at <a href="https://otto.example.de">Otto</a>, [Hermes](https://hermes.de)'
    masked = mask_text(text).text
    assert masked == '[NAME]\nClerk at <a href="[URL]">Otto</a>, [Hermes]([URL])'


@pytest.mark.parametrize("end", ["", " ", "\n", ":", "\t\t"])
def test_a_label_without_a_value_ends_a_text(end):
    assert mask_text(f"Jane Roe\nClerk\nNationality:{end}").text == f"[NAME]\nClerk\nNationality:{end}"


def test_ordinary_uses_of_a_names_words_are_counted():
    masked = mask_text("Will Frost\nI will go; a frost came. Will spoke.", known_names=["Will Frost"])
    assert masked.text == "[NAME]\nI will go; a frost came. [NAME] spoke."
    assert ordinary_uses(masked.text, ["Will Frost"]) == 2


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Used Kotlin, Gradle, Bamboo", None),
        ("Hosted Grafana, Loki", None),
        ("Mentored Julia and Dylan", None),
        ("Wilcoxon-Mann, Santa Fe", None),
        ("ravi Deshmukh\nSystem Engineer\nPune | ravi.d@mail.example", "[NAME]\nSystem Engineer\nPune | [EMAIL]"),
        ("OLIVIA barnes\nElectrician\nCardiff", "[NAME]\nElectrician\nCardiff"),
        ("Managed projects\nLed teams\nCardiff", None),
        ("Vera Lind (LinkedIn)\nClerk\nCardiff", "[NAME] (LinkedIn)\nClerk\nCardiff"),
        ("Vera Lind (Cardiff)\nClerk", "[NAME] (Cardiff)\nClerk"),
        ("Vera Lind (Zupan)\nClerk\nHere Zupan led.", "[NAME]\nClerk\nHere [NAME] led."),
    ],
)
def test_a_line_alone_is_no_head_and_a_line_on_top_may_be_of_mixed_case(text, masked):
    assert mask_text(text).text == (masked or text)
