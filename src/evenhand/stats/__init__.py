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
    from evenhand.stats._arrays import normal_quantile
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
    from evenhand.stats.confidence_sequences import (
        MeanSequence,
        SequenceInterval,
        difference_sequence,
        mean_sequence,
    )
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
    from evenhand.stats.scores.equivalence import Equivalence, equivalence
    from evenhand.stats.scores.means import MeanDifference, mean_difference
    from evenhand.stats.scores.paired_decisions import McNemar, mcnemar
    from evenhand.stats.scores.paired_t import PairedT, paired_t
    from evenhand.stats.scores.pooled_t import PooledT, pooled_t
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
    "F1",
    "FOUR_FIFTHS",
    "TWO_STANDARD_DEVIATIONS",
    "AdjustedP",
    "Availability",
    "BetweenGroupVariance",
    "BreslowDay",
    "ClusterVariance",
    "ClusteredDifference",
    "ClusteredRate",
    "ClusteredRatio",
    "CohensH",
    "CohensKappa",
    "CombinedP",
    "DecisionsNeeded",
    "DetectableDifference",
    "DetectableRatio",
    "Equivalence",
    "FisherExact",
    "FlipFlop",
    "FourFifths",
    "FourFifthsFalsePositives",
    "FourFifthsRule",
    "Homogeneity",
    "ImpactRatio",
    "ImpactRatioBounds",
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
    "SelectionRate",
    "SequenceInterval",
    "Shortfall",
    "SignedRank",
    "TInterval",
    "WaldTest",
    "WhichToRead",
    "WithinBlocks",
    "WithinSets",
    "ZCurve",
    "ZTest",
    "availability",
    "benjamini_hochberg",
    "between_group_variance",
    "bootstrap_moments",
    "breslow_day",
    "chi_square_homogeneity",
    "clustered_difference",
    "clustered_rate",
    "clustered_ratio",
    "cohens_h",
    "cohens_kappa",
    "combined_interval",
    "crossed_df",
    "decisions_needed",
    "detectable_difference",
    "detectable_ratio",
    "difference_sequence",
    "equivalence",
    "f1_score",
    "fisher_exact",
    "fishers_method",
    "flip_flop",
    "four_fifths",
    "four_fifths_false_positives",
    "holm",
    "impact_ratio",
    "impact_ratio_bounds",
    "jackknife_variance",
    "label_permutations",
    "logistic_counts",
    "mantel_haenszel",
    "maximum_range_p",
    "mcnemar",
    "mean_difference",
    "mean_ratio",
    "mean_sequence",
    "multiway_variance",
    "normal_quantile",
    "odds_ratio",
    "paired_t",
    "percentile_interval",
    "permutation_exact",
    "permutation_monte_carlo",
    "permutation_p",
    "pooled_t",
    "rate_difference",
    "selection_rate",
    "shortfall",
    "sign_flip_columns",
    "sign_flip_p",
    "signed_rank",
    "t_interval",
    "wald_test",
    "which_to_read",
    "within_blocks",
    "within_sets",
    "z_curve",
    "z_test",
]

