"""The unseen set's work: fields, companies, schools, ordinary sentences and traps. Items are divided by semicolons, sentences by lines or strokes."""
# ruff: noqa: E501 - tables of sentences

Field = tuple[float, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for line in text.strip().splitlines() for part in line.split(" / "))


def _items(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(";"))


def _field(share: float, titles: str, skills: str, objects: str, bullets: str) -> Field:
    return share, _items(titles), _items(skills), _items(objects), _lines(bullets)


#: field: (share among women, titles, skills, what they work on, bullets)
FIELDS = {
    "warehouse": _field(
        0.3,
        "Warehouse Associate; HGV Driver; Forklift Operator; Dispatch Coordinator; Picker Packer",
        "order picking; RF scanners; reach truck; CDL Class A; tachograph rules; stock counts; manual handling; SAP EWM; load planning",
        "the inbound dock; cycle counts; the returns area; the night despatch; the cold store; route sheets; pallet storage",
        """Picked an average of 140 lines per hour with 99.6% accuracy.
        Drove a Ford F-150 and a 26-tonne Mercedes on multi-drop routes across three counties.
        Loaded white goods, garden furniture and girls' and boys' bikes for next-day delivery.
        Separated damaged stock and raised RTV paperwork the same shift.
        Checked blind spots, lights and tyres before every run and kept a clean licence.
        Handled peak on Cyber Monday: 11,400 parcels in one night with 22 temps.
        Saved 300 man-hours a year by moving fast sellers close to the dock.""",
    ),
    "care": _field(
        0.8,
        "Healthcare Assistant; Support Worker; Home Health Aide; Senior Carer; Certified Nursing Assistant",
        "personal care; moving and handling; medication administration; safeguarding; care plans; dementia care; PEG feeding; food hygiene",
        "care plans; the medication round; the activities programme; the dementia unit; family meetings; home visits; the handover sheet",
        """Supported adults with autism and learning disabilities to shop, cook and travel on their own.
        Cared for residents with Parkinson's, Alzheimer's and diabetes in a 48-bed home.
        Used hoists, slide sheets and wheelchairs safely and reported faulty ones.
        Gave palliative care at night and sat with relatives in the last hours.
        Assisted male and female residents with washing and dressing while keeping their dignity.
        Signed medication charts and counted controlled drugs with a second member of staff.
        Walked clients who are visually impaired to the day centre and read letters aloud.""",
    ),
    "retail": _field(
        0.6,
        "Sales Assistant; Store Manager; Visual Merchandiser; Cashier; Department Supervisor",
        "POS systems; cash handling; stock control; visual merchandising; upselling; Shopify; loss prevention; customer service; rota planning",
        "the fitting rooms; the summer window; click and collect; the stock take; the till area; the loyalty card; the stockroom",
        """Ran the men's footwear and ladies' knitwear departments with a team of nine.
        Sold Christian Dior, Tommy Hilfiger and Stella McCartney lines at full price.
        Cashed up four tills daily and banked takings of up to 18,000. / Helped brides, grooms and mothers of the bride choose outfits for the day.
        Opened the store at 6 am and polished the glass before the first customer.
        Sorted returns of single items and pairs; shrinkage fell to 0.8%. / Built displays for Mother's Day, Halloween and Father's Day.""",
    ),
    "hospitality": _field(
        0.5,
        "Chef de Partie; Head Waiter; Bartender; Front Desk Agent; Housekeeping Supervisor",
        "HACCP; mise en place; Opera PMS; wine service; allergen control; barista skills; banqueting; stock rotation; cash-up",
        "the breakfast buffet; the wine list; the function room; the reservations desk; linen stock; the tasting menu; the bar stock",
        """Cooked Italian, Thai and Lebanese dishes for 120 covers a night. / Baked Danish pastries, French sticks and Victoria sponges from 4 am.
        Poured single malts, White Russians and Bloody Marys behind a 14-metre bar.
        Roasted turkey, carved ham and dressed Greek salads for weddings of up to 300 guests.
        Listed rooms on Booking.com and kept parity with our own rates. / Prepared halal, kosher and vegan menus and labelled all 14 allergens.
        Turned 16 rooms a shift, king and queen beds, without a single complaint.""",
    ),
    "law": _field(
        0.55,
        "Paralegal; Associate Attorney; Legal Secretary; Solicitor; Compliance Officer",
        "legal research; Westlaw; drafting; e-discovery; conveyancing; contract review; court filing; case management; GDPR",
        "the disclosure bundle; a contract library; the sanctions screen; client onboarding; the lease review; trial binders; the complaints log",
        """Drafted briefs in a class action on sex and race discrimination; the case settled before trial.
        Kept the Chinese wall between the deal team and the trading desk. / Prepared divorce, probate and adoption files for signature.
        Filed motions in case no. 22-cv-01843 and tracked 60 deadlines. / Advised immigrants and asylum seekers on visa applications and appeals.
        Reviewed employment contracts for maternity and sick pay clauses. / Translated Portuguese and Russian exhibits with certified interpreters.""",
    ),
    "public": _field(
        0.5,
        "Policy Officer; Caseworker; Administrative Assistant; Town Planner; Benefits Adviser",
        "minute taking; stakeholder engagement; Microsoft Office; FOI requests; budget monitoring; data entry; report writing; procurement",
        "the consultation; housing applications; the grants programme; council minutes; the correspondence unit; parking permits; the open data portal",
        """Processed disability benefit claims and explained decisions by phone. / Wrote the ethnicity and religion chapter of the census report.
        Ran consultations in Bengali, Somali and Urdu with community interpreters.
        Registered births, marriages and deaths for a district of 90,000 people.
        Answered 40 letters a week on behalf of the mayor and the cabinet.
        Checked wheelchair access at 31 polling stations before the May election. / Mapped green spaces and brownfield land in QGIS.""",
    ),
    "science": _field(
        0.5,
        "Research Assistant; Laboratory Technician; Postdoctoral Researcher; Research Scientist; Clinical Data Manager",
        "PCR; flow cytometry; R; HPLC; cell culture; GraphPad Prism; ELISA; LaTeX; mass spectrometry; GLP",
        "the freezer inventory; a sequencing run; the imaging pipeline; growth assays; the trial database; a dose study; sample tracking",
        """Counted daughter cells per mother cell in yeast and modelled ageing.
        Aligned a He-Ne laser and taught Gay-Lussac's law in first-year practicals.
        Bred transgenic mice, kept male and female animals apart and logged every litter.
        Ran a double-blind trial in women with breast cancer at four sites. / Studied hearing loss and tinnitus in factory workers.
        Stained red and white blood cells and poured 200 Petri dishes a week. / Wrote code for race, age and sex adjustment of kidney values.""",
    ),
    "trades": _field(
        0.15,
        "Electrician; Plumber; Carpenter; HVAC Technician; Site Supervisor",
        "18th Edition; blueprint reading; soldering; first fix; OSHA 30; CSCS card; pipe fitting; Revit; brazing; scaffolding",
        "the rewire; boiler installs; kitchen fitting; the roof truss order; the snag list; test certificates; the site induction",
        """Fitted male and female connectors, Venetian blinds and blind rivets on site.
        French polished oak doors and laid Roman tiles in a listed house. / Disabled and isolated supplies before work and hung lock-out tags.
        Inspected manholes, dead legs and black water pipes. / Ran a gang of six with Stanley knives, Allen keys and a good spirit level.
        Hung bi-fold doors and straight flights of stairs in 42 new homes. / Wired a {?|mosque}, two schools and a {?|Methodist} {?|church} hall.""",
    ),
    "support": _field(
        0.45,
        "IT Support Analyst; Data Analyst; Web Developer; Systems Administrator; QA Tester",
        "Active Directory; SQL; JavaScript; Tableau; Azure; ServiceNow; Selenium; Excel; Python; Bash; Jira; Oracle",
        "the ticket queue; the laptop refresh; a sales dashboard; nightly backups; the booking app; test scripts; the phone system",
        """Resolved 35 tickets a day and kept the first-contact fix rate at 81%. / Tested with screen readers so that blind and deaf users can book.
        Cut the API from 420 ms to 90 ms and removed orphaned records. / Married two customer databases and dropped duplicate M/F flags.
        Set parent and child tasks in Jira and disabled stale accounts weekly. / Localised the shop for the Polish, Japanese and Brazilian markets.
        Patched master and slave name servers without an outage.""",
    ),
    "office": _field(
        0.7,
        "Office Manager; HR Coordinator; Executive Assistant; Bookkeeper; Payroll Specialist",
        "Outlook; QuickBooks; Sage 50; diary management; onboarding; travel booking; minute taking; Workday; Xero; proofreading",
        "the payroll run; the visitor desk; expense claims; the board pack; induction days; the supplier list; the training calendar",
        """Ran monthly payroll for 260 staff including maternity, paternity and sick pay.
        Planned the diversity calendar: {?|Diwali}, {?|Black} History Month, {?|Pride} and International {?|Women's} Day.
        Booked flights to Korea, Turkey and Mexico for eleven executives. / Chased aged debt and single-handedly cleared a backlog of 900 invoices.
        Ordered white boards, brown envelopes and Indian ink. / Kept files on marital status, next of kin and date of birth up to date in Workday.
        Welcomed visitors, sorted post and kept minutes for the partners.""",
    ),
}
VERBS = _items(
    "Reorganised; Looked after; Coordinated; Ran; Set up; Handled; Audited; Kept track of; Redesigned; Helped with"
)
CONTEXTS = _lines(
    """with a small team / for {n} customers a week / at two sites / during the busiest months / on a budget of {money}
        after the move to new premises / while covering for a colleague / with support from {company} / in line with company policy
        from {month} to {month} {year} / under tight deadlines / during the {year} refurbishment / for branches in three states"""
)
RESULTS = _lines(
    """reducing errors by {pct}% / cutting costs by {pct}% / which saved {k} hours every week / earning a bonus in {year}
        with full marks in the yearly inspection / and trained {k} new starters / ahead of schedule / and reported results to head office
        without any lost-time accidents / which raised ratings to 4.{k} stars"""
)
TRAPS = _lines(
    """Fluent in Hindi, Tagalog and English; learning German. / Took pride in a tidy workplace and straight answers.
        Engaged with suppliers in China, Brazil and South Africa. / Will work weekends and may travel up to {pct}% of the time.
        Grew sales in the Hispanic and Asian-American segments by {pct}%. / Sold Swiss watches, Persian rugs and bone china at auction.
        Learned the basics of animal husbandry, bees and rainbow trout. / Raised the {?|Christmas} appeal total from 4,000 to 9,500.
        Cleaned and waxed floors to a high polish. / Kept a single point of contact for each partner.
        Served as liaison between the parent firm and its sister companies. / Set type by hand and fixed widows and orphans on every page.
        Dealt with order 4500012345 and part 555-0199-B within a day. / Taught evening classes in British Sign Language and Braille.
        Negotiated with unions, French customs and the Port of Singapore. / Wrote that a fair price wins; it did, {k} years in a row.
        Completed unconscious bias, disability awareness and manual handling training. / Visited plants in Jordan, Georgia and the Philippines.
        Played {?|King} Lear and Lady Macbeth in the staff theatre. / Updated product pages for pregnancy tests, bras and beard oil.
        Knows Mr. Coffee machines, Dr Pepper vending and Mrs Meyer's products. / Reported on the Chinese economy, Black Sea grain and Russian gas.
        Fed results into the Gender Pay Gap report of {year}. / Led a women's health project and a men's grooming launch.
        Introduced flexible hours for parents, carers and older workers. / Drove a white van, a black cab and, once, a double-decker.
        Tested the male voice of the navigation system against the female one. / Recruited volunteers with disabilities for user research.
        Put in new ramps, hearing loops and large-print signs for guests. / Gave tours in Japanese and Cantonese at the Irish whiskey museum.
        Interviewed veterans, refugees and single mothers for a radio series. / Handed out 2,000 flyers for the Notting Hill Carnival.
        Opened branches in Georgia, Virginia and Maryland. / Answered to the chair of governors and to the bursar. / Maintained African violets, Japanese maples and English roses.
        Never blind to risk, never deaf to feedback. / Shipped version 3.14.2 on 02/10/{year} to 1,200,000 devices.
        Explained epilepsy medicines and asthma inhalers to customers. / Kept up with catholic reading and orthodox accounting.
        Managed Victoria House, Grace House and Jackson Court, three blocks with 180 flats. / Looked after the Hope Street, Dean Road and Kelly Avenue branches."""
)
SUMMARY = _lines(
    """{title} with over {k} years' experience in {industry}. Reliable, punctual and a good team player.
        Results-driven {title} with a proven track record in {industry}. Strong communicator who works well under pressure.
        Hard-working {title} seeking a permanent role in {industry}. Available at short notice, full UK driving licence.
        Detail-oriented {title} with {k}+ years in {industry}. Used to shifts, targets and demanding customers.
        I am a motivated {title} and have spent {k} years in {industry}. I learn fast and enjoy working with people.
        To obtain a position as {title} where my skills in {industry} will be of use to the company."""
)
THIRD = _lines(
    """{first} has worked in {industry} for {k} years. {He} started at {company} and {his} manager still asks {him} for advice.
        {full} is a {title} with a background in {industry}. {He} trains new staff and {he} enjoys it.
        {Mr} {last} joined {company} in {year} as a trainee. Today {he} looks after {n} people; {his} door is open.
        A {title} for {k} years, {first} knows {industry} from the shop floor up. Colleagues trust {him} with the keys."""
)
INDUSTRIES = _items(
    "the service sector; social care; the building trade; local government; food retail; biotech; professional services; transport"
)
COMPANIES = _items(
    """Harlow & Finch Ltd; Tesco; Royal Mail; St Luke's Hospital Trust; Marriott Hotels; Northern Star Bakery; Whitestone Builders;
    Kenya Airways; Texas Roadhouse; Jackson Hewitt; Bluebell Care Group; Deutsche Post; Oakfield Council; Thornbury Motors;
    Crown Estates; Pacific Rim Foods; Redwood Legal LLP; McKinley Elementary; Wells Fargo; Amazon; Vantage Labs; Peak Scaffolding;
    Sterling Dental; Mason & Daughters; Black & Decker; Dutch Bros Coffee; Tata Consultancy Services; Samsung Electronics; Goodlife Gyms"""
)
SCHOOLS = _items(
    """University of Sheffield; Arizona State University; Miami Dade College; Savitribai Phule Pune University; Delhi Public School;
    University of Ghana; Wake Technical Community College; Kyiv Polytechnic Institute; Warsaw University of Technology; Yonsei University;
    Fudan University; Hanoi University of Science and Technology; Cairo University; Universidad Nacional Autónoma de México;
    Morehouse College; Ealing Green High School; Universität zu Köln; Politecnico di Milano; City College of San Francisco; Trinity College Dublin"""
)
DEGREES = _items(
    """BSc (Hons) Biology; High School Diploma; NVQ Level 3 Health and Social Care; LLB Law; B.Com; B.A. in Psychology;
    Associate of Applied Science; Master of Business Administration; B.Tech (Electrical); City & Guilds Plumbing; PhD in Chemistry; A-Levels"""
)
WHEN = _lines(
    """{Y|%(b)s - %(g)s} / {Y|%(b)s – %(g)s} / {Y|%(b)s} to {Y|%(g)s} / {Y|%(g)s} / {?|%(m)s} {Y|%(g)s} / {?|Class of} {Y|%(g)s}
        Graduated {?|%(m)s} {Y|%(g)s} / {?|Sep} {Y|%(b)s} - {?|Jun} {Y|%(g)s} / Year of passing: {Y|%(g)s} / {?|09/}{Y|%(b)s} - {?|06/}{Y|%(g)s}"""
)
STUDYING = _lines("""{Y|%(b)s} - Present / Expected {?|%(m)s} {Y|%(g)s} / {Y|%(b)s} – {Y|%(g)s} (expected)""")
STUDIES = _lines("""Graduated from {college} in {grad}. / Educated at {college} ({degree}, {grad}).""")
HOBBIES = _items(
    "reading; fishing; yoga; cooking; football; hiking; knitting; video games; travelling; chess; swimming; dancing"
)
CERTIFICATES = _lines(
    """Food Hygiene Level 2, {year} / OSHA 10-Hour Card / DBS checked ({year}) / CPR and First Aid, renewed {year} / CompTIA A+
        Full clean driving licence / Prince2 Practitioner, {year} / SIA Door Supervisor"""
)
LETTER = _lines(
    """I would like to apply for the post of {title} as advertised on your website in {month}.
        I currently work at {company}, where I have been responsible for {object}. Before that I spent {k} years in {industry}.
        I am punctual, honest and happy to learn, and I may start within four weeks. / I have enclosed my CV and look forward to hearing from you."""
)
TITLES_OF_PAPERS = _lines(
    """Male and female mortality in captive finches / Black carbon in Himalayan snow / Hearing loss after loud noise: a cohort of 2,114 welders
        Single-cell sequencing of white spruce / Marriage, migration and money in rural Kenya / Christian and Muslim burial sites of medieval Spain
        A blind source separation method for EEG"""
)
JOURNALS = _items(
    "PLOS ONE; Journal of Field Biology; Annals of Applied Methods; Cell Notes; European Review of History"
)
OTHERS = _lines(
    """Reported directly to {other}, General Manager. / Trained {other_first} and {other}, who both run their own teams today.
        Covered for {mr_other} during long absences. / Line manager: {other}. / Assisted {mr_other} with the yearly stock take.
        Worked under the supervision of {other}."""
)
