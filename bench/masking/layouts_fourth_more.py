"""Layouts of the fourth set: letters, mails, files and forms with running text."""

from masking.body import Body
from masking.frames_fourth import (
    as_file,
    degrees,
    first,
    headed,
    in_columns,
    items,
    jobs,
    last,
    paragraphs,
    prefixed,
    prose,
    shouting,
    stacked,
    title,
    told,
)
from masking.marked import Marked, joined, mark


def letter_and_cv(body: Body) -> Marked:
    """A cover letter, a page break, a résumé."""
    person, writer, rng = body.person, body.writer, body.rng
    sent, reader = rng.sample(writer.prose.LETTER, 5), writer.other()
    letter = paragraphs(
        stacked(person.plain(), body.address, body.phone, body.email),
        stacked("3 February 2026", reader.plain(), writer.fill("Head of Recruitment, {company}")),
        prose(["Dear", title(reader), last(reader) + ","]),
        writer.fill(" ".join(sent[:3])),
        prose([body.summary, writer.fill(sent[3])]),
        told(body.personal),
        writer.fill(sent[4]),
        stacked("Yours sincerely,", "", person.plain()),
        "Enc.: " + as_file(person, "_CV.pdf"),
    )
    sheet = paragraphs(
        "\f" + shouting(person) + "\n" + body.title,
        headed("History", jobs(body, lambda job: f"{job.start}-{job.end} {job.title}, {job.company}", " - ", most=5)),
        headed("Training", degrees(body, lambda each: each.when + ": " + each.degree + ", " + each.school)),
        headed("Community and interests", items(" - ", [*body.identity, *body.awards])),
        "Skills: " + ", ".join(body.skills),
        prose([last(person) + ", page 2 of 2"]),
    )
    return paragraphs(letter, sheet)


def academic_vita(body: Body) -> Marked:
    """A scholar's vita with publications."""
    person, writer = body.person, body.writer
    return paragraphs(
        stacked(
            "Vita: " + person.inverted(),
            "Office: " + body.town,
            body.email + ", " + body.phone,
            body.urls,
        ),
        headed("Academic degrees", degrees(body, lambda each: each.when + "  " + each.degree + ", " + each.school)),
        headed("Research statement", body.summary),
        headed("Appointments", jobs(body, lambda job: f"{job.dates}  {job.title}, {job.company}", "    ", most=3)),
        headed(
            "Refereed papers (own name in the list)", [f"[{n}] " + p for n, p in enumerate(body.publications(5), 1)]
        ),
        headed(
            "Doctoral students",
            writer.fill("{other} ({year}), {another} (with {mr_other}), {other}"),
        ),
        headed("Invited talks", writer.fill("Host: {other}, {month} {year}; panel with {another} and {other_first}")),
        headed("Service", items("- ", body.identity)),
        headed("Prizes", items("- ", body.awards)),
        headed("Personal", "Born " + body.birth, body.personal, "Languages: " + body.languages()),
        "[last changed 2026-01-30, " + person.cited() + "]",
    )


def quoted_reply(body: Body) -> Marked:
    """A mail with the application quoted below."""
    person, writer = body.person, body.writer
    clerk = writer.other()
    application = paragraphs(
        writer.fill("Dear team,"),
        body.summary,
        writer.fill(writer.fresh(writer.prose.LETTER[4:])),
        headed(
            "In short:",
            jobs(body, lambda job: f"* {job.title}, {job.company}, {job.dates}", "  - ", gap="\n", most=4),
        ),
        headed("Studies:", degrees(body, lambda each: "* " + each.degree + ", " + each.school + " " + each.when)),
        headed("Besides work:", items("* ", [*body.identity, *body.awards])),
        told(body.personal),
        stacked("Kind regards", first(person), "--", person.full(), body.title, body.phone, body.email, body.urls),
    )
    return paragraphs(
        stacked(
            "From: " + clerk.plain() + " <" + mark("EMAIL", f"{clerk.slug('.')}@example.org") + ">",
            "To: " + person.plain() + " <" + body.email + ">",
            "Subject: Re: Application, " + body.title + " (" + person.initialed() + ")",
        ),
        prose(["Dear", title(person), last(person) + ","]),
        "thank you for your mail. "
        + writer.fill("{other} and I would like to meet you on the 9th. ")
        + "Could you bring your certificates, "
        + first(person)
        + "?",
        stacked("Best", mark("NAME", clerk.given)),
        "On Tue, 3 Feb 2026 at 21:14, " + person.plain() + " <" + body.email + "> wrote:",
        prefixed("> ", in_columns(application, 72)),
    )


def shortlist_note(body: Body) -> Marked:
    """An agency's note on a candidate without a name, who is named all the same."""
    person, writer = body.person, body.writer
    return paragraphs(
        stacked(
            "CONFIDENTIAL - CANDIDATE SUMMARY",
            f"Candidate ref.: C-{body.rng.randrange(1000, 9999)} (name withheld)",
            "Target role: " + body.title,
            "Based: " + body.town,
            "Consultant: " + writer.other().plain(),
        ),
        headed("Why this candidate", body.third),
        headed(
            "Consultant's impression",
            writer.fill(
                "I met {first} in {month}. {He} came across as calm and well prepared. {Mr} {last} would need "
                "{k} weeks' notice; {he} is also talking to {company}."
            ),
            body.summary,
        ),
        headed(
            "Career",
            jobs(body, lambda job: f"{job.start} / {job.end}: {job.title} with {job.company}", "o ", most=5),
        ),
        headed("Studies", degrees(body, lambda each: each.degree + ", " + each.school + " (" + each.when + ")")),
        headed("Checked with", body.references(2)),
        headed("Further", body.identity, body.awards),
        headed("Particulars from the questionnaire", body.personal),
        "To see " + first(person) + " in person, call us. Original: " + as_file(person, ".docx"),
    )


