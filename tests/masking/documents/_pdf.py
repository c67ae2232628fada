"""PDF files written object by object, with whatever is asked for in whatever place."""

import zlib

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def raw(content, *more, fonts=(HELVETICA,), resources=b"", page=b"", catalog=b""):
    """Return a PDF of one page: its content, fonts /F1, /F2 …, entries of dictionaries, and objects from number 10."""
    named = b"".join(b"/F%d %s" % (number, font) for number, font in enumerate(fonts, 1))
    stream = content if content.startswith(b"<<") else packed(content)
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R %s>>" % catalog,
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<<%s>>%s>>%s>>"
        % (named, resources, page),
        4: stream,
    } | dict(enumerate(more, 10))
    return written(objects)


def written(objects, trailer=b"/Root 1 0 R"):
    """Return a PDF of numbered objects."""
    out = bytearray(b"%PDF-1.5\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    return bytes(out + b"trailer <</Size %d %s>>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, trailer, start))


def packed(data, told=b"", *, times=1):
    """Return a stream, deflated so many times."""
    for _ in range(times):
        data = zlib.compress(data, 9)
    return stream(data, b"/Filter[%s]%s" % (b"/FlateDecode" * times, told))


def stream(data, told=b""):
    return b"<</Length %d %s>>\nstream\n%s\nendstream" % (len(data), told, data)
