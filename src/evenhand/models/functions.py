"""Models and scorers that are Python functions, called with lists."""

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
from typing import Any, Protocol, Self, runtime_checkable

from evenhand.errors import InputError
from evenhand.models.model import Answer, Failure, Request, RequestBatcher, answers_in_halves
from evenhand.results.messages import one_line, quoted, shortened

EXPECTED = "expected python:module:function"

_Result = tuple[Any, BaseException | None]


class FunctionModel:
    """Calls a function with a list, and reads the list that it returns: an entry for each of its own, in their order.

    Requests are gathered into lists of `concurrency`, or of all that wait when no more come; `given` makes the entry
    of a request, `read` the text of an answer. One list comes after the other, in a thread of its own. A function may
    be async. Where it raises for a list it is called with halves, down to single requests. A list of another length
    ends the run, as does a call that takes longer than `timeout` seconds. `words` call entries, answers, and what
    answers should be.
    """

    simulated = False

    def __init__(
        self,
        name: str,
        function: Callable[[list[Any]], Any],
        *,
        given: Callable[[Request], Any],
        read: Callable[[Any], str],
        words: tuple[str, str, str],
        concurrency: int,
        timeout: float,
    ) -> None:
        self.name = name
        self._given, self._read, self._words = given, read, words
        self._timeout = timeout
        self._thread = _Thread(function)
        self._batcher: RequestBatcher[Request, Answer] = RequestBatcher(
            lambda requests: answers_in_halves(self._called, requests), most=concurrency
        )

    async def __aenter__(self) -> Self:
        self._thread.start()
        await self._batcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._batcher.__aexit__(*error)
        self._thread.stop()

    async def answer(self, request: Request) -> Answer:
        """Return what the function gave for a request.

        Raises
        ------
        Failure
            The function failed for it.
        """
        return await self._batcher.answer(request)

    async def _called(self, requests: Sequence[Request]) -> list[Answer | Failure]:
        entries, answers, expected = self._words
        asked = list(map(self._given, requests))
        try:
            async with asyncio.timeout(self._timeout):
                given, error = await self._thread.call(asked)
        except TimeoutError:
            problem = f"{self.name} returned no {answers} of {len(asked)} {entries} within {self._timeout:g} s"
            raise Failure(
                "fatal", "timeout", f"{problem}. Give a longer --timeout, or a smaller --concurrency."
            ) from None
        if error is not None:
            raise Failure("final", "exception", f"{self.name} raised {_error_text(error)}.")
        problem = f"{self.name} returned {type(given).__name__}; expected a list of {len(asked)} {expected}."
        if isinstance(given, str):
            raise Failure("fatal", "wrong_length", problem)
        try:
            texts = list(map(self._read, given))
        except TypeError:
            raise Failure("fatal", "wrong_length", problem) from None
        if len(texts) != len(asked):
            problem = f"{self.name} returned a list of {len(texts)} for {len(asked)} {entries}"
            raise Failure("fatal", "wrong_length", f"{problem}; expected one for each, in their order.")
        return [Answer(text=text) for text in texts]


class _Thread:
    """A thread that calls a function, one list after the other; it does not keep the process from ending."""

    def __init__(self, function: Callable[[list[Any]], Any]) -> None:
        self._function = function
        self._calls: queue.SimpleQueue[tuple[list[Any], Callable[[_Result], None]] | None] = queue.SimpleQueue()

    def start(self) -> None:
        self._calls = queue.SimpleQueue()
        threading.Thread(target=self._work, args=(self._calls,), name="evenhand-function", daemon=True).start()

    def stop(self) -> None:
        """Have the thread end after the call under way."""
        self._calls.put(None)

    async def call(self, asked: list[Any]) -> _Result:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[_Result] = loop.create_future()

        def settle(outcome: _Result) -> None:
            if not result.done():
                result.set_result(outcome)

        def returned(outcome: _Result) -> None:
            with suppress(RuntimeError):  # the loop ended meanwhile
                loop.call_soon_threadsafe(settle, outcome)

        self._calls.put((asked, returned))
        return await result

    def _work(self, calls: "queue.SimpleQueue[tuple[list[Any], Callable[[_Result], None]] | None]") -> None:
        with asyncio.Runner() as runner:
            while (call := calls.get()) is not None:
                asked, returned = call
                try:
                    value = self._function(asked)
                    if inspect.isawaitable(value):
                        value = runner.run(_awaited(value))
                except BaseException as error:  # noqa: BLE001 - whatever it raises, SystemExit too, is the function's
                    returned((None, error))
                else:
                    returned((value, None))


