"""The package as Python sees it: public names and what they take, calls, and what they return."""

import inspect
from datetime import UTC, date, datetime

import evenhand as eh


def told(what, name):
    print("==", name, (inspect.getdoc(what) or "").partition("\n")[0])
    if callable(what):
        for each in inspect.signature(what).parameters.values():
            print("  ", each.kind.name, each.name, "" if each.default is each.empty else repr(each.default))


print(dir(eh), eh.__all__, eh.__doc__)
for name in eh.__all__:
    told(getattr(eh, name), name)
for module in (eh.stats, eh.monitor):
    for name in module.__all__:
        told(getattr(module, name), name)
for name in sorted(vars(eh.errors)):
    if isinstance(getattr(eh.errors, name), type) and issubclass(getattr(eh.errors, name), Exception):
        print(name, [each.__name__ for each in getattr(eh.errors, name).__mro__], getattr(eh.errors, name).__doc__)


def shown(run):
    print(repr(run), sorted(name for name in dir(run) if not name.startswith("_")))
    print(run._repr_html_() if hasattr(run, "_repr_html_") else "no page")
    print(run.findings_frame)


impact = eh.impact({"women": (557, 1835), "men": (1198, 2691)}, out="impact")
shown(impact)
print(impact.rows, impact.finding("impact_ratio_group_women"), impact.folder, impact.report_path)
table = eh.impact("applicants.csv", selected="hired", protected=["gender", "race"], position="job", out="table")
shown(table)
probe = eh.probe("hiring-an", "sim:masculine", sample=60, out="probe")
shown(probe)
print(probe.outcomes)
shown(eh.audit("sim:stereotyping?strength=0.3", out="audit", sample=40))
shown(eh.measure("hiring-an", "answers.jsonl", out="measure"))
shown(eh.compare(["probe", "measure"], any_stimuli=True, out="compare"))
shown(eh.evaluate("applicants.csv", label="stayed", score="fit", cutoff=0.5, protected=["gender"], out="evaluate"))
features = eh.features("applicants.csv", protected=["gender"], sample=0, out="features")
shown(features)
print(features.features, features.proxies)
shown(
    eh.perturb("people.jsonl", "positions.jsonl", scorer="sim:shift?female=-0.3", margin=2, names_per_group=2, out="p")
)
print(eh.plan("hiring-an", "sim:unbiased", sample=100))
masked = eh.mask("Jane Doe, she/her. Tel. 312-555-0188", known_names=["Jane Doe"], optional=["phone"])
print(repr(masked), masked.text, masked.spans, masked._repr_html_())
print(eh.bundle([impact, "probe"], out="evidence.zip"), eh.verify("evidence.zip"))
print(
    eh.stats.decisions_needed(0.3, 0.8),
    eh.stats.impact_ratio(3, 10, 6, 10),
    eh.stats.impact_ratio([3, 3], 10, [6, 0], 10),
)
recorder = eh.monitor.Recorder("h.db", model="screener")
recorder.record(
    score=0.71,
    selected=True,
    latency=0.2,
    protected={"gender": "female"},
    unit="case 17",
    time=datetime(2025, 2, 1, tzinfo=UTC),
)
recorder.close()
print(eh.monitor.record("days.csv", store="h.db", model="m", time="at", score="score", protected=["gender"]))
print(
    eh.monitor.status(store="h.db"),
    eh.monitor.verify(store="h.db"),
    eh.monitor.check(store="h.db", as_of=date(2025, 3, 5)),
)
print(eh.monitor.metrics(store="h.db"))
for call in (
    lambda: eh.impact("nowhere.csv", selected="hired", protected=["gender"]),
    lambda: eh.probe("hiring-am", "sim:unbiased"),
    lambda: eh.probe("hiring-an", "gpt"),
    lambda: impact.finding("none"),
    lambda: eh.mask(3),
    lambda: eh.stats.impact_ratio(11, 10, 1, 10),
    lambda: eh.nothing,
):
    try:
        print(call())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        print(type(error).__name__, str(error))
