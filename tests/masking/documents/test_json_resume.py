"""JSON Resume: keys, order and structure stay; values are masked by field or as text."""

import json

import pytest

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents import json_resume
from evenhand.masking.documents.request import Request
from evenhand.masking.pronouns import MaskOptions

# Field names are those of the schema at jsonresume.org/schema, version 1.0.0.
RESUME = {
    "$schema": "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json",
    "basics": {
        "name": "Ngozi Okafor",
        "label": "Programmer",
        "image": "https://example.org/okafor.jpg",
        "email": "ngozi@example.org",
        "phone": "312-555-0188",
        "url": "https://okafor.example.org",
        "summary": "Okafor builds things; she leads.",
        "location": {"address": "2712 Broadway St", "postalCode": "94115", "city": "Chicago", "countryCode": "US"},
        "profiles": [{"network": "GitHub", "username": "nokafor", "url": "https://github.com/nokafor"}],
    },
    "work": [{"name": "Acme", "position": "Lead", "startDate": "2013-01-01", "highlights": ["Ngozi's team shipped"]}],
    "education": [{"institution": "Temple University", "endDate": "2011", "score": 3.9, "courses": []}],
    "references": [{"name": "Siiri Ekstrand", "reference": "Ekstrand liked Okafor."}],
    "meta": {"canonical": "https://okafor.example.org/resume.json", "version": "v1.0.0"},
}


def masked(resume, **options):
    request = Request(options=MaskOptions(**options))
    return json.loads(json_resume.masked_json_resume(json.dumps(resume).encode(), request).content)


def test_fields_and_texts_are_masked_and_the_rest_stays():
    expected = json.loads(json.dumps(RESUME))
    expected["basics"] |= {
        "name": "[NAME]",
        "image": "",
        "email": "[EMAIL]",
        "url": "[URL]",
        "summary": "[NAME] builds things; [GENDER] leads.",
        "profiles": [{"network": "GitHub", "username": "[URL]", "url": "[URL]"}],
    }
    expected["work"][0]["highlights"] = ["[NAME]'s team shipped"]
    expected["references"] = [{"name": "[NAME]", "reference": "[NAME] liked [NAME]."}]
    expected["meta"]["canonical"] = "[URL]"
    result = masked(RESUME)
    assert result == expected
    assert list(result) == list(RESUME)


def test_optional_fields_are_masked_when_asked_for():
    result = masked(RESUME, optional=("phone", "address", "school", "graduation_year"))
    assert result["basics"]["phone"] == "[PHONE]"
    assert set(result["basics"]["location"].values()) == {"[ADDRESS]"}
    assert result["education"][0] == {"institution": "[SCHOOL]", "endDate": "[GRADYEAR]", "score": 3.9, "courses": []}


def test_fields_of_no_schema_are_masked_by_their_key():
    told = {"gender": "F", "Marital_Status": "single", "photo": "x.png", "children": 2, "dateOfBirth": "1990-01-02"}
    result = masked({**RESUME, "personal": told}, optional=("dob",))
    assert result["personal"] == {
        "gender": "[GENDER]",
        "Marital_Status": "[MARITAL]",
        "photo": "",
        "children": "[MARITAL]",
        "dateOfBirth": "[DOB]",
    }


def test_what_is_in_a_field_is_masked_like_it():
    told = {
        "gender": {"value": "F", "declared": [True]},
        "phone": {"home": "312-555-0188", "area": 312},
        "photo": {"src": "okafor.png"},
        "referee": {"name": "Siiri Ekstrand", "firm": "Acme"},
        "contact": {"name": "Siiri Ekstrand"},
    }
    result = masked({**RESUME, "personal": told}, optional=("phone",))["personal"]
    assert result == {
        "gender": {"value": "[GENDER]", "declared": ["[GENDER]"]},
        "phone": {"home": "[PHONE]", "area": "[PHONE]"},
        "photo": {"src": ""},
        "referee": {"name": "[NAME]", "firm": "Acme"},
        "contact": {"name": "[NAME]"},
    }
    assert masked({**RESUME, "personal": told})["personal"]["phone"]["area"] == 312


