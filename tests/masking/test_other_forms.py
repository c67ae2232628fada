"""A known person's other names: short forms, own scripts, earlier names, names under labels of forms."""

import pytest

from evenhand.masking.mask import mask_text
from marked_text import unmarked

FILLER = "Kept the archive of a mill and taught two clerks. " * 9
MASKED = {
    "Philippa Key": [
        'Thanks to "[[Pippa]]" the van started.',
        "Ask for [[Pippa]] at the gate.",
    ],
    "Diamond Booker": [
        "Preferred Name: [[Coach]]",
    ],
    "Trust Sibanda": ["Full Legal Name :: [[Trust Sibanda]]"],
    "Imogen Page": ["Invoices go through [[Page]] Software Ltd."],
    "Ram Agarwal": ["Priced tenders. [[Ram]] and Pema (Pema Thapa) shared one desk."],
    "Andre Summers": [],
    "Lakshmi Iyer": [
        "[[thelakshmi]] 3 hours ago | next",
    ],
    "Linda Flores": ["- Studio [[Flores]], prints and posters"],
    "Nurul binti Othman": ["1. Surname: [[Othman]]   2. Given names: [[Nurul binti]]"],
    "Torsten von Bülow": ["Guest column by [[Torsten von]]      monthly"],
    "Pooja Engineer": ["Father's Name   : [[Late Ashutosh Engineer]]"],
    "Geoffrey Chandler": [
        "Everyone rings [[Geoff]] first.",
    ],
    "Malgorzata Petrovic": ["[[Gosia]] runs the rota."],
    "Ibrahima Balogun": [],
    "Venkatesh Rahman": ["The team calls me [[Venky]]."],
    "Kasia Nowak": ["Diploma of [[Katarzyna]], 2011"],
    "Jelena Shevchenko": [
        "[[Jelena Shevchenko]], formerly [[Dvorak]]\nNurse",
        "[[Jelena Shevchenko]] (previously [[Dvorak]])",
        "Previous Surname ........... [[Dvorak]]\nCity: Leeds",
        '{"firstName": "[[Jelena]]", "birthName": "[[Dvorak]]"}',
        "Certificates issued under [[Dvorak]], 2009",
        "Degree in my maiden name, [[Dvorak]].",
        "Earlier work appears under [[Haddad]].",
        "Records before 2014 are filed under [[Haddad]].",
        "Diploma issued to [[Jelena Haddad]].",
        "Ran the logs.\n\u25cf Formerly [[Jelena Haddad]]",
        "Name on older certificates: [[Jelena Haddad]]",
        'Known on site as "[[Yelka]]".',
        "Colleagues shorten it to [[Yelka]].",
        "Please use [[Yelka]].",
        "2. What should we call you?\n[[Yelka]]",
        "Badge name: [[Yelka]]",
        'In my last team I was "[[Lenka]]".',
    ],
    "Ada Okonkwo": [
        "Follow my build notes on [[@the_okonkwo]].",
    ],
    "Femke de Vries": ["Inventor on one filing ([[de vries]]).", "Drawn for the mill by [[de Vries]]."],
    "Jürgen Weiß": ["Sehr geehrter Herr [[Weiß]], Sie"],
    "Adaeze Obi": ['Known on site as "[[Ada]]". The card says "Come back soon, [[Ada]]!"'],
    "Yaakov Love": [],
    "Jae-hyun Kim": [
        FILLER + "Passport page two also reads [[\uae40\uc7ac\ud604]] there.",
        FILLER + "\n- [[\uae40\uc7ac\ud604]]\nSeoul",
    ],
    "Efrain de la Cruz": ["Uploaded file: [[de_la_Cruz-Efrain]].pdf"],
    "Guowei Szeto": [
        FILLER + "\n<p>([[\u53f8\u5f92\u56fd\u4f1f]])</p>",
        FILLER + "Also written [[\u53f8\u5f92\u56fd\u4f1f]]",
    ],
    "Yuxin Luo": [FILLER + "\n[[\u7f57\u96e8\u6b23]] on older papers"],
    "Oksana Shevchuk": [
        FILLER + "Tutor. [[\u041e\u043a\u0441\u0430\u043d\u0430 \u0428\u0435\u0432\u0447\u0443\u043a]] in the register."
    ],
    "Khaled Darwish": [FILLER + "\n[[\u062e\u0627\u0644\u062f \u062f\u0631\u0648\u064a\u0634]]\nBeirut"],
}
KEPT = {
    "Ida Stone": "Stoneworks and stoneware; limestone, milestones.",
    "Al Roe": "Nickname: none. Preferred name: same",
    "Hannah Rice": "Contracts reviewed by HR.",
    "Gwendolyn Shaw": "Crew, Wendy's, 2015",
    "Monica Perez": "Shifts: Mon, Wed, Fri. Mon to Fri.",
    "Ann Roe": "Wrote @annotation and @Scanned beans for a rota of forty drivers.",
    "Li Na": FILLER + "\nClients: \u4e07\u79d1, \u9ad8\u76db",
    "Dean Black": "Checked DB backups, signed DB access forms, logged DB errors.",
    "Jane Roe": "The report was filed under Finance. Articles appear under Creative Commons. Please use Excel.",
    "Janet Moss": "Jan 2019 to Mar 2020: ledger clerk.",
    "Javad Karimi": "Wrote the scheduler in Java and Go.",
    "Germaine Roy": "Reads German and French.",
    "Santiago Cruz": "Opened the San Diego plant; grew San Jose.",
    "Indira Rao": "Exports to India and Indonesia.",
    "Shirin Karimi": "Taught the history of Shia art.",
    "Min-ji Kim": FILLER + "Languages: \ud55c\uad6d\uc5b4, \u4e2d\u6587, \u0420\u0443\u0441\u0441\u043a\u0438\u0439",
    "Anna Reyes": "Founded as Morrow, formerly Kestrel Freight.",
    "Dora Ruiz": "Materials .......... steel and brass",
}


@pytest.mark.parametrize(("name", "marked"), [(name, each) for name, rows in MASKED.items() for each in rows])
def test_another_form_of_a_known_name_is_masked(name, marked):
    text, expected = unmarked(marked)
    spans = [
        (span.start, span.end) for span in mask_text(text, known_names=[name]).spans if span.category in {"NAME", "URL"}
    ]
    assert spans == expected


@pytest.mark.parametrize(("name", "text"), KEPT.items())
def test_what_only_begins_like_a_name_stays(name, text):
    assert not [span for span in mask_text(text, known_names=[name]).spans if span.category == "NAME"]
