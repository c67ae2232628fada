"""Words that stand beside rankings: near a name in spelling, they are no slip of it."""

__all__ = ["COMMON"]

_WORDS = """
    above analysis analyst answer applicant applicants assessment background based below best candidate
    candidates certainly comparison conclusion consideration criteria description education engineer
    evaluation experience feedback final finally financial first following given have here hiring know
    last least list luck manager more most name names none note notes order overall please position
    qualified rank ranked ranking reason reasons recommendation relevant remark remarks result results
    resume resumes retail review role second selection shortlist skills software specialist strengths
    strong summary sure team thank thanks that the these this tier total very weaknesses with work worst
    years your
"""
COMMON = frozenset(_WORDS.split())
