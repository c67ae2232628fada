"""The sentences and next steps that open the reports of the cases, as they were read and found right."""

SENTENCES = {
    "fewer": [
        (
            "The selection rate was 30.4 % for women and 44.5 % for men: impact ratio 0.68 (95 % "
            "CI 0.63–0.74), below four-fifths, statistically significant (Fisher's exact test: p < 0.001)."
        ),
    ],
    "more": [
        (
            "The selection rate was 44.5 % for men and 30.4 % for women: impact ratio 1.47 (95 % "
            "CI 1.35–1.59), not below four-fifths, statistically significant (Fisher's exact test: p < 0.001)."
        ),
        (
            "The reference has the lower rate; the four-fifths rule compares with the highest. Here the "
            "reference is below four-fifths of its rate."
        ),
    ],
    "none detected": [
        (
            "The selection rate was 47.5 % for women and 52.5 % for men: impact ratio 0.90 (95 % "
            "CI 0.74–1.10), not below four-fifths, not statistically significant (Fisher's exact test: p = "
            "0.368)."
        ),
        ("Minimum detectable ratio with 200 and 200 applicants, at 80 % statistical power: 0.73."),
    ],
    "too little data": [
        (
            "The selection rate was 15.0 % for Black people and 20.0 % for White people: impact ratio 0.75 (95 "
            "% CI 0.24–2.04), below four-fifths, not statistically significant (Fisher's exact test: p = 0.757)."
        ),
        (
            "With 20 and 80 applicants not even an impact ratio of 0 would be detected with 80 % statistical "
            "power. One changed selection reverses the direction (flip-flop rule, UGESP Q&A 21). False-positive"
            " rate of the four-fifths rule with these numbers of people: 75 %."
        ),
    ],
    "nobody selected": [
        ("No impact ratio by group: nobody in the reference group was selected, so there is no ratio to its rate."),
    ],
    "large": [
        (
            "The selection rate was 49.0 % for group = f and 52.0 % for group = m: impact ratio 0.94 (95 % CI "
            "0.91–0.98), not below four-fifths, Cohen's h −0.06, statistically significant (Fisher's exact test: "
            "p = 0.003)."
        ),
        (
            "The rates differ, and their ratio was shown to be above four-fifths, and within 0.8 to 1.25 (exact "
            "one-sided test: p < 0.001; 90 % CI 0.91–0.97)."
        ),
    ],
    "everybody selected": [
        (
            "The selection rate was 100.0 % for group = a and 100.0 % for group = b: impact ratio 1.00 (95 % CI "
            "0.89–1.08), not below four-fifths, not statistically significant (Fisher's exact test: p = 1.000)."
        ),
        "The ratio was shown to be above four-fifths, and within 0.8 to 1.25 (exact one-sided test: p = 0.003; 90 % CI "
        "0.92–1.05). Minimum detectable ratio with 31 and 50 applicants, at 80 % statistical power: 0.83.",
    ],
    "nobody in the reference": [
        (
            "The selection rate was 40.0 % for group = a and 0.0 % for group = b: a difference of +40.0 "
            "percentage points (there is no impact ratio to a rate of 0), statistically significant (Fisher's "
            "exact test: p < 0.001)."
        ),
    ],
    "no position with both": [
        (
            "The selection rate was 25.0 % for sex = f and 60.0 % for sex = m: impact ratio 0.42 (95 % CI "
            "0.23–0.72), below four-fifths, statistically significant (Fisher's exact test: p = 0.001)."
        ),
        (
            "There is no common odds ratio within positions: in no stratum are there people of both groups, "
            "some selected and some not."
        ),
    ],
    "three groups": [
        (
            "The selection rate was 20.0 % for group = a and 38.0 % for group = b: impact ratio 0.53 (95 % CI "
            "0.33–0.83), below four-fifths, statistically significant (Fisher's exact test: p = 0.008 alone, "
            "0.023 over 3 comparisons)."
        ),
    ],
    "reversal": [
        (
            "Over all positions together, the selection rate was lower for women than for men; within positions no "
            "difference was detected (Simpson's paradox)."
        ),
        (
            "Together: 30.4 % against 44.5 %, impact ratio 0.68 (95 % CI 0.63–0.74), below four-fifths, "
            "statistically significant (Fisher's exact test: p < 0.001 alone and over 3 comparisons)."
        ),
        (
            "Within the 6 positions (department) with people of both groups: common odds ratio 1.11 (95 % CI "
            "0.94–1.30), not statistically significant (Mantel-Haenszel test: p = 0.217 alone and over 3 "
            "comparisons; minimum detectable odds ratio 0.77)."
        ),
        (
            "In 1 of 6 positions (gender) a group is below four-fifths and the difference is statistically "
            "significant after correction: A (male, ratio 0.75)."
        ),
        ("The odds ratios of positions differ (women: Breslow-Day p = 0.004 over 2 such tests)."),
    ],
    "gone within positions": [
        (
            "Over all positions together, the selection rate was lower for sex = f than for sex = m; within "
            "positions no difference was detected."
        ),
        (
            "Together: 18.0 % against 42.0 %, impact ratio 0.43 (95 % CI 0.26–0.68), below four-fifths, "
            "statistically significant (Fisher's exact test: p < 0.001 alone, 0.001 over 3 comparisons)."
        ),
        (
            "Within the 2 positions (job) with people of both groups: common odds ratio 1.00 (95 % CI "
            "0.43–2.32), not statistically significant (Mantel-Haenszel test: p = 1.000 alone and over 3 "
            "comparisons; minimum detectable odds ratio 0.25)."
        ),
    ],
    "hidden by positions": [
        (
            "Over all positions together, no statistically significant difference between sex = f and sex = m was"
            " detected; within positions the selection rate was lower for sex = f."
        ),
        (
            "Together: 37.0 % against 42.0 %, impact ratio 0.88 (95 % CI 0.69–1.12), not below four-fifths, not"
            " statistically significant (Fisher's exact test: p = 0.357 alone and over 3 comparisons)."
        ),
        (
            "Within the 2 positions (job) with people of both groups: common odds ratio 0.42 (95 % CI "
            "0.25–0.70), statistically significant (Mantel-Haenszel test: p < 0.001 alone, 0.002 over 3 "
            "comparisons)."
        ),
        (
            "In 1 of 2 positions (sex) a group is below four-fifths and the difference is statistically "
            "significant after correction: high (f, ratio 0.73)."
        ),
    ],
    "opposite within positions": [
        (
            "Over all positions together, the selection rate was lower for sex = m than for sex = f; within "
            "positions it was higher (Simpson's paradox)."
        ),
        (
            "Together: 25.4 % against 46.7 %, impact ratio 0.54 (95 % CI 0.42–0.70), below four-fifths, "
            "statistically significant (Fisher's exact test: p < 0.001 alone and over 3 comparisons)."
        ),
        (
            "Within the 2 positions (job) with people of both groups: common odds ratio 2.95 (95 % CI "
            "1.47–5.95), statistically significant (Mantel-Haenszel test: p = 0.002 alone, 0.003 over 3 "
            "comparisons)."
        ),
    ],
    "remains within positions": [
        (
            "The selection rate was 22.0 % for sex = f and 51.0 % for sex = m: impact ratio 0.43 (95 % CI "
            "0.28–0.65), below four-fifths, statistically significant (Fisher's exact test: p < 0.001 alone and "
            "over 3 comparisons)."
        ),
        ("Within positions the difference remains: common odds ratio 0.27 (95 % CI 0.15–0.50) for sex = f."),
    ],
    "cut-off": [
        (
            "By a score above 2.5, the selection rate was 50.0 % for sex = f and 75.0 % for sex = m: impact ratio"
            " 0.67 (95 % CI 0.54–0.81), below four-fifths, statistically significant (Fisher's exact test: p < "
            "0.001 alone and over 2 comparisons)."
        ),
    ],
    "means": [
        (
            "The mean score was 2.750 for sex = f and 3.250 for sex = m: ratio 0.85 (95 % CI 0.79–0.91), "
            "standardised difference −0.60 (95 % CI −0.86 to −0.34), statistically significant (Welch's t test: t"
            " = −4.65 on 238.0 df, p < 0.001)."
        ),
    ],
    "stages": [
        (
            "Over all stages, the selection rate was 41.7 % for sex = f and 62.5 % for sex = m: impact ratio 0.67"
            " (95 % CI 0.51–0.85), below four-fifths, statistically significant (Fisher's exact test: p = 0.002 "
            "alone, 0.004 over 3 comparisons)."
        ),
        (
            "Stages with a statistically significant difference: screen, sex = f against m 0.67 (0.54–0.81), p < "
            "0.001 alone and over 3 comparisons."
        ),
    ],
    "intersectional": [
        (
            "The selection rate was 30.0 % for sex = f and 47.5 % for sex = m: impact ratio 0.63 (95 % CI "
            "0.49–0.81), below four-fifths, statistically significant (Fisher's exact test: p < 0.001 alone and "
            "over 2 comparisons)."
        ),
        (
            "The selection rate was 32.5 % for Asian people and 45.0 % for White people: impact ratio 0.72 (95 % "
            "CI 0.56–0.93), below four-fifths, statistically significant (Fisher's exact test: p = 0.014 alone "
            "and over 2 comparisons)."
        ),
        (
            "Sex × race: of 3 groups compared with m × White, 1 is below four-fifths (lowest: f × Asian, 0.40) "
            "and 1 has a statistically significant difference (Benjamini-Hochberg over 6 comparisons)."
        ),
    ],
    "stated shares": [
        (
            "Sex = f: 30 of 100 people, 30.0 %; 15.0 fewer than the 45.0 expected by the stated share of 45.0 %, "
            "statistically significant (exact binomial test: p = 0.002)."
        ),
        (
            "Sex = m: 70 of 100 people, 70.0 %; 15.0 more than the 55.0 expected by the stated share of 55.0 %, "
            "statistically significant (exact binomial test: p = 0.002)."
        ),
    ],
    "enough people": [
        (
            "Sex = f: 45 of 100 people, 45.0 %; 5.0 fewer than the 50.0 expected by the stated share of 50.0 %, "
            "not statistically significant (exact binomial test: p = 0.368)."
        ),
    ],
    "advertisements": [
        (
            "The selection rate was 23.1 % for Black people and 34.4 % for White people: impact ratio 0.67 (95 % "
            "CI 0.58–0.79), below four-fifths, statistically significant (cluster-robust t test, CR2: t = −3.49 "
            "on 39.0 df, p = 0.001 alone, 0.005 over 4 comparisons; clusters: 40 by ad)."
        ),
        (
            "Within the same ad, sex = m against sex = f: −7.5 percentage points (95 % CI −14.1 to −0.9), not "
            "statistically significant (cluster-robust t test, CR2: t = −2.31 on 39.0 df, p = 0.027 alone, 0.053 "
            "over 4 comparisons; clusters: 40 by ad; minimum detectable difference 11.3 percentage points)."
        ),
        (
            "Within the same ad, the selection rate was 11.2 percentage points lower for Black people than for "
            "White people (95 % CI −17.8 to −4.7), statistically significant (cluster-robust t test, CR2: t = "
            "−3.49 on 39.0 df, p = 0.001 alone, 0.005 over 4 comparisons; clusters: 40 by ad)."
        ),
        (
            "The selection rate was 25.0 % for sex = m and 32.5 % for sex = f: impact ratio 0.77 (95 % CI "
            "0.60–0.98), below four-fifths, not statistically significant (cluster-robust t test, CR2: t = −2.31 "
            "on 39.0 df, p = 0.027 alone, 0.053 over 4 comparisons; clusters: 40 by ad)."
        ),
    ],
    "one group": [
        "Sex: all people of a known group belong to f, so there are no groups to compare.",
    ],
}

