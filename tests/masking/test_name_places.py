"""Names nobody told: found by their place, by what people do, by addresses; never by a list of names alone."""

import pytest

from evenhand.masking.mask import mask_text

WORK = """

Experience
Halberd Logistics, Leeds, 2009 - 2013
- Led a team of twelve at Granite Peak Mining.
- Kept the books in Sage before May 2019.

Skills
Excel, stock control
"""
#: {0} is the given name, {1} the family name; none of the names below is in a list.
PLACES = [
    "{0} {1}\nSoil Scientist\nLeeds" + WORK,
    "{F}\n=====\nSoil Scientist" + WORK,
    "RESUME\n\n{0} {1}\n+44 7700 900123" + WORK,
    "{1}, {0}\nSoil Scientist\nTel. 07700 900123" + WORK,
    "{0}\n{1}\nSoil Scientist\n+44 7700 900123" + WORK,
    "{0} {1} MBA, PMP — Soil Scientist" + WORK,
    "{0} {1}, RN, MSN\nLeeds | +44 7700 900123" + WORK,
    "+44 7700 900123 | Leeds | {0} {1} | Soil Scientist" + WORK,
    "Contact\n+44 7700 900123\n\nLanguages\nFrench\n\n{F}\nSOIL SCIENTIST\n\nProfile\nCalm." + WORK,
    "Soil Scientist\nLeeds" + WORK + "\n{0} {1}\n+44 7700 900123\nLeeds\n",
    "Name            : {0} {1}\nPost            : Soil Scientist" + WORK,
    "Name\n{0} {1}\n\nPost\nSoil Scientist" + WORK,
    "| Name | {0} {1} |\n|---|---|\n| Role | Soil Scientist |" + WORK,
    "| Candidate | Role |\n|:---|:---|\n| {0} {1} | Soil Scientist |" + WORK,
    "| Name | {0} {1} |\n| Tool | Excel |" + WORK,
    "| Name | {0} {1} | Born | 1980 |\n|---|---|---|---|\n| Venue | Leeds | Zip | 17 |" + WORK,
    "name = {0} {1}\nrole = Soil Scientist" + WORK,
    '{{"basics": {{"name": "{0} {1}", "label": "Nurse"}}, "work": [{{"name": "Kestrel Foods", "position": "Nurse"}}]}}',
    "cv:\n  name: {0} {1}\n  experience:\n    - company: Kestrel Foods\n      position: Nurse\n",
    "<resume><name>{0} {1}</name><job><employer>Kestrel Foods</employer></job></resume>",
    "<h1>{0} {1}</h1>\n<p>Soil Scientist in Leeds</p>" + WORK,
    "About {0} {1}\n\n{0} {1} is a nurse in Leeds. {0} joined Kestrel Foods in 2011. {1} rows." + WORK,
    "{0} {1} has spent nine years in labs. In 2011, {1} was named Employee of the Month." + WORK,
    "Meet {0} {1}. By day he drives a bus; by night {0} repairs clocks.\n\nWhy hire {0}?" + WORK,
    "Board biography\n\n{0} {1}\n\nMr {1} chairs the audit committee. Mr {1} holds an MBA." + WORK,
    "Few people know the trade as well as {0} {1} does. She started in 2001. Then {0} moved to Lyon." + WORK,
    "Soil Scientist {0} {1} brings nine years to her work. Since 2001, {1} has been with us." + WORK,
    "Based in Leeds, {0} {1} trained as a nurse. {0} enjoys rowing and plays chess." + WORK,
    "{0} {1}, nurse, has worked in Leeds since 2001. Then {0} wrote the manual." + WORK,
    "Candidate summary\n\n{0} is a nurse. {0} spent five years at Kestrel, where he ran the ward. {0} came prepared.",
    "I have known {0} {1} since 2001. {0} joined us as a trainee. I recommend {0} without hesitation.",
    "This is to certify that Ms {0} {1} was employed here. During this time {0} was punctual.",
    "Dear team,\n\nI write to apply. I hope to join you.\n\nYours faithfully,\n\n{0} {1}\n",
    "To the committee,\n\nI hope to join you.\n\nWarmly,\n– {0} {1}\n",
    "Hi, {0} here. I am a nurse.\n\nBest,\n{0}\n",
    "I, {0} {1}, hereby apply for the post of nurse." + WORK,
    "Hello! I'm {0} {1}, a nurse from Leeds." + WORK,
    "Q&A with {0} {1}\n\nQ: How did you start?\n{0}: I began in 2001." + WORK,
    "{0} {1}'s résumé\n\nNurse" + WORK + "\n© 2021 {0} {1}\n",
    "Nurse\nLeeds" + WORK + "\n{0} {1} | Résumé | Page 1\n" + WORK + "\n{0} {1} | Résumé | Page 2\n",
    "Attachment: CV_{0}_{1}_2021.pdf\n\nNurse" + WORK + "\n{0} {1}\n",
    "Nurse\nLeeds · {l}.{m}@proton.me" + WORK + "\nSamples of {1}'s work on request.\n",
    "Employee: {0} {1}\nPosition: Nurse\n\n{0} met all goals. {0} should now take on the Leeds site.",
]
NAMES = [
    ("Zykeria", "Fauntroy"),
    ("Ebele", "Okwudili"),
    ("Vsevolod", "Tyutchev"),
    ("Qingxia", "Ouyang"),
    ("Leocadio", "Arrizabalaga"),
    ("Muhannad", "Kanafani"),
    ("Jyotsna", "Bandyopadhyay"),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("given", "family"), NAMES)
