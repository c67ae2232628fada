"""`evenhand data label-sheet` and `data agreement`: answers for two annotators, their agreement, the reader's.

With the key of a sheet, `measure_agreement` also evaluates the probe's reader by people's labels.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from evenhand.analyses.manifest import read_manifest
from evenhand.analyses.options.output import AgreementOptions, SheetOptions
from evenhand.analyses.options.probes import configured, find_probe
from evenhand.analyses.probes import joined_answers
from evenhand.data.inputs import read_saved_answers
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError, option_text
from evenhand.models.outcomes import read_answers
from evenhand.probes import label_sheets as labels
from evenhand.probes.an2024.outcomes import stated_decisions
from evenhand.probes.labels import read_labels
from evenhand.probes.probe import Probe
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, counted, named_p
from evenhand.report.words.results import capital
from evenhand.results.files import refuse_existing, write_file
from evenhand.results.finding import copied
from evenhand.results.measures import DECISIONS
from evenhand.results.messages import number_of
from evenhand.results.result import RunFolder, csv_bytes
from evenhand.results.schemas import PROTECTED
from evenhand.results.terminal import CommandOutput, Screen
from evenhand.stats import Estimate
from evenhand.stats.agreement import CohensKappa
from evenhand.stats.several_groups import Homogeneity

#: With fewer expected answers of a kind in a group the chi-square test is rough (Cochran 1954).
FEW_EXPECTED = 5


def evaluation_json(evaluation: labels.ClassifierEvaluation) -> dict[str, Any]:
    """Return the evaluation as JSON values."""
    return {
        "confusion": _confusion_json(evaluation.table) if evaluation.scores else None,
        **_group_json(evaluation.overall, categories=bool(evaluation.scores)),
        "accuracy": _share_json(evaluation.accuracy),
        "scores": {
            decision: {
                "precision": _share_json(score.precision),
                "recall": _share_json(score.recall),
                "f1": _estimate_json(score.f1),
            }
            for decision, score in evaluation.scores.items()
        },
        "groups": [
            {**group.group, **_group_json(group, categories=bool(evaluation.scores))} for group in evaluation.groups
        ],
        "valid_std": evaluation.std,
        "valid_differs": _test_json(evaluation.validity_differs),
        "alike_differs": _test_json(evaluation.alike_differs),
    }


def _confusion_json(table: pl.DataFrame) -> dict[str, dict[str, int]]:
    return {row[0]: dict(zip(table.columns[1:], row[1:], strict=True)) for row in table.iter_rows()}


def kappa_json(kappa: CohensKappa) -> dict[str, Any]:
    """Return kappa as JSON values."""
    return copied(kappa, "estimate low high confidence standard_error expected_agreement method reason")


def _group_json(group: labels.GroupEvaluation, *, categories: bool) -> dict[str, Any]:
    kappa, annotators_kappa = (
        kappa_json(kappa) if categories else None for kappa in (group.kappa, group.annotators_kappa)
    )
    return {
        "emails": group.emails,
        "valid": _share_json(group.valid),
        "alike": _share_json(group.alike),
        "kappa": kappa,
        "annotators": {**_share_json(group.annotators), "kappa": annotators_kappa},
    }


def _share_json(share: labels.Share) -> dict[str, Any]:
    return {"count": share.count, **_estimate_json(share.rate)}


def _estimate_json(rate: Estimate) -> dict[str, Any]:
    return copied(rate, "n estimate low high confidence method reason")


def _test_json(test: Homogeneity) -> dict[str, Any]:
    return copied(test, "method statistic df p smallest_expected reason")


def confusion_table(counts: pl.DataFrame, first: str, second: str) -> Table:
    """Return the numbers of answers by the labels of the first and of the second reader."""
    heads = (first, *(f"{second}: {label}" for label in counts.columns[1:]))
    rows = [(row[0], *map(count_text, row[1:])) for row in counts.iter_rows()]
    return _table(f"Answers by the labels of {first} and {second}", [*map(capital, heads)], rows)


def say_evaluation(screen: Screen, evaluation: labels.ClassifierEvaluation) -> None:
    """Add the evaluation of the reader to the screen; kappa where the labels of all answers are the same few."""
    overall, categories = evaluation.overall, bool(evaluation.scores)
    screen.say()
    if categories:
        screen.draw(confusion_table(evaluation.table, "people", "reader"))
        screen.say()
    for what, text in (
        ("Read alike", _share_text(overall.alike)),
        *([("Cohen's kappa", _interval(overall.kappa))] if categories else []),
        ("Valid (people find something to read)", _share_text(overall.valid)),
        ("Valid, with the same label", _share_text(evaluation.accuracy)),
    ):
        screen.say(f"{what}: {text}.")
    scores = [
        (decision, _share_text(score.precision), _share_text(score.recall), _interval(score.f1))
        for decision, score in evaluation.scores.items()
    ]
    if categories:
        screen.say()
        screen.draw(_table("Of valid answers, with 95 % CI", ("Label", "Precision", "Recall", "F1"), scores))
    groups = [(" ".join(group.group.values()), group) for group in evaluation.groups]
    for caption, heads, rows in (
        (
            "People and reader, per group, with 95 % CI",
            ("Group", "Valid", "Read alike", "Cohen's kappa"),
            [
                (name, _share_text(group.valid), _share_text(group.alike), _interval(group.kappa))
                for name, group in groups
            ],
        ),
        (
            "Both annotators, per group, with 95 % CI",
            ("Group", "Alike", "Cohen's kappa"),
            [(name, _share_text(group.annotators), _interval(group.annotators_kappa)) for name, group in groups],
        ),
    ):
        screen.say()
        kept = slice(None if categories else -1)
        screen.draw(_table(caption, heads[kept], [row[kept] for row in rows]))
    screen.say()
    if evaluation.std is not None:
        screen.say(f"Standard deviation of the groups' valid shares: {100 * evaluation.std:.1f} percentage points.")
    for what, test in (("valid", evaluation.validity_differs), ("read alike", evaluation.alike_differs)):
        screen.say(f"Do groups differ in the share {what}? {_tested(test)}")


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    return Table(caption=caption, columns=headings(*heads), rows=rows)


def _share_text(share: labels.Share) -> str:
    rate = share.rate
    if rate.estimate is None:
        return f"{share.count} of {rate.n}"
    return f"{share.count} of {rate.n}, {100 * rate.estimate:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def _interval(rate: Estimate | CohensKappa) -> str:
    if rate.estimate is None:
        return ABSENT
    scale = Scale(decimals=3)
    return f"{scale.text(rate.estimate)} ({scale.interval(rate.low, rate.high)})"


def _tested(test: Homogeneity) -> str:
    if test.p is None:
        return f"Not tested: {test.reason}"
    rough = " (rough: few are expected in a group)" if test.smallest_expected < FEW_EXPECTED else ""
    return f"{test.method} {test.statistic:.2f}, {counted(test.df, 'degree')} of freedom, {named_p(test.p)}{rough}."


#: The fewest answers that accept, and that reject, for `--labels`.
FEWEST = 5
#: Disagreements that the terminal lists; the JSON has all.
DISPLAYED_DISAGREEMENTS = 20
KAPPA = Scale(decimals=3)


def measure_agreement(
    sheets: Sequence[Path], options: AgreementOptions, *, notice: Callable[[str], None]
) -> CommandOutput:
    """Return the agreement of two annotators, from one sheet or one each; write the labels on which they agree.

    With the sheet's key the reader is compared with these labels, too.

    Raises
    ------
    InputError
        A sheet, its key or the file to write can't be used.

    """
    out = options.out
    if out is not None:
        if out.suffix.lower() not in {".csv", ".jsonl"}:
            raise InputError(f"--out {out} has the ending {out.suffix or '(none)'}; expected .csv or .jsonl.")
        refuse_existing(out, force=options.force)
    joined = labels.joined_sheets(sheets)
    vocabulary = joined.vocabulary
    for line in joined.notes:
        notice(line)
    agreement, read = labels.agreement(joined.sheet, vocabulary), None
    if options.key is not None:
        labelled = labels.with_key(labels.with_labels(joined.sheet), options.key, vocabulary)
        read = labels.classifier_evaluation(labelled, vocabulary)
    if out is not None:
        if not agreement.labels.height:
            raise InputError("The annotators agree on no answer, so there are no labels to write.")
        lines = b"".join(orjson.dumps(row) + b"\n" for row in agreement.labels.iter_rows(named=True))
        write_file(out, csv_bytes(agreement.labels, mark=True) if out.suffix.lower() == ".csv" else lines)
    alone = [name for name in labels.ANNOTATORS if joined.sheet[name].null_count() < joined.sheet.height]
    if len(alone) == 1:
        notice(
            f"Only {alone[0]} has labels: agreement and the accuracy of evenhand's reading need the labels of both "
            "annotators."
        )
    for line in _remarks(agreement, written=out is not None, trained=vocabulary is labels.DECISION):
        notice(line)
    categories = bool(vocabulary.labels)
    return CommandOutput(
        content=_json(agreement, read, out, categories=categories),
        text=_text(agreement, read, out, categories=categories),
    )


def _remarks(agreement: labels.Agreement, *, written: bool, trained: bool) -> list[str]:
    lines = []
    if agreement.unlabelled:
        lines.append(
            f"Without a label, and counted for no agreement: {agreement.unlabelled:,} of "
            f"{number_of(agreement.emails, 'answer')}."
        )
    if written:
        open_ones = agreement.disagreements["resolved"].null_count()
        if open_ones:
            lines.append(
                f"Left out of the labels: {number_of(open_ones, 'disagreement')}; those with a label under resolved "
                "are kept."
            )
        counts = dict(agreement.labels["label"].value_counts().iter_rows())
        few = [f"{counts.get(label, 0)} {label}" for label in DECISIONS[:2] if counts.get(label, 0) < FEWEST]
        if few and trained:
            lines.append(
                f"probe an2024 --labels needs {FEWEST} answers that accept and {FEWEST} that reject; there are "
                f"{' and '.join(few)}."
            )
    return lines


def _json(
    agreement: labels.Agreement, read: labels.ClassifierEvaluation | None, out: Path | None, *, categories: bool
) -> dict[str, Any]:
    kappa = agreement.kappa
    return {
        "emails": agreement.emails,
        "n": kappa.n,
        "unlabelled": agreement.unlabelled,
        "agreement": kappa.agreement,
        "kappa": kappa_json(kappa) if categories else None,
        "confusion": _confusion_json(agreement.table) if categories else None,
        "disagreements": agreement.disagreements.to_dicts(),
        "resolved": agreement.resolved,
        "labels": {"file": None if out is None else str(out), "emails": agreement.labels.height},
        **({} if read is None else {"classifier": evaluation_json(read)}),
    }


def _text(
    agreement: labels.Agreement, read: labels.ClassifierEvaluation | None, out: Path | None, *, categories: bool
) -> str:
    kappa, screen = agreement.kappa, Screen()
    share = "–" if kappa.agreement is None else f"{100 * kappa.agreement:.1f} %"
    screen.say(f"Agreement: {share} of {counted(kappa.n, 'answer')} with both labels.")
    if not categories:
        screen.say("Labels of this kind differ from answer to answer, so kappa is not defined.")
    elif kappa.estimate is None:
        screen.say(f"Cohen's kappa: not computed. {kappa.reason}")
    else:
        interval = f"{confidence_text(kappa.confidence)} CI {KAPPA.interval(kappa.low, kappa.high)}"
        screen.say(f"Cohen's kappa: {KAPPA.text(kappa.estimate)} ({interval}). {kappa.method}.")
    if categories:
        screen.say()
        screen.draw(confusion_table(agreement.table, "first", "second"))
    if agreement.disagreements.height:
        screen.say(f"\n{counted(agreement.disagreements.height, 'disagreement')}:")
        for email, first, second, resolved in agreement.disagreements.head(DISPLAYED_DISAGREEMENTS).iter_rows():
            screen.say(f"{email}: {first}, {second}" + (f"; resolved: {resolved}" if resolved else ""), bullet="  ")
        if agreement.disagreements.height > DISPLAYED_DISAGREEMENTS:
            screen.say(f"  and {agreement.disagreements.height - DISPLAYED_DISAGREEMENTS:,} more; --json has all")
    if read is not None:
        say_evaluation(screen, read)
    if out is not None:
        screen.say(f"\n{counted(agreement.labels.height, 'label')}, {agreement.resolved:,} of them resolved.")
        screen.keep(str(out))
    return screen.text


def write_label_sheet(answers: Path, options: SheetOptions, *, notice: Callable[[str], None]) -> CommandOutput:
    """Write a sheet and its key, with name and groups of each e-mail.

    Raises
    ------
    InputError
        The answers hold no e-mails to named people, or a file exists already.

    """
    out = options.out
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out} has the ending {out.suffix or '(none)'}; expected .csv.")
    key = out.with_name(f"{out.stem}-key.csv")
    for path in (out, key):
        refuse_existing(path, force=options.force, holds="labels" if path == out else "the key of a sheet")
    if answers.is_dir() and options.probe is not None:
        raise InputError(f"{option_text('probe')} is for a file of saved answers; a run has its probe: leave it out.")
    rows, vocabulary = (
        _arms(answers)
        if (answers / "arms.csv").is_file()
        else _run(answers)
        if answers.is_dir()
        else _saved(answers, options.probe)
    )
    drawn = labels.label_sheet(rows, sample=options.sample, seed=options.seed, vocabulary=vocabulary)
    write_file(key, csv_bytes(drawn.key, mark=True))
    write_file(out, csv_bytes(drawn.sheet, mark=True))
    for reason, count in drawn.passed_over.items():
        if count:
            notice(f"Left out, because they {reason}: {number_of(count, 'answer')}.")
    if drawn.sheet.height < options.sample:
        notice(f"The sheet has {number_of(drawn.sheet.height, 'answer')}; {options.sample:,} were requested.")
    content = {
        "sheet": str(out),
        "key": str(key),
        "emails": drawn.sheet.height,
        "groups": dict(drawn.groups),
        "passed_over": dict(drawn.passed_over),
    }
    screen = Screen()
    groups = ", ".join(f"{group} {n:,}" for group, n in drawn.groups.items())
    screen.say(f"{number_of(drawn.sheet.height, 'answer')} to label as {vocabulary.allowed}: {groups}.")
    screen.say(f"{key} maps them to names and groups; keep it from the annotators.")
    screen.keep(str(out))
    return CommandOutput(content=content, text=screen.text)


def _arms(folder: Path) -> tuple[pl.DataFrame, labels.Vocabulary]:
    """Return the texts that `perturb --write-arms` wrote, by arm: people say whether they would stand in a résumé."""
    key = folder.with_name(f"{folder.name}-key.csv")
    if not key.is_file():
        raise InputError(f"No file {key}, the key to the arm of each text; `perturb --write-arms` writes it.")
    written = read_text_table(folder / "arms.csv").frame.select("id", "text").unique("id", maintain_order=True)
    known = written.join(read_text_table(key).frame, on="id", maintain_order="left")
    texts = [(folder / path).read_text(encoding="utf-8") for path in known["text"]]
    answers = known.select(pl.col("id").alias("answer"), pl.Series("text", texts), "name", "arm")
    return answers.with_columns(pl.lit(labels.PLAUSIBLE.labels[0]).alias("decision")), labels.PLAUSIBLE


def _saved(path: Path, probe: str | None) -> tuple[pl.DataFrame, labels.Vocabulary]:
    """Return saved answers and what their labels can be; the id of an answer is its row, counted from 1.

    Without a probe they are e-mails, which the classifier of an2024 reads.
    """
    saved = read_saved_answers(path)
    row = pl.int_range(1, pl.len() + 1).cast(pl.String).alias("answer")
    if probe is not None:
        chosen = find_probe(probe)
        stimuli = chosen.saved(saved)
        frame = joined_answers(saved, stimuli)
        outcomes = chosen.read(frame).outcomes
        prompts = frame.select(row, "text", labels.people_of(stimuli), pl.col("unit").alias("prompt"), "attempt")
        return _labelled(prompts, outcomes, chosen), labels.vocabulary_of(chosen.measured)
    others = [name for name, columns in _TELLING.items() if {*columns} <= {*saved.columns}]
    if others:
        raise InputError(
            f"{path} has the columns of {others[0]}; give {option_text('probe', others[0])}. Without a probe, "
            "answers are read as e-mails."
        )
    if "name" not in saved.columns:
        raise InputError(
            f"No column 'name' in {path}, so names can't be redacted. Columns: {', '.join(saved.columns)}."
        )
    groups = [name for name in ("race", "gender") if name in saved.columns]
    emails = saved.select(row, pl.col("answer").alias("text"), "name", *groups, _word(stated_decisions(saved)))
    return emails, labels.DECISION


#: Columns of saved answers that are no e-mails.
_TELLING = {"hiring-bloomberg": ("candidates",), "resume-score": ("resume", "position")}


def _labelled(prompts: pl.DataFrame, outcomes: pl.DataFrame, probe: Probe) -> pl.DataFrame:
    """Return `answer, text, name` of prompts with the groups of the person and what was read, as people label it.

    The candidates of a ranking share a group, or have none.
    """
    keys = ["prompt", "attempt"]
    groups = [
        pl.when(pl.col(column).n_unique() == 1).then(pl.col(column).first().cast(pl.String)).alias(name)
        for name in ("race", "gender")
        if (column := f"{PROTECTED}{name}") in outcomes.columns
    ]
    shared = outcomes.group_by(pl.coalesce("set", "unit").alias("prompt"), "attempt").agg(groups)
    read = read_labels(outcomes, probe.measured).select(*keys, pl.col("label").alias("decision"))
    named = prompts.join(read, on=keys, how="inner", maintain_order="left")
    named = named.join(shared, on=keys, how="left", maintain_order="left")
    mixed = pl.lit("mixed" if probe.measured.choice is not None else None, pl.String)
    return named.select("answer", "text", "name", "race", pl.col("gender").fill_null(mixed), "decision")


def _word(accepted: pl.Series | pl.Expr) -> pl.Expr:
    """Return decisions in the annotators' words; null if there is none."""
    decision = pl.lit(accepted) if isinstance(accepted, pl.Series) else accepted
    return pl.when(decision).then(pl.lit("accept")).when(~decision).then(pl.lit("reject")).alias("decision")


