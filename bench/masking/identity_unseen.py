"""The unseen set's sentences that tell who somebody is, by category and by where they stand. Braces: see marked.py."""
# ruff: noqa: E501 - tables of sentences

PLACES = ("summary", "job", "community", "personal", "award", "story")
Told = dict[str, tuple[str, ...]]


def _of(table: str) -> dict[str, tuple[str, ...]]:
    rows = (line.split(": ") for line in table.strip().splitlines())
    return {origin.strip(): tuple(words.split(", ")) for origin, words in rows}


def _told(text: str) -> Told:
    """Return place → sentences: a line that is a place is followed by lines of sentences, with strokes between."""
    told: dict[str, list[str]] = {}
    place = ""
    for line in map(str.strip, text.strip().splitlines()):
        if line in PLACES:
            place = line
        else:
            told.setdefault(place, []).extend(line.split(" / "))
    return {place: tuple(lines) for place, lines in told.items()}


ETHNIC = _of("""english: Irish, Welsh, Scottish, British
    african_american: Black, African American, African-American, Haitian-American
    hispanic: Hispanic, Latin American, Latinx, Cuban American, Puerto Rican
    west_african: Black African, Nigerian, Ghanaian-American, Igbo, Yoruba
    slavic: Polish-American, Ukrainian, Czech, Croatian
    european: Italian-American, Greek, German-American, Portuguese
    south_asian: South Asian, Indian-American, British Asian, Tamil, Punjabi
    chinese: Chinese-American, Asian, Asian American, Han Chinese
    vietnamese: Vietnamese-American, Asian American, Asian
    arabic: Arab, Arab-American, Middle Eastern, Palestinian
    korean: Korean-American, Asian American, Korean""")
NATIONALITY = _of("""english: British, American, Australian, Irish
    african_american: American
    hispanic: Mexican, Spanish, Argentine, Cuban
    west_african: Nigerian, Ghanaian, Senegalese, Ivorian
    slavic: Polish, Ukrainian, Czech, Russian
    european: German, Italian, Belgian, Greek, Swedish
    south_asian: Indian, Pakistani, Sri Lankan, Nepalese
    chinese: Chinese, Malaysian, Taiwanese
    vietnamese: Vietnamese
    arabic: Egyptian, Moroccan, Iraqi, Saudi
    korean: South Korean, Korean""")
LANDS = _of("""english: Scotland, Ireland, Australia
    african_american: Haiti, Jamaica
    hispanic: Mexico, Cuba, El Salvador, Ecuador
    west_african: Ghana, Nigeria, Senegal
    slavic: Poland, Ukraine, Russia
    european: Italy, Greece, Germany
    south_asian: India, Pakistan, Nepal
    chinese: China, Hong Kong, Malaysia
    vietnamese: Vietnam
    arabic: Iraq, Egypt, Morocco, Syria
    korean: Korea, South Korea""")
RELIGION_OF = _of("""english: Christian, Anglican, Methodist, Catholic
    african_american: Baptist, Christian, Muslim
    hispanic: Catholic, Roman Catholic, Evangelical
    west_african: Christian, Muslim, Pentecostal, Catholic
    slavic: Orthodox, Catholic, Jewish
    european: Protestant, Catholic, Greek Orthodox, Jewish
    south_asian: Hindu, Muslim, Sikh, Jain, Buddhist
    chinese: Buddhist, Christian, Taoist
    vietnamese: Buddhist, Catholic
    arabic: Muslim, Shia, Christian, Coptic
    korean: Christian, Buddhist, Presbyterian""")
NATIVE_OF = _of("""english: English
    african_american: English
    hispanic: Spanish
    west_african: Twi
    slavic: Ukrainian
    european: Italian
    south_asian: Marathi
    chinese: Cantonese
    vietnamese: Vietnamese
    arabic: Arabic
    korean: Korean""")
