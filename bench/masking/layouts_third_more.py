"""More layouts of the third set. Held out: rules are not written to them."""

from masking.body import Body
from masking.frames_third import blocks, file_name, in_lines, initials, jobs_of, listed, section, studies_of
from masking.marked import Marked, joined, mark


def reference_letter(body: Body) -> Marked:
    """Put a letter by somebody else before the résumé."""
    writer, referee = body.writer, body.writer.other()
    return blocks(
        in_lines(referee.plain(), writer.pick(body.writer.prose.COMPANIES)),
        "To whom it may concern",
        "Re: " + writer.title_of(body.person) + " " + body.person.plain(),
        body.third + " " + writer.fill("I would employ {him} again tomorrow; {he} may count on me."),
        in_lines("Yours faithfully", referee.plain()),
        "Enclosed: résumé of " + body.person.full(),
        joined(", ", (body.address, body.phone, body.email)),
        body.summary,
        jobs_of(body, lambda job: f"{job.title} | {job.company} | {job.dates}", "- "),
        studies_of(body, lambda each: each.degree + " | " + each.school + " | " + each.when),
        in_lines(*listed(body.identity), *listed(body.awards), *listed(body.personal)),
    )


def credentials(body: Body) -> Marked:
    """Write letters after the name, and a running header of name and letters."""
    letters = ", " + body.rng.choice(("MBA, PMP", "CPA", "PhD", "RPh, BCPS", "MSW, LCSW", "JD"))
    head = body.person.plain() + letters
    return blocks(
        in_lines(head, joined(" • ", (body.address, body.phone, body.email, *body.urls))),
        section("PROFESSIONAL SUMMARY", body.summary),
        section("LICENSURE & CERTIFICATION", *body.certificates),
        section(
            "PROFESSIONAL EXPERIENCE",
            jobs_of(body, lambda job: job.company + ", " + job.place + f"  {job.dates}\n{job.title}", "▪ "),
        ),
        in_lines(head, "page 2"),
        section("EDUCATION", studies_of(body, lambda each: each.school + "\n" + each.degree + "\t" + each.when)),
        section("PROFESSIONAL AFFILIATIONS", *listed(body.identity, "▪ ")),
        section("AWARDS", *listed(body.awards, "▪ ")),
        section("PERSONAL", *listed(body.personal, "▪ ")),
    )


def board_paper(body: Body) -> Marked:
    """Present a candidate for a board seat, then the record."""
    return blocks(
        "Nomination paper: " + body.writer.title_of(body.person) + " " + body.person.full(),
        body.third,
        body.summary,
        *(f"{job.dates}, {job.company} ({job.title}): " + joined(" ", job.bullets) for job in body.jobs),
        "Education. " + studies_of(body, lambda each: each.degree + ", " + each.school + ", " + each.when, ". ") + ".",
        "Other appointments. " + joined(" ", body.identity + body.awards) if body.identity + body.awards else "",
        "Declared by the candidate. " + joined(" ", body.personal) if body.personal else "",
        "Proposed by " + body.writer.other().plain() + ", seconded by " + body.writer.other().plain() + ".",
        "Correspondence: " + body.address + "; " + body.email + "; " + body.phone,
    )


def timeline(body: Body) -> Marked:
    """Set years on the left of bars, the latest last."""
    rows = [
        in_lines(f"{job.dates:<26}| {job.title} @ {job.company}", *listed(job.bullets, f"{'':<26}|   "))
        for job in body.jobs
    ]
    studies = [each.when + " | " + each.degree + " @ " + each.school for each in body.degrees]
    return blocks(
        in_lines(body.person.spaced() if len(body.person.name) < 14 else body.person.plain(), "=" * 40),
        in_lines("mail  | " + body.email, "call  | " + body.phone, *("web   | " + url for url in body.urls)),
        "who   | " + body.summary,
        *reversed([*rows, *studies]),
        in_lines(*("also  | " + line for line in (*body.identity, *body.awards))),
        in_lines(*("me    | " + line for line in body.personal)),
        "born  | " + body.birth,
    )


def web_page(body: Body) -> Marked:
    """Show the source of a page on the web."""
    jobs = [
        in_lines(
            f"<h3>{job.title}, {job.company} <small>{job.dates}</small></h3>",
            "<ul>",
            *("  <li>" + each + "</li>" for each in job.bullets),
            "</ul>",
        )
        for job in body.jobs
    ]
    return blocks(
        in_lines("<title>" + body.person.plain() + " - résumé</title>", "<h1>" + body.person.full() + "</h1>"),
        '<p><a href="mailto:'
        + body.email
        + '">'
        + body.email
        + "</a><br>"
        + body.phone
        + "<br>"
        + body.address
        + "</p>",
        in_lines(*('<a href="' + url + '">profile</a>' for url in body.urls)),
        "<p>" + body.summary + "</p>",
        "<h2>Work</h2>",
        *jobs,
        "<h2>Studies</h2>\n<p>"
        + studies_of(body, lambda each: each.degree + ", <em>" + each.school + "</em>, " + each.when, "<br>\n")
        + "</p>",
        in_lines(
            "<h2>Elsewhere</h2>", *("<p>" + line + "</p>" for line in (*body.identity, *body.awards, *body.personal))
        ),
        "<footer>&copy; " + body.person.plain() + "</footer>",
    )


