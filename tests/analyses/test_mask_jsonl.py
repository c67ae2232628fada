"""`evenhand mask --jsonl`: rows in, masked rows out, wrong input told in one line without what the rows hold."""

import json

import pytest

import evenhand as eh
from evenhand.analyses.mask import mask_jsonl
from evenhand.data.toml_files import LONGEST_LINE
from evenhand.errors import CheckFailed, InputError
from evenhand.masking.pronouns import MaskOptions

OPTIONS = MaskOptions(optional=("phone",))


def written(path, *rows):
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_rows_are_masked_in_order_with_offsets_of_the_input(tmp_path):
    source = written(
        tmp_path / "in.jsonl",
        {"id": "a", "text": "\U0001f600 Zo\u00eb Quist, Tel. 312-555-0188", "known_names": ["Zo\u00eb Quist"]},
        {"text": "Ran the kiln."},
    )
    result = mask_jsonl(source, out=tmp_path / "out.jsonl", options=OPTIONS)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert rows == [
        {"id": "a", "text": "\U0001f600 [NAME], Tel. [PHONE]", "spans": [[2, 11, "NAME"], [18, 30, "PHONE"]]},
        {"text": "Ran the kiln.", "spans": []},
    ]
    assert result.content["spans"] == {"NAME": 1, "PHONE": 1}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{Ngozi", "Row 2"),
        ("[" + " " * LONGEST_LINE, "Line 2 .* is longer than 32 MB"),
        ({"txt": "Ngozi"}, "Row 2"),
        ({"text": 5}, "Row 2"),
        ({"text": "x", "known_names": "Ngozi"}, "row 2"),
    ],
)
def test_a_wrong_row_is_told_by_its_number_only(tmp_path, row, told):
    source = written(tmp_path / "in.jsonl", {"text": "fine"}, row)
    with pytest.raises(InputError, match=told) as caught:
        mask_jsonl(source, out=tmp_path / "out.jsonl", options=OPTIONS)
    assert "Ngozi" not in str(caught.value)
    assert not (tmp_path / "out.jsonl").exists()


def test_an_existing_file_and_the_input_are_not_overwritten(tmp_path):
    source = written(tmp_path / "in.jsonl", {"text": "fine"})
    with pytest.raises(InputError, match="already exists"):
        mask_jsonl(source, out=source, options=OPTIONS)
    with pytest.raises(InputError, match="the file to mask"):
        mask_jsonl(source, out=source, options=OPTIONS, force=True)


STRICT = MaskOptions(strict=True)
FOUND = {"text": "Zo\u00eb Quist\nRan the kiln.", "known_names": ["Zoe Quist"]}
OTHER = {"text": "Ngozi Okafor\nRan the kiln.", "known_names": []}


@pytest.mark.parametrize(
    ("rows", "known_names", "told"),
    [
        ((FOUND, OTHER), (), None),
        ((FOUND, OTHER), ("Ngozi Okafor",), None),
        ((OTHER, FOUND | {"known_names": ["Zoe Quist", "Zoe Qvist", "Wambui"]}), (), "Known name 3 of 3 .* row 2"),
        ((FOUND, OTHER), ("Ngozi", "Wambui", "Kariuki"), "Known names 2, 3 of 3 .* any row of"),
    ],
)
def test_known_names_that_stand_nowhere_fail_where_masking_is_strict(tmp_path, rows, known_names, told):
    source, out = written(tmp_path / "in.jsonl", *rows), tmp_path / "out.jsonl"
    asked = {"out": out, "known_names": known_names, "force": True}
    assert mask_jsonl(source, options=OPTIONS, **asked).texts == 2
    out.unlink()
    if told is None:
        assert mask_jsonl(source, options=STRICT, **asked).texts == 2
        return
    with pytest.raises(CheckFailed, match=told) as caught:
        mask_jsonl(source, options=STRICT, **asked)
    assert not any(name in str(caught.value) for name in ("Zo", "Wambui", "Kariuki"))
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        (b"Jane", {}, "text is of type bytes; expected str."),
        ("", {"metadata": 3}, "metadata is of type int; expected collections.abc.Sequence[str]."),
        ("", {"known_names": 3}, "known_names holds 3; expected texts."),
        ("", {"pronouns": "they"}, "pronouns is 'they'; expected token or neutral."),
        (
            "",
            {"optional": ["phone", "gradyear"]},
            "optional is 'gradyear'; expected some of phone, address, dob, graduation_year, school.",
        ),
    ],
)
def test_wrong_options_are_told(text, options, told):
    with pytest.raises(InputError) as refused:
        eh.mask(text, **options)
    assert str(refused.value) == told


def test_one_name_or_category_needs_no_list():
    masked = eh.mask("Zo\u00eb Quist, Tel. 312-555-0188", known_names="Zo\u00eb Quist", optional="phone")
    assert masked.text == "[NAME], Tel. [PHONE]"


def test_many_rows_are_masked_in_order_as_few_are(tmp_path):
    rows = [{"id": number, "text": f"Zo\u00eb Quist\nzoe@example.org\nClerk {number}"} for number in range(600)]
    many = written(tmp_path / "many.jsonl", *rows)
    few = written(tmp_path / "few.jsonl", *rows[:100])
    told = []
    mask_jsonl(many, out=tmp_path / "many_out.jsonl", options=OPTIONS, progress=lambda *done: told.append(done))
    mask_jsonl(few, out=tmp_path / "few_out.jsonl", options=OPTIONS)
    result = (tmp_path / "many_out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in result] == list(range(600))
    assert result[:100] == (tmp_path / "few_out.jsonl").read_text("utf-8").splitlines()
    assert told[-1] == ("masking", 600, 600)


@pytest.mark.parametrize("name", ["", " ", "J."])
def test_a_known_name_that_nothing_can_be_looked_for_by_is_refused(tmp_path, name):
    source = written(tmp_path / "in.jsonl", {"text": "fine"}, {"text": "fine", "known_names": [name]})
    with pytest.raises(InputError, match=r"known_names in row 2 .* not a name"):
        mask_jsonl(source, out=tmp_path / "out.jsonl", options=OPTIONS)
    with pytest.raises(InputError, match="not a name"):
        mask_jsonl(source, out=tmp_path / "out.jsonl", options=OPTIONS, known_names=[name])
    with pytest.raises(InputError, match="not a name"):
        eh.mask("fine", known_names=[name])
    assert not (tmp_path / "out.jsonl").exists()