STEPS = {
    "fewer": [
        (
            (
                "Which position or stage carries the difference? Totals don't show it; a table with a column for it "
                "does (--position, --stage)."
            ),
            "",
        ),
        (("Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"), ""),
    ],
    "more": [
        (
            "What are the impact ratios to the group with the highest selection rate?",
            "evenhand impact --counts women=557/1835,men=1198/2691",
        ),
        (
            (
                "Which position or stage carries the difference? Totals don't show it; a table with a column for it "
                "does (--position, --stage)."
            ),
            "",
        ),
    ],
    "none detected": [
        (
            (
                "How many decisions would show an impact ratio of 0.8? With 80 % statistical power 371 per group at"
                " the reference's rate; here there are 200 and 200."
            ),
            "",
        ),
    ],
    "too little data": [
        (("Is there a pattern over positions or time? One changed selection reverses this table alone."), ""),
    ],
    "nobody selected": [],
    "everybody selected": [
        (
            (
                "How many decisions would show an impact ratio of 0.8? With 80 % statistical power 39 per group at "
                "the reference's rate; here there are 31 and 50."
            ),
            "",
        ),
    ],
    "nobody in the reference": [],
    "no position with both": [
        (("Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"), ""),
    ],
    "three groups": [
        (
            (
                "Which position or stage carries the difference? Totals don't show it; a table with a column for it "
                "does (--position, --stage)."
            ),
            "",
        ),
        (("Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"), ""),
        (
            "What changes where the largest group is the reference (group)?",
            "evenhand impact --counts a=20/100,b=38/100,c=40/110 --reference largest",
        ),
    ],
    "reversal": [
        (("Do the groups apply to different positions? Their rates are in the tables by position."), ""),
        (
            "What does position A alone show? It has the largest shortfall (men).",
            (
                "evenhand impact reversal.csv --protected gender --selected admitted --position department --where "
                "\"department = 'A'\""
            ),
        ),
    ],
    "hidden by positions": [
        (("Do the groups apply to different positions? Their rates are in the tables by position."), ""),
        (
            "What does position high alone show? It has the largest shortfall (sex = f).",
            (
                "evenhand impact hidden-by-positions.csv --protected sex --selected hired --position job --where "
                "\"job = 'high'\""
            ),
        ),
    ],
    "remains within positions": [
        (
            "What is left without position one? It has the largest shortfall (sex = f).",
            (
                "evenhand impact remains-within-positions.csv --protected sex --selected hired --position job "
                "--where \"job <> 'one'\""
            ),
        ),
        (("Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"), ""),
    ],
    "cut-off": [
        (("Does the difference remain within positions? Add --position and a column, if the table has one."), ""),
        (
            "What changes with the median score as the cut-off?",
            ("evenhand impact cut-off.csv --protected sex --score score --cutoff 2.5 --cutoff 3.5 --median"),
        ),
        (("Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"), ""),
    ],
    "stages": [
        (("Does the difference remain within positions? Add --position and a column, if the table has one."), ""),
        (("Which documents validate stage screen, where the impact ratio is 0.67 (0.54–0.81) for sex = f?"), ""),
    ],
    "one group": [],
}
