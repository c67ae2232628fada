"""RELIGION: whole names of houses of worship, by their shape: `Al-Noor Mosque`, `Temple Beth Shalom`.

A rule of religion.py has found the word that reveals it; what is written with capitals beside it is its name.
In texts without capitals, or all in them, names of saints and the frequent dedications count only. Bodies of
believers (`New Life Fellowship`) are known by a dedication alone.
Kept: church halls and streets (no word of theirs is found), `Our parish`, `Volunteer, Church`, months, offices.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found

__all__ = ["houses"]

_HEADS_LISTED = (
    "church parish mosque masjid synagogue shul temple gurdwara gurudwara mandir cathedral chapel basilica tabernacle "
    "jamatkhana congregation shrine monastery convent vihara imambargah minster abbey pagoda iglesia igreja parroquia "
    "paroquia parrocchia paroisse pfarrei kirchengemeinde eglise sinagoga mezquita mesquita moschee gereja surau "
    "baptist methodist presbyterian lutheran anglican adventist pentecostal episcopal orthodox catholic"
)
_HEADS = word_list(_HEADS_LISTED.split())
#: Denominations are told of people and schools too: names before them have to be dedications.
_DENOMINATIONS = frozenset(
    {"baptist", "methodist", "presbyterian", "lutheran", "anglican", "adventist", "pentecostal", "episcopal"}
    | {"orthodox", "catholic"}
)
#: Heads whose names follow them: `Masjid At-Taqwa`, `Iglesia Bautista Emanuel`.
_FIRST_LISTED = (
    "masjid mosque temple gurdwara gurudwara iglesia igreja parroquia paroquia parrocchia paroisse pfarrei "
    "kirchengemeinde eglise sinagoga gereja surau congregation"
)
_FIRST = frozenset(_FIRST_LISTED.split())
_HEBREW = re.compile(
    r"[ ](?:beth?|beit|bnai|b'nai|emanu(?:-?el)?|emmanuel|sinai|israel|shalom|sholom|shaare[iy]?|sha'ar\w*|"
    r"shearith|ohev|ohr|or|adath?|adas|agudas|agudath|kol|rodeph|mishkan|tifereth|anshe|anshei|ahavath?|ahavas|har|etz|"
    r"keneseth|judea|micah|isaiah|solel|torah|chai|am|ner|oheb)\b"
)
_SMALL = frozenset({"of", "the", "and", "&", "de", "del", "la", "da", "do", "dos", "das", "di", "du", "des", "st"})
_OF_LISTED = (
    "lady church temple mother queen heart house assembly assemblies tree fountain city mountain rock cathedral parish "
    "chapel holy our lord saints"
)
_OF = frozenset(_OF_LISTED.split())
_NO_NAME_LISTED = (
    "our my the a an your their his her its local in at for of on with from by to as and also i we he she they this "
    "that each every treasurer secretary member members volunteer volunteered volunteering trustee deacon deaconess "
    "usher chair chaired chairman chairwoman chairperson elder organist choir choirmaster chorister pastor imam rabbi "
    "priest youth helper coordinator co-ordinator leader teacher reader singer sang sings sing bookkeeper caretaker "
    "warden steward cook cleaner president vice founder director head assistant clerk board council reverend rev "
    "father sunday monday tuesday wednesday thursday friday saturday january february march april may june july august "
    "september october november december built painted restored cleaned organised organized run ran led lead managed "
    "helped served serves serve attend attends attended attending joined active faith religion interests community "
    "activities former past present village town city parish church temple mosque synagogue other personal hobbies "
    "website accounts administrator worker musician drummer pianist kept keep keeps support supported sponsor dear "
    "referee reference references weekly summer winter evening weekend restoration wrote designed taught teach work "
    "worked working mr mrs ms miss dr prof part-time full-time freelance lay worship gospel hall street road lane new "
    "old"
)
_NO_NAME = frozenset(_NO_NAME_LISTED.split())
_SAINT = (
    r"(?:(?:the )?(?:st\.?|saint|ss\.?|san|santa|santo|sao) [a-z'-]+(?:,? (?:and|&) (?:(?:st\.?|saint) )?[a-z'-]+)?|"
    r"(?:our )?lady of (?:the )?(?:[a-z]+ )?[a-z]+|mount (?:zion|olive\w*|carmel|sinai|calvary|moriah|nebo|"
    r"pisgah)|mt\.? (?:zion|olive\w*|carmel|sinai|calvary|moriah)|(?:holy|all|sacred|most holy|corpus|christ) "
    r"(?:trinity|saints'?|souls'?|cross|spirit|family|name|rood|redeemer|apostles|heart|nativity|rosary|angels|christi|"
    r"ghost|comforter|the king)|(?:greater|new|old|first|second|third|grace|christ|emmanuel|immanuel|calvary|bethel|"
    r"zion|trinity|redeemer|ebenezer|elim|bethany|bethlehem|faith|hope|good shepherd|victory|new life|new hope|living "
    r"(?:word|waters?|faith|hope)|abundant life|cornerstone|lighthouse|shiloh|macedonia|antioch|nazareth|salem|antioch|"
    r"covenant|resurrection|epiphany|ascension|assumption|incarnation|nativity|(?:beth|beit) [a-z]+|al-[a-z]+|guru "
    r"[a-z]+)(?: (?:zion|bethel|hope|life|christ|point|hill))?)"
)
_DEDICATED = re.compile(rf"(?<![\w'-]){_SAINT}(?: (?:parish|catholic|rc|greek|coptic|community|united))*[ ]$")
#: The body of believers after a dedication: `New Life Fellowship`.
_BODIES = re.compile(
    r"\b((?:(?:the )?(?:(?:new|abundant|victory|grace|faith|living|harvest|calvary|zion|bethel|hope|covenant|"
    r"deeper|praise|glory|redemption|gospel|full gospel|living word|"
    r"kingdom|miracle|dominion|jesus|christ|bible|jubilee|cornerstone|"
    r"lighthouse|overcomers|believers|emmanuel|immanuel|ebenezer|mercy|holy|sanctuary|revival|pentecost) )"
    r"(?:(?:life|hope|covenant|christian|community|word|faith|waters?|of (?:life|faith|god|grace|praise)|"
    r"point|family|gospel|city|full|bible|international|world|house|ghost|spirit|baptist|temple) )*)"
    r"(?:fellowship(?: (?:church|cent(?:er|re)|international))?|tabernacle|worship cent(?:er|re)|assembly of god|"
    r"ministries(?: international)?|praise cent(?:er|re)|faith cent(?:er|re)|christian cent(?:er|re)|bible chapel|"
    r"house of prayer))\b"
)
_MOST_WORDS = 6
_IN_NAMES = frozenset({"new", "old"})


def houses(plain: Plain, found: list[Found]) -> list[Found]:
    """Return the names of houses of worship whose revealing word was found.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Treasurer of Beth Shalom Synagogue. Books of Masjid Al-Noor. Our Mosque.")
    >>> words = [(a, b) for word, a, b in seen.words if word in {"synagogue", "masjid", "mosque"}]
    >>> told = [Found(a, b, "RELIGION", "term", 0.9) for a, b in words]
    >>> [seen.text[each.start : each.end] for each in houses(seen, told)]
    ['Beth Shalom Synagogue', 'Masjid Al-Noor']
    """
    names: list[Found] = []
    places = plain.places(_HEADS)
    if places:
        told = sorted((each.start, each.end) for each in found if each.category == "RELIGION")
        for place in places:
            word, start, end = plain.words[place]
            near = told[bisect_left(told, (start - _LONGEST_TOLD,)) : bisect_left(told, (start + 1,))]
            around = next(((first, last) for first, last in near if end <= last), None)
            if around is None:
                continue
            begin = _begin(plain, place, around[0], word)
            finish = max(_finish(plain, place, end) if word in _FIRST else end, around[1])
            if begin < around[0] or finish > around[1]:
                names.append(_name(begin, finish))
    names += [_name(*span) for span in _bodies(plain) if _is_written_as_name(plain.text, *span)]
    return names


def _bodies(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield where what may be a body's name stands; looked for in lines with a word of one."""
    low = plain.low
    for begin in {low.rfind("\n", 0, plain.words[place][1]) + 1 for place in plain.places(_BODY_WORDS)}:
        last = low.find("\n", begin)
        for match in _BODIES.finditer(low, begin, last if last >= 0 else len(low)):
            yield match.span()


