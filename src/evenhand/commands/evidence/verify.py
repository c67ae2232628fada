"""`evenhand verify`: whether a bundle is as it was made, and whether its findings follow from what is in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any, Final

from polars.exceptions import PolarsError

from evenhand.collect.journal.files import journal_files
from evenhand.commands.evidence.asked import GIVEN, STIMULI, AskedRun, given_below, hashes_of
from evenhand.commands.evidence.protocol import bundled_run
from evenhand.commands.evidence.runs import BundledFolder, check_unchanged, outcomes_of
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.archive import File, first_difference, unpacked, write_archive
from evenhand.evidence.contents import CONTENTS, Contents, read_contents
from evenhand.evidence.drawn import drawn_anew
from evenhand.evidence.keys import read_public_key
from evenhand.evidence.page import PAGE, bundle_page
from evenhand.evidence.recomputed import (
    NotRecomputed,
    Recomputed,
    first_different,
    first_different_cell,
    first_different_line,
)
from evenhand.evidence.statement import ENVELOPE, check_signature, read_envelope, statement
from evenhand.report.words.numbers import counted
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.options.files import VerifyOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.versions import installed_versions
from evenhand.tables.audit.reading import Found, read_found
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import one_line, quoted, shortened

__all__ = ["CheckedRun", "Verified", "verify_bundle"]


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
        folder = file.name.rpartition("/")[0].removesuffix(f"/{GIVEN}")
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
        check_unchanged(place, manifest)
        content = read_found(place)
        saved = content.findings
        _check_own(place, manifest, content)
        besides = _check_drawn(place, manifest, other, work / f"drawn-{number}")
        besides += _check_told(folder, contents, number, manifest, other)
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


def _first_different(place: Path, content: Found, again: Recomputed) -> str | None:
    """Return what first differs from what was computed again: findings, audit block, tables."""
    found = [first_different(content.findings, again), first_different_line(content.audit, again.audit)]
    found += [first_different_cell(place / name, table) for name, table in again.tables.items()]
    return next(filter(None, found), None)


def _finished(place: Path) -> Manifest:
    manifest = read_manifest(place)
    if manifest is None or not manifest.is_finished:
        raise CheckFailed("it is no finished run.")
    return manifest


def _check_own(place: Path, manifest: Manifest, content: Found) -> None:
    """Refuse files in the folder of a run that no run of its kind has, and that it was not made from."""
    known, given = re.compile(manifest.run_kind.files), given_below(place)
    asked = AskedRun(manifest=manifest, given=given)
    prompts = manifest.run_kind.asks and asked.why_no_prompts in {None, asked.why_other_version}
    for file in filter(Path.is_file, place.iterdir()):
        if not known.fullmatch(file.name) and not (prompts and file.name == STIMULI):
            raise CheckFailed(f"{file.name} is not of its run.")
    made_from = hashes_of(manifest, content.audit.parameters)
    for sha, file in given.items():
        if sha not in made_from:
            raise CheckFailed(f"{GIVEN}/{file.name} is no file that the run was made from.")


def _check_told(
    folder: Path, contents: Contents, number: int, manifest: Manifest, other: str | None
) -> list[NotRecomputed]:
    """Hold what bundle.json says of a run against the run; who asked for it is taken as said."""
    said = contents.runs[number]
    place = folder / said.folder
    if contents.redacted and journal_files(place) and not manifest.redacted:
        raise CheckFailed(f"{CONTENTS} says that answers were taken away, and theirs are there.")
    own = bundled_run(
        BundledFolder(path=place, manifest=manifest, name=said.folder),
        given={**given_below(place), **outcomes_of(folder / each.folder for each in contents.runs)},
        asked_by=said.protocol.asked_by,
    )
    different = first_different_line(said, own)
    if different is None:
        return []
    if other is None:
        raise CheckFailed(f"{CONTENTS} tells of it otherwise: {shortened(one_line(different), most=200)}")
    return [NotRecomputed(what=f"what {CONTENTS} says of it", why=other)]


def _check_drawn(place: Path, manifest: Manifest, other: str | None, to: Path) -> list[NotRecomputed]:
    """Hold the page and the tables of a run against what is drawn of its findings; `other` versions draw otherwise."""
    found = []
    for name, file in drawn_anew(place, manifest.kind, to).items():
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
