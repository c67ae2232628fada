"""Responses: pages with their policy, exports of a view, what is refused."""

from typing import Final
from urllib.parse import urlencode

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from evenhand.dashboard.views.view import View
from evenhand.report.page.live import Deed, Field, LivePage, live_html
from evenhand.report.page.style import page_policy, page_style
from evenhand.tables.csv_files import csv_bytes

__all__ = ["HEADERS", "VIEWS", "answered", "login_page", "message"]

VIEWS: Final = {"Overview": "/", "Diversity": "/diversity", "Monitoring": "/monitoring", "Audits": "/audits"}
_EXPORTS: Final = {"As CSV": "csv", "As JSON": "json", "As one file": "html"}
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def answered(request: Request, view: View) -> Response:
    """Return a view as it was asked for: a page, or with `format` as csv, json or html, to be saved."""
    name = view.page.title.lower()
    match request.query_params.get("format", ""):
        case "csv":
            return _saved(csv_bytes(view.frame, mark=True), f"{name}.csv", "text/csv; charset=utf-8")
        case "json":
            told = {"view": name, "asked": dict(request.query_params), "rows": view.frame.to_dicts()}
            return _saved(orjson.dumps(told, option=orjson.OPT_INDENT_2), f"{name}.json", "application/json")
        case "html":
            page = live_html(view.page, views={}, here="", alone=True)
            return _saved(page.encode(), f"{name}.html", "text/html; charset=utf-8")
    asked = {key: value for key, value in request.query_params.items() if key != "format"}
    links = {told: f"{request.url.path}?{urlencode(asked | {'format': kind})}" for told, kind in _EXPORTS.items()}
    if request.state.visitor.role == "admin" and "exact" not in asked:
        links["With exact numbers, which are not for others"] = (
            f"{request.url.path}?{urlencode(asked | {'exact': 'yes'})}"
        )
    return _page(view.page, links=links)


def message(title: str, text: str, *, status: int) -> Response:
    """Return a page that says why there is nothing else."""
    return _page(LivePage(title=title, answer=text), status=status)


def login_page() -> Response:
    """Return the form that asks for the token."""
    fields = [Field(name="token", label="Token (EVENHAND_TOKEN)", kind="password")]
    deed = Deed(action="/login", heading="Sign in", button="Sign in", fields=fields)
    html = live_html(
        LivePage(title="Sign in", answer="The token shows the dashboards.", deeds=[deed]), views={}, here=""
    )
    return HTMLResponse(html, headers={"Content-Security-Policy": _policy()})


def _page(page: LivePage, *, links: dict[str, str] | None = None, status: int = 200) -> Response:
    html = live_html(page, views=VIEWS, here=page.title, links=links or {})
    return HTMLResponse(html, status_code=status, headers={"Content-Security-Policy": _policy()})


def _policy() -> str:
    return page_policy(page_style(live=True), forms="'self'") + "; frame-ancestors 'none'"


def _saved(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Security-Policy": _policy()}
    return Response(content, media_type=kind, headers=headers)
