"""Runs for a bundle: finished and unchanged, with their inputs, rendered files and audit protocol."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.analyses.finish import hide_answers
from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.merge import MergePlan, replanned_run
from evenhand.analyses.options.probes import Shards, find_probe
from evenhand.errors import InputError
from evenhand.evidence.archive import BundledRun, Protocol
from evenhand.models.outcomes import read_answers
from evenhand.options import Option, declared
from evenhand.probes.probe import Design
from evenhand.report.files import write_files
from evenhand.report.page.contents import page_of
from evenhand.results.audit import Header
from evenhand.results.files import sha256_of
from evenhand.results.finding import copied
from evenhand.results.result import RunFolder, manifest_files, read_result


def rendered_files(run: Path, kind: object, to: Path) -> dict[str, Path]:
    """Return the files that `evenhand report` writes for a run, by name, rendered into the new folder `to`.

    Raises
    ------
    InputError
        The findings are missing or broken, or of another schema.

    """
    saved_files = RunFolder(run).kept_files(kind)
    to.mkdir(parents=True)
    for file in saved_files:
        (to / file.name).symlink_to(file.resolve())
    write_files(to, read_result(run))
    return {file.name: file for file in sorted(to.iterdir()) if not file.is_symlink()}


STIMULI: Final = "stimuli.jsonl"
#: The folder of a bundle with the files that a run was made from.
INPUTS_FOLDER: Final = "given"
#: The number of prompts made at a time.
_PIECE: Final = 4_096


@dataclass(frozen=True, kw_only=True)
class RunInputs:
    """The manifest of a run, and those files that it was made from that are `given`, by their sha256."""

    manifest: Manifest
    given: Mapping[str, Path] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the probe's settings; files, of which a manifest has the hashes, are left out where not given."""
        settings = {}
        for name, value in self.manifest.settings.items():
            if not isinstance(value, Mapping):
                settings[name] = value
            elif value.get("sha256") in self.given:
                settings[name] = self.given[value["sha256"]]
        return settings

    @property
    def source(self) -> Path | None:
        """Return the saved answers, or the table of applicants, that were read, if they are given."""
        return self.read[0] if self.read else None

    @property
    def read(self) -> tuple[Path | None, ...]:
        """Return the files that were read, None where they are not given, in the order of the manifest."""
        hashes = [sha for name, sha in self.manifest.fingerprints.items() if "/" not in name]
        return tuple(self.given.get(sha) for sha in hashes)

    def option(self, name: str) -> Path | None:
        """Return the file that an option named, if it is given."""
        stored = self.manifest.parameters.get(name)
        return self.given.get(stored["sha256"]) if isinstance(stored, Mapping) else None

    @property
    def number(self) -> int:
        """Return the number of the run's shard in its plan."""
        return 1 if self.manifest.shard is None else Shards.parse(self.manifest.shard).number

    @property
    def plan(self) -> MergePlan:
        """Return the plan of the run."""
        parts = 1 if self.manifest.shard is None else Shards.parse(self.manifest.shard).of
        return replanned_run(self.manifest, self.settings, of=parts)

    @property
    def has_prompts(self) -> bool:
        """Say whether the run asked prompts that can be made again."""
        return self.manifest.run_kind.asks and self.why_no_prompts is None

    @property
    def why_other_version(self) -> str | None:
        """Return a sentence where the run's probe has another version than this evenhand's; else None."""
        manifest = self.manifest
        version = find_probe(manifest.probe).version
        if manifest.probe_version == version:
            return None
        return f"it is of version {manifest.probe_version} of {manifest.probe}, and this evenhand has {version}"

    @property
    def why_no_prompts(self) -> str | None:
        """Return why the prompts of the run can't be made again; None where they can."""
        return self.lacking(lambda option: option.changes == "prompts", "the prompts were made") or (
            self.why_other_version
        )

    @property
    def why_unread(self) -> str | None:
        """Return why answers can't be read again; None where they can."""
        if self.manifest.redacted:
            return "their text was taken away"
        if self.manifest.design is None and self.source is None:
            return "the saved answers are not in the bundle"
        return self.why_no_prompts or self.lacking(lambda option: option.changes == "reading", "they were read")

    @property
    def why_unmeasured(self) -> str | None:
        """Return why nothing of the run can be measured again; None where it can."""
        return self.why_other_version or self.lacking(lambda option: option.shared, "it was measured")

    def lacking(self, affects: Callable[[Option], bool], action: str) -> str | None:
        """Return a sentence on a missing file of a setting that `affects` an `action`; None where none is missing."""
        for setting in declared(find_probe(self.manifest.probe).settings):
            value = self.manifest.settings.get(setting.name)
            if isinstance(value, Mapping) and setting.name not in self.settings and affects(setting.option):
                return f"{action} with {setting.flag} {value['file']}, which is not in the bundle"
        return None


