"""The sentences of the page itself that differ with what was analysed."""

from dataclasses import dataclass

__all__ = ["APPLICANTS", "MODEL", "PageText"]


@dataclass(frozen=True, kw_only=True)
class PageText:
    """Headings and sentences around the chapters."""

    kicker: str
    asked: str
    limits: str
    reproduce: str
    folder: str
    reading: str
    fold_terms: bool = False


MODEL = PageText(
    kicker="Audit report",
    asked="Audit set-up",
    limits="Limits",
    reproduce="This command asks the same prompts in the same order:",
    folder="The run folder keeps the manifest, every raw answer, the table of readings and the findings without "
    "rounding",
    reading=(
        "Read the interval before the estimate, and the estimate before the mark. A wide interval says that more "
        "answers are needed, whatever the mark. Start with the headline measures; the parts of the run that follow "
        "show where a difference comes from, and each of them rests on fewer answers. Then look at the answers without "
        "a decision: a model that declines more often for one group treats it differently, whatever the rates say."
    ),
)
APPLICANTS = PageText(
    kicker="Analysis of applicants",
    asked="What was analysed",
    limits="What the data cannot tell",
    reproduce="This command makes the same analysis of the same data:",
    folder="The run folder keeps the manifest, the counts, impact.csv, pooled.csv and the findings without rounding",
    reading=(
        "Begin with who counts as an applicant. Then read the ratio with its interval, and the rule of four fifths "
        "together with the test that the chapter names: the rule ignores chance, the tests ignore size. A wide "
        "interval says that there are too few people to tell. Look at positions and at the pooled odds ratio before "
        "all applicants: where groups apply to different positions, all of them together mislead."
    ),
    fold_terms=True,
)
