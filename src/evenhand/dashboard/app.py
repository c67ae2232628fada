"""The application of the dashboards: routes, access checks, responses and exports, errors."""

import asyncio
import math
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, Final

import orjson
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from evenhand.dashboard import views
from evenhand.dashboard.access import LOCAL, Access, Visitor, bearer, cookie_name
from evenhand.dashboard.analyses import Analyses, received_file
from evenhand.dashboard.connections import Log, RequestLog, client_address
from evenhand.dashboard.request import LABEL, Dashboards, PageRequest, check_origin, checked_form, form_fields, link_to
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import EvenhandError, InputError
from evenhand.monitoring.state import metrics_text
from evenhand.report.page.html import page_policy, page_style
from evenhand.report.page.live import ActionForm, Choice, Field, LivePage, live_html
from evenhand.results.result import csv_bytes

#: The navigation begins with these pages.
_FIRST: Final = (
    *("Overview", "Diversity", "Bias", "Recruiters", "Monitoring", "Model quality", "Candidates", "Applicants"),
    *("Masking", "Labelling", "Audits"),
)


def addresses(modules: Iterable[ModuleType]) -> list[Address]:
    """Return the addresses of modules of `views`; those with a title form the navigation, in this order."""
    result: list[Address] = []
    for module in modules:
        if hasattr(module, LivePage.__name__) and not hasattr(module, "ADDRESSES"):
            raise InputError(f"{module.__name__} makes a page but has no ADDRESSES. Name there the paths it answers.")
        result += getattr(module, "ADDRESSES", ())
    return sorted(result, key=lambda address: [*_FIRST, address.title].index(address.title))


ADDRESSES: Final = tuple(
    addresses(import_module(f"{views.__name__}.{module.name}") for module in iter_modules(views.__path__))
)
_EXPORTS: Final = {"As CSV": "csv", "As JSON": "json", "As one file": "html"}
#: Defaults of every response: a report in the folder of runs may be anybody's file.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def answered(page_request: PageRequest, view: View) -> Response:
    """Return a view in the requested form: a page, or with `format` a csv, json or html file.

    What can't be saved yet, as it is being computed, is a page with status 503.
    """
    label = LABEL if page_request.shown.is_synthetic and view.of_company else ""
    name = f"{'synthetic-' if label else ''}{view.page.title.lower().replace(' ', '-')}"
    exported = bool(view.frame.columns)
    requested = page_request.query.get("format", "")
    match requested if exported else "":
        case "csv":
            return _saved(csv_bytes(view.frame, mark=True), f"{name}.csv", "text/csv; charset=utf-8")
        case "json":
            content = {"view": name, "asked": dict(page_request.query), "rows": view.frame.to_dicts()}
            content |= {"label": label} if label else {}
            return _saved(orjson.dumps(content, option=orjson.OPT_INDENT_2), f"{name}.json", "application/json")
        case "html":
            page = live_html(view.page, views={}, here="", label=label, alone=True)
            return _saved(page.encode(), f"{name}.html", "text/html; charset=utf-8")
    query = {key: value for key, value in page_request.query.items() if key != "format"}

    def link(**more: str) -> str:
        return link_to(page_request.address, query, more)

    links = {link_text: link(format=kind) for link_text, kind in _EXPORTS.items()} if exported else {}
    if view.exact_link and page_request.visitor.may("admin") and not page_request.exact:
        links["With exact numbers (do not share)"] = link(exact="yes")
    status = 503 if view.page.reload_after and requested in _EXPORTS.values() else view.status
    return _page(
        view.page,
        visitor=page_request.visitor,
        shown=page_request.shown,
        links=links,
        form_token=page_request.shown.access.form_token(page_request.visitor),
        label=label,
        status=status,
        kept=page_request.filters | _chosen_model(view.page),
    )


def _chosen_model(page: LivePage) -> dict[str, str]:
    """Return the process or model that a page shows, so that the next page shows it, too."""
    return {each.name: each.chosen for each in page.choices if isinstance(each, Choice) and each.name == "model"}


