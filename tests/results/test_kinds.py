"""What kinds of run declare is there: what they name in other modules, conditions, commands."""

from dataclasses import fields

import pytest

from evenhand.analyses.options.conditions import CONDITIONS
from evenhand.cli import GROUPS
from evenhand.results.kinds import RunKind, kind_commands, kind_names, loaded, run_kind


@pytest.mark.parametrize("kind", kind_names())
def test_what_a_kind_names_is_there(kind):
    declared = run_kind(kind)
    values = [getattr(declared, field.name) for field in fields(RunKind)]
    places = [value for value in values if isinstance(value, str) and value.startswith("evenhand.")]
    places += [sheet.columns for sheet in declared.sheets.values() if sheet.columns is not None]
    assert len(places) >= 3
    for place in places:
        loaded(place)
    assert set(declared.fail_on) <= CONDITIONS.keys()


def test_each_command_of_a_kind_stands_once_in_the_help():
    listed = [name for names in GROUPS.values() for name in names]
    assert [listed.count(name) for name in kind_commands()] == [1] * len(kind_commands())
    assert {kind for kind, _ in kind_commands().values()} == {name for name in kind_names() if run_kind(name).example}
