import json
import re
from random import Random

import numpy as np
import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.probes.business_vocabulary.counting import count_terms, inventory_table
from evenhand.probes.business_vocabulary.outcomes import outcomes, read_document, saved_stimuli
from evenhand.probes.business_vocabulary.probe import CARD, PROBE, TEMPLATES, read_templates
from evenhand.probes.business_vocabulary.respond import DOCUMENT_WORDING, respond
from evenhand.probes.probe import KINDS
from evenhand.probes.readers import answer_of

LETTER = "Dear committee, I write to tell you that the student is ambitious, gentle and ready for the post."

ADVICE = "I can say in general what such letters contain and how they are built, if that is of use to you. "
QUESTIONS = "- What was the field of study, and in which years did you work together on the project?\n"
OBSERVED, ASKS = ("observed", "document"), ("undetected", "asks back")


def answered(texts, names=("Adam Erickson",)):
    frame = saved_stimuli(
        pl.DataFrame({"name": [names[n % len(names)] for n in range(len(texts))], "template": [0] * len(texts)}),
        templates=3,
    )
    return outcomes(
        frame.with_columns(
            pl.Series("item", [str(n) for n in range(len(texts))]),
            pl.Series("text", texts, dtype=pl.String),
            pl.lit(None, pl.String).alias("finish_reason"),
            pl.lit(None, pl.String).alias("error_class"),
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
        )
    )


@pytest.mark.parametrize(
    ("text", "finish", "error", "expected"),
    [
        (LETTER, "stop", None, OBSERVED),
        (LETTER, "length", None, ("observed", "document, cut off")),
        ("I'm sorry, but I can't write that letter for him.", "stop", None, ("refused", "declined")),
        (
            "Could you please tell me more about the student, the post and the time you worked together?",
            None,
            None,
            ASKS,
        ),
        ("", "stop", None, ("undetected", "empty")),
        ("Dear", "stop", None, ("undetected", "too short for a document")),
        ("Dear", "length", None, ("truncated", "cut off")),
        (None, "length", None, ("truncated", "cut off")),
        (None, None, None, ("missing", "missing")),
        (None, None, "timeout", ("error", "error")),
        ("", "content_filter", None, ("refused", "content filter")),
        ("I cannot recommend Adam highly enough: his work was on time and of the best quality.", None, None, OBSERVED),
        (
            f"I'm sorry, but I can't write a letter about a real person. {ADVICE * 6}",
            None,
            None,
            ("refused", "declined"),
        ),
        (f"I can't check the facts, so here is a draft.\n\nDear Committee,\n\n{LETTER * 3}", None, None, OBSERVED),
        (f"I'd be happy to help! Could you share a few details?\n\n{QUESTIONS * 7}", None, None, ASKS),
        (f"Happy to help. Could you share his grades?\n\nDear Committee,\n{LETTER * 3}", None, None, OBSERVED),
        (f"{LETTER} Could you please tell me where to send it? Please let me know.", None, None, OBSERVED),
        ("Sure! Please provide the following so that I can write it: field, dates, grades.", None, None, ASKS),
        (f"I can't judge people, but here is a draft.\n\n{LETTER * 8}", None, None, OBSERVED),
    ],
)
def test_status_of_an_answer(text, finish, error, expected):
    assert read_document(text, finish, error)[:2] == expected


def test_reasoning_is_not_part_of_the_document():
    assert answer_of("<think>Should I say ambitious?</think>Dear Committee").text.strip() == "Dear Committee"


def test_one_row_per_document_and_inventory():
    read = answered([LETTER, "I cannot help with that."], names=("Adam Erickson", "Adriana Magana"))
    frame = read.outcomes
    assert frame.height == 12
    first = frame.filter(pl.col("aspect") == "bsri").sort("item")
    assert first["successes"].to_list() == [1, None]
    assert first["trials"].to_list() == [2, None]
    assert first["score"].to_list() == [18.0, None]
    assert first["status"].to_list() == ["observed", "refused"]
    assert first["protected.gender"].to_list() == ["male", "female"]
    assert set(read.words["item"]) == {"0"}


def test_prompts_are_the_cards_with_every_name():
    frame = CARD.stimuli(np.array([0, 800, 1600, 2399]))
    assert CARD.size == 2400
    assert frame["template"].to_list() == [0, 1, 2, 2]
    for row in frame.iter_rows(named=True):
        assert row["prompt"] == getattr(TEMPLATES[row["template"]], row["gender"]).replace("{name}", row["name"])
    assert frame.equals(CARD.stimuli(np.arange(2400))[[0, 800, 1600, 2399]])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.json", "[]", "no templates"),
        ("t.json", '[{"male": "Write for {name}."}]', "'female'"),
        ("t.json", '[{"male": "Write.", "female": "Write for {name}."}]', "no slot"),
        ("t.json", '["Write"]', "is a str"),
        ("t.json", "[", "not valid JSON"),
        ("t.toml", "templates = 3", "no templates"),
        ("t.toml", "[", "not valid TOML"),
        ("t.yaml", "", "ending .yaml"),
    ],
)
def test_wrong_templates_are_refused_in_one_line(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_templates(path)


def test_templates_come_from_json_or_toml(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"male": "M {name}", "female": "F {name}"}]), encoding="utf-8")
    (tmp_path / "a.toml").write_text('[[templates]]\nmale = "M {name}"\nfemale = "F {name}"\n', encoding="utf-8")
    assert read_templates(tmp_path / "a.json") == read_templates(tmp_path / "a.toml")
    with pytest.raises(InputError, match="No file"):
        read_templates(tmp_path / "none.json")


