"""How to reach a person: addresses, phone numbers, e-mail and web addresses, dates of birth."""

import re
from random import Random

from masking.marked import Marked, mark
from masking.person import Person, words_of

HOME = {
    "english": ("US", "GB", "CA", "AU"),
    "african_american": ("US",),
    "hispanic": ("US", "MX", "ES"),
    "west_african": ("US", "NG", "GB"),
    "slavic": ("US", "PL", "DE"),
    "european": ("DE", "FR", "US", "GB"),
    "south_asian": ("US", "IN", "GB"),
    "chinese": ("US", "CN", "CA"),
    "vietnamese": ("US", "VN", "AU"),
    "arabic": ("US", "AE", "FR"),
    "korean": ("US", "KR", "CA"),
}
CITIES = {
    "open": {
        "US": ("Chicago, IL 60614", "Austin, TX 78704", "Columbus, OH 43215", "Tacoma, WA 98402", "Newark, NJ 07102"),
        "GB": ("Leeds LS6 2AB", "Bristol BS1 4DJ", "London SE1 7PB"),
        "CA": ("Toronto, ON M5V 2T6", "Calgary, AB T2P 1J9"),
        "AU": ("Footscray VIC 3011", "Parramatta NSW 2150"),
        "MX": ("06700 Ciudad de México, CDMX", "44160 Guadalajara, Jal."),
        "ES": ("28013 Madrid", "41004 Sevilla"),
        "NG": ("Ikeja, Lagos 100271", "Wuse II, Abuja 904101"),
        "PL": ("00-132 Warszawa", "30-059 Kraków"),
        "DE": ("10117 Berlin", "80331 München"),
        "FR": ("75011 Paris", "69003 Lyon"),
        "IN": ("Pune 411001, Maharashtra", "Bengaluru 560034, Karnataka"),
        "CN": ("Haidian District, Beijing 100084", "Pudong, Shanghai 200120"),
        "VN": ("Quận 1, TP. Hồ Chí Minh 700000", "Ba Đình, Hà Nội 118000"),
        "AE": ("Al Barsha 1, Dubai", "Khalifa City, Abu Dhabi"),
        "KR": ("Mapo-gu, Seoul 04001", "Haeundae-gu, Busan 48094"),
    },
    "held": {
        "US": (
            "Denver, CO 80203",
            "Raleigh, NC 27601",
            "Tucson, AZ 85719",
            "Boston, MA 02118",
            "Fresno, CA 93721-2218",
        ),
        "GB": ("Cardiff CF10 3AT", "Glasgow G12 8QQ", "Manchester M4 5JW"),
        "CA": ("Halifax, NS B3J 1S9", "Surrey, BC V3T 4W4"),
        "AU": ("Fremantle WA 6160", "Cabramatta NSW 2166"),
        "MX": ("64000 Monterrey, N.L.", "72000 Puebla, Pue."),
        "ES": ("08028 Barcelona", "46002 Valencia"),
        "NG": ("Lekki Phase 1, Lagos 106104", "Bodija, Ibadan 200221"),
        "PL": ("50-370 Wrocław", "80-233 Gdańsk"),
        "DE": ("20095 Hamburg", "50667 Köln"),
        "FR": ("33000 Bordeaux", "13001 Marseille"),
        "IN": ("Hyderabad 500081, Telangana", "New Delhi - 110 016"),
        "CN": ("Tianhe District, Guangzhou 510630", "Xihu District, Hangzhou 310012"),
        "VN": ("Hải Châu, Đà Nẵng 550000", "Quận 7, TP. Hồ Chí Minh"),
        "AE": ("Jumeirah Village Circle, Dubai", "Al Nahda, Sharjah"),
        "KR": ("Yuseong-gu, Daejeon 34141", "Suseong-gu, Daegu 42087"),
    },
    "third": {
        "US": (
            "Boise, ID 83702",
            "Omaha NE 68102-1402",
            "Baltimore, Maryland 21201",
            "Tampa, FL 33602",
            "El Paso, TX 79901",
        ),
        "GB": ("Norwich NR2 1TF", "Newcastle upon Tyne NE1 6EE", "Swansea, SA1 3SN"),
        "CA": ("Winnipeg MB R3C 0V8", "Gatineau (Québec) J8X 3X2"),
        "AU": ("Geelong VIC 3220", "Toowoomba QLD 4350"),
        "MX": ("C.P. 97000 Mérida, Yucatán", "22000 Tijuana, B.C."),
        "ES": ("29001 Málaga", "50003 Zaragoza"),
        "NG": ("GRA, Port Harcourt 500272", "Garki, Abuja"),
        "PL": ("90-001 Łódź", "20-029 Lublin"),
        "DE": ("D-04109 Leipzig", "70173 Stuttgart"),
        "FR": ("59000 Lille", "F-31000 Toulouse"),
        "IN": ("Kochi - 682 016, Kerala", "Jaipur, Rajasthan 302001"),
        "CN": ("Nanshan District, Shenzhen 518052", "Jinjiang District, Chengdu 610021"),
        "VN": ("Ninh Kiều, Cần Thơ", "Hải An, Hải Phòng 180000", "Đà Lạt 670000"),
        "AE": ("Deira, Dubai (P.O. Box 4410)", "Al Ain"),
        "KR": ("Namdong-gu, Incheon 21565", "Suwon, Gyeonggi 16490", "Jeonju 54995"),
    },
    "fourth": {
        "US": (
            "Duluth, MN 55802",
            "Savannah GA 31401",
            "Sioux Falls, S.D. 57104-3308",
            "Paris, TX 75460",
            "Lincoln, Nebraska 68508",
            "Bend, OR 97701",
        ),
        "GB": ("Exeter EX1 1HB", "Aberdeen, AB10 1AQ", "Bath, BA1 1RG", "Lisburn BT28 1LA"),
        "CA": ("Saskatoon, SK S7K 0J5", "London ON N6A 3N7", "Trois-Rivières QC G9A 5H7"),
        "AU": ("Ballarat VIC 3350", "Cairns, Qld 4870"),
        "MX": ("20000 Aguascalientes, Ags.", "C.P. 68000, Oaxaca de Juárez"),
        "ES": ("15001 A Coruña", "48001 Bilbao (Bizkaia)"),
        "NG": ("Enugu 400102", "Surulere, Lagos", "Kaduna"),
        "PL": ("61-001 Poznań", "85-005 Bydgoszcz"),
        "DE": ("01067 Dresden", "D-28195 Bremen"),
        "FR": ("35000 Rennes", "06000 Nice"),
        "IN": ("Nagpur 440 001 (MS)", "Coimbatore - 641002", "Kolkata 700029, West Bengal"),
        "CN": ("Jianghan District, Wuhan 430022", "Siming District, Xiamen 361001"),
        "VN": ("TP. Huế, Thừa Thiên Huế", "Biên Hòa, Đồng Nai 76000", "Thủ Đức, TP.HCM"),
        "AE": ("Al Reem Island, Abu Dhabi", "Ajman"),
        "KR": ("Buk-gu, Gwangju 61186", "Changwon-si 51435"),
    },
}
STREETS = {
    "open": {
        "US": ("{n} W Fullerton Ave Apt 3B", "{n} Maple Street", "{n} N. 5th St, Unit {k}", "P.O. Box {n}"),
        "GB": ("Flat {k}, {n} Victoria Road", "{n} Mill Lane"),
        "EU": ("Lindenstraße {n}", "{n} rue des Lilas", "Calle Mayor {n}, {k}.º B", "ul. Długa {n}/{k}"),
        "XX": (
            "Flat No. {k}, Sunrise Apartments, MG Road",
            "No. {n} Zhongguancun Street, Building {k}",
            "{n} Broad Street",
        ),
    },
    "held": {
        "US": (
            "{n} Larkspur Dr.",
            "{n} East 17th Avenue, Apt. {k}",
            "{n} Old Mill Rd #{k}",
            "{n} Sycamore Blvd, Suite {k}00",
        ),
        "GB": ("{n}{a} Clifton Terrace", "{n} Station Approach"),
        "EU": ("Am Kirchplatz {n}", "{n}, avenue Jean Jaurès", "C/ Sant Pere, {n}, {k}º 2ª", "Königsallee {n}{a}"),
        "XX": ("House {n}, Road {k}, Sector 11", "Room {k}01, Block {n}, Garden Plaza", "Villa {n}, Street {k}{a}"),
    },
    "third": {
        "US": ("{n} NW 12th Ter", "{n}-B Cottonwood Ct", "{n} County Road {k}10", "{n} Alameda Pkwy Bldg {k}"),
        "GB": ("The Old Forge, {n} Quay Hill", "{n} Harbour Row", "Top Floor Flat, {n}{a} Wharf Street"),
        "EU": (
            "Gartenweg {n}{a}",
            "{n} bis, boulevard Carnot",
            "Avda. del Puerto, {n} - {k}.ª planta",
            "os. Zielone {n} m. {k}",
        ),
        "XX": ("#{k}-{n}, Lake View Towers", "H. No. {k}/{n}, Station Road", "Unit {k}0{k}, {n} Binhe Avenue"),
    },
    "fourth": {
        "US": (
            "{n} SE Juniper Loop",
            "{n} 1/2 Front St",
            "RR {k} Box {n}",
            "{n} Highway {k}9 N, Lot {k}",
            "{n} The Esplanade",
        ),
        "GB": ("Flat {k}/{a}, {n} Tower Hill", "{n} Cooper's Yard", "Rose Cottage, Nether Lane"),
        "EU": ("Hauptstr. {n}", "{n} ter, quai de la Gare", "Pza. de la Paz {n}, bajo", "al. Róż {n}{a}"),
        "XX": ("Plot {n}, Phase {k}", "{n}/{k} Ring Road, Flat {k}{a}", "No. {n}, Lane {k}, Harbour Road"),
    },
}
STREETS_OF = {
    "US": "US",
    "CA": "US",
    "AU": "US",
    "GB": "GB",
    "DE": "EU",
    "FR": "EU",
    "ES": "EU",
    "PL": "EU",
    "MX": "EU",
}
PHONES = {
    "US": ("(312) 555-{4}", "312-555-{4}", "312.555.{4}", "+1 312 555 {4}", "1-512-555-{4}", "+1 (512) 555-{4}"),
    "GB": ("07700 900{3}", "+44 7700 900{3}", "+44 (0)20 7946 0{3}", "0113 496 0{3}"),
    "CA": ("(416) 555-{4}", "+1-403-555-{4}"),
    "AU": ("0491 570 {3}", "+61 491 570 {3}"),
    "MX": ("+52 55 1234 {4}", "(33) 3615-{4}"),
    "ES": ("+34 612 34 56 {2}", "612 345 6{2}"),
    "NG": ("+234 803 123 {4}", "0803 123 {4}"),
    "PL": ("+48 512 345 {3}", "512-345-{3}"),
    "DE": ("+49 151 2345{4}", "030 901820-{2}", "0171/123{4}"),
    "FR": ("+33 6 12 34 56 {2}", "06 12 34 56 {2}", "06.12.34.56.{2}"),
    "IN": ("+91 98765 4{4}", "+91-98765-4{4}", "098765 4{4}"),
    "CN": ("+86 138 1234 {4}", "138-1234-{4}"),
    "VN": ("+84 91 234 {4}", "091 234 {4}"),
    "AE": ("+971 50 123 {4}", "050 123 {4}"),
    "KR": ("+82 10-1234-{4}", "010-1234-{4}"),
}
MAIL = {
    "open": ("gmail.com", "outlook.com", "mail.example.co.uk", "yahoo.com", "web.de", "163.com"),
    "held": (
        "hotmail.com",
        "icloud.com",
        "proton.me",
        "btinternet.com",
        "posteo.de",
        "naver.com",
        "alumni.example.edu",
    ),
    "third": (
        "aol.com",
        "fastmail.com",
        "gmx.net",
        "rediffmail.com",
        "qq.com",
        "comcast.net",
        "me.com",
        "mail.example.org",
    ),
    "fourth": (
        "hey.com",
        "ymail.com",
        "tutanota.com",
        "zoho.in",
        "orange.fr",
        "wp.pl",
        "sbcglobal.net",
        "live.co.uk",
        "mac.com",
        "students.example.ac.uk",
    ),
}
#: Ends of people's own domains.
ENDINGS = {"open": "dev", "held": "io", "third": "name", "fourth": "me"}
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
MONTHS += ("November", "December")


