"""Words of a name in small letters as computers know people: handles, files, paths, logs, branches, `edited by`."""

import re

__all__ = ["in_handle", "names_a_script"]

#: What programs and other files of work are called, and what stands before their name.
_SCRIPT = re.compile(r"\.(?:sh|py|bat|ps1|exe|rb|pl|js|r|sql|xlsm|mp4|mov|zip|csv|xlsx?|pptx?|png|jpe?g)\b")
_SCRIPT_BEFORE = re.compile(r"\b(?:scripts?|macros?|programs?|tools?|files?|videos?|workbooks?|repo|folder|bot) $")


def names_a_script(low: str, start: int, end: int) -> bool:
    """Say whether a word is what a script or another file is called.

    >>> names_a_script("the release script robin.sh", 19, 24), names_a_script("page.js renders it", 0, 4)
    (True, False)
    """
    return _SCRIPT.match(low, end) is not None and _SCRIPT_BEFORE.search(low, max(0, start - 12), start) is not None


_FILE = re.compile(
    r"\.(?:pdf|docx?|rtf|odt|txt|pages|html?|json|md|zip|rar|7z|t?gz|pptx?|key|xlsx?|csv|jpe?g|png|gif|heic|tiff?|mp[34]|"
    r"m4a|wav|mov|epub|psd|ai|fig)\b",
    re.IGNORECASE,
)
#: A folder's path up to a word: `/roe`, `~/cv/roe`, `C:\\Users\\roe`, `s3://roe`, and no `and/or` or `</b>`.
_PATH = re.compile(
    r"(?:(?<![\w/:.<)\]%&?=#-])~?/|/(?:home|users|srv|mnt|data)/|[A-Za-z]:\\|\\\\|\b(?:s3|gs|smb|file)://)(?:[\w.-]+[/\\]){0,4}$",
    re.IGNORECASE,
)
#: The head of a manual's page: `roe(1)`.
_MANUAL = re.compile(r"\([1-9]\)(?:[ ]{2}|\n|$)")
_LOG_IN = re.compile(r"\b(?:log(?:ged|ging)? in as|log-?in:?|user ?names?:?|user:?) $", re.IGNORECASE)
#: What is called after whoever keeps it: `branch roe/fix-login`, `maintainer of roe-tools`, `channel #roe-helps`.
_PROJECT = re.compile(
    r"\b(?:branch(?:es)?(?: (?:name[sd]?|naming))?(?: (?:such as|like|called))?:?|"
    r"(?:maintainer|maintains|author|owner) (?:of )?|"
    r"(?:repo(?:sitory)?|package|library|module|bot|host(?:name)?|machine|laptop|channel|fork):?) ?[\"'`#@]?$",
    re.IGNORECASE,
)
#: What a program writes before whoever used it.
_BY = re.compile(
    r"(?:\b(?:edited|modified|changed|saved|created|committed|pushed|merged|uploaded|printed|exported|approved|updated|"
    r"posted|submitted|scanned|generated|built|released|deployed)(?: (?:on )?[\w/:. -]{1,18})? by|\bauthor(?: name)?:|"
    r"\buser(?: ?name)?[:=]|\bowner[:=]|\blog-?in:|\bassignee:|\breviewer:|@author|\bwhoami\s*\n[ >$]*)[ ]?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[ \t]*(?:$|\n|[<(,;|\"'`\]}])|\.(?:\s|$)")
#: `printed by hand`.
_IDIOMS = frozenset({"hand", "law", "design", "chance", "day", "page", "mail"})
_SPELLED_OUT = re.compile(r"[ ][\[(](?:dot|at|\.|@)[\])]", re.IGNORECASE)


def in_handle(text: str, start: int, end: int) -> bool:
    r"""Say whether a small word is part of a handle or a file's name.

    >>> [in_handle(text, 10, 13) for text in ("edited by roe\n", "handed to roe", "branch of\nroe")]
    [True, False, False]
    """
    beside = (text[start - 1] if start else " ") + (text[end] if end < len(text) else " ")
    left = text[max(0, start - 60) : start]
    return (
        "_" in beside
        or "@" in beside
        or _SPELLED_OUT.match(text, end) is not None
        or (beside[1] == "(" and beside[0].isspace() and _MANUAL.match(text, end) is not None)
        or (beside[0] in "/\\" and _PATH.search(left) is not None)
        or (beside[1] in "-._/" and text[end + 1 : end + 2].isalnum() and _keeps(left, beside[1]))
        or (text[start:end] not in _IDIOMS and _ENDS.match(text, end) is not None and _BY.search(left) is not None)
        or (beside[1] in "-._" and _FILE.search(text[end : end + 40].split(" ", maxsplit=1)[0]) is not None)
    )


def _keeps(left: str, mark: str) -> bool:
    """Say whether what goes on behind a word and a mark is called after whoever logs in, or keeps it."""
    if mark != "/" and _LOG_IN.search(left) is not None:
        return True
    return mark in "-/" and _PROJECT.search(left) is not None
