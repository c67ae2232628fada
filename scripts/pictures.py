"""Write the README's picture: the first screen of a report of the demo, taken with headless Chromium.

Arguments: the folder of the demo, and that of the pictures. `make pictures` runs it.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

#: Report in the folder of the demo, by the picture's name.
PICTURES: Final = {"study-report.png": "study/report.html"}
SCREEN: Final = "1280,1040"
MOST_BYTES: Final = 200_000
QUIET: Final = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars")


def take(report: Path, picture: Path) -> None:
    """Write the first screen of a page as PNG."""
    browser = shutil.which("chromium")
    if browser is None:
        sys.exit("No chromium on PATH. Install it: apt-get install chromium")
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", *QUIET, f"--user-data-dir={profile}"),
                *(f"--window-size={SCREEN}", f"--screenshot={picture.resolve()}", report.resolve().as_uri()),
            ],
            check=True,
            capture_output=True,
        )


def main(demo: Path, folder: Path) -> None:
    """Take every picture, and refuse one that is too large for a page that is read online."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PICTURES.items():
        if not (demo / page).is_file():
            sys.exit(f"No {page} in {demo}. Write it: make demo")
        take(demo / page, folder / name)
        size = (folder / name).stat().st_size
        if size > MOST_BYTES:
            sys.exit(f"{folder / name} has {size:,} bytes, more than {MOST_BYTES:,}.")
        print(f"{folder / name}: {size:,} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
