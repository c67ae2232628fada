"""The page: its order, its policy, and what becomes of hostile text."""

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from xml.etree import ElementTree as ET

import pytest
from invented import FEMALE, HOSTILE, MALE, contrast, document, finding, full
from page import Page, render_report, rendered

from evenhand.errors import InputError


@pytest.fixture(scope="module")
def html():
    return rendered(full())


@pytest.fixture(scope="module")
def page(html):
    return Page(html)


def test_the_first_words_of_a_simulated_run_say_so(html, page):
    assert page.texts[0][1].startswith("SIMULATED.")
    assert "<title>SIMULATED" in html


def test_a_run_with_a_real_model_does_not_say_simulated():
    assert "SIMULATED" not in rendered(document([], simulated=False, simulated_note=None))


def test_chapters_stand_in_the_order_of_the_questions_a_reader_has(page):
    assert page.text("h2") == [
        "The result",
        "Audit set-up",
        "Headline measures",
        "Acceptance rate by masculinity",
        "By race and gender",
        "Within parts of the run",
        "Wording of the instruction",
        "Unreadable answers",
        "Limits",
        "How to reproduce",
        "How to read this report",
        "All findings",
    ]
    assert len(page.named("h1")) == 1


def test_a_block_without_findings_leaves_no_heading():
    headings = Page(rendered(document([], statuses={}, example=None))).text("h2")
    assert headings == ["Audit set-up", "Limits", "How to reproduce", "How to read this report"]


def test_the_policy_allows_nothing_but_the_one_style_by_its_hash(html, page):
    policy = next(a["content"] for a in page.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL).group(1)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def test_there_is_no_script_no_style_attribute_no_handler_and_no_address_outside(page):
    assert not page.named("script")
    for tag, attributes in page.tags:
        assert "style" not in attributes, tag
        assert not [key for key in attributes if key.startswith("on")], tag
        for key in ("href", "src", "xlink:href"):
            target = attributes.get(key) or "#"
            assert target.startswith(("#", "data:")), target


def test_ids_are_unique_and_every_reference_to_one_resolves(page):
    ids = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert [name for name, times in ids.items() if times > 1] == []
    for _, attributes in page.tags:
        for key in ("aria-labelledby", "aria-describedby"):
            assert set((attributes.get(key) or "").split()) <= ids.keys()
        for name in re.findall(r"url\(#([^)]+)\)", " ".join(str(value) for value in attributes.values())):
            assert name in ids
        if attributes.get("href", "").startswith("#"):
            assert attributes["href"][1:] in ids


def test_every_chart_is_named_and_has_its_table_in_the_same_figure(html):
    figures = re.findall(r"<figure.*?</figure>", html, re.DOTALL)
    assert len(figures) == 12
    for figure in figures:
        charts = [a for a in Page(figure).named("svg") if a.get("role") == "img"]
        assert len(charts) == 2
        assert all(chart["aria-labelledby"] and chart["viewbox"] for chart in charts)
        assert figure.rindex("</svg>") < figure.index("<table")


def test_marks_carry_their_values_as_tooltips(html):
    for svg in re.findall(r'<svg(?! class="interval").*?</svg>', html, re.DOTALL):
        root = ET.fromstring(svg)
        titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
        assert len(titles) > 1
    assert "<title>Black male: " in html


def test_table_heads_have_scopes_and_tables_captions(page):
    assert len(page.named("table")) == len(page.named("caption"))
    assert {attributes.get("scope") for attributes in page.named("th")} == {"col", "row"}


def test_undefined_estimates_are_told_with_their_reason_and_drawn_as_such(html):
    assert "No answer was observed." in html
    assert ">not computed<" in html


