"""One process per run folder."""

import os
import signal
import subprocess
import sys

import pytest

from evenhand.errors import InputError
from evenhand.results.result import RunLock

HOLD = """
import sys, time
from pathlib import Path
from evenhand.results.result import RunLock
with RunLock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_told_who_has_the_folder(tmp_path):
    with RunLock(tmp_path), pytest.raises(InputError, match=f"is in use by process {os.getpid()}"):
        RunLock(tmp_path)
    RunLock(tmp_path).release()


def test_a_killed_process_leaves_no_lock(tmp_path):
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InputError, match=f"process {holder.pid}"):
            RunLock(tmp_path)
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with RunLock(tmp_path):
        pass


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="Cannot write in"):
        RunLock(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"
