"""`evenhand features`: whether features are what is expected of them, and what they tell of protected groups.

The manifest and the audit block of a table of features, and how it is written.
What masking would keep out of training: columns of text scanned as `mask` does.
"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.analyses.options.scores import FeatureOptions
from evenhand.analyses.progress import Notices
from evenhand.analyses.run import Run, opened_run, write_at_once
from evenhand.comparisons.feature_rules import Expectations, Rule, check_groups, expectations_of
from evenhand.comparisons.features import FeatureFacts, Relation, feature_findings, feature_table, proxy_table
from evenhand.comparisons.proxies import FOLDS, LACKING, joint_findings, lacks_model
from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.databases import is_url
from evenhand.data.feature_table import CountedFeatures, FeatureQuery, count_features, feature_names
from evenhand.data.open_table import OpenTable
from evenhand.data.tables import open_table
from evenhand.data.toml_files import TomlFile, read_toml
from evenhand.errors import InputError
from evenhand.masking.mask import MaskOptions, mask_text
from evenhand.masking.pronouns import OPTIONAL
from evenhand.options import to_manifest, words
from evenhand.results.csv_files import read_csv
from evenhand.results.feature_audit import FeaturesAudit, FreeText, JointModel
from evenhand.results.finding import Finding
from evenhand.results.messages import public_url
from evenhand.results.run_folder import RunFolder, refuse_clearing_input
from evenhand.results.schemas import FEATURES, PROXIES

QUESTION: Final = "Are the features what they are expected to be, and what do they tell of protected groups?"
LIMITS: Final = (
    "A feature that tells a group may still be needed for the job; one that tells none alone may tell it together with "
    "others.",
    "The AUC of a number asks whether higher values go with a group. A group in the middle of the range is not told by "
    "that; all features jointly may tell it.",
    "Intervals take rows as independent people. Where a person has several rows they are too narrow.",
    "What masking finds in a sample of cells is no proof that the others hold nothing.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class FeaturesRun(Run):
    """What the vetting of a table left behind."""

    audit: FeaturesAudit

    @property
    def features(self) -> pl.DataFrame:
        """Return features.csv."""
        return read_csv(self.folder / "features.csv", FEATURES)

    @property
    def proxies(self) -> pl.DataFrame:
        """Return proxies.csv."""
        return read_csv(self.folder / "proxies.csv", PROXIES)


@dataclass(frozen=True, kw_only=True)
class Vetted:
    """What was vetted, what was found, and how it is asked for again."""

    source: str
    columns: Mapping[str, str]
    counted: CountedFeatures
    label: str | None
    compared_with: str | None
    free_text: tuple[FreeText, ...]
    joint: JointModel
    expectations: str | None
    features: pl.DataFrame
    proxies: pl.DataFrame
    findings: Sequence[Finding]
    parameters: Mapping[str, object]
    reproduce: str
    fingerprints: Mapping[str, str]


def write_vetted(folder: RunFolder, vetted: Vetted, *, with_report: bool) -> FeaturesRun:
    """Write manifest, tables, findings and, unless it is not wanted, the report; return the run."""
    asked = {
        "kind": "features",
        "source": vetted.source,
        "input": {"rows": vetted.counted.rows, "columns": vetted.columns},
        "parameters": dict(vetted.parameters),
    }
    tables = {"features.csv": vetted.features, "proxies.csv": vetted.proxies}
    block = vetting_block(vetted)
    audit = write_at_once(folder, asked, block, vetted.findings, tables=tables, with_report=with_report)
    return FeaturesRun(folder=folder.path, audit=audit, findings=vetted.findings)


def vetting_block(vetted: Vetted) -> FeaturesAudit:
    """Return what the page prints besides the findings; all but when and by what it was made."""
    counted = vetted.counted
    return FeaturesAudit(
        question=QUESTION,
        source=vetted.source,
        rows=counted.rows,
        features=tuple(each.row for each in counted.features),
        attributes=counted.attributes,
        label=vetted.label,
        compared_with=vetted.compared_with,
        rows_compared=counted.rows_compared,
        free_text=vetted.free_text,
        joint=vetted.joint,
        expectations=vetted.expectations,
        notes=counted.notes,
        parameters=vetted.parameters,
        limits=LIMITS,
        reproduce=vetted.reproduce,
        fingerprints=vetted.fingerprints,
    )


#: Longer cells are scanned up to here.
LONGEST = 20_000


def scanned(cells: pl.DataFrame) -> tuple[FreeText, ...]:
    """Return for each column in how many of its cells a category was found; all categories are looked for."""
    options = MaskOptions(optional=frozenset(OPTIONAL))
    return tuple(_column(name, cells[name].drop_nulls().to_list(), options) for name in cells.columns)


def _column(name: str, cells: Sequence[str], options: MaskOptions) -> FreeText:
    found: Counter[str] = Counter()
    touched = 0
    for text in cells:
        categories = {span.category for span in mask_text(str(text)[:LONGEST], options=options).spans}
        found.update(categories)
        touched += bool(categories)
    return FreeText(feature=name, cells=len(cells), found=dict(found.most_common()), touched=touched)


CONFIDENCE = 0.95
#: Texts of more different values than that are scanned.
FEW_TEXTS = 50
#: Fewer rows are not split into folds.
FEWEST_ROWS = 100


def run_features(source: Any, options: FeatureOptions, *, notice: Notices) -> FeaturesRun:
    """Vet a table of features; return the finished run.

    Raises
    ------
    InputError
        Columns, expectations or options that can't be used.
    ServiceError
        A database can't be reached.

    """
    if options.age_at is not None and options.age is None:
        raise InputError("--age-at needs --age COLUMN.")
    if source is None:
        raise InputError("Nothing to vet: give a TABLE.")
    refuse_clearing_input(options.out, [source, options.expect, options.compare_with], force=options.force)
    found, notes = vetted(source, options)
    with opened_run(options.folder("features"), force=options.force) as run:
        for line in notes:
            notice(line)
        return write_vetted(run.folder, found, with_report=options.report)


def vetted(source: Any, options: FeatureOptions, *, rules: tuple[Rule, ...] = ()) -> tuple[Vetted, tuple[str, ...]]:
    """Return the vetting of a table, and remarks on the table; `rules` are expected where no file is given.

    Raises
    ------
    InputError, ServiceError
        As `run_features`.

    """
    file = None if options.expect is None else read_toml(options.expect)
    with ExitStack() as closing:
        opened = [
            closing.enter_context(
                open_table(each, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit)
            )
            for each in (source, options.compare_with)
            if each is not None
        ]
        table, reference = opened[0], opened[1] if len(opened) > 1 else None
        asked = _vetting_request(table, options, file, rules)
        counted = count_features(table, asked.query, reference)
        _check_shares(file, asked.expectations, counted)
        text = _scanned(table, counted, options)
        joint, told = _joint(table, counted, options)
        columns = {column: str(kind) for column, kind in table.expr.schema().items()}
    facts = _facts(asked, counted, joint)
    findings = feature_findings(facts, confidence=CONFIDENCE, seed=options.seed)
    found = Vetted(
        source=table.name,
        columns=columns,
        counted=counted,
        label=asked.query.label,
        compared_with=None if reference is None else reference.name,
        free_text=text,
        joint=told,
        expectations=None if options.expect is None else options.expect.name,
        features=feature_table(counted.features, findings),
        proxies=proxy_table(findings),
        findings=findings,
        parameters=to_manifest(options, only_given=True),
        reproduce=shlex.join(["evenhand", "features", _typed(source), *words(options)]),
        fingerprints=_fingerprints(table, reference),
    )
    return found, (*table.notes, *counted.notes)


@dataclass(frozen=True, kw_only=True)
class _VettingRequest:
    query: FeatureQuery
    expectations: Expectations


def _vetting_request(
    table: OpenTable, options: FeatureOptions, file: TomlFile | None, rules: tuple[Rule, ...]
) -> _VettingRequest:
    """Return what is asked of a table; the label of the file holds where the command names none."""
    groups = ApplicantQuery(
        protected=options.protected, age=options.age, age_at=options.age_at, unknown=options.unknown
    )
    query = FeatureQuery(groups=groups, label=options.label, without=options.without)
    if file is None:
        feature_names(table, query)
        expectations = Expectations(rules=rules)
    else:
        columns = table.expr.columns
        first = expectations_of(file, columns, [])
        query = replace(query, label=options.label or first.label, vetted=tuple({each.feature for each in first.rules}))
        expectations = expectations_of(file, columns, feature_names(table, query))
    relations = tuple(
        (each.feature, other)
        for each in expectations.rules
        if each.name == "monotone" and (other := each.with_column or query.label) is not None
    )
    return _VettingRequest(query=replace(query, relations=relations), expectations=expectations)


def _check_shares(file: TomlFile | None, expectations: Expectations, counted: CountedFeatures) -> None:
    for attribute, shares in expectations.shares.items():
        assert file is not None
        if attribute not in counted.sizes or attribute == counted.label:
            raise file.refuse(
                ("reference", attribute), f"{attribute} is no protected attribute here; add it to --protected."
            )
        check_groups(file, attribute, shares, list(counted.sizes[attribute]))


def _scanned(table: OpenTable, counted: CountedFeatures, options: FeatureOptions) -> tuple[FreeText, ...]:
    names = [
        each.row.feature
        for each in counted.features
        if each.row.kind in {"text", "category"} and (each.row.distinct or 0) > FEW_TEXTS
    ]
    if not names or not options.scan:
        return ()
    return scanned(counted.sample(table, names, most=options.scan, seed=options.seed).features)


def _joint(table: OpenTable, counted: CountedFeatures, options: FeatureOptions) -> tuple[Sequence[Finding], JointModel]:
    """Return how well all features jointly tell the attributes, and of which rows, or why that is not told."""
    attributes = [each.attribute for each in counted.attributes]
    protected = {*attributes, counted.label, *options.protected}
    known = [each for each in counted.features if each.row.feature not in protected]
    kept_ones = {
        each.row.feature: each.row.numeric
        for each in known
        if each.row.kind != "text" and each.row.n and each.row.distinct != 1
        and not set(counted.same.get(each.row.feature, ())) & protected
    }  # fmt: skip
    left = tuple(each.row.feature for each in known if each.row.feature not in kept_ones)
    reason = None
    if not attributes:
        reason = "No protected attribute was named."
    elif not options.sample:
        reason = "It was left out with --sample 0."
    elif not kept_ones:
        reason = "There is no feature of numbers or categories."
    elif counted.rows < FEWEST_ROWS:
        reason = f"There are fewer than {FEWEST_ROWS} rows."
    elif lacks_model():
        reason = LACKING
    if reason is not None:
        return (), JointModel(of=counted.rows, left_out=left, reason=reason)
    sample = counted.sample(table, list(kept_ones), most=options.sample, seed=options.seed)
    found = joint_findings(
        sample.features,
        kept_ones,
        {name: sample.groups[name] for name in attributes},
        seed=options.seed,
        confidence=CONFIDENCE,
    )
    told = JointModel(
        rows=sample.features.height, of=counted.rows, features=tuple(kept_ones), left_out=left, folds=FOLDS
    )
    return found, told


def _facts(asked: _VettingRequest, counted: CountedFeatures, joint: Sequence[Finding]) -> FeatureFacts:
    return FeatureFacts(
        features=counted.features,
        same=counted.same,
        sizes=counted.sizes,
        relations={pair: _relation(frame) for pair, frame in counted.relations.items()},
        expectations=asked.expectations,
        protected=asked.query.groups.protected,
        label=asked.query.label,
        label_classes=counted.label,
        joint=joint,
    )


def _relation(frame: pl.DataFrame) -> Relation:
    return Relation(n=frame["n"].to_numpy(), total=frame["total"].to_numpy(), squares=frame["squares"].to_numpy())


def _fingerprints(table: OpenTable, reference: OpenTable | None) -> dict[str, str]:
    """Return the sha256 of both tables by their names, which may be the same."""
    found = dict(table.fingerprints)
    for name, digest in ({} if reference is None else reference.fingerprints).items():
        found[f"{name}, compared with" if name in found else name] = digest
    return found


def _typed(source: Any) -> str:
    """Return a source as it is typed again, without what is secret in a connection URL."""
    if isinstance(source, str) and is_url(source):
        return public_url(source)
    return str(source) if isinstance(source, str | Path) else "FRAME"
