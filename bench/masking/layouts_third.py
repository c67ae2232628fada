"""The layouts of the third set. Held out: rules are not written to them."""

from collections.abc import Callable

from masking.body import Body
from masking.frames_third import (
    Text,
    blocks,
    file_name,
    forenames,
    in_lines,
    initials,
    jobs_of,
    listed,
    section,
    studies_of,
    surname,
    wrapped,
)
from masking.layouts_third_more import (
    board_paper,
    credentials,
    dossier,
    lower_case,
    reference_letter,
    signature_mail,
    signed_table,
    testimonials,
    timeline,
    web_page,
)
from masking.marked import Marked, joined, mark, marked


def skills_first(body: Body) -> Marked:
    """Show skills before jobs, which stand at the end without duties."""
    bullets = [bullet for job in body.jobs for bullet in job.bullets]
    half = len(bullets) // 2
    return blocks(
        body.person.full() + "\n" + joined(" · ", (body.town, body.phone, body.email)),
        section("OBJECTIVE", body.summary),
        section(f"KEY STRENGTH: {body.skills[0].upper()}", *listed(tuple(bullets[:half]), "* ")),
        section(f"KEY STRENGTH: {body.skills[1].upper()}", *listed(tuple(bullets[half:]), "* ")),
        section("WORK HISTORY", *(f"{job.title}, {job.company}, {job.dates}" for job in body.jobs)),
        section("EDUCATION", studies_of(body, lambda each: each.degree + " / " + each.school + " / " + each.when)),
        section("VOLUNTEERING", *listed(body.identity, "* ")),
        section("HONORS", *listed(body.awards, "* ")),
        section("MORE", *body.personal, *body.urls),
    )


def european_form(body: Body) -> Marked:
    """Put labels on the left and values after a tab, sections in fixed order."""
    names = section(
        "PERSONAL INFORMATION",
        "First name(s) / Surname(s)\t" + forenames(body.person) + " " + surname(body.person)
        if body.person.family
        else "Name\t" + body.person.plain(),
        "Address\t" + body.address,
        "Telephone\t" + body.phone,
        "E-mail\t" + body.email,
        *("Website\t" + url for url in body.urls),
        "Date of birth\t" + body.birth,
        *body.personal,
    )
    jobs = [
        in_lines(
            f"Dates\t{job.dates}",
            f"Occupation or position held\t{job.title}",
            f"Name of employer\t{job.company}, " + job.place,
            "Main activities and responsibilities\t" + joined(" ", job.bullets),
        )
        for job in body.jobs
    ]
    degrees = [
        in_lines(
            "Dates\t" + each.when,
            f"Title of qualification awarded\t{each.degree}",
            "Name of institution\t" + each.school,
        )
        for each in body.degrees
    ]
    return blocks(
        "CURRICULUM VITAE",
        names,
        section("PERSONAL STATEMENT", body.summary),
        "WORK EXPERIENCE",
        *jobs,
        "EDUCATION AND TRAINING",
        *degrees,
        section("PERSONAL SKILLS", f"Languages\t{body.languages()}", "Job-related skills\t" + "; ".join(body.skills)),
        section("ADDITIONAL INFORMATION", *body.identity, *body.awards, *body.certificates),
    )


def british_cv(body: Body) -> Marked:
    """Give a personal profile first and referees last."""
    return blocks(
        "Curriculum Vitae of " + body.person.plain(),
        in_lines(body.address, "Tel: " + body.phone + "    Email: " + body.email),
        section("Personal profile", body.summary),
        section(
            "Education and qualifications",
            studies_of(body, lambda each: each.when + "   " + each.school + "   " + each.degree),
        ),
        section(
            "Employment", jobs_of(body, lambda job: f"{job.dates}   {job.title}, {job.company}, " + job.place, "– ")
        ),
        section("Interests and activities", ", ".join(body.hobbies) + ".", *body.identity),
        section("Achievements", *body.awards, *body.certificates),
        section("Other information", *body.personal),
        section("Referees", *body.references()),
    )


def tradesperson(body: Body) -> Marked:
    """Be brief on oneself; tickets and references by telephone."""
    return blocks(
        in_lines(mark("NAME", body.person.name.upper()), body.title.upper(), "Ph. " + body.phone + " / " + body.email),
        section("About me:", body.summary, *body.personal),
        section("Tickets & licences:", *listed(body.certificates, "+ "), "+ Own van, own tools"),
        section("Where I've worked:", jobs_of(body, lambda job: f"{job.company} - {job.title} - {job.dates}", "+ ")),
        section(
            "School & training:",
            studies_of(body, lambda each: "+ " + each.degree + ", " + each.school + " " + each.when),
        ),
        section("Outside work:", *listed(body.identity, "+ "), *listed(body.awards, "+ ")),
        section("Ring these people:", *listed(tuple(body.references(3)), "+ ")),
    )


