"""The rules that a user states for features, read from a TOML file."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from math import inf, isfinite
from typing import Any, Final

from evenhand.data.toml_files import TomlFile
from evenhand.results.messages import listed, quoted

#: Each rule, and the value that it takes.
RULES: Final[Mapping[str, str]] = {
    "range": "[LOW, HIGH]",
    "missing": "the largest share, such as 0.05",
    "zeros": "[LOW, HIGH] or the largest share",
    "constant_stretch": "the largest share of one value, such as 0.3",
    "distinct": "[LOW, HIGH] or the largest number",
    "values": 'a list such as ["low", "high"]',
    "mean": "[LOW, HIGH]",
    "median": "[LOW, HIGH]",
    "monotone": '"rising" or "falling", of the label; or { with = "COLUMN", direction = "rising" }',
    "proxy": "the largest AUC, such as 0.7",
    "drift": "the largest population stability index, such as 0.1",
}
_UP_TO_ONE: Final = frozenset({"missing", "constant_stretch", "proxy", "zeros"})
_RANGES: Final = frozenset({"range", "mean", "median"})
_EITHER: Final = frozenset({"zeros", "distinct"})
_TABLES: Final = ("label", "features", "all", "reference")
_ROUNDING: Final = 0.01


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One expectation: `low` and `high` as far as they are given, `values`, or the column that a feature rises with."""

    feature: str
    name: str
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] = ()
    with_column: str | None = None
    rising: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """The rules for features, and the expected shares of groups by attribute."""

    label: str | None = None
    rules: tuple[Rule, ...] = ()
    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def of(self, feature: str) -> tuple[Rule, ...]:
        """Return the rules of a feature."""
        return tuple(rule for rule in self.rules if rule.feature == feature)


def expectations_of(file: TomlFile, columns: Collection[str], features: Sequence[str]) -> Expectations:
    """Return what a file expects; `[all]` holds for each of the features that has no such rule of its own.

    Raises
    ------
    InputError
        A table, rule or column is not known, or a value is not what its rule takes; the line is named.

    """
    _check_tables(file)
    rules = _feature_rules(file, columns)
    stated = {(rule.feature, rule.name) for rule in rules}
    for rule, value in file.values.get("all", {}).items():
        # Read once even where there is no feature, so that mistakes are reported.
        general = _rule(file, ("all", rule), "", value, columns)
        rules += [replace(general, feature=name) for name in features if (name, rule) not in stated]
    shares = {
        name: _shares(file, name, stated_shares, columns)
        for name, stated_shares in file.values.get("reference", {}).items()
    }
    return Expectations(label=_label(file, columns), rules=tuple(rules), shares=shares)


def _check_tables(file: TomlFile) -> None:
    for name, table in file.values.items():
        if name not in _TABLES:
            expected = "expected label, [all], [features.NAME] or [reference.NAME]"
            raise file.refuse([name], _unknown(name, _TABLES, expected))
        if name != "label" and not isinstance(table, Mapping):
            raise file.refuse([name], f"{name} is {quoted(table)}; expected a table of rules.")


def _label(file: TomlFile, columns: Collection[str]) -> str | None:
    label = file.values.get("label")
    if label is not None and not isinstance(label, str):
        raise file.refuse(["label"], f"label is {quoted(label)}; expected the name of a column.")
    if label is not None:
        _check_column(file, ("label",), label, columns)
    return label


def _feature_rules(file: TomlFile, columns: Collection[str]) -> list[Rule]:
    rules = []
    for name, table in file.values.get("features", {}).items():
        _check_column(file, ("features", name), name, columns)
        if not isinstance(table, Mapping):
            raise file.refuse(("features", name), f"{name} is {quoted(table)}; expected rules, such as range = [0, 1].")
        rules += [_rule(file, ("features", name, rule), name, value, columns) for rule, value in table.items()]
    return rules


def _check_column(file: TomlFile, path: tuple[str, ...], name: str, columns: Collection[str]) -> None:
    if name not in columns:
        raise file.refuse(path, _unknown(name, columns, f"columns: {listed(columns)}", what="column"))


