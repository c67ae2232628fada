"""The style of a page, and the policy that allows nothing besides it."""

from base64 import b64encode
from hashlib import sha256
from importlib import resources

__all__ = ["page_policy", "page_style"]

SHEETS = (("evenhand.report.page", "report.css"), ("evenhand.report.charts", "charts.css"))


def page_style() -> str:
    """Return the style sheet that all pages share, that of charts included."""
    return "".join((resources.files(room) / name).read_text(encoding="utf-8") for room, name in SHEETS)


def page_policy(style: str) -> str:
    """Return the content security policy of a page with this style: no script, no network."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'none'; style-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
