"""The dashboards."""

from evenhand.cli._command import command
from evenhand.cli._show import notice
from evenhand.runs.options.serve import ServeOptions

__all__ = ["serve"]


@command()
def serve(options: ServeOptions) -> None:
    try:
        from evenhand.commands.serve import serve as shown
    except ModuleNotFoundError as error:
        from evenhand.errors import InputError

        raise InputError(f"{error.name} is not installed; pip install 'evenhand[serve]' brings it.") from error
    shown(options, notice=notice)
