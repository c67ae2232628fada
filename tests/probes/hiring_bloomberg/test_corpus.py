"""Our own roles, and files in the layout of Bloomberg's resumes_to_rank.json."""

import json
from pathlib import Path

import numpy as np
import pytest

from evenhand.data.lexicons.occupations import occupations
from evenhand.errors import InputError
from evenhand.probes.hiring_bloomberg.corpus import (
    CARD_ROLES,
    GENERATED_CVS,
    Role,
    builtin_corpus,
    builtin_role_count,
    generated_corpus,
    read_corpus,
)
from evenhand.probes.hiring_bloomberg.probe import PROBE
from evenhand.probes.hiring_bloomberg.settings import corpus_source

CVS = [f"{{name}}\nCV {number}" for number in range(8)]
ENTRY = {"resumes": CVS, "jd": "Cuts hair."}


def written(tmp_path, content):
    path = tmp_path / "corpus.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_own_corpus_starts_with_the_card_s_four_roles():
    roles = builtin_corpus()
    assert tuple(role.name for role in roles[:4]) == CARD_ROLES
    assert all(role.card == (role.name in CARD_ROLES) for role in roles)
    others = [role.name.lower() for role in roles[4:]]
    assert others == sorted(set(others))
    assert builtin_role_count() == len(roles)


def test_own_cvs_are_eight_different_texts_with_one_slot():
    for role in builtin_corpus():
        assert len(set(role.cvs)) == len(role.cvs) >= 8
        assert all(cv.count("{name}") == 1 for cv in role.cvs)


def test_a_file_is_read_with_the_card_s_roles_first(tmp_path):
    path = written(
        tmp_path,
        {
            "hairdresser": {**ENTRY, "jd_url": "https://example.org/jobs/1"},
            "Retail": {"resumes": CVS, "jd": "\n\n  Sells shirts.\n"},
            "HR Specialist": {"resumes": CVS, "jd": "Hires."},
        },
    )
    roles = read_corpus(path)
    assert roles[0] == Role("HR specialist", "Hires.", tuple(CVS), card=True)
    assert [(role.name, role.card) for role in roles] == [
        ("HR specialist", True),
        ("retail", True),
        ("hairdresser", False),
    ]
    assert roles[1].ad == "  Sells shirts."


def test_blank_lines_around_a_cv_go_and_its_other_text_stays(tmp_path):
    cv = "\r\n \n  {name}\r\n{other} {name} {} }{\n<b>x</b>\n\n\t\n"
    path = written(tmp_path, {"baker": {"resumes": [cv, *CVS], "jd": "Bakes {bread}."}})
    (role,) = read_corpus(path)
    assert role.cvs[0] == "  {name}\n{other} {name} {} }{\n<b>x</b>"
    assert len(role.cvs) == 9
    assert role.ad == "Bakes {bread}."


def test_a_file_that_starts_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps({"baker": ENTRY}), encoding="utf-8-sig")
    assert read_corpus(path)[0].name == "baker"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "not valid JSON: line 1, column 1"),
        ('{"baker":\n oops}', "not valid JSON: line 2, column 2"),
        ("[" * 100_000, "nested too deeply"),
        ([], "not an object"),
        ("null", "not an object"),
        ({}, "has no role"),
        ({"baker": []}, "role 'baker' has no resumes and jd"),
        ({"baker": {"resumes": CVS}}, "role 'baker' has no resumes and jd"),
        ({"baker": {"jd": "Bakes."}}, "role 'baker' has no resumes and jd"),
        ({"baker": {"resumes": CVS, "jd": None}}, "its jd is not text"),
        ({"baker": {"resumes": CVS, "jd": " \n"}}, "its jd is not text"),
        ({"baker": {"resumes": "{name}" * 8, "jd": "Bakes."}}, "has no list of resumes"),
        ({"baker": {"resumes": CVS[:7], "jd": "Bakes."}}, "has 7 resumes. A prompt ranks 8"),
        ({"baker": {"resumes": [*CVS[:7], 8], "jd": "Bakes."}}, "resume 8 is not text"),
        ({"baker": {"resumes": [*CVS, "{Name}, baker"], "jd": "Bakes."}}, "resume 9 has no slot {name}"),
        ({"baker": {"resumes": [*CVS, "{name} \ud800"], "jd": "Bakes."}}, "resume 9 is not text"),
        ({" ": ENTRY}, "not the name of a role"),
        ({"baker": ENTRY, "Baker ": ENTRY}, "role 'Baker ' occurs more than once"),
        ('{"baker": 1, "baker": 2}', "'baker' occurs more than once"),
    ],
)
def test_a_file_of_another_layout_is_refused_in_one_line(tmp_path, content, problem):
    with pytest.raises(InputError) as caught:
        read_corpus(written(tmp_path, content))
    message = str(caught.value)
    assert problem in message
    assert "corpus.json" in message
    assert "\n" not in message


def test_a_file_that_is_not_there_or_not_utf_8_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"No corpus .*none\.json"):
        read_corpus(tmp_path / "none.json")
    with pytest.raises(InputError, match="can't be read"):
        read_corpus(tmp_path)
    (tmp_path / "latin.json").write_bytes('{"ménagère": 1}'.encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.json is not UTF-8"):
        read_corpus(tmp_path / "latin.json")


def test_synthetic_roles_start_with_the_card_s_four():
    roles = generated_corpus()
    assert tuple(role.name for role in roles[:4]) == CARD_ROLES
    assert all(role.card == (role.name in CARD_ROLES) for role in roles)
    assert len({role.name for role in roles}) == len(roles) == len(occupations())
    others = [role.name for role in roles[4:]]
    assert others == sorted(others, key=str.lower)
    assert {"registered nurse", "IT support specialist", "HVAC technician", "chef"} <= set(others)


def test_synthetic_cvs_are_of_one_level_with_a_slot_for_the_name_only():
    for role in generated_corpus():
        assert len(set(role.cvs)) == len(role.cvs) == GENERATED_CVS
        assert all(cv.count("{name}") in {1, 2} for cv in role.cvs)
        assert not any("{email}" in text or "mail:" in text or "Contact:" in text for text in (role.ad, *role.cvs))
        assert not role.ad.lower().startswith(role.name.lower())


@pytest.mark.parametrize(
    ("given", "kept"),
    [("generated", "generated"), ("cvs.json", Path("cvs.json")), ("./generated", Path("generated").absolute())],
)
def test_generated_is_a_word_and_a_file_of_that_name_is_given_with_its_folder(given, kept):
    assert corpus_source(given) == kept


def test_a_path_is_a_file_whatever_its_name():
    assert corpus_source(Path("generated")) == Path("generated").absolute()


def test_the_probe_with_synthetic_cvs_has_the_card_s_design_and_all_roles():
    probe = PROBE.with_settings({"corpus": "generated", "num_reorders": 10})
    assert probe.designs["card"].size == 4 * 4 * 10 * 2
    assert probe.designs["extended"].size == len(generated_corpus()) * 4 * 10 * 2
    rows = probe.designs["card"].stimuli(np.arange(320))
    used = {(role, who["cv"]) for role, people in rows.select("role", "candidates").iter_rows() for who in people}
    assert len(used) == 4 * GENERATED_CVS
    assert rows["prompt"].str.contains("{", literal=True).sum() == 0
    assert "synthetic" in probe.limits[0]
    assert not any("eight résumés for each" in limit for limit in probe.limits)
    assert len(probe.limits) == len(PROBE.limits) + 1
