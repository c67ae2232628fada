"""The questions that can be put to a model, by the name the command line takes."""

from evenhand.probes._probe import Compatible, Design, Probe, ReadAnswers, Reading, Reference
from evenhand.probes._sampling import shuffled_indices
from evenhand.probes.hiring_an import PROBE as HIRING_AN

__all__ = ["PROBES", "Compatible", "Design", "Probe", "ReadAnswers", "Reading", "Reference", "shuffled_indices"]

PROBES: dict[str, Probe] = {"hiring-an": HIRING_AN}
