"""`evenhand verify`: check that a bundle is unchanged and that its findings follow from its content.

Each run's findings, tables and pages are recomputed and compared with those in the bundle.
"""

import re
from collections.abc import Mapping, Sequence
from csv import reader
from dataclasses import dataclass, field, replace
from io import StringIO
from math import isclose
from pathlib import Path
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
from evenhand.report.words.numbers import counted, first_other_number
from evenhand.results.audit import Header
from evenhand.results.files import scratch_folder, sha256_of
from evenhand.results.finding import Finding, as_json
from evenhand.results.kinds import loaded
from evenhand.results.messages import one_line, quoted, shortened
from evenhand.results.result import FILE, REPORT, Result, csv_bytes, read_result
from evenhand.results.terminal import Screen

#: The relative difference allowed between two numbers: other processors and versions add in another order.
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class NotRecomputed:
    """A part that was not recomputed, and the reason; `findings` are the names of its findings."""

    what: str
    why: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """The result of a run, analysed again, and what it was analysed from.

    `without` has findings that the bundle's content doesn't suffice for, with the reason; `besides` lists other parts
    that were not recomputed.
    """

    result: Result[Any, Any]
    source: str
    without: Mapping[str, str] = field(default_factory=dict)
    besides: Sequence[NotRecomputed] = ()

    @classmethod
    def nothing(cls, saved: Result[Any, Any], reason: str, *besides: NotRecomputed) -> "Recomputed":
        """Return that no finding is recomputed, and why."""
        result = replace(saved, findings=())
        without = {finding.name: reason for finding in saved.findings}
        return cls(result=result, source="", without=without, besides=besides)


@dataclass(frozen=True, kw_only=True)
class RunToRecompute:
    """A run in a bundle: its folder there, its manifest, the result as it was saved, and the folders of all runs."""

    folder: Path
    manifest: Manifest
    saved: Result[Any, Any]
    runs: Sequence[Path]

    @property
    def inputs(self) -> evidence_runs.RunInputs:
        """Return the files that it was made from, as far as they are in the bundle."""
        return evidence_runs.RunInputs(manifest=self.manifest, given=evidence_runs.input_files_below(self.folder))


#: What facts say of the run that was made, and a recomputation can't know.
OF_THE_RUN: Final = ("parameters", "reproduce", "started", "finished", "versions", "fingerprints", "source")


def first_different(saved: Sequence[Finding], recomputed: Recomputed) -> str | None:
    """Return the first difference between saved and recomputed findings; None where they are the same.

    >>> from dataclasses import replace
    >>> one = Finding(name="a", measure="a", role="planned", estimate=0.5, n=2, clusters={}, method="")
    >>> again = Result(audit=None, findings=[replace(one, estimate=0.25)])
    >>> first_different([one], Recomputed(result=again, source=""))
    'the estimate of a is 0.5, computed again 0.25'
    """
    by_name = {finding.name: finding for finding in recomputed.result.findings}
    for finding in saved:
        if finding.name in recomputed.without:
            continue
        if finding.name not in by_name:
            return f"{finding.name} is not there when it is computed again"
        different = _different(finding.as_dict(), by_name[finding.name].as_dict(), "")
        if different is not None:
            return f"{different[0]} of {finding.name} is {different[1]}, computed again {different[2]}"
    known = {finding.name for finding in saved}
    lacking = next((name for name in by_name if name not in known), None)
    return None if lacking is None else f"{lacking} is not among the findings, though it is computed"


