"""ETHNICITY: immigration status and what it rests on: visas, permits, leave to remain, asylum, sponsorship.

Kept: visas as work (processed Tier 2 visas for clients), Visa cards, permits to work, a project's
sponsor, a bare right to work in a country.
"""

import re

from evenhand.resumes.categories.community import sentence_without
from evenhand.resumes.categories.ethnicity_papers import (
    KIND_OF_PERMIT,
    LETTER_OF_PERMIT,
    VISA_KIND,
    of_self,
    of_self_without,
    owned,
)
from evenhand.resumes.rules import Rule, pattern

__all__ = ["STATUS_RULES"]

_PAPERWORK = (
    r"\s+(?:applications?|processing|process|applicants?|cases|compliance|interviews?|fees|section|desk|"
    r"team|officer|unit|cent(?:re|er)|appeals|renewals|petitions?|requests|files|advice|services?|system|rules|"
    r"polic\w+|queries|stamping|parking|zones?|cards?|debit|credit|transactions?|payments?|checks?|expiry|sponsors?hip "
    r"(?:process|licen[cs]e)|holders\b|and mastercard|"
    r"or mastercard)\b"
)
_BUSINESS_OF_SPONSORS = pattern(
    r"\b(?:brands?|events?|deals?|sports?|football|cricket|rugby|marketing|festivals?|tournaments?|"
    r"fundrais\w*|revenue|income|corporate|conferences?|executive|packages?|brochures?|decks?|shirts?|naming|raised|"
    r"sold|prospect\w*|agreements?|advertis\w*|media|league|team|pitch\w*|activation|donors?|charity|walk|run)\b"
)
_COUNTRY = re.compile(r"\b(?:u\.s\.|us|uk|canadian|australian|german) $")
_ENDS = r"\s*(?:$|[.,;:)(\n|/\"<-])"

