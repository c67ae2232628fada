"""A PostgreSQL server of our own on loopback, for what is tested against the real one."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from system_packages import needed

PASSWORD = "kept-secret"


def postgres_folder() -> Path | None:
    """Return the folder of initdb: that of Debian's newest server, or the one on PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = shutil.which("initdb")
    return debian[-1].parent if debian else Path(found).parent if found else None


@pytest.fixture(scope="session")
def postgres_server():
    """Start a PostgreSQL server of our own on loopback; give a URL with a password."""
    programs = needed("postgres", find_spec("psycopg") and postgres_folder())
    # initdb refuses root; then the server runs as an account that owns nothing.
    account = "nobody" if os.geteuid() == 0 else None
    as_account = {"user": account} if account else {}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="evenhand-postgres-") as folder:
        data, password = Path(folder, "data"), Path(folder, "password")
        password.write_text(PASSWORD)
        if account:
            for path in (Path(folder), password):
                shutil.chown(path, user=account)
        environment = {**os.environ, "LC_ALL": "C", "HOME": folder}
        run = {"env": environment, "cwd": folder, "capture_output": True, **as_account}
        made = [
            programs / "initdb",
            "-D",
            data,
            "-U",
            "auditor",
            "--pwfile",
            password,
            "-A",
            "scram-sha-256",
            "-E",
            "UTF8",
        ]
        subprocess.run([*made, "--no-sync"], check=True, **run)
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, *options.split()],
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **as_account,
        )
        try:
            wait_until_ready(port, server)
            yield f"postgres://auditor:{PASSWORD}@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait(30)


def wait_until_ready(port: int, server: subprocess.Popen) -> None:
    import psycopg

    for _ in range(300):
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="auditor", password=PASSWORD, dbname="postgres").close()
        except psycopg.OperationalError:
            assert server.poll() is None, "the server ended"
            time.sleep(0.1)
        else:
            return
    pytest.fail("PostgreSQL did not answer within 30 seconds.")
