"""RELIGION: churches, orders, deities and customs under names with a word beside them: MFM choir, a Krishna devotee.

Kept: INC as a company's form, SDA and PCA elsewhere, jazz devotees, wedding vows, fasting blood glucose, Kirk, a name.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "RELIGION")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

#: Churches and movements by their letters, which stand for something else as well.
_LETTERS_LISTED = (
    "MFM CAC ICGC ZCC SDA NU UCCP SGM PKN COGIC AME UMC ELCA LCMS PCUSA PCA SBC OPC CRC URC PCEA ACK AIC ERCC "
    "COCIN EYN CCC ELCSA UPCSA MCSA NGK AFM UCZ CCAP CNI CSI IPC JIL CCF GKI GPIB GBI GKJ GPdI UGCC JMJ RSSB VHP BSU "
    "BYX PEFA FGCN FGBMFI NCCF AGM ISNA ICNA MSA UMNA MYF UMYF CYO LYF CSW MMM KMC KCC JCF RSS HSS NHSF"
)
_LETTERS = rf"(?:{'|'.join(_LETTERS_LISTED.split())})"
_OFFICE = (
    r"(?:choir|choristers?|ushers?|ushering|elders?|deacon\w*|pastors?|parish|congregation|"
    r"protocol (?:team|unit|member)|worship|sunday|Sunday|"
    r"youth (?:fellowship|choir|president|leader|pastor|group)|prayer|cell (?:leader|group)|church|Church|Good Women|"
    r"upbringing|by (?:birth|upbringing|faith|tradition|baptism)|drummer|evangelist|baptised|baptized|"
    r"lay preacher|local preacher|faith|sabbath|Sabbath|Bible|bible|assembly member|confirmand|catechist|"
    r"brass band|ward clerk|shakha|youth wing)"
)
_DEITY = (
    r"(?:(?:lord|sri|shri|shree|goddess|maa?|infant) )?(?:krishna|shiva|siva|rama|ram|vishnu|ganesha?|"
    r"ganapath?i|ganpati|hanuman|durga|kali|lakshmi|saraswati|murugan|ayyappan?|venkateswara|balaji|jagannath|sai baba|"
    r"shirdi sai|amma|guan ?yin|mazu|matsu|mary|nazarene|santo nino|swaminarayan|radha|perumal|amman|vitthal|vithoba|"
    r"khandoba|jesus|guadalupe|infant jesus|padre pio|virgin mary|st\.? jude|st\.? anthony|buddha|tirupati|sathya sai|"
    r"mother mary)"
)
_LAND = r"(?:i|my|we|our|he|his|she|her|who|that|and|to|will|also|strictly|always|still)"
_MEDICAL = pattern(
    r"\b(?:glucose|blood|patients?|labs?|samples?|lipids?|insulin|surg\w+|intermittent|mice|rats|trials?|cholesterol|"
    r"diabet\w+|coach\w*|weight|keto\w*|metabol\w+|plasma|anaesth\w*|anesth\w*|dogs?|cattle|clients?|diet plans?)\b"
)
_SALES = pattern(
    r"\b(?:sales|retail\w*|stores?|customers?|campaigns?|menus?|stock|peaks?|promotions?|products?|market|"
    r"merchandis\w+|hotels?)\b"
)
_HOLY_DAYS = (
    r"(?:hanukkah|chanukah|hannukah|diwali|deepavali|eid|ramadan|passover|pesach|lunar new year|vesak|"
    r"holi|purim|nowruz|vaisakhi|rosh hashanah|yom kippur|orthodox christmas|kwanzaa|lent|advent|good friday)"
)

TELLINGS = (
    # Young people's work of a Christian association: `Camp leader, YMCA`; a gym and a hostel stay.
    _telling(
        "ymca ywca",
        r"\b(?:leader|counsel\w+|volunteer|member|helper|coach|steward|camps?|committee|trustee|secretary|"
        r"treasurer|president|delegate)(?:,| of(?: the)?| at(?: the)?| with(?: the)?| for(?: the)?)? (?:[a-z]+ )?"
        r"(y[mw]ca)\b(?! (?:gym|pool|fitness|hostel|membership desk))",
    ),
    _written(
        _LETTERS.lower()[3:-1].replace("|", " "),
        rf"\b({_LETTERS})(?= (?:[A-Z][\w'-]+ )?{_OFFICE}\b)",
        rf"\b(?:[Cc]hoir|[Uu]sher\w*|[Dd]eacon\w*|[Ee]lder|[Pp]astor|[Cc]ell leader|[Ss]unday [Ss]chool|[Pp]reacher|"
        rf"[Cc]hurch|[Ff]aith|[Dd]enomination|[Bb]aptised|[Bb]aptized|[Cc]horister|[Ee]vangelist|[Ww]orship leader|"
        rf"[Bb]elong)(?:[:,]| in| at| of| with| for)? (?:the |an? )?({_LETTERS})\b",
        r"\b(?:[Ww]ears?|[Ww]earing)(?: \w+)? (ZCC)\b|\b(ZCC)(?= (?:badge|star|pilgrim))",
        rf"\b[Rr]aised(?: in)? (?:the )?({_LETTERS})(?=[ ]*(?:[.,;)\n]|$))",
        not_in=pattern(r"\b(?:ltd|limited|gmbh|plc|software|engineer\w*|hosting|annual general)\b"),
    ),
    _telling(
        "terreiro terreiros",
        r"\b(?:member|filh[ao]|casa|candomble|umbanda|of|at|my|our|meu|nosso) (?:an? |the |de |do )?(terreiro)\b",
    ),
    _written("inc", rf"{START}(INC)(?= (?:choir|deacon\w*|member|church|worship|locale|chapel|Church)\b)"),
    _written("sda", rf"{START}(SDA)(?=[ ]*[;,.(|\n-]+[ ]*(?:no|not|off|[Ss]aturday|[Ss]abbath|[Ff]riday|I |sun))"),
    _written(
        "cofe of+england of+e rc r+c",
        r"\b(CofE|C of E)\b",
        rf"(?:{START}|\b(?:[Rr]aised|[Bb]aptised|[Bb]aptized|[Ff]aith|[Rr]eligion|am|[Ll]apsed|[Pp]ractising)[:,]? )"
        r"(R\.C\.|RC)(?=[ ]*[;,.|)\n]|$| (?:by|school|parish|church))",
    ),
    _written(
        "redeemed winners dunamis koinonia lighthouse kirk moravian vineyard daystar wesleyan bethel pathfinder "
        "pathfinders adventurers oaza lektor schola gideon aladura skoptsy krishnaite",
        r"\b(Redeemed|Winners|Dunamis|Koinonia|Lighthouse|Vineyard|Daystar|Moravian|Wesleyan|Bethel)"
        r"(?= (?:member\b|usher|choir|protocol|parish|elder|deacon|pastor|shepherd|worship|Sunday|upbringing|by "
        r"(?:upbringing|birth|baptism)|fellowship|cell|satellite|Chapel|Brethren|missionary|church|Church|preacher|"
        r"volunteer for|home for))",
        r"\b(?:[Ee]lder|[Mm]inister|[Ss]ession clerk|[Mm]ember|[Dd]eacon|[Bb]eadle|[Oo]rganist|[Oo]ffice-?bearer)"
        r"(?: of| in| at| for) (?:the |my |our )?((?:local |parish )?Kirk)\b(?! [A-Z])",
        r"\b((?:Adventist )?Pathfinders?)(?= (?:leader|counsell?or|club|Club|director|camporee|Camporee|honou?rs)\b)",
        r"\b(Oaza|Lektor|Schola)(?= (?:\(|w parafii|w kosciele|parafialn|rekolekc|movement|dzieci|przy parafii|"
        r"liturg))",
        rf"(?:{START}|\b(?:an?|the|of) )(Skoptsy|Krishnaite|Gideon)\b(?![ ](?:[A-Z]|v\b))",
    ),
    _telling(
        "devotee devotees bhakt bhakta disciple follower followers devoted worship worships prayed vow vowed puja "
        "pooja jayanti chalisa ashram novena procession chaturthi visarjan pray fast fasts fasting temple",
        rf"\b((?:{_DEITY}) (?:devotees?|bhakta?|bhakti|puja|pooja|jayanti|chalisa|ashram|bhajans?|procession|novena|"
        r"pilgrimage|mandir|temple|chaturthi|visarjan|mandal))\b",
        rf"\b(?:devotees?|disciples?|followers?|bhakta?|devoted|prays?|vow\w*|fasts?|fasting|worships?|service) "
        rf"(?:(?:[a-z]+ ){{0,3}}(?:to|for|of) )?(?:the )?({_DEITY})\b(?! (?:street|road|krishnan|engineer\w*|labs))",
    ),
    _telling(
        "vows vow",
        r"\b(?:took|take|takes|taken|taking|made|making|renew\w*|profess\w*|under) (?:my |her|his |their )?"
        r"((?:[a-z]+ )?vows?)(?= (?:as|in|with|and|at|when|for|until|before|of (?:pov|chas|obed|sil|stab|"
        r"celib)|to (?:the (?:church|order))|left)\b"
        r"|[ ]*[.,;)]|$)(?! (?:to (?:my|her|his) (?:wife|husband)|of office|renewal))",
        r"\b(vows? of (?:poverty|chastity|obedience|silence|stability|celibacy))\b",
        not_in=pattern(r"\b(?:wedding|marri\w+|bride\w*|groom|ceremonies|couples?|venue|honeymoon|anniversary)\b"),
    ),
    _telling(
        "fasting fast fasts",
        r"\b(fasting)(?= (?:in|on|during|through|throughout|for|until|till|days?|months?|periods?|season|does|is|"
        r"respected|and pray\w*|from dawn|from sunrise|weeks?)\b)",
        r"\b((?:dawn-to-dusk|sunrise-to-sunset|religious|daytime|ramadan|lenten) fast(?:ing|s)?)\b",
        r"\b((?:church |orthodox |weekly )?fast days|days of fast(?:ing)?|fasting days)\b(?!-)",
        rf"\b{_LAND} (?:[a-z]+ )?(?<!work\s)(fast)(?= (?:during|in (?:ramad|lent|january|the month|advent|"
        r"navrat)|on (?:mon|tues|wednes|thurs|fri|satur)days?|for|from|and pray|"
        r"until (?:sun|dusk)|dawn|twice|every)\b)",
        not_in=_MEDICAL,
    ),
    _telling(
        "meeting friends",
        r"\b(?:our|my|the local|quaker|friends'?|clerk (?:of|to) (?:the|our)|elder (?:of|at) (?:the|our)|"
        r"warden (?:of|at) (?:the|our)) (meeting house|meeting-house|meetinghouse|monthly meeting|yearly meeting|"
        r"preparative meeting)\b",
        only_in=pattern(
            r"\b(?:quakers?|friends|clerk|elders?|warden|overseer|trustee|worship|attender|silence|member|treasurer)\b"
        ),
    ),
    _telling("meetinghouse", r"\b(meetinghouse)(?= (?:librarian|clerk|facilitator|cleaning|tour guide))"),
    _telling(
        "sunset sundown dusk nightfall candle",
        r"\b((?:fridays?|saturdays?) (?:evenings? |night )?(?:from |at |after |before |until |by )?(?:the )?"
        r"(?:sunset|sundown|dusk|nightfall|candle[- ]lighting)(?: (?:to|until|till) (?:saturday )?(?:sunset|"
        r"sundown|dusk|nightfall|night|evening)(?: on saturdays?)?)?)\b",
        r"\b((?:sunset|sundown|dusk|nightfall|candle[- ]lighting) (?:on |every |each )?(?:fridays?|saturdays?))\b",
        not_in=pattern(
            r"\b(?:cruises?|yoga|tours?|shoot\w*|photo\w*|concerts?|drones?|walks|run|market|dj|bars?|sabbath|shabb\w+|"
            r"adventist|jewish|observant|shomer)\b"
        ),
    ),
    _telling(
        "pork beef alcohol gelatine gelatin",
        r"\b(?:do not|don't|cannot|can't|won't|will not|never|does not|doesn't|rather not|prefer not to|"
        r"unable to|not to) (?:[a-z]+ )?((?:eat|touch|handle|drink|serve|taste|prepare|cook|cook with|work with|"
        r"consume) (?:any )?(?:pork|beef|alcohol|gelatine?)(?:(?:,| or| and| nor) (?:pork|beef|alcohol|gelatine?))?)\b",
        r"\b((?:no|without) pork(?: (?:or|and|nor) (?:alcohol|beef|lard))?)(?=[ ]*[.,;)|\n]|$)",
        not_in=pattern(
            r"\b(?:menus?|customers?|guests|suppliers?|recipes?|minors|under-?age|patients?|ingredients?)\b"
        ),
    ),
    _telling(
        "posadas posada",
        r"\b(las posadas|(?:christmas|navidad|december|parish|church|neighbou?rhood) posadas?)\b",
        r"\b(posadas)(?= (?:each|every|in) december)|\b(posadas)\b(?=[^.;\n]{0,30}\b(?:december|christmas|navidad))",
    ),
    _telling(
        "christmas easter christmases",
        rf"\b(christmas|easter)(?=(?:,| and| &|/| or|, and) (?:[a-z]+ )?{_HOLY_DAYS}\b)",
        rf"\b{_HOLY_DAYS}(?:,| and| &|/| or|, and) ((?:orthodox )?(?:christmas|easter))\b(?! (?:sales?|range|card))",
        r"\b(?:celebrat\w+|observ\w+|keeps?|keeping|kept) (?:both |orthodox |coptic |the )?(christmas|easter)"
        r"(?= (?:on (?:the )?(?:7|6|january)|in january|twice|with (?:my|our|the) (?:church|parish)))",
        r"\b((?:orthodox|coptic|julian|ethiopian|serbian|armenian) (?:christmas|easter))\b",
        not_in=_SALES,
    ),
    _telling(
        "friday",
        r"\b(?:off|for|keep|keeps|observe|observes|ask for|take|not work|off on|free on|leave on|on|every) "
        r"((?:orthodox |greek )?good friday)\b(?! (?:trad\w+|sales?|agreement|rota|shifts?|bonus))",
        r"\b(good friday)(?= (?:off|procession|vigil|service|fast|walk|leave))",
        not_in=_SALES,
    ),
    _telling(
        "wear wears wearing worn wore",
        r"\b(?:wear|wears|wearing|wore|worn) (?:an? |my |the |his |her )?(?:(?:small|silver|gold|wooden|steel|"
        r"little|plain|full|black|white|loose|long) )*(patka|abaya|jilbab|tudung|khimar|chador|topi|taqiyah|songkok|"
        r"kopiah|kufi|kara|sacred thread|janeu|clerical collar|dog collar|scapular|five ks|5 ks|star of david|magen "
        r"david|chai|sudreh(?: and kusti)?|kusti|mangalsutra|tzitzit|mala|rudraksha|tulsi mala|prayer beads|zcc "
        r"(?:star|badge)|miraculous medal|st\.? christopher|hand of fatima|yarmulke|head ?covering|head scarf|ihram|"
        r"burkini|modest dress|long skirts?(?= for))\b",
    ),
    _telling(
        "religious life convent carmel order novitiate monastery abbey",
        r"\b(?:entered|left|leaving|years? in|time in|entering) (?:the )?(religious life|religious order|"
        r"carmel|cloister)\b",
        r"\b((?:cloistered|contemplative|enclosed|lay|consecrated) (?:order|life|nun|sister|brother|carmelite|virgin))"
        r"(?= (?:for|until|in|at|with|from)|[ ]*[.,;)])",
        only_in=pattern(r"\b(?:vows|nun|sisters?|monk|brother|priest|entered|left|order|convent|monaster\w+|novice)\b"),
    ),
    _telling(
        "roza rozas rozay iqra pondok qaida tpq tpa",
        r"\b(?:keep|keeps|keeping|observe|observes|fast|kept|my|the|ramzan) (roza[sy]?)\b",
        r"\b(?:teach|teaches|taught|tutor\w*|learn\w*|studied|attended|in|at) (?:an? |the )?(iqra|pondok|qaida|"
        r"tpq|tpa)\b",
    ),
    _telling(
        "isha",
        r"\b(isha)(?= (?:foundation|yoga|prayers?|volunteer|kriya|inner engineering|meditat\w+))",
    ),
    _telling(
        "living",
        r"\b(?:volunteer\w*|teach\w*|follow\w*|course|member|meditat\w+)(?: [a-z]+)? (?:at|with|of|for|in|by) (?:the )?"
        r"(art of living)\b",
    ),
    _telling(
        "bell bell-ringer bell-ringers bellringer bellringers bell-ringing bellringing belfry tower change",
        r"\b(tower captain|change[ -]ring(?:er|ing)|bell[ -]?ring(?:ers?|ing))\b(?! (?:activit\w+|exercise|"
        r"questions?|assign\w+|warm))",
        not_in=pattern(
            r"\b(?:pupils|students|lessons?|classroom|warm-?ups?|grade|church|anglican|salvation army|cathedral|"
            r"parish)\b"
        ),
    ),
    _telling(
        "meditation prayer prayers chanting yoga retreat retreats worship rites feast feasts rituals fasting",
        r"\b((?:daily |weekly |morning )?(?:buddhist|zen|vipassana|theravada|tibetan buddhist|christian|muslim|islamic|"
        r"jewish|hindu|sikh|catholic|jain|taoist|shinto|ignatian|pagan|orthodox) (?:meditation|prayers?|chanting|"
        r"retreats?|worship|rites?|rituals?|feasts?|fasting))\b(?! (?:rooms? (?:fit|built|design)))",
    ),
    _telling(
        "kirchensteuer kirchensteuermerkmal steuermerkmal kirchensteuerabzug",
        r"\bkirchensteuer(?:merkmal|abzug|pflicht)?(?:[ ]*[:;|=-][ ]*|[ ])(rk|ev|ev\.?-luth\.?|r\.?-k\.?|"
        r"romisch-katholisch|evangelisch|keine|nein|ja|none|no|yes|ak|lt|rf|ib|il|is|fb|fm)\b",
    ),
    _telling(
        "kath evang ev rk konf",
        r"\b((?:rom|roem|griech|alt)\.?[ -]{0,2}kath\.?|ev\.?[ -]{0,2}(?:luth|ref|freik|"
        r"meth)\.?)(?=[ ]*(?:[,;|)\n/]|$| [a-z]))",
    ),
    _telling(
        "nazareno nazarena fallera falleras oratorio miko hermandad romero santo",
        r"\b(nazarenos?|nazarena)(?= (?:in|en|of|de|during) (?:la |the )?(?:holy week|semana santa|seville|sevilla))",
        r"\b(oratorio)(?= (?:summer|leader|animat\w+|estivo|parrocchiale|volunteer|camp|in the parish|san |don bosco))",
        r"\b(miko)(?= (?:at|in|for) (?:an? |the )?(?:[a-z]+ )?(?:shrine|jinja))",
        r"\b(hermandad (?:de|del|de la|de los|de las) [a-z]+)",
    ),
    _telling(
        "presbyter presbyterin",
        r"\b(presbyter(?:in)?)(?=[ ]*(?:[.,;)\n]|$)| (?:in|im|der|since|seit|at|of)\b)",
    ),
    _telling(
        "christened",
        r"\b(?:was|were|been|got|being) (christened)(?= (?:at|in|into|by|on|and)\b|[ ]*[.,;)])",
        not_in=pattern(r"\b(?:project|ship|vessel|boat|ferry|product|tool|release|version|yacht|train|team)\b"),
    ),
    _telling(
        "sudreh kusti",
        r"\b(sudreh|kusti)(?= (?:and|prayers?|ceremony))|\band (kusti)\b",
    ),
    _telling(
        "tijani bohra bohras aladura ridvan tendai",
        r"\b((?:tijani|bohra|tendai)(?= (?:order|brotherhood|sufi|tariqa|community|muslim|jamaat|family|temple|monk|"
        r"buddhis\w*|priest|background|household|youth)))",
        r"\b(?:celebrat\w+|observ\w+|off for|holy days? of|festival of|during) (ridvan|poya)\b",
    ),
    _telling(
        "nashi nasi \u306a\u3057 \u65e0 \u7121 \u65e0\u5b97\u6559",
        "\\b(?:\u5b97\u6559|\u5b97\u6559\u4fe1\u4ef0|\u4fe1\u4ef0)[ ]*[:\uff1a|][ ]*(\u306a\u3057|\u65e0|\u7121)",
    ),
    _written(
        "wat",
        r"\b(Wat (?!Tyler|Is|The|Mon|Do|Does|Can)[A-Z][a-z]{2,}(?: [A-Z][a-z]+){0,2})\b(?! (?:Street|Road|Tours?))",
    ),
    # Parts of churches: `treasurer of the deanery`, `orthodox parish council`, `sound engineer on Sundays`.
    _telling(
        "deanery archdeanery presbytery synod eparchy circuit classis",
        r"\b(?:lutheran|anglican|catholic|methodist|reformed|orthodox|presbyterian|church|episcopal|evangelical|rural|"
        r"moravian|mennonite)[ ](?:area |regional |district |general |diocesan )?"
        r"(deanery|archdeanery|presbytery|synod|eparchy|circuit|classis)\b",
        r"\b(?:member|treasurer|secretary|clerk|books|delegate|chair\w*|lay (?:chair|rep\w*|member)|volunteer|choir|"
        r"bookkeeper|webmaster)(?: [a-z]+)?(?: of| for| to| at| in|,) (?:the |our |my )?(?:local |rural )?"
        r"(deanery|presbytery|synod|eparchy)\b",
        rf"{START}((?:rural |area )?deanery|presbytery|(?:general |diocesan )?synod) (?=treasurer|secretary|clerk|"
        r"chair|member|synod|delegate|representative|rep\b|choir|youth)",
        not_in=pattern(r"\b(?:deanery (?:road|street|school|high school)|faculty)\b"),
    ),
    _telling(
        "parish",
        r"\b((?:(?:greek|russian|ukrainian|serbian|romanian|coptic|antiochian|bulgarian|georgian) )?(?:orthodox|"
        r"catholic|lutheran|anglican|episcopal|reformed|evangelical|maronite|armenian|polish) parish)\b"
        r"(?! (?:school|records|hospital))",
    ),
    _telling(
        "sundays sunday saturdays sabbath fridays",
        r"\b(?:church|chapel|parish|congregation|choir|worship|hymns?|organ|organist|mass|sermons?)\b[^.;:\n]{0,36}? "
        r"(?:on|every|each|most) (sundays?|saturdays|sabbath)\b",
        not_in=pattern(r"\b(?:church street|tours?|tourists?|visitors|ticket\w*|market|shop|opening hours|delivery)\b"),
    ),
)
