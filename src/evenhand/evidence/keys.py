"""Signatures: Ed25519 keys in OpenSSL's format, and an in-toto Statement (v1) in a DSSE envelope (v1).

https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.archive import Contents, File
from evenhand.results.files import file_bytes, written

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


_LACKING: Final = "Signatures need cryptography, which is not installed; install evenhand[bundle]."
_NEW: Final = "evenhand keys new --out FILE makes a pair."


@dataclass(frozen=True, kw_only=True)
class KeyPair:
    """The files of a new pair of keys, and the fingerprint of the public one."""

    private: Path
    public: Path
    fingerprint: str


def new_keys(private: Path) -> KeyPair:
    """Write a new private key, which its owner alone may read, and its public key beside it, FILE.pub.

    Raises
    ------
    InputError
        One of the files is there already, or can't be written; a key is never replaced.

    """
    _require()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = private.with_name(f"{private.name}.pub")
    for path in (private, public):
        _refuse_existing(path)
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public_pem = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    for path, content in ((private, secret), (public, public_pem)):
        with written(path, private=path == private) as file:
            _refuse_existing(path)  # another process may have been faster
            file.write(content)
    return KeyPair(private=private, public=public, fingerprint=fingerprint(key.public_key()))


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise InputError(f"{path} already exists, and a key is never replaced; choose another --out.")


def read_private_key(path: Path) -> "Ed25519PrivateKey":
    """Return the private key in a file.

    Raises
    ------
    InputError
        There is no such file, or it holds no private Ed25519 key without a password.

    """
    _require()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    content = _content(path, "--key")
    try:
        key = load_pem_private_key(content, password=None)
    except TypeError as error:
        raise InputError(f"--key {path} is locked with a password; give one without. {_NEW}") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        public = " but a public one" if b"PUBLIC KEY" in content else ""
        raise InputError(f"--key {path} holds no private key{public}. {_NEW}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"--key {path} is not an Ed25519 key. {_NEW}")
    return key


def read_public_key(path: Path) -> "Ed25519PublicKey":
    """Return the public key in a file.

    Raises
    ------
    InputError
        There is no such file, or it holds no public Ed25519 key.

    """
    _require()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    content = _content(path, "--public-key")
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm) as error:
        private = " but a private one, which verify must not have" if b"PRIVATE KEY" in content else ""
        raise InputError(f"--public-key {path} holds no public key{private}; give the file FILE.pub.") from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"--public-key {path} is not an Ed25519 key; give the file FILE.pub of evenhand keys new.")
    return key


def fingerprint(key: "Ed25519PublicKey") -> str:
    """Return the sha256 of a public key (its SubjectPublicKeyInfo) as 64 hex digits."""
    from cryptography.hazmat.primitives import serialization

    public_der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(public_der).hexdigest()


def _content(path: Path, option: str) -> bytes:
    try:
        return file_bytes(path)
    except OSError as error:
        raise InputError(f"{option} {path} can't be read: {error.strerror}.") from error


def _require() -> None:
    """Raise InputError where cryptography is not installed."""
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise InputError(_LACKING) from error


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
        (entry,) = values["signatures"]
        payload, signature = (base64.b64decode(text, validate=True) for text in (values["payload"], entry["sig"]))
        known = values["payloadType"] == PAYLOAD and isinstance(entry["keyid"], str)
    except (ValueError, LookupError, TypeError, binascii.Error) as error:
        raise CheckFailed(f"{source}: {ENVELOPE} is damaged.") from error
    if not known:
        raise CheckFailed(f"{source}: {ENVELOPE} holds no in-toto statement.")
    return Envelope(payload=payload, key=entry["keyid"], signature=signature)


def check_signature(envelope: Envelope, key: "Ed25519PublicKey", *, source: object) -> None:
    """Raise CheckFailed where another key signed an envelope, or another statement was signed."""
    from cryptography.exceptions import InvalidSignature

    key_fingerprint = fingerprint(key)
    if envelope.key != key_fingerprint:
        raise CheckFailed(
            f"{source} is signed with the key {envelope.key[:16]}…, not with this one, {key_fingerprint[:16]}…."
        )
    try:
        key.verify(envelope.signature, encoded(envelope.payload))
    except InvalidSignature as error:
        raise CheckFailed(f"{source}: the signature doesn't match the contents of the bundle.") from error


def encoded(payload: bytes, kind: str = PAYLOAD) -> bytes:
    """Return what is signed: payload and its type with their lengths (DSSE's pre-authentication encoding)."""
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
