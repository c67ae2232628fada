"""The command that asks a scorer about the same résumés in several arms."""

from evenhand.cli._command import command
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, print_json, print_out, show
from evenhand.runs.options.scores.perturb import PerturbOptions

__all__ = ["perturb"]


@command(without=("until_width",))
def perturb(options: PerturbOptions, shown: Shown) -> None:
    from evenhand.commands.perturb.run import run_perturb, write_documents

    if options.write_arms is None:
        show(lambda progress: run_perturb(options, notice=notice, progress=progress), shown)
        return
    written = write_documents(options)
    if shown.json:
        print_json(written.json)
    else:
        print_out(str(written.folder) if shown.quiet else written.text)