def phone(country: str, rng: Random) -> Marked:
    pattern = rng.choice(PHONES[country])
    for digits in "432":
        pattern = pattern.replace(f"{{{digits}}}", str(rng.randrange(10 ** int(digits))).zfill(int(digits)))
    return mark("PHONE", pattern)


def address(which: str, country: str, avoided: frozenset[str], rng: Random) -> Marked:
    """Return a street address; none of its words is one of those avoided."""
    street = rng.choice(STREETS[which][STREETS_OF.get(country, "XX")])
    number, flat, letter = rng.randrange(3, 1900), rng.randrange(2, 9), rng.choice("abc")
    street = street.replace("{n}", str(number)).replace("{k}", str(flat)).replace("{a}", letter)
    text = f"{street}, {rng.choice(CITIES[which][country])}"
    return mark("ADDRESS", text) if not words_of(text) & avoided else address(which, country, avoided, rng)


def town(which: str, country: str, avoided: frozenset[str], rng: Random) -> Marked:
    """Return a town alone, which may be masked or not."""
    places = [place.rstrip("0123456789- ") for place in CITIES[which][country]]
    if which in {"third", "fourth"}:
        # British and Canadian postcodes end in letters.
        places = [re.sub(r",? [A-Z]{1,2}\d+[A-Z]? \d[A-Z]*$", "", place) for place in places]
    return mark("?", rng.choice([place for place in places if not words_of(place) & avoided] or ["Springfield"]))


