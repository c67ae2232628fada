"""What is signed is a DSSE envelope around an in-toto Statement, as their specifications have them."""

import base64
import hashlib
import sys

import orjson
import pytest

from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.archive import BundledRun, Contents, File, Protocol
from evenhand.evidence.keys import (
    check_signature,
    encoded,
    new_keys,
    read_envelope,
    read_private_key,
    read_public_key,
    signed,
    statement,
)

PROTOCOL = Protocol(
    question=None, asked_by=None, data={}, input={}, decided={}, planned=(), warnings=(), limits=(), command=""
)
RUN = BundledRun(
    folder="runs/1-impact",
    kind="impact",
    title="",
    model="",
    simulated=False,
    started=None,
    finished="2026-01-01T00:00:00+00:00",
    versions={},
    found=(),
    protocol=PROTOCOL,
)
CONTENTS = Contents(redacted=False, runs=(RUN,), packages={}, lock=None)
FILES = [File(name="bundle.json", bytes=1, sha256="ab" * 32)]


@pytest.fixture
def keys(tmp_path):
    return new_keys(tmp_path / "audit.key")


def test_the_encoding_is_that_of_the_specification():
    # The test vector of https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
    told = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert encoded(b"hello world", "http://example.com/HelloWorld") == told


def test_any_tool_for_ed25519_can_check_an_envelope(keys):
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_public_key,
    )

    envelope = orjson.loads(signed(statement(CONTENTS, FILES), read_private_key(keys.private)))
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    (one,) = envelope["signatures"]
    public = load_pem_public_key(keys.public.read_bytes())
    public.verify(base64.b64decode(one["sig"]), b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload))
    told = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert one["keyid"] == keys.fingerprint == hashlib.sha256(told).hexdigest()
    said = orjson.loads(payload)
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["subject"] == [{"name": "bundle.json", "digest": {"sha256": "ab" * 32}}]


def test_a_private_key_is_for_its_owner_alone(keys):
    assert keys.private.stat().st_mode & 0o777 == 0o600


def test_without_cryptography_it_is_told_what_to_install(keys, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for read in (read_private_key, read_public_key, new_keys):
        with pytest.raises(InputError, match=r"install evenhand\[bundle\]"):
            read(keys.private)


def test_another_statement_under_the_same_signature_is_found(keys):
    one = orjson.loads(signed(statement(CONTENTS, FILES), read_private_key(keys.private)))
    one["payload"] = base64.b64encode(statement(CONTENTS, [])).decode()
    with pytest.raises(CheckFailed, match="the signature doesn't match the contents of the bundle"):
        check_signature(read_envelope(orjson.dumps(one), source="a.zip"), read_public_key(keys.public), source="a.zip")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"payload": 1, "payloadType": "", "signatures": [{"sig": ""}]}',
        b'{"payload": "!", "payloadType": "application/vnd.in-toto+json", "signatures": [{"keyid": "", "sig": ""}]}',
        b'{"payload": "", "payloadType": "application/json", "signatures": [{"keyid": "", "sig": ""}]}',
        b'{"payload": "", "payloadType": "application/vnd.in-toto+json", "signatures": []}',
        b'{"payload": "", "payloadType": "application/vnd.in-toto+json", "signatures": [{"keyid": 1, "sig": ""}]}',
    ],
)
def test_what_is_no_envelope_is_told(content):
    with pytest.raises(CheckFailed, match=r"statement\.dsse\.json"):
        read_envelope(content, source="a.zip")
