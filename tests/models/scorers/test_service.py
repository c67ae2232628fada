"""A scorer behind HTTP against a service on this machine that misbehaves."""

import asyncio
import base64
import io
import json
import zipfile

import pytest
from yarl import URL

from evenhand.errors import InputError
from evenhand.models.model import Failure
from evenhand.models.scorer_service import HttpScorer, read_request_form, scorer_address
from loopback_scorer import JOB, Scorer, request, score_of

KEY = "sk-abcdefgh12345678"


def form_of(tmp_path, content=None, *, score_at=None, environ=None):
    path = None
    if content is not None:
        path = tmp_path / "request.json"
        path.write_text(json.dumps(content))
    return read_request_form(path, score_at=score_at, environ=environ or {})


async def ask(url, form, *, requests=None, patience=5.0):
    async with HttpScorer(URL(url), form, timeout=patience, concurrency=4) as scorer:
        return await scorer.answer(requests or request())


async def failure_of(fault, form, path="/score", **options):
    async with Scorer([fault]) as server:
        with pytest.raises(Failure) as caught:
            await ask(server.url + path, form, **options)
    return caught.value


async def test_without_a_template_resume_and_position_are_sent_and_the_score_is_read(tmp_path):
    async with Scorer() as server:
        answer = await ask(f"{server.url}/score", form_of(tmp_path))
    assert server.bodies == [{"resume": "Jane Doe, nurse", "position": JOB}]
    assert answer.text == str(score_of("Jane Doe, nurse", JOB))


async def test_a_template_says_what_is_sent_where_the_score_is_and_which_headers_go_along(tmp_path):
    content = {
        "body": {"cv": "{resume}", "job": "{title}: {position}", "fixed": [1, None, "{file_name} {position_id}"]},
        "headers": {"Authorization": "Bearer ${SCORER_KEY}", "X-Tenant": "us"},
        "query": {"code": "${SCORER_KEY}", "v": "2"},
    }
    form = form_of(tmp_path, content, score_at="/result/value", environ={"SCORER_KEY": KEY})
    async with Scorer() as server:
        answer = await ask(f"{server.url}/nested", form)
    assert server.bodies == [{"cv": "Jane Doe, nurse", "job": f"Nurse: {JOB}", "fixed": [1, None, "r1.txt n1"]}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert (server.headers[0]["X-Tenant"], server.queries[0]) == ("us", {"code": KEY, "v": "2"})
    assert answer.text == str(score_of("Jane Doe, nurse", f"Nurse: {JOB}"))
    assert KEY not in repr(form)


async def test_a_file_is_sent_as_base64_text_or_as_a_word_document(tmp_path):
    for placeholder in ("{resume_base64}", "{resume_docx}"):
        body = {"cv": placeholder, "job": "{position}", "kind": "base64"}
        async with Scorer() as server:
            await ask(f"{server.url}/nested", form_of(tmp_path, {"body": body}, score_at="/result/value"))
        sent = base64.b64decode(server.bodies[0]["cv"])
        if placeholder == "{resume_docx}":
            with zipfile.ZipFile(io.BytesIO(sent)) as archive:
                sent = archive.read("word/document.xml")
        assert b"Jane Doe, nurse" in sent


async def test_what_stands_in_a_resume_is_no_placeholder_and_half_an_emoji_is_sent(tmp_path):
    async with Scorer() as server:
        await ask(f"{server.url}/score", form_of(tmp_path), requests=request(resume="{position} \ud83d"))
    assert server.bodies[0]["resume"] == "{position} ?"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0.5", "0.5"),
        ('"72"', "72"),
        ("NaN", "NaN"),
        ("null", "null"),
        ('"high"', "high"),
        ("[1, 2]", "[1, 2]"),
        ("true", "true"),
    ],
)
async def test_whatever_stands_at_the_score_is_kept_as_text(tmp_path, value, text):
    async with Scorer([f"value:{value}"]) as server:
        assert (await ask(f"{server.url}/score", form_of(tmp_path))).text == text


@pytest.mark.parametrize(
    ("fault", "kind", "error_class", "told"),
    [
        ("429:3", "retry", "rate_limit", "429"),
        ("503", "retry", "server_error", "503"),
        ("reset", "retry", "connection", "broke"),
        ("cut", "retry", "connection", "broke"),
        ("slow:2", "retry", "timeout", "within 0.3 s"),
        ("html", "retry", "malformed", "not valid JSON"),
        ("huge", "final", "too_large", "more than"),
        ("404", "fatal", "not_found", "Check the address in --scorer."),
        ("401", "fatal", "key", "Check the headers in --request"),
        ("400", "final", "rejected", "400"),
        (
            "lacking",
            "final",
            "no_score",
            "no score stands at /score: the keys there are points, unit. Give --score-at.",
        ),
        ("redirect:http://127.0.0.1:1/x", "fatal", "redirect", "Give the final address with --scorer."),
    ],
)
async def test_a_fault_says_what_the_run_is_to_do(tmp_path, fault, kind, error_class, told):
    failure = await failure_of(fault, form_of(tmp_path), patience=0.3 if fault.startswith("slow") else 5.0)
    assert (failure.kind, failure.error_class) == (kind, error_class)
    assert told in str(failure)


async def test_retry_after_is_heard(tmp_path):
    failure = await failure_of("429:3", form_of(tmp_path))
    assert failure.retry_after == 3.0
    assert failure.refused


