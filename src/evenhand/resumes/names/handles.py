"""Words of a name in small letters as computers know people: handles, files, paths, logs, branches, `edited by`."""

import re

__all__ = ["names_a_script"]

#: What programs and other files of work are called, and what stands before their name.
_SCRIPT = re.compile(r"\.(?:sh|py|bat|ps1|exe|rb|pl|js|r|sql|xlsm|mp4|mov|zip|csv|xlsx?|pptx?|png|jpe?g)\b")
_SCRIPT_BEFORE = re.compile(r"\b(?:scripts?|macros?|programs?|tools?|files?|videos?|workbooks?|repo|folder|bot) $")


def names_a_script(low: str, start: int, end: int) -> bool:
    """Say whether a word is what a script or another file is called.

    >>> names_a_script("the release script robin.sh", 19, 24), names_a_script("page.js renders it", 0, 4)
    (True, False)
    """
    return _SCRIPT.match(low, end) is not None and _SCRIPT_BEFORE.search(low, max(0, start - 12), start) is not None