NATIVE = {origin: words[0] for origin, words in NATIVE_OF.items()}
#: What forms of self-identification offer.
RACE = dict.fromkeys(ETHNIC, "Asian (Not Hispanic or Latino)") | {
    "english": "White",
    "african_american": "Black or African American",
    "hispanic": "Hispanic or Latino",
    "west_african": "Black or African American",
    "slavic": "White (not Hispanic or Latino)",
    "european": "Caucasian",
    "arabic": "Middle Eastern or North African",
}
MARITAL_WORDS = ("single", "married", "married", "divorced", "widowed", "separated", "unmarried", "never married")
GENDER_BOTH = _told("""
    personal
    {?|Pronouns}: {pronouns} / My {?|pronouns} are {pronouns}. / Title: {Mr}
    story
    {He} is happiest with a full diary and {his} phone on silent.
    """)
GENDER_F = _told("""
    summary
    A {?|working} {G|mum} of two, I am organised and do not waste time. / I am an energetic {G|woman} who likes to be busy.
    Re-entering work after several years as a {G|housewife}.
    job
    Only {G|woman} on a crew of {n}; elected safety representative.
    Returned part-time after {G|maternity} leave in {year}, full-time from {year}. / Took {G|maternity} leave from {month} {year}.
    Was the branch's first {G|female} supervisor.
    community
    Member, {G|Women} in Construction / Society of {G|Women} Engineers, section secretary / {G|Girl} Guides leader, {year} - present
    Player, county {G|women's} cricket team / Volunteer mentor, {G|Girls} Who Code / {?|Kappa Delta} {G|Sorority}, chapter treasurer
    {G|Women's} Institute, programme secretary / Co-founder of the {G|women's} network at {company}
    personal
    {?|Gender}: {G|Female} / {?|Sex}: {G|F} / {?|Sex}: {G|female} / {?|Gender} - {G|Female} / {G|Mother} of three
    award
    {G|Woman} of the Year, regional business awards, {year} / Young {G|Businesswoman} award, {year}
    {?|Grace Hopper} Celebration of {G|Women} in Computing scholar / {?|AAUW} grant for {G|women} returning to study
    Best {G|Actress}, college drama festival
    story
    A {G|mother} of two, {he} coaches the village {G|girls'} team. / {He} was the first {G|woman} to run the depot.
    """)
GENDER_M = _told("""
    summary
    Family {G|man} with steady habits and a clean record. / Young {G|man} looking for a first permanent job.
    I am a {G|father} of two and used to early mornings.
    job
    One of two {G|male} employees in a team of {n}. / Took {G|paternity} leave in {month} {year} and handed over in good order.
    Was the only {G|man} in the office and got used to the jokes.
    community
    Volunteer facilitator, {G|Men's} Shed / {?|Alpha Tau Omega} {G|Fraternity}, rush chair / {G|Boy} Scouts of America, {?|Eagle Scout} {year}
    Captain, university {G|men's} hockey second team / {G|Men's} health ambassador at {company}
    Big {G|Brother} to a pupil in the city's mentoring scheme / Singer in the {G|male} voice choir
    {G|Dads'} group organiser, Saturday mornings / {G|Chairman} of the residents' association
    personal
    {?|Gender}: {G|Male} / {?|Sex}: {G|M} / {?|Sex}: {G|male} / {?|Gender} - {G|Male} / {G|Father} of three
    Former {G|serviceman}, discharged {year}
    award
    {G|Sportsman} of the year, {year} / {G|Man} of the Match, works football cup final, {year}
    Employee and {G|Salesman} of the Month, {month} {year}
    story
    A {G|father} of two, {he} coaches the village {G|boys'} team. / Colleagues call {him} a {G|gentleman}.
    """)
