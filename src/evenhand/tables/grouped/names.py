"""Names of the measures that `findings` adds to those that a card declares, and what they begin or end with."""

from typing import Final

__all__ = [
    "ACCURACY",
    "ADJUSTED_ODDS_RATIO",
    "AGAINST_POPULATION",
    "AUC",
    "AVAILABILITY",
    "BASE_RATE",
    "BLOCK_DIFFERENCE",
    "BRIER",
    "CALIBRATION_INTERCEPT",
    "CALIBRATION_SLOPE",
    "CHANGE",
    "COMMON_ODDS_RATIO",
    "COMPARED",
    "CUTOFF",
    "DEMOGRAPHIC_PARITY",
    "DETECTABLE_DIFFERENCE",
    "DIFFERENCE",
    "DOCUMENT_LENGTH",
    "EFFECTIVE_SIZE",
    "EQUALISED_ODDS",
    "EQUAL_OPPORTUNITY",
    "EXPECTATION",
    "F1",
    "FNR",
    "FPR",
    "GROUP_SHARE",
    "HETEROGENEITY",
    "IMPACT_RATIO",
    "INTERACTION",
    "INTERCEPT",
    "JOINT_PROXY",
    "KS",
    "LABEL_POWER",
    "LEFT_OUT",
    "LIPSCHITZ",
    "MAX_DIFFERENCE",
    "MEAN_RANK",
    "MEAN_RATIO",
    "MISSING_BOUNDS",
    "MIXED_ODDS_RATIO",
    "MIXED_SD",
    "OUTRANKED",
    "PRECISION",
    "PROXY",
    "PSI",
    "RANK_CHANGE",
    "RATIO",
    "REFUSED_RATE",
    "REPETITION_SD",
    "SCORE_DIFFERENCE",
    "SELECTION_RATE",
    "SIMILAR_APART",
    "STANDARDIZED",
    "TNR",
    "TPR",
    "TREATMENT_EQUALITY",
    "UNDETECTED_ATTEMPTS",
    "UNDETECTED_ITEMS",
    "UNDETECTED_RATE",
    "UNRANKED_RATE",
    "VALIDITY_DIFFERENCE",
    "VARIANCE",
    "WIN_RATE",
    "WIN_RATE_RANGE",
    "WORD_LOG_ODDS",
    "WORSE",
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
# Scores beside what happened.
AUC: Final = "auc"
ACCURACY: Final = "accuracy"
TPR: Final = "tpr"
TNR: Final = "tnr"
FPR: Final = "fpr"
FNR: Final = "fnr"
PRECISION: Final = "precision"
F1: Final = "f1"
BRIER: Final = "brier"
CALIBRATION_INTERCEPT: Final = "calibration_intercept"
CALIBRATION_SLOPE: Final = "calibration_slope"
BASE_RATE: Final = "base_rate"
TREATMENT_EQUALITY: Final = "treatment_equality"
DEMOGRAPHIC_PARITY: Final = "demographic_parity"
EQUAL_OPPORTUNITY: Final = "equal_opportunity"
EQUALISED_ODDS: Final = "equalised_odds"
SIMILAR_APART: Final = "individual_fairness"
LIPSCHITZ: Final = "lipschitz_quotient"
#: Measures that groups are compared by, and of which it is known which version is worse.
COMPARED: Final = (
    *(AUC, SELECTION_RATE, ACCURACY, TPR, FNR, TNR, FPR, PRECISION, F1, TREATMENT_EQUALITY),
    *(BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE),
)
WORSE: Final = (AUC, ACCURACY, TPR, TNR, FPR, FNR, PRECISION, F1, BRIER)
#: What the name of a ratio of two groups begins with, and of a difference between two versions.
RATIO: Final = "ratio_"
CHANGE: Final = "change_"
# Features of a table.
EFFECTIVE_SIZE: Final = "effective_sample_size"
EXPECTATION: Final = "expectation"
GROUP_SHARE: Final = "group_share"
JOINT_PROXY: Final = "joint_proxy_power"
LABEL_POWER: Final = "label_power"
PROXY: Final = "proxy_power"
PSI: Final = "population_stability_index"
KS: Final = "largest_distance"
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
