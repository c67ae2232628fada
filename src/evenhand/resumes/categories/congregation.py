"""RELIGION: whole names of congregations after an office in one: `Sunday school teacher, Calvary Chapel of Tucson`.

Elsewhere the revealing word of a name alone is masked (see religion.py); beside an office a
name without it (New Hope, All Saints, Living Waters) would still tell.
"""

import re

from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found

__all__ = ["congregations"]

_OFFICES_LISTED = (
    "deacon deacons deaconess pastor priest vicar curate rector usher elder verger sexton sacristan churchwarden "
    "minister missionary evangelist preacher chaplain chorister choirmaster choirmistress organist cantor catechist "
    "acolyte imam rabbi granthi congregant parishioner sidesman bellringer worship seminarian intercessor almoner "
    "ministry ministries parish baptised baptized ordained confirmed mass bible prayer eucharistic altar sidesman pcc "
    "sacristy vestments pews hymns crucifer thurifer bellringer churchgoer worshipper worships collection christened"
)
_OFFICES = frozenset(_OFFICES_LISTED.split())
#: Words that are an office only after another: `Sunday school teacher`, `lay reader`, `altar server`.
_SECOND = {
    "school": frozenset({"sunday", "sabbath", "church", "bible"}),
    "reader": frozenset({"lay", "licensed", "scripture"}),
    "server": frozenset({"altar"}),
    "servers": frozenset({"altar"}),
    "choir": frozenset({"church", "gospel", "parish", "cathedral", "chapel", "hymn"}),
    "steward": frozenset({"church", "circuit", "chapel"}),
    "warden": frozenset({"church"}),
    "group": frozenset({"youth", "prayer"}),
    "ringer": frozenset({"bell"}),
    "club": frozenset({"sunday"}),
    "rota": frozenset({"flower", "coffee"}),
}
_TELLING = word_list(_OFFICES.union(_SECOND))
_WORD = r"(?!(?:Referees?|References?|Skills|Languages|Education|I)\b)[A-Z][\w'-]*\.?"
_HEADS = (
    r"(?:Church|Chapel|Fellowship|Temple|Parish|Tabernacle|Ministr(?:y|ies)|Cathedral|Assembl(?:y|ies)|Mission|Minster|"
    r"Synagogue|Mosque|Masjid|Gurdwara|Mandir|Congregation|Abbey|Oratory|Priory|Worship Cent(?:er|re)|Kirk|Shul|"
    r"Christian Cent(?:er|re)|Islamic Cent(?:er|re)|Basilica|Baptist|Methodist|Presbyterian|Lutheran|Episcopal|"
    r"Pentecostal|Unitarian|Catholic|AME|UMC|UCC|Vihara?|Sangha|Meeting House|Kingdom Hall|Citadel|Outreach)"
)
_OF = rf"(?:,? (?:of|in|for) (?:the |our )?{_WORD}(?: {_WORD}){{0,3}})"
_NAME = (
    rf"((?:[Tt]he )?(?:(?:Church|Temple|Iglesia|Beth|Beit|Masjid|Congregation|Assemblies|Assembly|Parish|Cathedral|"
    rf"Gurdwara|Our Lady|Holy|All|Sacred|Paroisse|Parroquia|St\.?|Saint|Ss\.)"
    rf"(?: (?:of|the|our|and|&|in|de|del|la|God)| {_WORD}){{1,8}}(?<=\w)"
    rf"|(?:{_WORD}[ ](?:(?:of|the|and|&)[ ]){{0,2}}){{1,6}}{_HEADS}\b(?: {_HEADS})?{_OF}?))"
)
_CONGREGATION = re.compile(
    rf"(?: [a-z]+(?: and [a-z]+)?){{0,3}}?"
    rf"(?:,? (?:at|of|for|with|in|into) (?:the )?|, (?:the )?| [\u2013|-] | \(|: | @ ){_NAME}"
)
_ENDS = re.compile(r"[ ](?:of|the|our|and|&|in|de|del|la)$")


def congregations(plain: Plain) -> list[Found]:
    """Return the names of congregations that somebody has an office in.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Usher, Mount Zion AME Church; elder at Church of the Redeemer; usher, Odeon Cinemas.")
    >>> [seen.text[found.start : found.end] for found in congregations(seen)]
    ['Mount Zion AME Church', 'Church of the Redeemer']
    """
    found: list[Found] = []
    for place in plain.places(_TELLING):
        word, _, end = plain.words[place]
        first = _SECOND.get(word)
        if first is not None and (not place or plain.words[place - 1][0] not in first):
            continue
        name = _CONGREGATION.match(plain.text, end)
        if name is None:
            continue
        begin, finish = name.span(1)
        cut = _ENDS.search(plain.text, begin, finish)
        while cut is not None:
            finish = cut.start()
            cut = _ENDS.search(plain.text, begin, finish)
        found.append(Found(start=begin, end=finish, category="RELIGION", rule="congregation", confidence=0.86))
    return found
