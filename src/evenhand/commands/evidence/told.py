"""What the terminal shows of a bundle, of its verification and of a new pair of keys."""

import orjson

from evenhand.commands.evidence.bundle import Bundled
from evenhand.commands.evidence.verify import CheckedRun, Verified
from evenhand.commands.terminal import Screen
from evenhand.evidence.keys import KeyPair
from evenhand.report.words.numbers import counted
from evenhand.tables.audit.written import as_json

__all__ = ["bundle_text", "json_of", "keys_text", "verified_text"]

UNSIGNED = (
    "It is not signed: a check of it shows accidents, not tampering. Whoever changes a file can make the bundle anew."
)
#: So many findings are named; --json names all.
NAMED = 3


def json_of(result: Bundled | Verified | KeyPair) -> str:
    """Return a result as JSON."""
    return orjson.dumps(as_json(result), default=str, option=orjson.OPT_INDENT_2).decode()


def bundle_text(bundled: Bundled) -> str:
    """Return what was bundled."""
    screen = Screen()
    runs = ", ".join(bundled.runs)
    screen.say(f"{counted(bundled.files, 'file')} of {counted(len(bundled.runs), 'run')}: {runs}.")
    screen.say(f"sha256 {bundled.sha256}")
    if bundled.key is None:
        screen.say(UNSIGNED)
    else:
        screen.say(f"Signed with the key {bundled.key}.")
    for line in bundled.not_inside:
        screen.say(f"Not inside: {line}.", bullet="- ")
    screen.say("The auditor checks it with:")
    screen.type(f"evenhand verify {bundled.path}" + ("" if bundled.key is None else " --public-key FILE.pub"))
    return screen.text


def verified_text(verified: Verified) -> str:
    """Return what was checked, the answer first."""
    screen = Screen()
    total = sum(run.findings for run in verified.runs)
    again = sum(run.recomputed for run in verified.runs)
    screen.say(
        f"{verified.path} is consistent: its {verified.files:,} files are those of its list, and {again:,} of "
        f"{total:,} findings are the same when they are computed again."
    )
    if verified.key is None:
        screen.say(UNSIGNED)
    elif verified.checked:
        screen.say(f"Nothing was changed since it was signed with the key given, {verified.key}.")
    else:
        screen.say(
            f"It says that it is signed with the key {verified.key}, which was not checked: without --public-key FILE "
            "a check shows accidents, not tampering."
        )
    screen.say(f"sha256 {verified.sha256}")
    for each in verified.besides:
        screen.say(f"Not computed again: {each.what}, as {each.why}.", bullet="- ")
    for run in verified.runs:
        screen.say()
        _run(run, screen)
    return screen.text


def _run(run: CheckedRun, screen: Screen) -> None:
    told = f"{run.recomputed:,} of {run.findings:,} findings computed again"
    screen.say(f"{run.folder}: {told}{f' from {run.source}' if run.source else ''}.")
    for each in run.not_recomputed:
        named = f" ({', '.join(each.findings)})" if 0 < len(each.findings) <= NAMED else ""
        screen.say(f"Not computed again: {each.what}{named}, as {each.why}.", bullet="- ")


def keys_text(keys: KeyPair) -> str:
    """Return where the keys are."""
    screen = Screen()
    screen.say(f"{keys.private} signs: keep it secret, as it has no password. {keys.public} is for those who verify.")
    screen.say(f"Its fingerprint is {keys.fingerprint}; give it to them by another way than the bundle.")
    return screen.text
