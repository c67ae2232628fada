"""Ed25519 keys in files, as OpenSSL reads them."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evenhand.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

__all__ = ["KeyPair", "fingerprint", "new_keys", "read_private_key", "read_public_key"]

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
        if path.exists() or path.is_symlink():
            raise InputError(f"{path} is there already, and a key is never replaced; choose another --out.")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    told = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    for path, content, mode in ((private, secret, 0o600), (public, told, 0o644)):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except OSError as error:
            raise InputError(f"{path} can't be written: {error.strerror}.") from error
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    return KeyPair(private=private, public=public, fingerprint=fingerprint(key.public_key()))


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
        raise InputError(f"--key {path} is no Ed25519 key. {_NEW}")
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
        raise InputError(f"--public-key {path} is no Ed25519 key; give the file FILE.pub of evenhand keys new.")
    return key


def fingerprint(key: "Ed25519PublicKey") -> str:
    """Return the sha256 of a public key (its SubjectPublicKeyInfo) as 64 hex digits."""
    from cryptography.hazmat.primitives import serialization

    told = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(told).hexdigest()


def _content(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{option} {path} can't be read: {error.strerror}.") from error


def _require() -> None:
    """Raise InputError where cryptography is not installed."""
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise InputError(_LACKING) from error
