"""What the first sentence of Diversity and Bias claims, as a table of counts: by group, selected of decided."""

import time
from datetime import date

import polars as pl
import pytest

from asked_pages import Browser
from evenhand.analyses.monitor import check
from evenhand.analyses.monitor_record import record
from evenhand.analyses.options.monitoring import CheckOptions, RecordOptions
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards

ACCESS = Access(host="127.0.0.1", user_header="X-User", roles={"ana": "viewer", "carla": "admin"})
EVEN = {"women": (40, 80), "men": (40, 80)}
FEWER, MORE = {"women": (20, 80), "men": (50, 80)}, {"women": (50, 80), "men": (20, 80)}
SUPPRESSED = {"A": (90, 200), "B": (60, 200), "C": (0, 40), "D": (2, 3), "F": (20, 50)}
EIGHT = {f"g{n}": (60 + n, 200) for n in range(8)}
#: The column that distinguishes the parts of a process, the counts of each, whether all counts are shown, and what
#: Diversity and Bias say.
CASES = {
    "rates that are not shown": (
        *("stage", {"": SUPPRESSED}, False),
        *(["The one comparison shown is", "3 of 5 selection rates are not shown"], ["3 of 5 selection rates are"]),
    ),
    "nobody selected is found where it may be shown": (
        *("stage", {"": SUPPRESSED}, True),
        *(["0.0 % of C (n = 40) and 45.0 % of A"], ["Group C was selected at 0.0 %"]),
    ),
    "no rate is shown": (
        *("stage", {"": {"women": (0, 300), "men": (117, 300)}}, False),
        *(["can be compared. 2 of 2 selection rates are not"], ["of fewer than two both counts are shown. 2 of 2"]),
    ),
    "one group": (
        *("stage", {"": {"women": (40, 100)}}, False),
        *(["There are fewer than two groups"], ["No two groups can be compared"]),
    ),
    "nobody selected at all": (
        *("stage", {"": {"women": (0, 50), "men": (0, 60)}}, True),
        *(["Nobody in the reference group was selected"], ["nobody in the reference group"]),
    ),
    "eight groups alike": (
        *("stage", {"": EIGHT}, False),
        *(["None of the 7 comparisons shown is"], ["not statistically significant", "over 28 comparisons"]),
    ),
    "the highest rate is of six people": (
        *("stage", {"": {"others": (6, 6), "women": (80, 200), "men": (82, 200)}}, False),
        *(
            [
                "40.0 % of women (n = 200) and 41.0 % of men",
                "1 comparison of under 30 decisions or 2 % is in the table",
            ],
            ["Group women was selected at 40.0 %", "Group others (n = 6) differs"],
        ),
    ),
    "a stage with a difference, and one without": (
        *("stage", {"screen": EVEN, "talk": FEWER}, False),
        *(["1 of the 2", "at talk 25.0 %"], ["over 2 comparisons", "significant differences: Stage: talk."]),
    ),
    "positions that cancel": (
        *("position", {"p": FEWER, "q": MORE}, False),
        *(
            ["is not statistically", "within positions: 2 of 2 comparisons"],
            ["not statistically", "within positions: 2 of 2 comparisons"],
        ),
    ),
    "people decide otherwise than AI": (
        *("by", {"AI": FEWER, "people": MORE}, False),
        *(["is not statistically"], ["over 3 comparisons", "differences: Decided by: AI; Decided by: people."]),
    ),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("claims")
    for name, (column, parts, *_) in CASES.items():
        rows = [
            {"at": f"2026-03-{1 + n % 27:02}", "hired": "yes" if n < selected else "no", "group": group, column: part}
            for part, counts in parts.items()
            for group, (selected, decided) in counts.items()
            for n in range(decided)
        ]
        pl.DataFrame(rows).write_csv(folder / "rows.csv")
        options = RecordOptions(
            store=str(folder / "h.db"),
            model=name,
            batch_id=name,
            time="at",
            time_zone="UTC",
            selected="hired",
            protected=("group",),
            **({} if "" in parts else {{"by": "decided_by"}.get(column, column): column}),
        )
        record(str(folder / "rows.csv"), options, notice=lambda _: None)
    check(CheckOptions(store=options.store, as_of=date(2026, 4, 1)), notice=lambda _: None)
    return options.store


def test_models_that_a_check_did_not_watch_are_not_among_those_without_an_alarm(store):
    text = Browser(application(Dashboards(access=ACCESS, store=store))).get("/", headers={"X-User": "ana"}).text
    assert "No alarm is open among 10 models" in text
    assert "Not watched, as too few days count or no rule fits:" in text
    assert "and 6 more." in text


@pytest.mark.parametrize("name", CASES)
def test_the_first_sentence_claims_what_is_shown_and_holds(store, name):
    *_, exact, diversity, bias = CASES[name]
    browser = Browser(application(Dashboards(access=ACCESS, store=store)))
    for page, expected in (("diversity", diversity), ("bias", bias)):
        address, text = f"/{page}?model={name}{'&exact=yes' if exact else ''}", "It is being computed"
        end = time.monotonic() + 60
        while "It is being computed" in text and time.monotonic() < end:
            text = browser.get(address, headers={"X-User": "carla" if exact else "ana"}).text
        answer = text.partition('<p class="question">')[2].partition("</p>")[0].replace("\N{NO-BREAK SPACE}", " ")
        assert [words for words in expected if words not in answer] == [], answer
        assert "decisions as independent" in text
