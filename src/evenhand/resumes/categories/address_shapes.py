"""Addresses without a word of streets, by their shape: `Meir 55, 2000 Antwerpen`, `pr. Nauky 46, Kharkiv 61114`.

Kept: the same shape away from contact details, where no word before the street is one of addresses.
"""

import re

__all__ = ["may_be_shaped", "shaped"]

_NAME = r"[A-Z][\w'.-]{1,24}(?:[ -](?:(?:de|la|van|den|der|du|des|di|da)[ ]){0,2}[A-Z][\w'.-]{1,24}){0,3}"
_HOUSE = r"\d{1,4}[A-Za-z]?(?:[-/ ](?:\d{1,3}|[IVX]{1,4}|[A-Za-z])(?:[ ]?(?:hoog|hs))?)?"
_TOWN = r"[A-Z][\w'.-]+(?:[ -](?:(?:an|am|im|de|la|sur|le)[ -])?[A-Z(][\w'.)-]+){0,2}"
#: A street, its house, a postal code and a town are all of a piece.
_PLAIN = re.compile(
    rf"[ ]*({_NAME}(?:[ ](?:u|ul|utca|ut|ter|krt)\.?)?[ ]{_HOUSE},[ ](?:[A-Z]{{1,2}}-)?\d{{4,5}}"
    rf"[ ]{_TOWN}(?:,[ ]{_TOWN})?)[ .]*"
)
#: A street's kind in short, a house, maybe a flat, a town with its code after it.
_SLAVIC = re.compile(
    r"\b((?:[Vv]ul|[Pp]r|[Pp]rosp|[Pp]r-t|[Bb]ulv|[Pp]er|[Nn]ab|[Pp]rov|"
    rf"[Uu]l)\.[ ]?{_NAME},?[ ]\d{{1,3}}[A-Za-z]?(?:/\d+)?"
    rf"(?:,[ ](?:kv|kw|of|bud|korp|apt|app|m)\.?[ ]?\d{{1,4}}[A-Za-z]?){{0,2}},[ ](?:\d{{5,6}},?[ ])?{_TOWN}"
    r"(?:,?[ ]\d{5,6})?)"
)
#: Hungarian: a code, a town, a street with its kind, a house, maybe a floor and a door.
_HUNGARIAN = re.compile(
    rf"(?:H-)?\d{{4}} {_TOWN},[ ]{_NAME}[ ](?:[Uu]tca|[Uu]\.|[Uu]t|\u00fat|\u00dat|[Tt]\u00e9r|[Tt]er|[Kk]rt\.?|"
    r"[Kk]\u00f6r\u00fat|[Kk]\u00f6z|[Ss]\u00e9t\u00e1ny|[Rr]akpart|[Ss]or|[Ff]asor|[Ll]tp\.)[ ]\d{1,4}[A-Za-z]?\.?"
    r"(?:[/,]?[ ]?(?:[IVXivx]{1,5}|\d{1,3}|fsz)\.?(?:[ ]?(?:em|\u00e9m)\.?)?(?:/|[ ])?(?:\d{1,3}[a-z]?\.?)?)?"
)
#: `Address ......... Villa 15, Sicap 6, Dakar`
_LEADERS = re.compile(
    r"[ \t]*(?:(?:[Hh]ome|[Pp]ostal|[Cc]urrent|[Pp]ermanent|[Mm]ailing) )?(?:[Aa]ddress|[Aa]dresse|ADDRESS)(?:\(es\))?"
    r"[ ]?[._\u2026]{3,}[ :]*([^\n|@]{6,120}?)[ ]*"
)
#: A street of the Balkans, whose words go on in small letters: `Bulevar kralja Aleksandra 73`, `Trg bana Jelacica 5`.
_BALKAN = re.compile(
    r"[ ]*((?:Bulevar|Bul\.|Blvd\.|Ulica|Ul\.|Trg|Obala|Put|Kej|Setaliste|Avenija|Aleja|Naselje|"
    r"Prolaz|Rruga|Bulevardi|Cesta)(?: (?:e |i )?[A-Za-z][\w'.-]*){1,5},? (?:br\.? ?)?"
    r"\d{1,3}[A-Za-z]?(?:/[\dIVX]{1,4}[a-z]?)?"
    r"(?:,[ ](?:stan|ap\.?|kat|ulaz|sprat)[ ]?[\dIVX]{1,4})?,[ ](?:\d{4,5}[ ])?[A-Z][\w'-]+(?: [A-Za-z][\w'-]+){0,2}"
    r"(?:[ ]\d{5})?(?:,[ ][A-Z][\w -]{3,30})?)[ .]*"
)
#: Towns where a house and a name are an address: `49 Nguyen Van Linh, Hai Chau, Hue`.
_TOWNS_LISTED = (
    r"ha noi|hanoi|da nang|danang|ho chi minh|ho chi minh city|hcmc|tp\.? ?hcm|tp\.? ?ho chi minh|tphcm|sai gon|"
    r"saigon|hai phong|can tho|hue|nha trang|bien hoa|vung tau|da lat|quy nhon|vinh|hai duong|bac ninh|nam dinh|"
    r"binh duong|dong nai|vietnam|viet nam|cairo|giza|alexandria|mansoura|tanta|port said|suez|ismailia|assiut|"
    r"luxor|aswan|egypt|addis ababa|addis abeba|adama|hawassa|bahir dar|mekelle|dire dawa|gondar|jimma|ethiopia|"
    r"asmara|djibouti|mogadishu|hargeisa|khartoum|omdurman|dubai|sharjah|ajman|abu dhabi|al ain|ras al khaimah|"
    r"fujairah|uae|doha|qatar|manama|riffa|muharraq|bahrain|kuwait|kuwait city|salmiya|hawally|farwaniya|muscat|"
    r"seeb|sohar|salalah|oman|riyadh|jeddah|dammam|khobar|al khobar|makkah|mecca|medina|madinah|taif|tabuk|"
    r"saudi arabia|ksa|beirut|tripoli|sidon|lebanon|amman|zarqa|irbid|jordan|damascus|aleppo|baghdad|basra|erbil|"
    r"mosul|sanaa|aden|ramallah|nablus|hebron|gaza|bethlehem|benghazi|tunis|sfax|sousse|algiers|oran|casablanca|"
    r"rabat|fes|marrakech|tanger|tangier|agadir|meknes|yerevan|tbilisi|batumi|baku|tashkent|samarkand|almaty|"
    r"astana|bishkek|dushanbe|ashgabat|kabul|herat|tehran|isfahan|shiraz|mashhad|tabriz|tirana|pristina|prizren|"
    r"skopje|bitola|podgorica|sarajevo|banja luka|mostar|tuzla|zenica|beograd|belgrade|novi sad|nis|kragujevac|"
    r"subotica|zagreb|split|rijeka|osijek|zadar|ljubljana|maribor|sofia|plovdiv|varna|burgas|bucuresti|bucharest|"
    r"cluj-napoca|timisoara|iasi|athens|athina|thessaloniki|patras|heraklion|nicosia|limassol|larnaca"
)
_PLACE_LAST = rf"(?i:{_TOWNS_LISTED})(?:[ ]\d{{4,6}})?"
_PART = r"[A-Z][\w'.-]*(?:[ ](?:[Ee]l-?|[Aa]l-?|bin|\d{1,3}|[A-Z][\w'.-]*)){0,4}"
_HOUSE_FIRST = re.compile(
    r"[ ]*((?:(?:So|No\.?|Nr\.?|Bldg\.?|Villa|Apt\.?|Flat)[ ])?(?!(?:19|"
    r"20)\d\d\b)\d{1,4}[A-Za-z]?(?:[/-]\d{1,4}[A-Za-z]?)*,?[ ]"
    rf"{_PART}(?:,[ ]{_PART}){{0,3}},[ ]{_PLACE_LAST}(?:,[ ]{_PLACE_LAST})?)[ .]*"
)
_GATE = re.compile(
    r"\d[A-Za-z]?, [A-Z]|(?<![^\n])[ ]*(?:\w+\.? )?\d[\w/-]*,? [A-Z][^,\n]{1,40}, [A-Z]|"
    r"[|;\u2022\u00b7:][ ]\d[\w/-]*,? [A-Z][^,|\n]{1,40}, [A-Z]|"
    r"\d, (?:[A-Z]{1,2}-)?\d{4}|\b[A-Za-z-]{2,5}\. ?[A-Z]|[._]{3}|\u2026|\d{4} [A-Z]\w+, [A-Z]"
)


