"""What is signed: an in-toto Statement (v1) about every file of a bundle, in a DSSE envelope (v1).

https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from evenhand.errors import CheckFailed
from evenhand.evidence.archive import File
from evenhand.evidence.contents import Contents
from evenhand.evidence.keys import fingerprint

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = ["ENVELOPE", "Envelope", "check_signature", "encoded", "read_envelope", "signed", "statement"]

ENVELOPE: Final = "statement.dsse.json"
STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "urn:evenhand:bundle:1"
PAYLOAD: Final = "application/vnd.in-toto+json"


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """A statement, and who signed it: the fingerprint of the public key and the signature."""

    payload: bytes
    key: str
    signature: bytes


def statement(contents: Contents, files: Sequence[File]) -> bytes:
    """Return the statement about the files of a bundle, bundle.json among them."""
    runs = [{"folder": run.folder, "kind": run.kind, "finished": run.finished} for run in contents.runs]
    return orjson.dumps(
        {
            "_type": STATEMENT,
            "subject": [{"name": file.name, "digest": {"sha256": file.sha256}} for file in files],
            "predicateType": PREDICATE,
            "predicate": {"schema": contents.schema, "redacted": contents.redacted, "runs": runs},
        }
    )


def signed(payload: bytes, key: "Ed25519PrivateKey") -> bytes:
    """Return the envelope of a statement: the same statement and key give the same bytes."""
    signature = key.sign(encoded(payload))
    envelope = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD,
        "signatures": [{"keyid": fingerprint(key.public_key()), "sig": base64.b64encode(signature).decode()}],
    }
    return orjson.dumps(envelope, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_envelope(content: bytes, *, source: object) -> Envelope:
    """Return what an envelope holds.

    Raises
    ------
    CheckFailed
        It is none, or of another payload than a statement.

    """
    try:
        values: dict[str, Any] = orjson.loads(content)
        (one,) = values["signatures"]
        payload, signature = (base64.b64decode(each, validate=True) for each in (values["payload"], one["sig"]))
        known = values["payloadType"] == PAYLOAD and isinstance(one["keyid"], str)
    except (ValueError, LookupError, TypeError, binascii.Error) as error:
        raise CheckFailed(f"{source}: {ENVELOPE} is damaged.") from error
    if not known:
        raise CheckFailed(f"{source}: {ENVELOPE} holds no in-toto statement.")
    return Envelope(payload=payload, key=one["keyid"], signature=signature)


def check_signature(envelope: Envelope, key: "Ed25519PublicKey", *, source: object) -> None:
    """Raise CheckFailed where another key signed an envelope, or another statement was signed."""
    from cryptography.exceptions import InvalidSignature

    own = fingerprint(key)
    if envelope.key != own:
        raise CheckFailed(f"{source} is signed with the key {envelope.key[:16]}…, not with this one, {own[:16]}….")
    try:
        key.verify(envelope.signature, encoded(envelope.payload))
    except InvalidSignature as error:
        raise CheckFailed(f"{source}: the signature is not of what the bundle holds.") from error


def encoded(payload: bytes, kind: str = PAYLOAD) -> bytes:
    """Return what is signed: payload and its type with their lengths (DSSE's pre-authentication encoding)."""
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
