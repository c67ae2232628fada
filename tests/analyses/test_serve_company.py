"""The synthetic company of a first visit: its store and its audit, as the dashboards show them."""

import time

from evenhand.dashboard.request import Synthetic
from evenhand.dashboard.serve import show_company
from evenhand.dashboard.views.audits import listed_runs
from evenhand.dashboard.views.view import COMPANY_STEPS
from evenhand.monitoring.golden_labels import open_cases
from evenhand.monitoring.state import decided_models, state_of
from evenhand.monitoring.store import opened_store


def test_a_company_is_recorded_checked_and_audited(tmp_path):
    place = Synthetic(folder=tmp_path, make=lambda own: show_company(own, people=60, positions=12, pairs=500))
    assert not place.is_shown
    place.show(wait=60)
    assert place.is_shown
    assert len(place.steps) == COMPANY_STEPS
    with opened_store(place.store) as store:
        state = state_of(store)
        assert decided_models(store) == ["Hiring decisions"]
        assert state_of(store, last=True).last_days == state.last_days
        assert len(open_cases(store, by="ana", adjudicating=False, resume=lambda case: case.text)) == 10
    assert state.models == ["Hiring decisions", "score", "score_previous"]
    assert str(state.checked) == "2025-12-31"
    while not place.problems and not (place.runs / "candidates" / "findings.json").exists():
        time.sleep(0.1)
    assert place.problems == []
    assert {run.name for run in listed_runs(place.runs)} == {"stages", "quality", "matcher", "candidates"}
    place.leave()
    assert not place.is_shown
