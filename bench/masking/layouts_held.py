"""Thirteen layouts of the held-out set.

For measuring only: whoever writes masking rules does not read this file.
"""

from masking.body import Body, Job
from masking.marked import Marked, joined, mark, marked


def _document(*blocks: "Marked | str") -> Marked:
    return joined("\n\n", [block for block in map(marked, blocks) if block.pieces])


def _block(title: str, *lines: "Marked | str", rule: str = "") -> Marked:
    heading = title + (f"\n{rule * len(title)}" if rule else "")
    return joined("\n", [heading, *lines]) if lines else Marked()


def _job(job: Job, sign: str, style: int = 0) -> Marked:
    head = (
        marked(job.dates) + "  " + job.title + " @ " + job.company + ", " + job.place,
        marked(job.company) + " (" + job.place + ")\n" + job.title + " / " + job.dates,
        marked(job.title) + "\t" + job.dates + "\n" + job.company,
    )[style]
    return joined("\n", [head, *(sign + bullet for bullet in job.bullets)])


def _study(body: Body, style: int = 0) -> list[Marked]:
    return [
        (
            each.year + ": " + each.degree + ", " + each.school,
            marked(each.degree) + " (" + each.school + ", " + each.year + ")",
            each.start + "-" + each.year + "\t" + each.degree + "\t" + each.school,
        )[style]
        for each in body.degrees
    ]


def plain_text(body: Body) -> Marked:
    """Plain text for an applicant tracking system, headings in capitals with rules."""
    return _document(
        body.person.full() + ", MBA\n" + joined(" / ", [body.email, body.phone, *body.urls]) + "\n" + body.address,
        _block("SUMMARY", body.summary, rule="="),
        _block("EXPERIENCE", *(_job(job, "* ", 1) for job in body.jobs), rule="="),
        _block("EDUCATION", *_study(body, 1), rule="="),
        _block("SKILLS", "; ".join(body.skills), "Languages: " + body.languages(), rule="="),
        _block("MEMBERSHIPS AND ACTIVITIES", *("* " + line for line in body.identity), rule="="),
    )


def biodata(body: Body) -> Marked:
    """An Indian habit: objective, work, then personal details with the father's name and a declaration."""
    writer = body.writer
    father = joined(" ", [mark("NAME", writer.other().given), mark("NAME", body.person.last)])
    details = [
        "Name            : " + body.person.plain(),
        "Father's Name   : " + father,
        "Date of Birth   : " + body.birth,
        "Gender          : " + mark("GENDER", "Male" if body.person.gender == "m" else "Female"),
        "Marital Status  : " + writer.slot("Marital"),
        "Nationality     : " + writer.slot("nat"),
        "Religion        : " + writer.slot("rel"),
        "Permanent Address : " + body.address,
        "Languages Known : " + marked(body.languages()),
    ]
    return _document(
        "RESUME",
        body.person.plain().upper() + "\nMob: " + body.phone + "\nEmail id: " + body.email,
        _block("CAREER OBJECTIVE:", body.summary),
        _block("PROFESSIONAL EXPERIENCE:", *(_job(job, "➢ ", 1) for job in body.jobs)),
        _block("EDUCATIONAL QUALIFICATION:", *_study(body, 2)),
        _block("EXTRA CURRICULAR ACTIVITIES:", *("➢ " + line for line in body.identity)),
        _block("PERSONAL DETAILS:", *details),
        "I hereby declare that the above particulars are true.\n\nPlace: Pune\nDate: 04/05/2025\t\t\t("
        + body.person.plain().upper()
        + ")",
    )


def federal(body: Body) -> Marked:
    """A federal résumé: citizenship, hours, supervisors and whether they may be called."""
    writer = body.writer
    jobs = []
    for job in body.jobs:
        head = marked(job.company) + "\n" + job.place + "\n" + job.title + ", GS-0343-" + str(body.rng.randrange(9, 15))
        boss = (
            "Supervisor: "
            + writer.other().plain()
            + " ("
            + body.phone.mapped(lambda _: "202-555-0147")
            + "), may contact: yes"
        )
        lines = [head, job.dates + ", 40 hours per week", boss, joined(" ", job.bullets)]
        jobs.append(joined("\n", lines))
    return _document(
        body.person.plain(),
        joined("\n", [body.address, "Day phone: " + body.phone, "Email: " + body.email]),
        "Announcement number: DE-11223344-25-MP\nVeterans' preference: none\nHighest grade: GS-12, 06/2019",
        _block("WORK EXPERIENCE:", joined("\n\n", jobs)),
        _block("EDUCATION:", *_study(body, 1)),
        _block("AFFILIATIONS:", *body.identity),
        _block("REFERENCES:", *body.references()),
    )


