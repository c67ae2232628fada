"""Findings in sentences: which group was favoured, by how much, and whether it is statistically significant."""

from collections.abc import Mapping, Sequence

from evenhand.patterns import lazy_re
from evenhand.report.words import numbers
from evenhand.report.words.numbers import unmarked
from evenhand.results.audit import Measured, Wording
from evenhand.results.finding import LEVEL, Claim, Finding, GroupRatio, ImpactRatio, VerdictBasis
from evenhand.results.measures import DIFFERENCE, OTHERS, MarkBands

CENTRE_EDGES = 4
#: The group of a comparison that covers every group in turn.
EACH_GROUP = "each group"
#: Groups of people whose names are capitalised everywhere.
PROPER = {name.lower(): name for name in ("Asian", "Black", "Hispanic", "White")}
#: Labels of groups that sentences name as people.
GENDERS = {
    **dict.fromkeys(("women", "woman", "female", "females"), "women"),
    **dict.fromkeys(("men", "man", "male", "males"), "men"),
}
PEOPLE = {
    **GENDERS,
    **{label: f"{name} people" for label, name in PROPER.items()},
}
#: Measures whose name in findings.json says less, or more, than they measure.
_READ_AS = {
    "quality auc": "AUC on known quality",
    "quality slope": "slope on known quality",
    "unlawful question rate": "rate of questions about protected facts",
}


#: A word of columns that is written without its accents.
_RESUME = lazy_re(r"\bresume(?=s?\b)")


def accented(text: str) -> str:
    """Return a text that names columns with their accents.

    >>> accented("t test, name × resume")
    't test, name × résumé'
    """
    return _RESUME.sub("résumé", text)


def in_words(name: str) -> str:
    """Return a name in words.

    >>> in_words("acceptance_rate"), in_words("resume")
    ('acceptance rate', 'résumé')
    """
    text = name.replace("_", " ").strip()
    for written, read in _READ_AS.items():
        text = text.replace(written, read)
    return accented(text)


def capital(text: str) -> str:
    """Return the text with its first letter upper case, the rest untouched."""
    return text[:1].upper() + text[1:]


