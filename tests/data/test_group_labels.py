"""Which labels are one group, which mean unknown, and which have to be explained."""

import polars as pl
import pytest

import evenhand
from evenhand.comparisons.impact_cells import known_groups
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
Race and ethnicity unknown|Unknown or Not Reported|prefer_not_to_say|Missing & unknown|Nonresponse|To be determined
Race: not recorded|missing values|not yet known|Disability status unknown|No ethnicity recorded|Withheld by applicant
noch nicht bekannt|fehlende Angabe|nicht offengelegt|Unbekannt oder keine Angabe|unbekannte Herkunft|noch zu klären
non divulgué|données manquantes|à confirmer|Inconnu ou non renseigné|pas encore renseigné|aucune réponse
no revelado|datos faltantes|por confirmar|Desconocido o no consta|todavía no declarado|se desconoce|sin información
nog niet bekend|niet gedeeld|ontbrekende gegevens|nog te bevestigen|Onbekend of niet opgegeven|niet_opgegeven
Prefer to not say|Won't say|98 Not recorded|9 - unknown|Not asked/recorded|Could not be obtained|Not able to say
Opted out|wollte nicht antworten|Auskunft abgelehnt|n'a pas voulu répondre|pas d'information|a choisi de ne pas répondre
eligió no responder|optó por no contestar|geeft liever geen antwoord|kiest ervoor niet te antwoorden
"""
GROUPS = """
Not Hispanic|Not Hispanic or Latino|Other|No known disability|Non-binary|Prefer to self-describe|Not listed
I am not a protected veteran|Does not identify as male or female|Two or more races|Sin religión|No binario|Niet-westers
Keine Behinderung|Native|Nicht-binär|Never married|None of these|Not in the US|Unmarried
No disability declared|No conviction recorded|No criminal record|Keine Behinderung angegeben|Aucun handicap déclaré
65 - 70|Client stated asylum|Patient|Negro
Person of color|Black or African American|Race: White|Man or woman|Neither male nor female|Disability declared
Sin discapacidad declarada|Geen beperking opgegeven|Non handicapé|Of African origin|Known to police|Ohne Ausbildung
"""
UNSURE = """
None|White (not stated)|Other, not specified|Other/Unknown|White or unknown|None recorded|absent|Blanco
Not available for shifts|Withheld tax status|Refused asylum seeker|Caste not recorded
"""


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
        ({"F": 2, "M": 1, "\u041c": 3, "Other": 1}, {"F": 2, "M": 4, "Other": 1}),
        ({"\u039cale": 1, "Male": 2, "Female": 1}, {"Male": 3, "Female": 1}),
        ({"Wh\u0131te": 1, "White": 2, "BAME": 1, "Roma": 1}, {"White": 3, "BAME": 1, "Roma": 1}),
        ({"Blanco": 3, "Negro": 1}, {"Blanco": 3, "Negro": 1}),
        ({"NC": 3, "TX": 1}, {"NC": 3, "TX": 1}),
        ({"W": 2, "B": 1, "Other": 1}, {"W": 2, "B": 1, "Other": 1}),
        ({"Yes": 2, "No": 1, "Partially": 1}, {"Yes": 2, "No": 1, "Partially": 1}),
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
        ({"White": 2, "Black": 2, "WH": 2, "AA": 1}, {}, "'WH' .2., 'AA' .1. .*--map g:WH=White,AA=Black"),
        ({"WHITE": 2, "BLACK": 2, "blk": 1}, {}, "--map g:blk=BLACK"),
        ({"White": 2, "Black": 2, "NHPI": 1}, {}, "--map g:NHPI=…"),
        ({"White, British": 2, "W": 2}, {}, "--map 'g:W=White, British'"),
        ({"M\u0443\u0436": 2, "W": 2}, {}, "two alphabets; .*--map g:"),
        ({"White": 2, "W": 2}, {"mapped": ("g:W=…",)}, "write the meaning of 'W'"),
        ({"White": 2, "W": 2}, {"mapped": ("h:W=White",)}, "no column 'h' has groups here. Columns: g."),
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
    rules = label_rules(
        mapped=["g:A=B", "g:C=D,h:A=C", "Race: own:W=White, not Hispanic"], columns=["Race: own", "g", "h"]
    )
    assert rules.mapped("g", ["A", "C"]) == {"a": "B", "c": "D"}
    assert rules.mapped("h", ["A"]) == {"a": "C"}
    assert rules.mapped("Race: own", ["W", "White, not Hispanic"]) == {"w": "White, not Hispanic"}


def test_a_group_that_may_be_unknown_is_named():
    for labels in ({"White": 2, "Other/Unknown": 3}, {"TX": 2, "NC": 3}):
        named = f"'{[*labels][1]}' (3) of g may mean unknown, but is a group here, and not the reference"
        assert any(named in note for note in counted(labels).accounting.notes)


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
    assert known_groups([("None",), ("White",)]).tolist() == [False, True]
    assert known_groups([("Blanco",), ("Negro",), ("Other/Unknown",)]).tolist() == [True, True, False]
    rates = [finding for finding in run.findings if finding.measure in {"diff_auc", "diff_tpr", "impact_ratio"}]
    assert [finding.reference["g"] for finding in rates] == ["Black"] * 6
