"""Which labels are one group, which mean unknown, and which have to be explained."""

import polars as pl
import pytest

import evenhand
from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.group_labels import is_unknown, label_rules, may_be_unknown
from evenhand.data.tables import open_table
from evenhand.errors import InputError

UNKNOWN = """
Prefer not to disclose my race|I'd rather not say|Data missing|Ethnicity not recorded|Gender unknown|Not Known
Unknown - not stated|Not provided by the applicant|no information available|Didn't say|To be confirmed|n/a|(blank)|?
Applicant chose not to respond|Undisclosed / prefer not to say|Did not self-identify|declined to state|NaN
möchte ich nicht angeben|Angabe verweigert|ohne Angabe|Non communiqué|préfère ne pas répondre|sans réponse
no contesta|Sin datos|se niega a responder|NS/NC|wil niet zeggen|niet ingevuld|Onbekend/niet opgegeven
"""
GROUPS = """
Not Hispanic|Not Hispanic or Latino|Other|No known disability|Non-binary|Prefer to self-describe|Not listed
I am not a protected veteran|Does not identify as male or female|Two or more races|Sin religión|No binario|Niet-westers
Keine Behinderung|Native|Nicht-binär|Never married|None of these|Not in the US|Unmarried
"""
UNSURE = "None|White (not stated)|Other, not specified|Other/Unknown"


def each(labels):
    return [label.strip() for line in labels.splitlines() for label in line.split("|") if label.strip()]


def test_unknown_follows_a_rule_of_words():
    assert [label for label in each(UNKNOWN) if not is_unknown(label)] == []
    assert [label for label in each(GROUPS) if is_unknown(label) or may_be_unknown(label)] == []
    assert [label for label in each(UNSURE) if is_unknown(label) or not may_be_unknown(label)] == []


def counted(labels, **options):
    frame = pl.DataFrame([{"g": label, "hired": "yes"} for label, n in labels.items() for _ in range(n)])
    with open_table(frame) as table:
        return count_applicants(table, ApplicantQuery(protected=("g",), selected="hired", **options))


@pytest.mark.parametrize(
    ("labels", "groups"),
    [
        ({"Female": 3, "F": 2, "woman ": 1, "M": 4, "Men": 1}, {"Female": 6, "Men": 5}),
        ({"Frauen": 2, "w": 1, "Männer": 2, "m": 3, "divers": 1}, {"Frauen": 3, "Männer": 5, "divers": 1}),
        ({"Femme": 2, "F": 1, "Homme": 2, "H": 1}, {"Femme": 3, "Homme": 3}),
        ({"Mujer": 2, "M": 1, "Hombre": 2, "H": 1}, {"Mujer": 3, "Hombre": 3}),
        ({"Mujer": 2, "F": 1, "Hombre": 2, "M": 1}, {"Mujer": 3, "Hombre": 3}),
        ({"F": 2, "M": 1, "X": 1}, {"F": 2, "M": 1, "X": 1}),
        ({"Female": 2, "Male": 1, "X": 1}, {"Female": 2, "Male": 1, "X": 1}),
        ({"m\u0430le": 1, "male": 2, "\uff46\uff45male": 1, "fe\u200bmale": 1}, {"male": 3, "female": 2}),
        (
            {"Black": 2, "Black [3]": 3, "White\u00b9": 1, "White*": 1, "Other (2)": 1},
            {"Black": 5, "White": 2, "Other (2)": 1},
        ),
        ({"Asian": 2, "Asian Indian": 1, "Not Hispanic": 1}, {"Asian": 2, "Asian Indian": 1, "Not Hispanic": 1}),
    ],
)
def test_forms_of_one_group_are_taken_together(labels, groups):
    table = counted(labels)
    found = dict(table.counts.group_by("protected.g").agg(pl.col("n").sum()).iter_rows())
    assert {str(label).casefold(): n for label, n in found.items()} == {
        label.casefold(): n for label, n in groups.items()
    }
    merged = {label: n for entry in table.accounting.folded for label, n in entry.merged.items()}
    assert sum(merged.values()) == sum(labels.values()) - sum(n for label, n in labels.items() if label in set(found))


@pytest.mark.parametrize(
    ("labels", "options", "problem"),
    [
        ({"Mujer": 2, "Hombre": 2, "M": 3}, {}, r"the code 'M' \(3\) .*--map g:M=Mujer; M=M keeps M"),
        ({"White": 2, "Black": 2, "B": 1, "W": 2}, {}, "--map g:W=White,B=Black"),
        ({"White": 2, "Black": 2, "1": 1}, {}, "'1' .*--map g:1="),
        (
            {"White": 2, "Black": 2},
            {"mapped": ("g:W=White",)},
            "no label 'w' in the column 'g'. Labels: 'black', 'white'",
        ),
        ({"White": 2, "Black": 2}, {"mapped": ("White=W",)}, "expected COLUMN:FROM=TO"),
    ],
)
def test_what_can_be_read_two_ways_is_refused_with_the_option_that_settles_it(labels, options, problem):
    with pytest.raises(InputError, match=problem):
        counted(labels, **options)


def test_a_mapped_label_is_the_group_that_the_user_names():
    table = counted({"Mujer": 2, "Hombre": 2, "M": 3, "None": 1}, mapped=("g:M=Mujer,None=",))
    found = dict(table.counts.group_by("protected.g").agg(pl.col("n").sum()).iter_rows())
    assert found == {"Mujer": 5, "Hombre": 2, None: 1}
    assert label_rules(mapped=["g:A=B", "g:C=D", "h:A=C"]).mapped == {"g": {"a": "B", "c": "D"}, "h": {"a": "C"}}


def test_a_group_that_may_be_unknown_is_named():
    notes = counted({"White": 2, "Other/Unknown": 3}).accounting.notes
    assert any(
        "'Other/Unknown' (3) of g may mean unknown, but is a group here, and not the reference" in n for n in notes
    )


def test_a_group_that_may_be_unknown_is_no_reference_of_a_score_either(tmp_path):
    rows = [
        {"g": group, "good": n % 2, "score": (n % 10) / 20 + lift}
        for group, lift in (("White", 0.0), ("Black", 0.0), ("Other/Unknown", 0.5))
        for n in range(60)
    ]
    with pytest.warns(UserWarning, match="not the reference unless"):
        run = evenhand.evaluate(
            pl.DataFrame(rows),
            label="good",
            score="score",
            cutoff=0.4,
            protected=["g"],
            out=tmp_path / "r",
            report=False,
        )
    rates = [finding for finding in run.findings if finding.measure in {"diff_auc", "diff_tpr", "impact_ratio"}]
    assert [finding.reference["g"] for finding in rates] == ["Black"] * 6