def test_a_name_in_no_list_is_found_where_it_stands(place, given, family):
    text = place.format(given, family, F=f"{given} {family}".upper(), l=given.lower(), m=family.lower())
    left = mask_text(text).text.lower()
    assert given.lower() not in left
    assert family.lower() not in left


@pytest.mark.parametrize("place", PLACES)
def test_firms_towns_and_jobs_beside_a_name_stay(place):
    masked = mask_text(place.format("Ebele", "Okwudili", F="EBELE OKWUDILI", l="ebele", m="okwudili")).text
    for kept in ("Halberd Logistics", "Granite Peak Mining", "Kestrel", "Leeds", "Soil Scientist", "May 2019", "Sage"):
        assert masked.count(kept) == place.count(kept)


@pytest.mark.parametrize(
    "name", ["Ebele Okwudili", "Okwudili, Ebele", "Ms Ebele Okwudili", "Grace Young", "Okwudili", "Ebele Major, PhD"]
)
@pytest.mark.parametrize(
    "table",
    [
        "| Name | {0} |\n| Tool | Excel |\n",
        "| Role | Nurse |\n|---|---|\n| Name | {0} |\n| Tool | Excel |\n",
        "Name\t{0}\nTool\tExcel\n",
        "Name          {0}\nTool          Excel\n",
    ],
)
def test_labels_under_a_names_label_stay(table, name):
    masked = mask_text("Curriculum vitae\n\nBuilt Tool sheds.\n\n" + table.format(name)).text
    assert masked.count("Tool") == 2
    assert not [part for part in name.replace(",", "").split() if part in masked.replace("PhD", "").replace("Ms", "")]


@pytest.mark.parametrize("head", ["Role", "Relationship", "Proficiency", "Employer", "Known since", "E-mail"])
def test_heads_of_columns_beside_a_names_stay(head):
    masked = mask_text(f"References\n\n| Name | {head} |\n|---|---|\n| Ebele Okwudili | x |\n").text
    assert masked == f"References\n\n| Name | {head} |\n|---|---|\n| [NAME] | x |\n"


@pytest.mark.parametrize(
    "marked",
    [
        'Bogumiła "Bogusia" Brzęczyk\nNurse\n\nBogusia has nine years of practice.',
        "Hae-won (Jane) Pyeon\nNurse\n\nEveryone calls me Jane.",
        "Imogen Farthingale (née Quimby)\nNurse",
        "Legal name: Seung-ho Mok\nPreferred name: Terry\n\nTerry likes rowing.",
        "Xiuzhen Ouyang\n歐陽秀珍\nNurse",
        "Oleksandra Zabuzhko (Олександра Забужко)\nNurse",
    ],
)
def test_other_forms_of_the_name_go_too(marked):
    left = mask_text(marked).text
    forms = "Bogumiła Bogusia Brzęczyk Hae-won Jane Pyeon Imogen Farthingale Quimby Mok Terry Ouyang 歐陽秀珍 Забужко"
    assert not [form for form in forms.split() if form in left]