async def _awaited(value: Any) -> Any:
    return await value


#: Functions that were given in Python, by the names that runs keep of them.
_GIVEN = dict[str, Callable[..., Any]]()


@runtime_checkable
class Generates(Protocol):
    """A function of a list of prompts that returns the list of answers, or awaits it; any callable object."""

    def __call__(self, prompts: list[Any], /) -> Any:
        """Return one answer for each prompt, in their order."""
        ...


def named_model(model: str | Generates) -> str:
    """Return the name of a model: itself, or python:MODULE:NAME of a function that was given.

    >>> named_model("openai:gpt-4o"), named_model(sorted)
    ('openai:gpt-4o', 'python:builtins:sorted')
    """
    if isinstance(model, str):
        return model
    about = model if hasattr(model, "__qualname__") else type(model)
    spec = f"python:{about.__module__}:{about.__qualname__}"
    _GIVEN[spec] = model
    return spec


def open_function_model(spec: str, *, concurrency: int, timeout: float) -> FunctionModel:
    """Return the model that answers by a function: of a list of texts, or of lists of messages where it asks for these.

    It asks for messages if its first parameter is called `messages`.

    Raises
    ------
    InputError
        There is no such module or function, or importing it fails.

    """
    function = _GIVEN.get(spec) or named_function(spec, option="model")
    try:
        first = next(iter(inspect.signature(function).parameters), None)
    except (TypeError, ValueError):
        first = None
    return FunctionModel(
        spec,
        function,
        given=(
            (lambda request: request.messages)
            if first == "messages"
            else (lambda request: request.messages[-1]["content"])
        ),
        read=_text,
        words=("prompts", "answers", "texts"),
        concurrency=concurrency,
        timeout=timeout,
    )


def _text(answer: Any) -> str:
    if not isinstance(answer, str):
        raise TypeError
    return answer


def named_function(spec: str, *, option: str) -> Callable[..., Any]:
    """Return the function that `python:module:function` names; modules are found in the current folder, too.

    Raises
    ------
    InputError
        There is no such module or function, or importing it fails.

    """
    module, colon, name = spec.removeprefix("python:").rpartition(":")
    if not colon or not name or not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise InputError(f"--{option} {quoted(spec)} names no function; {EXPECTED}.")
    target: Any = _module(spec, module, option)
    for part in name.split("."):
        target = getattr(target, part, None)
    if not callable(target):
        problem = "is not a function" if target is not None else "does not exist"
        raise InputError(f"--{option} {quoted(spec)}: {quoted(name)} {problem} in the module {module}; {EXPECTED}.")
    found: Callable[..., Any] = target
    return found


def _module(spec: str, module: str, option: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last: nothing there stands in for a module of Python's
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            problem = f"there is no module {error.name}, neither installed nor in the current folder"
        else:
            problem = f"the module {module} needs {error.name}, which is not installed"
        raise InputError(f"--{option} {quoted(spec)}: {problem}.") from None
    except (Exception, SystemExit) as error:
        raise InputError(f"--{option} {quoted(spec)}: importing {module} raised {_error_text(error)}.") from error


def _error_text(error: BaseException) -> str:
    """Return the kind of an error and where it was raised; its message may hold what a résumé says."""
    frames = traceback.extract_tb(error.__traceback__)
    user_frames = [frame for frame in frames if not frame.filename.startswith("<") and frame.filename != __file__]
    if not user_frames:
        return type(error).__name__
    return one_line(
        f"{type(error).__name__} ({shortened(Path(user_frames[-1].filename).name)}, line {user_frames[-1].lineno})"
    )