def _unknown(name: str, known: Collection[str], expected: str, *, what: str = "name") -> str:
    near = get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"there is no {what} {quoted(name)}; {expected}.{hint}"


def _rule(file: TomlFile, path: tuple[str, ...], feature: str, value: Any, columns: Collection[str]) -> Rule:
    name = path[-1]
    if name not in RULES:
        raise file.refuse(path, _unknown(name, RULES, f"rules: {listed(list(RULES))}", what="rule"))
    result = _value(feature, name, value)
    if result is None:
        raise file.refuse(path, f"{name} is {quoted(value)}; expected {RULES[name]}.")
    if result.with_column is not None:
        _check_column(file, path, result.with_column, columns)
    return result


def _value(feature: str, name: str, value: Any) -> Rule | None:
    """Return the rule; None where the value is not what it takes."""
    if name == "values":
        valid = isinstance(value, list) and value and all(isinstance(word, str | int | float) for word in value)
        return Rule(feature=feature, name=name, values=tuple(map(_word, value))) if valid else None
    if name == "monotone":
        return _monotone(feature, value)
    if name in _RANGES or (name in _EITHER and isinstance(value, list)):
        return _between(feature, name, value)
    most = 1.0 if name in _UP_TO_ONE else inf
    return Rule(feature=feature, name=name, high=float(value)) if _number(value) and 0 <= value <= most else None


def _between(feature: str, name: str, value: Any) -> Rule | None:
    valid = isinstance(value, list) and len(value) == 2 and all(map(_number, value)) and value[0] <= value[1]
    if not valid or (name == "zeros" and not 0 <= value[0] <= value[1] <= 1):
        return None
    return Rule(feature=feature, name=name, low=float(value[0]), high=float(value[1]))


def _word(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _monotone(feature: str, value: Any) -> Rule | None:
    trend = {"direction": value} if isinstance(value, str) else value
    if not isinstance(trend, Mapping) or set(trend) - {"with", "direction"}:
        return None
    other = trend.get("with")
    if trend.get("direction") not in {"rising", "falling"} or not isinstance(other, str | None):
        return None
    return Rule(feature=feature, name="monotone", with_column=other, rising=trend["direction"] == "rising")


def _shares(file: TomlFile, name: str, stated: Any, columns: Collection[str]) -> dict[str, float]:
    path = ("reference", name)
    _check_column(file, path, name, columns)
    if not isinstance(stated, Mapping) or not stated or not all(map(_number, stated.values())):
        raise file.refuse(path, f"{name} has no shares; expected such as female = 0.47 and male = 0.53.")
    shares = {group: float(share) for group, share in stated.items()}
    wrong = next((group for group, share in shares.items() if not 0 < share <= 1), None)
    if wrong is not None:
        raise file.refuse((*path, wrong), f"{wrong} is {shares[wrong]:g}; expected a share above 0, such as 0.47.")
    total = sum(shares.values())
    if abs(total - 1) > _ROUNDING:
        raise file.refuse(path, f"the shares of {name} add up to {total:g}; expected 1.")
    return {group: share / total for group, share in shares.items()}


def check_groups(file: TomlFile, attribute: str, shares: Mapping[str, float], groups: Sequence[str]) -> None:
    """Refuse the share of a group that doesn't occur.

    Raises
    ------
    InputError
        A group of the file is not in the table, or one of the table not in the file.

    """
    known = {group.casefold() for group in groups}
    wrong = next((group for group in shares if group.casefold() not in known), None)
    if wrong is not None:
        message = _unknown(wrong, groups, f"groups of {attribute}: {listed(groups)}", what="group")
        raise file.refuse(("reference", attribute, wrong), message)
    without = next((group for group in groups if group.casefold() not in {key.casefold() for key in shares}), None)
    if without is not None:
        raise file.refuse(
            ("reference", attribute), f"the group {quoted(without)} has no share; expected one for each group."
        )