def may_be_shaped(text: str, start: int, end: int) -> bool:
    """Say whether a line is worth reading for an address by its shape.

    >>> may_be_shaped("Meir 55, 2000 Antwerpen", 0, 23), may_be_shaped("Kept 55 books", 0, 13)
    (True, False)
    """
    return _GATE.search(text, start, end) is not None


def shaped(text: str, start: int, end: int, *, contact: bool) -> list[tuple[int, int]]:
    """Return where addresses stand in a piece of a line; `contact` says that it is among contact details.

    >>> [shaped("Meir 55, 2000 Antwerpen", 0, 23, contact=contact) for contact in (True, False)]
    [[(0, 23)], []]
    """
    plain = _PLAIN.fullmatch(text, start, end) if contact else None
    found = (
        plain
        or _hungarian(text, start, end)
        or _LEADERS.fullmatch(text, start, end)
        or _SLAVIC.search(text, start, end)
        or (_listed(text, start, end) if contact else None)
    )
    return [found.span(found.lastindex or 0)] if found is not None else []


def _listed(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return an address of the Balkans, or of a town where streets have no word for them."""
    found = _HOUSE_FIRST.fullmatch(text, start, end) or _BALKAN.fullmatch(text, start, end)
    return None if found is None or _NO_STREET.search(found.group()) is not None else found


#: What a headline counts: `10 Years Experience, Java, Dubai`.
_NO_STREET = re.compile(
    r"(?i:\b(?:years?|months?|experience|projects?|clients?|staff|people|teams?|weeks?|days?|since)\b)"
)


def _hungarian(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return a Hungarian address that is all of a piece, or what it begins with."""
    while start < end and text[start] == " ":
        start += 1
    return _HUNGARIAN.match(text, start, end)
