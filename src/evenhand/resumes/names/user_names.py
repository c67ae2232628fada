"""What people call themselves where each name is taken: `thelakshmi`, `sarrbuilds42`."""

__all__ = ["is_user_name"]

_BEFORE_LISTED = (
    "the its im iam hi hey hello ask mr mrs ms miss dr prof real official just simply call meet by team dj coach chef "
    "nurse sir lady king queen captain capt cap itz lil big little young only one happy crazy not your my itsme "
    "teacher doc codeby code with from x xx miz mz el la le da de"
)
_AFTER_LISTED = (
    "builds codes dev devs writes designs makes creates hq official online tech data teaches cooks draws "
    "photo photos photography studio studios media labs lab uk usa us ca ng za eu code coder coding hacks hacker runs "
    "reads talks speaks sings dances bakes paints shoots films music beats tv fm vlogs blog blogs dotcom design "
    "designer writer author travels fit fitness yoga md phd rn jr sr pro engineer eng ops ux ui js py io ai "
    "real loves here xo xx does"
)
_BEFORE = frozenset(_BEFORE_LISTED.split())
_AFTER = frozenset(_AFTER_LISTED.split())
_SHORTEST = 4


def is_user_name(word: str, form: str) -> bool:
    """Say whether a word in small letters is a name and what is put before or after it to be somebody's own.

    >>> [is_user_name(word, "sarr") for word in ("sarrbuilds", "thesarr", "sarrbuilds42", "sarrow")]
    [True, True, True, False]
    """
    if len(form) < _SHORTEST:
        return False
    before, found, after = word.rstrip("0123456789").partition(form)
    return bool(found and (before or after)) and (not before or before in _BEFORE) and (not after or after in _AFTER)
