"""`evenhand monitor golden propose`: put cases from the recorded stream, masked, where people label them.

The store has no texts: they come from a file, and find their decisions by the keyed hash of the unit.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from evenhand.analyses.golden_set import people_in, position_of
from evenhand.analyses.options.golden import GoldenProposeOptions
from evenhand.data.inputs import Position, read_positions
from evenhand.errors import CheckFailed, InputError, option_text
from evenhand.masking.documents.request import Request
from evenhand.masking.documents.text import masked_plain
from evenhand.masking.mask import FOR_LABELS
from evenhand.masking.people import Person
from evenhand.monitoring import golden_stream
from evenhand.monitoring.golden_cases import Candidate, Case, add_cases, cases_of, chosen
from evenhand.monitoring.golden_labels import person_named
from evenhand.monitoring.store import Store, add_entry, opened_store, store_now, utc_text
from evenhand.report.words.numbers import counted
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, quoted
from evenhand.results.terminal import CommandOutput, command_output

#: Days that a text is kept, unless another number is given.
KEEP_DAYS: Final = 180
_REMARKS: Final = {
    "not_copied": "failed the check after masking and stayed out",
    "without_names": "had no known_names, so that names could only be guessed",
    "without_decision": "found no recorded decision of the same unit and position",
    "removed": "would be of people whose text was removed before, and stayed out",
}


def propose(
    source: Path | None, options: GoldenProposeOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Draw and choose cases of recorded decisions whose texts are given, or switch that on or off.

    Raises
    ------
    InputError
        It is not switched on, an option or a file can't be used, or the store has no units of the model.

    """
    if options.switch_on or options.switch_off:
        return _switched(source, options, notice=notice, clock=clock)
    for name, value in (("TEXTS", source), ("--model", options.model), ("--positions", options.positions)):
        if value is None:
            raise InputError(
                f"{name} is missing: a proposal needs the texts, their positions and the model that decided."
            )
    assert source is not None
    assert options.positions is not None
    with opened_store(options.store, notice=notice, clock=clock) as store:
        switch = golden_stream.stream_switch(store)
        if switch is None:
            raise InputError(
                "Proposing copies people's texts into the store, so it is off by default. A person who may "
                "decide this switches it on: evenhand monitor golden propose --store STORE --switch-on --by "
                f"NAME --keep-days {KEEP_DAYS}"
            )
        days = switch.keep_days if options.keep_days is None else options.keep_days
        if days > switch.keep_days:
            raise InputError(
                f"--keep-days {days}: {switch.by} allowed {switch.keep_days} days; give that many or fewer."
            )
        positions = {position.id: position for position in read_positions(options.positions)}
        rows = [(person, position_of(person, positions)) for person in people_in(source)]
        return _proposed(store, rows, options, days=days)


def _switched(
    source: Path | None, options: GoldenProposeOptions, *, notice: Notices, clock: Callable[[], datetime]
) -> CommandOutput:
    if (options.switch_on and options.switch_off) or source is not None:
        raise InputError("Give --switch-on or --switch-off alone, without the other and without TEXTS.")
    if options.by is None:
        raise InputError(f"{option_text('by', 'NAME')} is missing: give the person who decides this.")
    by, days = person_named(options.by), (options.keep_days or KEEP_DAYS) if options.switch_on else None
    with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
        golden_stream.set_switch(writing, by=by, keep_days=days)
    text = (
        "Proposing is off; cases that are there stay until they are forgotten."
        if days is None
        else f"Proposing is on; a text is kept {counted(days, 'day')}."
    )
    return command_output({"on": days is not None, "by": by, "keep_days": days}, text)


