"""A scorer behind HTTP: a résumé and a position are posted, a number comes back."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, Self
from urllib.parse import urlsplit

from yarl import URL

from evenhand.errors import InputError
from evenhand.models.gathering import Gathering, asked_in_halves
from evenhand.models.http.addresses import is_loopback
from evenhand.models.http.bodies import loads
from evenhand.models.http.client import LARGEST_BODY, Connection, Reply
from evenhand.models.http.error_reading import read_failure
from evenhand.models.http.retry_after import told_limits
from evenhand.models.model import Answer, Failure, Request, ToldLimit
from evenhand.models.scorers.pair import Pair, pair_of, score_text
from evenhand.models.scorers.pointers import Nothing, value_at
from evenhand.models.scorers.polling import awaited
from evenhand.models.scorers.request_form import RequestForm
from evenhand.tables.messages.quoting import shortened
from evenhand.tables.messages.urls import public_url

__all__ = ["HttpScorer", "read_scored", "scorer_address"]

_ACCEPTED: Final = 202
_REPAIRS: Final = {
    401: "Check the headers in --request, and the variables that they name.",
    402: "Check the account's credit.",
    403: "Check what the key in --request is allowed to do.",
    404: "Check the address in --scorer.",
    405: "Check the address in --scorer: it takes no POST.",
    410: "Check the address in --scorer.",
}


class HttpScorer:
    """Asks one service for scores; use it as an async context manager.

    `timeout` is for a single request in seconds, `concurrency` bounds the requests under way. Values of the
    environment that `form` holds are in no message and in no answer that leaves this object.
    """

    simulated = False

    def __init__(self, url: URL, form: RequestForm, *, timeout: float, concurrency: int) -> None:
        self.name = str(url)
        self.form = form
        self._url = url.with_query(dict(form.query)) if form.query else url
        self._where = str(url.origin())
        self._connection = Connection(
            headers=form.headers, keys=form.secrets, timeout=timeout, limit=concurrency, named="--scorer"
        )
        self._gathering: Gathering | None = None
        if form.several is not None:
            self._gathering = Gathering(
                lambda requests: asked_in_halves(self._scored, requests),
                most=form.several.at_most,
                at_once=concurrency,
                alike=lambda request: form.shared(pair_of(request)),
            )

    @property
    def unencrypted(self) -> str | None:
        """Return what should be known of keys that are sent unencrypted to another machine, None where none are."""
        if not self.form.secrets or self._url.scheme == "https" or is_loopback(self._url.host or ""):
            return None
        return f"The key goes to {self._where} unencrypted: whoever carries the messages can read it."

    @property
    def per_request(self) -> int:
        """Return how many pairs one request is about at most."""
        return 1 if self.form.several is None else self.form.several.at_most

    async def __aenter__(self) -> Self:
        await self._connection.__aenter__()
        if self._gathering is not None:
            await self._gathering.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._gathering is not None:
            await self._gathering.__aexit__(*error)
        await self._connection.__aexit__(*error)

    async def answer(self, request: Request) -> Answer:
        """Return the score of a pair as text, asked for once.

        Raises
        ------
        Failure
            No score came; `kind` says whether to ask again.
        """
        if self._gathering is not None:
            return await self._gathering.answer(request)
        (found,) = await self._scored([request])
        if isinstance(found, Failure):
            raise found
        return found

    async def _scored(self, requests: Sequence[Request]) -> list[Answer | Failure]:
        """Return the scores of pairs that are asked about in one request."""
        pairs = [pair_of(request) for request in requests]
        try:
            reply = await self._connection.post(self._url, self.form.payload(pairs), where=self._where)
            told = () if reply.status >= 300 else told_limits(reply.headers, now=datetime.now(UTC))
            document = self._document(reply)
            if self.form.poll is not None:
                document = await awaited(
                    self.form.poll,
                    document,
                    reply.headers.get("Location"),
                    url=self._url,
                    get=self._got,
                    sleep=asyncio.sleep,
                )
        except Failure as failure:
            failure.args = (self._connection.without_key(str(failure)),)
            raise
        found = read_scored(document, pairs, self.form, where=self._where)
        if reply.status == _ACCEPTED and self.form.poll is None and all(isinstance(each, Failure) for each in found):
            told_later = f"{self._where} answered 202 Accepted and no score: it comes later."
            raise Failure("final", "no_score", f"{told_later} Say with poll in --request how it is waited for.")
        return [self._clean(each, told) for each in found]

    async def _got(self, url: URL) -> Any:
        """Return the JSON that an address of the service holds."""
        return self._document(await self._connection.get(url, where=self._where))

    def _document(self, reply: Reply) -> Any:
        """Return the JSON of a reply, None where a success has no body.

        Raises
        ------
        Failure
            The reply tells of an error, is too large or no JSON.
        """
        if not 200 <= reply.status < 300:
            raise read_failure(reply.status, reply.headers, reply.body, where=self._where, repairs=_REPAIRS)
        if not reply.whole:
            raise Failure("final", "too_large", f"{self._where} sent an answer of more than {LARGEST_BODY:,} bytes.")
        if not reply.body.strip():
            return None
        document = loads(reply.body)
        if document is None and reply.body.strip() != b"null":
            raise Failure("retry", "malformed", f"{self._where} sent something that is no JSON.")
        return document

    def _clean(self, found: Answer | Failure, told: tuple[ToldLimit, ...]) -> Answer | Failure:
        if isinstance(found, Failure):
            found.args = (self._connection.without_key(str(found)),)
            return found
        return Answer(text=self._connection.without_long_key(found.text), told=told)


def read_scored(document: Any, pairs: Sequence[Pair], form: RequestForm, *, where: str) -> list[Answer | Failure]:
    """Return the score of each pair in what a service answered, or why there is none.

    Raises
    ------
    Failure
        What was answered is about none of the pairs, or it can't be told about which.
    """
    several = form.several
    if several is None:
        return [_score(document, form, where)]
    at = "/" + "/".join(several.answers) if several.answers else "the top"
    try:
        results = value_at(document, several.answers)
    except Nothing as nothing:
        raise Failure("final", "no_score", f"{where} answered, and nothing stands at {at}: {nothing}.") from None
    if not isinstance(results, list):
        raise Failure("final", "no_score", f"{where} answered, and at {at} stands no list of results.")
    if several.id is None:
        if len(results) != len(pairs):
            told = f"{where} answered {len(results)} results for {len(pairs)} pairs"
            raise Failure("final", "wrong_length", f"{told}; expected one for each, in their order.")
        return [_score(result, form, where) for result in results]
    by_id: dict[str, Any] = {}
    for result in results:
        try:
            by_id[str(value_at(result, several.id))] = result
        except Nothing:
            continue
    return [
        _score(by_id[pair.id], form, where)
        if pair.id in by_id
        else Failure("final", "no_score", f"{where} answered about others, and not about a pair that was sent.")
        for pair in pairs
    ]


def _score(result: Any, form: RequestForm, where: str) -> Answer | Failure:
    try:
        return Answer(text=score_text(value_at(result, form.score)))
    except Nothing as nothing:
        at = "/" + "/".join(form.score)
        message = f"{where} answered, and no score stands at {shortened(at)}: {nothing}. Give --score-at."
        return Failure("final", "no_score", message)


def scorer_address(text: str) -> URL:
    """Return the address of a scorer.

    Raises
    ------
    InputError
        It is no HTTP address, or holds a user, a password or a query.

    >>> str(scorer_address("http://127.0.0.1:8000/score"))
    'http://127.0.0.1:8000/score'
    """
    expected = "expected an address such as http://127.0.0.1:8000/score"
    address = text.strip()
    try:
        parts = urlsplit(address)
        port, hostname = parts.port, parts.hostname
        if parts.username is None and parts.password is None and not (parts.query or parts.fragment):
            if parts.scheme in {"http", "https"} and hostname and port != 0 and not any(map(str.isspace, address)):
                return URL(address)
            raise InputError(f"--scorer {public_url(address)!r} is no HTTP address; {expected}.")
    except ValueError:
        raise InputError(f"--scorer {public_url(address)!r} is no address; {expected}.") from None
    if parts.query or parts.fragment:
        raise InputError(
            f"--scorer {public_url(address)!r} is followed by ? or #, and the address is kept on disk; "
            'put what follows into "query" of --request, secrets as "${NAME}".'
        )
    raise InputError(
        f'--scorer holds a user name or password; {expected}, and secrets as "${{NAME}}" in "headers" of --request.'
    )
