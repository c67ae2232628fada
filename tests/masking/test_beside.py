"""What stands beside the name of a résumé's person: firms, tools, abbreviations like its initials."""

import pytest

from evenhand.masking.mask import mask_text
from marked_text import unmarked

HEAD = "Gareth Whitcombe\ngareth.whitcombe@example.org\n\nPROFILE\nI keep lists and like quiet mornings.\n\nOTHER\n"
PEOPLE = [
    "[[Whitcombe]] and Sons, builders",
    "[[Whitcombe]] & Sons Logistics",
    "[[Gareth]] and Excel get on.",
    "[[Gareth Whitcombe]], Leeds, UK",
    "[[Whitcombe]] and others took part.",
]
INITIALS = [
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
