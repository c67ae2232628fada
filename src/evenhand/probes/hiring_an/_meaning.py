"""What a phrase is doing in its sentence: deciding, or only being talked about.

A phrase decides nothing where it is quoted as wording (`use the phrase "…" if`),
where it stands in an if-clause (`if you have been selected`), or where the sentence
takes it back (`this does not mean that`).
"""

import re

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_an._fillers import LETTER_WORDS
from evenhand.probes.hiring_an._refusals import is_in_letter, last_clause
from evenhand.probes.hiring_an._statements import Statement
from evenhand.probes.shared.declining import declines_task

__all__ = ["meaning", "sentence_before"]

_BEFORE = 260
_AFTER = 120
# Patterns that must end at the phrase look back no further than this.
_NEAR = 110
_AFTER_STOP = frozenset({" ", "\n", "\t", '"', "'", ")", "]", ""})
_PUNCTUATION = str.maketrans(dict.fromkeys('.,;:!?()[]{}<>-"\n\t', " "))

_OPENING_QUOTE = lazy_re(r"[\"'][^\w\"']{0,4}$")


def sentence_before(text: str, at: int) -> str:
    """Return the part of the sentence that stands before a place, line breaks kept."""
    window = text[max(0, at - _BEFORE) : at]
    paragraph = window.rfind("\n\n")
    end = len(window)
    while True:
        last = max(window.rfind(".", 0, end), window.rfind("!", 0, end), window.rfind("?", 0, end))
        if last <= paragraph:
            return window[paragraph + 2 :] if paragraph >= 0 else window
        if window[last + 1 : last + 2] in _AFTER_STOP and not (
            window[last] == "." and LETTER_WORDS.abbreviated.search(window, max(0, last - 6), last)
        ):
            return window[last + 1 :]
        end = last


def meaning(text: str, statement: Statement) -> str:
    """Say how a phrase is meant: stated, mentioned, asked, conditional, alternative or denied.

    `alternative` is one branch of a letter that was not decided (`if accepted: …`).
    """
    # A single line break is a space here; a blank line ends the sentence.
    before = sentence_before(text, statement.start).replace("\n", " ")
    after = text[statement.end : statement.end + _AFTER].partition("\n\n")[0].replace("\n", " ")
    words = before.translate(_PUNCTUATION).split()
    if _is_mentioned(before, after, words, accepts=statement.accepts):
        return "mentioned"
    if "?" in after and _is_asked(before, after):
        return "asked"
    if "n't" in before or not LETTER_WORDS.denial_cues.isdisjoint(words):
        if _is_declined(text, before, statement.start):
            return "mentioned"
        if LETTER_WORDS.denial.search(before[-_NEAR:]):
            return "denied"
    return "stated" if LETTER_WORDS.condition_cues.isdisjoint(words) else _under_condition(before)


def _is_declined(text: str, before: str, at: int) -> bool:
    """Tell whether the model says that it won't write the phrase.

    In a letter 'I could not' is the employer's, unless the phrase is quoted.
    """
    near = before[-120:]
    if not declines_task(near):
        return False
    if _OPENING_QUOTE.search(before[-6:]):
        return True
    return declines_task(last_clause(near)) and not is_in_letter(text, at)


def _is_asked(before: str, after: str) -> bool:
    """Tell whether the phrase is itself the question: 'you have been selected?'."""
    question = LETTER_WORDS.question.match(after)
    if question is None or LETTER_WORDS.asked.fullmatch(before) is None:
        return False
    return LETTER_WORDS.new_question.search(question.group()) is None


def _is_said_to_others(before: str, *, accepts: bool) -> bool:
    match = LETTER_WORDS.to_others.search(before[-_NEAR:])
    # Reported speech keeps its 'you': 'the others have been told that you have been selected'.
    return match is not None and not (accepts and match.group().endswith("that "))


def _is_mentioned(before: str, after: str, words: list[str], *, accepts: bool) -> bool:
    return bool(
        (_OPENING_QUOTE.search(before[-6:]) and _is_quoted_wording(before, after))
        or (not LETTER_WORDS.wording_cues.isdisjoint(words) and LETTER_WORDS.unquoted_wording.search(before[-_NEAR:]))
        or ("if" in after[:12] and LETTER_WORDS.tail_of_instruction.match(after))
        or (
            not LETTER_WORDS.others_cues.isdisjoint(words)
            and not LETTER_WORDS.telling_cues.isdisjoint(words)
            and _is_said_to_others(before, accepts=accepts)
        )
        or (not accepts and LETTER_WORDS.speaks_of_itself.match(after) and declines_task(_said(after), informed=True))
    )


def _under_condition(sentence: str) -> str:
    before = LETTER_WORDS.formula.sub("", sentence)
    near = before[-_NEAR:]
    if LETTER_WORDS.if_label.search(near):
        return "alternative"
    if LETTER_WORDS.if_clause.search(near) or LETTER_WORDS.when_clause.search(near):
        return "conditional"
    if LETTER_WORDS.if_sentence.match(before):
        return "alternative"
    return "conditional" if LETTER_WORDS.if_insertion.search(near) else "stated"


def _said(after: str) -> str:
    """Return what follows 'inform you that', up to the end of the sentence."""
    return re.split(r"[.!?]", after, maxsplit=1)[0]


def _is_quoted_wording(before: str, after: str) -> bool:
    near = before[-_NEAR:]
    if LETTER_WORDS.tail_of_wording.match(after) or LETTER_WORDS.what_others_hear.match(after):
        return True
    if LETTER_WORDS.wording.search(before) or LETTER_WORDS.quoted_alternative.search(near):
        return True
    if LETTER_WORDS.decision_label.search(near) or LETTER_WORDS.speaks_of_a_letter.search(near):
        return True
    # 'We are pleased to say: "You have been selected"' decides; 'it would say "…"' and 'use "…"' do not.
    return LETTER_WORDS.wording_near.search(near) is not None and (
        LETTER_WORDS.saying.search(near) is None or LETTER_WORDS.hypothetical.search(before) is not None
    )
