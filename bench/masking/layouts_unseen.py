"""Eighteen layouts of the unseen set."""

from masking.body import Body, Job
from masking.frames_unseen import degrees, details, gender, jobs, listed, paras, part, stack
from masking.marked import Marked, joined, mark, marked
from masking.names import NAMES


def ragged_columns(body: Body) -> Marked:
    """Text of a PDF page whose right column stands beside the left."""
    left = [body.person.plain(), marked(body.title), *details(body), marked("")]
    right = [body.email, body.phone, body.town, *body.urls]
    rows = []
    for at in range(max(len(left), len(right))):
        start = left[at] if at < len(left) else marked("")
        end = right[at] if at < len(right) else marked("")
        rows.append(start + (" " * max(3, 46 - len(marked(start).text)) + end if end.text else ""))
    head = "{title}          {start} - {end}\n{company}     {place}"
    return paras(
        stack(rows),
        part("Profile", body.summary),
        part("Employment History", *jobs(body, head, "•  ")),
        part("Education     Activities", degrees(body, "     "), body.identity, body.awards),
        part("Skills", "    ".join(body.skills)),
    )


def small_letters(body: Body) -> Marked:
    """A designer's page in small letters."""
    return paras(
        body.person.plain().mapped(str.lower) + "\n" + body.title.lower(),
        stack(body.email, body.phone, body.urls),
        part("about", body.third, body.personal),
        part("work", *jobs(body, "{dates}  {title}, {company}", "– "), gap="\n\n"),
        part("school", degrees(body)),
        part("also", body.identity, body.awards, ", ".join(body.hobbies)),
    )


def one_line_header(body: Body) -> Marked:
    """Everything about reaching the person on one line, the name in capitals."""
    header = [body.person.plain().upper(), body.title, body.address, body.phone, body.email, *body.urls[:1]]
    return paras(
        joined(" | ", header),
        part("SUMMARY", body.summary, body.personal),
        part("CORE COMPETENCIES", " | ".join(body.skills)),
        part("PROFESSIONAL EXPERIENCE", *jobs(body, "{company} | {place} | {title} | {dates}", "• ")),
        part("EDUCATION", degrees(body, " | ")),
        part("LEADERSHIP & COMMUNITY", listed("• ", body.identity)),
        part("AWARDS", listed("• ", body.awards)),
    )


def title_line(body: Body) -> Marked:
    """The name after a line that says what this is."""
    title = body.rng.choice(("Curriculum Vitae\n\n", "CURRICULUM VITAE OF\n", "Resume: ", "CV - ", "RESUME\n"))
    return paras(
        title + body.person.full(),
        part("Contact Details", body.address, "Tel: " + body.phone, "Email: " + body.email),
        part("Personal Profile", body.summary),
        part("Personal Information", body.personal),
        part("Work History", *jobs(body, "{dates}: {title}, {company}", "* "), gap="\n\n"),
        part("Education and Qualifications", degrees(body), body.certificates),
        part("Voluntary Work", body.identity, body.awards),
        part("Referees", body.references()),
    )


def europass(body: Body) -> Marked:
    """Europass fields: label and value with blanks between."""
    person = body.person
    fields = details(
        body,
        "First name(s): " + mark("NAME", " ".join(each for each in (person.given, person.middle) if each)),
        *(["Surname(s): " + mark("NAME", person.family)] if person.family else []),
        "Address: " + body.address,
        "Telephone: " + body.phone,
        "E-mail: " + body.email,
        "Nationality: " + body.writer.slot("nat"),
        "Date of birth: " + body.birth,
        "Gender: " + gender(body),
    )
    head = "Dates: {dates}\nOccupation or position held: {title}\nName of employer: {company}, {place}"
    return paras(
        "Europass Curriculum Vitae",
        part("Personal information", fields),
        part("Work experience", *jobs(body, head + "\nMain activities and responsibilities:", "  "), gap="\n\n"),
        part("Education and training", degrees(body, "\n"), gap="\n\n"),
        part("Personal skills and competences", "Mother tongue: " + body.writer.slot("native"), ", ".join(body.skills)),
        part("Additional information", body.summary, body.identity, body.awards),
    )


