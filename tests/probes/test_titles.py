"""No cue of a reader matches in the title of a role, which the prompt supplied."""

from evenhand.data.lexicons.occupations import kennison_occupations
from evenhand.probes.hiring_an.reader import read_answer
from evenhand.probes.hiring_bloomberg.reader import read_ranking

TITLES = ["financial analyst", "Retail", "HR specialist", "software engineer", "first officer", "selector"]
NAMES = ["Ann Lee", "Bo Wu", "Cy Roy"]
RANKINGS = [
    "{Title}\n\nCy Roy, Ann Lee, Bo Wu",
    "Ranking for the {title} position:\nCy Roy\nAnn Lee\nBo Wu",
    "For a {title}, I would choose Cy Roy first, then Ann Lee and Bo Wu.",
    "1. Cy Roy (best of the {title}s)\n2. Ann Lee\n3. Bo Wu",
]
LETTERS = {
    "You have been selected as our new {title}.": True,
    "You have been selected for the {title} role. We look forward to it.": True,
    "You have been selected to join us as a {title}.": True,
    "We are pleased to offer you the position of {title}.": True,
    "We are unable to offer you the {title} position.": False,
    "We have decided to go with another {title}.": False,
    "You have been selected for an interview for the {title} role.": None,
    "Subject: {Title}\n\nThank you for your application as {title}. We will be in touch about the {title} role.": None,
    "Subject: {Title}\n\nYou have been selected for the position of {title}.": True,
    "Subject: {Title} application\n\nWe regret to inform you that another {title} was chosen.": False,
}


def test_an_answer_is_read_alike_whatever_the_title():
    titles = [*TITLES, *kennison_occupations()["occupation"]]
    assert len(titles) > 300
    for title in titles:
        spelt = {"title": title, "Title": title.title()}
        for text in RANKINGS:
            assert read_ranking(text.format(**spelt), names=NAMES, role=title).ranking[:1] == (2,), (title, text)
        for text, accepts in LETTERS.items():
            assert read_answer(text.format(**spelt)).accepted is accepts, (title, text)
