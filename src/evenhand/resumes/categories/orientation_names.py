"""ORIENTATION: what clubs, funds, films and papers of the community call themselves, country by country.

Kept: human rights campaigns, a press for change, bears, lambda functions, integrity, a gala dinner, MTF as a
modulation transfer function, companies called Transtech. An ordinary word counts where the community is named
beside it, or as the name of a network that is said to be one of it.
"""

from evenhand.resumes.categories.community import sentence_around
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Rule, pattern

__all__ = ["NAMES"]

_SMALL_WORDS = frozenset("of for at to the and a in on with no".split())  # noqa: SIM905 - a list of words
_COMMUNITY = (
    r"(?:[a-z0-9]{0,4}(?:lgb|glb|lgtb|hbtq|lhbt|lsbt)\w*|gay|gays|lesbians?|queers?|bisexuals?|homosexual\w*|"
    r"schwul\w*|lesb\w+|same-sex|coming[- ]out|transgender|two-spirit)"
)


def _is_named(plain: Plain, first: int, last: int) -> bool:
    """Say whether each word of a phrase but the small ones begins with a capital, as a name's do.

    >>> from evenhand.resumes.plain import plain_text
    >>> texts = "Press for Change", "Press for change"
    >>> [_is_named(plain_text(text), 0, 2) for text in texts]
    [True, False]
    """
    text = plain.text
    return all(
        not text[start].islower() or (place > first and word in _SMALL_WORDS)
        for place, (word, start, _) in enumerate(plain.words[first : last + 1], first)
    )


_COMMUNITY_NAMED = pattern(
    rf"\b(?:{_COMMUNITY}|pride|rainbow|sogi\w*|trans|transgender|non-?binary|stonewall|safe (?:zone|space)|erg)\b"
)


NAMES = {
    "named": Rule(confidence=0.87, check=_is_named),
    "mtf": Rule(
        confidence=0.87,
        case="upper",
        after=pattern(
            r" (?:support|group|community|woman|man|trans\w*|person|elders|alliance|network|meet-?up|social|peers?|"
            r"and proud)\b",
            r"[;,] (?:transition\w+|out\b|open)",
            r"\)? (?:and|&) (?:out|open|proud)\b",
        ),
    ),
    "questioning": Rule(
        confidence=0.86,
        after=pattern(
            r",? (?:youth|teens|young (?:people|adults)|lgbt\w*|and (?:open|queer|gay|lgbt\w*)|their sexuality)\b"
        ),
    ),
    "third_gender": Rule(confidence=0.9, not_after=pattern(r"[ -](?:neutral|specific|toilets?|pay|balance)\b")),
    "homo": Rule(
        confidence=0.87, after=pattern(r"[- ](?:emancipat\w+|huwelijk|rechten|beweging|ehe|en lesbisch\w*)\b")
    ),
    "ally": Rule(
        confidence=0.86,
        before=pattern(
            r"(?:^|[\n.;:*\u2022>|(\"+~\u25aa\u25a0\u2192\u2013-])\s*$",
            r"\b(?:proud|active|visible|an|vocal|straight|as) $",
        ),
        after=pattern(
            r" (?:and|&|of|to|for|in|with|at|co-?lead|lead|network|group|member|chair|champion|since|volunteer)\b",
            r"\s*[,;.(]",
        ),
        check=lambda plain, first, last: (
            _COMMUNITY_NAMED.search(sentence_around(plain, plain.words[first][1], plain.words[last][2])) is not None
        ),
    ),
    "trans_of": Rule(
        confidence=0.87,
        after=pattern(
            r"-(?:inclusive|friendly|led|affirming|owned|positive|inclusion|competent|aware|run|specific)\b",
            r" (?:(?:job|employment|labou?r|work) )?quota\b",
            r" (?:inclusion|healthcare|awareness|rights|equality)\b",
        ),
        not_after=pattern(r"-specific (?:fat|isomer)"),
    ),
}