ETHNICITY = _told("""
    summary
    I moved here from {land} in {year} and have worked ever since. / Originally from {land}, I have settled in the area for good.
    Proud {eth} professional, first in the family with a degree. / {nat} {?|national} with full right to work.
    {nat} {?|citizen} with a valid work permit. / Currently on an {E|H-1B} {?|visa}; transfer required.
    job
    Co-chaired the {eth} employee resource group at {company}. / Was the first {eth} supervisor at this site.
    Mentored {eth} interns like myself through the ERG.
    community
    Member, National Association of {eth} Professionals / {eth} Student Union, vice president / Volunteer, {eth} Community Centre
    {eth} Heritage Month committee / Treasurer of the {eth} Business Association / Dancer in a {eth} folk group
    Secretary, {eth} Alumni Network
    personal
    {?|Nationality}: {nat} / {?|Nationality}: {nat} / {?|Citizenship}: {nat} / {?|Ethnicity}: {eth} / {?|Ethnic origin} - {eth}
    {?|Race}: {eth} / {?|Place of birth}: {land} / {?|Country of origin}: {land} / {?|Visa status}: {E|Permanent Resident}
    {?|Visa status}: {E|F-1} {?|student, OPT} until {month} {year} / {?|Immigration status}: {E|Indefinite Leave to Remain}
    {?|Passport}: {nat}
    award
    {eth} Leadership Scholarship, {year} / Outstanding {eth} Student Award, {year} / Scholar of the {eth} College Fund
    story
    {He} came from {land} as a teenager. / Born to {?|immigrants} from {land}, {he} grew up above the family shop.
    """)
RELIGION = _told("""
    summary
    As a practising {rel}, I value honesty and service. / My {rel} {?|faith} keeps me grounded.
    I need a short break for {?|Friday} {R|prayers}.
    job
    Ran the {rel} staff network alongside my day job. / Worked shorter shifts while {?|fasting} in {R|Ramadan}.
    Took unpaid leave for a year as a {R|missionary}.
    community
    {R|Church} volunteer, food pantry, {year} - present / Youth leader, {?|St. Mark's} {R|Church} / {R|Sunday school} teacher
    {rel} Student Association, president / Worship band, first {rel} {?|congregation} / {R|Mosque} open day organiser
    Langar volunteer, {?|Guru Nanak} {R|Gurdwara} / {R|Synagogue} board member / {R|Bible} study group leader
    Volunteer at the {rel} soup kitchen / Campus {R|Hillel}, events chair / Altar server and {R|parish} council member
    Teacher of {R|Quran} classes for children / Volunteer, {R|Hindu} {?|temple} festival kitchen / {R|Islamic} Relief fundraiser
    personal
    {?|Religion}: {rel} / {?|Religion}: {rel} / {?|Religion} - {rel} / {?|Faith}: {rel} / {?|Religious beliefs}: {rel}
    award
    {rel} Youth Service Award, {year} / Full scholarship from the {R|Diocese} of the region / {R|Knights of Columbus} essay prize, {year}
    story
    {He} is active in {his} {R|church}. / Raised {rel}, {he} sings in the {R|parish} choir.
    """)
DISABILITY = _told("""
    summary
    I am {D|deaf} and lip-read well. / I am {D|dyslexic} and plan my written work with care. / I have {D|cerebral palsy} and type with one hand.
    As a {D|wheelchair} {?|user} I look for step-free offices. / I am {D|autistic} and good with patterns and detail.
    Recovered from {D|cancer} in {year} and fully fit for work. / I have {D|type 1 diabetes}, which does not affect my attendance.
    I am applying under the {?|Disability Confident} scheme as a {D|disabled} candidate.
    job
    Co-led the {D|disability} employee network at {company}. / Worked from home in {year} after a {D|spinal injury}.
    Managed my {D|epilepsy} on site with an agreed plan. / Took six months off in {year} for {D|depression}; back to full hours since.
    Represented {?|staff with} {D|disabilities} like mine on the works council.
    community
    Member, National Federation of the {D|Blind} / {D|Deaf} football club, goalkeeper / Peer supporter, {D|ADHD} adults' group
    {D|Disabled} Students' Society, campaigns officer / Speaker on living with {D|bipolar disorder} / {D|Wheelchair} rugby, regional squad
    Member of the {D|Neurodiversity} at Work forum / {D|Multiple Sclerosis} Society, local branch, living with {D|MS} since {year}
    personal
    {?|Disability}: {D|hearing loss} / {?|Disability}: {D|Yes} / {?|Disability}: {D|visually impaired}
    {?|Disability status}: {D|Yes, I have a disability} / {?|Health}: {D|asthma}, otherwise fit / {?|Physically challenged}: {D|Yes (left leg)}
    {D|Disabled} veteran / {?|Adjustments}: large print because of {D|low vision} / I use {D|hearing aids} and prefer e-mail to phone calls.
    award
    Scholarship for {?|students with} {D|disabilities}, {year} / {D|Paralympic} trials, 100 m, {year}
    story
    {He} lost {his} {D|sight} at twenty and works with a {D|screen reader}. / {He} has {D|Tourette's} and jokes about it.
    """)
