"""A scorer that is a Python function: many pairs in, as many numbers out."""

import asyncio
import importlib
import inspect
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Self

from evenhand.errors import InputError
from evenhand.models.gathering import Gathering, asked_in_halves
from evenhand.models.model import Answer, Failure, Request
from evenhand.models.scorers.pair import pair_of, score_text
from evenhand.tables.messages.quoting import one_line, quoted, shortened

__all__ = ["FunctionScorer", "open_function"]

EXPECTED = "expected python:module:function"

_Pairs = list[tuple[str, str]]
_Result = tuple[Any, BaseException | None]


class FunctionScorer:
    """Calls a function with lists of (résumé, position) and reads the list of numbers that it returns.

    Pairs are gathered into lists of `concurrency`, or of all that wait when no more come; one list is scored after
    the other, in a thread of its own. A function may be async. Where it fails for a list it is asked for halves, down
    to single pairs. A call that takes longer than `timeout` seconds ends the run: it can't be stopped.
    """

    simulated = False

    def __init__(self, name: str, function: Callable[[_Pairs], Any], *, concurrency: int, timeout: float) -> None:
        self.name = name
        self._timeout = timeout
        self._thread = _Thread(function)
        self._gathering = Gathering(lambda requests: asked_in_halves(self._scored, requests), most=concurrency)

    async def __aenter__(self) -> Self:
        self._thread.start()
        await self._gathering.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._gathering.__aexit__(*error)
        self._thread.stop()

    async def answer(self, request: Request) -> Answer:
        """Return the score of a pair as text.

        Raises
        ------
        Failure
            The function failed for it.
        """
        return await self._gathering.answer(request)

    async def _scored(self, requests: Sequence[Request]) -> list[Answer | Failure]:
        pairs = [(pair.resume, pair.position) for pair in map(pair_of, requests)]
        try:
            async with asyncio.timeout(self._timeout):
                found, error = await self._thread.call(pairs)
        except TimeoutError:
            told = f"{self.name} returned no scores of {len(pairs)} pairs within {self._timeout:g} s"
            raise Failure("fatal", "timeout", f"{told}. Give a longer --timeout, or a smaller --concurrency.") from None
        if error is not None:
            raise Failure("final", "exception", f"{self.name} raised {_told(error)}.")
        try:
            scores = [score_text(score) for score in found]
        except TypeError:
            told = f"{self.name} returned {type(found).__name__}"
            raise Failure("final", "wrong_length", f"{told}; expected a list of {len(pairs)} numbers.") from None
        if len(scores) != len(pairs):
            told = f"{self.name} returned {len(scores)} scores for {len(pairs)} pairs"
            raise Failure("final", "wrong_length", f"{told}; expected one for each, in their order.")
        return [Answer(text=score) for score in scores]


class _Thread:
    """A thread that calls a function, one list after the other; it does not keep the process from ending."""

    def __init__(self, function: Callable[[_Pairs], Any]) -> None:
        self._function = function
        self._calls: queue.SimpleQueue[tuple[_Pairs, Callable[[_Result], None]] | None] = queue.SimpleQueue()

    def start(self) -> None:
        self._calls = queue.SimpleQueue()
        threading.Thread(target=self._work, args=(self._calls,), name="evenhand-scorer", daemon=True).start()

    def stop(self) -> None:
        """Have the thread end after the call under way."""
        self._calls.put(None)

    async def call(self, pairs: _Pairs) -> _Result:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[_Result] = loop.create_future()

        def settle(found: _Result) -> None:
            if not result.done():
                result.set_result(found)

        def returned(found: _Result) -> None:
            with suppress(RuntimeError):  # the loop ended meanwhile
                loop.call_soon_threadsafe(settle, found)

        self._calls.put((pairs, returned))
        return await result

    def _work(self, calls: "queue.SimpleQueue[tuple[_Pairs, Callable[[_Result], None]] | None]") -> None:
        with asyncio.Runner() as runner:
            while (call := calls.get()) is not None:
                pairs, returned = call
                try:
                    found = self._function(pairs)
                    if inspect.isawaitable(found):
                        found = runner.run(_awaited(found))
                except BaseException as error:  # noqa: BLE001 - whatever it raises, SystemExit too, is the function's
                    returned((None, error))
                else:
                    returned((found, None))


async def _awaited(found: Any) -> Any:
    return await found


def open_function(spec: str, *, concurrency: int, timeout: float) -> FunctionScorer:
    """Return the scorer that `python:module:function` names; modules are found in the current folder, too.

    Raises
    ------
    InputError
        There is no such module or function, or importing it fails.

    """
    module, colon, name = spec.removeprefix("python:").rpartition(":")
    if not colon or not name or not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise InputError(f"--scorer {quoted(spec)} names no function; {EXPECTED}.")
    found: Any = _module(spec, module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        told = "is no function" if found is not None else "does not exist"
        raise InputError(f"--scorer {quoted(spec)}: {quoted(name)} {told} in the module {module}; {EXPECTED}.")
    return FunctionScorer(spec, found, concurrency=concurrency, timeout=timeout)


def _module(spec: str, module: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last: nothing there stands in for a module of Python's
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            told = f"there is no module {error.name}, neither installed nor in the current folder"
        else:
            told = f"the module {module} needs {error.name}, which is not installed"
        raise InputError(f"--scorer {quoted(spec)}: {told}.") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"--scorer {quoted(spec)}: importing {module} raised {_told(error)}.") from error


def _told(error: BaseException) -> str:
    """Return the kind of an error and where it was raised; its message may hold what a résumé says."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith("<") and frame.filename != __file__]
    if not own:
        return type(error).__name__
    return one_line(f"{type(error).__name__} ({shortened(Path(own[-1].filename).name)}, line {own[-1].lineno})")
