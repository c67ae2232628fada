"""Real selections that ship with the package, as examples."""

from importlib import resources

import polars as pl


def berkeley_applicants() -> pl.DataFrame:
    """Return the applicants to the six largest departments of Berkeley in 1973, one row each.

    Columns `department, gender, admitted`; 4,526 rows. The classic case of a pooled
    difference that the strata reverse: 30 % of the women and 45 % of the men were
    admitted, since women applied to the departments that admit few.

    Reference: Bickel, Hammel and O'Connell (1975), Science 187, 398-404.

    >>> berkeley_applicants().height
    4526
    """
    counts = pl.read_csv((resources.files("evenhand.data") / "berkeley_1973.csv").read_bytes())
    return counts.select(pl.exclude("applicants").repeat_by("applicants").explode())


def compas_scores() -> pl.DataFrame:
    """Return how many people of each race and COMPAS decile score reoffended within two years.

    Columns `race, decile_score, reoffended, people`; 7,214 people in 103 rows. The case in which one score has about
    one precision and very different error rates by race: at 'medium or high' (5 or more) 44.9 % of the black and 23.5 %
    of the white people who did not reoffend were labelled.

    Reference: Larson, Mattu, Kirchner and Angwin (2016), How We Analyzed the COMPAS Recidivism Algorithm, ProPublica.

    >>> compas_scores()["people"].sum()
    7214
    """
    return pl.read_csv((resources.files("evenhand.data") / "compas_2016.csv").read_bytes())


def bertrand_resumes() -> pl.DataFrame:
    """Return the résumés that Bertrand and Mullainathan sent to employers, one row each.

    Columns `ad, city, job_type, first_name, race, gender, called_back, quality`, and what the
    résumé says; 4,870 rows. Race and gender are what the first name signals; it was drawn at
    random. 9.65 % of the white and 6.45 % of the black names were called back (Table 1).

    Reference: Bertrand and Mullainathan (2004), American Economic Review 94(4), 991-1013.

    >>> sent = bertrand_resumes().group_by("race").agg((pl.col("called_back") == "yes").mean())
    >>> sent.sort("race").with_columns((pl.col("called_back") * 100).round(2)).rows()
    [('black', 6.45), ('white', 9.65)]
    """
    return pl.read_csv((resources.files("evenhand.data") / "bertrand_2004.csv").read_bytes())


def hiring_bias_scores() -> pl.DataFrame:
    """Return scores from 1 to 10, and decisions, by eleven language models of one résumé with one thing changed.

    Columns `axis, level` (what was changed, and to what), `model, vendor, jd` (job description), `run, score,
    recommend`; 32,215 rows, of which 22 have no score. The axis `baseline` is unchanged, `placebo` means nothing.

    Reference: Hiring-Bias dataset, Bogdan Szabo (re:cinq), 2026, CC BY 4.0.

    >>> hiring_bias_scores().group_by("recommend").len().sort("len").rows()
    [(None, 22), ('yes', 5485), ('maybe', 11723), ('no', 14985)]
    """
    return pl.read_parquet((resources.files("evenhand.data") / "hiring_bias_2026.parquet").read_bytes())
