"""`evenhand features`: vet a table of features: expectations, drift, proxies of protected groups, free text."""

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from evenhand.analyses.options.scores import FeatureOptions
from evenhand.analyses.run import Run, refuse_clearing_input, table_facts, written_run
from evenhand.comparisons.feature_rules import Expectations, Rule, check_groups, expectations_of
from evenhand.comparisons.features import FeatureFacts, Relation, feature_findings, feature_table, proxy_table
from evenhand.comparisons.proxies import FOLDS, LACKING, joint_findings, lacks_model
from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.feature_table import CountedFeatures, FeatureQuery, count_features, feature_names
from evenhand.data.open_table import OpenTable
from evenhand.data.roles import check_roles
from evenhand.data.tables import open_table
from evenhand.data.toml_files import TomlFile, read_toml
from evenhand.data.written_numbers import with_plain_features
from evenhand.errors import InputError
from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from evenhand.results.feature_audit import FeaturesAudit, FreeText, JointModel
from evenhand.results.finding import Finding, copied
from evenhand.results.messages import Notices
from evenhand.results.result import Result, read_csv
from evenhand.results.schemas import FEATURES, PROXIES

QUESTION: Final = "Do the features meet expectations, and how well do they predict protected groups?"
LIMITS: Final = (
    "A feature that predicts a group may still be needed for the job; one that predicts none alone may do so together "
    "with others.",
    "The AUC of a number measures whether higher values are more common in a group. A group in the middle of the range "
    "is not "
    "predicted by that; all features jointly may predict it.",
    "Intervals assume that each row is another person. If a person has several rows, they are too narrow.",
    "Masking searched a sample of cells; other cells may contain what it did not find there.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class FeaturesRun(Run):
    """A finished vetting of a table."""

    audit: FeaturesAudit

    @property
    def features(self) -> pl.DataFrame:
        """Return features.csv."""
        return read_csv(self.folder / "features.csv", FEATURES)

    @property
    def proxies(self) -> pl.DataFrame:
        """Return proxies.csv."""
        return read_csv(self.folder / "proxies.csv", PROXIES)


#: Characters of a cell that are scanned.
LONGEST = 20_000


def _free_text(name: str, cells: Sequence[str]) -> FreeText:
    """Return the number of cells of a column with a category that masking finds, of all categories."""
    options, counts, touched = MaskOptions(optional=tuple(OPTIONAL)), Counter[str](), 0
    for text in cells:
        categories = {span.category for span in mask_text(str(text)[:LONGEST], options=options).spans}
        counts.update(categories)
        touched += bool(categories)
    return FreeText(feature=name, cells=len(cells), found=dict(counts.most_common()), touched=touched)


CONFIDENCE = 0.95
#: Columns with more distinct texts are scanned.
FEW_TEXTS = 50
#: The fewest rows for cross-validation.
FEWEST_ROWS = 100


def run_features(source: Any, options: FeatureOptions, *, notice: Notices) -> FeaturesRun:
    """Vet a table of features; return the finished run.

    Raises
    ------
    InputError
        Columns, expectations or options can't be used.
    ServiceError
        A database can't be reached.

    """
    if options.age_at is not None and options.age is None:
        raise InputError("--age-at needs --age COLUMN.")
    if source is None:
        raise InputError("TABLE is missing: give the table to check.")
    refuse_clearing_input(options.out, [source, options.expect, options.compare_with], force=options.force)
    result = analyse_features(source, options)
    return written_run(FeaturesRun, result, options, "features", notice=notice)


def analyse_features(
    source: Any, options: FeatureOptions, *, rules: tuple[Rule, ...] = ()
) -> Result[FeaturesAudit, Any]:
    """Return the vetting of a table; `rules` apply if no file is given.

    Raises
    ------
    InputError, ServiceError
        As `run_features`.

    """
    file = None if options.expect is None else read_toml(options.expect)
    with ExitStack() as closing:
        opened = [
            with_plain_features(closing.enter_context(open_table(address, **options.opening)))
            for address in (source, options.compare_with)
            if address is not None
        ]
        table, reference = opened[0], opened[1] if len(opened) > 1 else None
        request = _vetting_request(table, options, file, rules)
        counted = count_features(table, request.query, reference)
        _check_shares(file, request.expectations, counted)
        text = _scanned(table, counted, options)
        joint, joint_model = _joint(table, counted, options)
        columns = {column: str(kind) for column, kind in table.expr.schema().items()}
    facts = _facts(request, counted, joint)
    findings = feature_findings(facts, confidence=CONFIDENCE, seed=options.seed)
    audit = FeaturesAudit(
        question=QUESTION,
        source=table.name,
        **copied(counted, "rows attributes rows_compared notes"),
        features=tuple(feature.row for feature in counted.features),
        label=request.query.label,
        compared_with=None if reference is None else reference.name,
        free_text=text,
        joint=joint_model,
        expectations=None if options.expect is None else options.expect.name,
        limits=LIMITS,
        **table_facts(["features"], source, options, table.fingerprints)
        | {"fingerprints": _fingerprints(table, reference)},
    )
    return Result(
        audit=audit,
        findings=findings,
        tables={"features.csv": feature_table(counted.features, findings), "proxies.csv": proxy_table(findings)},
        input={"rows": counted.rows, "columns": columns},
        notes=(*table.notes, *counted.notes),
    )


@dataclass(frozen=True, kw_only=True)
class _VettingRequest:
    query: FeatureQuery
    expectations: Expectations


def _vetting_request(
    table: OpenTable, options: FeatureOptions, file: TomlFile | None, rules: tuple[Rule, ...]
) -> _VettingRequest:
    """Return query and expectations; the label of the file applies if the command names none."""
    groups = ApplicantQuery(
        protected=options.protected, age=options.age, age_at=options.age_at, unknown=options.unknown, mapped=options.map
    )
    query = FeatureQuery(groups=groups, label=options.label, without=options.without)
    if file is None:
        feature_names(table, query)
        expectations = Expectations(rules=rules)
    else:
        columns = table.expr.columns
        first = expectations_of(file, columns, [])
        query = replace(query, label=options.label or first.label, vetted=tuple({rule.feature for rule in first.rules}))
        expectations = expectations_of(file, columns, feature_names(table, query))
    check_roles(query.groups, query)
    relations = tuple(
        (rule.feature, other)
        for rule in expectations.rules
        if rule.name == "monotone" and (other := rule.with_column or query.label) is not None
    )
    return _VettingRequest(query=replace(query, relations=relations), expectations=expectations)


def _check_shares(file: TomlFile | None, expectations: Expectations, counted: CountedFeatures) -> None:
    for attribute, shares in expectations.shares.items():
        assert file is not None
        if attribute not in counted.sizes or attribute == counted.label:
            raise file.refuse(("reference", attribute), f"{attribute} is not in --protected; add it there.")
        check_groups(file, attribute, shares, list(counted.sizes[attribute]))


def _scanned(table: OpenTable, counted: CountedFeatures, options: FeatureOptions) -> tuple[FreeText, ...]:
    names = [
        feature.row.feature
        for feature in counted.features
        if feature.row.kind in {"text", "category"} and (feature.row.distinct or 0) > FEW_TEXTS
    ]
    if not names or not options.scan:
        return ()
    cells = counted.sample(table, names, most=options.scan, seed=options.seed).features
    return tuple(_free_text(name, cells[name].drop_nulls().to_list()) for name in cells.columns)


def _joint(table: OpenTable, counted: CountedFeatures, options: FeatureOptions) -> tuple[Sequence[Finding], JointModel]:
    """Return how well all features jointly predict the attributes, and the rows used, or the reason why not."""
    attributes = [attribute.attribute for attribute in counted.attributes]
    protected = {*attributes, counted.label, *options.protected}
    known = [feature for feature in counted.features if feature.row.feature not in protected]
    usable = {
        feature.row.feature: feature.row.numeric
        for feature in known
        if feature.row.kind != "text" and feature.row.n and feature.row.distinct != 1
        and not set(counted.same.get(feature.row.feature, ())) & protected
    }  # fmt: skip
    left = tuple(feature.row.feature for feature in known if feature.row.feature not in usable)
    reason = None
    if not attributes:
        reason = "No protected attribute was named."
    elif not options.sample:
        reason = "It was left out with --sample 0."
    elif not usable:
        reason = "There is no feature of numbers or categories."
    elif counted.rows < FEWEST_ROWS:
        reason = f"There are fewer than {FEWEST_ROWS} rows."
    elif lacks_model():
        reason = LACKING
    if reason is not None:
        return (), JointModel(of=counted.rows, left_out=left, reason=reason)
    sample = counted.sample(table, list(usable), most=options.sample, seed=options.seed)
    findings = joint_findings(
        sample.features,
        usable,
        {name: sample.groups[name] for name in attributes},
        seed=options.seed,
        confidence=CONFIDENCE,
    )
    model = JointModel(rows=sample.features.height, of=counted.rows, features=tuple(usable), left_out=left, folds=FOLDS)
    return findings, model


def _facts(request: _VettingRequest, counted: CountedFeatures, joint: Sequence[Finding]) -> FeatureFacts:
    return FeatureFacts(
        features=counted.features,
        same=counted.same,
        sizes=counted.sizes,
        relations={
            pair: Relation(
                n=frame["n"].to_numpy(), total=frame["total"].to_numpy(), squares=frame["squares"].to_numpy()
            )
            for pair, frame in counted.relations.items()
        },
        expectations=request.expectations,
        protected=request.query.groups.protected,
        label=request.query.label,
        label_classes=counted.label,
        joint=joint,
    )


def _fingerprints(table: OpenTable, reference: OpenTable | None) -> dict[str, str]:
    """Return the sha256 of both tables by name; the names may be the same."""
    fingerprints = dict(table.fingerprints)
    for name, digest in ({} if reference is None else reference.fingerprints).items():
        fingerprints[f"{name}, compared with" if name in fingerprints else name] = digest
    return fingerprints