def network_export(body: Body) -> Marked:
    """A network's export to PDF, page numbers included."""
    pronouns = " (" + body.writer.slot("pronouns") + ")" if body.rng.random() < 0.4 else ""
    return paras(
        part(
            "Contact",
            body.phone,
            body.email,
            *(url + (" (LinkedIn)" if "linkedin" in url.text else " (Personal)") for url in body.urls[:1]),
        ),
        part("Top Skills", body.skills[:3]),
        part("Certifications", body.certificates),
        part("Honors-Awards", body.awards),
        body.person.full() + pronouns + "\n" + body.title + " | " + body.skills[0] + " | Open to work\n" + body.town,
        part("Summary", body.third, *body.personal),
        part("Experience", *jobs(body, "{company}\n{title}\n{dates}\n{place}", ""), gap="\n\n"),
        "Page 1 of 2",
        part("Education", *(each.school + "\n" + each.degree + " · (" + each.when + ")" for each in body.degrees)),
        part("Volunteer Experience", body.identity),
        "Page 2 of 2",
    )


def tabbed(body: Body) -> Marked:
    """A table's cells with tabs between."""
    rows = [
        "Name\t" + body.person.inverted(),
        "Post\t" + marked(body.title),
        "Address\t" + body.address,
        "Phone\t" + body.phone,
        "Email\t" + body.email,
        "Born\t" + body.birth,
        "Sex\t" + gender(body),
        *body.personal,
    ]
    return paras(
        stack(rows),
        "From\tTo\tPosition\tEmployer\tDuties",
        stack(*(_row(job) for job in body.jobs)),
        stack("Qualification\tInstitution\tYear", degrees(body, "\t")),
        stack(*("Other\t" + line for line in (*body.identity, *body.awards))),
    )


def _row(job: Job) -> Marked:
    return joined("\t", [job.start, job.end, job.title, job.company, joined(" ", job.bullets)])


def letter(body: Body) -> Marked:
    """A cover letter with a sign-off."""
    writer, person = body.writer, body.person
    text = [writer.fill(each) for each in writer.prose.LETTER]
    opening = body.rng.choice(("Dear Sir or Madam,", "Dear Hiring Manager,", "Dear " + writer.slot("mr_other") + ","))
    own = joined(" ", [body.summary, *(line for job in body.jobs[:2] for line in job.bullets[:3])])
    hello = "My name is " + person.plain() + " and " if body.rng.random() < 0.4 else ""
    text[0] = hello + text[0]
    return paras(
        stack(person.plain(), body.address, body.phone, body.email),
        opening,
        text[:2],
        own,
        part("A few facts about me:", listed("- ", (*body.personal, *body.identity, *body.awards))),
        text[2:],
        body.rng.choice(("Yours sincerely,", "Best regards,", "Yours faithfully,", "Thank you,"))
        + "\n\n"
        + person.full(),
        part("Education", degrees(body)),
    )


def short_bio(body: Body) -> Marked:
    """A biography in a few paragraphs, as on a firm's page."""
    writer = body.writer
    now, *before = body.jobs
    past = joined(". ", [f"From {job.start} to {job.end} {job.title} at {job.company}" for job in before])
    studied = joined("; ", [each.degree + ", " + each.school + " (" + each.when + ")" for each in body.degrees])
    lines = [body.third, *now.bullets[:3], past + ".", *before[0].bullets[:2], "Studies: " + studied + "."]
    more = joined(". ", [*body.identity, *body.awards]) + "." if body.identity or body.awards else ""
    return paras(
        "About " + body.person.plain(),
        joined(" ", lines),
        stack(more, body.personal, gap=" "),
        "To book " + writer.slot("first") + ", write to " + body.email + " or call " + body.phone + ".",
    )


