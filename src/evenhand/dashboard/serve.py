"""`evenhand serve`: the dashboards, on this machine unless options say otherwise.

A first visitor may open a synthetic company; its store and its audit are written here.
"""

import os
import signal
import socket
import sys
import webbrowser
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path
from threading import Thread
from typing import Final, get_args

import polars as pl
import uvicorn
from starlette.applications import Starlette

from evenhand.analyses.data import write_company
from evenhand.analyses.evaluate import run_evaluate
from evenhand.analyses.golden_set import add as add_cases
from evenhand.analyses.impact import run_impact
from evenhand.analyses.match import run_recommend, run_train
from evenhand.analyses.monitor import check
from evenhand.analyses.monitor_record import record
from evenhand.analyses.options.golden import GoldenAddOptions
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.monitoring import CheckOptions, RecordOptions
from evenhand.analyses.options.output import CompanyOptions, ServeOptions
from evenhand.analyses.options.scores import EvaluateOptions, RecommendOptions, TrainOptions
from evenhand.dashboard.access import LOOPBACK, Access, Role
from evenhand.dashboard.analyses import Analyses, private_folder
from evenhand.dashboard.app import application
from evenhand.dashboard.connections import STDERR, LimitedProtocol, Log
from evenhand.dashboard.disclosure import Processes
from evenhand.dashboard.request import Dashboards, Synthetic
from evenhand.dashboard.views.overview import prepare
from evenhand.data.toml_files import read_toml
from evenhand.errors import InputError
from evenhand.monitoring.store import opened_store, store_name
from evenhand.results.files import append_line, scratch_folder
from evenhand.results.messages import quoted
from evenhand.results.terminal import Screen

_GROUPS = ("gender", "race")
#: So many that a day has enough for the default rules.
_PAIRS = 30_000
#: People and positions that a matcher learns from and ranks, and cases to label.
_RANKED_PEOPLE: Final = 200
_RANKED_POSITIONS: Final = 8
_CASES: Final = 10
_STAGES = "stage=applied,screened,interviewed,offered"


def show_company(place: Synthetic, *, people: int = 2_000, positions: int = 60, pairs: int = _PAIRS) -> None:
    """Write a company's decisions and both of its scores into the store, look for changes, and audit its stages.

    A score is evaluated and candidates are ranked when the company is shown already, as they take longer than all else.
    """
    folder = place.folder / "company"
    write_company(CompanyOptions(out=folder, people=people, positions=positions, pairs=pairs, force=True))
    timed = pl.read_csv(place.table).with_columns(seconds=pl.col("latency_ms") / 1000)
    Path(place.store).unlink(missing_ok=True)
    decisions = RecordOptions(
        store=place.store,
        model="Hiring decisions",
        time="time",
        selected="selected",
        stage="stage",
        position="position",
        by=("department", "location", "recruiter"),
        protected=_GROUPS,
        unit="person",
    )
    place.steps.append("decisions")
    record(timed, decisions, notice=_quiet)
    place.steps.append("scores")
    for name in ("score", "score_previous"):
        scores = RecordOptions(
            store=place.store, model=name, time="time", score=name, latency="seconds", where=("stage = 'applied'",)
        )
        record(timed, scores, notice=_quiet)
    place.steps.append("alarms")
    check(CheckOptions(store=place.store, as_of=date(2025, 12, 31)), notice=_quiet)
    place.steps.append("an audit")
    stages = ImpactOptions(
        selected="selected",
        protected=_GROUPS,
        reference=("gender=male", "race=white"),
        stage=_STAGES,
        cluster=("person",),
        out=place.runs / "stages",
    )
    run_impact(str(place.table), stages, notice=_quiet)
    place.steps.append("cases to label")
    some = _part_of(folder, place.folder / "part")
    cases = GoldenAddOptions(store=place.store, positions=some / "positions.jsonl", reason="the first applications")
    add_cases(some / "cases.jsonl", cases, notice=_quiet)
    place.ready()
    quality = EvaluateOptions(
        label="performed_well",
        score="score",
        cutoff=0.5,
        protected=_GROUPS,
        by=("department",),
        cluster="person",
        out=place.runs / "quality",
    )
    run_evaluate(str(folder / "pairs.csv"), quality, notice=_quiet)
    resumes, adverts, matcher = some / "people.jsonl", some / "positions.jsonl", place.runs / "matcher"
    training = TrainOptions(label="advanced", protected=_GROUPS, people=resumes, positions=adverts, out=matcher)
    run_train(some / "pairs.csv", training, notice=_quiet)
    ranked = place.runs / "candidates"
    ranking = RecommendOptions(
        ranked="positions", people=resumes, positions=adverts, matcher=matcher / "matcher.json", out=ranked
    )
    run_recommend(ranking)


