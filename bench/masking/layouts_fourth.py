"""Layouts of the fourth set: documents laid out in parts. The rest is in `layouts_fourth_more` and `_prose`."""

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
    ligatures,
    paragraphs,
    prose,
    shouting,
    side_by_side,
    stacked,
    title,
)
from masking.layouts_fourth_more import MORE
from masking.layouts_fourth_prose import PROSE
from masking.marked import Marked, fill, joined, mark, marked


def small_letters(body: Body) -> Marked:
    """A plain page typed without any capital."""
    text = paragraphs(
        stacked(body.person.full(), prose([body.town, "/", body.email, "/", body.phone]), joined("  ", body.urls)),
        headed("about", body.summary),
        headed("work", jobs(body, lambda job: f"{job.company}, {job.title}, {job.dates}", "* ", most=6)),
        headed("school", degrees(body, lambda each: each.degree + " @ " + each.school + ", " + each.when)),
        headed("other things", items("* ", [*body.identity, *body.personal, *body.awards])),
        headed("tools", ", ".join(body.skills)),
        headed("people to ask", body.references(2)),
    )
    return text.mapped(str.lower)


def shouted(body: Body) -> Marked:
    """Everything in capitals, as some offices still type it."""
    person = body.person
    text = paragraphs(
        stacked(
            "CURRICULUM VITAE OF " + person.plain(),
            "ADDRESS: " + body.address,
            "CELL: " + body.phone + "   E-MAIL: " + body.email,
            "DATE OF BIRTH: " + body.birth,
            body.personal,
        ),
        headed("OBJECTIVE:", body.summary),
        headed("EMPLOYMENT RECORD:", jobs(body, lambda job: f"{job.dates}: {job.title} - {job.company}", "", most=5)),
        headed(
            "EDUCATIONAL BACKGROUND:",
            degrees(body, lambda each: each.school + ", " + each.degree + ", " + each.when),
        ),
        headed("SPECIAL SKILLS:", ", ".join(body.skills)),
        headed("AFFILIATIONS AND HONOURS:", items("- ", [*body.identity, *body.awards])),
        headed("CHARACTER REFERENCES:", body.references(2)),
        "I HEREBY CERTIFY THAT THE ABOVE IS TRUE AND CORRECT.\n" + person.plain(),
    )
    return text.upper()


def _sidebar(body: Body) -> Marked:
    return paragraphs(
        headed("CONTACT", body.phone, body.email, body.urls, body.address),
        headed("SKILLS", body.skills),
        headed("EDUCATION", degrees(body, lambda each: stacked(each.degree, each.school, each.when), gap="\n")),
        headed("LANGUAGES", body.languages().split(", ")),
        headed("PERSONAL", "DOB: " + body.birth, body.personal),
        headed("INTERESTS", ", ".join(body.hobbies)),
        headed("AWARDS", body.awards),
    )


def column_lines(body: Body) -> Marked:
    """Text out of a page with two columns: first one, then the other, lines broken anywhere."""
    main = paragraphs(
        stacked(body.person.plain(), body.title),
        headed("Profile", body.summary),
        headed(
            "Professional experience",
            jobs(body, lambda job: stacked(f"{job.title}", job.company + ", " + job.place + f"  {job.dates}"), "• "),
        ),
        headed("Volunteering", items("• ", body.identity)),
        headed("Referees", body.references(2)),
    )
    return ligatures(paragraphs(in_columns(_sidebar(body), 30), in_columns(main, 52)))


def facing_columns(body: Body) -> Marked:
    """Two columns beside each other, as a reader of pages that keeps the layout gives them."""
    left = in_columns(_sidebar(body), 34)
    right = paragraphs(
        headed("SUMMARY", body.summary),
        headed("EXPERIENCE", jobs(body, lambda job: (job.title, f"{job.company} | {job.dates}"), "- ", most=5)),
        headed("COMMUNITY", items("- ", body.identity)),
    )
    head = stacked("        " + body.person.spaced(), "        " + body.title)
    return paragraphs(head, side_by_side(left, in_columns(right, 60), 42))


