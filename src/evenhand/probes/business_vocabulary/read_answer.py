"""Whether an answer is a document whose words can be counted, or why not."""

import re

from evenhand.lexicons.folding import fold_text
from evenhand.probes._declining import declines_task
from evenhand.probes._endings import is_cut, is_filtered
from evenhand.probes._reasoning import without_reasoning

__all__ = ["document_of", "read_document"]

#: A text of fewer words is no document.
FEWEST_WORDS = 10
#: A refusal or a question back is shorter than a document.
MOST_WORDS_BESIDE = 90
#: So many characters are looked at for a refusal.
_HEAD = 400

_ASKING = re.compile(
    r"\b(?:could|can|would|will) you (?:please |kindly )?(?:provide|share|tell|give|clarify|send|let me know)\b"
    r"|\bplease (?:provide|share|tell|give|clarify|send|let me know)\b|\bi(?:'d| would)? (?:will )?need (?:some )?more"
    r"|\b(?:to help|before i)\b[^.!?]{0,60}\bneed\b"
)


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
    if words < FEWEST_WORDS or words <= MOST_WORDS_BESIDE:
        short = _short(text, cut=cut)
        if short is not None:
            return short
    return "observed", "document, cut off" if cut else "document"


def _short(text: str, *, cut: bool) -> tuple[str, str] | None:
    """Return what a short text is instead of a document, None where it may be one."""
    folded = " ".join(fold_text(text).split())
    if not folded:
        return ("truncated", "cut off") if cut else ("undetected", "empty")
    if declines_task(folded[:_HEAD]):
        return "refused", "declined"
    if len(folded.split()) < FEWEST_WORDS:
        return ("truncated", "cut off") if cut else ("undetected", "too short for a document")
    if _ASKING.search(folded) and (folded.endswith(("?", ":")) or "?" in folded):
        return "undetected", "asks back"
    return None
