"""Names of the measures that `findings` adds to those that a card declares, and what they begin or end with."""

from typing import Final

__all__ = [
    "ADJUSTED_ODDS_RATIO",
    "AGAINST_POPULATION",
    "AVAILABILITY",
    "BLOCK_DIFFERENCE",
    "COMMON_ODDS_RATIO",
    "CUTOFF",
    "DETECTABLE_DIFFERENCE",
    "DIFFERENCE",
    "DOCUMENT_LENGTH",
    "HETEROGENEITY",
    "IMPACT_RATIO",
    "INTERACTION",
    "INTERCEPT",
    "LEFT_OUT",
    "MAX_DIFFERENCE",
    "MEAN_RANK",
    "MEAN_RATIO",
    "MISSING_BOUNDS",
    "MIXED_ODDS_RATIO",
    "MIXED_SD",
    "OUTRANKED",
    "RANK_CHANGE",
    "REFUSED_RATE",
    "REPETITION_SD",
    "SCORE_DIFFERENCE",
    "SELECTION_RATE",
    "STANDARDIZED",
    "UNDETECTED_ATTEMPTS",
    "UNDETECTED_ITEMS",
    "UNDETECTED_RATE",
    "UNRANKED_RATE",
    "VALIDITY_DIFFERENCE",
    "VARIANCE",
    "WIN_RATE",
    "WIN_RATE_RANGE",
    "WORD_LOG_ODDS",
]

# Applicants, and groups of a probe.
SELECTION_RATE: Final = "selection_rate"
IMPACT_RATIO: Final = "impact_ratio"
MISSING_BOUNDS: Final = f"{IMPACT_RATIO}_missing_bounds"
MEAN_RATIO: Final = "mean_ratio"
AVAILABILITY: Final = "availability"
BLOCK_DIFFERENCE: Final = "block_difference"
COMMON_ODDS_RATIO: Final = "common_odds_ratio"
ADJUSTED_ODDS_RATIO: Final = "adjusted_odds_ratio"
# Unreadable answers.
UNDETECTED_RATE: Final = "undetected_rate"
UNDETECTED_ATTEMPTS: Final = f"{UNDETECTED_RATE}_attempts"
UNDETECTED_ITEMS: Final = f"{UNDETECTED_RATE}_items"
# Rankings.
WIN_RATE: Final = "win_rate"
WIN_RATE_RANGE: Final = f"{WIN_RATE}_range"
MEAN_RANK: Final = "mean_rank"
UNRANKED_RATE: Final = "unranked_rate"
# Documents.
WORD_LOG_ODDS: Final = "word_log_odds"
DOCUMENT_LENGTH: Final = "document_length"
REFUSED_RATE: Final = "refused_rate"
# Scores.
CUTOFF: Final = "cutoff_score"
OUTRANKED: Final = "outranked_share"
STANDARDIZED: Final = "standardized_"
REPETITION_SD: Final = "repetition_sd"
# Arms of a perturbation test.
SCORE_DIFFERENCE: Final = "score_difference"
RANK_CHANGE: Final = "rank_change"
LEFT_OUT: Final = "left_out_rate"
# Groups against all.
AGAINST_POPULATION: Final = "acceptance_vs_population"
VALIDITY_DIFFERENCE: Final = "validity_difference"
MAX_DIFFERENCE: Final = "max_difference"
DETECTABLE_DIFFERENCE: Final = "detectable_difference"
MIXED_ODDS_RATIO: Final = "mixed_logistic_odds_ratio"
MIXED_SD: Final = "mixed_logistic_sd"
#: What the name of a difference begins with.
DIFFERENCE: Final = "diff_"
#: What stands between the column of instructions and the measure whose variance it is.
VARIANCE: Final = "_variance_"
# Ends of names.
INTERCEPT: Final = "_intercept"
INTERACTION: Final = "_interaction"
HETEROGENEITY: Final = "_heterogeneity"