def applicant_portal(body: Body) -> Marked:
    """Labels and values as a hiring portal prints an application."""
    person, rng = body.person, body.rng
    names = (
        [("Legal first name", mark("NAME", person.given)), ("Legal last name", last(person))]
        if person.family
        else [("Full name", person.plain())]
    )
    pairs = [
        ("Requisition", f"R-{rng.randrange(10**5, 10**6)} {body.title}"),
        *names,
        ("Middle name", mark("NAME", person.middle) if person.middle else "n/a"),
        ("Preferred name", mark("NAME", person.nick) if person.nick else first(person)),
        ("E-mail", body.email),
        ("Phone (mobile)", body.phone),
        ("Home address", body.address),
        ("Website(s)", joined("; ", body.urls)),
        ("Résumé file", as_file(person, rng.choice((" Resume.pdf", "_CV_2026.docx", "-resume-final (2).pdf")))),
        ("Source", rng.choice(("Job board", "Employee referral", "Careers site"))),
    ]
    history = []
    for count, job in enumerate(body.jobs, start=1):
        history.append(
            stacked(
                f"Work experience {count}",
                f"Job title: {job.title}",
                f"Company: {job.company}",
                "Location: " + job.place,
                f"From: {job.start}   To: {job.end}",
                "Role description: " + prose(job.bullets[:5]),
            )
        )
    schools = [
        stacked("School or university: " + each.school, "Degree: " + each.degree, "Years: " + each.when)
        for each in body.degrees
    ]
    return paragraphs(
        stacked("APPLICATION SUMMARY", [f"{label}: " + marked(value) for label, value in pairs]),
        "Tell us about yourself:\n" + body.summary,
        history,
        schools,
        "Skills: " + "; ".join(body.skills),
        headed("Voluntary self-identification", body.personal),
        headed("Is there anything else that you would like us to know?", body.identity, body.awards),
        "Electronic signature: " + person.plain() + "   Date: 03/02/2026",
    )


def network_export(body: Body) -> Marked:
    """A profile saved as a document by a professional network."""
    side = paragraphs(
        headed("Contact", body.phone + " (Mobile)", body.email, [url + " (Profile)" for url in body.urls]),
        headed("Top Skills", body.skills[:3]),
        headed("Languages", body.languages().replace(" (", " (Proficiency: ").split(", ")),
        headed("Certifications", body.certificates),
        headed("Honors-Awards", body.awards),
    )
    told = []
    for job in body.jobs:
        told.append(stacked(job.company, job.title, f"{job.dates} ({body.rng.randrange(1, 5)} years)", job.place))
        told.append(stacked(job.bullets[:6]))
    studies = degrees(body, lambda each: stacked(each.school, each.degree + " · " + each.when), gap="\n")
    return paragraphs(
        side,
        stacked(body.person.full(), f"{body.title} at {body.jobs[0].company}", body.town),
        headed("Summary", body.summary, body.personal),
        "Experience",
        told[:4],
        "                    Page 1 of 2",
        told[4:],
        headed("Education", studies),
        headed("Volunteer Experience", body.identity),
        headed("Recommendations", body.writer.fill('"{He} is a pleasure to work with." - {other}, {title}')),
        "                    Page 2 of 2",
    )


def markdown_grid(body: Body) -> Marked:
    """Tables in Markdown."""
    person = body.person
    rows = [
        "| | |",
        "|:--|:--|",
        "| **Name** | " + shouting(person) + " |",
        "| **Role** | " + body.title + " |",
        "| **Mail** | <" + body.email + "> |",
        "| **Tel.** | `" + body.phone + "` |",
        "| **Web** | " + joined("<br>", [mark_link(url) for url in body.urls]) + " |",
        "| **Born** | " + body.birth + " |",
    ]
    rows += ["| **About me** | " + line + " |" for line in body.personal]
    work = [
        f"| {job.dates} | **{job.title}**, {job.company} | " + joined("<br>", job.bullets[:5]) + " |"
        for job in body.jobs
    ]
    studies = ["| " + each.when + " | " + each.degree + " | *" + each.school + "* |" for each in body.degrees]
    return paragraphs(
        "# " + person.plain(),
        stacked(rows),
        "> " + body.summary,
        stacked("## Work", "| When | What | Did |", "|---|---|---|", work),
        stacked("## Studies", "| When | What | Where |", "|---|---|---|", studies),
        headed("## Community", items("* ", body.identity)),
        headed("## Prizes", items("* ", body.awards)),
        stacked("## Referees", "| Who |", "|---|", ["| " + each + " |" for each in body.references(2)]),
    )


def mark_link(url: Marked) -> Marked:
    """Return an address as a Markdown link to itself."""
    return "<" + url + ">"


def bar_separated(body: Body) -> Marked:
    """A page squeezed to fit: everything in a row with bars and semicolons."""
    person = body.person
    work = [
        prose([f"{job.dates} | {job.title} | {job.company} |", joined(" ; ", job.bullets[:6])]) for job in body.jobs
    ]
    head = joined(" | ", [person.plain(), body.title, body.town, body.phone, body.email, *body.urls])
    return paragraphs(
        head,
        body.summary,
        stacked(work),
        "EDU | " + degrees(body, lambda each: each.school + " | " + each.degree + " | " + each.when, gap=" || "),
        headed("ALSO", joined(" | ", [*body.identity, *body.awards])),
        headed("ME", joined(" | ", ["born " + body.birth, *body.personal])),
        "REFS | " + joined(" | ", body.references(2)),
        as_file(person, "_onepager_v7.pdf") + " | printed 14 Feb 2026",
    )