MARITAL = _told("""
    summary
    I am {marital} with {?|no children} and free to travel. / I am {marital} and ready to move. / Relocating with my {spouse} this summer.
    A {M|military spouse}, I have adapted to six postings. / As a {M|single} {?|parent} I value fixed hours.
    job
    Left when my {spouse} was posted abroad. / Ran the shop together with my {spouse} until {year}.
    Cut my hours to care for my {spouse} after an accident. / Took {M|parental} {?|leave} until {month} {year}.
    community
    Host family for exchange students, with my {spouse} / {M|Widowed} and young support group, member
    {?|Single Parents}' forum, organised after my {M|divorce}
    personal
    {?|Marital status}: {Marital} / {?|Marital status}: {marital} / {?|Marital Status}: {Marital} / {?|Marital Status} : {Marital}
    {?|Marital status} - {Marital} / {?|Civil status}: {marital} / {?|Family status}: {marital} / {?|Status}: {Marital}, {?|2 children}
    {Marital}, {?|one daughter} / {Marital}, {?|no children} / {M|Married} since {year}, {?|two sons} / {?|Spouse}: {other}
    {M|Engaged} to be {M|married} in {month}
    story
    {He} lives near the station with {his} {spouse}. / {He} and {his} {spouse} keep hens.
    """)
ORIENTATION = _told("""
    summary
    I am {O|gay} and look for an open-minded team. / Openly {O|lesbian} at work since {year}.
    I am a {O|bisexual} person who values plain speech. / A proud member of the {O|LGBTQ+} community, I care about fair workplaces.
    job
    Co-chaired the {O|LGBTQ} employee resource group at {company}. / Joined the {O|Pride} network and ran its newsletter.
    Came out as {O|transgender} in this post with the support of my manager. / Set up the first {O|LGBT+} staff network, being {O|queer} myself.
    community
    {O|Pride} in London, steward / {O|LGBT} Chamber of Commerce, member / {O|Gay-Straight} Alliance, president
    {O|LGBTQ+} Center, front desk volunteer / {O|Queer} Student Union, treasurer / {O|Gay} and {O|Lesbian} Chorus, member
    {O|Lesbian} and {O|Gay} Bar Association / {O|Trans} youth helpline, peer listener / {?|Out in Tech}, {O|LGBTQ+} mentor
    Organiser, {O|Bi} Visibility Week / {O|Out & Equal} Workplace Summit, delegate
    personal
    {?|Sexual orientation}: {O|heterosexual} / {?|Sexual orientation}: {O|bisexual} / {?|Sexual orientation}: {O|Gay}
    {?|Sexual orientation} - {O|straight} / {?|Orientation}: {O|queer}
    award
    Point Foundation {O|LGBTQ} scholar / {O|Pride} Role Model of the Year, {year} / {O|Gay} Games, bronze in swimming, {year}
    story
    {He} came out as {O|bisexual} and mentors others. / {He} volunteers for the city's {O|Pride} march.
    """)
