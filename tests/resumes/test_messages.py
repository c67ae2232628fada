"""Messages and notes: who opens or signs one, who is greeted, and the rest of a name that an address has."""

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

MASKED = [
    "hey! [[ezinne]] here 👋\ni run warehouses in leeds and like it.",
    "Hi all, [[Rose Field]] here – new in this channel\nI ran the rose garden of a hotel.",
    "morning! it's [[Ifeoma]], asking about the nurse post",
    "hello, thanks for the fast reply. i'm [[tendai]], fitter in hull.\ncheers, [[tendai]]",
    "hey there, [[Ruben de Vries]] speaking (well, typing).\nI baked bread.\nCheers, [[Ruben]]",
    "Q: Full name?\nA: [[Chidi Okafor]]\nQ: Education?",
    "[[Ann Roe]]\nPlanner\n\nFriends know her as [[Deki]]\n",
    "[[Ann Roe]]\nPlanner\n\nAged 35; first job at sixteen.\nFormerly [[Ferrante]]\n",
    "[[Ann Roe]]\nPlanner\n\nEarlier publications and diplomas under [[Barros]]\n",
    "[[Ann Roe]]\n\nCV for the post.\n\nGeachte [[Margaret Birtwistle]],\n\nI write about the post.",
    "[[Ann Roe]]\n\nDear [[Pat]] and [[Shu Fen]],\n\nI write about the post.",
    "CV for the post\n\n[[Hope]], see below.\n[[Rich]]\n\n> From: [[Ann Roe]]",
    "[[Ann Roe]]\nPlanner\n\nReferees\n[[Haddad, Khalid]]: shift manager, Blue Anchor Shipping",
]
KEPT = [
    "Hello, nothing here yet.\nWe sell shoes.",
    "hi, new here, looking for a post as a cook",
    "hello, i'm a nurse from leeds.\nthanks all",
    "hey, mum here, back to work after six years.",
    "hello there, driver here with 12 years of hgv work",
    "Good morning, Spanish speaking carer here.",
    "hello, i'm frank and direct.",
    "Dear Hiring Manager,\n\nI write about the post.",
]


@pytest.mark.parametrize("marked", MASKED)
def test_names_in_messages_are_masked(marked):
    text, expected = unmarked(marked)
    spans = [(span.start, span.end) for span in mask_text(text).spans if span.category == "NAME"]
    assert spans == expected


@pytest.mark.parametrize("text", KEPT)
def test_openings_without_a_name_are_kept(text):
    assert not [text[span.start : span.end] for span in mask_text(text).spans if span.category == "NAME"]


def test_an_address_has_the_rest_of_a_name():
    text = (
        "howard here\ni kept the books of a mill\nthe dunmore checklist is used by both crews\nhdunmore63@example.org"
    )
    assert "the [NAME] checklist" in mask_text(text).text
