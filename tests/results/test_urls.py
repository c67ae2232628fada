"""Secrets of connection URLs in the spellings of libpq, MySQL and Snowflake."""

from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand.results.messages import public_url, without_secrets

SPELLINGS = [
    "postgres://me:{quoted}@db.example.org:5432/hr",
    "postgresql://me:{raw}@db.example.org/hr",
    "postgres://me:{raw}@h1:1,h2:2/hr?target_session_attrs=any",
    "postgres:///hr?host=/run/postgresql&user=me&password={raw}",
    "postgres://db.example.org/hr?sslpassword={quoted}&password='{raw}'",
    "mysql://me:{raw}@db.example.org:3306/hr?charset=utf8mb4",
    "mysql://db.example.org/hr?user=me&passwd={quoted}&ssl_key={raw}",
    'mysql://db.example.org/hr?pwd="{raw}"',
    "snowflake://me:{raw}@org-account/hr/public?warehouse=w&role=r",
    "snowflake://me@org-account/hr/public?authenticator=oauth&token={raw}",
    "snowflake://me@org-account/hr?private_key={raw}&private_key_passphrase={quoted}",
    "jdbc:sqlserver://db.example.org:1433;user=me;password={raw};database=hr",
    "duckdb://hr.duckdb?motherduck_token={raw}",
    "postgres://db.example.org/hr?p%61ssword={quoted}",
]
PASSWORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=4, max_size=30)


@given(PASSWORDS, st.sampled_from(SPELLINGS))
def test_no_password_is_left_in_a_public_url(password, spelling):
    assume(not any(password in part or part in password for part in [spelling, spelling.format(raw="", quoted="")]))
    shown = public_url(spelling.format(raw=password, quoted=quote(password, safe="")))
    assert password not in shown
    assert quote(password, safe="") not in shown
    assert shown.partition("://")[0] == spelling.partition("://")[0]


@given(PASSWORDS, st.sampled_from(SPELLINGS))
def test_no_driver_repeats_a_password_in_a_message(password, spelling):
    assume(password not in spelling and password.strip() == password and not set(password) & set("@?#&;'\"/%+…"))
    url = spelling.format(raw=password, quoted=quote(password, safe=""))
    for message in (f"cannot parse {url}", f'authentication of "me" by {password} failed', f"pwd={password}"):
        assert password not in without_secrets(message, url)


def test_a_parser_that_cuts_a_password_repeats_no_piece_of_it():
    message = "Port could not be cast to integer value as 's3cr'"
    assert "s3cr" not in without_secrets(message, "postgres://me:s3cr/et@host/hr")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgres://ann:secret@host/hr", "postgres://host/hr"),
        ("postgres://ann:se@c/r?e#t@host/hr", "postgres://…"),
        ("postgres://ann:secret/hr", "postgres://…"),
        ("postgres://host/hr&password=x", "postgres://host/hr"),
        ("postgres://[::1]:5432/hr", "postgres://[::1]:5432/hr"),
        ("postgres://host:5432/hr?user=ann@corp&password=x", "postgres://…"),
        ("sqlite:///data/2024 a@b/hr.db", "sqlite:///data/2024 a@b/hr.db"),
        ("postgres://host/hr:secret", "postgres://host/hr"),
        ("postgres://host/hr+password:secret", "postgres://host/hr"),
        ("https://user:secret@host/v1?key=secret", "https://host/v1"),
        ("user:secret@host/v1", "host/v1"),
        ("\x1b[31m://host", "…"),
    ],
)
def test_host_and_database_stay(url, shown):
    assert public_url(url) == shown
