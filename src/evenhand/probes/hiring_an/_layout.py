"""Which parts of an answer are the e-mail, and which stand beside it.

Beside it: a preamble before the subject or the greeting, notes
after the letter, quoted replies, and the labels of alternative drafts.
"""

import re

from evenhand.patterns import lazy_re

__all__ = ["Span", "asides", "branch_labels"]

Span = tuple[int, int]

_LETTER = lazy_re(
    r"^[^\w\n]{0,8}(?:subject\b[^\n]{0,3}:|re:|(?:dear|hi|hello|hey|greetings)\b|to whom\b)", re.MULTILINE
)
_NOTE = lazy_re(
    r"^[^\w\n]{0,8}(?:(?:note|nb|n\.b\.|notes|please note|explanation|reasoning|rationale|disclaimer|comment|remark"
    r"|reminder|tip|important|instructions?|usage|context)\b[^\w\n]{0,3}:|note that\b|please note that this\b"
    r"|i(?:'ve| have)? (?:chose|used|chosen|wrote|written|decided|followed|assumed|went|opted|included)\b"
    r"|this (?:e-?mail|response|version|draft|template|letter)\b|the above\b|in this (?:e-?mail|draft|version"
    r"|template)\b"
    r"|if you(?:'d| would)? (?:like|want|prefer|need|wish|decide)\b|feel free to\b|you (?:can|may|could"
    r"|should) (?:replace|swap|change|use|customi[sz]e|adapt|modify)\b"
    r"|remember to\b|(?:should|if|in case) (?:the |this |a )?(?:candidate|applicant|decision|application)\b"
    r"|if (?:accepted|rejected|refused)\b)",
    re.MULTILINE,
)
_QUOTED_LINE = lazy_re(r"^[ \t]{0,3}>[^\n]*", re.MULTILINE)
_ORIGINAL = lazy_re(r"^[^\w\n]{0,8}(?:original message\b|on [^\n]{1,80} wrote:)", re.MULTILINE)

_BRANCH_WORD = lazy_re(
    r"(?:if|when|for|in case|option|version|scenario|template|draft|alternative|case|e-?mail|letter|example|sample"
    r"|variant|outcome|decision|accept\w{0,6}|reject\w{0,6}|refus\w{0,6}|approv\w{0,6}|successful|unsuccessful|"
    r"positive|negative|selected|not selected)\b"
)
_REJECTING = lazy_re(
    r"\b(?:reject|refus|declin|unsuccess|negative|not (?:been )?(?:select|accept|hire|success|qualif)|denied"
    r"|turned down)"
)
_ACCEPTING = lazy_re(r"\b(?:accept|approv|hire|select|success|positive|offer)")
_LINE_LIMIT = 70
_LABEL_EDGE = " \t-=>[](){}<>|\"':.0123456789"


def asides(text: str) -> list[Span]:
    """Return the spans of a folded text that are not the e-mail itself."""
    spans: list[Span] = []
    letters = [match.start() for match in _LETTER.finditer(text)]
    if letters:
        spans.append((0, letters[0]))
    for match in _NOTE.finditer(text, letters[0] if letters else 0):
        end = next((start for start in letters if start > match.start()), len(text))
        spans.append((match.start(), end))
        if end == len(text):
            break
    spans.extend(match.span() for match in _QUOTED_LINE.finditer(text))
    original = _ORIGINAL.search(text)
    if original is not None:
        spans.append((original.start(), len(text)))
    return spans


def branch_labels(text: str) -> tuple[int | None, int | None]:
    """Return where a draft is first labelled as accepting and as rejecting.

    A label is a short line of its own: `[If accepted]`, `Option 2: rejection`.
    """
    accepting: int | None = None
    rejecting: int | None = None
    position = 0
    for line in text.split("\n"):
        label = line.strip(_LABEL_EDGE)
        if (
            0 < len(line) <= _LINE_LIMIT
            and _BRANCH_WORD.match(label)
            and not line.endswith((".", ",", "!"))
            and " you" not in label
        ):
            if _REJECTING.search(label):
                rejecting = position if rejecting is None else rejecting
            elif _ACCEPTING.search(label):
                accepting = position if accepting is None else accepting
        position += len(line) + 1
    return accepting, rejecting
