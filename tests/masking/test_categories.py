"""One table of examples per category: what is masked stands in double brackets, the rest must not match."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from marked_text import unmarked

ALL = MaskOptions(optional=tuple(OPTIONAL))

MASKED = {
    "GENDER": [
        "[[She]] led the migration and trained [[her]] successor.",
        "The team thanked [[him]]; the credit was [[his]].",
        "Pronouns: [[he/they]]",
        "[[Mrs.]] and [[Mr]] were used in letters to Ola.",
        "Captain of the [[women's]] rowing team.",
        "Worked as a [[waitress]] and later as a [[saleswoman]].",
        "Joined a [[sorority]]; coached [[Boy]] Scouts.",
        "Drew up the [[paternity]] cover plan.",
        "Returned from [[paternity]] leave in spring.",
        "[[Transgender]] and [[non-binary]] staff group.",
        "Sex: [[F]]",
        "o Sex: [[F]]",
    ],
    "ETHNICITY": [
        "Mentor in the [[Black]] Engineers Association.",
        "Ethnicity: [[White British]]",
        "[[Hispanic]] Scholarship holder, [[Latina]] coder.",
        "Of [[Ghanaian]] descent.",
        "[[Mexican American]] studies club.",
        "Nationality: [[Kenyan]]",
        "[[Asian]] Employee Network lead.",
        "Son of a [[Turkish]] guest worker, of [[Punjabi]] and [[Kashmiri]] descent.",
        "The first [[Hmong]] graduate of a school; [[Ngāti Porou]] iwi member.",
        "President of the [[Polish]] Student Union.",
        "Scholarship for [[people of colour]].",
    ],
    "RELIGION": [
        "Volunteer at the [[mosque]] during [[Ramadan]].",
        "[[Sikh]] youth camp leader.",
        "Active in the [[Catholic]] choir.",
        "[[Buddhist]] reading circle.",
        "Religion: [[none]]",
        "Worked for [[Jewish]] Family Services.",
        "Organised the [[Diwali]] dinner.",
    ],
    "DISABILITY": [
        "I have [[cerebral palsy]].",
        "Coach of [[blind]] runners.",
        "Uses a [[hearing aid]] and is [[hard of hearing]].",
        "[[Dyslexia]] was diagnosed at school.",
        "Won gold at the [[Paralympics]].",
        "Disability: [[none]]",
    ],
    "MARITAL": [
        "Marital status: [[divorced]]",
        "Moved with my [[wife]] to Ghent.",
        "I am [[married]] and mobile.",
        "[[Single]], [[two children]].",
        "My [[fiancée]] works abroad.",
        "Lives with a [[civil partner]].",
    ],
    "ORIENTATION": [
        "Co-chair of the [[LGBTQIA+]] network.",
        "[[Lesbian]] film festival.",
        "Spoke at [[Pride Month]] events.",
        "I identify as [[bisexual]].",
        "Sexual orientation: [[straight]]",
    ],
    "EMAIL": [
        "Write to [[j.r-doe+jobs@mail.example.co.uk]].",
        "[[jane at example dot org]]",
        "[[jane.doe [at] example.org]]",
        "Mail: [[jane.doe@\nexample.org]]",
    ],
    "URL": [
        "See [[https://example.org/~jd?x=1]].",
        "Portfolio: [[jdoe.design]]",
        "[[www.jane-doe.net/cv]] and GitHub: [[jdoe84]]",
        "[[linkedin.com/in/jane-\ndoe]]",
        "Twitter: [[@janedoe]]",
    ],
    "PHONE": [
        "Tel. [[+44 20 7946 0958]]",
        "Mob. No. [[0321-7908833]]",
        "Call [[(312) 555-0188]] or [[312.555.0199]].",
        "Mobile: [[07700 900 123]]",
        "[[+49 151 2345 6789]]",
        "[[+91 98765 43210]] ext 4".replace(" ext 4", ""),
    ],
    "ADDRESS": [
        "Address: [[12 Elm Road, Leeds LS6 2AB]]",
        "[[77 Ocean Drive, Apt 4, Miami, FL 33139]]",
        "[[P.O. Box 44, Austin, TX 78701]]",
        "[[12 rue de la Paix, 75002 Paris]]",
        "[[Calle Mayor 12, 28013 Madrid]]",
    ],
    "DOB": [
        "Date of birth: [[3 May 1988]]",
        "Born on [[1988-05-03]] in [[Lagos]].",
        "Age: [[34]]",
        "I am [[41 years old]].",
    ],
    "GRADYEAR": [
        "SSC [[2001]], HSC [[2003]], Dhaka Board",
        "Promotion [[2011]], Ecole Centrale de Lyon",
        "Studied physics at Leeds from [[2002 to 2006]].",
        "Graduated in [[2009]].",
        "Class of [[1998]]",
        "Education\nBSc Physics, Leeds, [[2004-2008]]",
    ],
    "SCHOOL": [
        "BA, [[University of Lagos]]",
        "MSc from [[Imperial College]]",
        "[[Technische Universität Dresden]]",
        "[[St. Mary's High School]]",
        "[[IIT Bombay]] and [[MIT]]",
    ],
}

MUST_NOT_MATCH = [
    # GENDER
    "A male-to-female adapter and female threads.",
    "HER2 assays, HIS and HIM systems, HE11 modes.",
    "Manned the booth, built man-in-the-middle tests, saved 40 man-hours.",
    "Sister company of Brother printers; mother tongue English; daughter boards.",
    "MS in Statistics; MS Office; never missed a release.",
    "Sold women's clothing and menswear.",
    "Nurse on the maternity ward.",
    # ETHNICITY
    "Six Sigma Black Belt; white paper; Black Friday sales; black box tests.",
    "Asian markets and Asian options; Indian Oil; Turkish Airlines; American Express.",
    "Fluent in Spanish and Vietnamese.",
    "Apache Kafka and Cherokee jeeps.",
    # RELIGION
    "Platform-agnostic design, in good faith, for the Ministry of Health.",
    "Islamic finance analyst; read The Hindu newspaper.",
    "Church numerals and the Church-Rosser theorem.",
    "Christian Dior boutique in Christian County.",
    # DISABILITY
    "Double-blind study; venetian blinds; blind carbon copy.",
    "Disabled the alerts; turned a deaf ear; bipolar transistors.",
    "Disability insurance underwriting; the Great Depression.",
    "Tested pages with screen readers for WCAG.",
    # MARITAL
    "Single sign-on, single source of truth; every single day.",
    "Partner at a law firm; partnered with sales.",
    "Married design with data; divorce law; customer engagement.",
    # ORIENTATION
    "Straight answers, a bi-annual review, and pride in the work.",
    "Asexual reproduction in plants; Pride and Prejudice.",
    # EMAIL, URL
    "Node.js, Vue.js, ASP.NET, socket.io, Booking.com and main.py.",
    "e.g. the U.S.A. office, i.e. B.Sc. holders, v2.3.1.",
    "Met at noon; looked at dot plots.",
    "npm install @angular/core with @Override methods.",
    # PHONE
    "2010 - 2015, 01/2012 - 12/2014, budget 2,500,000.",
    "ISBN 978-3-16-148410-0, invoice no. 2024-000-1123",
    # ADDRESS
    "Relocated to Chicago, Illinois.",
    "Wrote 3 reports on the way the court works.",
    # DOB
    "Since 12/04/2012 with a team of 34.",
    "Taught children aged 7 to 11.",
    # GRADYEAR
    "Joined Acme in 2012; budget of 2000 units.",
    # SCHOOL
    "The school district and the university hired us.",
]


@pytest.mark.parametrize(
    ("category", "marked"), [(category, marked) for category, rows in MASKED.items() for marked in rows]
)
def test_what_tells_a_category_is_masked(category, marked):
    text, expected = unmarked(marked)
    spans = [(span.start, span.end) for span in mask_text(text, options=ALL).spans if span.category == category]
    assert spans == expected


@pytest.mark.parametrize("text", MUST_NOT_MATCH)
def test_what_tells_nothing_is_kept(text):
    masked = mask_text(text, options=ALL)
    assert masked.text == text


def test_optional_categories_are_masked_when_asked_for_only():
    text = "Tel. +44 20 7946 0958, born on 3 May 1988, 12 Elm Road, Leeds LS6 2AB, BA, University of Lagos"
    assert mask_text(text).text == text
    assert mask_text(text, options=MaskOptions(optional=("dob",))).text.count("[DOB]") == 1


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Native speaker of Korean.", "ETHNICITY"),
        ("Sings in a mariachi band.", "ETHNICITY"),
        ("BA, Wellesley College", "GENDER"),
        ("BA, Brigham Young University", "RELIGION"),
    ],
)
def test_proxies_are_masked_in_strict_mode_only(text, category):
    assert mask_text(text).spans == ()
    assert [span.category for span in mask_text(text, options=MaskOptions(strict=True)).spans] == [category]


@pytest.mark.parametrize(
    "form",
    [
        "Civil status: [[widowed]]\nMother tongue: Vietnamese",
        "Marital status: [[single]]\nFather's occupation: farmer",
        "Marital status\t[[single]]\nMother tongue\tThai",
        "[[Permanent resident]]: yes, [[Indefinite Leave to\nRemain]]",
    ],
)
def test_a_value_ends_before_the_next_label(form):
    text, expected = unmarked(f"Devon Hartley\n\nPersonal\n{form}\n")
    told = {"MARITAL", "RELIGION", "ETHNICITY"}
    assert [(span.start, span.end) for span in mask_text(text).spans if span.category in told] == list(expected)
