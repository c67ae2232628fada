"""Settings of hiring-an: other names."""

from dataclasses import dataclass

from evenhand.options import Group
from evenhand.probes.probe import Names


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """The names that are asked about."""

    names: Names = None
