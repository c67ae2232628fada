"""Labels that say that nobody knows: they are no group, and are counted by label."""

from evenhand.hiring.columns.folding import fold

__all__ = ["UNKNOWN", "unknown_labels"]

#: As they look when folded (see `fold`). The user adds others, and every report shows what was taken as unknown.
UNKNOWN = frozenset(
    fold(label)
    for label in (
        *(
            "",
            "-",
            "--",
            "?",
            ".",
            "nan",
            "<na>",
            "null",
            "none",
            "na",
            "n/a",
            "#n/a",
            "n.a.",
            "nil",
            "missing",
            "blank",
        ),
        *("unknown", "not known", "unspecified", "not specified", "undeclared", "not declared", "not stated"),
        *("undisclosed", "not disclosed", "not disclosing", "did not disclose", "do not wish to disclose"),
        *(
            "not provided",
            "not available",
            "not applicable",
            "not reported",
            "not answered",
            "no answer",
            "no response",
        ),
        *(
            "prefer not to say",
            "prefer not to answer",
            "prefer not to disclose",
            "prefer not to respond",
            "prefer not to identify",
        ),
        *(
            "prefer not to state",
            "rather not say",
            "i prefer not to say",
            "i prefer not to answer",
            "i prefer not to disclose",
        ),
        *(
            "decline",
            "declined",
            "refused",
            "decline to state",
            "declined to state",
            "decline to answer",
            "declined to answer",
        ),
        *(
            "decline to self-identify",
            "declined to self-identify",
            "decline to self identify",
            "declined to self identify",
        ),
        *("decline to identify", "declined to identify", "decline to say", "declined to say", "decline to respond"),
        *("i decline to self-identify", "i decline to self identify", "i decline to answer", "choose not to disclose"),
        *("i choose not to disclose", "i choose not to self-identify", "choose not to self-identify"),
        *("i do not wish to answer", "i don't wish to answer", "do not wish to answer", "don't wish to answer"),
        *("i do not wish to self-identify", "i don't wish to self-identify", "do not wish to self-identify"),
        *("i do not want to answer", "i don't want to answer", "don't know", "do not know"),
    )
)


def unknown_labels(further: tuple[str, ...]) -> frozenset[str]:
    """Return all labels, folded, that mean 'not known'; `further` are the user's.

    >>> fold("  Prefer NOT to  say") in unknown_labels(()), fold("X") in unknown_labels(("x",))
    (True, True)
    """
    return UNKNOWN | {fold(label) for label in further}
