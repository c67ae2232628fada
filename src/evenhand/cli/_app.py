"""The command line as typer sees it; the modules beside this one fill it."""

import typer

__all__ = ["app", "collect", "data"]

app = typer.Typer(
    name="evenhand",
    help="Measure discrimination in AI hiring.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


data = typer.Typer(
    help="Data in this package; names to choose, e-mails to label.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(data, name="data")


collect = typer.Typer(
    help="Answers that several machines collected.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(collect, name="collect")