def hashes_of(manifest: Manifest, decided: Mapping[str, Any]) -> set[str]:
    """Return the sha256 of all files that a run was made from; `decided` are the parameters of its audit block."""
    stored = (*manifest.settings.values(), *manifest.parameters.values(), *decided.values())
    hashes = [value.get("sha256") for value in stored if isinstance(value, Mapping)]
    return {sha for sha in (*hashes, *manifest.fingerprints.values()) if isinstance(sha, str)}


def input_files_below(folder: Path) -> dict[str, Path]:
    """Return the files that a run in a bundle was made from, by their sha256."""
    files = (folder / INPUTS_FOLDER).iterdir() if (folder / INPUTS_FOLDER).is_dir() else ()
    return {sha256_of(file): file for file in files}


def write_stimuli(folder: Path, design: Design, to: Path) -> None:
    """Write the prompts that have an answer in a journal, with their factors: one JSON object each, by index."""
    answered = [answers["index"].to_numpy() for answers in read_answers(folder)]
    indices = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *answered]))
    with to.open("wb") as file:
        for start in range(0, indices.size, _PIECE):
            piece = indices[start : start + _PIECE]
            stimuli = design.stimuli(piece).drop("index")
            stimuli.insert_column(0, pl.Series("index", piece)).write_ndjson(file)


@dataclass(frozen=True, kw_only=True)
class BundledFolder:
    """The folder of a run, its manifest, and its name in the bundle."""

    path: Path
    manifest: Manifest
    name: str


def bundled_folders(paths: Sequence[Path]) -> list[BundledFolder]:
    """Return the folders of finished runs, that of a suite before those of its probes.

    Names in a bundle tell the number of a run and its kind, so that what a folder is called changes no byte.

    Raises
    ------
    InputError
        A folder holds no run, one that is not finished or of an unknown kind, files that are not of its run, or it is
        given twice.

    """
    known: set[Path] = set()
    folders: list[BundledFolder] = []
    for number, path in enumerate(paths, 1):
        if path.resolve() in known:
            raise InputError(f"{path} is given twice; give each run once.")
        known.add(path.resolve())
        folders += _opened(path, f"runs/{number}")
    return folders


def _opened(path: Path, place: str) -> Iterator[BundledFolder]:
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run of evenhand; expected the folder of a finished run.")
    if not manifest.is_finished:
        raise InputError(f"The run in {path} is not finished ({manifest.status}); finish it, then bundle it.")
    manifest_files(path)
    if path.is_symlink():
        raise InputError(f"{path} is a symbolic link; give the folder that it points to.")
    name = place if "-" in place else f"{place}-{manifest.kind}"
    yield BundledFolder(path=path, manifest=manifest, name=name)
    for probe in manifest.probes if manifest.run_kind.probes_below else ():
        yield from _opened(path / probe, f"{name}/{probe}")


def check_unchanged(path: Path, manifest: Manifest) -> None:
    """Refuse a run of which a file was changed, added or taken away since it was finished.

    Raises
    ------
    InputError
        There is such a file; the first is named.

    """
    if not manifest.files:
        raise InputError(
            f"{path / 'manifest.json'} has no hashes of the run's files, as older versions wrote it; run it again."
        )
    saved_files = {file.name: file for file in RunFolder(path).kept_files(manifest.kind)}
    for name in sorted({*saved_files, *manifest.files}):
        if name not in saved_files:
            raise InputError(f"{path / name} was deleted after the run was finished; restore it, or run again.")
        if name not in manifest.files:
            raise InputError(f"{path / name} was added after the run was finished; move it away, or run again.")
        if sha256_of(saved_files[name]) != manifest.files[name]:
            raise InputError(f"{path / name} was changed after the run was finished; restore it, or run again.")


