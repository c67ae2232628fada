"""The style of a page, and the policy that allows nothing besides it."""

from base64 import b64encode
from hashlib import sha256
from importlib import resources

__all__ = ["page_policy", "page_style"]

SHEETS = (("evenhand.report.page", "report.css"), ("evenhand.report.charts", "charts.css"))
LIVE = ("evenhand.report.page", "live.css")


def page_style(*, live: bool = False) -> str:
    """Return the style sheet that all pages share, that of charts included; with that of forms if it is `live`."""
    sheets = (*SHEETS, LIVE) if live else SHEETS
    return "".join((resources.files(room) / name).read_text(encoding="utf-8") for room, name in sheets)


def page_policy(style: str, *, forms: str = "'none'") -> str:
    """Return the content security policy of a page with this style: no script, no network, `forms` go there."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        f"base-uri 'none'; form-action {forms}"
    )