def json_resume(body: Body) -> Marked:
    """Fields of a JSON document."""
    basics = [
        '"name": "' + body.person.plain() + '"',
        '"label": "' + marked(body.title) + '"',
        '"email": "' + body.email + '"',
        '"phone": "' + body.phone + '"',
        *('"url": "' + url + '"' for url in body.urls[:1]),
        '"summary": "' + body.summary + '"',
    ]
    work = [
        '    {"name": "'
        + marked(f'{job.company}", "position": "{job.title}", "startDate": "{job.start}", "highlights": [')
        + joined(", ", ['"' + line + '"' for line in job.bullets])
        + "]}"
        for job in body.jobs
    ]
    study = [
        '    {"institution": "' + each.school + '", "studyType": "' + each.degree + '", "endDate": "' + each.when + '"}'
        for each in body.degrees
    ]
    notes = ['    "' + line + '"' for line in (*body.personal, *body.identity, *body.awards)]
    return stack(
        '{\n  "basics": {',
        joined(",\n", ["    " + line for line in basics]),
        '  },\n  "work": [',
        joined(",\n", work),
        '  ],\n  "education": [',
        joined(",\n", study),
        '  ],\n  "interests": [',
        joined(",\n", notes),
        "  ]\n}",
    )


def front_matter(body: Body) -> Marked:
    """Markdown with fields on top."""
    fields = ["name: " + body.person.plain(), "email: " + body.email, *("link: " + url for url in body.urls)]
    return paras(
        stack("---", fields, "---"),
        "# " + body.person.plain() + " — " + body.title,
        "> " + body.summary,
        part("## Work\n", *jobs(body, "**{title}** @ *{company}* ({dates})", "+ "), gap="\n\n"),
        part("## Degrees\n", listed("+ ", degrees(body, " — "))),
        part("## Life outside work\n", listed("+ ", (*body.identity, *body.awards, *body.personal))),
        part("## Tools\n", " · ".join(body.skills)),
    )


def no_line_breaks(body: Body) -> Marked:
    """Text that lost its line breaks."""
    return stack(
        body.person.plain(),
        body.title,
        body.address,
        body.phone,
        body.email,
        "OBJECTIVE",
        body.summary,
        "EXPERIENCE",
        (_flat(job) for job in body.jobs),
        "EDUCATION",
        degrees(body, " "),
        "SKILLS",
        ", ".join(body.skills),
        "ACTIVITIES",
        body.identity,
        body.awards,
        "PERSONAL DETAILS",
        body.personal,
        "REFERENCES",
        body.references(),
        gap=" ",
    )


def _flat(job: Job) -> Marked:
    return stack(f"{job.title} {job.company} {job.dates}", job.bullets, gap=" ")


def job_board(body: Body) -> Marked:
    """A job board's form: the town under the name, fixed headings."""
    return stack(
        body.person.plain(),
        body.title,
        body.town,
        body.email + " - " + body.phone,
        "Authorized to work in the US for any employer",
        body.summary,
        "",
        part("Work Experience", *jobs(body, "{title}\n{company} - {place}\n{start} to {end}", "• ")),
        part("Education", degrees(body, " - ")),
        part("Skills", ", ".join(f"{skill} ({body.rng.randrange(1, 9)} years)" for skill in body.skills)),
        part("Links", body.urls),
        part("Awards", body.awards),
        part("Groups", body.identity),
        part("Additional Information", body.personal),
    )


def personal_block(body: Body) -> Marked:
    """An Indian habit: an objective on top, personal details and a declaration at the end."""
    person, writer = body.person, body.writer
    father = f"{body.rng.choice(NAMES['unseen', person.origin].male)} {person.family}".strip()
    pad = body.rng.choice((" : ", ": ", "\t: ", " :- "))
    fields = details(
        body,
        "Name" + pad + person.plain(),
        "Father's Name" + pad + (mark("GENDER", "Mr.") + " " if body.rng.random() < 0.5 else "") + mark("NAME", father),
        "Date of Birth" + pad + body.birth,
        "Gender" + pad + gender(body),
        "Marital Status" + pad + writer.slot("Marital"),
        "Nationality" + pad + writer.slot("nat"),
        "Languages Known" + pad + body.languages(),
        "Permanent Address" + pad + body.address,
    )
    return paras(
        "RESUME",
        stack(person.plain().upper(), "Mobile: " + body.phone, "E-Mail: " + body.email),
        part("CAREER OBJECTIVE", body.summary),
        part("ACADEMIC PROFILE", degrees(body)),
        part("WORK EXPERIENCE", *jobs(body, "{company} as {title} ({dates})", "» ")),
        part("EXTRA-CURRICULAR ACTIVITIES", body.identity, body.awards),
        part("PERSONAL DETAILS", fields),
        "DECLARATION\nI hereby declare that the above information is true to the best of my knowledge.",
        "Place: " + body.town + "\nDate:\n(" + person.plain() + ")",
    )


