"""Addresses of servers, checked."""

import ipaddress
from urllib.parse import urlsplit

from yarl import URL

from evenhand.errors import InputError
from evenhand.tables.messages.urls import public_url

__all__ = ["endpoint", "is_loopback"]


def endpoint(base_url: str, path: str, *, key_variable: str) -> URL:
    """Return the address that requests are posted to: `base_url` and behind it `path`.

    Raises
    ------
    InputError
        it is no HTTP address, or holds more than one.
    """
    expected = "expected an address such as http://127.0.0.1:8000/v1"
    address = base_url.strip()
    try:
        parts = urlsplit(address)
        port = parts.port
        hostname = parts.hostname
    except ValueError:
        raise InputError(f"--base-url {public_url(address)!r} is no address; {expected}.") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(f"--base-url holds a user name or password; {expected}, and the key in {key_variable}.")
    if parts.scheme not in {"http", "https"} or not hostname or port == 0 or any(sign.isspace() for sign in address):
        raise InputError(f"--base-url {public_url(address)!r} is no HTTP address; {expected}.")
    if parts.query or parts.fragment:
        raise InputError(f"--base-url {public_url(address)!r} is followed by ? or #; {expected}, without them.")
    begin = parts.path.rstrip("/").removesuffix(path)
    try:
        return URL(f"{parts.scheme}://{parts.netloc}{begin}{path}")
    except ValueError:
        raise InputError(f"--base-url {public_url(address)!r} is no address; {expected}.") from None


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