def _part_of(company: Path, folder: Path) -> Path:
    """Write the first people and positions of a company, their pairs, and ten cases to label."""
    folder.mkdir(exist_ok=True)
    people = pl.read_ndjson(company / "people.jsonl").head(_RANKED_PEOPLE)
    positions = pl.read_ndjson(company / "positions.jsonl").head(_RANKED_POSITIONS)
    pairs = pl.read_csv(company / "pairs.csv").join(people.select(person="id"), on="person", how="semi")
    pairs = pairs.join(positions.select(position="id"), on="position", how="semi")
    people.write_ndjson(folder / "people.jsonl")
    positions.write_ndjson(folder / "positions.jsonl")
    pairs.write_csv(folder / "pairs.csv")
    first = pairs.unique("person", keep="first", maintain_order=True).select("position", id="person")
    people.join(first, on="id").head(_CASES).write_ndjson(folder / "cases.jsonl")
    return folder


def _quiet(_: str) -> None:
    """Say nothing: there is no terminal."""


TOKEN: Final = "EVENHAND_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST: Final = 16
_MOST_CUTOFFS: Final = 5
#: Seconds that answers have to end when the server is stopped; a slow sender keeps nobody waiting.
_PATIENCE: Final = 5
#: Days after which tables that were brought to a server are removed.
_KEPT_DAYS: Final = 7
#: Variables of the environment of whom a browser can be shown to, on Linux.
_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
#: Seconds for the headers of a request, for the start of its body, and between two requests.
_TIMEOUT: Final = 10


def serve(options: ServeOptions, *, notice: Callable[[str], None], say: Callable[[str], None] = print) -> None:
    """Show the dashboards until the process is stopped; with --check-config say what would be shown.

    Raises
    ------
    InputError
        There is nothing to show, the address is open to others without a token or header, or the port is in use.

    """
    if options.check_config:
        say(config_text(served(options, os.environ), options))
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the folder goes, too
    with ExitStack() as closing:
        synthetic = None
        with suppress(InputError):  # where nothing can be written there is no company, but all else
            folder = closing.enter_context(scratch_folder())
            tables = Analyses(folder=private_folder(folder / "analyses"), largest=options.upload_limit, days=_KEPT_DAYS)
            synthetic = Synthetic(folder=folder, make=show_company, analyses=tables)
        dashboards = served(options, os.environ, synthetic=synthetic)
        listening = _listening(options.host, options.port)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # which uvicorn passes on: the folder goes first
        if dashboards.store is not None:  # a daemon, so that it does not keep the server from ending
            Thread(target=prepare, args=(dashboards,), daemon=True).start()
        url, access = f"http://{_address(listening)}", dashboards.access
        entry = f"{url}/login?token="
        notice(f"Dashboards at {f'{entry}{access.token}' if access.local else url} – stop with Ctrl-C.")
        if options.analyses is None and dashboards.analyses is not None:
            notice(f"Tables and reports are stored in {dashboards.analyses.folder}.")
            if options.browser and (sys.platform == "darwin" or any(map(os.environ.get, _DISPLAYS))):
                Thread(target=webbrowser.open, args=(f"{entry}{access.new_ticket()}",), daemon=True).start()
        app = application(dashboards, log=Log(path=options.access_log))
        with listening:
            uvicorn.Server(server_config(app, proxies=options.proxy)).run(sockets=[listening])


def server_config(app: Starlette, *, proxies: Sequence[str] = (), timeout: int = _TIMEOUT) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    return uvicorn.Config(
        app,
        http=LimitedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_keep_alive=timeout,
        timeout_graceful_shutdown=_PATIENCE,
    )