def json_resume(body: Body) -> Marked:
    """A machine-readable résumé."""

    def field(name: str, value: "Marked | str") -> Marked:
        return f'"{name}": "' + marked(value).mapped(lambda text: text.replace('"', "'").replace("\n", " ")) + '"'

    def listed(values) -> Marked:
        return joined(
            ",\n      ", ['"' + marked(value).mapped(lambda text: text.replace('"', "'")) + '"' for value in values]
        )

    basics = [
        field("name", body.person.full()),
        field("label", body.title),
        field("email", body.email),
        field("phone", body.phone),
    ]
    basics += [field("url", url) for url in body.urls] + [field("summary", body.third)]
    work = [
        "{"
        + joined(", ", [field("name", job.company), field("position", job.title), field("startDate", job.start)])
        + ',\n    "highlights": ['
        + listed(job.bullets)
        + "]}"
        for job in body.jobs
    ]
    study = [
        "{"
        + joined(", ", [field("institution", each.school), field("area", each.degree), field("endDate", each.year)])
        + "}"
        for each in body.degrees
    ]
    parts = [
        '"basics": {\n    ' + joined(",\n    ", basics) + "\n  }",
        '"work": [\n    ' + joined(",\n    ", work) + "\n  ]",
        '"education": [\n    ' + joined(",\n    ", study) + "\n  ]",
        '"volunteer": [\n      ' + listed(body.identity) + "\n  ]",
        '"skills": [' + listed(body.skills) + "]",
    ]
    return "{\n  " + joined(",\n  ", parts) + "\n}\n"


def forwarded_mail(body: Body) -> Marked:
    """An application in the body of an e-mail, with headers and a signature."""
    writer = body.writer
    other = writer.other()
    signature = [
        body.person.full(),
        body.title,
        "T " + body.phone,
        "E " + body.email,
        *("W " + url for url in body.urls),
    ]
    return _document(
        "From: "
        + body.person.plain()
        + " <"
        + body.email
        + ">\nTo: "
        + mark("EMAIL", "jobs@example.org")
        + "\nSubject: Application as "
        + body.title
        + " - "
        + body.person.plain(),
        "Dear " + other.plain() + ",",
        *(writer.fill(text) for text in writer.prose.LETTER),
        *(_job(job, "> ", 0) for job in body.jobs),
        _block("My studies:", *_study(body)),
        _block("A few things about me:", *body.identity),
        "Yours sincerely,\n" + writer.slot("first"),
        "--\n" + joined("\n", signature),
    )


def hoja_de_vida(body: Body) -> Marked:
    """A Latin American habit: personal data first, labels in two languages, a photo."""
    writer = body.writer
    data = [
        "FOTO",
        "Nombre y apellidos / Full name: " + body.person.plain(),
        "Fecha de nacimiento / Date of birth: " + body.birth,
        "Estado civil / Marital status: " + writer.slot("marital"),
        "Nacionalidad / Nationality: " + writer.slot("nat"),
        "Sexo / Sex: " + mark("GENDER", "Male" if body.person.gender == "m" else "Female"),
        "Dirección / Address: " + body.address,
        "Celular / Mobile: " + body.phone,
        "Correo / E-mail: " + body.email,
    ]
    return _document(
        "HOJA DE VIDA",
        _block("DATOS PERSONALES / PERSONAL DATA", *data),
        _block("PERFIL / PROFILE", body.summary),
        _block("EXPERIENCIA / EXPERIENCE", *(_job(job, "- ", 1) for job in body.jobs)),
        _block("FORMACIÓN / EDUCATION", *_study(body)),
        _block("OTROS / OTHER", *body.identity),
        _block("REFERENCIAS PERSONALES / PERSONAL REFERENCES", *body.references()),
        "Firma / Signature: " + body.person.plain(),
    )


def table_cells(body: Body) -> Marked:
    """What is left of a table in a word processor: cells with bars between."""
    rows = [
        "| Candidate | " + body.person.full() + " |",
        "| Role | " + marked(body.title) + " |",
        "| Tel. | " + body.phone + " |",
        "| Mail | " + body.email + " |",
        "| Residence | " + body.address + " |",
        *("| Link | " + url + " |" for url in body.urls),
    ]
    work = ["| " + job.dates + " | " + job.company + " | " + joined(" ", job.bullets) + " |" for job in body.jobs]
    study = ["| " + each.year + " | " + each.school + " | " + each.degree + " |" for each in body.degrees]
    rest = ["| Engagement | " + line + " |" for line in body.identity]
    return joined(
        "\n",
        [
            *rows,
            "| Profile | " + body.third + " |",
            *work,
            *study,
            "| Tools | " + marked(", ".join(body.skills)) + " |",
            *rest,
        ],
    )


def running_footers(body: Body) -> Marked:
    """A file's name on top and a footer with the name on every page."""
    person = body.person
    words = [mark("NAME", part) for part in (person.given, person.family) if part]
    name = joined(mark("NAME", "_"), words).mapped(lambda text: text.replace(" ", "_"))
    pages = [
        _document(
            name + "_Resume_2025.pdf",
            person.full().upper() + "\n" + joined(" · ", [body.town, body.phone, body.email]),
            _block("Profile", body.summary),
        ),
        _document(_block("Career", *(_job(job, "▪ ", 2) for job in body.jobs))),
        _document(
            _block("Academic background", *_study(body)),
            _block("Community", *("▪ " + line for line in body.identity)),
            _block("Links", *body.urls),
            _block("Pastimes", ", ".join(body.hobbies)),
        ),
    ]
    return joined(
        "\n", [page + f"\n\nPage {count} of 3 · " + person.plain() for count, page in enumerate(pages, start=1)]
    )


