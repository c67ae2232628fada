"""The simulated models that every probe is calibrated with."""

from evenhand.errors import InputError

__all__ = ["KINDS", "check_simulated"]

KINDS = ("unbiased", "random", "masculine", "feminine", "stereotyping", "antistereotyping", "refusing", "garbled")


def check_simulated(kind: str, strength: float) -> None:
    """Refuse a kind that there is not, and a strength that is no share.

    Raises
    ------
    InputError
        One of the two.
    """
    if kind not in KINDS:
        raise InputError(f"No simulated model '{kind}'. Kinds: {', '.join(KINDS)}.")
    if not 0.0 <= strength <= 1.0:
        raise InputError(f"The strength of a simulated model lies in 0 to 1, got {strength}.")
