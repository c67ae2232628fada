"""Templates of requests that can't be used say so in one line."""

import json

import pytest

from evenhand.errors import InputError
from evenhand.models.scorer_service import read_request_form

BODY = {"cv": "{resume}", "job": "{position}"}
ITEMS = {"job": "{position}", "items": [{"id": "{id}", "cv": "{resume}"}]}


def read(tmp_path, content, *, score_at=None, environ=None):
    path = tmp_path / "t.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_request_form(path, score_at=score_at, environ=environ or {})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is not valid JSON"),
        ("[]", "is not a JSON object"),
        ({"cv": "{resume}"}, "has 'cv'; expected body, headers, query, several, poll."),
        ({"boddy": BODY}, "Did you mean body?"),
        ({"headers": {}}, "has no body"),
        ({"body": {"job": "{position}"}}, "has no place for the résumé"),
        ({"body": {"cv": "{resume}"}}, "has no place for the position"),
        ({"body": {**BODY, "x": "{resum}"}}, "{resum} is not a placeholder; expected {resume}"),
        ({"body": BODY, "headers": ["X"]}, "headers is not an object of texts"),
        ({"body": BODY, "headers": {"X": 3}}, "headers is not an object of texts"),
        ({"body": BODY, "headers": {"X Y": "a"}}, "'X Y' is not the name of a header"),
        ({"body": BODY, "headers": {"X": "a\nb"}}, "'X' in headers holds characters that a header can't have"),
        ({"body": BODY, "headers": {"X": "${NOT_SET}"}}, "names the environment variable NOT_SET in headers"),
        ({"body": BODY, "query": {"x": "${EMPTY}"}}, "names the environment variable EMPTY in query"),
        ({"body": BODY, "headers": {"X": "${ODD}"}}, "The value of ODD holds characters"),
        ({"body": BODY, "several": []}, "several is not an object"),
        ({"body": ITEMS, "several": {"list": "/items"}}, "at_most is None; expected a whole number from 1 to 1000"),
        ({"body": ITEMS, "several": {"list": "/items", "at_most": 0}}, "at_most is 0"),
        ({"body": ITEMS, "several": {"list": "/things", "at_most": 2}}, "the body has nothing at '/things'"),
        ({"body": ITEMS, "several": {"list": "/job", "at_most": 2}}, "has no list with one element"),
        ({"body": ITEMS, "several": {"list": "items", "at_most": 2}}, "is not a JSON pointer; expected /items"),
        ({"body": ITEMS, "several": {"list": "/items", "at_most": 2, "ids": "/id"}}, "Did you mean id?"),
        ({"body": {**ITEMS, "x": "{resume}"}, "several": {"list": "/items", "at_most": 2}}, "outside the list"),
        (
            {
                "body": {"items": [{"cv": "{resume}", "job": "{position}"}]},
                "several": {"list": "/items", "at_most": 2, "id": "/id"},
            },
            "write {id} into the list",
        ),
        ({"body": BODY, "poll": {}}, "has no definition of the end"),
        ({"body": BODY, "poll": {"until": {}}}, "until is {}"),
        ({"body": BODY, "poll": {"until": {"status": "done"}}}, "is not a JSON pointer; expected /status"),
        ({"body": BODY, "poll": {"until": {"/s": 1}, "every": 0}}, "every is 0; expected seconds above 0"),
        ({"body": BODY, "poll": {"until": {"/s": 1}, "status": 3}}, "status is 3; expected a JSON pointer"),
    ],
)
def test_a_template_that_can_not_be_used_is_refused_in_one_line(tmp_path, content, told):
    with pytest.raises(InputError) as caught:
        read(tmp_path, content, environ={"EMPTY": " ", "ODD": "sk-é", "SECRET": "s3cret"})
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="can't be read: no such file"):
        read_request_form(tmp_path / "none.json", score_at=None, environ={})


def test_a_score_pointer_in_the_manner_of_jsonpath_is_put_right(tmp_path):
    with pytest.raises(
        InputError, match=r"--score-at '\$\.result\.value' is not a JSON pointer; expected /result/value"
    ):
        read(tmp_path, {"body": BODY}, score_at="$.result.value")


def test_forms_are_told_apart_without_what_is_secret_in_them(tmp_path):
    content = {"body": BODY, "headers": {"X": "${KEY}"}}
    first = read(tmp_path, content, environ={"KEY": "one"})
    assert first.digest == read(tmp_path, content, environ={"KEY": "two"}).digest
    assert first.digest != read(tmp_path, content, score_at="/other", environ={"KEY": "one"}).digest
    assert first.secrets == ("one",)
