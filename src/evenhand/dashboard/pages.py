"""Responses: pages with their policy, exports of a view, what is refused."""

from typing import Final
from urllib.parse import urlencode

import orjson
from starlette.responses import HTMLResponse, Response

from evenhand.dashboard.access import Visitor
from evenhand.dashboard.addresses import ADDRESSES
from evenhand.dashboard.asked import Asked
from evenhand.dashboard.synthetic import LABEL
from evenhand.dashboard.views.view import View
from evenhand.report.page.live import Deed, Field, LivePage, live_html
from evenhand.report.page.style import page_policy, page_style
from evenhand.tables.csv_files import csv_bytes

__all__ = ["HEADERS", "answered", "login_page", "message"]

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


def answered(asked: Asked, view: View) -> Response:
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
    deed = Deed(action="/login", heading="Sign in", button="Sign in", fields=fields)
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
