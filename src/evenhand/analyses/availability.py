"""`evenhand impact --share`, `--availability`: stated shares that people, or applicants, are compared with."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.analyses.options.impact import ImpactOptions
from evenhand.comparisons.regulations import StatedShare
from evenhand.data.applicant_query import Applicants
from evenhand.data.labels import fold
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError, flag
from evenhand.results.messages import listed, quoted
from evenhand.results.schemas import PROTECTED

_SHARE_SHAPE = "expected GROUP=SHARE, such as women=0.42, or a table with the columns group and share"
_OF_SELECTIONS = (
    "selected score counts applicants selected_count position stage funnel furthest sheets given cluster block period "
    "availability reference intersectional ll144 missing min_share reference_floor"
)
_ATTRIBUTE, _GROUP, _SHARE = "attribute", "group", "share"


def check_availability(options: ImpactOptions) -> None:
    """Raise InputError for shares that can't be read, or with --share options of selections: nobody was selected."""
    for option in (flag(name) for name in _OF_SELECTIONS.split() if options.share and getattr(options, name)):
        raise InputError(
            f"--share and {option} are both given; --share compares all people of the table, selected or not: "
            f"drop {option}, or restrict the rows with --where."
        )
    read_shares(options.share)
    read_shares(options.availability, "--availability")


def read_shares(typed: Sequence[str], option: str = "--share") -> tuple[tuple[str | None, str, str, str], ...]:
    """Return attribute (or None), group and share as typed, and the place for messages.

    Raises
    ------
    InputError
        A value is neither GROUP=SHARE nor a table with the columns group and share.

    >>> read_shares(["women=.42, Two, or more=.1"])
    ((None, 'women', '.42', '--share'), (None, 'Two, or more', '.1', '--share'))
    """
    shares: list[tuple[str | None, str, str, str]] = []
    for value in typed:
        if "=" not in value:
            shares += _of_table(Path(value), option)
            continue
        group, *tokens = value.split("=")
        for place, token in enumerate(tokens, start=1):
            share, comma, following = token.partition(",")
            is_last = place == len(tokens)
            if not group.strip() or (following.strip() if is_last else not comma):
                raise InputError(f"{option} {quoted(value)} is not understood; {_SHARE_SHAPE}.")
            shares.append((None, group.strip(), share.strip(), option))
            group = following
    return tuple(shares)


def _of_table(path: Path, option: str) -> list[tuple[str | None, str, str, str]]:
    try:
        exists = path.is_file()
    except OSError:  # longer than any file name
        exists = False
    if not exists:
        raise InputError(f"{option} {quoted(str(path))} is not a file; {_SHARE_SHAPE}.")
    frame = read_text_table(path).frame
    missing = [name for name in (_GROUP, _SHARE) if name not in frame.columns]
    if missing:
        raise InputError(
            f"{option}: no column {quoted(missing[0])} in {path}; expected group and share, and attribute where "
            f"several are compared. Columns: {listed(frame.columns)}."
        )
    return [
        (
            (row.get(_ATTRIBUTE) or "").strip() or None,
            (row[_GROUP] or "").strip(),
            row[_SHARE] or "",
            f"{option}, row {n} of {path}",
        )
        for n, row in enumerate(frame.iter_rows(named=True), 1)
    ]


def stated_shares(values: Sequence[str], applicants: Applicants, option: str = "--share") -> tuple[StatedShare, ...]:
    """Return the shares with the attribute of each group, spelled as in the table.

    Raises
    ------
    InputError
        A share is invalid, a group is unknown or of two attributes, or the shares of an attribute exceed 1.

    """
    counts = applicants.counts
    groups = {name: counts[PROTECTED + name].drop_nulls().unique().sort().to_list() for name in applicants.attributes}
    shares: dict[tuple[str, str], StatedShare] = {}
    for attribute, group, share, place in read_shares(values, option):
        if attribute is not None and attribute not in groups:
            raise InputError(f"{place}: {quoted(attribute)} is not in --protected {','.join(groups)}.")
        among = [attribute] if attribute is not None else list(groups)
        fitting = [(name, label) for name in among for label in groups[name] if fold(label) == fold(group)]
        if not fitting:
            known = listed([label for name in among for label in groups[name]], quotes=True)
            raise InputError(
                f"{place}: the table has no {quoted(group)}. Groups: {known}. For a group without people, give "
                "a table of counts (--count) with a row of 0."
            )
        if len(fitting) > 1:
            names = " and of ".join(name for name, _ in fitting)
            raise InputError(
                f"{place}: {quoted(group)} is a group of {names}; give a table with attribute, group and share."
            )
        if fitting[0] in shares:
            raise InputError(f"{place}: {quoted(group)} has two shares; give each group one.")
        name, label = fitting[0]
        shares[name, label] = StatedShare(attribute=name, group=label, share=_share(group, share, place))
    for attribute in groups:
        total = sum(stated.share for stated in shares.values() if stated.attribute == attribute)
        if total > 1 + 1e-6:
            raise InputError(f"{option}: the shares of {attribute} add up to {total:g}; expected 1 at most.")
    return tuple(shares.values())


def _share(group: str, typed: str, place: str) -> float:
    try:
        share = float(typed)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        percent = typed.strip().removesuffix("%").strip()
        repair = ""
        try:
            if 1 <= float(percent) < 100:
                repair = f" Write {percent} % as {float(percent) / 100:g}."
        except ValueError:
            pass
        raise InputError(
            f"{place}: {quoted(group)} has {quoted(typed)}; expected a share between 0 and 1, such as 0.42.{repair}"
        )
    return share
