"""pdfplumber and pdfminer without what is not wanted of them: copies that nobody looks at, and a log.

pdfplumber copies all that is known of each letter and line, which takes most of the time of
reading. pdfminer's warnings quote the document. Neither can be told otherwise, so that both are
put right while a document is read.
"""

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from pdfminer.layout import LTChar, LTCurve
from pdfplumber.page import Page

__all__ = ["plain_pages", "replace"]

#: The methods replaced are those of every thread.
_ALONE = threading.RLock()
_SILENT = logging.CRITICAL + 1


@contextmanager
def plain_pages() -> Iterator[None]:
    """Let pages hold of letters what reading needs, of lines and curves nothing; let nothing be logged."""
    with _ALONE, ExitStack() as stack:
        for logger in map(logging.getLogger, ("pdfminer", "pdfplumber")):
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(_SILENT)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        replace(stack, Page, "process_object", _seen(Page.process_object))
        yield


def replace(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    """Put something in the place of an attribute until the stack is left."""
    stack.callback(setattr, owner, name, getattr(owner, name))
    setattr(owner, name, value)


def _seen(process: Callable[[Page, Any], dict[str, Any]]) -> Callable[[Page, Any], dict[str, Any]]:
    def seen(page: Page, item: Any) -> dict[str, Any]:
        if isinstance(item, LTCurve):
            return {"object_type": "curve"}
        if not isinstance(item, LTChar) or isinstance(item.fontname, bytes):
            return process(page, item)
        left, above = page.mediabox[:2]
        top = (page.height - item.y1) + above
        return {
            "object_type": "char",
            "text": item.get_text(),
            "fontname": item.fontname,
            "size": item.size,
            "adv": item.adv,
            "matrix": item.matrix,
            "upright": item.upright,
            "x0": item.x0 + left,
            "x1": item.x1 + left,
            "y0": item.y0,
            "y1": item.y1,
            "width": item.width,
            "height": item.height,
            "top": top,
            "bottom": (page.height - item.y0) + above,
            "doctop": page.initial_doctop + top,
        }

    return seen