def listing(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def group_label(group: Mapping[str, str]) -> str:
    """Return a group by its values.

    >>> group_label({"race": "black", "gender": "female"}), group_label({"race": "others", "gender": "others"})
    ('Black female', 'others')
    """
    if set(group.values()) == {OTHERS}:
        return OTHERS
    return " ".join(PROPER.get(value, in_words(value)) for value in group.values())


def quantity(finding: Finding, audit: Measured) -> str:
    """Return the measured quantity, without the groups: 'acceptance rate', 'slope of …'."""
    measure_quantity = audit.quantities.get(finding.measure)
    if measure_quantity:
        return measure_quantity
    base = finding.measure.removeprefix(DIFFERENCE)
    for value in finding.focal.values():
        base = base.removeprefix(f"{value}_")
    regression = audit.regression
    if is_slope(finding) and regression is not None:
        return f"slope of {in_words(regression.measure or base)} on {in_words(regression.against or '')}"
    return in_words(base)


def unit_text(finding: Finding) -> str:
    """Return the unit of a finding's printed values, as axes and captions name it."""
    if finding.measured_in == "share":
        return "percentage points" if numbers.is_difference(finding) else "%"
    return "percentage points" if is_slope(finding) else in_words(finding.measured_in)


def is_slope(finding: Finding) -> bool:
    """Return whether the finding is a change of a share per unit of a context number."""
    return finding.measured_in.startswith("share per")


def measure_label(finding: Finding, audit: Measured) -> str:
    """Return the measure's label; the audit block may name it under `labels`."""
    label = audit.labels.get(finding.measure)
    if label:
        return label
    measured = quantity(finding, audit)
    if finding.reference:
        focal, reference = group_label(finding.focal) or EACH_GROUP, group_label(finding.reference)
        return f"Difference in {measured}, {focal} {numbers.MINUS} {reference}"
    return capital(f"{measured}, {group_label(finding.focal)}" if finding.focal else measured)


def bands_of(finding: Finding, audit: Measured) -> MarkBands | None:
    """Return the mark bands of a finding's measure, or None; a finding may say that they don't apply to it."""
    if VerdictBasis.of(finding).no_mark:
        return None
    bands = audit.bands.get(finding.measure)
    return bands if bands is not None and len(bands.edges) == CENTRE_EDGES else None


def value_text(finding: Finding) -> str:
    """Return the estimate with its interval in one line, or why there is none."""
    if finding.estimate is None:
        return f"not computed: {finding.reason}"
    return with_interval(finding, level=True)


def estimate_text(finding: Finding | None) -> str:
    """Return an estimate with its unit, a dash without one."""
    return numbers.ABSENT if finding is None else numbers.scale_of(finding).text(finding.estimate, apart=apart(finding))


def interval_text(finding: Finding | None) -> str:
    """Return the interval of an estimate without its unit, a dash without one."""
    if finding is None:
        return numbers.ABSENT
    return numbers.scale_of(finding).interval(finding.low, finding.high, apart=apart(finding))


def with_interval(finding: Finding | None, *, level: bool = False) -> str:
    """Return an estimate and its interval in one cell; `level` names the level of confidence."""
    text, span = estimate_text(finding), interval_text(finding)
    if finding is None or span == numbers.ABSENT:
        return text
    return f"{text} ({f'{numbers.confidence_text(finding.confidence)} CI ' if level else ''}{span})"


def apart(finding: Finding) -> tuple[float, ...]:
    """Return the values that a printed estimate or limit never rounds onto or across: no difference, four fifths."""
    limits = (0.8, 1.25) if isinstance(finding.details, ImpactRatio | GroupRatio) else ()
    return (*numbers.null_values(finding), *limits)


def sentence_case(text: str) -> str:
    """Return the text as it stands within a sentence; an acronym keeps its capitals.

    >>> sentence_case("Difference in rate"), sentence_case("IQ score"), sentence_case("F1")
    ('difference in rate', 'IQ score', 'F1')
    """
    return text if text[1:2].isupper() or text[1:2].isdigit() else text[:1].lower() + text[1:]


def result_sentence(finding: Finding, audit: Measured, groups: Sequence[Finding] = ()) -> str:
    """Return the sentence of one headline finding; `groups` are the two that it compares."""
    topic = wording_of(finding, audit).topic
    if finding.estimate is None:
        return f"Nothing can be said about {topic} ({_reason(finding)})."
    if finding.verdict == "not_judged":
        reason = finding.claim.reason if finding.claim is not None and finding.claim.reason else _reason(finding)
        return f"Nothing can be said about {topic} ({sentence_case(reason).rstrip('.')})."
    if finding.low is None or finding.high is None:
        return _without_interval([(finding, groups)], audit)
    equal = _equivalence(finding)
    if finding.claim is None or is_significant(finding):
        sentence = capital(statement(finding, audit))
        return f"{sentence} ({bracket(finding, audit, groups)}){significance(finding)}{equal and f'; {equal}'}."
    result = f"No statistically significant difference was detected in {topic}: {_signed(finding, groups)}."
    return f"{result} {capital(equal)}." if equal else result


def widest_caution(findings: Sequence[Finding]) -> list[str]:
    """Return the caution of the comparison with the widest interval among those that carry one."""
    cautions = [
        ((finding.high or 0.0) - (finding.low or 0.0), finding.claim.caution)
        for finding in findings
        if finding.claim is not None and finding.claim.caution
    ]
    return [max(cautions)[1]] if cautions else []


def result_sentences(rows: Sequence[tuple[Finding, Sequence[Finding]]], audit: Measured) -> list[str]:
    """Return the sentences of headline findings; a shared reason for a missing interval is given once."""
    by_reason: dict[str, list[tuple[Finding, Sequence[Finding]]]] = {}
    for finding, groups in rows:
        bare = finding.estimate is not None and finding.low is None and finding.verdict != "not_judged"
        by_reason.setdefault(_reason(finding) if bare else finding.name, []).append((finding, groups))
    return [
        result_sentence(rows_of_reason[0][0], audit, rows_of_reason[0][1])
        if len(rows_of_reason) == 1
        else _without_interval(rows_of_reason, audit)
        for rows_of_reason in by_reason.values()
    ]


def _without_interval(rows: Sequence[tuple[Finding, Sequence[Finding]]], audit: Measured) -> str:
    statements = listing(
        [f"{statement(finding, audit)}{_in_brackets(_rates(finding, groups))}" for finding, groups in rows]
    )
    return f"In these answers, {statements}. There is no confidence interval: {_reason(rows[0][0])}."


def wording_of(finding: Finding, audit: Measured) -> Wording:
    """Return the wording of a finding: the probe's, else from the names of groups and measures."""
    wording = audit.wordings.get(finding.measure)
    # Another package's measures have no value for 'no difference'.
    if wording is not None and (finding.reference or finding.null_value is not None or finding.estimate is None):
        return wording
    label = sentence_case(measure_label(finding, audit))
    if not finding.reference:
        was = f"the {label} was {{value}}"
        return _wording(label, f"the {label}", was, was)
    focal, reference = (f"{group_label(group)} {audit.subject}" for group in (finding.focal, finding.reference))
    regression = audit.regression
    both = f"{group_label(finding.focal) or EACH_GROUP} and {group_label(finding.reference)} {audit.subject}"
    if is_slope(finding) and regression is not None:
        along, rate = in_words(regression.against or ""), in_words(regression.measure or "rate")
        start = f"for each unit of {along}, the difference in {rate} between {both} shifts {{size}} towards"
        topic = f"how the difference in {rate} between {both} changes with {along}"
        return _wording(label, topic, f"{start} {focal}", f"{start} {reference}")
    if finding.measured_in == "share" and audit.success and finding.measure not in audit.labels:
        start, end = f"{focal} were {audit.success} {{size}}", f"often than {reference}"
        topic = f"how often {both} are {audit.success}"
        return _wording(label, topic, f"{start} more {end}", f"{start} less {end}")
    start, end = f"the {quantity(finding, audit)} was {{size}}", f"for {focal} than for {reference}"
    topic = f"the {quantity(finding, audit)} of {both}"
    return _wording(label, topic, f"{start} higher {end}", f"{start} lower {end}")


def heading_of(finding: Finding, audit: Measured) -> str:
    """Return what a measure is called wherever it is shown."""
    return wording_of(finding, audit).heading


def _wording(label: str, topic: str, higher: str, lower: str) -> Wording:
    return Wording(heading=capital(label), topic=topic, higher=higher, lower=lower, larger="")


def points_scale(finding: Finding) -> numbers.Scale:
    """Return how a finding's distance from no difference is printed: of shares in points."""
    return numbers.POINTS if finding.measured_in == "share" else numbers.scale_of(finding)


def units_of(findings: Sequence[Finding]) -> str:
    """Return the units of distances from no difference; points of scores are named where units differ."""
    units = list(dict.fromkeys(points_scale(finding).long_suffix.strip() for finding in findings))
    return listing([f"of scores in {unit}" if unit == "points" and len(units) > 1 else unit for unit in units])


def statement(finding: Finding, audit: Measured) -> str:
    """Return the observed direction, as a sentence without its end."""
    value, null, wording = finding.estimate or 0.0, finding.null_value or 0.0, wording_of(finding, audit)
    if value == null and finding.null_value is not None:
        exactly = numbers.scale_of(finding).text(null)
        return f"the estimate on {wording.topic} is exactly {exactly}, the value without a difference"
    text = wording.higher if value > null else wording.lower
    size = points_scale(finding).number(abs(value - null), signed=False) + points_scale(finding).long_suffix
    scale = numbers.scale_of(finding)
    values = {
        "{size}": size,
        "{value}": estimate_text(finding),
        "{null}": scale.text(null),
    }
    for placeholder, printed in values.items():
        text = text.replace(placeholder, printed)
    return text


def bracket(finding: Finding, audit: Measured, groups: Sequence[Finding] = ()) -> str:
    """Return the rates of both groups, and the interval in the direction of the statement."""
    wording, rates = wording_of(finding, audit), _rates(finding, groups)
    interval = _directed(finding) if "{size}" in wording.higher else _estimate_interval(finding)
    return "; ".join(part for part in (rates, interval) if part)


def change_text(finding: Finding) -> str:
    """Return a difference between two differences with its sign, its interval and its p."""
    interval = f"{numbers.confidence_text(finding.confidence)} CI {interval_text(finding)}"
    p = corrected_p(finding.claim) if finding.claim is not None else ""
    return _in_parts(f"a change of {points_scale(finding).text(finding.estimate)}", interval, p)


def _rates(finding: Finding, groups: Sequence[Finding]) -> str:
    """Return both groups' shares or mean scores; '' for a slope, and where these are not what is compared.

    Within résumés scores may differ otherwise than their means over all of them.
    """
    rated = [group for group in groups if group.measured_in in {"share", "points"} and group.estimate is not None]
    if len(rated) != 2:
        return ""
    scale, (focal, reference) = points_scale(finding), (group.estimate or 0.0 for group in rated)
    if finding.reference and unmarked(scale.text(focal - reference)) != unmarked(scale.text(finding.estimate)):
        return ""
    return " against ".join(numbers.scale_of(group).text(group.estimate) for group in rated)


def _directed(finding: Finding) -> str:
    """Return the interval of the distance in the direction of the statement, without a sign."""
    shown = _directed_span(finding, finding.low or 0.0, finding.high or 0.0)
    return f"{numbers.confidence_text(finding.confidence)} CI {shown}"


def _directed_span(finding: Finding, low: float, high: float) -> str:
    null, scale = finding.null_value or 0.0, points_scale(finding)
    ends = (low - null, high - null) if (finding.estimate or 0.0) >= null else (null - high, null - low)
    return " to ".join(scale.number(end, signed=False) for end in ends)


def _estimate_interval(finding: Finding) -> str:
    """Return the interval of the estimate itself."""
    level, suffix = numbers.confidence_text(finding.confidence), numbers.scale_of(finding).suffix
    return f"{level} CI {interval_text(finding)}{suffix}"


def _signed(finding: Finding, groups: Sequence[Finding]) -> str:
    """Return the difference where none was detected, with its sign."""
    rates = _rates(finding, groups)
    if finding.null_value:
        scale = numbers.scale_of(finding)
        value = f"{scale.text(finding.estimate)}, against {scale.text(finding.null_value)} without a difference"
        return f"{value} ({_in_parts(_estimate_interval(finding), p_with_test(finding), why_not(finding))})"
    scale = points_scale(finding)
    size = scale.text(finding.estimate, apart=(0.0,))
    interval = (
        f"{numbers.confidence_text(finding.confidence)} CI {scale.interval(finding.low, finding.high, apart=(0.0,))}"
    )
    parts = _in_parts(interval, p_with_test(finding), why_not(finding))
    return f"{f'{rates}, ' if rates else ''}a difference of {size} ({parts})"


def _in_parts(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def is_significant(finding: Finding) -> bool:
    """Return whether the finding's claim is a difference."""
    return finding.is_difference


def p_with_test(finding: Finding) -> str:
    """Return the p of a claim with its test and its correction; '' without one.

    As in sentences and tables: 'p = 0.012 alone, 0.072 over 6 comparisons, permutation over names'.
    """
    claim = finding.claim
    if claim is None:
        test = next((candidate for candidate in finding.tests if candidate.p is not None), None)
        return f"{numbers.named_p(test.p)}, {accented(test.name)}" if test else ""
    return "" if claim.p is None else f"{corrected_p(claim)}, {accented(claim.test or '')}"


def corrected_p(claim: Claim) -> str:
    """Return the p of a claim alone and corrected: 'p = 0.037 alone, 0.222 over 6 comparisons'."""
    if claim.family_size < 2:
        return numbers.named_p(claim.p)
    over = f"over {numbers.count_text(claim.family_size)} comparisons"
    alone, corrected = numbers.p_text(claim.p), numbers.p_text(claim.p_adjusted)
    same = unmarked(alone) == unmarked(corrected)
    return f"{numbers.named_p(claim.p)} alone{' and' if same else f', {corrected}'} {over}"


def corrected_by(findings: Sequence[Finding]) -> str:
    """Return how the p of claims were corrected, '' where nothing was: 'Holm over 6 comparisons'."""
    return next((finding.claim.corrected_over for finding in findings if finding.claim is not None), "")


def why_not(finding: Finding) -> str:
    """Return why an interval and the verdict beside it disagree on no difference; '' where they agree."""
    claim, null = finding.claim, finding.null_value
    if claim is None or claim.p is None or null is None or finding.low is None:
        return ""
    leaves_out = _leaves_out(finding)
    if leaves_out and not finding.is_difference:
        # Where the correction is the reason, both p say it.
        return "" if claim.p < LEVEL else "the test is stricter than the interval"
    if finding.is_difference and not leaves_out:
        return "the test finds what this interval does not"
    return ""


def verdict_cell(finding: Finding) -> str:
    """Return whether a difference is significant, and why where its interval says otherwise: 'no, p = 0.020 alone'."""
    claim = finding.claim
    if finding.estimate is None:
        return "not computed"
    if claim is None:
        return numbers.ABSENT
    if claim.verdict == "not_judged":
        return "no interval" if finding.low is None else "not judged"
    reason = why_not(finding)
    if _leaves_out(finding) and not finding.is_difference and not reason:
        reason = f"{numbers.named_p(claim.p)} alone"
    answer = "yes" if finding.is_difference else "no"
    return f"{answer}, {reason}" if reason else answer


def _leaves_out(finding: Finding) -> bool:
    """Return whether the interval leaves out the value of no difference."""
    null = finding.null_value
    if null is None or finding.low is None:
        return False
    return finding.low > null or (finding.high is not None and finding.high < null)


def significance(finding: Finding) -> str:
    """Return ', statistically significant' with its p; '' where it is not."""
    if not is_significant(finding):
        return ""
    parts = _in_parts(p_with_test(finding), why_not(finding))
    return f", statistically significant{f' ({parts})' if parts else ''}"


def _equivalence(finding: Finding) -> str:
    """Return the margin of equivalence with the interval inside it; '' without equivalence."""
    if finding.claim is None or not finding.claim.equivalent:
        return ""
    scale, null, basis = points_scale(finding), finding.null_value or 0.0, VerdictBasis.of(finding)
    margin = "mark A" if basis.margin is None else f"±{scale.number(basis.margin, signed=False)}{scale.long_suffix}"
    to = f" to {numbers.scale_of(finding).text(null)}" if null else ""
    level = numbers.confidence_text(round(2 * finding.confidence - 1, 9))
    ends = basis.equivalence_interval
    if ends is None:
        return f"equivalent{to} within {margin} ({level} CI inside it)"
    if is_significant(finding) and not null:
        return f"equivalent within {margin} ({level} CI {_directed_span(finding, *ends)})"
    apart = (null,) if basis.margin is None else (null, null - basis.margin, null + basis.margin)
    printed = numbers.scale_of(finding)
    interval = f"{printed.interval(*ends, apart=apart)}{printed.suffix if null else ''}"
    return f"equivalent{to} within {margin} ({level} CI {interval})"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _reason(finding: Finding) -> str:
    """Return why there is no estimate or interval, within a sentence."""
    unknown = "it was not computed" if finding.estimate is None else "it was not tested"
    return sentence_case(finding.reason or unknown).rstrip(". ")


def detail_sentences(finding: Finding) -> list[str]:
    """Return details of a measure: marks within the interval, how large a difference may be."""
    if finding.estimate is None:
        return []
    sentences = [_marks_within(finding), _unmarked(finding), _adjusted_away(finding), *widest_caution([finding])]
    if finding.verdict == "no_difference_detected" and not (finding.claim and finding.claim.equivalent):
        sentences.append(_compatible(finding))
    return [sentence for sentence in sentences if sentence]


def _marks_within(finding: Finding) -> str:
    within = finding.marks_touched
    if not finding.mark or len(within) < 2:
        return ""
    return f"The estimate has mark {finding.mark}; the confidence interval reaches {listing(within)}."


def _compatible(finding: Finding) -> str:
    if finding.low is None or finding.high is None:
        return ""
    scale, null = points_scale(finding), finding.null_value or 0.0
    farthest = max(abs(end - null) for end in (finding.low, finding.high))
    size = f"{scale.number(farthest, signed=False)}{scale.long_suffix}"
    return f"The confidence interval is compatible with a difference of up to {size}."


def _adjusted_away(finding: Finding) -> str:
    """Return why nothing counts as detected although the interval excludes no difference."""
    null, claim = finding.null_value, finding.claim
    if null is None or claim is None or claim.p is None or finding.low is None or finding.high is None:
        return ""
    if is_significant(finding) or finding.low <= null <= finding.high:
        return ""
    zero = numbers.scale_of(finding).number(null)
    reason = (
        why_not(finding)
        or f"corrected for several comparisons it is not a significant difference ({corrected_p(claim)})"
    )
    return f"The interval leaves out {zero}; {reason}."


def _unmarked(finding: Finding) -> str:
    """Return why a measure with marks has none here, and the value of chance."""
    mark, chance = VerdictBasis.of(finding).no_mark, VerdictBasis.of(finding).chance
    if not mark:
        return ""
    by_chance = f" Chance gives {numbers.scale_of(finding).text(chance)}." if chance is not None else ""
    return f"There is no mark: {sentence_case(mark).rstrip('.')}.{by_chance}"
