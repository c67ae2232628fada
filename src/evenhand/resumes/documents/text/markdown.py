"""Résumés in Markdown: verbatim but for masks; pictures are replaced by a word."""

import re

from evenhand.patterns import lazy_re
from evenhand.resumes.documents.request import MaskedDocument, Request, Tally
from evenhand.resumes.documents.text.plain import decoded, document_text, masked_views
from evenhand.resumes.documents.views import rendered, without_escapes, without_markup
from evenhand.resumes.mask import find_names

__all__ = ["PICTURE", "document_text", "masked_document"]

#: What stands where a picture stood.
PICTURE = "[IMAGE]"
_DATA = lazy_re(r"data:[a-z]+/[\w.+-]+[;,][^\s)\"'>]*", re.IGNORECASE)
_PICTURE = lazy_re(
    r"!\[[^\[\]]*(?:\[[^\]]*\][^\[\]]*)*\](?:\((?:<[^<>\n]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))?\s*\)|\[[^\]]*\])"
    r"|<(?:img|image)\b(?:(?:\"[^\"]*\"|'[^']*'|[^>\"'])*|[^>]*)>|<(?P<tag>svg|picture|object)\b.*?</(?P=tag)\s*>|<(?:embed|source)\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


def masked_document(content: bytes, request: Request) -> MaskedDocument:
    r"""Return masked Markdown; links' targets, titles and comments are text like any other.

    >>> masked_document(b"# Jane Doe\n![me](me.jpg) *she/her*", Request()).content
    b'# [NAME]\n[IMAGE] *[GENDER]*'
    """
    source = decoded(content)
    names = find_names(without_markup(source.text).text, known_names=request.known_names, file_name=request.file_name)
    tally = Tally()
    tally.note_absent(request, without_markup(source.text).text)
    tally.note_kept(request, without_markup(source.text).text)
    text, pictures = _PICTURE.subn(PICTURE, source.text)
    text, data = _DATA.subn(PICTURE, text)
    tally.note("pictures removed", pictures + data)
    text = masked_views(text, [without_escapes, without_markup, rendered], names=names, request=request, tally=tally)
    return tally.document(source.encoded(text))
