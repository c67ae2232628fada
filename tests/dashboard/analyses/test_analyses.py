"""New analysis in this process: what is refused, what is asked before anything is computed, what survives."""

import html
import io
import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest
import xlsxwriter

from asked_pages import Browser
from evenhand.dashboard.access import READS, Access
from evenhand.dashboard.analyses import Analyses, Job, private_folder
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards, Synthetic
from evenhand.errors import InputError
from evenhand.monitoring.store import opened_store

#: A command that runs until it is stopped.
ENDLESS = ("serve", "--runs", ".", "--port", "0")


@pytest.fixture
def kept(tmp_path):
    return Analyses(folder=private_folder(tmp_path / "own"), largest=1, days=7)


@pytest.fixture
def browser(kept):
    return browser_of(kept)


def browser_of(kept, **access):
    return Browser(application(Dashboards(access=Access(**({"host": "127.0.0.1"} | access)), analyses=kept)))


def token(page):
    return re.search(r'name="form" value="([^"]+)"', page.text)[1]


def bring(browser, content, name="t.csv"):
    return browser.post("/analyses", data={"form": token(browser.get("/analyses"))}, files={"table": (name, content)})


def waited(browser, answer):
    """The page that an answer leads to, when nothing runs there any more."""
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"]
    end = time.monotonic() + 30
    while "refresh" in (page := browser.get(address)).headers:
        assert time.monotonic() < end
        time.sleep(0.1)
    return address, page


def send(browser, address, deed, **fields):
    return browser.post(f"{address}/{deed}", data={"form": token(browser.get(address))} | fields)


def words(page):
    text = re.sub(r"<[^>]+>", " ", re.sub("</?span>", "", page.text))
    return html.unescape(re.sub(r"\s+", " ", text))


def left(kept):
    return [path.name for path in kept.folder.iterdir() if path.name != READS]