_BODY_WORDS_LISTED = "fellowship tabernacle worship assembly ministries praise chapel prayer faith christian"
_BODY_WORDS = word_list(_BODY_WORDS_LISTED.split())


def _is_written_as_name(text: str, start: int, end: int) -> bool:
    """Say whether a stretch begins with a capital, or stands in a line without capitals."""
    first, far = max(0, start - _LONGEST_TOLD), min(len(text), end + _LONGEST_TOLD)
    last = text.find("\n", end, far)
    line = text[max(first, text.rfind("\n", first, start) + 1) : last if last >= 0 else far]
    return line.islower() or all(word[0].isupper() for word in text[start:end].split() if len(word) > _SHORT)


_SHORT = 3
#: No found phrase is longer, and so much of a line tells whether it has capitals.
_LONGEST_TOLD = 500


def _name(start: int, end: int) -> Found:
    return Found(start=start, end=end, category="RELIGION", rule="house", confidence=0.86)


def _begin(plain: Plain, place: int, start: int, head: str) -> int:
    """Return where the name before a word begins."""
    words = plain.words
    while place and words[place][1] > start:
        place -= 1
    dedicated = _DEDICATED.search(plain.low, max(0, start - 60), start)
    begin = start if dedicated is None else dedicated.start()
    if head in _DENOMINATIONS and dedicated is None:
        return begin
    if dedicated is not None:
        while place and words[place][1] > begin:
            place -= 1
    if _is_plain(plain, place):
        return begin
    return _walked(plain, place, begin)


