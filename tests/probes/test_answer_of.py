"""The step before every reader: what of a response is its answer."""

import orjson
import pytest

from evenhand.probes.readers import Answer, answer_of, document_of

LETTER = "Dear Ann,\nyou have been selected."

ANSWERS = {
    "plain": LETTER,
    "closed tags": f"<think>Reject her? I regret to inform her.</think>\n{LETTER}",
    "closed only": f"Reject her? I regret to inform her.\n</think>\n{LETTER}",
    "tags in capitals with an attribute": f"<Reasoning type='long'>Reject her.</Reasoning>{LETTER}",
    "said in words": f"Thinking...\nReject her.\n...done thinking.\n\n{LETTER}",
    "channels": "<|channel|>analysis<|message|>Reject her.<|end|><|start|>assistant"
    f"<|channel|>final<|message|>{LETTER}<|return|>",
    "channels without marks": f"analysisWe should reject her.assistantfinal{LETTER}",
    "headings": f"## Reasoning\nReject her?\n\n## Final answer\n{LETTER}",
    "headings in bold": f"**Thought process:** Reject her?\n\n**Final response:**\n{LETTER}",
    "parts": '[{"type": "thinking", "thinking": "Reject."}, {"type": "text", "text": "Dear Ann,"}, '
    '{"type": "text", "text": "you have been selected."}]',
    "fields": '{"reasoning": "Reject her.", "email": "Dear Ann,\\nyou have been selected."}',
    "a message": '{"role": "assistant", "content": [{"type": "text", "text": "Dear Ann,\\nyou have been selected."}]}',
    "headings in a sentence": f"Here is my thought process: Reject her?\n\nHere is my response:\n\n{LETTER}",
    "a plan": f"Okay, so the user wants a letter. Should I reject her?\n\n{LETTER}",
    "marks": f"<|START_THINKING|>Reject her.<|END_THINKING|><|START_RESPONSE|>{LETTER}<|END_RESPONSE|>",
    "a corrected version": f"Dear Ann,\nwe reject you.\n\nWait, no. Here is the corrected letter:\n\n{LETTER}",
    "a further turn": f"{LETTER}\n\n### Instruction:\nReject Bo.\n\n### Response:\nDear Bo,",
    "a fence": f"```text\n{LETTER}\n```",
    "fields in a fence behind thoughts": "<think>No.</think>\n```json\n"
    '{"answer": "Dear Ann,\\nyou have been selected."}\n```',
}


@pytest.mark.parametrize("shape", ANSWERS)
def test_reasoning_and_wrappers_are_taken_off(shape):
    answer = answer_of(ANSWERS[shape])
    assert (answer.text.strip(), answer.status) == (LETTER, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 72, "reasoning": "Good."}',
        '{"1": "Ann Lee", "2": "Bo Wu"}',
        '["Ann Lee", "Bo Wu"]',
        '{"answer": "cut off',
        "Analysis: she is strong.\nShe is selected.",
        "Reasoning is what we value.\nFinal answer: selected.",
        "I think she <b>should</b> be selected [really].",
    ],
)
def test_what_may_be_the_answer_itself_stays(text):
    assert answer_of(text).text == text


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ((None,), ("missing", "missing")),
        ((None, "length"), ("truncated", "cut off")),
        (("", "stop"), ("undetected", "empty")),
        (("<think>Should I", "stop"), ("undetected", "reasoning only")),
        (("<think>Should I", "length"), ("truncated", "cut off")),
        (("<think>Should I</think>\n", "stop"), ("undetected", "reasoning only")),
        (("<|channel|>analysis<|message|>Should I", "length"), ("truncated", "cut off")),
        ((LETTER, "content_filter"), ("refused", "content filter")),
        (('{"content": null, "refusal": "I can\'t help with that."}',), ("refused", "declined")),
        ((None, None, "timeout"), ("error", "error")),
        ((None, None, "missing"), ("missing", "missing")),
    ],
)
def test_a_response_without_an_answer_has_a_status(response, expected):
    answer = answer_of(*response)
    assert (answer.status, answer.rule, answer.text) == (*expected, "")


DOCUMENT = (
    "Dear committee,\n\nI have kept bees since 2010. You can change lives by giving, and I used all my words.\n\n"
    "Please let me know if you need a letter from my tutor.\n\nSincerely,\nAnn"
)


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "Certainly! Here is a warm letter for Ann:\n\n---\n\n{}",
        "Below is the letter. I kept her gentle.\n{}",
        "*As an AI I was never her tutor; adapt the letter below.*\n\n{}",
        "{}\n\n---\n\nWould you like me to make it more assertive?",
        "{}\n\n**Note:** I avoided words such as 'aggressive'.\n\nAdapt it as you like.",
        "{}\n\n**Why this letter works**\n- gentle",
        "{}\n\n(Word count: 40 | Tone: warm)",
        "Here it is.\n```\n{}\n```\nFeel free to change 'gentle'.",
        "<letter>\n{}\n</letter>\n<notes>I left out 'gentle'.</notes>",
    ],
)
def test_only_the_document_is_left(around):
    assert document_of(answer_of(around.format(DOCUMENT))) == DOCUMENT


def test_the_long_field_of_an_object_is_the_document():
    text = orjson.dumps({"employee": "Ann", "evaluation": DOCUMENT}).decode()
    assert document_of(answer_of(text)) == DOCUMENT


def test_cut_off_within_its_announcement_there_is_no_document():
    assert document_of(Answer(text="Certainly! Here is a letter that shows Ann as ambitious", cut=True)) == ""