def student(body: Body) -> Marked:
    """Put studies on top, with marks and activities."""
    degrees = studies_of(
        body,
        lambda each: in_lines(
            each.school + " | " + each.when,
            f"{each.degree}; GPA {body.rng.choice(('3.6/4.0', '3.81', '8.2/10', '2:1'))}",
        ),
    )
    return blocks(
        in_lines(body.person.full(), joined(" | ", (body.email, body.phone, body.town, *body.urls))),
        section("EDUCATION", degrees),
        section("SUMMARY", body.summary),
        section(
            "EXPERIENCE", jobs_of(body, lambda job: f"{job.title} ({job.dates})\n{job.company} | " + job.place, "◦ ")
        ),
        section("LEADERSHIP AND ACTIVITIES", *listed(body.identity, "◦ ")),
        section("HONORS & AWARDS", *listed(body.awards, "◦ "), *listed(body.certificates, "◦ ")),
        section("PERSONAL", *body.personal, "Interests: " + ", ".join(body.hobbies)),
        section("SKILLS", ", ".join(body.skills)),
    )


def career_change(body: Body) -> Marked:
    """Tell a life in paragraphs, in the first person."""
    writer = body.writer
    told = [
        f"From {job.start} to {job.end} I was {job.title} at {job.company} in "
        + job.place
        + ". "
        + joined(" ", job.bullets)
        for job in body.jobs
    ]
    return blocks(
        "Hello, I am " + body.person.plain() + ".",
        body.summary,
        *[
            joined(" ", [writer.fill(line), told_])
            for line, told_ in zip(writer.rng.sample(writer.prose.LETTER, 2), told, strict=False)
        ],
        *told[2:],
        joined(" ", body.identity + body.awards),
        "I studied: "
        + studies_of(body, lambda each: each.degree + " at " + each.school + ", " + each.when, "; ")
        + ".",
        joined(" ", body.personal),
        "Write to " + body.email + " or call " + body.phone + ". I live at " + body.address + ".",
        body.person.full(),
    )


def pdf_lines(body: Body) -> Marked:
    """Break lines anywhere and repeat the name on every page."""
    pages = len(body.jobs)
    parts = []
    for number, job in enumerate(body.jobs, start=1):
        text = f"{job.title}, {job.company}, " + job.place + f" {job.dates} ● " + joined(" ● ", job.bullets)
        parts.append(wrapped(text, 68))
        parts.append(in_lines(initials(body.person), f"Page {number} of {pages}"))
    studies = studies_of(body, lambda each: each.degree + ", " + each.school + ", " + each.when, "; ")
    rest = ["Education: " + studies, *body.identity, *body.awards, *body.personal]
    return blocks(
        body.person.inverted_caps(),
        joined(" ● ", (body.email, body.phone, *body.urls)),
        wrapped("Profile  " + body.summary, 68),
        *parts,
        *(wrapped(line, 68) for line in rest),
        file_name(body.person, "_CV_final.pdf"),
    )


def portal_form(body: Body) -> Marked:
    """Repeat the questions of an employer's web form."""
    person, writer = body.person, body.writer
    answers: list[tuple[str, Text]] = [
        ("Legal first name", forenames(person) if person.family else person.plain()),
        ("Legal last name", surname(person) if person.family else "n/a"),
        ("Preferred name", mark("NAME", person.nick) if person.nick else "same"),
        ("Email", body.email),
        ("Mobile", body.phone),
        ("Street address", body.address),
        ("Website or profile", body.urls[0]),
        ("Date of birth", body.birth),
        ("In your own words: who are you?", body.summary),
        ("Why this post?", joined(" ", [writer.fill(each) for each in writer.rng.sample(writer.prose.LETTER, 2)])),
        ("Voluntary self-description", joined(" ", body.personal) if body.personal else "I do not wish to answer"),
        ("Community or volunteer work", joined(" ", body.identity) if body.identity else "None"),
        ("Awards", joined(" ", body.awards) if body.awards else "None"),
    ]
    return blocks(
        "Application submitted. Reference R-" + str(body.rng.randrange(10000, 99999)),
        *(f"{question}\n    " + marked(answer) for question, answer in answers),
        jobs_of(
            body, lambda job: f"Employer: {job.company}\nJob title: {job.title}\nFrom/To: {job.dates}\nDuties:", "    "
        ),
        studies_of(
            body,
            lambda each: "School: " + each.school + f"\nDegree: {each.degree}\nYears attended: " + each.when,
            "\n\n",
        ),
        "Signed electronically: " + person.plain(),
    )


def agency_profile(body: Body) -> Marked:
    """Let a recruiter speak about the candidate."""
    consultant = body.writer.other()
    return blocks(
        in_lines("CANDIDATE PROFILE", "Candidate: " + body.person.inverted(), "Consultant: " + consultant.plain()),
        in_lines(
            "Availability: four weeks",
            "Based in: " + body.town,
            "Contact (not for clients): " + body.email + ", " + body.phone,
        ),
        section("Our view", body.third),
        section("In the candidate's words", body.summary),
        section("Career", jobs_of(body, lambda job: f"{job.dates}: {job.title}, {job.company}", "  > ")),
        section("Qualifications", studies_of(body, lambda each: each.when + ": " + each.degree + ", " + each.school)),
        section("Notes from the interview", *body.personal, *body.identity, *body.awards),
        section("References taken", *body.references()),
    )


LAYOUTS: dict[str, Callable[[Body], Marked]] = {
    each.__name__: each
    for each in (
        skills_first,
        european_form,
        british_cv,
        tradesperson,
        student,
        career_change,
        pdf_lines,
        portal_form,
        agency_profile,
        reference_letter,
        credentials,
        board_paper,
        timeline,
        web_page,
        signature_mail,
        lower_case,
        dossier,
        testimonials,
        signed_table,
    )
}
