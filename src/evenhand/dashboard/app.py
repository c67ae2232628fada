"""The application: addresses, who may see what, and what is refused."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from evenhand.dashboard.access import COOKIE, Access, Visitor
from evenhand.dashboard.cube.kept import Cubes
from evenhand.dashboard.pages import HEADERS, answered, login_page, message
from evenhand.dashboard.views.audits import audits, listed_runs, report_of
from evenhand.dashboard.views.diversity import Asked, diversity
from evenhand.dashboard.views.monitoring import MEASURES, monitoring
from evenhand.dashboard.views.overview import overview
from evenhand.errors import EvenhandError, InputError
from evenhand.monitoring.exposition import metrics_text
from evenhand.monitoring.history.alarms import acknowledge, alarms
from evenhand.monitoring.history.daily import daily_series
from evenhand.monitoring.history.store import Store, opened_store
from evenhand.monitoring.state import state_of

__all__ = ["Dashboards", "application"]

#: Bytes of a form, characters of a query string and of a note.
_LONGEST_FORM: Final = 16_384
_LONGEST_QUERY: Final = 4_096
_LONGEST_NOTE: Final = 500
_OPEN_PATHS: Final = frozenset({"/healthz", "/login"})


@dataclass(frozen=True, kw_only=True)
class Dashboards:
    """What is shown: a store, a folder of runs, or both; and to whom."""

    access: Access
    store: str | None = None
    runs: Path | None = None
    cubes: Cubes = field(default_factory=Cubes)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Yield the store.

        Raises
        ------
        InputError
            None was given.

        """
        if self.store is None:
            raise InputError("No store was given; evenhand serve --store FILE shows one.")
        with opened_store(self.store) as store:
            yield store

    def overview(self, request: Request) -> Response:
        """Return the state of every model."""
        with self.opened() as store:
            state = state_of(store)
        return answered(request, overview(state, exact=_exact(request)))

    def diversity(self, request: Request) -> Response:
        """Return who is at each stage."""
        with self.opened() as store:
            models = _models(store)
            model = _chosen(request, models)
            found = None if model is None else self.cubes.of(store, model)
        if model is None or found is None:
            told = "No decisions were recorded yet: evenhand monitor record --selected COL tells how."
            return message("Diversity", told, status=200)
        asked = Asked(
            model=model, **{name: request.query_params.get(name, "") for name in ("attribute", "by", "stage")}
        )
        return answered(request, diversity(found, asked, models=models, exact=_exact(request)))

    def monitoring(self, request: Request) -> Response:
        """Return a model over time."""
        visitor: Visitor = request.state.visitor
        with self.opened() as store:
            models = _models(store)
            model = _chosen(request, models)
            if model is None:
                return message("Monitoring", "No judgements were recorded yet.", status=200)
            series = daily_series(store, models=[model], measures=list(MEASURES))
            own = [each for each in alarms(store) if each.model == model and each.state != "resolved"]
        token = None if visitor.role == "viewer" else self.access.form_token(visitor)
        return answered(
            request, monitoring(series, own, model=model, models=models, form_token=token, exact=_exact(request))
        )

    def acknowledged(self, request: Request) -> Response:
        """Acknowledge an alarm with a note, and return to its model."""
        visitor: Visitor = request.state.visitor
        form: dict[str, str] = request.state.form
        if visitor.role == "viewer":
            return message("Not allowed", "A viewer can't acknowledge alarms.", status=403)
        note = " ".join(form.get("note", "").split())[:_LONGEST_NOTE]
        if not note:
            return message(
                "No note", "A note says what was found, or is done about it; go back and write one.", status=400
            )
        with self.opened() as store, store.writing() as writing:
            alarm = acknowledge(writing, int(request.path_params["number"]), by=visitor.name, note=note)
        return RedirectResponse(
            str(request.url_for("monitoring").replace(scheme="", netloc="").include_query_params(model=alarm.model)),
            303,
        )

    def audits(self, request: Request) -> Response:
        """Return the finished runs."""
        return answered(request, audits(listed_runs(self.runs) if self.runs is not None else []))

    def report(self, request: Request) -> Response:
        """Return the report of a run, with the policy that stands in it."""
        found = None if self.runs is None else report_of(self.runs, request.path_params["name"])
        if found is None:
            return message("No such report", "No finished audit of that name has a report.", status=404)
        return FileResponse(found, media_type="text/html")

    def metrics(self, request: Request) -> Response:  # noqa: ARG002 - as all endpoints
        """Return the metrics of the store."""
        with self.opened() as store:
            return PlainTextResponse(metrics_text(store), media_type="text/plain; version=0.0.4")

    def login(self, request: Request) -> Response:
        """Return the form that asks for the token, or take it."""
        if request.method == "GET":
            return login_page()
        if not self.access.is_token(request.state.form.get("token", "")):
            return message("Not known", "That is not the token.", status=403)
        taken = RedirectResponse("/", 303)
        taken.set_cookie(COOKIE, self.access.session, httponly=True, samesite="strict")
        return taken