@pytest.mark.parametrize(
    ("key", "value", "category"),
    [
        ("isMarried", "Yes", "MARITAL"),
        ("Are you married?", "No", "MARITAL"),
        ("ismarried", False, "MARITAL"),
        ("has_children", True, "MARITAL"),
        ("numberOfChildren", 3, "MARITAL"),
        ("kidsCount", "2", "MARITAL"),
        ("disabled", False, "DISABILITY"),
        ("usesWheelchair", True, "DISABILITY"),
        ("disabilityPercentage", 40, "DISABILITY"),
        ("schwerbehindert", "ja", "DISABILITY"),
        ("isLGBT", True, "ORIENTATION"),
        ("transgender", 1, "GENDER"),
        ("muslim", "n", "RELIGION"),
        ("christian", True, "RELIGION"),
        ("ethnic-group", "White", "ETHNICITY"),
        ("usCitizen", True, "ETHNICITY"),
    ],
)
def test_a_yes_or_a_number_is_masked_by_what_its_key_asks(key, value, category):
    told = {key: value, "health": {key: {"value": value}}}
    token = f"[{category}]"
    result = masked({**RESUME, "personal": told})["personal"]
    assert result == {key: token, "health": {key: {"value": token}}}


def test_other_yeses_and_numbers_stay():
    told = {"remote": True, "openToWork": "yes", "hasDriversLicense": True, "teamSize": 2, "downloads": 4000, "x": 3.5}
    told |= {"languages": {"german": True}, "theme": "black", "title": "Lead", "score": 1}
    assert masked({**RESUME, "more": told}, optional=("phone", "dob"))["more"] == told


def test_births_are_masked_where_asked_for_under_any_key():
    told = {
        "birthYear": 1985,
        "yearOfBirth": "1985",
        "born": 1985,
        "yob": "85",
        "ageRange": "25-34",
        "Geburtsjahr": 1985,
    }
    assert masked({**RESUME, "personal": told})["personal"] == told
    result = masked({**RESUME, "personal": told}, optional=("dob",))["personal"]
    assert result == dict.fromkeys(told, "[DOB]")


def test_a_number_is_a_telephones_where_asked_for():
    told = {"whatsapp": 3125550188, "mobileNumber": 3125550188, "github": "nokafor"}
    assert masked({**RESUME, "personal": told})["personal"] == told | {"github": "[URL]"}
    result = masked({**RESUME, "personal": told}, optional=("phone",))["personal"]
    assert result == {"whatsapp": "[PHONE]", "mobileNumber": "[PHONE]", "github": "[URL]"}


def test_an_answer_is_no_name():
    resume = {**RESUME, "personal": {"referee": True}, "more": {"published": "True"}}
    assert masked(resume)["more"] == {"published": "True"}


def test_a_name_is_known_from_the_address_where_the_field_is_empty():
    result = masked({"basics": {"name": "", "email": "ngozi.okafor@example.org", "summary": "Okafor leads."}})
    assert result["basics"]["summary"] == "[NAME] leads."


def test_strings_are_read_as_plain_text_and_as_markdown():
    told = "Ms O**kaf**or, <i>Oka</i>for, Ok&#97;for, [Oka](#a)for, Oka<b class='x'>for</b>"
    result = masked({"basics": {"name": "Ngozi Okafor", "summary": told}})["basics"]["summary"]
    assert result.count("[NAME]") == 5
    assert "kaf" not in result


def test_short_strings_are_no_names():
    strings = ["Okafor Prize", "Best Okafor", "CPA"]
    result = masked({"basics": {"name": "Ngozi Okafor"}, "awards": [{"title": title} for title in strings]})
    assert [award["title"] for award in result["awards"]] == ["[NAME] Prize", "Best [NAME]", "CPA"]


def test_a_name_in_the_schemas_address_is_found_by_the_check():
    with pytest.raises(CheckFailed, match="NAME"):
        masked({**RESUME, "$schema": "https://jsonresume.org/okafor"})


def test_a_name_in_a_key_stays_and_so_nothing_comes_back():
    with pytest.raises(CheckFailed, match="NAME"):
        masked({**RESUME, "about Okafor": "x"})


def test_letters_and_line_ends_stay():
    text = json.dumps({"basics": {"name": "Renée Okafor", "label": "Führung"}}, ensure_ascii=False, indent=2)
    content = text.replace("\n", "\r\n").encode("cp1252")
    result = json_resume.masked_json_resume(content, Request()).content
    assert "Führung".encode("cp1252") in result
    assert result.count(b"\r\n") == result.count(b"\n") > 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not JSON"),
        (b"[1]", "basics"),
        (b'{"work": []}', "basics"),
        (b'{"basics": {}, "basics": {}}', "twice"),
        (b'{"basics": {"age": NaN}}', "NaN"),
        (b'{"basics": {"age": 1e999}}', "1e999"),
        (b'{"basics": {"age": ' + b"1" * 9999 + b"}}", "digits"),
        (b'{"basics": ' + b'{"a":' * 100_000, "nested"),
    ],
)
def test_what_is_no_json_resume_is_told(content, message):
    with pytest.raises(InputError, match=message):
        json_resume.masked_json_resume(content, Request())
