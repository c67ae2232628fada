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
    from evenhand.stats._arrays import normal_p, normal_quantile, t_p
    from evenhand.stats.agreement import F1, CohensKappa, cohens_kappa, f1_score
    from evenhand.stats.association import (
        TWO_STANDARD_DEVIATIONS,
        CohensH,
        FlipFlop,
        OddsRatio,
        RecommendedTest,
        Shortfall,
        ZCurve,
        ZTest,
        cohens_h,
        flip_flop,
        odds_ratio,
        recommended_test,
        shortfall,
        z_curve,
        z_test,
    )
    from evenhand.stats.change_detection import Cusum, TheilSen, average_run_length, cusum, decision_interval, theil_sen
    from evenhand.stats.cluster_robust import (
        ClusteredDifference,
        ClusteredRate,
        ClusteredRatio,
        ClusterVariance,
        TInterval,
        clustered_difference,
        clustered_rate,
        clustered_ratio,
        multiway_variance,
        t_interval,
    )
    from evenhand.stats.confidence_sequences import MeanSequence, SequenceInterval, difference_sequence, mean_sequence
    from evenhand.stats.distributions import (
        CountedQuantile,
        KolmogorovSmirnov,
        StabilityIndex,
        counted_quantile,
        kolmogorov_smirnov,
        stability_index,
    )
    from evenhand.stats.fairness_criteria import (
        ErrorBalance,
        RatioToAll,
        SimilarPairs,
        error_balance,
        rate_at_other_base,
        ratio_to_all,
        similar_pairs,
    )
    from evenhand.stats.hypergeometric import FisherExact, fisher_exact
    from evenhand.stats.logistic import LogisticCounts, LogisticTerm, logistic_counts
    from evenhand.stats.means import (
        MeanDifference,
        MeanRatio,
        PooledT,
        WithinSets,
        crossed_df,
        jackknife_variance,
        mean_difference,
        mean_ratio,
        pooled_t,
        within_sets,
    )
    from evenhand.stats.paired import (
        Equivalence,
        McNemar,
        PairedT,
        SignedRank,
        equivalence,
        mcnemar,
        paired_t,
        signed_rank,
    )
    from evenhand.stats.population import (
        Availability,
        CombinedP,
        PermutationExact,
        availability,
        fishers_method,
        permutation_exact,
        permutation_monte_carlo,
    )
    from evenhand.stats.power import (
        DecisionsNeeded,
        DetectableDifference,
        DetectableRatio,
        decisions_needed,
        detectable_difference,
        detectable_ratio,
    )
    from evenhand.stats.predictions import (
        AUC,
        Brier,
        Calibration,
        CalibrationTerm,
        HybridDifference,
        ReliabilityBin,
        auc,
        auc_covariance,
        brier,
        calibration,
        cross_fitted_auc,
        hybrid_difference,
        pooled_auc,
    )
    from evenhand.stats.rates import (
        FOUR_FIFTHS,
        FourFifths,
        FourFifthsRule,
        ImpactRatio,
        ImpactRatioBounds,
        RateDifference,
        SelectionRate,
        four_fifths,
        impact_ratio,
        impact_ratio_bounds,
        rate_difference,
        selection_rate,
    )
    from evenhand.stats.resampling import (
        bootstrap_moments,
        label_permutations,
        percentile_interval,
        permutation_p,
        sign_flip_columns,
        sign_flip_p,
    )
    from evenhand.stats.several_groups import (
        AdjustedP,
        BetweenGroupVariance,
        FourFifthsFalsePositives,
        GoodnessOfFit,
        Homogeneity,
        MaximumRange,
        WaldTest,
        benjamini_hochberg,
        between_group_variance,
        chi_square_homogeneity,
        effective_sample_size,
        four_fifths_false_positives,
        goodness_of_fit,
        holm,
        maximum_range_p,
        wald_test,
    )
    from evenhand.stats.strata import (
        BreslowDay,
        MantelHaenszel,
        WithinBlocks,
        breslow_day,
        combined_interval,
        mantel_haenszel,
        within_blocks,
    )

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
    "RecommendedTest",
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
    "recommended_test",
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
    "within_blocks",
    "within_sets",
    "z_curve",
    "z_test",
]

#: The public names of each module.
_NAMES = {
    "_arrays": "normal_p normal_quantile t_p",
    "agreement": "CohensKappa F1 cohens_kappa f1_score",
    "association": (
        "CohensH FlipFlop OddsRatio RecommendedTest Shortfall TWO_STANDARD_DEVIATIONS ZCurve ZTest cohens_h "
        "flip_flop odds_ratio recommended_test shortfall z_curve z_test"
    ),
    "change_detection": "Cusum TheilSen average_run_length cusum decision_interval theil_sen",
    "cluster_robust": (
        "ClusterVariance ClusteredDifference ClusteredRate ClusteredRatio TInterval clustered_difference "
        "clustered_rate clustered_ratio multiway_variance t_interval"
    ),
    "confidence_sequences": "MeanSequence SequenceInterval difference_sequence mean_sequence",
    "distributions": (
        "CountedQuantile KolmogorovSmirnov StabilityIndex counted_quantile kolmogorov_smirnov stability_index"
    ),
    "fairness_criteria": (
        "ErrorBalance RatioToAll SimilarPairs error_balance rate_at_other_base ratio_to_all similar_pairs"
    ),
    "hypergeometric": "FisherExact fisher_exact",
    "logistic": "LogisticCounts LogisticTerm logistic_counts",
    "means": (
        "MeanDifference MeanRatio PooledT WithinSets crossed_df jackknife_variance mean_difference mean_ratio "
        "pooled_t within_sets"
    ),
    "paired": "Equivalence McNemar PairedT SignedRank equivalence mcnemar paired_t signed_rank",
    "population": (
        "Availability CombinedP PermutationExact availability fishers_method permutation_exact permutation_monte_carlo"
    ),
    "power": (
        "DecisionsNeeded DetectableDifference DetectableRatio decisions_needed detectable_difference detectable_ratio"
    ),
    "predictions": (
        "AUC Brier Calibration CalibrationTerm HybridDifference ReliabilityBin auc auc_covariance brier "
        "calibration cross_fitted_auc hybrid_difference pooled_auc"
    ),
    "rates": (
        "FOUR_FIFTHS FourFifths FourFifthsRule ImpactRatio ImpactRatioBounds RateDifference SelectionRate "
        "four_fifths impact_ratio impact_ratio_bounds rate_difference selection_rate"
    ),
    "resampling": (
        "bootstrap_moments label_permutations percentile_interval permutation_p sign_flip_columns sign_flip_p"
    ),
    "several_groups": (
        "AdjustedP BetweenGroupVariance FourFifthsFalsePositives GoodnessOfFit Homogeneity MaximumRange WaldTest "
        "benjamini_hochberg between_group_variance chi_square_homogeneity effective_sample_size "
        "four_fifths_false_positives goodness_of_fit holm maximum_range_p wald_test"
    ),
    "strata": "BreslowDay MantelHaenszel WithinBlocks breslow_day combined_interval mantel_haenszel within_blocks",
}
_PLACES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command needs few of them."""
    if name in _PLACES:
        return resolve_name(f"evenhand.stats.{_PLACES[name]}:{name}")
    message = f"module 'evenhand.stats' has no attribute {name!r}"
    raise AttributeError(message)
