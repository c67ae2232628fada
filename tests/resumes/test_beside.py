"""What stands beside the name of a résumé's person: other people in the same form, and initials."""

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

HEAD = "Gareth Whitcombe\ngareth.whitcombe@example.org\n\nPROFILE\nI keep lists and like quiet mornings.\n\nOTHER\n"
PEOPLE = [
    "Vote tellers: [[Nakamura]] and [[Whitcombe]].",
    "Chess club ladder: [[Whitcombe]] 4, [[Xu]] 2",
    "Prize list: first, [[Xu]]; second, [[Whitcombe]]; third, [[Babić]]",
    "Handover sheet: [[Whitcombe]] / [[Macaraeg]] / [[Winslow]]",
    "Cited as [[Whitcombe]] & [[Yoon]].",
    "Partner at [[Whitcombe]] & [[van den Berg]], a two-person studio",
    "[[Gareth]] and [[Malia Yazzie]] share the duty phone.",
    "Our doubles pair, [[Chen]] and [[Whitcombe]], won.",
    "Poster: [[Rivers M]], [[Whitcombe G]], [[Lewandowski A]]: cold storage of seed lots. 2017",
    "[1] [[Nair S]], **[[Whitcombe G]]**, [[Hollis L]] (2015). Early signs. Letters 25, 51-575.",
    "Patent US 10,690,989, inventors [[Ferrari, Pekka]]; [[Whitcombe, Gareth]]",
    "[[Whitcombe]] and Sons, builders",
    "Founder, [[Whitcombe]] & [[Lindqvist]] Engineering, 2012",
    "[[Whitcombe]] & Sons Logistics",
    "[[Gareth]] and Excel get on.",
    "[[Gareth Whitcombe]], Leeds, UK",
    "[[Whitcombe]] and others took part.",
]
INITIALS = [
    "Signed the drawings as [[GW]], checked by others",
    "My initials [[GW]] are on every second drawing.",
    "I sign my drawings with [[G.W.]] and take the blame.",
    "Report author line: prepared by [[GW]]",
    "Toolbox tag: property of [[GW]]",
    "Lab notebook no. 12 ([[GW]])",
    "Stock key: [[G]] = [[Gareth]]",
    "Middle name: [[Francis]]",
    "The turbine gave 3 GW and a GW class was planned.",
    "She signed a GW contract and a PPA.",
    "Signed the drawings as PE, checked by QA",
    "We checked by GPS; prepared by hand.",
]


@pytest.mark.parametrize("marked", [*PEOPLE, *INITIALS])
def test_people_and_initials_beside_a_name_are_masked(marked):
    text, expected = unmarked(marked)
    spans = mask_text(HEAD + text).spans
    found = [(span.start - len(HEAD), span.end - len(HEAD)) for span in spans if span.category == "NAME"]
    assert sorted(place for place in found if place[0] >= 0) == expected


def test_who_speaks_in_a_chat_is_masked_though_the_name_is_a_month():
    chat = "[12:17] April: Hello\n[12:18] Gareth: In April 2019 I moved.\n[12:19] April: And now?\n"
    masked = mask_text(chat).text
    assert masked.count("[NAME]:") == 2
    assert "In April 2019" in masked
