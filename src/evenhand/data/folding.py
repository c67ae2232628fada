"""Text as it would look when typed plainly: one alphabet, one kind of quote, no markup.

Readers compare words. Models send the same words in many dresses: curly quotes,
no-break spaces, zero-width characters, mathematical bold, Markdown, HTML. Folding
takes the dress off and keeps line breaks, since they carry the layout of a letter.
Every function here takes linear time.
"""

import html
import unicodedata
from functools import cache, lru_cache

from evenhand.patterns import WordTable, lazy_re

LOOKALIKE_WORDS = WordTable("evenhand.data.lexicons", "lookalikes.toml")

# Typographic marks with a plain counterpart that NFKC does not give (or gives badly: U+00B4 becomes a space).
_PLAIN = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u00b4\u02bc\u02bb\uff07\u2039\u203a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2028\u2029\u0085", "\n"),
    **dict.fromkeys("\u115f\u1160\u3164\uffa0", ""),  # Hangul fillers: letters that show nothing
    "\u2800": " ",  # an empty Braille cell
}
_TYPOGRAPHY = str.maketrans(_PLAIN)
# Nearly all that is not ASCII in an English letter; replacing these first is twenty times faster than a search.
_FREQUENT = (
    ("\u2019", "'"),
    ("\u2018", "'"),
    ("\u201c", '"'),
    ("\u201d", '"'),
    ("\u2014", "-"),
    ("\u2013", "-"),
    ("\u00a0", " "),
    ("\u2026", "..."),
)
# A run is cut after eight characters, so that the cache below keeps small strings only.
_NOT_ASCII = lazy_re(r"[^\x00-\x7f]{1,8}")
_INVISIBLE = frozenset({"Cf", "Mn", "Me", "Cc", "Co"})

_ENTITY = lazy_re(r"&(?:#[0-9]{1,7}(?![0-9])|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});?")
_JSON_CODE = lazy_re(r"\\u([0-9a-fA-F]{4})")
_BLOCKS = "p|br|div|li|ul|ol|tr|table|hr|h[1-6]|section|article|header|footer|body|html|head|blockquote|pre"
_INLINE = "b|i|u|em|strong|span|a|font|mark|code|small|big|sub|sup|q|td|th|tbody|thead|title|meta|center|ins|tt|style"
# Known tags only: '<Company Name>' is a placeholder, and its words may matter.
_BLOCK_TAG = lazy_re(rf"</?(?:{_BLOCKS})(?:\s[^<>]{{0,300}})?/?>")
_INLINE_TAG = lazy_re(rf"</?(?:{_INLINE})(?:\s[^<>]{{0,300}})?/?>|</?s>|<!--[^<>]{{0,300}}-->")
_STRUCK = lazy_re(r"~~[^~\n]{1,300}~~|<(s|del|strike)>[^<>]{0,300}</\1>")
_WORD_UNDERSCORE = lazy_re(r"(?<=[^\W_])_+(?=[^\W_])")
_HYPHENATED = lazy_re(r"-(?<=[a-z]-)\n(?=[a-z])")


@lru_cache(maxsize=4096)
def _plain_run(run: str) -> str:
    plain = unicodedata.normalize("NFKC", run.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    kept: list[str] = []
    for character in plain:
        category = unicodedata.category(character)
        if category == "Zs":
            kept.append(" ")
        elif character == "\n" or category not in _INVISIBLE:
            kept.append(character)
    return "".join(kept)


@cache
def _lookalikes() -> dict[int, str]:
    return {ord(letter): latin for latin, letters in LOOKALIKE_WORDS.latin.items() for letter in letters}


def latin_letters(text: str) -> str:
    """Return a text with Latin letters for those of other alphabets that look like them.

    >>> latin_letters("\u0430\u13aa\u2c94"), latin_letters("\u0436")
    ('aAK', 'ж')
    """
    return text if text.isascii() else text.translate(_lookalikes())


def fold_characters(text: str) -> str:
    r"""Lower-case text in NFKC with plain quotes, dashes, spaces and line breaks.

    Invisible characters and combining marks go; accents that belong to a letter stay.

    >>> fold_characters("You\u2019ve\u00a0be\u200ben “SELECTED” \u2014 José")
    'you\'ve been "selected" - josé'
    """
    if not text.isascii():
        for mark, plain in _FREQUENT:
            text = text.replace(mark, plain)
    if not text.isascii():
        if not unicodedata.is_normalized("NFC", text):
            # An accent that follows its letter as a character of its own joins it, before lone marks go.
            text = unicodedata.normalize("NFC", text)
        text = _NOT_ASCII.sub(lambda match: _plain_run(match.group()), text)
    if "\t" in text:
        text = text.replace("\t", " ")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.lower()


def drop_markup(text: str) -> str:
    r"""Lower-case text without HTML tags, Markdown emphasis and JSON escapes.

    Struck-out words go. Block tags become line breaks. A word that a hyphen splits at
    the end of a line is joined. A tag that is not HTML (`<think>`) stays.

    >>> drop_markup("**we regret** to<br>_inform_ you, ~~emily~~ <b>mr weiss</b>")
    'we regret to\ninform you,   mr weiss'
    """
    if "\\" in text:
        text = text.replace("\\n", "\n").replace("\\r", "").replace("\\t", " ").replace("\\", "")
    if "<" in text or "~" in text:
        text = _INLINE_TAG.sub("", _BLOCK_TAG.sub("\n", _STRUCK.sub(" ", text)))
    if "_" in text:
        # Inside a word an underscore separates; at its edge it is emphasis.
        text = _WORD_UNDERSCORE.sub(" ", text).replace("_", "")
    for decoration in "*`#~\0":
        text = text.replace(decoration, "")
    if " \n" in text:
        text = "\n".join([line.rstrip() for line in text.split("\n")])
    if "-\n" in text:
        text = _HYPHENATED.sub("", text)
    return text


def fold_text(text: str) -> str:
    r"""Lower-case plain text: entities, characters and markup folded, lines kept.

    >>> fold_text("<p>WE REGRET&nbsp;TO **INFORM** YOU</p>").strip()
    'we regret to inform you'
    """
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    if "\\" in text:
        text = _JSON_CODE.sub(lambda match: chr(int(match.group(1), 16)), text)
    return drop_markup(fold_characters(text))
