"""Layouts of the fourth set: biographies, talks and chats."""

from masking.body import Body
from masking.frames_fourth import as_file, degrees, first, headed, jobs, last, paragraphs, prose, stacked, told
from masking.marked import Marked, fill, joined


def programme_note(body: Body) -> Marked:
    """A biography in the third person for a programme or an annual report."""
    person, writer = body.person, body.writer
    posts = [
        writer.fill(
            "From {start} to {end}, {he} worked for {at} as {post}.".replace("{start}", job.start)
            .replace("{end}", job.end)
            .replace("{at}", job.company)
            .replace("{post}", job.title)
        )
        for job in body.jobs[1:]
    ]
    studies = [
        fill(
            writer.pick(
                ("{last} took the {degree} at {school}, {when}.", "{last} studied at {school} ({degree}, {when}).")
            ),
            {"last": last(person), "degree": each.degree, "school": each.school, "when": each.when},
        )
        for each in body.degrees
    ]
    return paragraphs(
        person.full() + "\n" + body.title,
        body.third,
        prose(posts),
        headed(
            "What the file says about recent work:",
            joined(" ", [line for job in body.jobs[:3] for line in job.bullets[:5]]),
        ),
        prose(studies),
        prose(body.awards),
        headed("In " + first(person) + "'s own words", body.summary),
        told(body.identity),
        told(body.personal),
        writer.fill("{first} can be reached at ")
        + body.email
        + " or "
        + body.phone
        + "; see also "
        + joined(" and ", body.urls)
        + ".",
        writer.fill("Text: {other}. Photograph: {another}."),
    )


def interview(body: Body) -> Marked:
    """Questions and answers, as an employer's magazine prints them."""
    person, writer = body.person, body.writer
    asker = writer.other()
    you, ask = first(person), asker.initialed()
    questions = [
        (", who are you and what do you do?", body.summary),
        ("What happened in your latest job?", told(body.jobs[0].bullets[:6])),
        (
            "And before that?",
            prose([f"I was {body.jobs[1].title} at {body.jobs[1].company}.", told(body.jobs[1].bullets[:6])]),
        ),
        (
            "How did it begin?",
            prose([f"With {body.jobs[-1].company}, {body.jobs[-1].start}.", told(body.jobs[-1].bullets[:5])]),
        ),
        (
            "Where did you study?",
            degrees(body, lambda each: each.school + ", " + each.degree + ", " + each.when, gap="; ") + ".",
        ),
        ("What do you do after work?", told(body.identity)),
        ("Anything people should know about you?", told([*body.personal, *body.awards])),
        ("Whom would you like to thank?", writer.fill("{other}, who hired me, and {mr_other}, who did not fire me.")),
    ]
    asked = []
    for count, (question, answer) in enumerate(questions):
        if answer.text.strip(". "):
            said = you + question if not count else question
            asked.append(stacked(ask + ": " + said, person.initialed() + ": " + answer))
    return paragraphs(
        "FIVE MINUTES WITH " + person.plain().upper(),
        writer.fill("{Mr} {last} joined us as {title} in {month}. ") + asker.plain() + " asked the questions.",
        asked,
        "Write to " + you + ": " + body.email,
    )


def video_transcript(body: Body) -> Marked:
    """Captions of a video application, made by a machine: no capitals, few stops."""
    person, rng = body.person, body.rng
    lines: list[Marked] = [
        "okay so hi my name is " + person.plain() + " and you can call me " + first(person),
        body.summary,
        *[
            line
            for job in body.jobs
            for line in (f"at {job.company} i was {job.title} from {job.start}" + Marked(), *job.bullets[:5])
        ],
        degrees(
            body,
            lambda each: "i went to " + each.school + " that was " + each.degree + " " + each.when,
            gap=" and then ",
        ),
        *body.identity,
        *body.personal,
        *body.awards,
        body.writer.fill("um a big thank you to {other} and to {another} who helped me record this"),
        "you can write to me at "
        + body.email
        + " or call "
        + body.phone
        + " again that is "
        + person.plain()
        + " thanks",
    ]
    said, at = [], 0
    for line in lines:
        said.append(f"[{at // 60:02d}:{at % 60:02d}] " + line.mapped(lambda text: text.lower().replace(", ", " ")))
        at += rng.randrange(4, 13)
    return stacked("transcript (auto-generated) " + as_file(person, ".mp4").mapped(str.lower), said)


def chat_thread(body: Body) -> Marked:
    """An application by messenger."""
    person, writer, rng = body.person, body.writer, body.rng
    clerk = writer.other()
    me, they = person.plain(), clerk.plain()
    turns: list[tuple[Marked, Marked]] = [
        (me, "Hello, I saw your ad for " + body.title + ". My name is " + person.full() + "."),
        (they, "Hi " + first(person) + ", thanks! Tell me a bit about yourself?"),
        (me, body.summary),
        *[(me, told([f"{job.dates}: {job.title} at {job.company}" + Marked(), *job.bullets[:5]])) for job in body.jobs],
        (they, Marked((("And school?", ""),))),
        (me, degrees(body, lambda each: each.degree + " at " + each.school + " " + each.when, gap=", ")),
        *[(me, line) for line in (*body.identity, *body.personal, *body.awards)],
        (they, "Great. Can you mail your papers to my colleague " + writer.other().plain() + "?"),
        (me, "Sure. " + as_file(person, ".pdf") + " is on its way from " + body.email + ". Phone: " + body.phone),
        (they, "See you on Monday then, " + first(person) + ". Ask for me at the desk."),
    ]
    minute, out = rng.randrange(480, 900), []
    for who, text in turns:
        minute += rng.randrange(1, 5)
        out.append(f"[{minute // 60:02d}:{minute % 60:02d}, 12/02/2026] " + who + ": " + text)
    return stacked(out)


def laudatio(body: Body) -> Marked:
    """A nomination: somebody else tells about the person at length."""
    person, writer = body.person, body.writer
    author = writer.other()
    deeds = jobs(body, lambda job: f"As {job.title} at {job.company} ({job.dates}):", "– ", most=4)
    return paragraphs(
        "Nomination of " + person.plain() + " for the staff prize, submitted by " + author.plain(),
        body.third,
        writer.fill(
            "I have known {first} since {year}. {He} is the colleague you call at night, and {he} comes. When {other} "
            "left, {first} took on the work without being asked; I thanked {him}, and {he} shrugged."
        ),
        deeds,
        headed(prose(["About", first(person)]), told(body.identity), told(body.personal), told(body.awards)),
        headed("Studies:", degrees(body, lambda each: each.degree + ", " + each.school + ", " + each.when)),
        headed("From " + first(person) + "'s own page:", body.summary),
        "Contact of the nominee: " + body.email + ", " + body.phone,
        stacked("Signed", author.plain(), writer.fill("seconded by {other} and {other_initialed}")),
    )


PROSE = (programme_note, interview, video_transcript, chat_thread, laudatio)