def _run(folder: Path) -> tuple[pl.DataFrame, labels.Vocabulary]:
    """Return the answers of a run by id, with names, groups and what was read, and what their labels can be."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise InputError(f"{folder} holds no run of evenhand; expected a run's folder, .jsonl, .parquet or .csv.")
    if not manifest.run_kind.asks:
        raise InputError(
            f"{folder} is of `evenhand {manifest.kind}` and has no answers of its own; give the saved answers, "
            "or the folder of one probe."
        )
    if manifest.redacted:
        raise InputError(f"The run in {folder} was made with --redact-answers, so its answers are gone.")
    probe = find_probe(manifest.probe)
    settings = {name: value for name, value in manifest.settings.items() if name != "labels"}
    files = [name for name, value in settings.items() if isinstance(value, dict)]
    if files:
        raise InputError(
            f"The run in {folder} was made with --{files[0].replace('_', '-')} FILE; give its answers instead."
        )
    design = configured(probe, settings).designs[manifest.design or ""]
    if (probe.version, design.size) != (manifest.probe_version, manifest.parameters["population"]):
        raise InputError(
            f"The run in {folder} was made by another version of {probe.name}; run it again, or give saved answers."
        )
    # Outcomes say what was read and in which group: our tables may have changed. An unfinished run has none.
    path, read = RunFolder(folder).outcomes, configured(probe, settings).read
    pieces, outcomes = [], [pl.read_parquet(path)] if manifest.is_finished else []
    for answers in read_answers(folder):
        stimuli = design.stimuli(answers["index"].to_numpy())
        names = stimuli.select(labels.people_of(stimuli), pl.col("unit").alias("prompt"))
        pieces.append(answers.select(pl.col("id").alias("answer"), "text", "attempt").hstack(names))
        if not manifest.is_finished:
            outcomes.append(read(answers.hstack(stimuli.drop("index"))).outcomes)
    if not pieces:
        raise InputError(f"The run in {folder} has no answers.")
    return _labelled(pl.concat(pieces), pl.concat(outcomes), probe), labels.vocabulary_of(probe.measured)
