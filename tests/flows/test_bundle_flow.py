"""`evenhand bundle` and `evenhand verify`: whole, from runs to a checked file, and what is refused."""

import hashlib
import shutil
import stat
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import orjson
import pytest
from _cli import evenhand, refused
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.analyses.options.output import VerifyOptions
from evenhand.errors import EvenhandError
from evenhand.evidence.archive import read_contents, write_archive
from evenhand.evidence.page import bundle_page
from evenhand.evidence.verify import verify_bundle
from evenhand.report.files import write_files as write_drawn
from evenhand.results.result import read_result

ONE = "impact --counts women=557/1835,men=1198/2691 --quiet --out one"


def typed(line, cwd):
    done = evenhand(line, cwd=cwd)
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a run, a pair of keys, a signed bundle and an unsigned one."""
    folder = tmp_path_factory.mktemp("place")
    typed(ONE, folder)
    typed("keys new --out audit.key --quiet", folder)
    typed("keys new --out other.key --quiet", folder)
    typed("bundle one --out signed.zip --key audit.key --quiet", folder)
    typed("bundle one --out plain.zip --quiet", folder)
    return folder


def test_a_bundle_is_verified_against_the_key_that_signed_it(place):
    told = typed("verify signed.zip --public-key audit.key.pub", place)
    assert told.startswith("signed.zip is consistent:")
    assert "The bundle is unchanged since it was signed with the given key" in told
    unchecked = " ".join(typed("verify signed.zip", place).split())
    assert "which was not checked: without --public-key FILE, verification detects accidents" in unchecked


def test_results_are_json_on_request(place):
    found = orjson.loads(typed("verify signed.zip --json", place))
    assert (found["checked"], found["redacted"], found["runs"][0]["recomputed"]) == (False, False, 3)
    written = orjson.loads(typed("bundle one --out signed.zip --key audit.key --force --json", place))
    assert written["sha256"] == found["sha256"] == sha256((place / "signed.zip").read_bytes())
    assert written["key"] == found["key"]


def test_of_an_unsigned_bundle_it_is_said_what_that_means(place):
    assert "detects accidental changes, not tampering" in " ".join(typed("verify plain.zip", place).split())


def test_the_head_of_a_monitoring_log_goes_inside_and_is_that_of_the_store(place):
    (place / "days.csv").write_text("at,score\n2026-03-01T09:00:00Z,0.5\n2026-03-02T09:00:00Z,0.7\n", encoding="utf-8")
    typed("monitor record days.csv --store history.db --model m --time at --score score --quiet", place)
    typed("bundle one --out logged.zip --store history.db --quiet", place)
    with ZipFile(place / "logged.zip") as archive:
        log = orjson.loads(archive.read("bundle.json"))["log"]
        assert log["head"] in archive.read("index.html").decode()
    assert log == {"store": "history.db", "entries": log["entries"], "head": log["head"], "masking": False}
    typed(f"monitor verify --store history.db --head {log['head']}", place)
    typed("verify logged.zip", place)


def test_the_same_run_gives_the_same_bytes_wherever_it_lies(place, tmp_path):
    shutil.copytree(place / "one", tmp_path / "moved")
    typed(f"bundle moved --out again.zip --key {place / 'audit.key'} --quiet", tmp_path)
    assert (tmp_path / "again.zip").read_bytes() == (place / "signed.zip").read_bytes()


@settings(max_examples=30, deadline=None)
@given(data=st.data(), signed=st.booleans())
def test_one_other_byte_anywhere_is_found(place, tmp_path_factory, data, signed):
    content = bytearray((place / ("signed.zip" if signed else "plain.zip")).read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = tmp_path_factory.getbasetemp() / "damaged.zip"
    damaged.write_bytes(content)
    with pytest.raises(EvenhandError) as found:
        verify_bundle(damaged, VerifyOptions())
    assert found.value.exit_code in {2, 5}
    assert "\n" not in str(found.value)


def tampered(place, to, change, *, listed=True):
    """Write a bundle of which a file was changed by somebody who knows how bundles are made."""
    with ZipFile(place / "plain.zip") as archive:
        files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    change(files)
    for name in [name for name in files if name.endswith("manifest.json") and listed]:
        said = orjson.loads(files[name])
        folder = name.removesuffix("manifest.json")
        said["files"] = {each: sha256(files[folder + each]) for each in said["files"] if folder + each in files}
        files[name] = orjson.dumps(said, option=orjson.OPT_INDENT_2)
    if listed:
        content = orjson.loads(files["bundle.json"])
        content["files"] = [
            {"name": name, "bytes": len(each), "sha256": sha256(each)}
            for name, each in files.items()
            if name != "bundle.json"
        ]
        files["bundle.json"] = orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    sources = {}
    for number, (name, each) in enumerate(files.items()):
        sources[name] = to / str(number)
        sources[name].write_bytes(each)
    with (to / "tampered.zip").open("wb") as file:
        write_archive(file, sources)
    return to / "tampered.zip"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def replaced(name, old, new):
    def change(files):
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return change


RUN = "runs/1-impact"
DEEP = b'"decided": {"seed": %b%b,' % (b"[" * 400, b"]" * 400)


def put(name, content):
    return lambda files: files.update({name: content})


def redrawn(name, old, new):
    """Return what changes a file, and draws the page and the tables of it as evenhand would."""

    def change(files):
        replaced(f"{RUN}/{name}", old, new)(files)
        with TemporaryDirectory() as folder:
            own = {each: Path(folder) / Path(each).name for each in files if each.startswith(RUN)}
            for each, path in own.items():
                path.write_bytes(files[each])
            write_drawn(Path(folder), read_result(Path(folder)))
            files.update({each: path.read_bytes() for each, path in own.items()})

    return change


def retold(old, new):
    """Return what changes what bundle.json says, and draws the page of it as evenhand would."""

    def change(files):
        replaced("bundle.json", old, new)(files)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "bundle.json"
            path.write_bytes(files["bundle.json"])
            files["index.html"] = bundle_page(read_contents(path, source=path))

    return change


def both(old, new):
    """Return what changes the manifest of the run, and what bundle.json says of it."""

    def change(files):
        for name in (f"{RUN}/manifest.json", "bundle.json"):
            replaced(name, old, new)(files)

    return change


@pytest.mark.parametrize(
    ("change", "listed", "told"),
    [
        (both(b'"women=557/1835,men=1198/2691"', b"5"), True, "runs/1-impact has invalid contents"),
        (both(b'"women=557/1835,', b'"women=558/1835,'), True, "counts.parquet differs from the counts of the numbers"),
        (
            retold(b"statistically significant", b"but that is nothing"),
            True,
            "bundle.json describes it differently: the found",
        ),
        (retold(b'"decided": {', b'"decided": {\n          "seed": 3,'), True, "differently: the protocol.decided"),
        (retold(b'"simulated": false', b'"simulated": true'), True, "differently: the simulated is True"),
        (put(f"{RUN}/more.html", b"x"), True, "more.html doesn't belong to its run"),
        (put(f"{RUN}/stimuli.jsonl", b"{}"), True, "stimuli.jsonl doesn't belong to its run"),
        (put(f"{RUN}/given/1.csv", b"x"), True, "given/1.csv is not a file that the run was made from"),
        (put("runs/2-impact/report.html", b"x"), True, "runs/2-impact/report.html belongs to no run"),
        (put("read-me.html", b"x"), True, "read-me.html belongs to no run"),
        (replaced(f"{RUN}/impact.csv", b"women", b"Women"), False, "its sha256 is another"),
        (replaced(f"{RUN}/report.html", b"<p>", b"<p >"), True, "report.html differs from the page of the findings"),
        (redrawn("impact.csv", b",0.", b",0.9"), True, "impact.csv.1."),
        (redrawn("findings.json", b'"low": 0.', b'"low": 0.0'), True, "computed again"),
        (redrawn("findings.json", b'"four_fifths": "below"', b'"four_fifths": "above"'), True, "shown"),
        (lambda files: files.pop(f"{RUN}/pooled.csv"), True, "pooled.csv"),
        (lambda files: files.pop(f"{RUN}/pooled.csv"), False, "pooled.csv is listed in bundle.json, but missing"),
        (lambda files: files.update({f"{RUN}/more.txt": b"x"}), False, "more.txt is not listed"),
        (
            replaced("bundle.json", b'"folder": "runs/1-impact"', b'"folder": "../../x"'),
            True,
            "names the run '../../x'",
        ),
        (replaced("index.html", b"<h1>", b"<h1 >"), True, "index.html differs from the page of bundle.json"),
        (
            replaced(f"{RUN}/manifest.json", b'"parameters": {', b'"parameters": {"four_fifths": 1,'),
            True,
            "runs/1-impact",
        ),
        (put(f"{RUN}/counts.parquet", b"PAR1 and no more"), True, "has invalid contents"),
        (put(f"{RUN}/findings.json", b"{}"), True, "findings.json"),
        (put(f"{RUN}/findings.json", b"[" * 900 + b"]" * 900), True, "findings.json"),
        (replaced("bundle.json", b'"decided": {', DEEP), False, "bundle.json is nested too deeply"),
        (replaced("bundle.json", b'"redacted": false', b'"redacted":  false'), False, "not as evenhand writes it"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_was_changed_is_named_first(place, tmp_path, change, listed, told):
    done = evenhand("verify", tampered(place, tmp_path, change, listed=listed), cwd=tmp_path, code=5)
    assert done.stdout == ""
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_another_version_draws_otherwise_is_listed_and_fails_nothing(place, tmp_path):
    def change(files):
        replaced("bundle.json", b'"orjson": "', b'"orjson": "0.')(files)
        for name in ("index.html", f"{RUN}/report.html"):
            replaced(name, b"<p>", b"<p >")(files)

    told = " ".join(typed(f"verify {tampered(place, tmp_path, change)}", tmp_path).split())
    for name in ("index.html", "report.html"):
        assert f"Not computed again: {name}, as it was made with orjson 0." in told
    assert "3 of 3 findings computed again" in told


def test_a_number_that_was_altered_on_the_page_of_another_version_is_named(place, tmp_path):
    def change(files):
        replaced("bundle.json", b'"orjson": "', b'"orjson": "0.')(files)
        replaced(f"{RUN}/report.html", b'data-value="estimate">0.', b'data-value="estimate">1.')(files)

    done = evenhand("verify", tampered(place, tmp_path, change), cwd=tmp_path, code=5)
    assert "report.html differs from the findings: it prints 1." in done.stderr


def archive_with(path, *entries, packed=False):
    """Write an archive of entries: a name, a content, and what is said of it."""
    with warnings.catch_warnings(action="ignore"), ZipFile(path, "w") as archive:
        for name, content, mode in entries:
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.create_system = mode << 16, 3
            archive.writestr(entry, content, compress_type=ZIP_DEFLATED if packed else None)


PLAIN = stat.S_IFREG | 0o644
BUNDLE = ("bundle.json", b'{"schema": "evenhand.bundle/1"}', PLAIN)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([("../x", b"", PLAIN)], "not the name of a file in a bundle"),
        ([("/etc/x", b"", PLAIN)], "not the name of a file in a bundle"),
        ([("a\\..\\x", b"", PLAIN)], "not the name of a file in a bundle"),
        ([("a/./x", b"", PLAIN)], "not the name of a file in a bundle"),
        ([("a" * 300, b"", PLAIN)], "not the name of a file in a bundle"),
        ([("C:x", b"", PLAIN)], "not the name of a file in a bundle"),
        ([("a/", b"", stat.S_IFDIR | 0o755)], "not the name of a file in a bundle"),
        ([("a", b"/etc/passwd", stat.S_IFLNK | 0o777)], "not a plain file"),
        ([("a", b"", stat.S_IFIFO | 0o644)], "not a plain file"),
        ([("a", b"", PLAIN), ("a", b"", PLAIN)], "'a' twice"),
        ([("a", b"", PLAIN), ("A", b"", PLAIN)], "'A' twice"),
        ([("a", b"", PLAIN), ("a/b", b"", PLAIN)], "as a file and as a folder"),
        ([("a", b"", PLAIN)], "it holds no bundle.json"),
        ([("bundle.json", b'{"schema": "evenhand.bundle/2"}', PLAIN)], "a bundle of the schema 'evenhand.bundle/2'"),
    ],
)
def test_an_archive_that_no_bundle_could_be_is_refused_in_one_line(tmp_path, entries, told):
    archive_with(tmp_path / "a.zip", *entries)
    refused("verify", "a.zip", told=told, cwd=tmp_path)


def test_nothing_is_unpacked_beside_an_archive(tmp_path):
    archive_with(tmp_path / "a.zip", ("../x", b"", PLAIN))
    before = sorted(tmp_path.parent.iterdir())
    refused("verify a.zip", told="not the name of a file in a bundle", cwd=tmp_path)
    assert sorted(tmp_path.parent.iterdir()) == before


def test_packed_archives_are_refused_whatever_they_would_unpack_to(tmp_path):
    archive_with(tmp_path / "a.zip", ("bundle.json", bytes(50_000_000), PLAIN), packed=True)
    refused("verify", "a.zip", told="is compressed, and bundles are not", cwd=tmp_path)


def test_entries_that_share_their_bytes_are_refused(tmp_path):
    archive_with(tmp_path / "a.zip", *((f"a{number}", bytes(1000), PLAIN) for number in range(9)))
    content = bytearray((tmp_path / "a.zip").read_bytes())
    for at in [place for place in range(len(content)) if content[place : place + 4] == b"PK\x01\x02"]:
        content[at + 20 : at + 28] = (5000).to_bytes(4, "little") * 2
    (tmp_path / "a.zip").write_bytes(content)
    refused("verify", "a.zip", told="more than its own size", cwd=tmp_path)


def test_a_part_of_a_bundle_is_refused(place, tmp_path):
    whole = (place / "plain.zip").read_bytes()
    for size in (0, 1, len(whole) // 2, len(whole) - 1):
        (tmp_path / "a.zip").write_bytes(whole[:size])
        refused("verify", "a.zip", told="not a bundle, or only a part of one", cwd=tmp_path)
    refused("verify", "b.zip", told="There is no file b.zip", cwd=tmp_path)
    refused("verify", "/dev/zero", told="is not a file; expected a bundle", cwd=tmp_path)


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("verify signed.zip --public-key other.key.pub", 5, "not with this one"),
        ("verify plain.zip --public-key audit.key.pub", 5, "is not signed"),
        ("verify signed.zip --public-key audit.key", 2, "a private one, which verify must not have"),
        ("verify signed.zip --public-key none.pub", 2, "No such file"),
        ("verify signed.zip --public-key rsa.pub", 2, "not an Ed25519 key"),
        ("verify signed.zip --public-key plain.zip", 2, "holds no public key"),
        ("bundle one --out a.zip --key audit.key.pub", 2, "no private key but a public one"),
        ("bundle one --out a.zip --key locked.key", 2, "locked with a password"),
        ("bundle one --out a.zip --key rsa.key", 2, "is not an Ed25519 key"),
        ("keys new --out audit.key", 2, "never replaced"),
        ("bundle one --out plain.zip", 2, "already exists"),
        ("bundle one --out a.tar", 2, "ends in .zip"),
        ("bundle one --out one/a.zip", 2, "lies in the run one"),
        ("bundle one one --out a.zip", 2, "given twice"),
        ("bundle none --out a.zip", 2, "holds no run"),
        ("bundle running --out a.zip", 2, "is not finished (running)"),
        ("bundle other --out a.zip", 2, "holds no run"),
        ("bundle changed --out a.zip", 2, "impact.csv was changed after the run was finished"),
        ("bundle without --out a.zip", 2, "pooled.csv was deleted after"),
        ("bundle added --out a.zip", 2, "scores.parquet was added after"),
        ("bundle foreign --out a.zip", 2, "notes.txt"),
        ("bundle page --out a.zip", 2, "evenhand report page writes it again"),
        ("bundle unhashed --out a.zip", 2, "no hashes"),
    ],
)
def test_what_can_not_be_bundled_or_verified_is_told_in_one_line(wrong, line, code, told):
    done = evenhand(line, cwd=wrong, code=code)
    assert done.stdout == ""
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (wrong / "a.zip").exists()


@pytest.fixture(scope="module")
def wrong(place):
    """The folder with keys of other kinds, and runs that something happened to."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    other = rsa.generate_private_key(65537, 2048)
    (place / "rsa.key").write_bytes(other.private_bytes(pem, pkcs8, serialization.NoEncryption()))
    told = other.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    (place / "rsa.pub").write_bytes(told)
    locked = ed25519.Ed25519PrivateKey.generate()
    secret = serialization.BestAvailableEncryption(b"secret")
    (place / "locked.key").write_bytes(locked.private_bytes(pem, pkcs8, secret))
    for name in ("running", "other", "changed", "without", "added", "foreign", "page", "unhashed"):
        shutil.copytree(place / "one", place / name)
    for name, old, new in (
        ("running", '"finished"', '"running"'),
        ("other", "evenhand.run/1", "evenhand.run/2"),
        ("unhashed", '"files": {', '"hashes": {'),
    ):
        file = place / name / "manifest.json"
        file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")
    with (place / "changed" / "impact.csv").open("a", encoding="utf-8") as file:
        file.write("\n")
    (place / "without" / "pooled.csv").unlink()
    shutil.copy(place / "one" / "counts.parquet", place / "added" / "scores.parquet")
    (place / "foreign" / "notes.txt").write_text("mine", encoding="utf-8")
    (place / "page" / "report.html").write_text("mine", encoding="utf-8")
    return place