def service_record(body: Body) -> Marked:
    """An application to a federal office, with service and hours per week."""
    person, writer, rng = body.person, body.writer, body.rng
    spell = rng.choice(("Army", "Navy", "Coast Guard", "Air Force", "Marine Corps"))
    return paragraphs(
        stacked(
            person.inverted() if rng.random() < 0.5 else person.plain(),
            body.address,
            "Day/Evening phone: " + body.phone,
            "Email: " + body.email,
            "Announcement: 26-" + f"{rng.randrange(10**4, 10**5)}-DE, GS-0{rng.randrange(5, 10)}",
            "Veterans' preference: " + rng.choice(("none", "5 points", "10 points")),
            body.personal,
        ),
        headed("SUMMARY OF QUALIFICATIONS", body.summary),
        headed(
            "WORK EXPERIENCE",
            jobs(
                body,
                lambda job: (
                    f"{job.title.upper()}",
                    f"{job.company}, " + job.place,
                    f"{job.start} - {job.end}; hours per week: 40",
                    "Supervisor: " + writer.other().plain() + " (" + body.writer.pick(("may", "may not")) + " contact)",
                ),
                "- ",
                most=5,
            ),
        ),
        headed(
            "UNIFORMED SERVICE",
            f"U.S. {spell}, {rng.randrange(1995, 2008)} to {rng.randrange(2008, 2014)}; honorable discharge",
        ),
        headed("EDUCATION", degrees(body, lambda each: each.school + "; " + each.degree + "; " + each.when)),
        headed("AWARDS", items("- ", body.awards)),
        headed("COMMUNITY", items("- ", body.identity)),
        headed("CERTIFICATES AND CLEARANCE", body.certificates),
        "I certify that the above is correct. /s/ " + person.plain(),
    )


def competency_form(body: Body) -> Marked:
    """A public service's form: statements on behaviours."""
    person, writer = body.person, body.writer
    texts = [
        prose(["Situation and task:", told(job.bullets[:3]), "Action:", told(job.bullets[3:6])])
        for job in body.jobs[:3]
    ]
    behaviours = ("Delivering at pace", "Working together", "Managing a quality service")
    return paragraphs(
        stacked(
            "APPLICATION FORM - PART A (removed before sifting)",
            "1. Surname: " + last(person),
            "2. Forename(s): " + mark("NAME", " ".join(p for p in (person.given, person.middle) if p and person.family))
            if person.family
            else "1. Name: " + person.plain(),
            "3. Title: " + title(person),
            "4. Address: " + body.address,
            "5. Telephone: " + body.phone,
            "6. E-mail: " + body.email,
        ),
        stacked("PART B", "Statement of suitability", body.summary),
        [stacked(f"Behaviour: {name}", text) for name, text in zip(behaviours, texts, strict=False)],
        headed("Employment", [f"{job.dates}  {job.title}, {job.company}" for job in body.jobs]),
        headed("Qualifications", degrees(body, lambda each: each.degree + " - " + each.school + " - " + each.when)),
        headed("Anything that supports your application", body.identity, body.awards),
        headed("PART C - Diversity monitoring (optional)", body.personal),
        writer.fill("Declaration: I, {full}, confirm that this is my own work. Countersigned by {mr_other}."),
    )


def showreel(body: Body) -> Marked:
    """A creative's page: credits, clients, a statement."""
    person, writer = body.person, body.writer
    credit = (
        "Lighting: {other}. Sound: {another}.",
        "with {other}",
        "dir. {other}, prod. {another}",
        "cover photo by {other}",
    )
    works = [
        f"{job.end}  "
        + job.bullets[0].mapped(lambda text: text.rstrip("."))
        + " / "
        + job.company
        + " / "
        + writer.fill(writer.pick(credit))
        for job in body.jobs
    ]
    return paragraphs(
        stacked(person.spaced(), body.title.lower() + " + maker of things"),
        joined("  ~  ", [*body.urls, body.email, body.phone]),
        headed("STATEMENT", body.summary, body.third),
        headed("SELECTED WORK", works),
        headed("DAY JOBS", jobs(body, lambda job: f"[{job.dates}] {job.company}, {job.title}", "/ ", most=4)),
        headed("TRAINED AT", degrees(body, lambda each: each.school + " (" + each.degree + ") " + each.when)),
        headed("PRIZES & RESIDENCIES", items("/ ", body.awards)),
        headed("COLLECTIVES", items("/ ", body.identity)),
        headed("FACTS", joined(" / ", body.personal)),
        "All images © " + person.plain() + ". Represented by " + writer.other().plain() + ".",
    )


MORE = (letter_and_cv, academic_vita, quoted_reply, shortlist_note, service_record, competency_form, showreel)
