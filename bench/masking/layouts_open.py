"""Twelve layouts of the open set."""

from masking.body import Body
from masking.marked import Marked, joined, mark, marked


def _jobs(body: Body, sign: str = "- ", between: str = "\n") -> list[Marked]:
    jobs = []
    for job in body.jobs:
        head = joined(", ", [job.title, job.company, job.place]) + between + job.dates
        jobs.append(joined("\n", [head, *(sign + bullet for bullet in job.bullets)]))
    return jobs


def _degrees(body: Body, style: int = 0) -> list[Marked]:
    return [
        (
            marked(each.degree) + ", " + each.school + ", " + each.start + " – " + each.year,
            each.school + "\n" + each.degree + "\nGraduated " + mark("?", "May") + " " + each.year,
            marked(each.degree) + " | " + each.school + " | Class of " + each.year,
        )[style]
        for each in body.degrees
    ]


def _section(title: str, *lines: "Marked | str") -> Marked:
    return joined("\n", [title, *lines]) if lines else Marked()


def _document(*blocks: "Marked | str") -> Marked:
    return joined("\n\n", [block for block in map(marked, blocks) if block.pieces])


def centred(body: Body) -> Marked:
    """The name centred, one contact line with pipes."""
    contact = joined(" | ", [body.address, body.phone, body.email, *body.urls])
    return _document(
        " " * 30 + body.person.full() + "\n" + " " * 10 + contact,
        _section("Summary", body.summary),
        _section("Experience", *_jobs(body)),
        _section("Education", *_degrees(body)),
        _section("Skills", ", ".join(body.skills), "Languages: " + body.languages()),
        _section("Volunteering and memberships", *("- " + line for line in body.identity)),
        _section("Certifications", *body.certificates) if body.certificates else "",
    )


def capitals(body: Body) -> Marked:
    """Everything that is a heading in capitals, the name too; contact lines with labels."""
    lines = ["Address: " + body.address, "Phone: " + body.phone, "Email: " + body.email]
    return _document(
        body.person.plain().upper() + "\n" + body.title.upper(),
        joined("\n", [*lines, *("Web: " + url for url in body.urls)]),
        _section("PROFESSIONAL SUMMARY", body.summary + " " + body.third),
        _section("WORK HISTORY", *(job.upper() if not count else job for count, job in enumerate(_jobs(body, "* ")))),
        _section("EDUCATION", *_degrees(body, 1)),
        _section("ADDITIONAL INFORMATION", *body.identity),
        _section("REFERENCES", *body.references()),
    )


def letter_spaced(body: Body) -> Marked:
    """A designer's heading: letters with blanks between; bullets as separators."""
    return _document(
        body.person.spaced(),
        joined(" • ", [body.title, body.town, body.phone, body.email, *body.urls]),
        _section("P R O F I L E", body.third),
        _section("E X P E R I E N C E", *_jobs(body, "• ")),
        _section("E D U C A T I O N", *_degrees(body, 2)),
        _section("E N G A G E M E N T", *("• " + line for line in body.identity)),
        _section("I N T E R E S T S", ", ".join(body.hobbies)),
    )


def labelled(body: Body) -> Marked:
    """A form: every field has its label."""
    form = [
        "Name: " + body.person.full(),
        "Position applied for: " + marked(body.title),
        "Home address: " + body.address,
        "Mobile: " + body.phone,
        "E-mail: " + body.email,
        *("Website: " + url for url in body.urls),
        "Date of birth: " + body.birth,
        "Languages: " + marked(body.languages()),
    ]
    return _document(
        "CURRICULUM VITAE",
        joined("\n", form),
        _section("Career objective", body.summary),
        _section("Employment", *_jobs(body)),
        _section("Qualifications", *_degrees(body)),
        _section("Other information", *body.identity),
        _section("Hobbies", ", ".join(body.hobbies)),
        "I declare that the above is true to the best of my knowledge.\n" + body.person.plain(),
    )


def inverted(body: Body) -> Marked:
    """A database's export: 'Last, First' on top, the name again on the second page."""
    first = _document(
        body.person.inverted() + "\n" + body.email + "\n" + body.phone,
        _section("Objective", body.summary),
        _section("Positions held", *_jobs(body, "")),
    )
    second = _document(
        body.person.inverted() + " - page 2",
        _section("Degrees", *_degrees(body, 2)),
        _section("Skills", *body.skills),
        _section("Affiliations", *body.identity),
        _section("Online", *body.urls),
    )
    return first + "\n\n\f" + second


def markdown(body: Body) -> Marked:
    """Markdown, as in a repository."""
    links = joined("  \n", ["**Email:** <" + body.email + ">", *("[web](" + url + ")" for url in body.urls)])
    return _document(
        "# " + body.person.full(),
        "*" + marked(body.title) + "*, " + body.town,
        links,
        "## About\n\n" + body.third,
        "## Experience\n\n" + joined("\n\n", ["### " + job for job in _jobs(body, "* ", "\n\n")]),
        "## Education\n\n" + joined("\n", ["* " + line for line in _degrees(body)]),
        "## Stack\n\n" + ", ".join(f"`{skill}`" for skill in body.skills),
        "## Community\n\n" + joined("\n", ["* " + line for line in body.identity]) if body.identity else "",
    )