def _different(saved: Any, recomputed: Any, place: str) -> tuple[str, str, str] | None:
    """Return the first place where two JSON values differ, with both values; None where they are the same."""
    saved, recomputed = as_json(saved), as_json(recomputed)
    if isinstance(saved, dict) and isinstance(recomputed, dict) and saved.keys() == recomputed.keys():
        return _first((saved[key], recomputed[key], f"{place}.{key}" if place else f"the {key}") for key in saved)
    if isinstance(saved, list) and isinstance(recomputed, list) and len(saved) == len(recomputed):
        pairs = enumerate(zip(saved, recomputed, strict=True))
        return _first((first, second, f"{place}.{number}") for number, (first, second) in pairs)
    if isinstance(saved, float) and isinstance(recomputed, int | float) and not isinstance(recomputed, bool):
        equal = isclose(saved, recomputed, rel_tol=TOLERANCE, abs_tol=1e-12)
    else:
        equal = saved == recomputed and isinstance(saved, bool) is isinstance(recomputed, bool)
    return None if equal else (place, str(saved), str(recomputed))


def _first(parts: Any) -> tuple[str, str, str] | None:
    return next((difference for part in parts if (difference := _different(*part)) is not None), None)


def first_different_line(saved: object, recomputed: object | None) -> str | None:
    """Return the first difference between a saved and a recomputed block; None where they are the same.

    Blocks are audit blocks or entries of bundle.json; a recomputed block of None is not compared.
    """
    different = None if recomputed is None else _different(saved, recomputed, "")
    return None if different is None else f"{different[0]} is {different[1]}, computed again {different[2]}"


def first_different_cell(saved: Path, recomputed: pl.DataFrame) -> str | None:
    """Return the first difference between a CSV and a recomputed table; None where they are the same."""
    if not saved.is_file():
        return f"{saved.name} is not there, though it is computed"
    saved_cells, cells = _rows(saved.read_bytes()), _rows(csv_bytes(recomputed))
    if len(saved_cells) != len(cells):
        return f"{saved.name} has {len(saved_cells):,} lines, computed again {len(cells):,}"
    different = _different(saved_cells, cells, saved.name)
    return None if different is None else f"{different[0]} is {different[1]!r}, computed again {different[2]!r}"


def _rows(content: bytes) -> list[list[float | str]]:
    """Return the cells of a CSV, numbers as such."""
    return [[_number(cell) for cell in row] for row in reader(StringIO(content.decode("utf-8-sig")))]


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


#: Exceptions of files with content that no run has; a bundle may come from anybody.
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
    """A checked run: the numbers of its findings and of those recomputed, their source, and what was not checked."""

    folder: str
    kind: str
    findings: int
    recomputed: int
    source: str
    not_recomputed: tuple[NotRecomputed, ...]


@dataclass(frozen=True, kw_only=True)
class Verified:
    """A bundle that passed all checks.

    `key` is the fingerprint that its signature names, None without a signature; with `checked` the signature was
    verified with a given public key. `besides` are parts of the bundle itself that another version wrote differently.
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
    """Return the results of the checks of a bundle; `progress` gets the run that is being recomputed.

    Raises
    ------
    InputError
        It is no bundle, compressed or unsafe, of a newer version, or the key is no public key.
    CheckFailed
        Something was changed, or a finding does not follow from the content; the message names the first problem.

    """
    public = None if options.public_key is None else read_public_key(options.public_key)
    with scratch_folder(room=2 * path.stat().st_size if path.is_file() else 0) as work:
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
    """Compare the files with the list in bundle.json."""
    present = {file.name: file for file in files}
    listed = {file.name: file for file in contents.files}
    for name, file in listed.items():
        if name not in present:
            raise CheckFailed(f"{path}: {name} is listed in {CONTENTS}, but missing.")
        if present[name] != file:
            raise CheckFailed(f"{path}: {name} is not the file that was bundled: its sha256 is another.")
    for name in present:
        if name not in listed and name not in {CONTENTS, ENVELOPE}:
            raise CheckFailed(f"{path}: {name} is not listed in {CONTENTS}.")


def _check_owners(path: Path, contents: Contents) -> None:
    """Refuse a run that is not there, and a file that lies in none."""
    names, folders = {file.name for file in contents.files}, {run.folder for run in contents.runs}
    for run in contents.runs:
        if f"{run.folder}/manifest.json" not in names:
            raise CheckFailed(f"{path}: {CONTENTS} names the run {quoted(run.folder)}, which is missing.")
    for file in contents.files:
        folder = file.name.rpartition("/")[0].removesuffix(f"/{evidence_runs.INPUTS_FOLDER}")
        if folder not in folders and file.name != PAGE:
            raise CheckFailed(f"{path}: {file.name} belongs to no run that {CONTENTS} names.")


def _check_statement(path: Path, folder: Path, contents: Contents, files: Sequence[File], public: Any) -> str | None:
    """Check the signature against the content and, if given, a key; return its key's fingerprint."""
    if not (folder / ENVELOPE).is_file():
        if public is not None:
            raise CheckFailed(f"{path} is not signed, so --public-key can't verify it.")
        return None
    envelope = read_envelope((folder / ENVELOPE).read_bytes(), source=path)
    if public is not None:
        check_signature(envelope, public, source=path)
    if envelope.payload != statement(contents, [file for file in files if file.name != ENVELOPE]):
        raise CheckFailed(f"{path}: the signature doesn't match the contents of the bundle.")
    return envelope.key