def served(options: ServeOptions, environment: Mapping[str, str], *, synthetic: Synthetic | None = None) -> Dashboards:
    """Return the data to show and the access to it; checks the store and the folder of runs first."""
    if options.store is not None:
        opened_store(options.store, as_is=options.check_config).connection.close()
    if options.runs is not None and not options.runs.is_dir():
        raise InputError(f"--runs {options.runs} is not a folder.")
    if len(options.cutoffs) > _MOST_CUTOFFS:
        raise InputError(f"--cutoffs has {len(options.cutoffs)} numbers; give {_MOST_CUTOFFS} at most.")
    access = _access(options, environment.get(TOKEN) or None)
    if options.access_log is not None and options.access_log != STDERR:
        _check_writable(options.access_log)
    if options.analyses is not None and options.runs is not None:
        _check_apart(options.analyses, options.runs)
    folder, days, analyses = options.analyses, options.keep_days, None
    if folder is not None:
        days = days or _KEPT_DAYS
    elif all(given is None for given in (options.store, options.runs, access.token, access.user_header)):
        folder = user_folder(environment) / "analyses"  # of whoever sits at this machine
    if folder is not None:
        analyses = Analyses(folder=private_folder(folder), largest=options.upload_limit, days=days)
    return Dashboards(
        access=access if analyses is None else access.for_this_machine(),
        store=options.store,
        runs=options.runs,
        analyses=analyses,
        processes=Processes(cutoffs=tuple(sorted(set(options.cutoffs)))),
        synthetic=synthetic,
    )


def user_folder(environment: Mapping[str, str]) -> Path:
    """Return where this user's data belong, by the convention of the platform.

    >>> user_folder({"XDG_DATA_HOME": "/data"})
    PosixPath('/data/evenhand')
    """
    home = Path(environment.get("HOME") or "~").expanduser()
    usual = home / "Library" / "Application Support" if sys.platform == "darwin" else home / ".local" / "share"
    named = Path(environment.get("XDG_DATA_HOME", ""))
    return (named if named.is_absolute() else usual) / "evenhand"


def _access(options: ServeOptions, token: str | None) -> Access:
    if (options.user_header is None) != (options.roles is None):
        raise InputError("--user-header and --roles need each other: give both.")
    if token is not None and len(token) < _SHORTEST:
        raise InputError(f"{TOKEN} has fewer than {_SHORTEST} characters; use a longer one.")
    if options.host not in LOOPBACK and token is None and options.user_header is None:
        raise InputError(
            f"--host {options.host} is reachable from other machines; set {TOKEN}, or give the header of a "
            "reverse proxy (--user-header NAME --roles FILE)."
        )
    if options.proxy and token is None and options.user_header is None:
        raise InputError(
            f"with --proxy alone, everybody who passes it is an admin; set {TOKEN}, or give --user-header."
        )
    roles = {} if options.roles is None else _roles(options.roles)
    return Access(host=options.host, token=token, user_header=options.user_header, roles=roles)


def config_text(dashboards: Dashboards, options: ServeOptions) -> str:
    """Return what would be served, to whom."""
    access = dashboards.access
    visitors = "everybody at this machine, as admin"
    if access.user_header is not None:
        count = Counter(access.roles.values())
        roles = ", ".join(f"{count[role]} {role}" for role in get_args(Role) if count[role])
        visitors = f"users that {access.user_header} names ({roles or 'none'})"
        visitors += f", with {TOKEN}" if access.token is not None else ""
    elif access.local:
        visitors = "everybody who has the address that serve prints, as admin"
    elif access.token is not None:
        visitors = f"who gives {TOKEN}, as admin"
    logged = {None: "not logged", STDERR: "logged on stderr"}
    screen = Screen()
    lines = {
        "Address": f"{access.host}, port {options.port}",
        "Visitors": visitors,
        "Proxy": ", ".join(options.proxy) or "none",
        "Store": "none" if options.store is None else store_name(options.store),
        "Runs": dashboards.runs or "none",
        "New analysis": "none" if dashboards.analyses is None else dashboards.analyses.folder,
        "Requests": logged.get(options.access_log, f"logged in {options.access_log}"),
    }
    for name, value in lines.items():
        screen.say(f"{name}: {value}")
    return screen.text


def _check_writable(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise InputError(f"--access-log {path} is not a file; give a file, or - for stderr.")
    try:
        append_line(path, b"", sync=False)
    except OSError as error:
        raise InputError(f"--access-log {path} can't be written: {error.strerror}.") from error


def _check_apart(analyses: Path, runs: Path) -> None:
    if analyses.resolve().is_relative_to(runs.resolve()):
        raise InputError(f"--analyses {analyses} lies in --runs {runs}, which viewers may read; give another folder.")


def _roles(path: Path) -> dict[str, Role]:
    roles = read_toml(path, option="--roles").values
    for name, role in roles.items():
        if role not in get_args(Role):
            raise InputError(
                f"--roles {path} gives {quoted(name)} the role {quoted(role)}; expected {', '.join(get_args(Role))}."
            )
    return dict(roles)


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        number = error.errno or 0  # a name that can't be looked up has one below 0
        reason = os.strerror(number) if number > 0 else error.strerror
        raise InputError(f"--port {port} at {host} can't be used: {reason}; give another --port.") from error


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
