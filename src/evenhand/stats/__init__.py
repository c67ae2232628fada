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

A name is imported when it is first used; `__init__.pyi` has all of them for type checkers and editors.

>>> from evenhand.stats import impact_ratio
>>> impact_ratio(3, 10, 6, 10).estimate, impact_ratio(3, 10, 0, 10).estimate
(0.5, None)
>>> impact_ratio([3, 3], 10, [6, 0], 10).estimate.tolist()
[0.5, nan]
"""

from pkgutil import resolve_name
from typing import Any

#: The public names of each module.
_NAMES = {
    "_arrays": "Estimate normal_p normal_quantile t_p",
    "agreement": "CohensKappa clustered_kappa cohens_kappa effective_drawn f1_score weighted_kappa weighted_rate",
    "association": (
        "FisherExact FlipFlop RecommendedTest PeopleSelected TWO_STANDARD_DEVIATIONS ZCurve ZTest cohens_h "
        "expected fisher_exact flip_flop odds_ratio recommended_test shortfall z_curve z_test"
    ),
    "change_detection": "TheilSen average_run_length decision_interval theil_sen",
    "cluster_comparisons": (
        "CR2 ENUMERATED FEW_DF ONE_CLUSTER ClusterComparisons compare_clusters smallest_permutation_p"
    ),
    "cluster_robust": (
        "ClusterVariance ClusteredDifference ClusteredRate DesignEffect TInterval clustered_difference "
        "clustered_rate design_effect inflated_p intersections multiway_variance renumbered t_interval"
    ),
    "conditional": "CONDITIONAL_WALD CROSSING TOO_MANY ConditionalLogistic conditional_logistic",
    "confidence_sequences": "MeanSequence SequenceInterval",
    "distributions": (
        "CountedQuantile KolmogorovSmirnov StabilityIndex counted_quantile kolmogorov_smirnov stability_index"
    ),
    "fairness_criteria": "error_balance rate_at_other_base ratio_to_all",
    "individual_fairness": (
        "LargestQuotient Neighbours SimilarAcross SimilarShare largest_quotient neighbours similar_across similar_share"
    ),
    "logistic": (
        "ClusteredLogisticCounts LikelihoodRatio LogisticCounts clustered_logistic_counts likelihood_ratio "
        "logistic_counts"
    ),
    "noise_floor": "LevelVariance NameVariance RatioOfMeans level_variance name_variance ratio_of_means",
    "means": ("MeanRatio PooledT WithinSets crossed_df jackknife_variance mean_ratio pooled_t within_sets"),
    "over_periods": "RatioChange clustered_ratio_change ratio_change",
    "paired": "Equivalence McNemar PairedT SignedRank equivalence mcnemar paired_t signed_rank",
    "population": (
        "Availability CombinedP PermutationExact availability fishers_method permutation_exact permutation_monte_carlo"
    ),
    "power": (
        "DecisionsNeeded DetectableDifference DetectableRatio Power decisions_needed detectable_difference "
        "detectable_ratio fisher_power"
    ),
    "predictions": (
        "AUC Brier Calibration CalibrationTerm HybridDifference ReliabilityBin auc auc_covariance brier "
        "calibration cross_fitted_auc hybrid_difference pooled_auc"
    ),
    "rates": (
        "FOUR_FIFTHS SCORE CommonRatioAbove FourFifths FourFifthsRule ImpactRatio ImpactRatioBounds RatioAbove "
        "common_ratio common_ratio_above four_fifths impact_ratio impact_ratio_bounds ratio_above rate_difference "
        "selection_rate"
    ),
    "resampling": (
        "bootstrap_moments label_permutations percentile_interval permutation_p sign_flip_columns sign_flip_p"
    ),
    "several_groups": (
        "AdjustedP BetweenGroupVariance ExactHomogeneity FourFifthsFalsePositives GoodnessOfFit Homogeneity WaldTest "
        "benjamini_hochberg between_group_variance chi_square_homogeneity effective_sample_size "
        "four_fifths_false_positives exact_homogeneity goodness_of_fit holm wald_test"
    ),
    "shrinkage": "FEWEST_PLACES ShrunkenRatios shrunken_ratios",
    "simulated_power": "clustered_power ratio_with_power size_with_power spread_evenly stratified_power",
    "spline": "RateCurve rate_curve",
    "standardised": "LEAST_SQUARES StandardisedRates standardised_rates",
    "strata": (
        "BreslowDay ClusteredMantelHaenszel GailSimon MantelHaenszel MultiplePools WithinBlocks breslow_day "
        "clustered_mantel_haenszel combined_interval gail_simon mantel_haenszel multiple_pools within_blocks"
    ),
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_PLACES)  # noqa: PLE0605 - a list, whatever it is made from


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command needs few of them."""
    if name in _PLACES:
        return globals().setdefault(name, resolve_name(f"evenhand.stats.{_PLACES[name]}:{name}"))
    message = f"module 'evenhand.stats' has no attribute {name!r}"
    raise AttributeError(message)
