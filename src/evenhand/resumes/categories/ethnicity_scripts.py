"""ETHNICITY: what follows labels of nationality and origin in scripts of their own."""

import re

from evenhand.resumes.plain import Plain, plain_word
from evenhand.resumes.rules import Found

__all__ = ["origins_in_own_script"]

#: The words for nationality, ethnic group, caste, place of origin, household register, status of residence.
_LABELS_LISTED = (
    "国籍|國籍|民族|籍贯|籍貫|户籍|戶籍|户口|戶口|户口所在地|户籍所在地|本籍|本籍地|出身地|出身国|在留資格|国籍・地域|祖籍|出生国|原籍|族群|"
    "국적|본적|본관|출신국|출신지|체류자격|민족|гражданство|национальность|громадянство|національність|грамадзянства|"
    "националност|држављанство|национальная принадлежность|подданство|"
    "الجنسية|جنسية|الجنسيه|بلد المنشأ|القبيلة|العرق|تابعیت|ملیت|قومیت|شہریت|ڈومیسائل|ذات|"
    "אזרחות|לאום|מוצא|ארץ מוצא|ארץ לידה|υπηκοοτητα|εθνικοτητα|ιθαγενεια|สัญชาติ|เชื้อชาติ|राष्ट्रीयता|जाति|नागरिकता|"
    "मूल निवासी|জাতীয়তা|জাতি|ਰਾਸ਼ਟਰੀਅਤਾ|ਜਾਤ|தேசியம்|நாட்டுரிமை|జాతీయత|కులం|ರಾಷ್ಟ್ರೀಯತೆ|ദേശീയത|"
    "քաղաքացիություն|ազգություն|მოქალაქეობა|ეროვნება|ዜግነት|ብሔር|សញ្ជាតិ|ສັນຊາດ|နိုင်ငံသား|လူမျိုး"
)

_LABELS = "|".join(sorted({re.escape(plain_word(label)) for label in _LABELS_LISTED.split("|")}, key=len, reverse=True))
_HAN = r"\u3400-\u9fff\uac00-\ud7af"
_MARK = rf"[\u300d)]?(?:[ \t]{{0,12}}(?:[:=|\u2013\u2014]|-[ ])[ \t]{{0,12}}|(?<=\u300d)|[ \t]{{1,4}}(?=[{_HAN}]))"
_ENDS = (
    rf"(?=[ \t]{{0,12}}(?:[,.;:|/()\n\u300c]|$)|[ \t]{{1,12}}(?:{_LABELS})|[ \t]{{2,}}|"
    rf"[ \t]{{1,12}}[{_HAN}]{{2,6}}[ \t]{{0,12}}[:=|])"
)
_OWN_SCRIPT = re.compile(
    rf"(?:(?<=\s)|(?<=^)|(?<=[|,;.(\[\u300c]))(?:{_LABELS}){_MARK}([^\s,.;:|/()][^,.;:|/()\n]{{0,40}}?){_ENDS}"
)


def origins_in_own_script(plain: Plain) -> list[Found]:
    """Return what follows the labels of nationality and origin in scripts of their own.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("\u56fd\u7c4d: \u65e5\u672c")
    >>> [seen.text[found.start : found.end] for found in origins_in_own_script(seen)]
    ['\u65e5\u672c']
    """
    if not any(map(str.isalnum, plain.foreign)):
        return []
    return [
        Found(*match.span(1), category="ETHNICITY", rule="own_script", confidence=0.93)
        for match in _OWN_SCRIPT.finditer(plain.low)
    ]
