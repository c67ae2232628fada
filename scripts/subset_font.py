"""Writes the fonts in the package: DejaVu Sans without the scripts that reportlab can't set.

    python scripts/subset_font.py FOLDER-WITH-DejaVuSans.ttf

Needs fonttools. Kept are Latin, Greek, Cyrillic, Armenian, Georgian, punctuation, currencies,
arrows, mathematics, shapes and dingbats. Arabic, Hebrew, Lao and others are written from right
to left or join their letters; they would be set wrongly. Hinting is left out.
"""

import hashlib
import sys
from pathlib import Path

from fontTools import subset

TARGET = Path(__file__).parents[1] / "src" / "evenhand" / "resumes" / "documents"
BLOCKS = (
    (0x20, 0x7E), (0xA0, 0x58F), (0x10A0, 0x10FF), (0x1C80, 0x1C8F), (0x1D00, 0x1DBF), (0x1E00, 0x1FFF),
    (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x20CF), (0x2100, 0x23FF), (0x2500, 0x27BF), (0x2A00, 0x2AFF),
    (0x2B00, 0x2BFF), (0x2C60, 0x2C7F), (0x2DE0, 0x2E3F), (0xA640, 0xA69F), (0xA720, 0xA7FF), (0xFB00, 0xFB17),
)  # fmt: skip


def main() -> None:
    """Write both fonts and print their hashes."""
    for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"):
        options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=["*"])
        font = subset.load_font(str(Path(sys.argv[1]) / name), options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[code for first, last in BLOCKS for code in range(first, last + 1)])
        subsetter.subset(font)
        font["head"].modified = font["head"].created
        font.recalcTimestamp = False
        path = TARGET / name
        subset.save_font(font, str(path), options)
        print(name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
