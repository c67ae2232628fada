"""Sentences that tell who somebody is, put where people write them; studies in many spellings.

Sets whose identity sentences have places (`PLACES`) get them here: in the summary, among a
job's bullets, in the story, and as lines about activities, oneself and awards. Other sets'
bodies are returned as they are.
"""

from dataclasses import replace
from random import Random
from types import ModuleType

from masking.body import CHANCES, Body, Degree
from masking.marked import Marked, fill, joined, mark

#: How the time of study is written in sets that have no `WHEN` of their own; {b} and {g} are the years it began and
#: ended, {bb} and {gg} their last digits.
WHEN = (
    "{Y|%(b)s–%(g)s}",
    "{Y|%(b)s - %(g)s}",
    "{Y|%(b)s-%(gg)s}",
    "{?|09/}{Y|%(b)s} – {?|06/}{Y|%(g)s}",
    "{?|Sept} {Y|%(b)s} to {?|July} {Y|%(g)s}",
    "{?|Oct.} {Y|%(b)s} – {?|%(m)s} {Y|%(g)s}",
    "{?|Class of} {Y|%(g)s}",
    "'{Y|%(gg)s}",
    "Graduated {Y|%(g)s}",
    "graduated {?|%(m)s} {Y|%(g)s}",
    "{?|%(m)s} {Y|%(g)s}",
    "conferred {?|%(m)s %(d)s}, {Y|%(g)s}",
    "completed in {Y|%(g)s}",
    "{?|Batch of} {Y|%(g)s}",
    "{Y|%(b)s/%(bb1)s} to {Y|%(g0)s/%(gg)s}",
    "{Y|%(g)s}",
    "({Y|%(g)s})",
    "from {Y|%(b)s} until {Y|%(g)s}",
)
#: The same for who has not finished.
STUDYING = (
    "Expected {?|%(m)s} {Y|%(g)s}",
    "{Y|%(b)s} – present",
    "expected graduation: {Y|%(g)s}",
    "since {?|Sept} {Y|%(b)s}; anticipated {Y|%(g)s}",
    "{Y|%(b)s}–{Y|%(g)s} (expected)",
)
ANY = ("summary", "job", "community", "personal", "award", "story")
#: Place → its weight: sentences stand everywhere, most often among activities.
WEIGHTS = dict(zip(ANY, (3, 4, 4, 3, 1, 2), strict=True))


def _when(prose: ModuleType, begun: int, grad: int, rng: Random) -> Marked:
    spelled = {
        "b": begun,
        "g": grad,
        "bb1": f"{(begun + 1) % 100:02d}",
        "bb": f"{begun % 100:02d}",
        "gg": f"{grad % 100:02d}",
        "g0": grad - 1,
        "m": rng.choice(("May", "June", "July", "Dec", "December", "Feb.")),
        "d": rng.randrange(10, 29),
    }
    studying, done = getattr(prose, "STUDYING", STUDYING), getattr(prose, "WHEN", WHEN)
    return fill(rng.choice(studying if grad > 2025 else done) % spelled)


def _degrees(body: Body) -> tuple[Degree, ...]:
    """Return the degrees anew, each time of study in a spelling of its own."""
    rng, writer = body.rng, body.writer
    grad, found = rng.choice((rng.randrange(1986, 2024), rng.randrange(1998, 2024), rng.randrange(2024, 2028))), []
    for degree in rng.sample(writer.prose.DEGREES, rng.choice((1, 2, 2, 3))):
        begun = grad - rng.randrange(2, 5)
        school = mark("SCHOOL", writer.proper(writer.prose.SCHOOLS))
        years = mark("GRADYEAR", str(begun)), mark("GRADYEAR", str(grad))
        found.append(Degree(degree, school, *years, _when(writer.prose, begun, grad, rng)))
        grad = begun - rng.randrange(2)
    return tuple(found)


def _pools(body: Body) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return category → place → sentences that fit the person."""
    words = body.writer.identity
    own = words.GENDER_M if body.person.gender == "m" else words.GENDER_F
    gender = {place: words.GENDER_BOTH.get(place, ()) + own.get(place, ()) for place in ANY}
    return {"GENDER": gender} | {name: getattr(words, name) for name in CHANCES if name != "GENDER"}


def _drawn(body: Body) -> dict[str, list[Marked]]:
    """Return sentences by place, of some of the categories."""
    rng, found = body.rng, {place: [] for place in ANY}
    for category, pool in _pools(body).items():
        most = (1, 1, 2, 3) if category != "MARITAL" else (1,)
        if rng.random() < CHANCES[category] + (0.1 if category != "MARITAL" else 0.25):
            places = [place for place in ANY if pool.get(place)]
            for place in rng.choices(places, [WEIGHTS[each] for each in places], k=rng.choice(most)):
                found[place].append(body.writer.fill(body.writer.fresh(pool[place])))
    for lines in found.values():
        rng.shuffle(lines)
    return found


def _studies(body: Body, degree: Degree) -> Marked:
    told = {"degree": degree.degree, "college": degree.school, "grad": degree.year, "begun": degree.start}
    return fill(body.rng.choice(body.writer.prose.STUDIES), told)


def spread(body: Body) -> Body:
    """Return a body whose sentences of who the person is stand where they are told."""
    if not hasattr(body.writer.identity, "PLACES"):
        return body
    rng, found, degrees = body.rng, _drawn(body), _degrees(body)
    jobs = [list(job.bullets) for job in body.jobs]
    for line in found["job"]:
        bullets = rng.choice(jobs)
        bullets.insert(rng.randrange(len(bullets) + 1), line)
    summary = [body.summary, *found["summary"]]
    if degrees[0].year.text <= "2025" and rng.random() < 0.25:
        summary.insert(rng.randrange(1, len(summary) + 1), _studies(body, degrees[0]))
    return replace(
        body,
        summary=joined(" ", summary),
        third=joined(" ", [body.third, *found["story"]]),
        jobs=tuple(replace(job, bullets=tuple(bullets)) for job, bullets in zip(body.jobs, jobs, strict=True)),
        degrees=degrees,
        identity=tuple(found["community"]),
        personal=tuple(found["personal"]),
        awards=tuple(found["award"]),
    )
