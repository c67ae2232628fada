"""How often a bias in one step of a screening is found there, elsewhere, and held by its interval: simulated audits.

    python tests/comparisons/screening_coverage.py [AUDITS]

Each audit judges the candidates of 36 blocks, as `evenhand probe screening` draws them: a chance or a score by quality,
what the simulated kind adds to a gender (`respond.shift_of`), effects of each name, of each pile and of a gender on
each résumé, and noise. Whoever is shortlisted or decided on gets a text with one or two words of praise, longer or
otherwise coded alike.
Prints the table that stands in docs/coverage.md.
"""

import sys
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import polars as pl

from evenhand.comparisons.claims import HOLM, in_families
from evenhand.comparisons.declared import finding_of
from evenhand.comparisons.measure import everyone_of
from evenhand.comparisons.scores import score_difference
from evenhand.comparisons.steps import TEXTS, quality_findings
from evenhand.comparisons.units import Draw
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices
from evenhand.probes.screening.respond import MEANS, SPREAD, shift_of
from evenhand.results.measures import Contrast
from evenhand.results.schemas import STATUS, conform_outcomes

PROBE = PROBES["screening"]
STEPS = PROBE.measured.steps.measures
TEXT_MEASURES = PROBE.measured.steps.texts
GENDERS = {step: of_step.headline[0] for step, of_step in STEPS.items()}
#: Standard deviations of what names, piles and the gender on a résumé add, as shares of the spread of scores, and in
#: chances.
NAMES, PILES, RESUMES = 0.1, 0.3, 0.2
IN_CHANCES = 0.1
#: Words of a text with one praise, and of each further one; a standard deviation of its own.
LENGTH, PRAISE, NOISE = 16.0, 4.0, 2.0
#: Largest share of audits in which the claims of a step without bias may say that there is one, with its error.
MOST_ELSEWHERE = 0.07