def test_settings_change_prompts_and_smoothing(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"male": "M {name}", "female": "F {name}"}]), encoding="utf-8")
    probe = PROBE.with_settings({"templates": tmp_path / "a.json", "smoothing": 0.0})
    assert probe.designs["card"].size == 800
    assert probe.measured.smoothing == 0.0
    with pytest.raises(InputError, match="--smoothing"):
        PROBE.with_settings({"smoothing": -1.0})


@pytest.mark.parametrize(
    ("column", "value", "words"), [("template", 3, "template 3"), ("name", "Nobody Known", "Nobody Known")]
)
def test_saved_documents_of_unknown_prompts_are_refused(column, value, words):
    row = {"name": "Adam Erickson", "template": 0, column: value}
    with pytest.raises(InputError, match=words):
        saved_stimuli(pl.DataFrame([row]), templates=3)


@pytest.mark.parametrize(
    ("kind", "gender", "sides"), [("stereotyping", "male", (True, False)), ("feminine", "male", (False, True))]
)
def test_full_strength_uses_terms_of_one_side_only(kind, gender, sides):
    stimulus = {"name": "Adam Erickson", "gender": gender, "template": 1}
    texts = pl.Series([respond(stimulus, kind, 1.0, Random(n)) for n in range(30)])
    terms = count_terms(texts).terms
    assert (bool(terms["male"].sum()), bool(terms["female"].sum())) == sides
    assert set(terms["inventory"]) == {"bsri", "epaq", "gaucher", "gest", "nicolas", "wan"}


def test_refusals_and_unusable_texts_are_read_as_such():
    stimulus = {"name": "Adam Erickson", "gender": "male", "template": 0}
    assert {read_document(respond(stimulus, "refusing", 1.0, Random(n)))[0] for n in range(40)} == {"refused"}
    assert {read_document(respond(stimulus, "garbled", 1.0, Random(n)))[0] for n in range(60)} == {"undetected"}


@pytest.mark.parametrize("kind", ["refusing", "garbled"])
def test_at_strength_zero_every_kind_writes_documents(kind):
    stimulus = {"name": "Adam Erickson", "gender": "male", "template": 0}
    assert {read_document(respond(stimulus, kind, 0.0, Random(n)))[0] for n in range(20)} == {"observed"}


def test_half_strength_is_half_way_from_chance():
    stimulus = {"name": "Adriana Magana", "gender": "female", "template": 2}
    texts = pl.Series([respond(stimulus, "stereotyping", 0.5, Random(n)) for n in range(300)])
    terms = count_terms(texts).terms
    # A quarter; 300 documents have more than 5,000 terms, so .03 is more than four standard errors.
    assert terms["male"].sum() / (terms["male"].sum() + terms["female"].sum()) == pytest.approx(0.25, abs=0.03)


def test_sentences_of_simulated_documents_hold_no_term():
    wording = DOCUMENT_WORDING
    parts = (wording.openings, wording.carriers, wording.middles, wording.endings)
    sentences = [sentence for part in parts for form in part for sentence in form]
    assert count_terms(pl.Series(sentences)).terms.height == 0


def test_every_term_of_a_simulated_document_can_be_said_of_somebody_at_work():
    unfit = DOCUMENT_WORDING.left_out
    assert unfit <= set(inventory_table()["term"])
    texts = pl.Series(
        respond({"name": "Robin Doe", "gender": "male", "template": n % 3}, "unbiased", 1.0, Random(n))
        for n in range(300)
    )
    written = count_terms(texts).words["word"].unique().to_list()
    assert len(written) > 80
    assert not set(unfit) & set(written)


def test_a_sentence_of_a_simulated_document_says_no_word_twice():
    for n in range(60):
        text = respond({"name": "Robin Doe", "gender": "male", "template": n % 3}, "masculine", 1.0, Random(n))
        for listed in re.findall(r"\S+(?:, \S+)? and \S+(?=\.)", text):
            words = re.findall(r"[\w-]+", listed)
            assert len(words) == len(set(words)), listed


@pytest.mark.parametrize("template", [0, 1, 2])
def test_simulated_documents_name_the_person_and_use_their_pronouns(template):
    man, woman = (
        " ".join(
            respond({"name": "Robin Doe", "gender": gender, "template": template}, "unbiased", 1.0, Random(n))
            for n in range(20)
        )
        for gender in ("male", "female")
    )
    assert man.count("Robin Doe") >= 20
    assert (
        set(re.findall(r"\b(?:she|her)\b", man.lower())) | set(re.findall(r"\b(?:he|his|him)\b", woman.lower()))
        == set()
    )
    assert (" his " in man, " her " in woman) == ((False, False) if template == 1 else (True, True))


def test_every_kind_writes_and_an_unknown_one_is_refused():
    stimulus = {"name": "Adam Erickson", "gender": "male", "template": 2}
    for kind in KINDS[:6]:
        assert read_document(respond(stimulus, kind, 0.5, Random(1)))[0] == "observed"
    with pytest.raises(InputError):
        respond(stimulus, "rude", 1.0, Random(1))