def hostile_everywhere():
    where = {"race": HOSTILE}
    rows = [
        contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.04, 0.01, method=HOSTILE, verdict="difference"),
        contrast("x", "diff_acceptance_rate", 0.04, 0.01, slice=where, adjustment=HOSTILE, p_adjusted=0.5),
        contrast("y", "diff_acceptance_rate", None, slice={"race": "other"}, reason=HOSTILE),
        finding("z", HOSTILE, 0.4, 0.1, focal={"race": HOSTILE, "gender": HOSTILE}),
        finding("w", "undetected_rate_attempts", 0.4, 0.1, focal={"race": HOSTILE}),
    ]
    example = {"prompt": HOSTILE, "answer": HOSTILE + "\ud800", "status": HOSTILE, "reading": HOSTILE}
    return document(
        rows,
        example=example,
        model=HOSTILE,
        title=HOSTILE,
        question=HOSTILE,
        card=f"# {HOSTILE}\n`{HOSTILE}`\n- {HOSTILE}",
        limits=[HOSTILE],
        warnings=[HOSTILE],
        reproduce=HOSTILE,
        returned_models=[HOSTILE],
        versions={HOSTILE: HOSTILE},
        parameters={HOSTILE: HOSTILE},
        statuses={HOSTILE: 3},
        simulated_note=HOSTILE,
        references={"diff_acceptance_rate": [{"kind": HOSTILE, "value": 0.5}]},
        labels={"diff_acceptance_rate": HOSTILE},
    )


def test_hostile_text_stays_text_wherever_it_comes_from():
    html = rendered(hostile_everywhere())
    page = Page(html)
    assert not page.named("script")
    assert not page.named("img")
    assert "<script" not in html
    assert "{{ 7*7 }}" in html
    assert "␛[31m" in html
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", html)


def test_a_very_long_answer_is_cut_and_the_cut_is_told():
    html = rendered(document([], example={"prompt": "p", "answer": "a" * 7_000}))
    beginning, rest = re.findall(r'<blockquote class="reply" dir="auto">(.*?)</blockquote>', html)
    assert (beginning, rest) == ("a" * 1_500, "a" * 4_500 + " … (1,000 more characters)")
    assert re.search(r"<details class=\"rest\"><summary>The rest of it</summary>\s*<blockquote", html)


def test_no_verdict_of_fairness_is_given_on_the_model(page):
    # 'unbiased' is the name of a reference model; nothing else may use such words.
    words = " ".join(text for tag, text in page.texts if tag in {"p", "h1", "h2", "h3", "li"})
    assert not re.search(r"\b(fair|unfair|unbiased|passe[sd]|compliant|safe)\b", words, re.IGNORECASE)


def test_a_difference_over_groups_other_than_gender_needs_no_change_here():
    rows = [
        contrast("d", "diff_top_rank_rate", 0.1, 0.02, focal={"age": "over 50"}, reference={"age": "under 50"}),
    ]
    html = rendered(document(rows, headline=["d"], success="ranked first", bands={}, references={}))
    assert "Over 50 candidates were ranked first 10.0 percentage points more often than under 50 candidates" in html


def test_a_measure_around_one_half_is_drawn_on_its_own_bands():
    bands = {"masculine_rate": {"centre": 0.5, "edges": [0.03, 0.08, 0.2, 0.5], "source": "ours"}}
    row = finding("masculine_rate", "masculine_rate", 0.56, 0.01, null_value=0.5, verdict="difference", mark="B")
    html = rendered(document([row], headline=["masculine_rate"], bands=bands, references={}))
    assert "The masculine rate was 56.0 % (95 % CI 55.0 to 57.0 %), statistically significant." in html
    for tick in ("0", "30", "42", "47", "50", "53", "58", "70", "100"):
        assert f">{tick}</text>" in html