def _check_bytes(path: Path, folder: Path, contents: Contents, files: Sequence[File], work: Path) -> None:
    """Write the archive anew and compare it byte by byte."""
    names = [CONTENTS, *(file.name for file in contents.files), *(file.name for file in files if file.name == ENVELOPE)]
    rewritten = work / "again.zip"
    with rewritten.open("wb") as file:
        write_archive(file, {name: folder / name for name in names})
    with path.open("rb") as original, rewritten.open("rb") as copy:
        place = first_difference(original, copy)
    if place is not None:
        raise CheckFailed(f"{path} is not as evenhand writes it: the first different byte is number {place + 1:,}.")
    rewritten.unlink()


def _check_page(path: Path, folder: Path, contents: Contents) -> list[NotRecomputed]:
    """Compare the page of the bundle with one rendered from bundle.json; other versions render it differently."""
    drawn, other_version = folder / PAGE, _other_version(contents)
    if drawn.is_file() and drawn.read_bytes() == bundle_page(contents):
        return []
    if other_version is None:
        raise CheckFailed(f"{path}: {PAGE} differs from the page of {CONTENTS}.")
    return [NotRecomputed(what=PAGE, why=other_version)]


def _checked_run(path: Path, folder: Path, contents: Contents, number: int, work: Path) -> CheckedRun:
    """Check a run's hashes, and its pages, tables and findings against their sources."""
    run = contents.runs[number]
    place, other_version = folder / run.folder, _other_version(contents)
    try:
        manifest = _finished(place)
        evidence_runs.check_unchanged(place, manifest)
        content = read_result(place)
        saved = content.findings
        _check_extra_files(place, manifest, content)
        besides = _check_rendered(place, manifest, content, other_version, work / f"drawn-{number}")
        besides += _check_contents(folder, contents, number, manifest, other_version)
        runs = [folder / run.folder for run in contents.runs]
        bundled = RunToRecompute(folder=place, manifest=manifest, saved=content, runs=runs)
        recomputed: Recomputed = loaded(manifest.run_kind.recomputed)(bundled)
        audit = recomputed.result.audit
        if other_version is not None and audit is not content.audit:
            besides.append(NotRecomputed(what="what the report says besides its findings", why=other_version))
            audit = None
        different = _first_different(place, content, recomputed, audit)
    except (CheckFailed, InputError) as error:
        raise CheckFailed(f"{path}: {run.folder}: {str(error).replace(f'{place}/', '')}") from error
    except _NO_RUN as error:
        message = one_line(f"{type(error).__name__}: {error}")
        raise CheckFailed(f"{path}: {run.folder} has invalid contents ({shortened(message)}).") from error
    if different is not None:
        raise CheckFailed(f"{path}: {run.folder}: {different}{f' ({other_version})' if other_version else ''}.")
    without = [
        NotRecomputed(what=counted(len(names), "finding"), why=reason, findings=names)
        for reason in dict.fromkeys(recomputed.without.values())
        for names in [tuple(name for name, own_reason in recomputed.without.items() if own_reason == reason)]
    ]
    return CheckedRun(
        folder=run.folder,
        kind=run.kind,
        findings=len(saved),
        recomputed=sum(finding.name not in recomputed.without for finding in saved),
        source=recomputed.source,
        not_recomputed=(*without, *recomputed.besides, *besides),
    )


