"""The probes: questions put to a model, by the name that the command line takes."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from evenhand.options import Group

if TYPE_CHECKING:
    from evenhand.probes.probe import Probe


NAMES = ("hiring-an", "hiring-bloomberg", "business-vocabulary", "an2024", "resume-score", "screening")
T = TypeVar("T")


class _ByName(Mapping[str, T], Generic[T]):
    """What belongs to each probe, imported at the first access: patterns and tables take their time."""

    def __init__(self, load: Callable[[str], Any]) -> None:
        self._load = load

    def __getitem__(self, name: str) -> T:
        if name not in NAMES:
            raise KeyError(name)
        value: T = self._load(f"evenhand.probes.{name.replace('-', '_')}")
        return value

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


def _settings(folder: str) -> Any:
    module = f"{folder}.settings"
    return Group if find_spec(module) is None else import_module(module).Settings


#: The probes, and what can be set of each; a command's options need no more than that.
PROBES: "Mapping[str, Probe]" = _ByName(lambda folder: import_module(f"{folder}.probe").PROBE)
SETTINGS: Mapping[str, type[Group]] = _ByName(_settings)