def contact_at_the_bottom(body: Body) -> Marked:
    """Work first; who it is and how to reach them last."""
    return _document(
        body.title.upper() + " - " + ", ".join(body.skills[:3]),
        _section("Profile", body.summary),
        _section("What I did", *_jobs(body)),
        _section("Where I studied", *_degrees(body)),
        _section("Besides work", *body.identity, "Likes " + " and ".join(body.hobbies[:2]) + "."),
        _section("Contact", body.person.full(), body.address, body.phone, body.email, *body.urls),
    )


def cover_letter(body: Body) -> Marked:
    """A letter with a sign-off, then a short résumé."""
    writer = body.writer
    other = writer.other()
    letter = [writer.fill(text) for text in writer.prose.LETTER]
    return _document(
        body.person.plain() + "\n" + body.address + "\n" + body.email,
        "Dear " + writer.title_of(other) + " " + mark("NAME", other.last) + ",",
        *letter,
        *(joined(" ", job.bullets) for job in body.jobs),
        _section("In short:", *body.identity) if body.identity else "",
        "Kind regards,\n\n" + body.person.full() + "\n" + body.phone,
        _section("Enclosed: education", *_degrees(body, 1)),
    )


def personal_details(body: Body) -> Marked:
    """A German or Europass habit: a block of personal details with a photo line."""
    writer = body.writer
    details = [
        "[Photo]",
        "First name(s) / Surname(s): " + body.person.full(),
        "Address: " + body.address,
        "Telephone: " + body.phone,
        "E-mail: " + body.email,
        "Nationality: " + writer.slot("nat"),
        "Date of birth: " + body.birth,
        "Gender: " + mark("GENDER", "Male" if body.person.gender == "m" else "Female"),
        "Marital status: " + writer.slot("marital"),
    ]
    return _document(
        "Curriculum vitae",
        _section("PERSONAL INFORMATION", *details),
        _section("WORK EXPERIENCE", *_jobs(body, "– ")),
        _section("EDUCATION AND TRAINING", *_degrees(body)),
        _section("PERSONAL SKILLS", "Mother tongue(s): " + writer.identity.NATIVE[body.person.origin], *body.skills),
        _section("OTHER", *body.identity),
        writer.pick(("Berlin", "Lisbon", "Ghent")) + ", 3 May 2025\n" + body.person.plain(),
    )


def two_columns(body: Body) -> Marked:
    """The order in which text comes out of a PDF with a side column."""
    side = [
        "CONTACT",
        body.phone,
        body.email,
        *body.urls,
        "SKILLS",
        *body.skills,
        "LANGUAGES",
        *body.languages().split(", "),
    ]
    name = joined("\n", [mark("NAME", word) for word in body.person.name.split()])
    return _document(
        joined("\n", side),
        name.upper() + "\n" + body.title,
        _section("PROFILE", body.summary),
        _section("EXPERIENCE", *_jobs(body)),
        _section("EDUCATION", *_degrees(body, 1)),
        _section("VOLUNTEERING", *body.identity),
    )


def profile_export(body: Body) -> Marked:
    """What a network's 'save as PDF' gives."""
    writer = body.writer
    return _document(
        joined("\n", ["Contact", body.phone, body.email, *(url + " (Personal)" for url in body.urls)]),
        _section("Top Skills", *body.skills[:3]),
        _section("Languages", body.languages()),
        body.person.full() + "\n" + body.title + " at " + writer.proper(writer.prose.COMPANIES) + "\n" + body.town,
        _section("Summary", body.third, *body.identity),
        _section("Experience", *_jobs(body, "")),
        _section("Education", *_degrees(body)),
        _section(
            "Recommendations",
            '"' + writer.fill("{first} made our work easier, and {he} made it fun.") + '" - ' + writer.other().plain(),
        ),
    )


def publications(body: Body) -> Marked:
    """An academic's CV, authors' names included."""
    return _document(
        body.person.full() + ", Ph.D.\n" + body.title + "\n" + body.email + "\n" + joined("\n", body.urls),
        _section("Appointments", *_jobs(body, "")),
        _section("Education", *_degrees(body)),
        _section("Publications", *(f"{count}. " + each for count, each in enumerate(body.publications(), start=1))),
        _section("Service and awards", *body.identity),
        _section("References", *body.references(3)),
    )


LAYOUTS = {
    layout.__name__: layout
    for layout in (
        centred,
        capitals,
        letter_spaced,
        labelled,
        inverted,
        markdown,
        contact_at_the_bottom,
        cover_letter,
        personal_details,
        two_columns,
        profile_export,
        publications,
    )
}