def application(shown: Dashboards) -> Starlette:
    """Return the application."""
    routes = [
        Route("/", shown.overview),
        Route("/diversity", shown.diversity),
        Route("/monitoring", shown.monitoring, name="monitoring"),
        Route("/monitoring/alarms/{number:int}", shown.acknowledged, methods=["POST"]),
        Route("/audits", shown.audits),
        Route("/audits/{name:path}/report", shown.report),
        Route("/metrics", shown.metrics),
        Route("/login", shown.login, methods=["GET", "POST"]),
        Route("/healthz", _healthy),
    ]
    app = Starlette(routes=routes, exception_handlers={EvenhandError: _told, 404: _missing})
    app.add_middleware(BaseHTTPMiddleware, dispatch=_guard(shown.access))
    return app


def _guard(access: Access) -> Callable[[Request, Any], Awaitable[Response]]:
    """Return what stands before every address: who asks, whether a form is ours, headers of every answer."""

    async def dispatch(request: Request, call_next: Any) -> Response:
        refused = await _refused(request, access)
        response: Response = refused if refused is not None else await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return dispatch


async def _refused(request: Request, access: Access) -> Response | None:
    """Return why a request is refused; None where it is not."""
    if not access.allows_host(request.headers.get("host", "")):
        return message("Not here", "This address is not what the server was started with.", status=400)
    if len(request.url.query) > _LONGEST_QUERY:
        return message("Too long", "The address is too long.", status=414)
    visitor = access.visitor(request.headers)
    request.state.visitor = visitor
    if visitor is None and request.url.path not in _OPEN_PATHS:
        if access.token is not None and request.method == "GET" and access.user_header is None:
            return RedirectResponse("/login", 303)
        return message("Not known", "Nobody known asks for this page; sign in first.", status=401)
    if request.method == "POST":
        return await _refused_form(request, access)
    return None


async def _refused_form(request: Request, access: Access) -> Response | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_FORM:
            return message("Too long", "What was typed is too long.", status=413)
    request.state.form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        return message("Not ours", "The form is of another page.", status=403)
    visitor: Visitor | None = request.state.visitor
    if request.url.path == "/login":
        return None
    if visitor is None or not access.is_form_token(visitor, request.state.form.get("form", "")):
        return message("Not ours", "The form is of another page, or older than the server; open it again.", status=403)
    return None


def _healthy(request: Request) -> Response:  # noqa: ARG001 - as all endpoints
    return PlainTextResponse("ok\n")


async def _told(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    status = 400 if isinstance(error, InputError) else 503
    return await run_in_threadpool(message, "This can't be shown", str(error), status=status)


async def _missing(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    return message("No such page", "There is no page at this address.", status=404)


def _models(store: Store) -> list[str]:
    return [name for (name,) in store.rows("SELECT name FROM models ORDER BY name")]


def _chosen(request: Request, models: list[str]) -> str | None:
    asked = request.query_params.get("model", "")
    if asked in models:
        return asked
    return models[0] if models else None


def _exact(request: Request) -> bool:
    """Return whether exact numbers are asked for by somebody with access to the rows."""
    visitor: Visitor = request.state.visitor
    return visitor.role == "admin" and request.query_params.get("exact") == "yes"
