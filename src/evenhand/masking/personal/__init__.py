"""The personal categories, one TOML file each; a further file is a further category.

`[category]` says whose words stay, `[labels]` what labels of forms ask for it, `[phrases]` lists its phrases by rule,
`[rules]` says in what contexts a phrase of a rule counts. Its other entries are the patterns that rules name.
"""

from importlib import resources

#: The order in which categories claim a phrase that several have; those not named come last.
_FIRST = ("gender", "ethnicity", "religion", "disability", "marital", "orientation")
_FILES = (file.name.partition(".toml") for file in resources.files(__name__).iterdir())
#: Their names.
PERSONAL = tuple(
    sorted((name for name, ending, _ in _FILES if ending), key=lambda name: (*(name != one for one in _FIRST), name))
)