def _walked(plain: Plain, place: int, begin: int) -> int:
    """Return where the words with capitals before a place begin."""
    words, text = plain.words, plain.text
    for _ in range(_MOST_WORDS):
        if not place:
            break
        word, first, last = words[place - 1]
        gap = text[last : words[place][1]]
        if gap not in {" ", "-", ". ", "."} or ("." in gap and last - first > 2):
            break
        if word in _SMALL and place > 1 and words[place - 2][0] in _OF:
            place -= 1
            continue
        if not text[first].isupper() or word in _NO_NAME or (word.endswith(("ed", "ing")) and _begins(plain, first)):
            break
        begin = first
        place -= 1
    return begin


def _finish(plain: Plain, place: int, end: int) -> int:
    """Return where the name after a word ends."""
    words, text = plain.words, plain.text
    head = words[place][0]
    if (head in {"temple", "congregation"} and _HEBREW.match(plain.low, end) is None) or not text[
        words[place][1]
    ].isupper():
        return end
    if _is_plain(plain, place + 1):
        return end
    for step in range(place + 1, min(place + _MOST_WORDS, len(words))):
        word, first, last = words[step]
        gap = text[words[step - 1][2] : first]
        if gap not in {" ", "-", ". "} or (word in _NO_NAME and word not in _IN_NAMES and text[last : last + 1] != "-"):
            break
        if text[first].isupper():
            end = last
        elif word not in _SMALL:
            break
    return end


def _begins(plain: Plain, start: int) -> bool:
    """Say whether a word begins a line or sentence."""
    return (
        not plain.text[max(0, start - 2) : start].strip(" -*>").replace("\u2022", "") or plain.text[start - 2] in ".\n"
    )


def _is_plain(plain: Plain, place: int) -> bool:
    """Say whether capitals tell nothing around a word: its line has none, or nothing else."""
    start = plain.words[min(place, len(plain.words) - 1)][1]
    line = plain.text[plain.text.rfind("\n", 0, start) + 1 : start + 24].partition("\n")[0]
    return line.isupper() or line.islower()