def _proposed(
    store: Store, rows: Sequence[tuple[Person, Position]], options: GoldenProposeOptions, *, days: int
) -> CommandOutput:
    until, model = utc_text(store.clock() + timedelta(days=days)), str(options.model).strip()
    wanted = [(_unit(person, options.unit), position.id, position.title) for person, position in rows]
    known = {case.id: case for case in cases_of(store, with_texts=False)}
    by_id: dict[str, tuple[golden_stream.Streamed, Person, Position]] = {}
    found = golden_stream.streamed_cases(store, model, wanted, cutoff=options.cutoff)
    gone = golden_stream.removed_units(store, [unit for unit, *_ in wanted])
    for case, (person, position), (unit, *_) in zip(found, rows, wanted, strict=True):
        if case is not None and unit not in gone:
            by_id.setdefault(case.id, (case, person, position))
    before = golden_stream.framed(store)
    frame = [case for case, _, _ in by_id.values() if case.id not in before]
    strata = golden_stream.drawn_at_random(frame, options.draw) if frame and options.draw else []
    drawn = dict.fromkeys((case.id for _, members in strata for case in members), golden_stream.RANDOM)
    there = [{**case.groups, "position": str(case.position["title"])} for case in known.values()]
    texts = {name: _masked(by_id[name][1]) for name in drawn if name not in known}
    while True:  # until each that is chosen has a text that masking can vouch for
        looked_at = chosen(
            [
                Candidate(id=name, groups={**case.groups, "position": position.title}, remarks=case.remarks)
                for name, (case, _, position) in sorted(by_id.items())
                if name not in known and name not in drawn and texts.get(name, "") is not None
            ],
            options.choose,
            there=there,
        )
        texts |= {name: _masked(by_id[name][1]) for name in looked_at if name not in texts}
        if all(texts[name] is not None for name in looked_at):
            break
    reasons = drawn | looked_at
    kinds: Counter[str] = Counter()
    content: dict[str, Any] = {
        "model": model,
        "new": 0,
        "reasons": kinds,
        "with_decision": len(by_id),
        "removed": sum(case is not None and unit in gone for case, (unit, *_) in zip(found, wanted, strict=True)),
        "frame": len(frame),
        "drawn": len(drawn),
        "strata": len(strata),
        "not_copied": sum(text is None for text in texts.values()),
        "without_decision": sum(case is None for case in found),
        "without_names": sum(not by_id[name][1].known_names for name in texts),
        "keep_days": days,
        "recorded": golden_stream.units_between(store, model, sorted(case.day for case in frame)),
    }
    if not reasons:
        return command_output(content, *_texts(content, frame))
    with store.writing() as writing:
        numbers = golden_stream.add_strata(writing, model, strata)
        cases = [
            Case(
                id=name,
                text=text,
                position=asdict(by_id[name][2]),
                groups=by_id[name][0].groups,
                reason=reasons[name],
                stratum=numbers.get(name),
                unit=by_id[name][0].unit,
                day=by_id[name][0].day,
                keep_until=until,
            )
            for name, text in texts.items()
            if name in reasons and text is not None
        ]
        content["new"] = add_cases(writing, cases, None)
        # Somebody who was chosen before may be drawn now.
        again = [(numbers[name], name) for name in drawn if name in known]
        writing.execute_each("UPDATE golden_cases SET stratum = ? WHERE id = ?", again)
        kinds.update(golden_stream.kind_of(case.reason) for case in cases)
        add_entry(writing, "golden proposal", content)
    return command_output(content, *_texts(content, frame))


def _texts(content: Mapping[str, Any], frame: Sequence[golden_stream.Streamed]) -> list[str]:
    """Return what was proposed, and from whom, in sentences."""
    others = {kind: n for kind, n in content["reasons"].items() if kind != golden_stream.RANDOM}
    kept = f", masked; their texts are kept {counted(content['keep_days'], 'day')}" if content["new"] else ""
    lines = [f"Proposed {counted(content['new'], 'case')}{kept}."]
    if content["drawn"]:
        lines.append(
            f"{content['drawn']:,} of {counted(len(frame), 'new case')} were drawn at random, in "
            f"{counted(content['strata'], 'stratum', 'strata')}; estimates from them are for the {len(frame):,}, of "
            f"{len({case.unit for case in frame}):,} of the {content['recorded']:,} people recorded on these days."
        )
    elif content["with_decision"] and not frame:
        lines.append("All cases with a decision took part in a draw before, so none was drawn.")
    if others:
        listed = ", ".join(f"{kind} {n:,}" for kind, n in sorted(others.items()))
        lines.append(f"{counted(sum(others.values()), 'case')} to look at, from which nothing is estimated: {listed}.")
    lines += [f"{counted(content[key], 'text')} {remark}." for key, remark in _REMARKS.items() if content[key]]
    return lines


def _unit(person: Person, key: str | None) -> str:
    unit = person.id if key is None else person.protected.get(key)
    if unit is None:
        raise InputError(f"The text {quoted(person.id)} has no {quoted(key)}, which --unit names.")
    return unit.strip()


def _masked(person: Person) -> str | None:
    """Return the text, masked; None where masking can't vouch for it."""
    request = Request(options=FOR_LABELS, **copied(person, "known_names file_name metadata"))
    try:
        return masked_plain(person.text.encode(), request).content.decode()
    except CheckFailed:
        return None
