"""Inventories of the user's own: read, counted, written by simulated models, or refused."""

from random import Random

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.business_vocabulary.counting import card_inventories, count_terms, read_inventories
from evenhand.probes.business_vocabulary.probe import PROBE

OWN = """inventory,gender,term
tech,male,Hands-on
tech,male,guards the code
tech,female,Team  Player
tech,female,not afraid to ask
care,male,firm
care,male,gentle
care,female,gentle
care,female,supervisor\N{RIGHT SINGLE QUOTATION MARK}s friend
"""


def written(folder, text=OWN):
    path = folder / "own.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_terms_are_folded_as_documents_are(tmp_path):
    found = read_inventories(written(tmp_path))
    assert found.names == ("tech", "care")
    terms = ["hands-on", "guards the code", "team player", "not afraid to ask", "firm", "gentle", "gentle"]
    assert found.table["term"].to_list() == [*terms, "supervisor's friend"]


def test_the_card_s_own_table_is_read_as_it_is(tmp_path):
    names = [*card_inventories().table.columns, "in_genderbench"]
    text = card_inventories().table.with_columns(pl.lit(1)).rename({"literal": "in_genderbench"}).write_csv()
    assert text.startswith(",".join(names))
    found = read_inventories(written(tmp_path, text))
    assert found.names == card_inventories().names
    assert found.table.equals(card_inventories().table)


@pytest.mark.parametrize(
    ("text", "tech", "care"),
    [
        ("She is hands-on, and hands on.", (2, 0), (0, 0)),
        ("He guarded the code with a firm hand.", (1, 0), (1, 0)),
        ("A team player, not afraid to ask.", (0, 2), (0, 0)),
        ("She is afraid to ask.", (0, 0), (0, 0)),
        ("A gentle person: on both sides.", (0, 0), (1, 1)),
        ("Her supervisor's friend, ambitious and warm.", (0, 0), (0, 1)),
    ],
)
def test_their_terms_are_counted_and_no_others(tmp_path, text, tech, care):
    counted = count_terms(pl.Series([text]), inventories=read_inventories(written(tmp_path))).terms
    found = {row[1]: row[2:] for row in counted.iter_rows()}
    assert (found.get("tech", (0, 0)), found.get("care", (0, 0))) == (tech, care)


@pytest.mark.parametrize(("kind", "gender", "side"), [("stereotyping", "male", "male"), ("feminine", "male", "female")])
def test_simulated_models_write_with_their_terms(tmp_path, kind, gender, side):
    probe = PROBE.with_settings({"inventories": written(tmp_path)})
    stimulus = {"name": "Adam Erickson", "gender": gender, "template": 1}
    texts = pl.Series([probe.respond(stimulus, kind, 1.0, Random(n)) for n in range(30)])
    counted = count_terms(texts, inventories=read_inventories(tmp_path / "own.csv")).terms
    other = {"male": "female", "female": "male"}[side]
    assert set(counted["inventory"]) == {"tech", "care"}
    assert (counted[side].sum() > 0, counted[other].sum()) == (True, 0)
    assert not {row[1] for row in count_terms(texts).terms.iter_rows() if row[1] == "wan"}


def test_an_inventory_whose_terms_all_stand_on_both_sides_can_be_written_with(tmp_path):
    path = written(tmp_path, "inventory,gender,term\nboth,male,kind\nboth,female,kind\n")
    probe = PROBE.with_settings({"inventories": path})
    assert "kind" in probe.respond({"name": "A B", "gender": "male", "template": 0}, "masculine", 1.0, Random(0))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("inventory,gender,term\n", "own.csv has no rows."),
        ("", "own.csv has no rows."),
        ("inventory,gender,word\na,male,firm\n", "has no column term; expected inventory, gender, term. Columns: inv"),
        ("inventory,gender,term,weight\na,male,firm,1\n", "unknown column 'weight'; expected inventory, gender, term."),
        (OWN.replace("firm", ""), "Row 5 of {}: there is no term."),
        (OWN.replace("care,male,firm", ",male,firm"), "Row 5 of {}: there is no inventory."),
        (OWN.replace("care,male,firm", "care,men,firm"), "Row 5 of {}: gender is 'men'; expected male or female."),
        (OWN + "tech,male,hands-ON\n", "Row 9 of {}: 'hands-on' is there twice as male in tech."),
        (OWN.replace("care,male,firm", "care,male,c++"), "Row 5 of {}: the term 'c++' is never counted"),
        (OWN.replace("care,male,firm", "care,male,firm's"), "Row 5 of {}: the term \"firm's\" is never counted"),
        (OWN.replace("care", "mean"), "Row 5 of {}: the inventory is called 'mean'; expected letters"),
        (OWN.replace("care", "race_white"), "Row 5 of {}: the inventory is called 'race_white'; expected letters"),
        (OWN + "new,male,bold\n", "The inventory 'new' of {} has no female term; it needs both genders."),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_refused_in_one_line(tmp_path, text, told):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as refused:
        read_inventories(path)
    assert told.format(path) in str(refused.value)
    assert "\n" not in str(refused.value)
