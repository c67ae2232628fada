"""`evenhand serve`: the dashboards, on this machine unless said otherwise."""

import os
import signal
import socket
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, get_args

from evenhand.dashboard.access import LOOPBACK, Access, Role
from evenhand.dashboard.analyses.kept import Analyses, private_folder
from evenhand.dashboard.app import application
from evenhand.dashboard.asked import Dashboards
from evenhand.dashboard.cube.kept import Cubes
from evenhand.dashboard.synthetic import Synthetic
from evenhand.errors import InputError
from evenhand.monitoring.history.store import opened_store
from evenhand.runs.options.serve import ServeOptions

__all__ = ["TOKEN", "serve", "served"]

TOKEN: Final = "EVENHAND_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST: Final = 16
_MOST_CUTOFFS: Final = 5
#: Seconds that answers have to end when the server is stopped; a slow sender keeps nobody waiting.
_PATIENCE: Final = 5


def serve(options: ServeOptions, *, notice: Callable[[str], None]) -> None:
    """Show the dashboards until the process is stopped.

    Raises
    ------
    InputError
        There is nothing to show, the address is open to others without a token or header, or the port is in use.

    """
    import uvicorn  # noqa: PLC0415 - an extra, imported by the command alone

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the folder goes, too
    with TemporaryDirectory(prefix="evenhand-") as folder:
        shown = served(options, os.environ, synthetic=Synthetic(folder=Path(folder), make=_company))
        listening = _listening(options.host, options.port)
        if shown.store is not None:
            shown.cubes.prepare(shown.store)
        notice(f"Dashboards at http://{_address(listening)} – stop with Ctrl-C.")
        config = uvicorn.Config(
            application(shown),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # which uvicorn passes on: the folder goes first
        with listening:
            uvicorn.Server(config).run(sockets=[listening])


def _company(place: Synthetic) -> None:
    from evenhand.commands.serve_company import show_company  # noqa: PLC0415 - imports much, for a click that is rare

    show_company(place)


def served(options: ServeOptions, environment: Mapping[str, str], *, synthetic: Synthetic | None = None) -> Dashboards:
    """Return what is shown and to whom; a store and the folder of runs are looked at before anything listens."""
    if options.store is not None:
        opened_store(options.store).connection.close()
    if options.runs is not None and not options.runs.is_dir():
        raise InputError(f"--runs {options.runs} is no folder.")
    if len(options.cutoffs) > _MOST_CUTOFFS:
        raise InputError(f"--cutoffs has {len(options.cutoffs)} numbers; give {_MOST_CUTOFFS} at most.")
    if (options.user_header is None) != (options.roles is None):
        raise InputError("--user-header and --roles belong together; give both.")
    token = environment.get(TOKEN) or None
    if token is not None and len(token) < _SHORTEST:
        raise InputError(f"{TOKEN} has fewer than {_SHORTEST} characters; take a longer one.")
    if options.host not in LOOPBACK and token is None and options.user_header is None:
        raise InputError(
            f"--host {options.host} is open to others; set {TOKEN}, or name the header of a reverse proxy "
            "(--user-header NAME --roles FILE)."
        )
    if options.analyses is not None and options.runs is not None:
        _check_apart(options.analyses, options.runs)
    roles = {} if options.roles is None else _roles(options.roles)
    access = Access(host=options.host, token=token, user_header=options.user_header, roles=roles)
    analyses = None
    if options.analyses is not None:
        analyses = Analyses(
            folder=private_folder(options.analyses), largest=options.upload_limit, days=options.keep_days
        )
    return Dashboards(
        access=access,
        store=options.store,
        runs=options.runs,
        analyses=analyses,
        cubes=Cubes(cutoffs=tuple(sorted(set(options.cutoffs)))),
        synthetic=synthetic,
    )


def _check_apart(analyses: Path, runs: Path) -> None:
    if analyses.resolve().is_relative_to(runs.resolve()):
        raise InputError(f"--analyses {analyses} lies in --runs {runs}, which viewers may read; name another.")


def _roles(path: Path) -> dict[str, Role]:
    try:
        found: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"--roles {path} can't be read: {error}.") from error
    for name, role in found.items():
        if role not in get_args(Role):
            raise InputError(f"--roles {path} gives {name!r} the role {role!r}; expected viewer, labeller or admin.")
    return found


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        number = error.errno or 0  # a name that can't be looked up has one below 0
        told = os.strerror(number) if number > 0 else error.strerror
        raise InputError(f"--port {port} at {host} can't be used: {told}; give another --port.") from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
