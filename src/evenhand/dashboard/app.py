"""The application: what stands before every address, and what is refused.

All addresses of the dashboards: each room of views tells its own.
Responses: pages with their policy, exports of a view, what is refused.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final
from urllib.parse import urlencode

import orjson
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from evenhand.dashboard.access import COOKIE, Access, Visitor
from evenhand.dashboard.analyses import Analyses, received_file
from evenhand.dashboard.request import LABEL, Dashboards, PageRequest, check_origin, checked_form, form_fields
from evenhand.dashboard.views import audits, bias, candidates, diversity, labelling, monitoring, overview
from evenhand.dashboard.views import new_analysis as analyses
from evenhand.dashboard.views import view as start
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import EvenhandError, InputError
from evenhand.monitoring.state import metrics_text
from evenhand.report.page.html import page_policy, page_style
from evenhand.report.page.live import ActionForm, Field, LivePage, live_html
from evenhand.results.csv_files import csv_bytes

#: Those with a title stand in the navigation, in this order.
ADDRESSES: Final[tuple[Address, ...]] = (
    *overview.ADDRESSES,
    *diversity.ADDRESSES,
    *bias.ADDRESSES,
    *monitoring.ADDRESSES,
    *candidates.ADDRESSES,
    *labelling.ADDRESSES,
    *audits.ADDRESSES,
    *analyses.ADDRESSES,
    *start.ADDRESSES,
)

_EXPORTS: Final = {"As CSV": "csv", "As JSON": "json", "As one file": "html"}
#: Of every answer, where it has none of its own: a report in the folder of runs may be anybody's file.
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


def answered(asked: PageRequest, view: View) -> Response:
    """Return a view as it was asked for: a page, or with `format` as csv, json or html, to be saved.

    What can't be saved yet, as it is being computed, is a page with status 503.
    """
    label = LABEL if asked.shown.is_synthetic and view.of_company else ""
    name = f"{'synthetic-' if label else ''}{view.page.title.lower().replace(' ', '-')}"
    exported = bool(view.frame.columns)
    wanted = asked.query.get("format", "")
    match wanted if exported else "":
        case "csv":
            return _saved(csv_bytes(view.frame, mark=True), f"{name}.csv", "text/csv; charset=utf-8")
        case "json":
            told = {"view": name, "asked": dict(asked.query), "rows": view.frame.to_dicts()}
            told |= {"label": label} if label else {}
            return _saved(orjson.dumps(told, option=orjson.OPT_INDENT_2), f"{name}.json", "application/json")
        case "html":
            page = live_html(view.page, views={}, here="", label=label, alone=True)
            return _saved(page.encode(), f"{name}.html", "text/html; charset=utf-8")
    kept = {key: value for key, value in asked.query.items() if key != "format"}

    def link(**more: str) -> str:
        return f"{asked.address}?{urlencode(kept | more)}"

    links = {told: link(format=kind) for told, kind in _EXPORTS.items()} if exported else {}
    if view.exact_link and asked.visitor.may("admin") and not asked.exact:
        links["With exact numbers, which are not for others"] = link(exact="yes")
    token = asked.shown.access.form_token(asked.visitor)
    status = 503 if view.page.again and wanted in _EXPORTS.values() else 200
    return _page(view.page, visitor=asked.visitor, links=links, form_token=token, label=label, status=status)


def message(title: str, text: str, *, status: int, visitor: Visitor | None = None) -> Response:
    """Return a page that says why there is nothing else."""
    return _page(LivePage(title=title, answer=text), visitor=visitor, status=status)


def login_page() -> Response:
    """Return the form that asks for the token."""
    fields = [Field(name="token", label="Token (EVENHAND_TOKEN)", kind="password")]
    deed = ActionForm(action="/login", heading="Sign in", button="Sign in", fields=fields)
    return _page(LivePage(title="Sign in", answer="The token shows the dashboards.", deeds=[deed]))


def _page(
    page: LivePage,
    *,
    visitor: Visitor | None = None,
    links: dict[str, str] | None = None,
    form_token: str = "",
    label: str = "",
    status: int = 200,
) -> Response:
    views = {
        each.title: each.path for each in ADDRESSES if each.title and visitor is not None and visitor.may(each.role)
    }
    html = live_html(page, views=views, here=page.title, links=links or {}, form_token=form_token, label=label)
    headers = {"Content-Security-Policy": _policy()} | ({"Refresh": str(page.again)} if page.again else {})
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
_OPEN_PATHS: Final = frozenset({"/healthz", "/login"})
_TITLES: Final = {
    400: "Not understood",
    401: "Not known",
    403: "Not allowed",
    404: "No such page",
    405: "Not done so",
    413: "Too long",
    414: "Too long",
}
#: What starlette itself refuses, in our words.
_TEXTS: Final = {404: "There is no page at this address.", 405: "This address is for a form of a page."}


def application(shown: Dashboards) -> Starlette:
    """Return the application."""
    at_once = CapacityLimiter(_AT_ONCE)
    routes = [
        *(Route(each.path, _endpoint(shown, each, at_once), methods=[each.method]) for each in ADDRESSES),
        Route("/metrics", _metrics(shown)),
        Route("/login", _login(shown.access), methods=["GET", "POST"]),
        Route("/healthz", _healthy),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            EvenhandError: _error_response,
            HTTPException: _refused_page,
            ClientDisconnect: _left,
            OSError: _unwritten,
            Exception: _broken,
        },
        lifespan=_tidied(shown.analyses),
    )
    app.router.redirect_slashes = False  # its addresses are made of the Host header, and of http behind TLS
    app.add_middleware(BaseHTTPMiddleware, dispatch=_guard(shown.access))
    return app


def _tidied(analyses: Analyses | None) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return what goes on while the server runs: once in an hour, analyses that are too old are removed."""

    async def tidy(kept: Analyses) -> None:
        while True:
            await to_thread.run_sync(kept.tidy)
            await asyncio.sleep(_AN_HOUR)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        task = None if analyses is None else asyncio.create_task(tidy(analyses))
        yield
        if task is not None:
            task.cancel()

    return lifespan