def message(title: str, text: str, *, status: int, request: Request | None = None) -> Response:
    """Return a page with a message alone, and the navigation where the request is given."""
    page = LivePage(title=title, answer=text)
    if request is None:
        return _page(page, status=status)
    return _page(page, visitor=request.state.visitor, shown=request.app.state.dashboards.now, status=status)


_WHERE: Final = "EVENHAND_TOKEN, or what follows token= in the address that evenhand serve printed"


def login_page() -> Response:
    """Return the form for the token."""
    fields = [Field(name="token", label="Token", kind="password", hint=_WHERE)]
    form = ActionForm(action="/login", heading="Sign in", button="Sign in", fields=fields)
    return _page(LivePage(title="Sign in", answer="Sign in with the token to see the dashboards.", forms=[form]))


def logout_page(visitor: Visitor, dashboards: Dashboards) -> Response:
    """Return the form that ends a session."""
    form = ActionForm(action=_LOGOUT, heading="End this session", button="Sign out")
    page = LivePage(title="Sign out", answer="You are signed in with the token.", forms=[form])
    return _page(page, visitor=visitor, shown=dashboards.now, form_token=dashboards.access.form_token(visitor))


def _page(
    page: LivePage,
    *,
    visitor: Visitor | None = None,
    shown: Dashboards | None = None,
    links: dict[str, str] | None = None,
    form_token: str = "",
    label: str = "",
    status: int = 200,
    kept: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    views = {
        address.title: link_to(address.path, kept)
        for address in ADDRESSES
        if address.title and visitor is not None and visitor.may(address.role)
        if any(getattr(shown, data, None) is not None for data in address.of)
    }
    if visitor is not None and visitor.session and visitor.name != LOCAL:
        views["Sign out"] = _LOGOUT
    html = live_html(
        page, views=views, here=page.title, links=links or {}, form_token=form_token, label=label, kept=kept
    )
    headers = {"Content-Security-Policy": _policy()}
    if page.reload_after:
        headers["Refresh"] = str(page.reload_after)
    return HTMLResponse(html, status_code=status, headers=headers)


def _policy() -> str:
    return page_policy(page_style(live=True), forms="'self'") + "; frame-ancestors 'none'"


def _saved(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Security-Policy": _policy()}
    return Response(content, media_type=kind, headers=headers)


_LONGEST_QUERY: Final = 4_096
_AN_HOUR: Final = 3_600
#: Views that are computed at once; more would only wait for each other.
_AT_ONCE: Final = 8
_LOGIN, _LOGOUT = "/login", "/logout"
_OPEN_PATHS: Final = frozenset({"/healthz", _LOGIN})
#: Seconds after which a program may ask again.
_RETRY_AFTER: Final = 30
_TITLES: Final = {
    400: "Bad request",
    401: "Not signed in",
    403: "Not allowed",
    404: "No such page",
    405: "Not allowed here",
    413: "Too large",
    414: "Too long",
    429: "Too many wrong tokens",
}
#: What starlette itself refuses, in our words.
_TEXTS: Final = {404: "There is no page at this address.", 405: "This address only takes the form of a page."}


def application(dashboards: Dashboards, *, log: Log | None = None) -> Starlette:
    """Return the application; without a log its failures are printed on stderr."""
    log = log or Log()
    at_once = CapacityLimiter(_AT_ONCE)
    routes = [
        *(
            Route(address.path, _endpoint(dashboards, address, at_once), methods=[address.method])
            for address in ADDRESSES
        ),
        Route("/metrics", _metrics(dashboards)),
        Route(_LOGIN, _login(dashboards.access, log), methods=["GET", "POST"]),
        Route(_LOGOUT, _logout(dashboards), methods=["GET", "POST"]),
        Route("/healthz", _healthy),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            EvenhandError: partial(_error_response, log),
            HTTPException: _refused_page,
            ClientDisconnect: _disconnected,
            OSError: partial(_error_response, log),
            Exception: _broken,
        },
        lifespan=_tidied(dashboards.analyses),
    )
    app.state.dashboards = dashboards
    app.router.redirect_slashes = False  # its addresses are made of the Host header, and of http behind TLS
    app.add_middleware(BaseHTTPMiddleware, dispatch=_guard(dashboards.access, log))
    if log.path is not None:
        app.add_middleware(RequestLog, log=log)
    return app


def _tidied(analyses: Analyses | None) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return the lifespan of the server: once an hour it removes analyses that are too old."""

    async def tidy(stored: Analyses) -> None:
        while True:
            await to_thread.run_sync(stored.tidy)
            await asyncio.sleep(_AN_HOUR)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        task = None if analyses is None else asyncio.create_task(tidy(analyses))
        yield
        if task is not None:
            task.cancel()

    return lifespan


Endpoint = Callable[[Request], Awaitable[Response]]


def _endpoint(dashboards: Dashboards, address: Address, at_once: CapacityLimiter) -> Endpoint:
    """Return the endpoint of an address, which refuses visitors without the role and foreign forms."""

    async def endpoint(request: Request) -> Response:
        visitor = request.state.visitor
        if not visitor.may(address.role):
            raise HTTPException(403, f"This page needs the role {address.role}; yours is {visitor.role}.")
        form: dict[str, str] = {}
        file, refusal = None, None
        shown = dashboards.now
        if address.takes_file and shown.analyses is not None:
            check_origin(request)
            try:
                file = await received_file(
                    request,
                    folder=shown.analyses.folder,
                    largest=shown.analyses.largest,
                    check=lambda fields: checked_form(fields, dashboards.access, visitor),
                )
            except HTTPException as error:
                if error.status_code == 403:
                    raise
                refusal = error
        elif address.method == "POST":
            form = checked_form(await form_fields(request, longest=address.longest), dashboards.access, visitor)
        page_request = PageRequest(
            shown=shown,
            visitor=visitor,
            address=request.scope["path"],
            parts=request.path_params,
            query=dict(request.query_params),
            form=form,
            file=file,
            refusal=refusal,
        )
        return await to_thread.run_sync(_answer, address, page_request, limiter=at_once)

    return endpoint


def _answer(address: Address, page_request: PageRequest) -> Response:
    if page_request.exact:
        model = page_request.query.get("model")
        page_request.reads(f"exact numbers of {page_request.address}{f', {model}' if model else ''}")
    response = address.answer(page_request)
    return response if isinstance(response, Response) else answered(page_request, response)


def _login(access: Access, log: Log) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        given = request.query_params.get("token", "")
        if request.method == "GET" and not given:
            return login_page()
        if not access.takes_ticket(given):
            form = await form_fields(request) if request.method == "POST" else {}
            _check_token(request, form.get("token", given), access, log)
        response = RedirectResponse("/", 303)
        is_tls = request.url.scheme == "https"
        name = cookie_name(request.headers)
        response.set_cookie(name, access.new_session(), httponly=True, samesite="strict", secure=is_tls)
        return response

    return endpoint


def _check_token(request: Request, token: str, access: Access, log: Log) -> None:
    """Raise HTTPException for a wrong token, and for any after too many wrong ones."""
    address = client_address(request.scope)
    wait = math.ceil(access.throttle.wait(address))
    if wait:
        raise HTTPException(429, f"Try again in {wait} seconds.", headers={"Retry-After": str(wait)})
    if not access.is_token(token):
        access.throttle.failed(address)
        refused_for = math.ceil(access.throttle.wait(address))
        log.write("wrong token", address=address, path=request.scope["path"], refused_for=refused_for)
        raise HTTPException(403, "That is not the token.")
    access.throttle.succeeded(address)


def _logout(dashboards: Dashboards) -> Endpoint:
    access = dashboards.access

    async def endpoint(request: Request) -> Response:
        visitor = request.state.visitor
        if not visitor.session:
            raise HTTPException(404)
        if request.method == "GET":
            return logout_page(visitor, dashboards)
        checked_form(await form_fields(request), access, visitor)
        access.end_session(visitor.session)
        response = RedirectResponse(_LOGIN, 303)
        response.delete_cookie(cookie_name(request.headers), httponly=True, samesite="strict")
        return response

    return endpoint


def _metrics(dashboards: Dashboards) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        if not request.state.visitor.may("admin"):
            raise HTTPException(403, "Metrics have counts of single days; only the role admin may see them.")
        with dashboards.now.opened() as store:
            return PlainTextResponse(metrics_text(store), media_type="text/plain; version=0.0.4")

    return endpoint


def _healthy(request: Request) -> Response:  # noqa: ARG001 - as all endpoints
    return PlainTextResponse("ok\n")


def _guard(access: Access, log: Log) -> Callable[[Request, Any], Awaitable[Response]]:
    """Return the middleware that identifies the visitor and sets the headers of every response."""

    async def dispatch(request: Request, call_next: Any) -> Response:
        refused = _throttled(request, access, log) or _refused(request, access)
        response: Response = refused if refused is not None else await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return dispatch


def _throttled(request: Request, access: Access, log: Log) -> Response | None:
    """Return why no token is taken from the sender's address, where that is so; a wrong one is counted."""
    token = bearer(request.headers)
    if access.token is not None and token:
        try:
            _check_token(request, token, access, log)
        except HTTPException as error:
            return _refusal(error) if error.status_code == 429 else None
    return None


def _refused(request: Request, access: Access) -> Response | None:
    """Return why a request is refused; None where it is not."""
    request.state.visitor = visitor = access.visitor(request.headers)
    if not access.allows_host(request.headers.get("host", "")):
        return message("Wrong address", "The server was started with another address.", status=400)
    if _is_within_another_page(request):
        return message("Not allowed", "Another page tried to embed this page.", status=403)
    if len(request.scope["query_string"]) > _LONGEST_QUERY:
        return message("Too long", "The address is too long.", status=414)
    if visitor is None and request.scope["path"] not in _OPEN_PATHS:
        if access.token is not None and request.method == "GET" and access.user_header is None:
            return RedirectResponse(_LOGIN, 303)
        return message("Not signed in", "Sign in first.", status=401)
    return None


def _is_within_another_page(request: Request) -> bool:
    """Return whether a page elsewhere asks, as for a picture of its own: what is read would be logged as read."""
    elsewhere = request.headers.get("sec-fetch-site", "none") in {"cross-site", "same-site"}
    return elsewhere and request.headers.get("sec-fetch-dest", "document") != "document"


async def _error_response(log: Log, request: Request, error: Exception) -> Response:
    """Return a page with the error: 400 for what the visitor sent, 503 for the server's data.

    The latter is logged. Its text may name a path, so only those with access to the rows see it.
    """
    visitor = request.state.visitor
    title = "This can't be shown" if request.method == "GET" else "Not done"
    text = str(error)
    if isinstance(error, OSError):
        text = f"The server can't read or write a file: {error.strerror or type(error).__name__}."
    if isinstance(error, InputError) and not isinstance(error.__cause__, OSError | sqlite3.Error | EvenhandError):
        return message(title, text, status=400, request=request)
    log.write("failed", path=request.scope["path"], reason=text)
    if visitor is None or not visitor.may("admin"):
        text = "The server can't read or write its data; its log has the reason. Tell its operator, or try again later."
    response = message(title, text, status=503, request=request)
    response.headers["Retry-After"] = str(_RETRY_AFTER)
    return response


async def _disconnected(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    """Return an empty response for a client that went away."""
    return Response(status_code=400)


async def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    """Return a page for a bug, which the server prints; it bypasses the middleware."""
    explanation = "evenhand failed; this is a bug. The server has printed where."
    page = message("This can't be shown", explanation, status=500)
    for name, value in HEADERS.items():
        page.headers.setdefault(name, value)
    return page


async def _refused_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _refusal(error, request)


def _refusal(error: HTTPException, request: Request | None = None) -> Response:
    ours = error.status_code not in _TEXTS or error.detail not in {"Not Found", "Method Not Allowed"}
    text = error.detail if ours else _TEXTS[error.status_code]
    title = _TITLES.get(error.status_code, "This can't be shown")
    response = message(title, text, status=error.status_code, request=request)
    response.headers.update(error.headers or {})
    return response
