"""Arithmetic only: numbers or arrays in, one frozen result out.

Every result follows the same conventions.

- Groups are focal and reference. Counts come as selected, n; differences are
  focal - reference and ratios focal / reference, so the sign or side shows who is worse off.
- A call with plain numbers is the array call of length one. It gives Python numbers; what
  can't be computed is None, and `reason` is a sentence (None where all was computed).
- A call with arrays broadcasts them and gives NumPy arrays. What can't be computed is NaN,
  and `reason` is an array of the same shape ('' where all was computed). A yes-or-no field
  is False where there is a reason.
- Where a second interval fails on its own it has its own `..._reason`.
- `confidence=0.95` is a confidence level. Nothing is rounded. A p-value that underflows
  is given as 2.2e-308, which is then an upper bound.
- Counts are whole numbers up to 2**53; other input raises ValueError.

A name is imported when it is first used.

>>> from evenhand.stats import impact_ratio
>>> impact_ratio(3, 10, 6, 10).estimate, impact_ratio(3, 10, 0, 10).estimate
(0.5, None)
>>> impact_ratio([3, 3], 10, [6, 0], 10).estimate.tolist()
[0.5, nan]
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.stats._arrays import normal_p, normal_quantile
    from evenhand.stats.agreement import F1, CohensKappa, cohens_kappa, f1_score
    from evenhand.stats.clusters.bootstrap import bootstrap_moments, percentile_interval
    from evenhand.stats.clusters.cluster_robust import ClusterVariance, TInterval, multiway_variance, t_interval
    from evenhand.stats.clusters.clustered_rates import (
        ClusteredDifference,
        ClusteredRate,
        clustered_difference,
        clustered_rate,
    )
    from evenhand.stats.clusters.clustered_ratios import ClusteredRatio, clustered_ratio
    from evenhand.stats.clusters.permutation import label_permutations, permutation_p, sign_flip_columns, sign_flip_p
    from evenhand.stats.over_time.confidence_sequences import (
        MeanSequence,
        SequenceInterval,
        difference_sequence,
        mean_sequence,
    )
    from evenhand.stats.over_time.cusum import Cusum, average_run_length, cusum, decision_interval
    from evenhand.stats.over_time.theil_sen import TheilSen, theil_sen
    from evenhand.stats.population.accepted import (
        CombinedP,
        PermutationExact,
        fishers_method,
        permutation_exact,
        permutation_monte_carlo,
    )
    from evenhand.stats.population.availability import Availability, availability
    from evenhand.stats.power import (
        DecisionsNeeded,
        DetectableDifference,
        DetectableRatio,
        decisions_needed,
        detectable_difference,
        detectable_ratio,
    )
    from evenhand.stats.regression.logistic_counts import LogisticCounts, LogisticTerm, logistic_counts
    from evenhand.stats.scores.counted_values import CountedQuantile, counted_quantile
    from evenhand.stats.scores.drift import KolmogorovSmirnov, StabilityIndex, kolmogorov_smirnov, stability_index
    from evenhand.stats.scores.equivalence import Equivalence, equivalence
    from evenhand.stats.scores.means import MeanDifference, mean_difference
    from evenhand.stats.scores.paired_decisions import McNemar, mcnemar
    from evenhand.stats.scores.paired_t import PairedT, paired_t
    from evenhand.stats.scores.pooled_t import PooledT, pooled_t
    from evenhand.stats.scores.predictions.auc import AUC, auc, auc_covariance
    from evenhand.stats.scores.predictions.brier import Brier, ReliabilityBin, brier
    from evenhand.stats.scores.predictions.calibration import Calibration, CalibrationTerm, calibration
    from evenhand.stats.scores.predictions.cross_fitted import cross_fitted_auc, pooled_auc
    from evenhand.stats.scores.predictions.limits import HybridDifference, hybrid_difference, t_p
    from evenhand.stats.scores.predictions.parity import (
        ErrorBalance,
        RatioToAll,
        error_balance,
        rate_at_other_base,
        ratio_to_all,
    )
    from evenhand.stats.scores.predictions.similar import SimilarPairs, similar_pairs
    from evenhand.stats.scores.signed_rank import SignedRank, signed_rank
    from evenhand.stats.scores.within_sets import WithinSets, crossed_df, jackknife_variance, within_sets
    from evenhand.stats.several_groups.heterogeneity import BetweenGroupVariance, between_group_variance
    from evenhand.stats.several_groups.homogeneity import Homogeneity, chi_square_homogeneity
    from evenhand.stats.several_groups.multiplicity import AdjustedP, benjamini_hochberg, holm
    from evenhand.stats.several_groups.permuted_selections import (
        FourFifthsFalsePositives,
        MaximumRange,
        four_fifths_false_positives,
        maximum_range_p,
    )
    from evenhand.stats.several_groups.representation import GoodnessOfFit, effective_sample_size, goodness_of_fit
    from evenhand.stats.several_groups.wald import WaldTest, wald_test
    from evenhand.stats.strata.combined import combined_interval
    from evenhand.stats.strata.common_odds import BreslowDay, MantelHaenszel, breslow_day, mantel_haenszel
    from evenhand.stats.strata.within_blocks import WithinBlocks, within_blocks
    from evenhand.stats.two_groups.association import (
        TWO_STANDARD_DEVIATIONS,
        CohensH,
        FlipFlop,
        OddsRatio,
        Shortfall,
        ZTest,
        cohens_h,
        flip_flop,
        odds_ratio,
        shortfall,
        z_test,
    )
    from evenhand.stats.two_groups.differences import RateDifference, rate_difference
    from evenhand.stats.two_groups.exact import FisherExact, fisher_exact
    from evenhand.stats.two_groups.four_fifths import FOUR_FIFTHS, FourFifths, FourFifthsRule, four_fifths
    from evenhand.stats.two_groups.mean_ratios import MeanRatio, mean_ratio
    from evenhand.stats.two_groups.rates import SelectionRate, selection_rate
    from evenhand.stats.two_groups.ratios import ImpactRatio, impact_ratio
    from evenhand.stats.two_groups.unknown_groups import ImpactRatioBounds, impact_ratio_bounds
    from evenhand.stats.two_groups.which_test import WhichToRead, ZCurve, which_to_read, z_curve

__all__ = [
    "AUC",
    "F1",
    "FOUR_FIFTHS",
    "TWO_STANDARD_DEVIATIONS",
    "AdjustedP",
    "Availability",
    "BetweenGroupVariance",
    "BreslowDay",
    "Brier",
    "Calibration",
    "CalibrationTerm",
    "ClusterVariance",
    "ClusteredDifference",
    "ClusteredRate",
    "ClusteredRatio",
    "CohensH",
    "CohensKappa",
    "CombinedP",
    "CountedQuantile",
    "Cusum",
    "DecisionsNeeded",
    "DetectableDifference",
    "DetectableRatio",
    "Equivalence",
    "ErrorBalance",
    "FisherExact",
    "FlipFlop",
    "FourFifths",
    "FourFifthsFalsePositives",
    "FourFifthsRule",
    "GoodnessOfFit",
    "Homogeneity",
    "HybridDifference",
    "ImpactRatio",
    "ImpactRatioBounds",
    "KolmogorovSmirnov",
    "LogisticCounts",
    "LogisticTerm",
    "MantelHaenszel",
    "MaximumRange",
    "McNemar",
    "MeanDifference",
    "MeanRatio",
    "MeanSequence",
    "OddsRatio",
    "PairedT",
    "PermutationExact",
    "PooledT",
    "RateDifference",
    "RatioToAll",
    "ReliabilityBin",
    "SelectionRate",
    "SequenceInterval",
    "Shortfall",
    "SignedRank",
    "SimilarPairs",
    "StabilityIndex",
    "TInterval",
    "TheilSen",
    "WaldTest",
    "WhichToRead",
    "WithinBlocks",
    "WithinSets",
    "ZCurve",
    "ZTest",
    "auc",
    "auc_covariance",
    "availability",
    "average_run_length",
    "benjamini_hochberg",
    "between_group_variance",
    "bootstrap_moments",
    "breslow_day",
    "brier",
    "calibration",
    "chi_square_homogeneity",
    "clustered_difference",
    "clustered_rate",
    "clustered_ratio",
    "cohens_h",
    "cohens_kappa",
    "combined_interval",
    "counted_quantile",
    "cross_fitted_auc",
    "crossed_df",
    "cusum",
    "decision_interval",
    "decisions_needed",
    "detectable_difference",
    "detectable_ratio",
    "difference_sequence",
    "effective_sample_size",
    "equivalence",
    "error_balance",
    "f1_score",
    "fisher_exact",
    "fishers_method",
    "flip_flop",
    "four_fifths",
    "four_fifths_false_positives",
    "goodness_of_fit",
    "holm",
    "hybrid_difference",
    "impact_ratio",
    "impact_ratio_bounds",
    "jackknife_variance",
    "kolmogorov_smirnov",
    "label_permutations",
    "logistic_counts",
    "mantel_haenszel",
    "maximum_range_p",
    "mcnemar",
    "mean_difference",
    "mean_ratio",
    "mean_sequence",
    "multiway_variance",
    "normal_p",
    "normal_quantile",
    "odds_ratio",
    "paired_t",
    "percentile_interval",
    "permutation_exact",
    "permutation_monte_carlo",
    "permutation_p",
    "pooled_auc",
    "pooled_t",
    "rate_at_other_base",
    "rate_difference",
    "ratio_to_all",
    "selection_rate",
    "shortfall",
    "sign_flip_columns",
    "sign_flip_p",
    "signed_rank",
    "similar_pairs",
    "stability_index",
    "t_interval",
    "t_p",
    "theil_sen",
    "wald_test",
    "which_to_read",
    "within_blocks",
    "within_sets",
    "z_curve",
    "z_test",
]

#: The public names of each module.
_NAMES = {
    "_arrays": "normal_p normal_quantile",
    "agreement": "CohensKappa F1 cohens_kappa f1_score",
    "clusters.bootstrap": "bootstrap_moments percentile_interval",
    "clusters.cluster_robust": "ClusterVariance TInterval multiway_variance t_interval",
    "clusters.clustered_rates": "ClusteredDifference ClusteredRate clustered_difference clustered_rate",
    "clusters.clustered_ratios": "ClusteredRatio clustered_ratio",
    "clusters.permutation": "label_permutations permutation_p sign_flip_columns sign_flip_p",
    "over_time.confidence_sequences": "MeanSequence SequenceInterval difference_sequence mean_sequence",
    "over_time.cusum": "Cusum average_run_length cusum decision_interval",
    "over_time.theil_sen": "TheilSen theil_sen",
    "population.accepted": "CombinedP PermutationExact fishers_method permutation_exact permutation_monte_carlo",
    "population.availability": "Availability availability",
    "power": (
        "DecisionsNeeded DetectableDifference DetectableRatio decisions_needed detectable_difference detectable_ratio"
    ),
    "regression.logistic_counts": "LogisticCounts LogisticTerm logistic_counts",
    "scores.counted_values": "CountedQuantile counted_quantile",
    "scores.drift": "KolmogorovSmirnov StabilityIndex kolmogorov_smirnov stability_index",
    "scores.equivalence": "Equivalence equivalence",
    "scores.means": "MeanDifference mean_difference",
    "scores.paired_decisions": "McNemar mcnemar",
    "scores.paired_t": "PairedT paired_t",
    "scores.pooled_t": "PooledT pooled_t",
    "scores.predictions.auc": "AUC auc auc_covariance",
    "scores.predictions.brier": "Brier ReliabilityBin brier",
    "scores.predictions.calibration": "Calibration CalibrationTerm calibration",
    "scores.predictions.cross_fitted": "cross_fitted_auc pooled_auc",
    "scores.predictions.limits": "HybridDifference hybrid_difference t_p",
    "scores.predictions.parity": "ErrorBalance RatioToAll error_balance rate_at_other_base ratio_to_all",
    "scores.predictions.similar": "SimilarPairs similar_pairs",
    "scores.signed_rank": "SignedRank signed_rank",
    "scores.within_sets": "WithinSets crossed_df jackknife_variance within_sets",
    "several_groups.heterogeneity": "BetweenGroupVariance between_group_variance",
    "several_groups.homogeneity": "Homogeneity chi_square_homogeneity",
    "several_groups.multiplicity": "AdjustedP benjamini_hochberg holm",
    "several_groups.permuted_selections": (
        "FourFifthsFalsePositives MaximumRange four_fifths_false_positives maximum_range_p"
    ),
    "several_groups.representation": "GoodnessOfFit effective_sample_size goodness_of_fit",
    "several_groups.wald": "WaldTest wald_test",
    "strata.combined": "combined_interval",
    "strata.common_odds": "BreslowDay MantelHaenszel breslow_day mantel_haenszel",
    "strata.within_blocks": "WithinBlocks within_blocks",
    "two_groups.association": (
        "CohensH FlipFlop OddsRatio Shortfall TWO_STANDARD_DEVIATIONS ZTest cohens_h flip_flop odds_ratio "
        "shortfall z_test"
    ),
    "two_groups.differences": "RateDifference rate_difference",
    "two_groups.exact": "FisherExact fisher_exact",
    "two_groups.four_fifths": "FOUR_FIFTHS FourFifths FourFifthsRule four_fifths",
    "two_groups.mean_ratios": "MeanRatio mean_ratio",
    "two_groups.rates": "SelectionRate selection_rate",
    "two_groups.ratios": "ImpactRatio impact_ratio",
    "two_groups.unknown_groups": "ImpactRatioBounds impact_ratio_bounds",
    "two_groups.which_test": "WhichToRead ZCurve which_to_read z_curve",
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command needs few of them."""
    if name in _PLACES:
        return resolve_name(f"evenhand.stats.{_PLACES[name]}:{name}")
    message = f"module 'evenhand.stats' has no attribute {name!r}"
    raise AttributeError(message)
