"""`evenhand mask`: résumés without what tells who the person is."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._app import app
from evenhand.cli._options import FileForce, FileQuiet, ResultJson
from evenhand.cli._show import notice, print_out, split

__all__ = ["mask"]


@app.command("mask")
def mask(
    out: Annotated[Path, typer.Option("--out", help="File to write.")],
    jsonl: Annotated[
        Path | None, typer.Option("--jsonl", metavar="IN", help='Rows {"text": …, "known_names": […]}.')
    ] = None,
    known_name: Annotated[
        list[str] | None, typer.Option("--known-name", help="Name of the person; repeat for others. Never split.")
    ] = None,
    optional: Annotated[
        list[str] | None,
        typer.Option("--optional", help="Also mask: phone, address, dob, graduation_year, school."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also proxies: languages, affinity groups, women's colleges.")
    ] = False,
    pronouns: Annotated[str, typer.Option("--pronouns", help="token, or neutral: they, with the verb.")] = "token",
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Mask names, gender, ethnicity, religion, disability, family status, orientation, e-mails and URLs."""
    import orjson

    from evenhand.commands.mask_jsonl import mask_jsonl, mask_options

    if jsonl is None:
        raise typer.BadParameter("Give the texts to mask: --jsonl FILE")
    options = mask_options(optional=split(optional or []), strict=strict, pronouns=pronouns)
    written = mask_jsonl(jsonl, out=out, options=options, known_names=known_name or [], force=force)
    if json:
        print_out(orjson.dumps(written.content).decode())
        return
    if not quiet:
        notice(written.summary)
    print_out(str(written.path))
