"""The questions that can be put to a model, by the name the command line takes."""

from evenhand.probes._probe import Compatible, Design, Probe, ReadAnswers, Reading, Reference
from evenhand.probes._sampling import shuffled_indices
from evenhand.probes.business_vocabulary import PROBE as BUSINESS_VOCABULARY
from evenhand.probes.hiring_an import PROBE as HIRING_AN
from evenhand.probes.hiring_bloomberg import PROBE as HIRING_BLOOMBERG

__all__ = ["PROBES", "Compatible", "Design", "Probe", "ReadAnswers", "Reading", "Reference", "shuffled_indices"]

PROBES: dict[str, Probe] = {probe.name: probe for probe in (HIRING_AN, HIRING_BLOOMBERG, BUSINESS_VOCABULARY)}
