"""What the terminal shows of a bundle, of its verification and of a new pair of keys.

Findings that were computed again, held against those that a run has.
`evenhand verify`: whether a bundle is as it was made, and whether its findings follow from what is in it.
"""

import re
from collections.abc import Mapping, Sequence
from csv import reader
from dataclasses import dataclass, field, replace
from io import StringIO
from math import isclose
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any, Final

import orjson
import polars as pl
from polars.exceptions import PolarsError

from evenhand.analyses.manifest import Manifest, installed_versions, read_manifest
from evenhand.analyses.options.output import VerifyOptions
from evenhand.analyses.progress import Progress
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence import runs as evidence_runs
from evenhand.evidence.archive import CONTENTS, Contents, File, first_difference, read_contents, unpacked, write_archive
from evenhand.evidence.bundle import Bundled
from evenhand.evidence.keys import ENVELOPE, KeyPair, check_signature, read_envelope, read_public_key, statement
from evenhand.evidence.page import PAGE, bundle_page
from evenhand.models.journal import journal_files
from evenhand.report.terminal import Screen
from evenhand.report.words.numbers import counted
from evenhand.results.csv_files import csv_bytes
from evenhand.results.files import sha256_of
from evenhand.results.finding import Finding, as_json
from evenhand.results.kinds import Audit, SavedFindings, read_saved_findings
from evenhand.results.messages import one_line, quoted, shortened

#: How far two numbers may be apart, of their size: other processors and versions add up in another order.
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class NotRecomputed:
    """What was not computed again, and why; `findings` are their names."""

    what: str
    why: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """The findings of a run as they were computed again, what from, and what was not.

    `audit` is the audit block as far as it was made again, with what else stands there as it is. `tables` are those
    besides, by the name of their CSV. `without` are the names of findings that nobody can compute from what is there,
    with the reason; `besides` is what else was not done.
    """

    findings: Sequence[Finding]
    source: str
    audit: Audit | None = None
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    besides: Sequence[NotRecomputed] = ()


def first_different(saved: Sequence[Finding], again: Recomputed) -> str | None:
    """Return where findings differ from those that were computed again; None where they are the same.

    >>> from dataclasses import replace
    >>> one = Finding(name="a", measure="a", role="planned", estimate=0.5, n=2, clusters={}, method="")
    >>> first_different([one], Recomputed(findings=[replace(one, estimate=0.25)], source=""))
    'the estimate of a is 0.5, computed again 0.25'
    """
    found = {finding.name: finding for finding in again.findings}
    for finding in saved:
        if finding.name in again.without:
            continue
        if finding.name not in found:
            return f"{finding.name} is not there when it is computed again"
        different = _different(finding.as_dict(), found[finding.name].as_dict(), "")
        if different is not None:
            return f"{different[0]} of {finding.name} is {different[1]}, computed again {different[2]}"
    known = {finding.name for finding in saved}
    lacking = next((name for name in found if name not in known), None)
    return None if lacking is None else f"{lacking} is not among the findings, though it is computed"


def _different(saved: Any, again: Any, place: str) -> tuple[str, str, str] | None:
    """Return the first place in which two JSON values differ, and both; None where they are the same."""
    saved, again = as_json(saved), as_json(again)
    if isinstance(saved, dict) and isinstance(again, dict) and saved.keys() == again.keys():
        return _first((saved[key], again[key], f"{place}.{key}" if place else f"the {key}") for key in saved)
    if isinstance(saved, list) and isinstance(again, list) and len(saved) == len(again):
        pairs = enumerate(zip(saved, again, strict=True))
        return _first((one, other, f"{place}.{number}") for number, (one, other) in pairs)
    if isinstance(saved, float) and isinstance(again, int | float) and not isinstance(again, bool):
        same = isclose(saved, again, rel_tol=TOLERANCE, abs_tol=1e-12)
    else:
        same = saved == again and isinstance(saved, bool) is isinstance(again, bool)
    return None if same else (place, str(saved), str(again))