def hired(values):
    return pl.DataFrame({"sex": ["f", "m"] * (len(values) // 2), "hired": values}).write_csv().encode()


@pytest.mark.parametrize("role", ["viewer", "labeller"])
def test_who_may_not_see_rows_gets_none_of_it(kept, role):
    proxied = browser_of(kept, user_header="X-User", roles={"ana": role})
    asked = {"headers": {"X-User": "ana"}}
    assert "/analyses" not in proxied.get("/audits", **asked).text
    for path in ("/analyses", "/analyses/0123456789abcdef", "/analyses/0123456789abcdef/files/report.html"):
        assert proxied.get(path, **asked).status_code == 403
    assert proxied.post("/analyses", files={"table": ("t.csv", b"a\n1\n")}, **asked).status_code == 403
    assert proxied.post("/analyses/0123456789abcdef/remove", **asked).status_code == 403


def test_a_server_without_a_folder_takes_no_tables():
    closed = browser_of(None)
    page = closed.get("/analyses")
    assert "evenhand serve --analyses DIR" in page.text
    answer = closed.post("/analyses", data={"form": "x"}, files={"table": ("t.csv", b"a\n1\n")})
    assert answer.status_code in {403, 404}


def test_the_synthetic_company_brings_its_own_table_to_a_server_that_takes_none(tmp_path, kept):
    def make(place):
        opened_store(place.store, create=True).connection.close()
        place.table.parent.mkdir()
        place.table.write_bytes(hired(["yes", "no", "no", "yes"]))
        place.ready()

    company = Synthetic(folder=tmp_path, make=make, analyses=kept)
    browser = Browser(application(Dashboards(access=Access(host="127.0.0.1"), synthetic=company)))
    page = browser.get("/")
    assert "evenhand serve --analyses DIR" in browser.get("/analyses").text
    assert browser.post("/analyses/company", data={"form": token(page)}).status_code == 404
    browser.post("/company", data={"form": token(page)})
    form = {"form": token(browser.get("/analyses"))}
    _, page = waited(browser, browser.post("/analyses/company", data=form))
    assert "4 rows and 2 columns" in words(page)


@pytest.mark.parametrize(
    ("status", "sent"),
    [
        (403, {"files": {"table": ("t.csv", b"a\n1\n")}}),
        (403, {"data": {"form": "of another page"}, "files": {"table": ("t.csv", b"a\n1\n")}}),
        (403, {"data": {"form": True}, "files": {"table": ("t.csv", b"a\n1\n")}, "headers": {"origin": "http://evil"}}),
        (413, {"data": {"form": True}, "files": {"table": ("t.csv", b"a\n" * 700_000)}}),
        (413, {"data": {"form": True}, "files": {"table": ("t.csv", b"a\n" * 2_000_000)}}),
        (413, {"data": {"form": True, "more": "x" * 9_000}, "files": {"table": ("t.csv", b"a\n1\n")}}),
        (415, {"data": {"form": True}, "files": {"table": ("t.exe", b"a\n1\n")}}),
        (415, {"data": {"form": True}, "files": {"table": ("csv", b"a\n1\n")}}),
        (415, {"data": {"form": True}, "files": {"table": ("t.csv.gz", b"a\n1\n")}}),
        (400, {"data": {"form": True}, "files": {"table": ("t.csv", b"")}}),
        (400, {"data": {"form": True}}),
        (400, {"content": b"--b\r\nbroken", "headers": {"content-type": "multipart/form-data; boundary=b"}}),
        (400, {"content": b"x", "headers": {"content-type": "multipart/form-data"}}),
        (413, {"content": iter([b"x"]), "headers": {"content-type": "multipart/form-data; boundary=b"}}),
    ],
)
def test_what_is_sent_wrongly_is_refused_with_nothing_left(browser, kept, status, sent):
    own = token(browser.get("/analyses"))
    if "data" in sent:
        sent = sent | {"data": {name: own if each is True else each for name, each in sent["data"].items()}}
    if not isinstance(sent.get("content", b""), bytes):

        async def pieces():
            yield b"x"

        sent = sent | {"content": pieces()}
    answer = browser.post("/analyses", **sent)
    assert (answer.status_code, left(kept)) == (status, [])
    assert ("Read the table" in answer.text) == (status != 403)  # another file can be chosen at once


def test_a_file_before_the_token_is_not_taken(browser, kept):
    own = token(browser.get("/analyses"))
    parts = (
        f'--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'
        for name, more, value in (
            ("table", '; filename="t.csv"', "a\n1\n"),
            ("form", "", own),
        )
    )
    body = ("".join(parts) + "--b--\r\n").encode()
    answer = browser.post("/analyses", content=body, headers={"content-type": "multipart/form-data; boundary=b"})
    assert (answer.status_code, left(kept)) == (403, [])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("../../x$(touch y);" + "\U00020000" * 80 + ".csv", b"sex,hired\n", "has no rows"),
        ("t.xlsx", b"no workbook", "can't be read as a workbook"),
        ("<img src=x>.jsonl", b'{"sex\\u0000": "f"}\n', "has a NUL in its name"),
    ],
)
def test_a_table_that_cannot_be_read_says_so_in_the_commands_words(browser, kept, name, content, told):
    address, page = waited(browser, bring(browser, content, name))
    assert "This table can't be read." in words(page)
    assert told in words(page)
    assert "<img" not in page.text
    assert [path.parent.name for path in kept.folder.rglob("*.csv")] in ([], ["table"])
    assert send(browser, address, "remove").headers["location"] == "/analyses"
    assert left(kept) == []


def test_a_workbook_with_two_sheets_is_asked_which(browser):
    book = io.BytesIO()
    with xlsxwriter.Workbook(book) as workbook:
        workbook.add_worksheet("Cover").write(3, 3, "Applicants of 2026")
        rows = workbook.add_worksheet("People")
        for n, row in enumerate(
            [("Sex", "Freq", "Hired"), ("f", 30, "yes"), ("m", 40, "yes"), ("f", 70, "no"), ("m", 60, "no")]
        ):
            rows.write_row(n, 0, row)
    address, page = waited(browser, bring(browser, book.getvalue(), "t.xlsx"))
    assert "The workbook has 2 sheets." in words(page)
    assert send(browser, address, "sheet", sheet="7").status_code == 400
    address, page = waited(browser, send(browser, address, "sheet", sheet="1"))
    assert "Its name is that of a count" in words(page)
    address, page = waited(browser, send(browser, address, "columns", protected0="yes", count="1", selected="2"))
    assert "200 of 200 are counted, none is left out." in words(page)
    assert "4 rows are 200 people, by 'Freq'." in words(page)
    assert "evenhand impact t.xlsx --sheet=People --protected=Sex --selected=Hired --count=Freq" in words(page)


def test_people_with_several_positions_are_clusters_and_counted_alike_on_both_pages(browser):
    people = [(n // 4, "fm"[n // 4 % 2], f"job {n % 4 // 2}", "yes" if n % 3 else "no") for n in range(240)]
    table = "person,gender,position,hired\n" + "".join(",".join(map(str, row)) + "\n" for row in people)
    address, page = waited(browser, bring(browser, table.encode()))
    counts = re.findall(r"[fm] (\d+) (\d+)", words(page).partition("Counted by gender")[2][:60])
    fields = dict(
        re.findall(r'<select name="(\w+)">(?:(?!</select>).)*?<option value="(\d+)" selected', page.text, re.DOTALL)
    )
    assert fields["unit"] == fields["cluster"] == "0"
    chosen = {name: fields[name] for name in ("selected", "position", "unit", "cluster")}
    address, page = waited(browser, send(browser, address, "columns", protected1="yes", **chosen))
    assert "120 of 240 rows are counted, each person once per position." in words(page)
    assert re.findall(r"[fm] (\d+) (\d+)", words(page).partition("Counted by gender")[2][:60]) == counts
    assert "unless 'Who has several decisions, all of which count' names the column" in words(page)
    assert "--unit=person --cluster=person" in words(page)


def test_a_number_with_a_comma_is_not_taken_for_two(browser):
    table = "gender;score\n" + "".join(f"{'fm'[n % 2]};{n / 10}\n".replace(".", ",") for n in range(200))
    address, page = waited(browser, bring(browser, table.encode()))
    chosen = {"protected0": "yes", "score": "1"}
    assert send(browser, address, "columns", cutoff="2,5", **chosen).status_code == 400
    address, page = waited(browser, send(browser, address, "columns", **chosen))
    assert "were read with a decimal comma" in words(page)


def test_a_question_is_answered_by_a_further_option(browser):
    table = "race,applied,hired\nWhite,400,100\nBlack,200,30\nTotal,700,130\n"
    address, page = waited(browser, bring(browser, table.encode()))
    assert "say --totals drop to leave it out" in words(page)
    assert "An option with -- belongs under 'Further options'." in words(page)
    assert send(browser, address, "more", more="--out /etc").status_code == 400
    assert "Counted by race" not in words(page)
    address, page = waited(browser, send(browser, address, "more", more="--totals drop"))
    assert "Counted by race" in words(page)
    chosen = {"protected0": "yes", "applicants": "1", "selected_count": "2"}
    address, page = waited(browser, send(browser, address, "columns", **chosen))
    assert "600 of 600 are counted" in words(page)
    assert "--totals=drop" in words(page)


def test_a_withheld_count_suggests_its_bounds_and_what_is_found_survives_the_server(browser, kept):
    table = "sex,applicants,hired\nfemale,200,60\nmale,210,90\nother,40,<5\n"
    address, page = waited(browser, bring(browser, table.encode()))
    assert "a count that is not shown" in words(page)
    assert "--selected-count" not in words(page)  # the form has another name for it
    more = html.unescape(re.search(r'name="more" type="text" value="([^"]*)"', page.text)[1])
    assert more == "--suppressed 1-4"
    address, page = waited(browser, send(browser, address, "more", more=more))
    chosen = {"protected0": "yes", "applicants": "1", "selected_count": "2", "suppressed": "1-4"}
    address, page = waited(browser, send(browser, address, "columns", **chosen))
    groups = re.findall(r'<option value="(\d)">(\w+)</option>', page.text)
    assert {label for _, label in groups} == {"female", "male", "other"}
    assert send(browser, address, "compute", reference0="7").status_code == 400
    female = next(number for number, label in groups if label == "female")
    address, page = waited(browser, send(browser, address, "compute", reference0=female))
    assert "--reference=sex=female" in words(page)
    assert "Reference: women" in words(page)
    assert "As counts are suppressed, the selection rate was 2.5 to 10.0 %" in words(page)
    (row,) = re.findall(rf'<a href="{address}">t.csv</a>.*?</tr>', browser.get("/analyses").text)
    assert "finished" in row
    assert address.rpartition("/")[2] in (kept.folder / READS).read_text("utf-8")  # who saw counts is logged
    later = browser_of(kept)  # another start
    assert "Reference: women" in words(later.get(address))
    assert later.get(f"{address}/report").text.startswith("<!DOCTYPE html>")
    saved = later.get(f"{address}/files/impact.csv")
    assert saved.headers["content-disposition"] == 'attachment; filename="impact.csv"'
    for name in ("counts.parquet", "..%2fanalysis.json", "%2e%2e/analysis.json", "../table/t.csv", "manifest.json"):
        assert later.get(f"{address}/files/{name}").status_code == 404
    for number in ("..", "%2e%2e", "x" * 16, "0" * 16):
        assert later.get(f"/analyses/{number}/report").status_code == 404
    assert send(later, address, "columns", **chosen).status_code == 303
    assert later.get(f"{address}/report").status_code == 404  # what was found belongs to other choices


WIDE = "sex,applied,screened,hired\n" + "".join(
    f"{'fm'[n % 2]},yes,{'yes' if n % 3 else 'no'},{'yes' if n % 3 and n % 5 > n % 2 else 'no'}\n" for n in range(200)
)
LONG = "sex,person,stage,passed\n" + "".join(
    f"{'fm'[n % 2]},p{n},{stage},{'yes' if n % divisor else 'no'}\n"
    for n in range(200)
    for stage, divisor in (("screen", 3), ("offer", 2))
    if stage == "screen" or n % 3
)


@pytest.mark.parametrize(
    ("table", "chosen", "option"),
    [
        (WIDE, {"funnel": "applied,screened,hired"}, "--funnel=applied,screened,hired"),
        (LONG, {"selected": "3", "stage": "2", "order": "screen,offer", "unit": "1"}, "--stage=stage=screen,offer"),
    ],
    ids=["columns", "rows"],
)
def test_stages_are_fields_of_the_form(browser, table, chosen, option):
    address, page = waited(browser, bring(browser, table.encode()))
    assert re.search(r"<details[^>]*><summary>(<h2[^>]*>Further options|No, choose other columns|Scores,)", page.text)
    address, page = waited(browser, send(browser, address, "columns", protected0="yes", **chosen))
    assert option in words(page)
    page = browser.get(f"{address}?choose=yes")
    assert all(f'value="{text}"' in page.text for text in chosen.values())


def test_who_looks_while_others_look_sees_no_work_that_is_none(kept, tmp_path):
    received = tmp_path / "received"
    received.write_bytes(b"a\n1\n")
    job = kept.add(received, "t.csv", by="ana").look
    job.start(("--version",), within=tmp_path)
    end = time.monotonic() + 30
    while job.running:
        assert time.monotonic() < end
        time.sleep(0.05)
    with ThreadPoolExecutor(8) as pool:
        assert not any(pool.map(lambda _: job.running, range(4_000)))


def test_values_are_told_apart_before_anything_is_computed(browser, kept):
    table = hired(["offered", "rejected", "in process", "rejected", "offered", "rejected"] * 10)
    address, page = waited(browser, bring(browser, table))
    for deed, fields, told in (
        ("columns", {"selected": "1"}, "Groups to compare"),
        ("columns", {"protected0": "yes"}, "Decision: who was selected"),
        ("columns", {"protected0": "yes", "selected": "9"}, "choose again"),
        ("values", {}, "need no meaning"),
        ("compute", {}, "Nobody is counted yet"),
    ):
        answer = send(browser, address, deed, **fields)
        assert (answer.status_code, told in words(answer)) == (400, True), deed
    address, page = waited(browser, send(browser, address, "columns", protected0="yes", selected="1"))
    assert "50 of 60 are counted, 10 are left out." in words(page)
    assert "--undecided='hired=in process'" in words(page) or "'--undecided=hired=in process'" in words(page)
    address, page = waited(browser, send(browser, address, "values", value0="none", value1="none", value2="none"))
    assert "Which values mean selected?" in words(page)
    values = dict(re.findall(r"<label>(\w[\w ]*) \(\d+\) <select name=\"(value\d)\"", page.text))
    meant = {values["offered"]: "selected", values["rejected"]: "not", values["in process"]: "not"}
    address, page = waited(browser, send(browser, address, "values", **meant))
    assert "60 of 60 are counted, none is left out." in words(page)
    assert "--undecided=hired= --selected=hired=offered" in words(page)
    assert not list(kept.folder.glob("*/found"))


def test_what_runs_outlives_the_server_and_is_stopped(browser, kept, tmp_path):
    received = tmp_path / "received"
    analyses = []
    for number in range(3):
        received.write_bytes(b"a\n1\n")
        analyses.append(kept.add(received, f"{number}.csv", by="ana"))
    for each in analyses[:2]:
        each.start(each.look, ENDLESS)
    assert (Job(analyses[0].look.folder).running, analyses[2].running) == (True, None)
    _, page = waited(browser, bring(browser, b"a\n1\n"))  # two at once
    assert "Other analyses are running" in words(page)
    address = f"/analyses/{analyses[0].number}"
    page = browser.get(address)
    assert page.headers["refresh"] == "2"
    assert "refresh" not in browser.get(f"{address}?still=yes").headers
    assert send(browser, address, "columns", protected0="yes").status_code == 409
    _, page = waited(browser, send(browser, address, "stop"))
    assert "It was stopped." in words(page)
    assert not (analyses[0].look.folder / "tmp").exists()  # copies of rows, if it made any
    kept.remove(analyses[1])
    assert not analyses[1].look.running
    assert len(left(kept)) == 3


def test_tables_are_removed_after_their_days_and_lie_where_nobody_else_enters(kept, tmp_path):
    received = tmp_path / "received"
    received.write_bytes(b"a\n1\n")
    old = kept.add(received, "old.csv", by="ana")
    old.changed(made=(datetime.now(UTC) - timedelta(days=8)).isoformat())
    received.write_bytes(b"a\n1\n")
    new = kept.add(received, "new.csv", by="ana")
    kept.tidy()
    assert left(kept) == [new.number]
    assert new.folder.stat().st_mode & 0o077 == 0
    open_to_all = tmp_path / "open"
    open_to_all.mkdir(mode=0o755)
    with pytest.raises(InputError, match="chmod 700"):
        private_folder(open_to_all)
