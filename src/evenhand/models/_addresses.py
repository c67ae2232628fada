"""Addresses of servers: checked, and fit for a message."""

import ipaddress
from urllib.parse import urlsplit

from yarl import URL

from evenhand.errors import InputError

__all__ = ["bare_address", "endpoint", "is_loopback"]


def endpoint(base_url: str, path: str, *, key_variable: str) -> URL:
    """Return the address that requests are posted to: `base_url` and behind it `path`.

    Raises
    ------
    InputError
        it is no HTTP address, or holds more than one.
    """
    expected = "expected an address such as http://127.0.0.1:8000/v1"
    given = base_url.strip()
    try:
        parts = urlsplit(given)
        port = parts.port
        hostname = parts.hostname
    except ValueError:
        raise InputError(f"--base-url {bare_address(given)!r} is no address; {expected}.") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(f"--base-url holds a user name or password; {expected}, and the key in {key_variable}.")
    if parts.scheme not in {"http", "https"} or not hostname or port == 0 or any(sign.isspace() for sign in given):
        raise InputError(f"--base-url {bare_address(given)!r} is no HTTP address; {expected}.")
    if parts.query or parts.fragment:
        raise InputError(f"--base-url {bare_address(given)!r} is followed by ? or #; {expected}, without them.")
    begin = parts.path.rstrip("/").removesuffix(path)
    try:
        return URL(f"{parts.scheme}://{parts.netloc}{begin}{path}")
    except ValueError:
        raise InputError(f"--base-url {bare_address(given)!r} is no address; {expected}.") from None


def bare_address(address: str) -> str:
    """Return an address without user, query and fragment, short enough for a message.

    >>> bare_address("https://user:secret@host/v1?key=secret")
    'https://host/v1'
    """
    bare = address.split("?", 1)[0].split("#", 1)[0]
    scheme, separator, rest = bare.partition("://")
    rest = rest.rsplit("@", 1)[-1]
    shown = f"{scheme}{separator}{rest}" if separator else bare.rsplit("@", 1)[-1]
    return "".join(sign for sign in shown if sign.isprintable())[:200]


def is_loopback(host: str) -> bool:
    """Return whether the host is this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost.example.org")
    (True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