def email(which: str, person: Person, rng: Random) -> Marked:
    year = str(rng.randrange(70, 99))
    slug, flat = person.slug("."), person.slug("")
    # Some local parts say nothing about the name.
    local = rng.choice(
        (
            slug,
            slug,
            flat,
            person.slug("_"),
            flat + year,
            f"{flat[0]}.{person.slug('.').rsplit('.', maxsplit=1)[-1]}",
            person.slug("-"),
            f"{slug}+jobs",
            f"{person.slug('_')}_19{year}",
            "contact",
            f"data{rng.randrange(100, 999)}",
        )
    )
    host = rng.choice(MAIL[which]) if rng.random() < 0.9 else f"{flat}.{ENDINGS[which]}"
    text = f"{local}@{host}"
    if rng.random() < 0.05:
        text = text.title() if which == "open" else text.upper()
    if rng.random() < 0.01:
        text = text.replace("@", " [at] " if which == "open" else " (at) ")
    return mark("EMAIL", text)


def urls(which: str, person: Person, rng: Random) -> list[Marked]:
    """Return one to three web addresses, most with the person's name in them."""
    slug, flat = person.slug("-"), person.slug("")
    code = f"{rng.randrange(16**5):05x}"
    forms = {
        "open": (
            f"https://www.linkedin.com/in/{slug}-{code}",
            f"linkedin.com/in/{flat}",
            f"github.com/{flat}",
            f"https://github.com/{person.slug('')}{code[:2]}",
            f"{flat}.dev/cv",
            f"www.{slug}.com",
            f"https://orcid.org/0000-0002-{rng.randrange(1000, 9999)}-{rng.randrange(1000, 9999)}",
        ),
        "held": (
            f"http://linkedin.com/in/{slug}/",
            f"www.linkedin.com/in/{person.slug('')}-{code}",
            f"gitlab.com/{slug}",
            f"https://{flat}.github.io",
            f"behance.net/{flat}",
            f"https://medium.com/@{person.slug('.')}",
            f"{slug}.me",
            f"https://scholar.google.com/citations?user={code}AAAAJ&hl=en",
            f"{flat}.co.uk/portfolio",
        ),
        "third": (
            f"https://uk.linkedin.com/in/{slug}-{code}?trk=profile",
            f"LinkedIn.com/in/{slug}",
            f"https://{slug}.carrd.co",
            f"bitbucket.org/{person.slug('_')}",
            f"{flat}.net",
            f"https://www.researchgate.net/profile/{person.slug('-').title()}",
            f"xing.com/profile/{person.slug('_').title()}",
            f"https://www.kaggle.com/{flat}{code[:2]}",
            f"http://www.{slug}.name/about.html",
        ),
        "fourth": (
            f"HTTPS://LINKEDIN.COM/IN/{slug.upper()}",
            f"www.linkedin.com/pub/{slug}/{code[:2]}/{code[2:]}",
            f"linkedin.com/in/{person.slug('_')}/en",
            f"https://about.me/{flat}",
            f"codeberg.org/{slug}",
            f"{slug}.substack.com",
            f"https://dribbble.com/{flat}{code[:2]}",
            f"soundcloud.com/{slug}-{code[:3]}",
            f"instagram.com/{person.slug('.')}",
            f"https://www.imdb.com/name/nm{int(code, 16):07d}/",
            f"youtube.com/@{flat}",
            f"{flat}.me/work?ref=cv",
        ),
    }[which]
    return [mark("URL", form) for form in rng.sample(forms, rng.choice((1, 1, 2, 3)))]


def birth(which: str, rng: Random) -> Marked:
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1965, 2000)
    name = MONTHS[month - 1]
    forms = {
        "open": (
            f"{day:02d}/{month:02d}/{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
        ),
        "held": (
            f"{day:02d}.{month:02d}.{year}",
            f"{day:02d}-{name[:3]}-{year}",
            f"{name[:3]} {day}, {year}",
            f"{day}{_th(day)} {name} {year}",
        ),
        "third": (
            f"{month}/{day}/{year}",
            f"{day}. {name} {year}",
            f"{day:02d} {name[:3].upper()} {year}",
            f"{name} {day}{_th(day)}, {year}",
            f"{year}.{month:02d}.{day:02d}",
        ),
        "fourth": (
            f"{day}/{month}/{year % 100:02d}",
            f"{day:02d} {month:02d} {year}",
            f"{name.upper()} {day}, {year}",
            f"the {day}{_th(day)} of {name} {year}",
            f"{day}-{name[:3].lower()}-{year}",
            f"{name[:3]}. {day}, {year}",
            f"{year}/{month:02d}/{day:02d}",
        ),
    }[which]
    return mark("DOB", rng.choice(forms))


def _th(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
