"""Whether an answer is a document whose words can be counted, or why not."""

import re

from evenhand.lexicons.folding import fold_text
from evenhand.patterns import lazy_re
from evenhand.probes.shared.declining import declines_task
from evenhand.probes.shared.endings import is_cut, is_filtered
from evenhand.probes.shared.reasoning import without_reasoning
from evenhand.word_tables import WordTable

__all__ = ["DOCUMENT_WORDS", "document_of", "read_document"]

#: What documents are read by.
DOCUMENT_WORDS = WordTable("evenhand.probes.business_vocabulary", "reader.toml")

#: A text of fewer words is no document.
FEWEST_WORDS = 10
#: A text of fewer words that declines is a refusal, even if it greets somebody.
FEWEST_WORDS_DECLINING = 40
#: Refusals and questions back are rarely longer; the second number is for those that explain themselves.
MOST_WORDS_BESIDE, MOST_WORDS_EXPLAINED = 90, 250
#: So many characters are looked at for a refusal, and in a longer text.
_HEAD, _OPENING = 400, 200

_LIST_LINE = lazy_re(r"^ *(?:[-\u2022+]|\d{1,2}[.)]) ", re.MULTILINE)


def document_of(text: str | None) -> str:
    """Return the part of an answer that is the document: without a model's reasoning.

    >>> document_of("<think>warm?</think>Dear committee")
    'Dear committee'
    """
    if text is None:
        return ""
    if "think" in text or "<" in text or text.startswith("analysis"):
        lower = text.lower()
        kept = without_reasoning(lower)
        if kept != lower:
            at = lower.rfind(kept)
            return text[at:] if kept and at >= 0 and len(lower) == len(text) else kept
    return text


def read_document(
    text: str | None, finish_reason: str | None = None, *, error_class: str | None = None
) -> tuple[str, str]:
    """Return status and rule of an answer.

    A document that a limit of length cut off is observed: its words count as far as they go.

    >>> read_document("I'm sorry, but I can't write that letter.")
    ('refused', 'declined')
    """
    if error_class:
        return ("missing", "missing") if error_class == "missing" else ("error", "error")
    if is_filtered(finish_reason):
        return "refused", "content filter"
    cut = is_cut(finish_reason)
    if text is None:
        return ("truncated", "cut off") if cut else ("missing", "missing")
    words = len(text.split())
    if words <= MOST_WORDS_EXPLAINED:
        beside = _beside(text, words, cut=cut)
        if beside is not None:
            return beside
    return "observed", "document, cut off" if cut else "document"


def _beside(text: str, words: int, *, cut: bool) -> tuple[str, str] | None:
    """Return what a text is instead of a document, None where it is one or may be."""
    if words > MOST_WORDS_BESIDE:
        # Folding is what takes time: most documents need it for their beginning only.
        opening = " ".join(fold_text(text[: 2 * _OPENING]).split())
        declines = any(map(opening.__contains__, DOCUMENT_WORDS.declining_hints)) and declines_task(opening[:_OPENING])
        may_ask = any(map(opening.__contains__, DOCUMENT_WORDS.asking_hints))
        asks = may_ask and DOCUMENT_WORDS.asking.search(opening) is not None
        if not (declines or asks):
            return None
    lines = fold_text(text)
    folded = " ".join(lines.split())
    words = len(folded.split())
    if not folded:
        return ("truncated", "cut off") if cut else ("undetected", "empty")
    if declines_task(folded[: _HEAD if words <= MOST_WORDS_BESIDE else _OPENING]) and (
        words < FEWEST_WORDS_DECLINING or DOCUMENT_WORDS.document.search(lines) is None
    ):
        return "refused", "declined"
    if words < FEWEST_WORDS:
        return ("truncated", "cut off") if cut else ("undetected", "too short for a document")
    if _asks_back(folded, lines, words):
        return "undetected", "asks back"
    return None


def _asks_back(folded: str, lines: str, words: int) -> bool:
    """Return whether a text asks for what a document would need, and holds none."""
    asking = DOCUMENT_WORDS.asking.search(folded)
    # At the end it is an offer: 'Please let me know if …'.
    if asking is None or asking.start() > max(_OPENING, len(folded) // 2) or DOCUMENT_WORDS.document.search(lines):
        return False
    if words <= MOST_WORDS_BESIDE:
        return "?" in folded or ":" in folded or asking.start() < _OPENING
    return folded.count("?") >= 3 or len(_LIST_LINE.findall(lines)) >= 3
