"""Headings and sentences around the sections, by kind of run."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True)
class PageText:
    """Headings and sentences around the sections."""

    kicker: str
    asked: str
    limits: str
    reproduce: str
    folder: str
    reading: str


MODEL = PageText(
    kicker="Audit report",
    asked="Audit set-up",
    limits="Limits",
    reproduce="This command asks the same prompts in the same order:",
    folder="The run folder keeps the manifest, every raw answer, the table of readings and the findings without "
    "rounding",
    reading=(
        "Read the confidence interval before the estimate, and the estimate before the mark. A wide interval says that "
        "more answers are needed, whatever the mark. Then look at the unreadable answers: a model that declines more "
        "often for one group treats it differently, whatever the rates say."
    ),
)
SAVED = replace(
    MODEL,
    reproduce="This command computes the same findings from the same answers:",
    folder="The run folder keeps the manifest, the table of readings and the findings without rounding",
)
SUITE = replace(
    MODEL,
    folder="The run folder keeps the manifest, the findings without rounding, and a folder with the run of each probe",
)
COMPARED = replace(
    MODEL,
    kicker="Comparison of models",
    reproduce="This command compares the same runs:",
    folder="The run folder keeps the manifest and the findings without rounding",
    reading=(
        "Read each difference between models with its confidence interval and its adjusted p. Two marks may differ "
        "although no difference between the models was detected."
    ),
)
APPLICANTS = PageText(
    kicker="Analysis of applicants",
    asked="What was analysed",
    limits="What the data cannot tell",
    reproduce="This command makes the same analysis of the same data:",
    folder="The run folder keeps the manifest, the counts, the tables and the findings without rounding",
    reading=(
        "Begin with who counts as an applicant. Then read the ratio with its confidence interval, and the four-fifths "
        "rule together with the test that the chapter names. A wide interval says that there are too few people to "
        "tell. Look at positions and at the pooled odds ratio before all applicants: where groups apply to different "
        "positions, all of them together mislead."
    ),
)
FEATURES = PageText(
    kicker="Features",
    asked="What was vetted",
    limits="What the table cannot tell",
    reproduce="This command vets the same table:",
    folder="The run folder keeps the manifest, features.csv, proxies.csv and the findings without rounding",
    reading=(
        "Begin with the features that need a look. A feature that tells a group is no fault by itself: ask whether the "
        "job needs it. Read an AUC with its interval, and all features jointly beside each of them."
    ),
)
PERTURBED = PageText(
    kicker="Perturbation test",
    asked="Audit set-up",
    limits="Limits",
    reproduce="This command asks for the same scores again:",
    folder="The run folder keeps the manifest, every raw score, the table of outcomes, perturb.csv and the findings "
    "without rounding",
    reading=(
        "Read the confidence interval of each arm beside that of the placebo: names that differ within a group move "
        "scores, too. A difference is told where p, adjusted for all arms, is below 0.05; equivalence where the 90 % "
        "interval lies within the margin, an option of this run; anything else leaves the question open."
    ),
)
EVALUATED = PageText(
    kicker="Evaluation of a score",
    asked="What was evaluated",
    limits="What the data cannot tell",
    reproduce="This command makes the same evaluation of the same data:",
    folder="The run folder keeps the manifest, cutoffs.csv and the findings without rounding",
    reading=(
        "Begin with who is counted: an outcome is known only of those who got a chance. Read AUC and error rates of "
        "each group with their intervals, then the differences with their adjusted p. A wide interval says that there "
        "are too few people to tell. Groups with different base rates cannot be equal in every criterion."
    ),
)
GOLDEN = PageText(
    kicker="Golden set",
    asked="What was scored",
    limits="What golden cases cannot tell",
    reproduce="This command asks for the same scores again:",
    folder="The run folder keeps the manifest, every raw score, cases.csv with labels and scores, and the findings "
    "without rounding",
    reading=(
        "Begin with accuracy, how often the scorer judges as people did, and with what changed from the run before. "
        "Then read AUC and error rates of each group with their intervals, and the differences with their adjusted p. "
        "A wide interval says that there are too few cases to tell."
    ),
)
MATCHED = PageText(
    kicker="Match scores",
    asked="What was matched",
    limits="Limits",
    reproduce="This command makes the same scores of the same files:",
    folder="The run folder keeps the manifest, what the command made, and the findings without rounding",
    reading=(
        "Read the AUC of each group with its confidence interval, then the gap of mean scores beside the gap in the "
        "labels: a model that repeats labels repeats what was unfair in them. Then look at the curves: each may be "
        "asked why it should count for a job."
    ),
)
