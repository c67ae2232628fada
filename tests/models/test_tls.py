"""Certificates are verified whatever the environment says; other roots are named with SSL_CERT_FILE."""

import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.models.dialects import CHAT_COMPLETIONS, MESSAGES
from evenhand.models.http import HttpModel
from evenhand.models.model import Failure, Generation, Request
from loopback import Loopback, answer_to, tls_context

ASKED = Request(
    id="0" * 16,
    stimulus={},
    attempt=0,
    messages=[{"role": "user", "content": "hello"}],
    generation=Generation(),
    seed=None,
)
# What switches verification off in some other program or library.
LAX = {
    "PYTHONHTTPSVERIFY": "0",
    "SSL_VERIFY": "false",
    "SSL_NO_VERIFY": "1",
    "VERIFY_SSL": "false",
    "CURL_CA_BUNDLE": "",
    "REQUESTS_CA_BUNDLE": "",
    "NODE_TLS_REJECT_UNAUTHORIZED": "0",
    "GIT_SSL_NO_VERIFY": "true",
    "HTTPX_VERIFY": "false",
    "AIOHTTP_NO_VERIFY": "1",
    "OPENAI_VERIFY_SSL": "false",
    "LITELLM_SSL_VERIFY": "false",
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the files of a certificate that nobody but itself has signed, and of its private key."""
    folder = tmp_path_factory.mktemp("tls")
    files = folder / "certificate.pem", folder / "private.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=example.org", "-days", "1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-out", str(files[0]), "-keyout", str(files[1])]
    try:
        subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl made no certificate")
    return files


async def ask(model):
    async with model:
        return await model.answer(ASKED)


@pytest.mark.parametrize("dialect", [CHAT_COMPLETIONS, MESSAGES])
async def test_a_certificate_that_nobody_signed_is_refused_before_anything_is_sent(certificate, monkeypatch, dialect):
    for name, value in LAX.items():
        monkeypatch.setenv(name, value)
    async with Loopback(tls=tls_context(*certificate)) as server:
        with pytest.raises(Failure, match=r"TLS.*certificate") as caught:
            await ask(HttpModel("m", dialect=dialect, base_urls=[server.url], key="sk-abcdefgh12345678"))
    assert caught.value.kind == "unreachable"
    assert server.requests == 0


@pytest.mark.parametrize("dialect", [CHAT_COMPLETIONS, MESSAGES])
async def test_a_certificate_that_ssl_cert_file_vouches_for_is_accepted(certificate, monkeypatch, dialect):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    async with Loopback(tls=tls_context(*certificate)) as server:
        assert (await ask(HttpModel("m", dialect=dialect, base_urls=[server.url]))).text == answer_to("hello")


async def test_a_certificate_for_another_host_is_refused_although_it_is_known(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    async with Loopback(tls=tls_context(*certificate)) as server:
        with pytest.raises(Failure, match="TLS"):
            await ask(
                HttpModel("m", dialect=CHAT_COMPLETIONS, base_urls=[server.url.replace("127.0.0.1", "localhost")])
            )
    assert server.requests == 0


def test_no_source_file_of_ours_can_switch_verification_off():
    folder = Path(sys.modules["evenhand"].__path__[0])
    sources = "\n".join(file.read_text("utf-8") for file in folder.rglob("*.py"))
    for word in ("CERT_NONE", "_create_unverified_context", "check_hostname = False", "ssl=False", "verify=False"):
        assert word not in sources