def outcomes_of(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the runs that have outcomes, by the sha256 of their outcomes."""
    return {sha256_of(RunFolder(folder).outcomes): folder for folder in folders if RunFolder(folder).outcomes.is_file()}


def redacted_copy(folder: BundledFolder, to: Path) -> BundledFolder:
    """Return a copy of a run, in the new folder `to`, with hashes in place of the model's texts.

    Raises
    ------
    InputError
        A file was changed since the run was finished.

    """
    check_unchanged(folder.path, folder.manifest)
    to.mkdir(parents=True, exist_ok=True)
    for file in (folder.path / "manifest.json", *RunFolder(folder.path).kept_files(folder.manifest.kind)):
        shutil.copyfile(file, to / file.name)
    hide_answers(RunFolder(to))
    manifest = read_manifest(to)
    assert manifest is not None
    return replace(folder, path=to, manifest=manifest)


def files_of(folder: BundledFolder, work: Path) -> Mapping[str, Path]:
    """Return the files of a run by their names, with pages and tables rendered again below the new folder `work`.

    Raises
    ------
    InputError
        A file was changed since the run was finished, or a page differs from the one rendered from the findings.

    """
    path, manifest = folder.path, folder.manifest
    check_unchanged(path, manifest)
    saved_files = RunFolder(path).kept_files(manifest.kind)
    drawn = rendered_files(path, manifest.kind, work)
    for name, file in drawn.items():
        saved = path / name
        if saved.is_file() and saved.read_bytes() != file.read_bytes():
            raise InputError(
                f"{saved} differs from the report of the findings; evenhand report {path} writes it again."
            )
    files = {"manifest.json": path / "manifest.json", **{file.name: file for file in saved_files}, **drawn}
    return dict(sorted(files.items()))


#: A long setting, the names of a test, which only the manifest has.
_LONG = "names"
#: The number of sentences of a report that summarise the results.
SENTENCES = 2


def bundled_run(folder: BundledFolder, *, given: Mapping[str, Path], asked_by: str | None) -> BundledRun:
    """Return the entry of a run for bundle.json; `given` are the inputs of runs in the bundle."""
    manifest, content = folder.manifest, read_result(folder.path)
    audit = content.audit
    settings = {name: value for name, value in manifest.settings.items() if name != _LONG}
    decided = dict(audit.parameters) | dict(manifest.parameters) | settings
    data = _named(decided, manifest.fingerprints)
    shown = content.legible()
    planned = dict.fromkeys(finding.measure for finding in content.findings if finding.role == "planned")
    return BundledRun(
        folder=folder.name,
        **copied(audit, "kind title model simulated"),
        started=manifest.started,
        finished=manifest.finished,
        versions=dict(manifest.versions) | dict(audit.versions),
        found=tuple(page_of(shown).opening(shown).sentences[:SENTENCES]),
        protocol=Protocol(
            question=audit.question or _suite_question(manifest),
            asked_by=asked_by or manifest.asked_by,
            data=data,
            input=dict(manifest.input) | _counted(audit),
            decided=decided,
            planned=tuple(planned),
            warnings=tuple(audit.warnings),
            limits=tuple(audit.limits),
            command=audit.reproduce,
        ),
        not_inside=tuple(_not_inside(RunInputs(manifest=manifest, given=given), data)),
    )


def _suite_question(manifest: Manifest) -> str | None:
    """Return the question of a suite; None for other runs."""
    return f"What its probes ask: {', '.join(manifest.probes)}." if manifest.run_kind.probes_below else None


def _named(decided: Mapping[str, Any], read: Mapping[str, str]) -> dict[str, str]:
    """Return the sha256 of all files that were read, and of further ones that options named."""
    named = [value for value in decided.values() if isinstance(value, Mapping) and "file" in value]
    known = set(read.values())
    return {**read, **{value["file"]: value["sha256"] for value in named if value["sha256"] not in known}}


def _counted(audit: Header) -> dict[str, int]:
    """Return the numbers of people and positions of a run, where its audit block has them."""
    counts = {name: getattr(audit, name, None) for name in ("people", "positions")}
    return {name: number for name, number in counts.items() if isinstance(number, int)}


def _not_inside(inputs: RunInputs, data: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences on what a bundle lacks that an auditor may look for."""
    kind = inputs.manifest.run_kind
    hashes = {sha for name, sha in data.items() if "/" not in name and not name.startswith("matcher")}
    counts_given = bool(inputs.manifest.parameters.get("counts"))
    if kind.outside is not None and not counts_given and not (hashes and hashes <= inputs.given.keys()):
        yield kind.outside
    if kind.asks and not inputs.has_prompts:
        yield f"the prompts, as {inputs.why_no_prompts}"
    if inputs.manifest.redacted:
        yield "the text of answers, and the words in it"
