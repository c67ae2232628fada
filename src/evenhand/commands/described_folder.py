"""Folders that a file within describes: what may be written anew."""

from pathlib import Path

import orjson

from evenhand.errors import ForeignFolder, InputError

__all__ = ["check_described"]


def check_described(out: Path, about: str, *, schema: str, what: str, force: bool) -> None:
    """Refuse a folder that is there already; with `force`, one that its file `about` doesn't tell to be of `schema`.

    Raises
    ------
    InputError
        `out` is no folder, or is there and holds something.
    ForeignFolder
        It holds something else than `what`.

    """
    if (out.exists() or out.is_symlink()) and not out.is_dir():
        raise InputError(f"--out {out} is no folder; expected a new folder.")
    if not out.exists() or not any(out.iterdir()):
        return
    if not force:
        raise InputError(f"--out {out} is there already. Use --force to replace a {what}, or another --out.")
    try:
        own = orjson.loads((out / about).read_bytes())["schema"] == schema
    except (OSError, ValueError, KeyError, TypeError):
        own = False
    if not own:
        raise ForeignFolder(f"--out {out} holds no {what}; nothing was changed. Remove it, or choose another --out.")
