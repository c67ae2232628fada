"""Labels in other scripts before what tells orientation or disability: 장애 등급, 性取向, инвалидность.

Kept: a disability as a line of work or of studies, without a mark that makes it a label.
"""

# ruff: noqa: E501, RUF001 - letters of other scripts, wide ones in lists

import re

from evenhand.resumes.categories.tellings import Telling, telling
from evenhand.resumes.plain import Plain, plain_word
from evenhand.resumes.rules import Found

__all__ = ["TELLINGS", "in_own_script"]

_LABELS = {
    "ORIENTATION": (
        "性取向|性倾向|性傾向|性向|性的指向|性的指向・性自認|セクシュアリティ|성적 지향|성적지향|성 정체성|성정체성|"
        "сексуальная ориентация|сексуальна орієнтація|ориентация|сэксуальная арыентацыя|сексуална ориентация|"
        "σεξουαλικός προσανατολισμός|נטייה מינית|الميول الجنسية|التوجه الجنسي|यौन अभिविन्यास|लैंगिक रुझान|รสนิยมทางเพศ"
    ),
    "DISABILITY": (
        "障害|障害の有無|障害者手帳|障害者手帳の有無|障害等級|障害の種類|障害名|身体障害者手帳|精神障害者保健福祉手帳|療育手帳|障がい|障がい者手帳|"
        "配慮事項|合理的配慮|健康状態|持病|残疾|残疾情况|残疾状况|残疾证|残疾人证|残疾类别|残疾等级|健康状况|身体状况|病史|既往病史|"
        "殘疾|殘疾情況|殘疾人士登記證|身心障礙|身心障礙手冊|身心障礙證明|身心障礙類別|健康狀況|"
        "장애|장애 등급|장애등급|장애 여부|장애여부|장애 정도|장애정도|장애 유형|장애유형|장애인|장애인 등록|장애인등록|장애 사항|장애사항|"
        "건강 상태|건강상태|инвалидность|группа инвалидности|инвалид|наличие инвалидности|состояние здоровья|"
        "інвалідність|група інвалідності|стан здоров'я|інвалід|инвалидност|αναπηρία|ποσοστό αναπηρίας|"
        "الإعاقة|إعاقة|نوع الإعاقة|ذوي الاحتياجات الخاصة|الحالة الصحية|נכות|אחוזי נכות|מצב בריאותי|"
        "विकलांगता|दिव्यांगता|दिव्यांग|दिव्यांग श्रेणी|معذوری|প্রতিবন্ধিতা|மாற்றுத்திறனாளி|ความพิการ|สุขภาพ"
    ),
}
_ANY = r"[^\n|;,\t]{1,40}?"


def _labelled(category: str, labels: str) -> Telling:
    plain = sorted({plain_word(label) for label in labels.split("|")}, key=len, reverse=True)
    first = {re.split(r"[^\w']+", label)[0] for label in plain}
    one_of = "|".join(re.escape(label).replace(r"\ ", "[ ]") for label in plain)
    return telling(
        category,
        " ".join(sorted(first)),
        rf"(?<!\w)(?:{one_of})(?:[ ]?\([^()\n]{{1,24}}\))?[ \t]{{0,12}}(?:[:=|]|\t|"
        rf"[ ]{{2}})[ \t]{{0,12}}({_ANY})(?=[ ]{{0,12}}(?:[\n|;,\t\"]|\.(?:\s|$)|[ ]{{2}}|$))",
        confidence=0.93,
    )


TELLINGS = tuple(_labelled(category, labels) for category, labels in _LABELS.items())

_WORDS = {
    "ORIENTATION": (
        "同性恋 双性恋 同志 女同 男同 出柜 雙性戀 同性戀 レズビアン バイセクシュアル トランスジェンダー 同性愛 동성애 양성애 성소수자 퀴어 "
        "гомосексуал бисексуал лесбиянк транссексуал трансгендер лгбт"
    ),
    "DISABILITY": (
        "障害者手帳 身体障害 精神障害 知的障害 発達障害 聴覚障害 視覚障害 障害者雇用 障がい者 難聴 車椅子 精神障害者保健福祉手帳 身体障害者手帳 療育手帳 "
        "残疾证 残疾人证 听力障碍 视力障碍 肢体残疾 自闭症 轮椅 身心障礙手冊 身心障礙證明 身心障礙 聽障 視障 聽力障礙 肢體障礙 輪椅 殘疾人士 "
        "발달장애 청각장애 시각장애 지체장애 뇌병변장애 지적장애 자폐 장애인등록증 장애인복지카드 장애인 휠체어"
    ),
}
_GRADE = r"(?:\s?[(（]?[0-9一二三四五六]\s?(?:级|級|급|度|種)[)）]?)?"
_FIRST_CODE = 0x400


def _plain_pattern(category: str) -> re.Pattern[str]:
    each = sorted(map(plain_word, _WORDS[category].split()), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(each)})(?:者(?!手)|인|자|[а-я]+)?{_GRADE}")


_PATTERNS = {category: _plain_pattern(category) for category in _WORDS}


def in_own_script(plain: Plain) -> list[Found]:
    """Return words of orientation and disability in scripts that write no blanks, or are written with endings.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("身体障害者手帳4級を所持")
    >>> [seen.text[found.start : found.end] for found in in_own_script(seen)]
    ['身体障害者手帳4級']
    """
    if all(ord(character) < _FIRST_CODE for character in plain.foreign):
        return []
    return [
        Found(*match.span(), category, "told_phrase", 0.9)
        for category, words in _PATTERNS.items()
        for match in words.finditer(plain.low)
    ]