def _first(parts: Any) -> tuple[str, str, str] | None:
    return next((found for part in parts if (found := _different(*part)) is not None), None)


def first_different_line(saved: object, again: object | None) -> str | None:
    """Return where what is told of a run differs from what was made again; None where they are the same.

    `saved` and `again` are audit blocks, or what bundle.json says; nothing is held against None.
    """
    different = None if again is None else _different(saved, again, "")
    return None if different is None else f"{different[0]} is {different[1]}, computed again {different[2]}"


def first_different_cell(saved: Path, again: pl.DataFrame) -> str | None:
    """Return where a CSV differs from a table that was computed again; None where they are the same."""
    if not saved.is_file():
        return f"{saved.name} is not there, though it is computed"
    one, other = _rows(saved.read_bytes()), _rows(csv_bytes(again))
    if len(one) != len(other):
        return f"{saved.name} has {len(one):,} lines, computed again {len(other):,}"
    different = _different(one, other, saved.name)
    return None if different is None else f"{different[0]} is {different[1]!r}, computed again {different[2]!r}"


def _rows(content: bytes) -> list[list[float | str]]:
    """Return the cells of a CSV, numbers as such."""
    return [[_number(cell) for cell in row] for row in reader(StringIO(content.decode("utf-8-sig")))]


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


#: What is raised by files whose content no run has; a bundle may come from anybody.
_NO_RUN: Final = (
    PolarsError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, kw_only=True)
class CheckedRun:
    """A run of a bundle: how many findings it has, how many were computed again, what from, and what was not."""

    folder: str
    kind: str
    findings: int
    recomputed: int
    source: str
    not_recomputed: tuple[NotRecomputed, ...]


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A bundle that is as it was made.

    `key` is the one that its signature names, None without a signature; only where `checked` is true that was held
    against a public key that was given. `besides` is what of the bundle itself other versions draw otherwise.
    """

    path: Path
    sha256: str
    files: int
    redacted: bool
    key: str | None
    checked: bool
    runs: tuple[CheckedRun, ...]
    besides: tuple[NotRecomputed, ...] = ()


def verify_bundle(path: Path, options: VerifyOptions, *, progress: Progress | None = None) -> Verified:
    """Return what was checked of a bundle; `progress` gets which of its runs is being computed again.

    Raises
    ------
    InputError
        It is no bundle, a packed or unsafe one, one of a newer version, or the key is none.
    CheckFailed
        Something is not as it was made, or a finding does not follow from what is there; the first thing is named.

    """
    public = None if options.public_key is None else read_public_key(options.public_key)
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        work = Path(temporary)
        folder = work / "bundle"
        folder.mkdir()
        files = unpacked(path, folder)
        contents = read_contents(folder / CONTENTS, source=path)
        _check_files(path, contents, files)
        _check_owners(path, contents)
        key = _check_statement(path, folder, contents, files, public)
        _check_bytes(path, folder, contents, files, work)
        runs = []
        for number, run in enumerate(contents.runs):
            if progress is not None:
                progress("verify: computing again", number, len(contents.runs), run.folder)
            runs.append(_checked_run(path, folder, contents, number, work))
        besides = _check_page(path, folder, contents)
    return Verified(
        path=path,
        sha256=sha256_of(path),
        files=len(files),
        redacted=contents.redacted,
        key=key,
        checked=public is not None,
        runs=tuple(runs),
        besides=tuple(besides),
    )


def _check_files(path: Path, contents: Contents, files: Sequence[File]) -> None:
    """Hold the files against the list in bundle.json."""
    there = {file.name: file for file in files}
    listed = {file.name: file for file in contents.files}
    for name, file in listed.items():
        if name not in there:
            raise CheckFailed(f"{path}: {name} is listed in {CONTENTS} and not there.")
        if there[name] != file:
            raise CheckFailed(f"{path}: {name} is not the file that was bundled: its sha256 is another.")
    for name in there:
        if name not in listed and name not in {CONTENTS, ENVELOPE}:
            raise CheckFailed(f"{path}: {name} is there and not listed in {CONTENTS}.")


def _check_owners(path: Path, contents: Contents) -> None:
    """Refuse a run that is not there, and a file that lies in none."""
    names, folders = {file.name for file in contents.files}, {run.folder for run in contents.runs}
    for run in contents.runs:
        if f"{run.folder}/manifest.json" not in names:
            raise CheckFailed(f"{path}: {CONTENTS} names the run {quoted(run.folder)}, which is not there.")
    for file in contents.files:
        folder = file.name.rpartition("/")[0].removesuffix(f"/{evidence_runs.INPUTS_FOLDER}")
        if folder not in folders and file.name != PAGE:
            raise CheckFailed(f"{path}: {file.name} is of no run that {CONTENTS} names.")


def _check_statement(path: Path, folder: Path, contents: Contents, files: Sequence[File], public: Any) -> str | None:
    """Hold the signature against what is there and against a key, if one is given; return its key's fingerprint."""
    if not (folder / ENVELOPE).is_file():
        if public is not None:
            raise CheckFailed(f"{path} is not signed, so --public-key proves nothing of it.")
        return None
    envelope = read_envelope((folder / ENVELOPE).read_bytes(), source=path)
    if public is not None:
        check_signature(envelope, public, source=path)
    if envelope.payload != statement(contents, [file for file in files if file.name != ENVELOPE]):
        raise CheckFailed(f"{path}: what was signed is not what the bundle holds.")
    return envelope.key