@cache
def _laid_out():
    """Return the units of 36 blocks with their known quality, one per candidate of the whole piles."""
    design = PROBE.designs["piles"]
    indices = shuffled_indices(design.size, PROBE.default_sample, seed=0, block=design.block)
    asked = design.stimuli(indices).filter(pl.col("step") == "shortlist")
    rows = asked.select("item", "block", "position", "candidates").explode("candidates").unnest("candidates")
    outcomes = conform_outcomes(
        rows.select(
            "item",
            pl.int_range(pl.len()).cast(pl.String).alias("unit"),
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit("observed").cast(STATUS).alias("status"),
            pl.lit(0.0).alias("score"),
            pl.col("gender").alias("protected.gender"),
            pl.col("race").alias("protected.race"),
            *(pl.col(name).alias(f"context.{name}") for name in ("name", "resume", "position", "quality")),
            pl.col("quality").replace_strict({"clear": 1.0, "borderline": 0.5, "none": 0.0}).alias("context.merit"),
            pl.col("item").alias("context.pile"),
            pl.concat_str("block", pl.lit("/"), "number").alias("context.matched"),
        )
    )
    return everyone_of(outcomes.lazy(), replace(STEPS["scores"], against="merit")), rows


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The claims of one audit, and whether the interval of each measure held the truth."""

    claims: dict[str, str]
    held: dict[str, bool]


def audit(kind: str, seed: int) -> Audit:
    """Return what one audit of a simulated kind claims."""
    rng = np.random.default_rng(seed)
    units, rows = _laid_out()
    genders, qualities = rows["gender"].to_numpy(), rows["quality"].to_numpy()
    findings, held = [], {}
    for step, of_step in STEPS.items():
        scale = SPREAD if step == "scores" else IN_CHANCES
        shifts = {gender: shift_of(kind, 0.9, step=step, gender=gender, arm="plain") for gender in ("male", "female")}
        mean = np.array(
            [MEANS[step][quality] + shifts[gender] for gender, quality in zip(genders, qualities, strict=True)]
        )
        mean = mean + rng.normal(0, NAMES * scale, units.codes["name"].max() + 1)[units.codes["name"]]
        mean = mean + rng.normal(0, PILES * scale, units.codes["pile"].max() + 1)[units.codes["pile"]]
        by_resume = rng.normal(0, RESUMES * scale, units.codes["resume"].max() + 1)[units.codes["resume"]]
        mean = mean + np.where(genders == "male", 0.5, -0.5) * by_resume
        value = rng.normal(mean, SPREAD) if step == "scores" else (rng.random(len(units)) < mean).astype(float)
        judged = replace(units, score=value, successes=value, trials=np.ones(len(units)), observed=np.ones(len(units)))
        truth = shifts["male"] - shifts["female"]
        findings += compared(judged, of_step, {GENDERS[step]: truth}, held, seed)
        for counted, of_text in TEXT_MEASURES.get(step, {}).items():
            texts, truth = written(judged, genders, kind, counted, step=step, rng=rng)
            first = next(measure.name for measure in of_text.measures if isinstance(measure, Contrast))
            for finding in compared(texts, of_text, {first: truth}, held, seed):
                findings.append(replace(finding, claim=replace(finding.claim, family=TEXTS, correction=HOLM)))
        slope = MEANS[step]["clear"] - MEANS[step]["none"]
        for found in quality_findings(judged, of_step, confidence=0.95):
            truths = {"male_quality_slope": slope, "female_quality_slope": slope, "diff_quality_slope": 0.0}
            if found.name in truths:
                held[f"{step} {found.name}"] = found.low <= truths[found.name] <= found.high
            elif found.name == "diff_quality_auc":
                held[f"{step} {found.name}"] = found.low <= 0.0 <= found.high
    claims = {finding.name: finding.claim.verdict for finding in in_families(findings)}
    return Audit(claims=claims, held=held)


def compared(judged, of_step, truths, held, seed):
    """Return the differences of a step or of its texts; `held` gets whether each interval has the truth."""
    findings = []
    for measure in of_step.measures:
        if isinstance(measure, Contrast):
            result = score_difference(judged, measure, {}, of_step, Draw(seed=seed, resamples=1, permutations=1))
            findings.append(finding_of(measure, result, of_step, {}, confidence=0.95))
            held[measure.name] = result.low <= truths.get(measure.name, 0.0) <= result.high
    return findings


def written(judged, genders, kind, counted, *, step, rng):
    """Return what is counted in the texts on those who were decided on, and the true difference between genders."""
    part = {"words": "length", "coded_share": "words"}[counted]
    shifts = [shift_of(kind, 0.9, step=part, gender=gender, arm="plain") for gender in ("male", "female")]
    chance = 0.5 + np.where(genders == "male", *shifts)
    for column, spread in (("name", NAMES), ("pile", PILES)):
        codes = judged.codes[column]
        chance = chance + rng.normal(0, spread * IN_CHANCES, codes.max() + 1)[codes]
    if counted == "words":
        value = LENGTH + PRAISE * (rng.random(len(judged)) < chance) + rng.normal(0, NOISE, len(judged))
    else:
        praised = 1 + (rng.random(len(judged)) < 0.5)
        value = rng.binomial(praised, np.clip(chance, 0, 1)) / praised
    decided = judged.score.astype(np.int64)
    texts = replace(
        judged,
        score=value,
        successes=value,
        codes={**judged.codes, "decided": decided},
        levels={**judged.levels, "decided": ("0", "1")},
    )
    texts = texts if step == "decision" else texts.take(decided == 1)
    return texts, (shifts[0] - shifts[1]) * (PRAISE if counted == "words" else 1.0)


def study(kind: str, audits: int) -> dict[str, float]:
    """Return shares of audits: bias found in each step, any other claim, and coverage, the lowest over measures."""
    results = [audit(kind, seed) for seed in range(audits)]
    biased = [step for step in STEPS if shift_of(kind, 0.9, step=step, gender="male", arm="plain")]
    there = {GENDERS[step] for step in biased}
    for part, counted in (("length", "words"), ("words", "coded_share")):
        if shift_of(kind, 0.9, step=part, gender="male", arm="plain"):
            there |= {f"diff_{text}_{counted}" for text in ("reason", "email")}
    elsewhere = [
        any(verdict == "difference" for name, verdict in each.claims.items() if name not in there) for each in results
    ]
    coverage = {name: float(np.mean([each.held[name] for each in results])) for name in results[0].held}
    slopes = {name: share for name, share in coverage.items() if "slope" in name}
    aucs = {name: share for name, share in coverage.items() if "auc" in name}
    differences = {name: share for name, share in coverage.items() if name not in slopes and name not in aucs}
    return {
        "found": float(np.mean([all(each.claims[name] == "difference" for name in there) for each in results])),
        "elsewhere": float(np.mean(elsewhere)),
        "differences": min(differences.values()),
        "slopes": min(slopes.values()),
        "aucs": min(aucs.values()),
        "mean": float(np.mean(list(coverage.values()))),
    }


KINDS = ("unbiased", *(f"feminine-{part}" for part in (*STEPS, "length", "words")))


def main(audits: int) -> None:
    """Print the table as Markdown."""
    print("| simulated model | bias found there | any claim elsewhere | differences | slopes | AUC | mean coverage |")
    print("|---|---|---|---|---|---|---|")
    for kind in KINDS:
        shares = study(kind, audits)
        found = "–" if kind == "unbiased" else f"{shares.pop('found'):.1%}"
        shares.pop("found", None)
        print(f"| {kind} | {found} | {' | '.join(f'{share:.1%}' for share in shares.values())} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
