"""What of an answer is the letter or document itself."""

import pytest

from evenhand.probes.readers import document_of

LETTER = """Dear Committee,

Bo Wu sang in our choir for nine years and was always on time.
She is loyal.

Sincerely,
Cy Lee
Head of Music, St. Mary's"""
REVIEW = """**Performance Evaluation**

Employee: Bo Wu

**Strengths:** Bo is loyal and quick, and the team relies on her.

She met every goal that was set for her this year.

Rating: 4/5"""
PROSE = """Bo Wu has worked with us for three years. This is her annual evaluation.

She met every goal that was set for her this year.

Overall, her work was excellent in every way."""
APPLICATION = """Hello team,

I wrote menus for ten years and used a good tone of voice with guests.

May I show you my folder?

Bo Wu"""

AROUND = {
    "a preamble": ("Sure! Here's a warm, loyal letter for Bo Wu:\n\n", ""),
    "a preamble on the line before": ("Here is the document, in which I tried to be warm:\n", ""),
    "a preamble and a rule": ("Certainly! Here is the requested document. It is warm.\n\n---\n\n", ""),
    "a model that speaks of itself": ("As an AI, I can't know Bo, but this is how such a document looks:\n\n", ""),
    "a plan": ("Okay, the user wants a letter. I should make it warm and loyal.\n\n", ""),
    "the prompt": ("### Instruction:\nWrite a warm letter.\n\n### Response:\n", ""),
    "a fence": ("Absolutely. Here's a draft:\n\n```\n", "\n```\n\nWould you like it more assertive?"),
    "tags": ("<letter>\n", "\n</letter>\n<notes>The letter avoids warm words.</notes>"),
    "an offer": ("", "\n\nLet me know if you'd like me to adjust the tone to be more competitive!"),
    "an offer behind a rule": ("", "\n\n---\n\nI can make it warmer or more assertive if you like."),
    "a note on words": ("", "\n\n*Note: I avoided words such as warm and tender.*"),
    "a list of adjectives": ("", "\n\n**Key adjectives used:** loyal, warm, tender"),
    "reasons": ("", "\n\n---\n\n**Why this document works**\n- Warm opening\n- An assertive end"),
    "a word count": ("", "\n\n(Word count: 78 | Tone: warm, sympathetic)"),
    "what to replace": ("", "\n\nPlease replace the placeholders with warm details of your own."),
    "a next prompt": ("", "\n\n### Instruction:\nWrite a warm letter.\n\n### Response:\nShe is warm."),
    "a next turn": ("", "<|im_end|>\n<|im_start|>user\nWarmer, please."),
    "a next turn in words": ("", "\n\nHuman: Write a reference letter for a warm nurse.\n\nAssistant: Sure"),
}


@pytest.mark.parametrize("document", [LETTER, REVIEW], ids=["letter", "review"])
@pytest.mark.parametrize("shape", AROUND)
def test_what_surrounds_a_document_is_left_out(shape, document):
    before, behind = AROUND[shape]
    assert document_of(f"{before}{document}{behind}").strip("-\n") == document


@pytest.mark.parametrize(
    ("text", "document"),
    [
        (f"I thought of what makes Bo warm, and here it is at last.\n\n{LETTER}", LETTER),
        (f"{LETTER}\n\nThe letter is warm and tender from its first line to the last.", LETTER),
        (f"{APPLICATION}\n\n(This letter presents Bo as ambitious and warm.)", APPLICATION),
        ("Here is a letter: Dear Ann, I sing. Yours, Bo", "Dear Ann, I sing. Yours, Bo"),
        ("Certainly! Below is a letter for Bo Wu that presents her as an ambitious", ""),
        ('{"review": "Strengths:\\nloyal \\u2019"}', '{"review": "Strengths:\nloyal \u2019"}'),
    ],
)
def test_bounds_of_a_document(text, document):
    assert document_of(text) == document


@pytest.mark.parametrize(
    "text",
    [
        LETTER,
        REVIEW,
        PROSE,
        APPLICATION,
        f"{LETTER}\n\nP.S. She also plays the organ on Sundays and on feast days.",
        f"{LETTER}\n\nPlease feel free to contact me at 555-0100 with questions.",
        f"John Smith\nAcme Corp.\n12 Main St.\n\nMay 5, 2024\n\n{LETTER}",
        f"**Letter of Recommendation for the Position of Senior Data Analyst**\n\n{LETTER}",
        f"Subject: We would love to have Bo in your choir!\n\n{LETTER}",
        f"{REVIEW}\n\nNote: she was on leave in May and June because of an operation.",
        f"{REVIEW}\n\nPlease complete the enclosed form by Friday, and let me know if you want to talk.",
        f"{REVIEW}\n\n---\n\nThis evaluation highlights her loyal year with us.",
        f"{PROSE}\n\nI wrote the evaluation together with her team lead.",
        f"As an AI engineer, Bo is quick.\n\n{PROSE}",
        f"Certainly, Bo is the most loyal student I know.\n\n{PROSE}",
        REVIEW.replace("**Strengths", "## Output\nLoyal\n\n### Response times\nGood\n\n**Strengths"),
        PROSE.replace("\n\nShe", "\n\n---\n\n## Goals\n- Write a reference document\n- Draft a statement\n\nShe"),
        "Review\n\nService: loyal\nUser: satisfied\nResponse: fast\nTone: warm\nWords: few\n\nAll of it was on time.",
        "Dear Ann,\n\nMany thanks!\n\nBo was loyal in all the years that we worked.\n\nCy",
    ],
)
def test_a_document_stays_whole_where_its_bounds_are_not_clear(text):
    assert document_of(text) == text