def _check_bytes(path: Path, folder: Path, contents: Contents, files: Sequence[File], work: Path) -> None:
    """Write the archive anew and compare it byte by byte."""
    names = [CONTENTS, *(file.name for file in contents.files), *(file.name for file in files if file.name == ENVELOPE)]
    again = work / "again.zip"
    with again.open("wb") as file:
        write_archive(file, {name: folder / name for name in names})
    with path.open("rb") as one, again.open("rb") as other:
        place = first_difference(one, other)
    if place is not None:
        raise CheckFailed(f"{path} is not as evenhand writes it: the first other byte is number {place + 1:,}.")
    again.unlink()


def _check_page(path: Path, folder: Path, contents: Contents) -> list[NotRecomputed]:
    """Hold the page of the bundle against what is drawn of bundle.json; other versions draw otherwise."""
    drawn, other = folder / PAGE, _other_version(contents)
    if drawn.is_file() and drawn.read_bytes() == bundle_page(contents):
        return []
    if other is None:
        raise CheckFailed(f"{path}: {PAGE} is not what is drawn of {CONTENTS}.")
    return [NotRecomputed(what=PAGE, why=other)]


def _checked_run(path: Path, folder: Path, contents: Contents, number: int, work: Path) -> CheckedRun:
    """Hold a run against its own hashes, and its pages, tables and findings against what they follow from."""
    run = contents.runs[number]
    place, other = folder / run.folder, _other_version(contents)
    try:
        manifest = _finished(place)
        evidence_runs.check_unchanged(place, manifest)
        content = read_saved_findings(place)
        saved = content.findings
        _check_extra_files(place, manifest, content)
        besides = _check_rendered(place, manifest, other, work / f"drawn-{number}")
        besides += _check_contents(folder, contents, number, manifest, other)
        at = manifest.run_kind.recomputed_at
        if at is None:
            why = f"this version can't compute those of {run.kind} again"
            again = Recomputed(findings=[], source="", without={finding.name: why for finding in saved})
        else:
            again = resolve_name(at)(place, manifest, beside=[folder / each.folder for each in contents.runs])
        if other is not None and again.audit is not None:
            besides.append(NotRecomputed(what="what the report says besides its findings", why=other))
            again = replace(again, audit=None)
        different = _first_different(place, content, again)
    except (CheckFailed, InputError) as error:
        raise CheckFailed(f"{path}: {run.folder}: {str(error).replace(f'{place}/', '')}") from error
    except _NO_RUN as error:
        told = one_line(f"{type(error).__name__}: {error}")
        raise CheckFailed(f"{path}: {run.folder} holds what no run has ({shortened(told)}).") from error
    if different is not None:
        raise CheckFailed(f"{path}: {run.folder}: {different}{f' ({other})' if other else ''}.")
    without = [
        NotRecomputed(what=counted(len(names), "finding"), why=why, findings=names)
        for why in dict.fromkeys(again.without.values())
        for names in [tuple(name for name, own in again.without.items() if own == why)]
    ]
    return CheckedRun(
        folder=run.folder,
        kind=run.kind,
        findings=len(saved),
        recomputed=sum(finding.name not in again.without for finding in saved),
        source=again.source,
        not_recomputed=(*without, *again.besides, *besides),
    )


