"""The lexicon of the personal categories, from their tables in `evenhand.masking.personal`."""

from functools import cache
from typing import Any

from evenhand.masking.categories import gender, peoples
from evenhand.masking.categories.candidate import CANDIDATE_WORDS, is_candidates
from evenhand.masking.rules import TABLES, Lexicon, Rule, phrases_of
from evenhand.word_tables import WordTable

#: What a rule asks of a phrase's place beside its context, by the name that a table uses.
_CHECKS = {
    "is_candidates": is_candidates,
    "is_origin": peoples.is_origin,
    **{kind: peoples.person_check(kind) for kind in ("nation", "tongue", "broad", "tribe", "colour", "native")},
    **{check.__name__: check for check in (gender.is_before_name, gender.is_no_ward, gender.is_wife_of)},
    "with_stroke": gender.with_stroke,
}
_PATTERNS = frozenset({"before", "after", "not_before", "not_after", "not_near", "tail", "lead", "value"})


def _part(words: WordTable, name: str, given: Any) -> Any:
    if name == "check":
        return _CHECKS[given]
    if name not in _PATTERNS:
        return given
    table, _, entry = given.rpartition(".")
    return getattr(CANDIDATE_WORDS if table == "candidate" else words, entry)


def _rules(words: WordTable) -> dict[str, Rule]:
    return {
        rule: Rule(**{name: _part(words, name, given) for name, given in parts.items()})
        for rule, parts in words.rules.items()
    }


@cache
def lexicon(*, strict: bool) -> Lexicon:
    """Return the phrases of all personal categories with their rules; `strict` adds those that need --strict."""
    return Lexicon(((name.upper(), _rules(words), phrases_of(name)) for name, words in TABLES.items()), strict=strict)