Endpoint = Callable[[Request], Awaitable[Response]]


def _endpoint(shown: Dashboards, address: Address, at_once: CapacityLimiter) -> Endpoint:
    """Return what answers at an address: who may not is refused, and so is a form that is not ours."""

    async def endpoint(request: Request) -> Response:
        visitor = request.state.visitor
        if not visitor.may(address.role):
            raise HTTPException(403, f"This is for the role {address.role}; yours is {visitor.role}.")
        form: dict[str, str] = {}
        file = None
        if address.takes_file and shown.analyses is not None:
            check_origin(request)
            file = await received_file(
                request,
                folder=shown.analyses.folder,
                largest=shown.analyses.largest,
                check=lambda fields: checked_form(fields, shown.access, visitor),
            )
        elif address.method == "POST":
            form = checked_form(await form_fields(request, longest=address.longest), shown.access, visitor)
        asked = PageRequest(
            shown=shown.now,
            visitor=visitor,
            address=request.scope["path"],
            parts=request.path_params,
            query=dict(request.query_params),
            form=form,
            file=file,
        )
        return await to_thread.run_sync(_answer, address, asked, limiter=at_once)

    return endpoint


def _answer(address: Address, asked: PageRequest) -> Response:
    if asked.exact:
        asked.reads(f"exact numbers of {asked.address}{f', {model}' if (model := asked.query.get('model')) else ''}")
    found = address.answer(asked)
    return found if isinstance(found, Response) else answered(asked, found)


def _login(access: Access) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        if request.method == "GET":
            return login_page()
        form = await form_fields(request)
        if not access.is_token(form.get("token", "")):
            raise HTTPException(403, "That is not the token.")
        taken = RedirectResponse("/", 303)
        taken.set_cookie(COOKIE, access.session, httponly=True, samesite="strict")
        return taken

    return endpoint


def _metrics(shown: Dashboards) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        if not request.state.visitor.may("admin"):
            raise HTTPException(403, "Metrics have counts of single days; they are for the role admin.")
        with shown.now.opened() as store:
            return PlainTextResponse(metrics_text(store), media_type="text/plain; version=0.0.4")

    return endpoint


def _healthy(request: Request) -> Response:  # noqa: ARG001 - as all endpoints
    return PlainTextResponse("ok\n")


def _guard(access: Access) -> Callable[[Request, Any], Awaitable[Response]]:
    """Return what stands before every address: who asks, headers of every answer."""

    async def dispatch(request: Request, call_next: Any) -> Response:
        refused = _refused(request, access)
        response: Response = refused if refused is not None else await call_next(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return dispatch


def _refused(request: Request, access: Access) -> Response | None:
    """Return why a request is refused; None where it is not."""
    request.state.visitor = visitor = access.visitor(request.headers)
    if not access.allows_host(request.headers.get("host", "")):
        return message("Not here", "This address is not what the server was started with.", status=400)
    if _is_within_another_page(request):
        return message("Not here", "Another page asks for this one to stand within it.", status=403)
    if len(request.scope["query_string"]) > _LONGEST_QUERY:
        return message("Too long", "The address is too long.", status=414)
    if visitor is None and request.scope["path"] not in _OPEN_PATHS:
        if access.token is not None and request.method == "GET" and access.user_header is None:
            return RedirectResponse("/login", 303)
        return message("Not known", "Nobody known asks for this page; sign in first.", status=401)
    return None


def _is_within_another_page(request: Request) -> bool:
    """Return whether a page elsewhere asks, as for a picture of its own: what is read would be logged as read."""
    elsewhere = request.headers.get("sec-fetch-site", "none") in {"cross-site", "same-site"}
    return elsewhere and request.headers.get("sec-fetch-dest", "document") != "document"


async def _error_response(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, InputError) else 503
    title = "This can't be shown" if request.method == "GET" else "Not done"
    return message(title, str(error), status=status, visitor=request.state.visitor)


async def _left(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    """Return what nobody reads: whoever sent something went away before its end."""
    return Response(status_code=400)


async def _unwritten(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    told = f"The server can't read or write a file: {error.strerror or type(error).__name__}."
    return message("This can't be shown", told, status=503, visitor=request.state.visitor)


async def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001 - as all handlers
    """Return a page for a fault of ours, which the server prints; it comes past what stands before every address."""
    told = "The program failed, which is its own fault; what the server printed says where."
    page = message("This can't be shown", told, status=500)
    for name, value in HEADERS.items():
        page.headers.setdefault(name, value)
    return page


async def _refused_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    ours = error.status_code not in _TEXTS or error.detail not in {"Not Found", "Method Not Allowed"}
    text = error.detail if ours else _TEXTS[error.status_code]
    title = _TITLES.get(error.status_code, "This can't be shown")
    return message(title, text, status=error.status_code, visitor=request.state.visitor)
