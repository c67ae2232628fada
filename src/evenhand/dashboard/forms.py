"""Forms that were sent: their fields, once it is known that a page of ours sent them."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from evenhand.dashboard.access import Access, Visitor

__all__ = ["FORM_TOKEN", "LONGEST_FORM", "check_origin", "checked_form", "form_fields"]

#: The hidden field of every form that changes something.
FORM_TOKEN: Final = "form"  # noqa: S105 - the name of a field
#: Bytes of a form, where its address says nothing else.
LONGEST_FORM: Final = 16_384


async def form_fields(request: Request, *, longest: int = LONGEST_FORM) -> dict[str, str]:
    """Return the fields of a form that no page elsewhere sent."""
    check_origin(request)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise HTTPException(413, "What was sent is too long.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def check_origin(request: Request) -> None:
    """Raise HTTPException where a page elsewhere sent the form."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise HTTPException(403, "The form is of another page.")


def checked_form(form: dict[str, str], access: Access, visitor: Visitor) -> dict[str, str]:
    """Return the fields of a form that carries what this visitor was shown."""
    if not access.is_form_token(visitor, form.pop(FORM_TOKEN, "")):
        raise HTTPException(403, "The form is of another page, or older than the server; open it again.")
    return form