STATUS_RULES = {
    "status": Rule(
        confidence=0.9,
        lead=_COUNTRY,
        tail=pattern(
            r" of (?:the )?(?:u\.s\.|us\b|united states|uk\b|canada|australia|singapore|new zealand|hong kong|germany)"
        ),
        not_after=pattern(
            r"\s+(?:of (?:claims|cases|accounts?|debts?|orders|trades|invoices|files)|lanes?|check-?in|"
            r"gates?|queues?)\b",
            r"[ ]rates?\b",
            r"\s+(?:coatings?|works?\b|film|sheet\w*|boards?|measures|of (?:works|floors|surfaces|finishes|openings|"
            r"steel))",
            r"\s+(?:parking|permits? parking|zones?|scheme for parking|reviews?|across|snippets?|repositor\w+|"
            r"between teams|with other)\b",
        ),
        check=of_self,
    ),
    "status_card": Rule(
        confidence=0.9,
        lead=_COUNTRY,
        check=of_self_without(
            pattern(r"\b(?:parking|cscs|labourer|site cards?|operatives?|plastering|scaffold\w*|badges?)\b")
        ),
        tail=re.compile(r"[ ]cards?\b"),
        not_after=pattern(
            r"\s+(?:returns?|deadlines?|data\b|systems?|software|submissions?|learner|tools?|rates?|readers?|"
            r"checks?|access)"
        ),
    ),
    "visa": Rule(
        confidence=0.9,
        before=pattern(VISA_KIND),
        lead=pattern(VISA_KIND),
        tail=pattern(r" (?:[a-e]|\d{3})\b", r" \(?subclass \d{3}", r" \(\d{3}"),
        not_before=pattern(r"\b(?:transit|travel) $"),
        not_after=pattern(_PAPERWORK),
        check=of_self,
    ),
    "visas": Rule(confidence=0.88, before=pattern(VISA_KIND), lead=pattern(VISA_KIND), check=owned),
    "visa_own": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:my|his|her|own)(?: (?:current|present|uk|us|valid|existing|work|new|old|own))? $",
            r"\b(?:am|is|was|here|came|come|over|working|entered|arrived|now) on an? (?:\w+ )?$",
            r"\b(?:need|needs|require|requires|without|no|hold|holds|have|has|holding|with|having)"
            r"(?: an?| any| the| valid| uk| us| transferable| current)* $",
            r"(?:^|[.;|\n\u2022*-]\s*)(?:transferable|valid|current|cancelled|own|no) $",
        ),
        not_before=pattern(r"\b(?:their|clients?'?|whose) (?:\w+ )?$"),
        not_after=pattern(_PAPERWORK, r"s\b", r"\s+(?:inc|europe|direct|contactless|and|or) "),
        check=of_self,
    ),
    "permit": Rule(
        confidence=0.9,
        before=pattern(rf"\b{KIND_OF_PERMIT}(?:work )?$", LETTER_OF_PERMIT),
        lead=pattern(rf"\b{KIND_OF_PERMIT}(?:work )?$", r"\b(?:swiss )?[bcgl] $"),
        not_before=pattern(r"\b(?:hot|parking|building|planning) (?:\w+ )?$"),
        not_after=pattern(_PAPERWORK),
        check=of_self,
    ),
    "work_permit": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:my|his|her|own|an?|with|valid|have|has|hold|holds|holding|no|need|needs|require|requires|"
            r"without|eu|german|swiss|canadian|uk|current|full|open|had|on)(?: an?| any| valid)? $",
            r"(?:^|[.;:|\n\u2022*(\">-]\s*)$",
        ),
        not_before=pattern(r"\b(?:issued?|hot|safe|issue|raised|wrote|closed) (?:\w+ )?$"),
        not_after=pattern(
            _PAPERWORK,
            r"s? (?:system|to work|office|authority|receiver|coordinator|issuer|holder training|for (?:hot|confined))",
        ),
        check=of_self,
    ),
    "sponsorship": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:need|needs|needed|needing|require|requires|requiring|required|without|no|not|nor|want|wants|"
            r"seek\w*|offer\w*|provide|visa|certificate of|letter of|tier 2|h-?1b|work|employer|immigration|transfer "
            r"of|husband'?s?|father'?s?|family|skilled worker|eligible for|further|company|ongoing|continued)"
            r"(?: (?:any|an?|visa|work|employer|immigration|tier 2|skilled worker|h-?1b|future|further|new|your|"
            r"for|my|continued|certificate of|of))* $"
        ),
        lead=pattern(
            r"\b(?:(?:visa|certificate of|letter of|tier 2|h-?1b|skilled worker|work permit|employer|immigration) )+$"
        ),
        check=of_self_without(_BUSINESS_OF_SPONSORS),
        not_after=pattern(r"\s+(?:duties|licen[cs]e|management|requests|applications|process)\b"),
    ),
    "naturalised": Rule(
        confidence=0.9,
        not_after=pattern(r"\s+(?:species|plant\w*|parkland|garden\w*|style|bulbs|meadows?|river|channel|landscap\w*)"),
        check=of_self,
    ),
    "asylum": Rule(
        confidence=0.9,
        before=pattern(
            r"\b(?:granted|given|won|received|got|obtained|sought|seeking|seek|claimed|claiming|applied for|"
            r"apply for|political|my|his|her|for|refused|awarded) $"
        ),
        not_after=pattern(r"\s+(?:seekers|law|team|accommodation|support|polic\w+|system|caseworkers?|housing)\b"),
        check=of_self,
    ),
    "stateless": Rule(
        confidence=0.88,
        before=pattern(
            r"\b(?:am|is|was|born|formerly|officially|legally|as an?|being|nationality\W{1,4}|citizenship\W{1,4}) $"
        ),
        after=pattern(rf"{_ENDS}|\s+(?:person|and|until|since|by|before|when|palestinian|kurd\w*|rohingya)\b"),
        check=sentence_without(
            pattern(
                r"\b(?:api|http|service|servers?|protocol|functions?|sessions?|microservices?|components?|rest|"
                r"java|backend)\b"
            )
        ),
    ),
    "permit_acronym": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:with|my|his|her|have|has|had|hold|holds|holding|got|obtained|granted|received|on|under|an?|"
            r"applied for|current|valid|for|and|or|by|since)\s(?:an?\s|my\s|uk\s|current\s)*$",
            r"(?:^|[.;:,|\n\u2022*(\">]\s*|-\s+)$",
        ),
        not_after=pattern(
            r"\s+(?:returns?|deadlines?|data\b|systems?|software|submissions?|learner|tools?|rates?|audits?|"
            r"cod(?:e|ing)|manager|engineer|shift|certified|architect|checks?|finding)"
        ),
        check=of_self_without(
            pattern(
                r"\b(?:learner record|college returns|finding aids|archiv\w+|resource planning|xml|"
                r"network operations)\b"
            )
        ),
        tail=re.compile(r"[ ]card\b"),
    ),
    "pr": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(
            r"\b(?:canadian|canada|australian|australia|singapore|nz|new zealand|hong kong|malaysian?|irish|"
            r"german|danish|my|hold|holds|holding|have|has|express entry|applied for|pathway to|eligible for|granted|"
            r"received|got|obtained|with|awaiting)(?: an?| australian| canadian| singapore| my| a canadian)? $"
        ),
        not_after=pattern(
            r"\s+(?:agenc\w+|manag\w+|campaigns?|team|and marketing|experience|skills|background|firm|work|"
            r"account|plan)"
        ),
    ),
    "opt": Rule(
        confidence=0.86,
        case="upper",
        before=pattern(
            r"\b(?:on|stem|f-?1|my|under|post-completion|pre-completion|eligible for|current|via)\s(?:an?\s|my\s|"
            r"stem\s)*$",
            r"[(]$",
        ),
    ),
    "citizen": Rule(
        confidence=0.86,
        before=pattern(
            r"\b(?:an?|full|new|dual|naturali[sz]ed) (?:full |new |naturali[sz]ed |dual )?"
            r"(?:[a-z]{3,}(?:an|ish|ese|ani|li|qi)|us|u\.s\.|uk|eu|eea|french|dutch|swiss|thai|new zealand|greek|"
            r"czech|filipino|turkish) $"
        ),
        not_after=pattern(
            r"\s+(?:scien\w+|journalis\w+|engagement|advice|services?|develop\w+|assembl\w+|charter|panel|jury|portal)"
        ),
    ),
}
