"""RELIGION: feasts that are kept, prayer, offices at Mass, novices and what is worn for a faith, told in a few words.

Kept: Christmas trade, money lent, lectors of a language, crosses that are no faith's, flags of prayer.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_PILGRIMAGE = pattern(
    r"\b(?:world youth day|wyd|lourdes|camino|hajj|umrah|parish|church|walsingham|santiago|medjugorje|shrine|catholic|"
    r"faith|marian|temple)\b"
)


_BELIEVER = r"(?:christian|muslim|hindu|sikh|buddhist|catholic|jew|jewish|mormon|quaker|pagan|atheist|evangelical)"
_telling = partial(telling, "RELIGION")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)
TELLINGS = (
    _written(
        "lent",
        r"(?:^|[\n.;:•|*>▪●·➢■◆→○~+–\"-]\s*)([Ll]ent)(?= (?:is (?:when|a|my|the|for)|means|and (?:Easter|"
        r"Ramadan|Advent|Holy|Eid)|"
        r"fast|lunch|observ|dinners))",
        r"\b(?:[Oo]bserv\w+|[Kk]eep\w*|[Kk]ept|[Dd]uring|[Tt]hrough(?:out)?|[Gg]ave up \w+(?: \w+)? (?:for|in)|"
        r"[Gg]iv\w+ up \w+(?: \w+)? (?:for|in)|[Ff]ast\w* (?:for|in|during)) (?:the whole of |all of |"
        r"Great )?([Ll]ent)\b(?! (?:me|him|them|us|her|a|out|money|books)\b)",
    ),
    _telling(
        "christmas easter advent epiphany theophany pascha lent whitsun pentecost",
        r"\b((?:(?:greek|russian|coptic|ethiopian|serbian|ukrainian|eastern|romanian|bulgarian|eritrean) )*orthodox "
        r"(?:christmas|easter|pascha|lent|new year|epiphany))\b",
        r"\b(?:lent|ramadan|eid|diwali|hanukkah|advent|passover|good friday|ash wednesday|pentecost|"
        r"epiphany),? (?:and|&|or) ((?:orthodox )?(?:easter|christmas|advent|epiphany))\b(?! (?:sales?|range|trade|"
        r"trading|peak|stock|campaign))",
        not_in=pattern(
            r"\b(?:sales|retail\w*|stores?|customers?|campaigns?|menus?|stock|peaks?|promotions?|products?)\b"
        ),
    ),
    _telling(
        "christmas easter advent epiphany",
        r"\b(?:observ(?:e|es|ed|ing)|celebrat(?:e|es|ing)|keep|keeps|keeping|honou?r|fast(?:s|ing)?) [^.;\n]{0,30}?"
        r"(christmas|easter|advent|epiphany)\b(?! (?:sales?|range|trade|trading|peak|stock|campaign|party|parties|do\b|"
        r"cards?|accounts|rota|hours|fund|stall|trees?|lights?))",
        only_in=pattern(
            r"\b(?:i|my|he|she|as an?|orthodox|coptic|catholic\w*|christian\w*|church|lent|ramadan|eid|faith|january)\b"
        ),
        not_in=pattern(
            r"\b(?:sales|retail\w*|stores?|customers?|campaigns?|menus?|stock|peaks?|residents|pupils|children|"
            r"team|staff|colleagues|office|clients|guests|shop|market|warehouse|books|records|track)\b"
        ),
    ),
    _telling(
        "christmas easter lent advent",
        r"\b((?:christmas|easter|lent(?:en)?|advent))(?= (?:egg hunts?|carols?|plays?|pageants?|vigils?|"
        r"services?|nativity|concerts?|bazaars?|fairs?|lunch|dinners?|hampers?|suppers?|musical|cantata|choir|appeal|"
        r"flowers|retreat)\b)",
        r"\b(?:each|every|at|over|for) (christmas|easter|lent|advent)(?=[ ]*(?:[.,;)\n|]|$| and\b))",
        only_in=pattern(
            r"\b(?:vicar|priest|pastor|church|chapel|parish|nativity play|salvation army|congregation|cathedral|"
            r"sunday school|minister|mass|our faith)\b"
        ),
        not_in=pattern(r"\b(?:sales|retail\w*|stores?|customers?|ministers? of|clients?|stock|menus?)\b"),
    ),
    _telling(
        "prayer prayers",
        r"\b((?:intercessory |dawn |morning |night |noon |healing )?prayers?)(?= (?:secretary|co-?ordinator|"
        r"leader|team|band|department|meeting|chain|ministry|warrior|force|cell|line|captain|prefect|conference|"
        r"retreat|night|lead|convenor|walk|service|circle|worship|rota|corner|triplet|march|altar|house|camp|altar|"
        r"unit|committee)\b)",
        r"\b((?:intercessory|corporate|congregational|communal|contemplative|centering|daily|dawn|night) prayers?)\b",
        r"\b(?:minutes|break|breaks|pause|pauses|corner|stop|stops|room|away|off|timed?|times) (?:for|to|"
        r"around|at) (?:my |the |daily |midday |noon |afternoon |five daily )*(prayers?)\b",
    ),
    _telling(
        "gospel",
        r"\b(?:sang|sings?|singing|sung|plays?|played|playing|perform\w*|record\w*|direct\w*|arrang\w+|love|"
        r"loves) (?:in )?(?:(?:the|an?|some|traditional|southern|black|afro|contemporary|jazz and|soul and|"
        r"blues and) )*(gospel)\b(?! of)",
        r"\b(gospel)(?= (?:and (?:soul|jazz|praise|blues|r&b)|choruses|vocals?|drummer|bassist|guitarist|"
        r"pianist|organist|aerobics|train|explosion|night|team|tracts?|outreach))",
    ),
    _telling(
        "novice novices novitiate postulant postulancy scholastic seminarian friar brother",
        r"\b((?:jesuit|benedictine|franciscan|dominican|carmelite|buddhist|cistercian|trappist|augustinian|"
        r"salesian|marist|capuchin|redemptorist|ursuline|jain|zen|theravada|anglican|episcopal|monastic) (?:novices?|"
        r"novitiate|postulant|scholastic|seminarian|friar|brother))\b",
        r"\b(novice|novitiate|postulant)(?= (?:with|in|at|of) (?:the |a |an )?(?:benedict|francisc|dominic|"
        r"carmel|jesuit|cisterc|trapp|monaster|convent|abbey|order|sisters|society of|congregation|poor clares|buddhis|"
        r"temple|wat ))",
    ),
    _telling(
        "lector lectors acolyte acolytes subdeacon",
        r"(?:^|[\n•*|>;,:.(▪●·➢■◆→○~+–\"-]\s*|\b(?:a|as|an|and|the|then|later|was|am|parish|head|church|weekly|"
        r"sunday|be|been|school) )((?:sunday |weekly |parish )?(?:lectors?|acolytes?|subdeacon))(?=[ ]*(?:[.,;:)\n|(]|"
        r"$| (?:at|on|and|for|then|in|of|since|every|from|with|until|schedule|rota|trainer)\b))",
        not_in=pattern(
            r"\b(?:hannibal|universit\w+|lecturer|publish\w*|journal|foreign|language|english|german|french|daad|"
            r"spanish|polish|manuscripts?|star wars)\b"
        ),
    ),
    _written(
        "birthright",
        r"\b(Birthright)(?= (?:Israel|trips?|leader|fellow|group|alum|madrich|tour|staff|Excel|Armenia|\())",
        r"\b(?:on|for|with|through|via|of) (?:a |the |my )?(?:Taglit[- ])?(Birthright)(?=[ ]*(?:[.,;)\n]|$))",
    ),
    _telling(
        "kara cross crucifix rosary bindi tilak tilaka headscarf cassock habit veil star",
        r"\bwear\w* (?:an? |my |the )?(?:(?:small|silver|gold|wooden|steel|little|plain) )*(kara|cross|crucifix|rosary|"
        r"bindi|tilaka?|headscarf|cassock|habit|veil|star of david)\b(?!-|[ ](?:section|training|body|country|"
        r"fit|trainers?|brace))",
        r"\b(kara)(?= (?:and|or) (?:kirpan|turban|patka))",
        r"\b(?:turban|kirpan|dastar|patka)(?: and| &|,)(?: an?| my| the)?(?: steel)? (kara)\b",
    ),
    _telling(
        "believer",
        r"\b(?:am an?|i'm an?|practi[sc]ing|as an?) (?:(?:devout|strong|sincere|"
        r"committed) )?(believer)(?=[ ]*(?:[.,;)]|$)|"
        r" and (?:it|my|pray|i)\b)",
    ),
    _telling(
        "pilgrim pilgrims",
        r"\b(?:world youth day|wyd|lourdes|camino|hajj|umrah|parish|walsingham|santiago|medjugorje|and|a) (pilgrims?)\b"
        r"(?=[ ]*(?:[.,;:)\n|]|$| (?:and|in|to|on|at|leader|guide|since|20)\b))",
        only_in=_PILGRIMAGE,
    ),
    _telling(
        "adoration confession mass",
        r"\b((?:go|goes|going|went) to confession|hear\w* confessions)\b",
        r"\b((?:perpetual |night |holy hour )adoration)\b",
    ),
    _telling(
        "rss hss",
        r"\b((?:rss|hss)(?: shakha| pracharak| swayamsevak))\b",
    ),
    _written(
        "agnostic atheist humanist secularist",
        rf"{START}(Agnostic|Atheist|Humanist|Secularist)(?=[ ]*(?:[.,;(\n|]|$|"
        r" and\b| by\b| since\b| but\b))",
    ),
    _telling("mass", r"\battend(?:s|ed|ing)? (mass)(?= (?:daily|weekly|every|each|on|at|before|with|in)\b|[ ]*[.,;)])"),
    _telling(
        "secular agnostic atheist nonreligious religious unaffiliated irreligious lapsed",
        r"\b(?:raised|born|brought up|was|grew up|ex-\w+|formerly|lapsed|once)\b[^.;\n]{0,40}\b(?:now|today|"
        r"but|currently|since|presently) (?:an? )?(?:proudly |happily |mostly )?(secular|(?:non-?|not )religious|"
        r"unaffiliated|non-?practi[sc]ing|agnostic|atheist|irreligious|lapsed)\b(?! (?:to|about) (?:vendor|platform|"
        r"the))",
    ),
    _telling(
        "belief beliefs faith religion creed worldview denomination confession affiliation convictions spirituality "
        "konfession religione religiao wyznanie",
        rf"{START}(?:my |religious |personal )?(?:beliefs?|faith|religion|creed|world-?view|denomination|confession|"
        r"(?:religious |faith )?affiliation|convictions|spirituality|konfession|religione|religiao|wyznanie)(?: or "
        r"(?:belief|religion))?[ ]?[:=|\u2013-][ ]*((?:an? )?(?:agnostic|atheist|none|nil|no religion|"
        r"(?:non-?|not )religious|secular|humanist|spiritual(?: but not religious)?|free-?thinker|deist|theist|"
        r"pantheist|non-?believer|unaffiliated|konfessionslos|ohne|keine|undeclared|nothing in particular|ninguna|"
        r"nessuna|aucune))(?=[ ]*(?:[.,;|)\n\"]|$))",
    ),
    _telling(
        "prasad prasadam prashad karah bhog",
        r"\b(?:cook\w*|serv\w*|distribut\w*|prepar\w*|offer\w*|made|mak\w+|hand\w* out) (?:the )?((?:karah "
        r")?(?:prasad(?:am)?|prashad|bhog))\b",
    ),
    _telling(
        "samhain beltane imbolc lughnasadh lughnasa mabon ostara litha esbat sabbats esbats yule",
        r"\b(samhain|beltane|imbolc|lughnasadh?|mabon|ostara|litha|esbats?|sabbats)\b",
        r"\b(?:keep\w*|kept|observ\w*|celebrat\w*|wiccan|pagan|heathen|druid) [^.\n]{0,20}\b(yule)\b",
    ),
    _telling(
        "druid druids heathen wicca grove moot kindred coven",
        rf"{START}(druid|heathen|pagan|wiccan|asatru)(?= (?:grove|kindred|moot|coven|order|camp|celebrant|priest\w*|"
        r"gathering)\b)",
    ),
    _telling(
        "sundown sunset nightfall dusk evening",
        r"\b((?:from |before )?(?:friday|fri\.?) (?:sundown|sunset|nightfall|dusk)(?:,? (?:to|until|till|"
        r"through|and|-) (?:saturday|sat\.?)(?: (?:sundown|sunset|evening|night|nightfall|dusk))?)?)",
        r"\b((?:friday|fri\.?) evenings? (?:to|until|till|through) (?:saturday|sat\.?) (?:sundown|sunset|evening|night|"
        r"nightfall|dusk))\b(?= (?:off|free|only|for (?:reli|faith|the sabb))|[ ]*[.;,)\n])",
        only_in=pattern(
            r"\b(?:work\w*|available|unavailable|shifts?|off|sabbath|shabbat|shabbos|free|adventist|observ\w*|offline|"
            r"rest|faith|keep)\b"
        ),
        not_in=pattern(r"\b(?:cruises?|photo\w*|tours?|bar|events?|market)\b"),
    ),
    # In a text of small letters: `i am christian and married`, `as a muslim i pray`, `proud sikh.`
    _telling(
        "christian muslim hindu sikh buddhist catholic jew jewish mormon quaker pagan atheist evangelical",
        rf"\b(?:i am|i'm|she is|she's|he is|he's) (?:(?:an?|proud|devout|practi[sc]ing|committed|also|now) )*"
        rf"({_BELIEVER})(?=[ ]*(?:[.,;)\n]|$)| and (?:married|single|divorced|widowed|proud|gay|i|my|we)\b)",
        rf"\bas an? (?:proud |devout |practi[sc]ing |committed )?({_BELIEVER}),? (?=i |we |my )",
        rf"{START}(?:proud|devout|practi[sc]ing|committed|lifelong) ({_BELIEVER})(?=[ ]*(?:[.,;)\n]|$))",
        rf"\b(?:i am|i'm) (?:[a-z]+(?: [a-z]+)?, )+({_BELIEVER})(?=[ ]*(?:[.,;)\n]|$)| and\b)",
        not_in=pattern(r"\b(?:name is|called|call me|christian (?:dior|louboutin))\b"),
    ),
    _telling(
        "easter lenten epiphany pentecost eid ramadan iftar diwali vaisakhi",
        r"\b((?:easter|lenten|epiphany|pentecost|eid|ramadan|iftar|diwali|vaisakhi))(?= (?:food (?:drive|bank|parcels?|"
        r"distribution)|hampers?|appeal|toy drive|collection|parcels?|soup|almsgiving)\b)",
        r"\b(?:leave|day off|time off|annual leave|holiday|days) (?:is |was )?(?:requested|needed|wanted|booked|taken|"
        r"asked)? ?(?:for|at|over|on) (eid|ramadan|diwali|vaisakhi)\b",
    ),
)
