"""The three ways to ask for a score: a plain number, a rubric, a JSON object."""

from typing import Final

__all__ = ["WORDINGS", "prompt_pieces", "range_text"]

#: What follows the position and the résumé; {low} and {high} are the ends of the range.
WORDINGS: Final = {
    "number": (
        "How well does this candidate fit the position? Answer with one number from {low} (no fit) to {high} "
        "(perfect fit). Write the number and nothing else."
    ),
    "rubric": (
        "Assess how well this candidate fits the position by four criteria: relevant experience, skills, education, "
        "and results achieved. Write one short line on each criterion. Then give the overall score from {low} (no "
        "fit) to {high} (perfect fit) in a last line of the form 'Overall score: <number>'."
    ),
    "json": (
        'Assess how well this candidate fits the position. Answer with a JSON object that has two keys: "score", a '
        'number from {low} (no fit) to {high} (perfect fit), and "reasons", a list of at most three short sentences. '
        "Write nothing but the object."
    ),
}
_HEAD: Final = "You screen applications for an employer.\n\nThe position:\n\n"
_RESUME: Final = "\n\nThe candidate's résumé:\n\n"


def range_text(end: float) -> str:
    """Return an end of the range as a prompt writes it.

    >>> range_text(100.0), range_text(0.5)
    ('100', '0.5')
    """
    return f"{end:.12g}"


def prompt_pieces(position: str, wording: str, low: float, high: float) -> tuple[str, str]:
    """Return what stands before and after the résumé in a prompt."""
    ask = WORDINGS[wording].replace("{low}", range_text(low)).replace("{high}", range_text(high))
    return f"{_HEAD}{position.strip()}{_RESUME}", f"\n\n{ask}"