def _first_different(
    place: Path, content: Result[Any, Any], recomputed: Recomputed, audit: Header | None
) -> str | None:
    """Return the first difference in findings, facts or tables; facts of None are not compared."""
    if audit is not None:
        of_the_run = {name: getattr(content.audit, name) for name in OF_THE_RUN if hasattr(content.audit, name)}
        audit = replace(audit, **of_the_run)
    differences = [first_different(content.findings, recomputed), first_different_line(content.audit, audit)]
    tables = recomputed.result.tables.items()
    differences += [first_different_cell(place / name, table) for name, table in tables if name.endswith(".csv")]
    return next(filter(None, differences), None)


def _finished(place: Path) -> Manifest:
    manifest = read_manifest(place)
    if manifest is None or not manifest.is_finished:
        raise CheckFailed("it is not a finished run.")
    return manifest


def _check_extra_files(place: Path, manifest: Manifest, content: Result[Header, Any]) -> None:
    """Refuse files in the folder of a run that its kind doesn't have, and inputs that it was not made from."""
    if not isinstance(content.audit, loaded(manifest.run_kind.block)):
        raise CheckFailed(f"{FILE} belongs to another kind of run.")
    known, input_files = re.compile(manifest.run_kind.all_files), evidence_runs.input_files_below(place)
    inputs = evidence_runs.RunInputs(manifest=manifest, given=input_files)
    prompts = manifest.run_kind.asks and inputs.why_no_prompts in {None, inputs.why_other_version}
    for file in filter(Path.is_file, place.iterdir()):
        if not known.fullmatch(file.name) and not (prompts and file.name == evidence_runs.STIMULI):
            raise CheckFailed(f"{file.name} doesn't belong to its run.")
    made_from = evidence_runs.hashes_of(manifest, content.audit.parameters)
    for sha, file in input_files.items():
        if sha not in made_from:
            raise CheckFailed(f"{evidence_runs.INPUTS_FOLDER}/{file.name} is not a file that the run was made from.")


def _check_contents(
    folder: Path, contents: Contents, number: int, manifest: Manifest, other_version: str | None
) -> list[NotRecomputed]:
    """Compare the entry of a run in bundle.json with the run; the name of the client can't be checked."""
    listed = contents.runs[number]
    place = folder / listed.folder
    if contents.redacted and journal_files(place) and not manifest.redacted:
        raise CheckFailed(f"{CONTENTS} says that answers were removed, but the bundle has them.")
    recomputed_run = evidence_runs.bundled_run(
        evidence_runs.BundledFolder(path=place, manifest=manifest, name=listed.folder),
        given={
            **evidence_runs.input_files_below(place),
            **evidence_runs.outcomes_of(folder / bundled.folder for bundled in contents.runs),
        },
        asked_by=listed.protocol.asked_by,
    )
    different = first_different_line(listed, recomputed_run)
    if different is None:
        return []
    if other_version is None:
        raise CheckFailed(f"{CONTENTS} describes it differently: {shortened(one_line(different), most=200)}")
    return [NotRecomputed(what=f"its description in {CONTENTS}", why=other_version)]