def front_matter(body: Body) -> Marked:
    """A page of a personal site: a head of keys, then text."""
    person = body.person
    head = stacked(
        "---",
        'title: "' + person.plain() + ' – CV"',
        "author: " + person.plain(),
        "email: " + body.email,
        ["link: " + url for url in body.urls],
        "tags: [" + ", ".join(body.skills[:5]) + "]",
        "slug: /" + mark("NAME", person.slug("-")) + "/cv",
        "---",
    )
    return paragraphs(
        head,
        "Hi, I'm " + first(person) + ". " + body.summary,
        headed("### Now and before", jobs(body, lambda job: f"**{job.company}** — {job.title} ({job.dates})", "+ ")),
        headed("### Studied", degrees(body, lambda each: "+ " + each.degree + ", " + each.school + ", " + each.when)),
        headed("### Elsewhere", items("+ ", [*body.identity, *body.awards])),
        headed("### Small print", body.personal),
        "© 2026 " + person.plain() + ". Written in plain text.",
    )


def trade_card(body: Body) -> Marked:
    """A tradesperson's sheet for a site office."""
    person = body.person
    tickets = ("Own tools and van", "Clean licence", "Available from Monday", *body.skills[:5])
    return paragraphs(
        stacked(shouting(person) + " - " + body.title.upper(), "Ring " + first(person) + " on " + body.phone),
        stacked("Lives: " + body.address, "Mail: " + body.email, "DOB " + body.birth),
        body.summary,
        headed("TICKETS & KIT", items("> ", [*tickets, *body.certificates])),
        headed("JOBS", jobs(body, lambda job: (f"{job.company} ({job.dates})", f"as {job.title}"), "  .. ", gap="\n")),
        headed("SCHOOLING", degrees(body, lambda each: each.school + ": " + each.degree + " - " + each.when)),
        headed("ABOUT ME", body.personal),
        headed("SPARE TIME", body.identity, body.awards),
        headed("WILL VOUCH FOR ME", body.references(3)),
    )


def campus_page(body: Body) -> Marked:
    """A student's page: studies first, societies, part-time work."""
    person = body.person
    found = body.degrees[0]
    return paragraphs(
        stacked(person.plain(), prose([body.email, "|", body.phone, "|", *body.urls])),
        headed(
            "EDUCATION",
            found.school + "\t" + found.when,
            found.degree + fill("; GPA 3.{k}", {"k": str(body.rng.randrange(1, 9))}),
            "Relevant coursework: statistics, public speaking, materials, introduction to law",
            [each.school + ", " + each.degree + "\t" + each.when for each in body.degrees[1:]],
        ),
        headed("PROFILE", body.summary),
        headed(
            "EXPERIENCE",
            jobs(body, lambda job: stacked(f"{job.company}\t{job.dates}", job.title + ", " + job.place), "- ", most=5),
        ),
        headed("SOCIETIES & SERVICE", items("- ", body.identity)),
        headed("HONORS", items("- ", body.awards)),
        headed("ADDITIONAL", body.personal, "Languages: " + body.languages(), "Hobbies: " + ", ".join(body.hobbies)),
        headed("FACULTY REFERENCES", body.references(2)),
    )


def ward_file(body: Body) -> Marked:
    """A hospital's staff file: name with registration, posts, appraisals."""
    person, writer = body.person, body.writer
    return paragraphs(
        stacked(
            "STAFF FILE - " + person.inverted_caps(),
            prose(["Title and name:", title(person), person.plain()]) + ", DipHE, PGCert",
            f"Registration no.: RA{body.rng.randrange(10**4, 10**5)}",
            "Private address: " + body.address,
            "Contact: " + body.phone + " / " + body.email,
            "Date of birth: " + body.birth,
            body.personal,
        ),
        headed("Statement", body.summary),
        headed("Posts held", jobs(body, lambda job: f"{job.start} to {job.end}, {job.company}: {job.title}", "   ")),
        headed(
            "Appraisal",
            writer.fill("Appraiser: {other}. {Mr} {last} met all targets; {he} is asked to share {his} methods."),
        ),
        headed("Training", degrees(body, lambda each: each.degree + " (" + each.school + ") " + each.when)),
        headed("Courses", body.certificates),
        headed("Other activity", body.identity, body.awards),
        headed("Next of kin", writer.fill("{other}")),
    )


LAYOUTS = {
    each.__name__: each
    for each in (
        small_letters,
        shouted,
        column_lines,
        facing_columns,
        applicant_portal,
        network_export,
        markdown_grid,
        bar_separated,
        front_matter,
        trade_card,
        campus_page,
        ward_file,
        *MORE,
        *PROSE,
    )
}