def biography(body: Body) -> Marked:
    """Running prose about somebody, with little structure."""
    writer = body.writer
    lines = [writer.fill(text) for text in body.rng.sample(writer.prose.THIRD, 3)]
    jobs = [joined(" ", [f"{job.dates}, {job.company}, {job.title}.", *job.bullets]) for job in body.jobs]
    study = ["Education: " + joined("; ", _study(body, 1)) + "."]
    return _document(
        "About " + body.person.plain(),
        joined(" ", lines),
        *jobs,
        *study,
        joined("\n", body.identity),
        "Write to " + body.email + " or call " + body.phone + ". More at " + joined(" and ", body.urls) + ".",
    )


def family_name_in_capitals(body: Body) -> Marked:
    """A skills-based CV, 'FAMILY, Given' with a title in brackets."""
    writer = body.writer
    return _document(
        body.person.inverted_caps() + " (" + mark("GENDER", "Mr" if body.person.gender == "m" else "Ms") + ")",
        joined("   ", [body.phone, body.email]) + "\n" + body.address,
        _block("Key skills", *(f"· {skill}" for skill in body.skills)),
        _block("Selected achievements", *("· " + bullet for job in body.jobs for bullet in job.bullets)),
        _block("Career history", *(f"{job.dates} {job.title}, {job.company}" for job in body.jobs)),
        _block("Education", *_study(body)),
        _block("Voluntary work", *("· " + line for line in body.identity)),
        _block("Referees", *body.references(), writer.fill("{mr_other}, on request")),
    )


def typeset_source(body: Body) -> Marked:
    """The source of a typeset CV."""
    person = body.person
    head = [
        "\\name{" + mark("NAME", person.given) + "}{" + mark("NAME", person.family) + "}",
        "\\title{" + marked(body.title) + "}",
        "\\address{" + body.address + "}",
        "\\phone[mobile]{" + body.phone + "}",
        "\\email{" + body.email + "}",
        *("\\homepage{" + url + "}" for url in body.urls),
    ]
    jobs = [
        f"\\cventry{{{job.start}--{job.end}}}{{{job.title}}}{{{job.company}}}{{"
        + job.place
        + "}{}{\n"
        + joined("\n", ["\\item " + bullet for bullet in job.bullets])
        + "}"
        for job in body.jobs
    ]
    return _document(
        joined("\n", head),
        _block("\\section{Profile}", body.third),
        _block("\\section{Experience}", *jobs),
        _block(
            "\\section{Education}",
            *("\\cvitem{" + each.year + "}{" + each.degree + ", " + each.school + "}" for each in body.degrees),
        ),
        _block("\\section{Service}", *("\\item " + line for line in body.identity)),
    )


def grants(body: Body) -> Marked:
    """An academic's CV: grants, students, papers, talks."""
    writer, person = body.writer, body.person
    papers = body.publications(4)
    students = [writer.other().plain() + f" (PhD, {year})" for year in body.rng.sample(range(2008, 2024), 3)]
    money = [
        "Principal investigator: " + person.initialed() + ", " + writer.fill("{money}, {object}"),
        "Co-investigator with " + writer.other().plain(),
    ]
    return _document(
        "Curriculum Vitae of " + person.full(),
        joined("\n", [body.title, "Email: " + body.email, "Tel.: " + body.phone, *body.urls]),
        _block("1. Positions", *(_job(job, "   ", 0) for job in body.jobs)),
        _block("2. Degrees", *_study(body)),
        _block("3. Grants", *money),
        _block("4. Students", *students),
        _block("5. Papers", *(f"[{count}] " + each for count, each in enumerate(papers, start=1))),
        _block("6. Service", *body.identity),
    )


def sidebar_last(body: Body) -> Marked:
    """Two columns read line by line: the side column's text comes in between."""
    side = [
        "Phone",
        body.phone,
        "Mail",
        body.email,
        "Web",
        *body.urls,
        "Home",
        body.address,
        "Interests",
        *body.hobbies,
    ]
    main = [
        "ABOUT ME",
        body.third,
        "CAREER",
        *(_job(job, "", 2) for job in body.jobs),
        "STUDIES",
        *_study(body),
        "MORE",
        *body.identity,
    ]
    lines: list[Marked | str] = [body.person.full(), body.title]
    while main or side:
        lines += [side.pop(0)] if side else []
        lines += [main.pop(0)] if main else []
    return joined("\n", lines)


LAYOUTS = {
    layout.__name__: layout
    for layout in (
        plain_text,
        biodata,
        federal,
        json_resume,
        forwarded_mail,
        hoja_de_vida,
        table_cells,
        running_footers,
        biography,
        family_name_in_capitals,
        typeset_source,
        grants,
        sidebar_last,
    )
}
