"""The questions that can be put to a model, by the name the command line takes."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from evenhand.probes.shared.probe import Compatible, Design, Probe, ReadAnswers, Reading, Reference
from evenhand.probes.shared.sampling import shuffled_indices

__all__ = ["PROBES", "Compatible", "Design", "Probe", "ReadAnswers", "Reading", "Reference", "shuffled_indices"]


class _Probes(Mapping[str, Probe]):
    """Probes by name. Each is imported when it is asked for: its patterns and tables take their time."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Probe:
        if name not in self._names:
            raise KeyError(name)
        probe: Probe = import_module(f"evenhand.probes.{name.replace('-', '_')}").PROBE
        return probe

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


PROBES: Mapping[str, Probe] = _Probes("hiring-an", "hiring-bloomberg", "business-vocabulary", "an2024")