def signature_mail(body: Body) -> Marked:
    """Apply by e-mail, with a signature and the résumé below it."""
    writer = body.writer
    boss = writer.other()
    signature = in_lines("--", body.person.full(), body.title, "M: " + body.phone, "E: " + body.email, *body.urls)
    return blocks(
        "Subject: " + body.title + " - " + body.person.plain(),
        "Attachment: CV_" + file_name(body.person, ".docx"),
        "Dear " + writer.title_of(boss) + " " + mark("NAME", boss.last) + ",",
        joined(" ", [writer.fill(each) for each in writer.rng.sample(writer.prose.LETTER, 3)]),
        joined(" ", (body.summary, *body.personal)),
        "Best wishes\n" + mark("NAME", body.person.last if "." in body.person.given else body.person.given),
        signature,
        jobs_of(body, lambda job: f"* {job.title}, {job.company}, {job.dates}", "   o "),
        studies_of(body, lambda each: "* " + each.degree + ", " + each.school + ", " + each.when),
        in_lines(*listed(body.identity, "* "), *listed(body.awards, "* ")),
    )


def lower_case(body: Body) -> Marked:
    """Write headings and the name without capitals, everything between slashes."""
    return blocks(
        body.person.full().mapped(str.lower),
        joined(" / ", (body.title.lower(), body.email, *body.urls, body.phone)),
        "hi. " + body.summary,
        section("// work", jobs_of(body, lambda job: f"{job.title} / {job.company} / {job.dates}", "> ")),
        section("// learnt", studies_of(body, lambda each: each.school + " / " + each.degree + " / " + each.when)),
        section("// beyond", *listed(body.identity, "> "), *listed(body.awards, "> ")),
        section("// me", *listed(body.personal, "> "), "likes: " + ", ".join(body.hobbies)),
        section("// made together with", body.writer.other().plain().mapped(str.lower), body.writer.other().plain()),
    )


def dossier(body: Body) -> Marked:
    """List papers, supervised theses, talks and grants of a scholar."""
    rng, writer = body.rng, body.writer
    theses = [
        writer.other().plain() + f" ({rng.choice(('MSc', 'PhD'))}, {rng.randrange(2012, 2025)}): {title}"
        for title in rng.sample(writer.prose.TITLES_OF_PAPERS, 2)
    ]
    return blocks(
        in_lines("Dossier", "Dr " + body.person.plain(), body.address, body.email + ", " + body.phone, *body.urls),
        body.summary,
        section("Degrees", studies_of(body, lambda each: each.degree + ", " + each.school + " " + each.when)),
        section(
            "Appointments",
            jobs_of(body, lambda job: f"{job.dates}. {job.title}, {job.company}, " + job.place + ".", "   "),
        ),
        section("Papers", *body.publications()),
        section("Theses supervised", *theses),
        section("Service and outreach", *body.identity),
        section("Prizes", *body.awards),
        section("Personal data", "Born " + body.birth, *body.personal),
    )


def testimonials(body: Body) -> Marked:
    """Quote what others say beside each job."""
    writer = body.writer
    jobs = [
        in_lines(
            f"{job.title.upper()} at {job.company}, {job.dates}",
            *listed(job.bullets, "– "),
            "“" + writer.fill("{first} does what {he} says.") + "” – " + writer.other().plain(),
        )
        for job in body.jobs
    ]
    return blocks(
        body.person.full() + " – " + body.title,
        body.third,
        joined(" – ", (body.phone, body.email, body.town)),
        body.summary,
        *jobs,
        section("LEARNED AT", studies_of(body, lambda each: each.school + " (" + each.degree + "), " + each.when)),
        section("GIVES TIME TO", *listed(body.identity, "– ")),
        section("WON", *listed(body.awards, "– ")),
        section("PERSONAL NOTE", *body.personal),
    )


def signed_table(body: Body) -> Marked:
    """Keep columns with many blanks, and a signature with place and date at the end."""
    rows = [
        in_lines(
            f"{job.dates}     {job.title}", f"{'':10}{job.company}, " + job.place, *listed(job.bullets, f"{'':10}· ")
        )
        for job in body.jobs
    ]
    return blocks(
        "C  U  R  R  I  C  U  L  U  M     V  I  T  A  E",
        in_lines(
            "Name          " + body.person.full(),
            "Born          " + body.birth + " in " + body.town,
            "Address       " + body.address,
            "Phone         " + body.phone,
            "Mail          " + body.email,
            *("              " + line for line in body.personal),
        ),
        "About         " + body.summary,
        *rows,
        studies_of(body, lambda each: each.when + "     " + each.degree + ", " + each.school),
        in_lines(f"Languages     {body.languages()}", "Skills        " + ", ".join(body.skills)),
        in_lines(
            *("Engagement    " + line for line in body.identity), *("Prizes        " + line for line in body.awards)
        ),
        body.town + f", {body.rng.randrange(1, 29)}.{body.rng.randrange(1, 13)}.2025",
        initials(body.person),
    )
