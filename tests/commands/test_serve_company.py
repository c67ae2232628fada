"""The synthetic company of a first visit: its store and its audit, as the dashboards show them."""

from evenhand.commands.serve_company import show_company
from evenhand.dashboard.synthetic import Synthetic
from evenhand.dashboard.views.audits import listed_runs
from evenhand.monitoring.decided import decided_models
from evenhand.monitoring.history.store import opened_store
from evenhand.monitoring.state import state_of


def test_a_company_is_recorded_checked_and_audited(tmp_path):
    place = Synthetic(folder=tmp_path, make=lambda own: show_company(own, people=40, positions=6, pairs=120))
    assert not place.is_shown
    place.show()
    assert place.is_shown
    with opened_store(place.store) as store:
        state = state_of(store)
        assert decided_models(store) == ["Hiring decisions"]
        assert state_of(store, last=True).last_days == state.last_days
    assert state.models == ["Hiring decisions", "score", "score_previous"]
    assert str(state.checked) == "2025-12-31"
    assert [run.name for run in listed_runs(place.runs)] == ["stages"]
    place.leave()
    assert not place.is_shown
