"""Runs against servers that want it otherwise, fail, or try to get a key onto the disk."""

import orjson
import pytest
from _cli import environment, evenhand, findings, journal, loopback, seen

KEY = "sk-proj-a1B2/c3D4+e5F6_0123456789"
KEYED = environment(OPENAI_API_KEY=KEY, ANTHROPIC_API_KEY=KEY)


def manifest_of(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())


def probe(*args, cwd, env=None, code=0):
    return evenhand("probe hiring-an --sample 40 --out run", *args, cwd=cwd, env=env, code=code)


def test_a_refused_temperature_is_said_once_and_no_report_claims_it(tmp_path):
    with loopback(then="refuse:temperature+max_tokens") as url:
        args = ("--model", "openai:m", "--base-url", url, "--temperature", 0.5, "--max-tokens", 9)
        done = probe(*args, cwd=tmp_path)
        assert done.stderr.count("temperature 0.5 was not used") == 1
        assert done.stderr.count("max_tokens 9 was sent as max_completion_tokens") == 1
        asked = seen(url)["requests"]
        assert 40 + 2 <= asked <= 40 + 2 * 16
        probe(*args, "--resume", cwd=tmp_path)
        assert seen(url)["requests"] == asked
    assert {line["retries"] for line in journal(tmp_path / "run")} == {0}
    manifest = manifest_of(tmp_path / "run")
    assert manifest["parameters"]["temperature"] is None
    assert manifest["parameters"]["max_tokens"] == 9
    assert {(row["parameter"], row["requested"], row["sent"]) for row in manifest["adaptations"]} == {
        ("temperature", 0.5, None),
        ("max_tokens", 9, "max_completion_tokens"),
    }
    _, audit = findings(tmp_path / "run")
    assert audit["parameters"]["temperature"] is None
    assert any(line.startswith("temperature 0.5 was not used") for line in audit["warnings"])
    assert "temperature 0.5 was not used" in (tmp_path / "run" / "report.html").read_text("utf-8")


def test_a_suite_says_once_what_its_server_refuses(tmp_path):
    with loopback(then="refuse:temperature") as url:
        line = "audit --model openai:m --temperature 0.5 --sample 24 --out run --no-report"
        done = evenhand(line, "--base-url", url, cwd=tmp_path)
    assert done.stderr.count("temperature 0.5 was not used") == 1
    _, audit = findings(tmp_path / "run")
    assert [line[:28] for line in audit["warnings"]].count("temperature 0.5 was not used") == 1
    below = [path.parent for path in (tmp_path / "run").glob("*/manifest.json")]
    assert len(below) > 1
    assert all(manifest_of(folder)["parameters"]["temperature"] is None for folder in below)


def test_a_resumed_run_leaves_out_from_the_beginning_what_its_first_part_left_out(tmp_path):
    with loopback(then="refuse:temperature") as url, loopback() as other:
        args = ("--model", "openai:m", "--temperature", 0.5, "--concurrency", 1)
        probe(*args, "--base-url", url, "--max-requests", 10, cwd=tmp_path, code=4)
        assert manifest_of(tmp_path / "run")["parameters"]["temperature"] is None
        probe(*args, "--base-url", other, "--resume", cwd=tmp_path)
        assert all("temperature" not in body for body in seen(other)["bodies"])
    assert manifest_of(tmp_path / "run")["parameters"]["temperature"] is None


def test_anthropic_is_asked_and_its_limit_of_tokens_is_recorded(tmp_path):
    with loopback(faults="529,429:0,refusal") as url:
        probe("--model", "anthropic:m", "--base-url", url, "--quiet", cwd=tmp_path)
        body = seen(url)["bodies"][-1]
    assert body.keys() == {"model", "messages", "max_tokens"}
    _, audit = findings(tmp_path / "run")
    assert audit["statuses"] == {"observed": 39, "refused": 1}
    assert audit["parameters"]["max_tokens"] == body["max_tokens"] == 4096
    assert audit["warnings"] == []


def test_of_two_servers_one_may_fail_and_the_findings_are_those_of_one(tmp_path):
    with loopback() as url, loopback() as other, loopback(then="500") as broken:
        evenhand("probe hiring-an --model openai:m --base-url", url, "--sample", 60, "--out", "a",
                         "--quiet", "--no-report", cwd=tmp_path)  # fmt: skip
        before = seen(url)["requests"]
        addresses = ("--base-url", url, "--base-url", other, "--base-url", broken)
        shared = evenhand("probe hiring-an --model openai:m", *addresses, "--sample", 60, "--out", "b",
                          "--no-report", cwd=tmp_path)  # fmt: skip
        assert "gets no requests for a while" in shared.stderr
        # How the load is split depends on who is quicker; that all of it is answered by these two does not.
        shares = seen(url)["requests"] - before, seen(other)["requests"]
        assert min(shares) >= 1
        assert sum(shares) == 60
    assert findings(tmp_path / "a")[0] == findings(tmp_path / "b")[0]
    assert {line["id"] for line in journal(tmp_path / "a")} == {line["id"] for line in journal(tmp_path / "b")}


# What a server does with the key that it was sent; every run ends somehow, and the key is nowhere.
@pytest.mark.parametrize("model", ["openai:m", "anthropic:m"])
@pytest.mark.parametrize(
    "faults",
    [
        "echo",
        "echo:redirect",
        "echo:text,echo:model,echo:escaped,echo:header,echo:200,huge:key,huge:block,refuse:temperature,ok",
    ],
)
def test_a_key_is_in_no_file_and_no_stream_whatever_servers_do_with_it(tmp_path, model, faults):
    with loopback(faults=faults, then=faults.rpartition(",")[2]) as url:
        args = ("--model", model, "--base-url", url, "--temperature", 0.5, "--concurrency", 1)
        done = probe(*args, cwd=tmp_path, env=KEYED, code=0 if "ok" in faults else 3)
        shown = seen(url)
    assert shown["requests"] >= 1
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    contents = b"\0".join([done.stdout.encode(), done.stderr.encode(), *(file.read_bytes() for file in files)])
    for spelled in spellings(KEY):
        assert spelled.encode() not in contents


def spellings(key):
    """Return the key, a long beginning of it, and how it looks escaped."""
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in key)
    return [key, key[:12], key.replace("/", "\\/"), key.replace("/", "%2F").replace("+", "%2B"), escaped]


@pytest.mark.parametrize(
    "args", [("--model", f"openai:{KEY}"), ("--model", "openai:m", "--base-url", f"http://127.0.0.1:1/{KEY}/v1")]
)
def test_a_key_among_the_options_that_are_kept_is_refused(tmp_path, args):
    done = probe(*args, cwd=tmp_path, env=KEYED, code=2)
    assert "is also in --model or --base-url" in done.stderr
    assert KEY not in done.stderr
    assert not (tmp_path / "run").exists()