def _check_rendered(
    place: Path, manifest: Manifest, content: Result[Header, Any], other_version: str | None, to: Path
) -> list[NotRecomputed]:
    """Compare the page and the tables of a run with those rendered from its findings.

    Another version renders them differently: then each number of the page is compared with the finding that it is of.
    """
    not_recomputed = []
    for name, file in evidence_runs.rendered_files(place, manifest.kind, to).items():
        if not (place / name).is_file() or (place / name).read_bytes() != file.read_bytes():
            if other_version is None:
                raise CheckFailed(f"{name} differs from the page of the findings.")
            if name == REPORT and (place / name).is_file():
                other = first_other_number((place / name).read_text("utf-8", "replace"), content.findings)
                if other is not None:
                    raise CheckFailed(f"{name} differs from the findings: {other}.")
            not_recomputed.append(NotRecomputed(what=name, why=other_version))
    return not_recomputed


def _other_version(contents: Contents) -> str | None:
    """Return a sentence on the version that made the bundle; None where it is this one."""
    versions = installed_versions()
    for name, version in sorted(contents.packages.items(), key=lambda item: item[0] != "evenhand"):
        if versions.get(name) != version:
            return f"it was made with {name} {version}, and here is {versions.get(name) or 'none'}"
    return None


UNSIGNED = (
    "It is not signed: verification detects accidental changes, not tampering. Anyone who changes a file can write a "
    "new bundle."
)
#: The most findings that are named; --json names all.
NAMED = 3


def json_of(result: Bundled | Verified | KeyPair) -> str:
    """Return a result as JSON."""
    return orjson.dumps(as_json(result), default=str, option=orjson.OPT_INDENT_2).decode()


def bundle_text(bundled: Bundled) -> str:
    """Return what was bundled, for the terminal."""
    screen = Screen()
    runs = ", ".join(bundled.runs)
    screen.say(f"{counted(bundled.files, 'file')} of {counted(len(bundled.runs), 'run')}: {runs}.")
    screen.say(f"sha256 {bundled.sha256}")
    if bundled.key is None:
        screen.say(UNSIGNED)
    else:
        screen.say(f"Signed with the key {bundled.key}.")
    for line in bundled.not_inside:
        screen.say(f"Not included: {line}.", bullet="- ")
    screen.say("The auditor verifies it with:")
    screen.type(f"evenhand verify {bundled.path}" + ("" if bundled.key is None else " --public-key FILE.pub"))
    return screen.text


def verified_text(verified: Verified) -> str:
    """Return the result of the checks for the terminal, the answer first."""
    screen = Screen()
    total = sum(run.findings for run in verified.runs)
    n_recomputed = sum(run.recomputed for run in verified.runs)
    screen.say(
        f"{verified.path} is consistent: its {verified.files:,} files are those of its list, and {n_recomputed:,} of "
        f"{total:,} findings are the same when they are computed again."
    )
    if verified.key is None:
        screen.say(UNSIGNED)
    elif verified.checked:
        screen.say(f"The bundle is unchanged since it was signed with the given key, {verified.key}.")
    else:
        screen.say(
            f"It claims to be signed with the key {verified.key}, which was not checked: without --public-key "
            "FILE, verification detects accidents, not tampering."
        )
    screen.say(f"sha256 {verified.sha256}")
    for omission in verified.besides:
        screen.say(f"Not computed again: {omission.what}, as {omission.why}.", bullet="- ")
    for run in verified.runs:
        screen.say()
        _run(run, screen)
    return screen.text


def _run(run: CheckedRun, screen: Screen) -> None:
    count = f"{run.recomputed:,} of {run.findings:,} findings computed again"
    screen.say(f"{run.folder}: {count}{f' from {run.source}' if run.source else ''}.")
    for omission in run.not_recomputed:
        named = f" ({', '.join(omission.findings)})" if 0 < len(omission.findings) <= NAMED else ""
        screen.say(f"Not computed again: {omission.what}{named}, as {omission.why}.", bullet="- ")


def keys_text(keys: KeyPair) -> str:
    """Return the files of the keys, for the terminal."""
    screen = Screen()
    screen.say(
        f"{keys.private} is the private key: keep it secret, as it has no password. {keys.public} is the public key "
        "for verification."
    )
    screen.say(f"Its fingerprint is {keys.fingerprint}; send it separately from the bundle.")
    return screen.text
