"""`evenhand match score`: a score for each pair."""

from collections import Counter

from evenhand.commands.match.scored import asked_pairs, matched, pair_table, scored_pairs
from evenhand.runs.options.scores.match import ScoreOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.opened import opened_run
from evenhand.runs.records.scores.match import MatchRun, write_match
from evenhand.tables.csv_files import csv_bytes

__all__ = ["run_score"]


def run_score(options: ScoreOptions, *, progress: Progress | None = None) -> MatchRun:
    """Score pairs, or everybody for every position; return the finished run.

    Raises
    ------
    InputError
        A file can't be used, pairs name somebody who isn't there, or the matcher was changed.

    """
    asked = asked_pairs(options, progress=progress)
    matches: Counter[float] = Counter()
    parts: list[bytes] = []
    for scored in scored_pairs(asked):
        table = pair_table(asked, scored)
        matches.update(dict(table["match"].value_counts().iter_rows()))
        part = csv_bytes(table)
        parts.append(part if not parts else part.partition(b"\n")[2])
    with opened_run(options.folder("match-score"), force=options.force) as opened:
        return write_match(
            opened.folder, matched(asked, options, "score", matches, files={"scores.csv": b"".join(parts)})
        )
