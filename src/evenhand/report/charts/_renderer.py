"""Draws Vega-Lite specifications in a process of its own, whose memory goes back when it ends.

As a script it reads a specification per line and writes its SVG, as a line of JSON.
"""

import json
import subprocess
import sys
from typing import Any, Self

import orjson

__all__ = ["Renderer"]


class Renderer:
    """A process that draws; it takes most of a second to start, while this one goes on."""

    def __init__(self) -> None:
        # -I: neither the folder that a user stands in nor his environment changes what is imported.
        command = [sys.executable, "-I", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves

    def svg(self, specification: dict[str, Any]) -> str:
        """Return one drawing."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(orjson.dumps(specification, option=orjson.OPT_APPEND_NEWLINE))
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            message = f"The process that draws charts ended with {process.wait()}."
            raise RuntimeError(message)
        drawn = orjson.loads(line)
        assert isinstance(drawn, str)
        return drawn

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _serve() -> None:
    import vl_convert  # noqa: PLC0415 - 93 MB with its JavaScript, for this process only

    for line in sys.stdin.buffer:
        svg = vl_convert.vegalite_to_svg(line.decode())
        sys.stdout.write(json.dumps(svg) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
