"""Runs inspect_ai in a process of its own: one JSON job per line of stdin, one JSON result per line of stdout.

inspect_ai leaves streams to the garbage collector and takes over logging and event loops; the test process is
spared that.
"""

import json
import sys

from inspect_ai import eval as run_inspect
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)

from evenhand.integrations.inspect_tasks import TASKS


def said(answer):
    """Return an output of a model; `answer` is a text or {"text", "stop", "refusal"}."""
    given = {"text": answer} if isinstance(answer, str) else answer
    content = [ContentText(text=given["text"], refusal=True)] if given.get("refusal") else given["text"]
    message = ChatMessageAssistant(content=content, source="generate")
    choice = ChatCompletionChoice(message=message, stop_reason=given.get("stop", "stop"))
    # Without a usage, inspect would download a tokenizer to count tokens.
    usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    return ModelOutput(model="mock", choices=[choice], usage=usage)


def evaluated(job):
    """Run a task, by its registered name where that has a slash; `answers` are [prompt, seed, answer]."""
    answers = {(prompt, seed): answer for prompt, seed, answer in job.get("answers", [])}
    calls = []

    def respond(messages, _tools, _tool_choice, config):
        key = messages[-1].text, config.seed
        calls.append(key)
        return said(answers.get(key, job.get("otherwise")))

    model = get_model("mockllm/model", custom_outputs=respond, memoize=False)
    name, args = job["task"], job.get("args", {})
    task = {"tasks": name, "task_args": args} if "/" in name else {"tasks": TASKS[name.replace("_", "-")](**args)}
    (log,) = run_inspect(**task, model=model, log_dir=job["folder"], display="none", **job.get("options", {}))
    return {"calls": calls, "log": json.loads(log.model_dump_json()), "location": log.location}


def read(job):
    """Return a log as inspect's own reader reads it."""
    return {"log": json.loads(read_eval_log(job["read"]).model_dump_json())}


if __name__ == "__main__":
    results, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        job = json.loads(line)
        results.write(json.dumps(read(job) if "read" in job else evaluated(job)) + "\n")
        results.flush()
