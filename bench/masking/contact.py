"""How to reach a person: addresses, phone numbers, e-mail and web addresses, dates of birth."""

import re
from random import Random

from masking import contact_unseen as unseen
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
    "unseen": unseen.CITIES,
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
    "unseen": unseen.STREETS,
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
    "unseen": unseen.HOSTS,
}
#: Ends of people's own domains.
ENDINGS = {"open": "dev", "unseen": "co"}
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
    if which in {"third", "fourth", "unseen"}:
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
        "unseen": [
            each.format(slug=slug, flat=flat, code=code, low=person.slug("_"), dot=person.slug("."))
            for each in unseen.URLS
        ],
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
        "unseen": (
            f"{day:02d}/{month:02d}/{year}",
            f"{day}{_th(day)} {name[:3]} {year}",
            f"{day} {name} {year}",
            f"{month:02d}-{day:02d}-{year}",
            f"{name} {day}, {year}",
            f"{day:02d}.{month:02d}.{year % 100:02d}",
        ),
    }[which]
    return mark("DOB", rng.choice(forms))


def _th(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