def test_a_suite_links_each_probe_and_shows_its_headline_findings():
    rows = [
        contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.04, 0.01, probe="hiring-an", verdict="difference"),
        finding("masculine_rate", "masculine_rate", 0.56, 0.01, probe="ranking", null_value=0.5, verdict="difference"),
    ]
    probes = [
        {
            "probe": "hiring-an",
            "title": "HiringAn",
            "folder": "hiring-an",
            "headline": ["diff_acceptance_rate"],
            "success": "accepted",
        },
        {"probe": "ranking", "title": "Ranking", "folder": "javascript:alert(1)", "headline": ["masculine_rate"]},
    ]
    suite = document(
        rows, kind="suite", title="Suite standard", probes=probes, headline=None, question=None, example=None
    )
    page = Page(rendered(suite))
    targets = [a["href"] for a in page.named("a") if not a["href"].startswith("#")]
    assert targets == ["hiring-an/report.html", "javascript%3Aalert%281%29/report.html"]
    assert page.text("h2")[2:4] == ["HiringAn", "Ranking"]
    assert any(text.startswith("HiringAn: Male candidates were accepted 4.0") for text in page.text("p"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "evenhand.findings/3"}, "'evenhand.findings/3'"),
        ({"schema": None}, "None"),
        ({"audit": []}, "'audit'"),
        ({"findings": {}}, "'findings'"),
        ({"findings": [{"name": "x"}]}, "findings.0"),
        ({"findings": [3]}, "findings.0"),
        ({"findings": [finding("x", "x", None, reason=None)]}, "nor a reason"),
    ],
)
def test_other_content_is_an_input_error_that_names_the_place(change, words):
    with pytest.raises(InputError, match=re.escape(words)):
        rendered(document([]) | change)


def test_a_missing_optional_key_of_the_audit_block_breaks_nothing():
    whole = full()
    rows = whole["findings"]
    for key in whole["audit"]:
        audit = {name: value for name, value in whole["audit"].items() if name not in {key, "headline"}}
        assert "</html>" in rendered(
            {"schema": whole["schema"], "audit": audit | {"headline": ["diff_acceptance_rate"]}, "findings": rows[:3]}
        )


def test_the_groups_of_a_headline_difference_stand_beside_it(page):
    cells = [text for tag, text in page.texts if tag in {"th", "td"}]
    start = cells.index("Male", cells.index("Group"))
    assert cells[start : start + 3] == ["Male", "43.1 %", "41.7 to 44.5"]
    assert MALE != FEMALE


def test_numbers_and_units_are_held_together_on_the_page_but_not_in_what_is_copied():
    prompt = "Accept 50 % of them."
    command = "evenhand impact t.csv --where 'share > 50 %'"
    rows = [contrast("d", "d", 0.1, 0.02, verdict="difference")]
    html = render_report(
        document(rows, headline=["d"], reproduce=command, example={"prompt": prompt, "answer": "95 % CI"})
    )
    assert "95\N{NO-BREAK SPACE}%\N{NO-BREAK SPACE}CI" in html
    assert ">95 % CI</blockquote>" in html
    assert prompt in html
    assert "share &gt; 50 %" in re.sub("</?span>", "", html)


@pytest.mark.parametrize(("refused", "told"), [(0, "All 200 answers were read."), (3, "All others are counted here.")])
def test_unreadable_answers_are_folded_where_there_are_none(refused, told):
    html = rendered(document([], statuses={"observed": 200, "refused": refused}, example=None))
    chapter = html.partition('<section id="undetected"')[2].partition("</section>")[0]
    assert told in chapter
    assert ("<details" in chapter) is (refused == 0)
    assert "Answers by status" in chapter


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        (["cluster-robust by name × resume"] * 2, [True, False]),
        (["cluster-robust by name", "cluster-robust by name, not paired"], [True, True]),
        (["cluster-robust by name, not paired"] * 2, [False, True]),
    ],
)
def test_scores_are_said_to_be_of_the_same_sets_only_where_both_groups_had_them(methods, expected):
    measures = ["diff_score", "diff_score_black"]
    rows = [
        contrast(name, name, 3.0, 1.0, unit="points", role="planned", method=method)
        for name, method in zip(measures, methods, strict=True)
    ]
    groups = [{"race": "white", "gender": gender} for gender in ("male", "female")]
    rows += [finding(str(group), "mean_score", 60.0, 2.0, unit="dollars", focal=group) for group in groups]
    rows.append(contrast("standardized_diff_score", "standardized_diff_score", 0.2, 0.1, unit="standard deviations"))
    scored = {"low": 0, "high": 100, "sets": ["resume", "job"], "ranked_within": "job"}
    page = render_report(document(rows, scored=scored, headline=measures, rate="mean_score", groups=["race", "gender"]))
    said = ["on the same résumé and job. Their difference", "stands where the same résumé and job never came with both"]
    assert [words in page for words in said] == expected
