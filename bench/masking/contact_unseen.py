"""The unseen set's towns, streets, hosts of mail, web addresses; see contact.py."""

CITIES = {
    "US": (
        "Knoxville, TN 37902",
        "Spokane, WA 99201",
        "Rochester NY 14604",
        "Mesa, Arizona 85201",
        "Gary, IN 46402-1234",
    ),
    "GB": ("Leicester LE1 5WW", "Plymouth, PL4 8AA", "Dundee DD1 4HN", "London E17 4QR"),
    "CA": ("Edmonton, AB T5J 2R7", "Mississauga ON L5B 3C1", "Laval, QC H7N 5Y1"),
    "AU": ("Hobart TAS 7000", "Sunnybank QLD 4109"),
    "MX": ("37000 León, Gto.", "C.P. 76000 Querétaro"),
    "ES": ("30001 Murcia", "39001 Santander"),
    "NG": ("Ikorodu, Lagos", "Benin City 300213", "Asokoro, Abuja 900231"),
    "PL": ("70-001 Szczecin", "40-001 Katowice"),
    "DE": ("90402 Nürnberg", "D-60311 Frankfurt am Main"),
    "FR": ("67000 Strasbourg", "34000 Montpellier"),
    "IN": ("Indore - 452001 (M.P.)", "Lucknow 226 010, U.P.", "Chennai - 600 042, Tamil Nadu"),
    "CN": ("Jiangning District, Nanjing 211100", "Yubei District, Chongqing 401120"),
    "VN": ("Quy Nhơn, Bình Định 55000", "Thanh Xuân, Hà Nội", "Tân Bình, TP.HCM 70000"),
    "AE": ("Business Bay, Dubai", "Ras Al Khaimah"),
    "KR": ("Jung-gu, Ulsan 44524", "Seongnam-si, Gyeonggi-do 13529"),
}
STREETS = {
    "US": ("{n} Pinecrest Lane", "{n} S. Delaware Ave., Apt {k}C", "{n} Harbor View Drive #{k}0{k}", "PO Box {n}"),
    "GB": ("{n} Alma Street", "{n}{a} Park Crescent", "Flat {k}, Beech House, {n} Wellington Road"),
    "EU": ("Bahnhofstraße {n}", "{n} rue Voltaire", "Calle del Olmo, {n}, {k}º Izq.", "ul. Lipowa {n} m. {k}"),
    "XX": ("{k}-{n}, 2nd Cross, Gandhi Nagar", "{n} Jianshe Road, Apt {k}02", "Block {a}, Flat {n}, Palm Residence"),
}
HOSTS = ("googlemail.com", "msn.com", "yahoo.co.uk", "yahoo.co.in", "att.net", "sky.com", "t-online.de", "126.com")
HOSTS += ("hanmail.net", "mail.ru", "verizon.net", "alum.example.edu")
#: {slug} given-family, {flat} givenfamily, {low} given_family, {dot} given.family, {code} five hexadecimal digits.
URLS = (
    "https://www.linkedin.com/in/{slug}",
    "www.linkedin.com/in/{slug}-{code}/",
    "linkedin.com/in/{flat}",
    "https://github.com/{slug}",
    "github.com/{flat}{code}",
    "http://www.{flat}.com",
    "{flat}.com/portfolio",
    "https://{slug}.netlify.app",
    "twitter.com/{low}",
    "https://stackoverflow.com/users/48213/{slug}",
    "https://orcid.org/0000-0001-5109-3700",
    "facebook.com/{dot}",
)
