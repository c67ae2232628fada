"""Read the XML parts of a zip, as Word and OpenDocument files are, within a budget.

The sizes that a zip declares may be wrong, so parts are read piece by piece. XML that declares a document type
is refused in whatever encoding: it could expand to anything.
"""

import io
import posixpath
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any

from lxml import etree

from evenhand.errors import InputError
from evenhand.results.files import Budget

#: Bytes that are unpacked at once.
_STEP = 2**16
#: How Office packs parts (ISO/IEC 29500-2, C.5); Python unpacks others without a bound.
_PACKED = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_OPTIONS = {"resolve_entities": False, "no_network": True, "remove_comments": True, "remove_pis": True}
#: What a broken file raises; it breaks a reader anywhere, in as many ways.
_BREAKS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    etree.LxmlError,
    OSError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True)
class Package:
    """The members of a zip; names are compared without case (ECMA-376 Part 2, 6.2.2.3)."""

    file: zipfile.ZipFile
    budget: Budget
    kind: str

    @cached_property
    def members(self) -> dict[str, zipfile.ZipInfo]:
        """The members by their plain names."""
        return {member_name(info.filename): info for info in self.file.infolist()}

    def content(self, name: str) -> bytes:
        """Return the bytes of a member."""
        with self.file.open(self.members[name]) as member:
            unpacked = _Unpacked(member, self.budget)
            return b"".join(iter(lambda: unpacked.read(_STEP), b""))

    def parsed(self, name: str) -> Any:
        """Return the root of a part.

        Raises
        ------
        InputError
            The part declares a document type.

        """
        try:
            root = self._parsed(name, etree.XMLParser(**_OPTIONS)).getroot()
        except etree.XMLSyntaxError:
            # A document type breaks a part, too, with what it lets an attribute expand to.
            self._parsed(name, etree.XMLParser(target=_Heading(self.kind), **_OPTIONS))
            raise
        if root.getroottree().docinfo.internalDTD is not None:
            raise _declared(self.kind)
        return root

    def _parsed(self, name: str, parser: Any) -> Any:
        with self.file.open(self.members[name]) as member:
            return etree.parse(_Unpacked(member, self.budget), parser)


@contextmanager
def opened_package(content: bytes, budget: Budget, *, kind: str) -> Iterator[Package]:
    """Open a zip of XML parts; `kind` is what it is in messages.

    Raises
    ------
    InputError
        It is broken or encrypted, here or while it is read.

    """
    broken = f"can't be read as {'an' if kind[0] in 'AEIOU' else 'a'} {kind}; it may be damaged."
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            infos = file.infolist()
            named = Counter(member_name(info.filename) for info in infos if not info.is_dir())
            if any(count > 1 for count in named.values()):  # readers differ in which of them they show
                raise InputError("holds two parts of one name; it may be damaged. Save it again.")
            if any(info.flag_bits & 1 for info in infos):
                raise InputError("is encrypted; save it without a password.")
            if any(info.compress_type not in _PACKED for info in infos):
                raise InputError(broken)
            yield Package(file, budget, kind)
    except _BREAKS as error:
        raise InputError(broken) from error


def member_name(name: str) -> str:
    """Return the name of a member as programs compare it.

    >>> member_name("/Word/./document.xml")
    'word/document.xml'
    """
    return posixpath.normpath(name.replace("\\", "/")).strip("/").lower()


@dataclass(frozen=True)
class _Unpacked:
    """A member of a zip, read piece by piece."""

    member: IO[bytes]
    budget: Budget

    def read(self, size: int) -> bytes:
        piece = self.member.read(size if 0 < size < _STEP else _STEP)
        self.budget.unpacked(len(piece))
        return piece


def _declared(kind: str) -> InputError:
    return InputError(f"declares a document type in its XML, which no {kind} has.")


@dataclass(frozen=True)
class _Heading:
    """A parser's target for the part of a document before its first element."""

    kind: str

    def doctype(self, *_: Any) -> None:
        raise _declared(self.kind)

    def close(self) -> None:
        """Do nothing; parsers require the method."""
