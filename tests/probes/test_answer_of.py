"""The step before every reader: what of a response is its answer."""

import pytest

from evenhand.probes.readers import answer_of

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
    "marks": f"<|START_THINKING|>Reject her.<|END_THINKING|><|START_RESPONSE|>{LETTER}<|END_RESPONSE|>",
    "a corrected version": f"Dear Ann,\nwe reject you.\n\nWait, no. Here is the corrected letter:\n\n{LETTER}",
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