_PLACES = {
    "WithinBlocks": "strata.within_blocks",
    "within_blocks": "strata.within_blocks",
    "normal_quantile": "_arrays",
    "CohensKappa": "agreement",
    "cohens_kappa": "agreement",
    "F1": "agreement",
    "f1_score": "agreement",
    "bootstrap_moments": "clusters.bootstrap",
    "percentile_interval": "clusters.bootstrap",
    "ClusterVariance": "clusters.cluster_robust",
    "TInterval": "clusters.cluster_robust",
    "multiway_variance": "clusters.cluster_robust",
    "t_interval": "clusters.cluster_robust",
    "ClusteredDifference": "clusters.clustered_rates",
    "ClusteredRate": "clusters.clustered_rates",
    "clustered_difference": "clusters.clustered_rates",
    "clustered_rate": "clusters.clustered_rates",
    "ClusteredRatio": "clusters.clustered_ratios",
    "clustered_ratio": "clusters.clustered_ratios",
    "label_permutations": "clusters.permutation",
    "permutation_p": "clusters.permutation",
    "sign_flip_p": "clusters.permutation",
    "MeanSequence": "confidence_sequences",
    "SequenceInterval": "confidence_sequences",
    "difference_sequence": "confidence_sequences",
    "mean_sequence": "confidence_sequences",
    "AdjustedP": "several_groups.multiplicity",
    "benjamini_hochberg": "several_groups.multiplicity",
    "holm": "several_groups.multiplicity",
    "Availability": "population.availability",
    "availability": "population.availability",
    "CombinedP": "population.accepted",
    "PermutationExact": "population.accepted",
    "fishers_method": "population.accepted",
    "permutation_exact": "population.accepted",
    "permutation_monte_carlo": "population.accepted",
    "DecisionsNeeded": "power",
    "decisions_needed": "power",
    "DetectableDifference": "power",
    "DetectableRatio": "power",
    "detectable_difference": "power",
    "detectable_ratio": "power",
    "LogisticCounts": "regression.logistic_counts",
    "LogisticTerm": "regression.logistic_counts",
    "logistic_counts": "regression.logistic_counts",
    "MeanDifference": "scores.means",
    "mean_difference": "scores.means",
    "WithinSets": "scores.within_sets",
    "jackknife_variance": "scores.within_sets",
    "within_sets": "scores.within_sets",
    "BetweenGroupVariance": "several_groups.heterogeneity",
    "between_group_variance": "several_groups.heterogeneity",
    "Homogeneity": "several_groups.homogeneity",
    "chi_square_homogeneity": "several_groups.homogeneity",
    "FourFifthsFalsePositives": "several_groups.permuted_selections",
    "MaximumRange": "several_groups.permuted_selections",
    "four_fifths_false_positives": "several_groups.permuted_selections",
    "maximum_range_p": "several_groups.permuted_selections",
    "WaldTest": "several_groups.wald",
    "wald_test": "several_groups.wald",
    "combined_interval": "strata.combined",
    "BreslowDay": "strata.common_odds",
    "MantelHaenszel": "strata.common_odds",
    "breslow_day": "strata.common_odds",
    "mantel_haenszel": "strata.common_odds",
    "TWO_STANDARD_DEVIATIONS": "two_groups.association",
    "CohensH": "two_groups.association",
    "FlipFlop": "two_groups.association",
    "OddsRatio": "two_groups.association",
    "Shortfall": "two_groups.association",
    "ZTest": "two_groups.association",
    "cohens_h": "two_groups.association",
    "flip_flop": "two_groups.association",
    "odds_ratio": "two_groups.association",
    "shortfall": "two_groups.association",
    "z_test": "two_groups.association",
    "RateDifference": "two_groups.differences",
    "rate_difference": "two_groups.differences",
    "FisherExact": "two_groups.exact",
    "fisher_exact": "two_groups.exact",
    "FOUR_FIFTHS": "two_groups.four_fifths",
    "FourFifths": "two_groups.four_fifths",
    "FourFifthsRule": "two_groups.four_fifths",
    "four_fifths": "two_groups.four_fifths",
    "MeanRatio": "two_groups.mean_ratios",
    "mean_ratio": "two_groups.mean_ratios",
    "SelectionRate": "two_groups.rates",
    "selection_rate": "two_groups.rates",
    "ImpactRatio": "two_groups.ratios",
    "impact_ratio": "two_groups.ratios",
    "ImpactRatioBounds": "two_groups.unknown_groups",
    "impact_ratio_bounds": "two_groups.unknown_groups",
    "WhichToRead": "two_groups.which_test",
    "ZCurve": "two_groups.which_test",
    "which_to_read": "two_groups.which_test",
    "z_curve": "two_groups.which_test",
    "Equivalence": "scores.equivalence",
    "equivalence": "scores.equivalence",
    "PairedT": "scores.paired_t",
    "paired_t": "scores.paired_t",
    "PooledT": "scores.pooled_t",
    "pooled_t": "scores.pooled_t",
    "SignedRank": "scores.signed_rank",
    "signed_rank": "scores.signed_rank",
    "crossed_df": "scores.within_sets",
    "McNemar": "scores.paired_decisions",
    "mcnemar": "scores.paired_decisions",
    "sign_flip_columns": "clusters.permutation",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: a command needs few of them."""
    if name in _PLACES:
        return resolve_name(f"evenhand.stats.{_PLACES[name]}:{name}")
    message = f"module 'evenhand.stats' has no attribute {name!r}"
    raise AttributeError(message)