async def test_a_key_is_in_no_message_and_no_answer(tmp_path):
    content = {"body": {"resume": "{resume}", "position": "{position}"}, "headers": {"Authorization": "${SCORER_KEY}"}}
    form = form_of(tmp_path, content, environ={"SCORER_KEY": KEY})
    failure = await failure_of("echo", form)
    assert "Wrong key" in str(failure)
    assert KEY not in str(failure)
    async with Scorer([f'value:"the key is {KEY}"']) as server:
        answer = await ask(f"{server.url}/score", form)
    assert answer.text == "the key is [key removed]"


@pytest.mark.parametrize(
    ("address", "environ", "told"),
    [
        ("http://example.org/score", {"SCORER_KEY": KEY}, True),
        ("https://example.org/score", {"SCORER_KEY": KEY}, False),
        ("http://127.0.0.1:1/score", {"SCORER_KEY": KEY}, False),
        ("http://example.org/score", {}, False),
    ],
)
def test_a_key_that_goes_unencrypted_to_another_machine_is_told(tmp_path, address, environ, told):
    headers = {"X-Key": "${SCORER_KEY}"} if environ else {}
    content = {"body": {"resume": "{resume}", "position": "{position}"}, "headers": headers}
    scorer = HttpScorer(URL(address), form_of(tmp_path, content, environ=environ), timeout=1, concurrency=1)
    assert (scorer.unencrypted is not None) is told


POLL = {
    "body": {"resume": "{resume}", "position": "{position}"},
    "poll": {"until": {"/status": "done"}, "failed": {"/status": ["failed", "error"]}, "every": 0.01, "within": 2},
}


async def test_a_score_is_waited_for_where_the_answer_names_a_location(tmp_path):
    async with Scorer(looks=3) as server:
        server.busy_polls = 1
        answer = await ask(f"{server.url}/jobs", form_of(tmp_path, POLL))
    assert answer.text == str(score_of("Jane Doe, nurse", JOB))
    assert server.polls == 5  # one met a busy server, three found it running


@pytest.mark.parametrize(
    ("fault", "expected", "told"),
    [
        ("failed", ("final", "failed"), "scoring failed"),
        ("away", ("fatal", "redirect"), "at another address than its own"),
        ("ok", ("retry", "timeout"), "within 0.2 s"),
    ],
)
async def test_waiting_ends_with_the_reason(tmp_path, fault, expected, told):
    content = {**POLL, "poll": {**POLL["poll"], "within": 0.2}}
    async with Scorer([fault], looks=10**6) as server:
        with pytest.raises(Failure) as caught:
            await ask(f"{server.url}/jobs", form_of(tmp_path, content))
    assert (caught.value.kind, caught.value.error_class) == expected
    assert told in str(caught.value)


async def test_a_score_that_comes_later_is_told_where_nobody_waits_for_it(tmp_path):
    failure = await failure_of("ok", form_of(tmp_path), path="/jobs")
    assert (failure.kind, failure.error_class) == ("final", "no_score")
    assert "answered 202 Accepted and no score: it comes later. Say with poll in --request" in str(failure)


SEVERAL = {
    "body": {"job": "{position}", "items": [{"id": "{id}", "cv": "{resume}"}]},
    "several": {"list": "/items", "at_most": 4, "answers": "/results", "id": "/id"},
}


async def answers_of(server, form, resumes):
    async with HttpScorer(URL(f"{server.url}/several"), form, timeout=5.0, concurrency=2) as scorer:
        asked = [scorer.answer(request(number, resume)) for number, resume in enumerate(resumes)]
        return await asyncio.gather(*asked, return_exceptions=True)


async def test_several_pairs_go_in_one_request_and_results_are_told_apart_by_id(tmp_path):
    resumes = [f"person {number}" for number in range(10)]
    async with Scorer(delay=0.05) as server:
        answers = await answers_of(server, form_of(tmp_path, SEVERAL), resumes)
    assert [answer.text for answer in answers] == [str(score_of(resume, JOB)) for resume in resumes]
    assert server.sizes == [4, 4, 2]
    assert server.most_at_once == 2


async def test_without_ids_results_are_taken_in_their_order_and_must_be_as_many(tmp_path):
    by_order = {**SEVERAL, "several": {key: value for key, value in SEVERAL["several"].items() if key != "id"}}
    async with Scorer(then="short") as server:
        answers = await answers_of(server, form_of(tmp_path, by_order), ["a", "b"])
    assert {answer.error_class for answer in answers} == {"wrong_length"}


async def test_a_pair_without_a_result_does_not_take_the_others_with_it(tmp_path):
    async with Scorer(["short"]) as server:
        answers = await answers_of(server, form_of(tmp_path, SEVERAL), ["a", "b", "c"])
    assert [getattr(answer, "error_class", None) for answer in answers] == [None, None, "no_score"]


async def test_a_document_that_is_refused_is_found_among_those_beside_it(tmp_path):
    async with Scorer(then="bad:scan") as server:
        answers = await answers_of(server, form_of(tmp_path, SEVERAL), ["a", "b", "scan", "d"])
    assert [answer.error_class for answer in answers] == [None, None, "rejected", None]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://", "is not an HTTP address; expected an address such as"),
        ("ftp://h/x", "is not an HTTP address"),
        ("http://h:99999/x", "is not an address"),
        ("http://h/x y", "is not an HTTP address"),
        ("https://h/score?key=hush", "followed by ? or #, and the address is kept on disk"),
        ("https://me:hush@h/score", "holds a user name or password"),
    ],
)
def test_an_address_that_is_none_or_holds_a_secret_is_refused(address, told):
    with pytest.raises(InputError) as caught:
        scorer_address(address)
    assert told in str(caught.value)
    assert "hush" not in str(caught.value)
    assert "\n" not in str(caught.value)
