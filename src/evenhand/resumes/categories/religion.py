"""RELIGION: faiths, their people, places, books, feasts and offices, also in an organisation's name.

Kept: Temple University, The Hindu, Islamic finance, Church encoding, cloud-agnostic, Ministry
of Health, Christian and Faith as names, good faith, Java evangelists, mass mailings.
"""

from evenhand.resumes.rules import Rule, pattern

__all__ = ["RULES"]

RULES = {
    "term": Rule(
        confidence=0.96,
        not_after=pattern(
            r"\s+(?:finance|banking|banks?|bonds?|architecture|mint|development bank|calligraphy|sukuk)\b"
        ),
    ),
    "capital": Rule(confidence=0.93, case="capital"),
    "christian": Rule(
        confidence=0.9,
        case="capital",
        not_after=pattern(
            r"\s+(?:dior|louboutin|lacroix|bale|mingle|name|science monitor|county)\b", r"'s\b", r"\s+[a-z]\.\s"
        ),
    ),
    "hindu": Rule(
        confidence=0.94, not_before=pattern(r"\bthe $"), not_after=pattern(r"\s+(?:newspaper|business\s?line|kush)\b")
    ),
    "hindu_the": Rule(
        confidence=0.9,
        before=pattern(r"\bthe $"),
        after=pattern(
            r"\s+(?:temple|student|community|society|association|council|centre|center|faith|festival|"
            r"youth|fellowship|union|group|network|federation)"
        ),
    ),
    "catholic": Rule(confidence=0.94, case="capital"),
    "orthodox": Rule(
        confidence=0.9,
        case="capital",
        after=pattern(r"\s+(?:christian|church|jew|jewish|parish|synagogue|faith|community|union|priest|school)"),
    ),
    "mosque": Rule(confidence=0.94),
    "church": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:of\b|volunteer|choir|youth|group|camp|member|organist|council|board|services?|treasurer|secretary|"
            r"administrator|elder|outreach|worship|community|fellowship|mission|activities|bulletin|pantry|leader|"
            r"musician|usher|deacon|planting|pianist|band|school|events?|website|finances|congregation|"
            r"fundrais|sunday|newsletter|festival|clothing|food|soup|committee|attendance|leadership|retreat)"
        ),
        not_after=pattern(
            r"\s+(?:&|and) (?:dwight|co)\b", r"[\s-]+(?:encoding|numerals?|rosser|turing|street|st\b|road|rd|lane|ave)"
        ),
    ),
    "church_at": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:my|our|local|his|her|their|the|a|baptist|community|methodist|lutheran|anglican|presbyterian|"
            r"evangelical|pentecostal|family|christian|bible|grace|united|reformed|at|for|parish|gospel|catholic|"
            r"episcopal|adventist|orthodox|covenant|trinity|calvary|hillsong|lakewood|apostolic|redeemed|"
            r"st\.? [a-z]+'?s?|saint [a-z]+'?s?)\s$"
        ),
        not_after=pattern(
            r"\s+(?:&|and) (?:dwight|co)\b",
            r"[\s-]+(?:encoding|numerals?|rosser|turing|street|st\b|road|rd|lane|ave|hill)",
        ),
        not_before=pattern(r"\balonzo\s$"),
    ),
    "temple": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:hindu|buddhist|sikh|my|our|local|jain|at the|at a|sri|shree|shri|swaminarayan|tamil|balaji|murugan|"
            r"jewish|mormon|masonic|lds|zen)\s$"
        ),
        not_after=pattern(r"\s+(?:university|health|law|owls|hospital|grandin|of zeus|street|bar)"),
    ),
    "temple_after": Rule(
        confidence=0.85,
        after=pattern(
            r"\s+(?:volunteer|trust|committee|board|priest|services?|seva|youth|kitchen|festival|beth|"
            r"israel|emanu|sholom)"
        ),
    ),
    "ministry": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:youth|campus|worship|music|prison|children'?s|women'?s|men'?s|pastoral|gospel|college|student|"
            r"church|prayer|media|hospitality|full-time|ordained|christian|outreach|street|singles|family)\s$"
        ),
    ),
    "clergy": Rule(
        confidence=0.85,
        not_before=pattern(r"\b(?:high|tech|technology|desmond|judas)\s$"),
        not_after=pattern(r"\s+(?:brown|street|inc)"),
    ),
    "mission": Rule(
        confidence=0.85, not_after=pattern(r"[\s-]+(?:critical|statement|control|driven|oriented|district)\b")
    ),
    "bible": Rule(confidence=0.93, case="capital"),
    "faith": Rule(
        confidence=0.85,
        after=pattern(
            r"[\s-]+(?:based|community|communities|group|groups|leaders?|formation|journey|healing|tradition|school)\b"
        ),
        not_before=pattern(r"\bgood $"),
    ),
    "faith_my": Rule(
        confidence=0.85,
        before=pattern(
            r"\b(?:my|muslim|christian|jewish|catholic|hindu|sikh|bah'?a'?i|of|islamic|practi[sc]ing|"
            r"active in (?:my|the)|his|her|"
            r"religious|interfaith|multi)\s$"
        ),
        not_before=pattern(r"\b(?:good|leap of|bad|show of|article of|profession of)\s$"),
    ),
    "agnostic": Rule(
        confidence=0.85,
        before=pattern(r"\b(?:i am|i'm|an|atheist or|atheist and|secular|religion:?|is)\s(?:an )?$"),
        not_before=pattern(r"-$"),
    ),
    "surname_jain": Rule(
        confidence=0.85,
        case="capital",
        after=pattern(
            r"\s+(?:temple|community|faith|religion|society|student|festival|association|cent|diet|vegetarian|"
            r"youth|volunteer|family)"
        ),
    ),
    "worship": Rule(
        confidence=0.88,
        after=pattern(
            r"\s+(?:leader|team|band|services?|music|pastor|director|arts|ministry|night|coordinator|"
            r"hall|group|set|singer|drummer)"
        ),
    ),
    "feast": Rule(
        confidence=0.93, not_after=pattern(r"\s+(?:sale|sales|campaign|promotion|season|marketing|discount|offers?)\b")
    ),
    "eid": Rule(confidence=0.9, case="title", not_after=pattern(r"\s+(?:sale|sales|campaign|promotion|[A-Z]{2,})")),
    "gospel": Rule(
        confidence=0.88,
        after=pattern(r"\s+(?:choir|music|singer|singing|group|mission|church|ministry|band|concert|fest|hall)"),
    ),
    "proxy": Rule(confidence=0.7, strict=True),
}