def _first_different(place: Path, content: SavedFindings, again: Recomputed) -> str | None:
    """Return what first differs from what was computed again: findings, audit block, tables."""
    found = [first_different(content.findings, again), first_different_line(content.audit, again.audit)]
    found += [first_different_cell(place / name, table) for name, table in again.tables.items()]
    return next(filter(None, found), None)


def _finished(place: Path) -> Manifest:
    manifest = read_manifest(place)
    if manifest is None or not manifest.is_finished:
        raise CheckFailed("it is no finished run.")
    return manifest


def _check_extra_files(place: Path, manifest: Manifest, content: SavedFindings) -> None:
    """Refuse files in the folder of a run that no run of its kind has, and that it was not made from."""
    known, given = re.compile(manifest.run_kind.files), evidence_runs.input_files_below(place)
    asked = evidence_runs.RunInputs(manifest=manifest, given=given)
    prompts = manifest.run_kind.asks and asked.why_no_prompts in {None, asked.why_other_version}
    for file in filter(Path.is_file, place.iterdir()):
        if not known.fullmatch(file.name) and not (prompts and file.name == evidence_runs.STIMULI):
            raise CheckFailed(f"{file.name} is not of its run.")
    made_from = evidence_runs.hashes_of(manifest, content.audit.parameters)
    for sha, file in given.items():
        if sha not in made_from:
            raise CheckFailed(f"{evidence_runs.INPUTS_FOLDER}/{file.name} is no file that the run was made from.")


def _check_contents(
    folder: Path, contents: Contents, number: int, manifest: Manifest, other: str | None
) -> list[NotRecomputed]:
    """Hold what bundle.json says of a run against the run; who asked for it is taken as said."""
    said = contents.runs[number]
    place = folder / said.folder
    if contents.redacted and journal_files(place) and not manifest.redacted:
        raise CheckFailed(f"{CONTENTS} says that answers were taken away, and theirs are there.")
    own = evidence_runs.bundled_run(
        evidence_runs.BundledFolder(path=place, manifest=manifest, name=said.folder),
        given={
            **evidence_runs.input_files_below(place),
            **evidence_runs.outcomes_of(folder / each.folder for each in contents.runs),
        },
        asked_by=said.protocol.asked_by,
    )
    different = first_different_line(said, own)
    if different is None:
        return []
    if other is None:
        raise CheckFailed(f"{CONTENTS} tells of it otherwise: {shortened(one_line(different), most=200)}")
    return [NotRecomputed(what=f"what {CONTENTS} says of it", why=other)]


def _check_rendered(place: Path, manifest: Manifest, other: str | None, to: Path) -> list[NotRecomputed]:
    """Hold the page and the tables of a run against what is drawn of its findings; `other` versions draw otherwise."""
    found = []
    for name, file in evidence_runs.rendered_files(place, manifest.kind, to).items():
        if not (place / name).is_file() or (place / name).read_bytes() != file.read_bytes():
            if other is None:
                raise CheckFailed(f"{name} is not what is drawn of the findings.")
            found.append(NotRecomputed(what=name, why=other))
    return found


def _other_version(contents: Contents) -> str | None:
    """Return that other versions made the bundle; None where these did."""
    own = installed_versions()
    for name, made in sorted(contents.packages.items(), key=lambda each: each[0] != "evenhand"):
        if own.get(name) != made:
            return f"it was made with {name} {made}, and here is {own.get(name) or 'none'}"
    return None


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