def british(body: Body) -> Marked:
    """A British CV with nationality and driving licence."""
    fields = details(
        body,
        "Nationality: " + body.writer.slot("nat"),
        "Driving licence: Full, clean",
        "D.O.B: " + body.birth if body.rng.random() < 0.6 else "National Insurance number: on request",
    )
    return paras(
        body.person.full(),
        stack(body.address, "Mob: " + body.phone, body.email, fields),
        part("Key Skills", listed("• ", body.skills)),
        part("Personal Statement", body.summary),
        part("Career Summary", *jobs(body, "{start} - {end}   {company}\n{title}", "• "), gap="\n\n"),
        part("Education", degrees(body, " — ")),
        part("Interests", body.identity, body.awards, ", ".join(body.hobbies) + "."),
        part("References", body.references()),
    )


def academic(body: Body) -> Marked:
    """A scholar's CV; the own name is shortened among the authors."""
    person = body.person
    return paras(
        stack(person.full() + body.rng.choice((", PhD", ", M.Sc.", "")), body.title, body.email, body.urls),
        part("Bio", body.third),
        part("Appointments", *jobs(body, "{dates}  {title}, {company}", "   ")),
        part("Education", degrees(body)),
        part("Peer-reviewed publications", (f"[{at}] " + each for at, each in enumerate(body.publications(4), 1))),
        part("Talks", person.initialed() + ". Invited seminar, " + body.degrees[0].school + ", May 2019."),
        part("Honours and service", body.awards, body.identity, body.personal),
        person.inverted() + " — CV, page 2",
        part("Referees", body.references(3)),
    )


def application_form(body: Body) -> Marked:
    """An online form, voluntary self-identification at the end."""
    writer = body.writer
    race = writer.identity.RACE[body.person.origin]
    return paras(
        "APPLICATION FOR EMPLOYMENT",
        stack("Legal name (Last, First): " + body.person.inverted(), "Home address: " + body.address),
        stack("Primary phone: " + body.phone, "Email address: " + body.email),
        part("Why do you want this job?", body.summary),
        part("Employment (most recent first)", *jobs(body, "Employer: {company}\nTitle: {title}\nDates: {dates}", "")),
        part("Education", degrees(body, "; ")),
        part("Memberships, awards, volunteering", body.identity, body.awards),
        part(
            "Voluntary self-identification",
            details(
                body,
                mark("?", "Gender") + ": " + gender(body),
                mark("?", "Race/Ethnicity") + ": " + mark("ETHNICITY", race),
                "Veteran status: I am not a protected veteran",
            ),
        ),
        "Signature: " + body.person.plain() + "     Date: 04/02/2025",
    )


def forwarded_mail(body: Body) -> Marked:
    """An e-mail with the résumé in it."""
    person, other = body.person, body.writer.other()
    file_name = mark("NAME", person.name.replace(" ", "_")) + "_CV.docx"
    return paras(
        stack(
            "From: " + person.plain() + " <" + body.email + ">",
            "To: " + mark("NAME", other.name) + " <" + mark("EMAIL", f"{other.slug('.')}@example.com") + ">",
            "Subject: Application for " + body.title + " - " + person.plain(),
            "Attachments: " + file_name,
        ),
        "Hi " + mark("NAME", other.given.split(".")[-1].strip() or other.last) + ",",
        "please find my details below. " + body.summary,
        part("Jobs:", *jobs(body, "{title}, {company}, {dates}", "> ")),
        part("Studies:", degrees(body)),
        part("About me:", body.personal, body.identity, body.awards),
        stack("Cheers,", body.writer.slot("first"), "--", person.full(), body.phone, body.urls),
    )


EACH = (
    ragged_columns, small_letters, one_line_header, title_line, europass, network_export,
    tabbed, letter, short_bio, json_resume, front_matter, no_line_breaks,
    job_board, personal_block, british, academic, application_form, forwarded_mail,
)  # fmt: skip
LAYOUTS = {each.__name__: each for each in EACH}
