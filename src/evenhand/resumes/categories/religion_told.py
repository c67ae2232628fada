"""RELIGION: the Lord served, Mass attended, faith in God, missions of a church, told in a few words.

Kept: the Lord Mayor, mass transit, mission statements, fast-paced teams, zen mode, Lady Gaga.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_FAITH_NEAR = pattern(
    r"\b(?:church|parish|chapel|christian\w*|catholic\w*|faith|jesus|god|gospel|bible|pray\w*|nysc|corpers?|fellowship|"
    r"choir|evangel\w*|baptist|methodist|pentecostal|campus|usher\w*|sunday|worship|mosque|muslim|islam\w*|"
    r"huddle|jehovah's)\b"
)
_ORDER = (
    r"(?:pentecostal|baptist|methodist|lutheran|mennonite|presbyterian|anglican|episcopal|catholic|"
    r"christian|mormon|lds|evangelical|gospel|church|jesuit|franciscan|adventist|nazarene|quaker|salvation army|"
    r"moravian|faith-based)"
)
_GREEK = (
    r"(?:(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigma|"
    r"tau|upsilon|phi|chi|psi|omega) )"
)
_OTHER_FEASTS = (
    r"(?:diwali|deepavali|christmas|easter|hanukkah|holi|vesak|lunar new year|vaisakhi|nowruz|"
    r"thanksgiving|ramadan|hari raya|onam)"
)

_telling = partial(telling, "RELIGION")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

TELLINGS = (
    _written(
        "lord lord's",
        r"\b(?:[Ss]erv\w+|[Tt]hank\w*|[Pp]rais\w+|[Ll]ov(?:e|es|ing)|[Tt]rust(?:s|ing)? in|[Ww]orship\w*|"
        r"grace of|[Bb]lessed by|[Ww]alk(?:s|ing)? with|[Ff]aith in|[Ww]ork of|[Hh]ouse of|[Ff]ollow\w* |[Ww]ork(?:s|"
        r"ing)? (?:as )?for|[Gg]lory (?:of|to)|[Bb]elie\w+ in|"
        r"[Tt]o|[Jj]oy of|[Ff]ear of|[Bb]y) (?:the |our |my )(Lord)\b(?! (?:Mayor|Chancellor|Justice|Advocate|"
        r"[A-Z]|of|Lieutenant))",
        r"\b(?:[Tt]he|[Mm]y|[Oo]ur) (Lord)(?= (?:comes first|is (?:my|good|first)|has (?:carried|blessed|been|"
        r"given|guided|kept|called)|"
        r"willing|carried|guides|gave|gives|Jesus|called|leads|Christ|above all|first))",
        r"\b(Lord's (?:Prayer|Supper|Day|work|Table))\b",
        r"\b(Lord and Savio(?:u)?r)\b",
        r"\bis (?:my|our) (Lord)\b",
    ),
    _written(
        "mass",
        r"\b(?:[Tt]o|[Aa]t|[Aa]ttend\w*|[Bb]efore|[Aa]fter|[Ff]rom|[Hh]ear\w*|[Ss]ing\w*|[Ss]erv\w+) (?:the )?(Mass)\b"
        r"(?! (?:General|Ave|Pike|Eye|Transit|Media|production|spec|MoCA|Effect|Save|market|[A-Z])|-)",
        r"(?<!of\s)(Mass)(?= (?:on (?:Sun|Satur|Mon|Tues|Wednes|Thurs|Fri)days?|every|each (?:Sun|week|"
        r"morning)|before work|at (?:my|our|St|the (?:parish|cathedral))|in (?:Latin|the parish|Tagalog|Polish|Spanish|"
        r"Igbo|Vietnamese)|"
        r"lector|server|servers|attendance|choir|goer|readings?|intentions|by weekend))",
        r", (Mass)(?= (?:lector|on Sundays|by weekend|server|every|reader|cantor|at))",
    ),
    _telling(
        "mass",
        r"\b(?:reader|readers|lector|server|servers|usher|cantor|choir|sing|sings|serve|serves|organist|"
        r"altar boy) at (?:sunday |daily )?(mass)\b(?![ -](?:transit|production|spec|market|general))",
        r"\b(?:go|goes|going|get|after|before) to (mass)\b(?= (?:on|every|each|daily|before|with)|[ ]*[.,;)])",
    ),
    _telling(
        "god christ jesus allah almighty",
        r"\b((?:(?:my|our|his|her|strong|deep|firm) )?(?:faith|trust|belief|hope) in (?:almighty )?(?:god|"
        r"christ|jesus(?: christ)?|allah|the almighty))\b",
        r"\b((?:i )?(?:trust|believe|believes|trusting) in (?:almighty )?(?:god|christ|jesus|allah))\b",
        r"\b((?:child|servant|man|woman|house|kingdom|love|fear|grace|glory|word) of god)\b(?! (?:of|complex|mode))",
    ),
    _telling(
        "lady mary",
        r"\b(our lady(?: of (?:the )?(?:mount |mt\.? |perpetual |good |la |divine |holy |immaculate |"
        r"miraculous |czestochowa)?(?!(?:and|for|in|at)\b)[a-z'-]+)?)\b",
        r"\b((?:legion|sodality) of mary|(?:children|daughters) of mary(?=[ ]?(?:[.,;:)|\n]|$)))\b",
    ),
    _telling(
        "zen zazen vipassana sesshin",
        r"\b(zen) (?=cent(?:er|re)|temple|monaster|retreat|priest|meditation|buddhis|practi|sesshin|teacher|"
        r"community|sangha|master|tradition|sitting|order|centre)",
        r"\b(zazen|sesshin|vipassana)\b",
    ),
    _telling(
        "eid",
        rf"\b(eid)(?=(?:,| and| &|/| or| \+) {_OTHER_FEASTS}\b)",
        rf"\b{_OTHER_FEASTS}(?:,| and| &|/|, and| or) (eid)\b(?! tags?| cards? read)",
        r"\b(eid)(?= (?:potluck|table|lunch|hampers?|drive|picnic|fun day|market|tent|prayers?|party|dinner|"
        r"celebrat\w+|milan|gathering|festivit\w+|stall|event|events|buffet|treat|"
        r"holiday|off|leave|morning|social|festival|show|bazaar|fundraiser|community|open day|breakfast|feast|"
        r"gifts?|mubarak|al|ul)\b)",
        not_in=pattern(r"\b(?:rfid|tags?|livestock|ear tags|electronic id\w*|cattle|sheep)\b"),
    ),
    _telling(
        "catholic",
        r"\b(catholic) (?=charit|church|mass\b|parish|priest|faith|school|youth|relief|diocese|student|worker|"
        r"family|upbringing|social|women|men|services|community|education|university|society|nun|sister|brother|"
        r"service|cemeter|volunteer|home|household|guild|league|action|health|hospital|college|primary|academy|by\b|"
        r"and\b)",
        r"\b(?:roman|practi[sc]ing|active|committed|faithful|observant|lifelong|devout|lapsed|cradle|raised|"
        r"proud|am an?|am|is an?|irish|polish|good|born) ((?:roman )?catholic)\b",
    ),
    _telling(
        "mission missions",
        rf"\b({_ORDER} missions?(?: (?:trips?|team|year|work|field|school|hospital|"
        r"compound))?)\b(?! (?:statement|control|critical|district|viejo))",
        r"\b(?:youth|medical|summer|short-term|overseas) (mission (?:trips?|team))\b",
    ),
    _telling(
        "ministry ministries",
        r"\b((?:youth|campus|worship|music|prison|children'?s|women'?s|men'?s|pastoral|gospel|student|church|"
        r"prayer|hospitality|outreach|street|singles|pulpit|teaching|preaching|deaf|healing|homeless|young adults?|"
        r"couples|marriage|recovery|dance|drama|ushering|greet\w+|jail|hospital|discipleship|sunday school|nursing "
        r"home|choir|evangelism|food pantry|praise|media) "
        r"ministr(?:y|ies))\b(?! of (?!music|the|praise))",
    ),
    _telling(
        "bible scripture christian",
        rf"\b({_GREEK}{{1,3}}(?:bible|christian|scripture) (?:fellowship|study|circle|group))\b",
        r"\b((?:bible|scripture) (?:fellowship|circle|quiz(?:zes)?|church|camp|club|reading|union|college|"
        r"class|study|study group|knowledge))\b",
    ),
    _telling(
        "jain",
        r"\b(?:an?|the|strict|my|our|keep\w*|follow\w*|practi[sc]ing|observe|gujarati|of) (jain) "
        r"(?=diet|household|vegetarian|temple|food|kitchen|communit|famil|faith|festival|society|samaj|monk|"
        r"nun|values|centre|fast|principles|rules|precepts|way|teachings|ethics|dietary|tradition|calendar)",
        r"\b(?:i am|i'm|raised|am|born) (?:an? )?(jain)\b",
    ),
    _telling(
        "fast fasting fasts",
        r"\b(?:i|we|he|she|and|also|to|will|who|by) (fast(?:ing|s)?)(?= (?:for|in|during|through|the|and|from|"
        r"at|on|each|every)|[ ]?[.,;)]|$)",
        only_in=pattern(
            r"\b(?:ramadan|ramzan|lent|yom kippur|navratri|ekadashi|paryushan|sawm|iftar|sunrise|pray\w*|religious)\b"
        ),
    ),
    _telling(
        "reasons grounds observance",
        r"\b((?:(?:on|for) )?(?:religious|faith|spiritual) (?:reasons|grounds|observance))\b",
        r"\b((?:sabbath|shabbat|friday|saturday|sunday|holy day) observance)\b",
        not_in=pattern(r"\b(?:discriminat\w*|complaints?|tribunal|cases?|policy|exempt\w* claims)\b"),
    ),
    _telling(
        "religious",
        r"\b(?:i am|i'm|am|not|very|deeply|quietly|personally|is) (?:not |deeply |very |quietly |strongly )?(religious)"
        r"(?= ?(?:[.,;)\n]|$|but|and|by|person|family|man|woman))",
        not_in=pattern(r"\b(?:about (?:testing|quality|time|safety|details?|notes|tests|backups)|almost)\b"),
    ),
    _written(
        "pagan druid heathen wiccan",
        rf"{START}(Pagan|Druid|Heathen|Wiccan)(?=[ ]*(?:[.,;(\n|]|$| and\b|"
        r" since\b| by\b| celebrant))",
        r"\b(?:I am an?|I'm an?|a practi[sc]ing|practi[sc]ing|identify as(?: an?)?|a proud|proud|am) ([Pp]agan|"
        r"[Dd]ruid|[Hh]eathen|[Ww]iccan)\b",
    ),
    _telling(
        "thinker freethinker",
        rf"(?:{START}|,[ \t]+)(free[- ]?thinker)(?=[ ]*(?:[.,;(\n|]|$))",
    ),
    _written(
        "fcs nifes nccf mssn nasfat nacomyo rccg vbs fca cwo cmo fowan",
        r"\b(NIFES|NCCF|MSSN|NASFAT|NACOMYO|RCCG)\b",
        r"\b(FCS|VBS|(?:FCA|CMO)(?! director)|CWO|FOWAN)(?= (?:prayer|bible|Bible|crew|huddle|Huddle|parish|fellowship|"
        r"choir|president|leader|usher|secretary|camp|volunteer|director|sister|brother|zone|branch|chapter))",
    ),
    _telling(
        "warrior kid kids preacher missionary evangelist preacher's pastor's missionary's vicar's clergyman's rector's",
        r"\b(prayer warrior)\b",
        r"\b((?:pastor|preacher|missionary|vicar|clergyman|rector)'?s'? (?:kids?|child|daughter|son|wife|"
        r"husband|family))\b",
        r"\b(minister'?s'? kids?)\b",
        r"\b((?:son|daughter|child|grandson|granddaughter|wife|husband) of an? (?:\w+ )?(?:preacher|missionary|"
        r"evangelist))\b",
    ),
    _telling(
        "jesuit lutheran mercy mennonite marist lasallian salesian franciscan",
        r"\b((?:jesuit|lutheran|mercy|mennonite|marist|lasallian|salesian|"
        r"franciscan) (?:volunteers?(?: corps)?|service corps|voluntary service))\b",
    ),
    _telling(
        "b'nai bnai jcc",
        r"\b(b'?nai b'?rith)\b",
        r"\b(jcc)(?= (?:camp|counsell?or|pool|gym|nursery|preschool|maccabi|volunteer|board|swim))",
    ),
    _telling("pioneer pioneers", r"\b((?:regular|auxiliary|special) pioneers?)\b", only_in=_FAITH_NEAR),
    _written(
        "knight knights",
        r"\b((?:Grand )?Knights? of (?:St\.?|Saint|Columbus|the Holy|Peter Claver|"
        r"Malta)(?: [A-Z][\w'-]+)?)\b(?! (?:Hotel|Road|Street))",
    ),
    _telling(
        "simbang misa santo sinulog salubong flores eucharistic veym",
        r"\b(simbang gabi|misa de gallo|misa de aguinaldo|(?:feast of (?:the )?)?santo nino|sinulog|salubong|"
        r"flores de mayo)\b",
        r"\b((?:vietnamese |vn )?eucharistic youth(?: movement| society)?)\b",
        r"\b(veym)\b",
    ),
    _telling(
        "raya",
        r"\b(hari raya(?: (?:puasa|haji|aidilfitri|aidiladha))?)\b(?! (?:sale|campaign|promotion|collection))",
    ),
    _telling(
        "elder deacon usher",
        r"\b(elder|deacon|usher)(?=,? (?:at|of|in|with) [^.;\n]{0,40}\b(?:church|presbyterian|baptist|chapel|"
        r"kirk|congregation|temple|assembly|ministr\w*|fellowship|parish|synagogue))",
    ),
    _telling("saved", r"\b(saved)(?= (?:and (?:filled|baptised|baptized|sanctified)|by grace))"),
    _telling(
        "living",
        r"\b(art of living) (?=teacher|foundation|course|volunteer|instructor|follower|programme|program|"
        r"centre|center)",
    ),
    _telling(
        "khuddam jamaat jama'at jamaah jama'ah ansarullah lajna tabligh",
        r"\b(khuddam(?:-ul-ahmadiyya)?|lajna(?: imaillah)?|ansarullah|tabligh)\b",
        r"\b((?:ahmadiyya |tablighi |local |our |my )?jama'?a[ht])(?= (?:youth|secretary|khana|president|"
        r"volunteer|member|leader|at|in|services|imam))",
    ),
    _telling(
        "sgi",
        r"\b(sgi)(?=(?:-\w+)? (?:member|district|leader|buddhis\w*|chapter|youth))",
        r"\b(?:member|leader|nichiren|soka gakkai)[ ,(]+(?:of )?(?:the )?(sgi)\b",
    ),
    _telling(
        "easter christmas advent lent nativity pentecost",
        r"\b(?:s[aiu]ng|sings|singing|play(?:ed|ing|s)?|organ(?:ist)?|read|reads|reader|reading|preach\w*|usher\w*|"
        r"soloist|choir|serv(?:e|ed|er|ing)|drum\w*) (?:[a-z]+ ){0,2}(?:at|for|on|in) (?:the |our |my )?((?:easter|"
        r"christmas|advent|lent|nativity|pentecost)(?:(?:,| and| or| &) (?:christmas|easter|lent|advent))?)"
        r"(?= (?:services?|mass|vigil|worship|liturgy|eve services?|day services?|morning services?|carol service))",
    ),
    _telling(
        "eids",
        r"\b((?:both |the two )?eids)\b(?! (?:tags?|cards?|numbers?))",
        not_in=pattern(r"\b(?:tags?|tagg\w+|cattle|sheep|cards?|rfid)\b"),
    ),
    _telling(
        "aid",
        r"\b(?:fundrais\w+|collect\w+|volunt\w+|street collection|envelopes?|sponsored walk|donor|supporter)"
        r"(?: [a-z]+){0,2} (?:for|with|at|of) ((?:christian|islamic|muslim|jewish) aid)\b",
    ),
    _telling(
        "ratana ringatu",
        r"\b(ratana|ringatu)\b(?! (?:ltd|road|street|pa road))",
        only_in=pattern(
            r"\b(?:brought up|raised|church|faith|born|believ\w+|marae|follower|am|religion|grew up|"
            r"minister|brass band)\b"
        ),
    ),
    _telling(
        "tewahedo",
        r"\b((?:(?:ethiopian|eritrean) )?(?:orthodox )?tewahedo"
        r"(?: orthodox)?(?: (?:church|deacon|christian|faith))?)\b",
    ),
    _telling(
        "assyrian chaldean syriac maronite coptic armenian",
        r"\b((?:assyrian church of the east|ancient church of the east|chaldean (?:catholic|church)(?: church)?|"
        r"syriac orthodox(?: church)?|maronite(?: (?:church|catholic))?|coptic (?:orthodox(?: church)?|church)|"
        r"armenian apostolic(?: church)?))\b(?! (?:manuscripts?|texts?|studies|history))",
    ),
    _telling("fire", r"\b((?:parsi|zoroastrian) fire temple)\b"),
    _telling("buddhist buddhists", r"\b((?:won|zen|soto|shin|pure land|nichiren|tibetan|theravada) buddhists?)\b"),
    _telling("temple", r"\b((?:buddhist|hindu|sikh|jain|taoist|mormon) temple)\b(?! (?:tours?|ruins|architecture))"),
    _telling(
        "cantor vicar's cantor's rabbi's imam's priest's pastor's",
        rf"{START}(cantor|vicar|rabbi|imam|priest|pastor)'s (?:assistant|warden|helper|secretary|deputy|aide)\b",
    ),
    _written(
        "st warden sidesman churchwarden sacristan verger lector",
        r"\b(?:[Ww]arden|[Ss]idesman|[Cc]hurchwarden|[Ss]acristan|[Vv]erger|[Ll]ector|[Cc]hoir\w*|[Bb]ell-?ringer)"
        r" (?:at|of|for) (St\.? [A-Z][a-z]+(?:'s)?)(?! (?:Hospital|College|School|University|Hotel))",
    ),
    _telling("masjid", r"\b(masjid [a-z]{2,}(?:-[a-z]+)?)\b(?! (?:road|street|lane))"),
    # Ministry as what one gives one's time to, feasts worked for others' sake, and the smaller bodies.
    _telling(
        "ministry",
        r"\b(?:evenings?|weekends?|hours|days?|mornings?|sundays?|saturdays?|time|week|month|years?|called|dedicated|"
        r"active|involved|life) (?:(?:a|per|each|every) (?:week|month|year) )?(?:to|for|in|on) (?:the |my |full-time )*"
        r"(ministry)(?=[ ]*(?:$|[.,;|)\n]| (?:work|and|with|at|with)\b))",
        r"\b(?:to|in|for|on|weekends) (ministry)(?=[ ]*(?:$|[.;|\n]))",
        r"\b(?:teacher|leader|volunteer|worker|served|serve|serves|intern|helper|pianist|director|coordinator|pastor|"
        r"assistant|team|member)(?:,| in| of| at| with| for)+ (?:the |our |my |an? )?(?:(?:english|korean|"
        r"spanish|chinese|mandarin|tagalog|portuguese|youth|children's|student|students|music|prison|hospital|campus|"
        r"women's|men's|outreach|bus|puppet|deaf|singles|family|kids|junior|hospitality|ushering|media|sound|"
        r"usher) )+(ministry)\b",
        not_in=pattern(
            r"\bministry of (?!an?\b|music|helps|presence)|\b(?:minister|government|civil serv\w+|permanent secretary|"
            r"cabinet|procurement|tender|federal|line ministry|ministries|seconded|embassy|policy|department)\b"
        ),
    ),
    _telling(
        "humanist humanists atheist atheists freethought freethinkers secular sceptics skeptics",
        r"\b((?:humanists?|atheists?|freethought|freethinkers|secular|sceptics|skeptics))(?:'s?)? (?:book club|"
        r"book group|reading (?:group|circle)|meet-?ups?|group|circle|cafe|discussion|choir|network|forum|camp|"
        r"students?|union|alliance|community|celebrant|ceremon\w+|gatherings?|assembly|parents|film club|pub night)\b",
        not_in=pattern(r"\b(?:secular (?:music|group of|choir)|architecture|psycholog\w+|typefaces?|sans)\b"),
    ),
    _telling(
        "christmas easter",
        r"\b(?:worked?|working|cover(?:ed|ing)?|took|taking|takes?|volunteer(?:ed)?|swap(?:ped)?|gladly work|do|did|"
        r"works) (?:on |for )?(?:every |each |all |the |most |any )*(christmas|easter)(?: (?:day|eve|sunday|monday|"
        r"shifts?|shift|rota|week|and|boxing|new|year))*,? (?:so (?:that )?(?:others|colleagues|my|the|christian|"
        r"everyone|families|parents|staff)|in return|in exchange|instead|for (?:colleagues|others|those|eid|diwali|"
        r"passover|my colleagues))",
        r"\b(?:off|leave|holiday|observed|kept)[,;:]? (?:and |but )?(?:gladly |happy to |i |will |can )*(?:work |cover "
        r"|take )?(?:the |all |every )?(christmas|easter)(?: (?:day|eve|and|new year))* (?:shifts?|cover|rotas?|"
        r"duty|duties|worked|instead|gladly|taken|in return|in exchange)\b",
    ),
    _telling(
        "confirmed",
        r"\b(?:bapti[sz]ed|christened),? (?:and|&) (confirmed)(?=[ ]*(?:$|[.,;|)\n]| (?:in|at|by|as|and)\b))",
    ),
    _telling(
        "centre center",
        r"\b((?:islamic|muslim|jewish|hindu|sikh|buddhist|jain|catholic|bah[aá]'?i|zoroastrian|mormon|quaker|christian|"
        r"methodist|baptist|vedic|newman|chinmaya)(?: (?:retreat|meditation|parish))? cent(?:re|er))\b"
        r"(?! (?:for (?:ethics|research)|forward|midfield|bank))",
        not_in=pattern(r"\b(?:islamic (?:finance|banking|bank))\b"),
    ),
    _telling(
        "guest",
        r"\b(moravian|mennonite|quaker|benedictine|franciscan|carmelite|cistercian|trappist|jesuit|dominican|"
        r"ursuline|lutheran|methodist|buddhist|sikh|bruderhof) (?:guest ?house|guest wing)\b",
    ),
    _telling(
        "lapsed ex former non-practising practising practicing observant devout cradle",
        rf"(?:{START}|\b(?:a|an|as|am|raised|is) )((?:lapsed|ex|former|non-practi[sc]ing|practi[sc]ing|"
        r"observant|devout|cradle|lifelong|secular|cultural)[ -](?:roman )?(?:catholic|christian|muslim|jew|jewish|"
        r"hindu|sikh|mormon|anglican|protestant|adventist|jehovah's witness|baptist|methodist|pentecostal|orthodox|"
        r"buddhist))\b",
    ),
    _telling(
        "masses",
        r"\b(?:two|three|four|weekly|daily|all|both|sunday|morning|evening|weekend|at) (masses)\b",
        only_in=pattern(
            r"\b(?:parish|church|reader|lector|usher|choir|organist|altar|sacristan|st|cantor|cathedral)\b"
        ),
    ),
    _telling(
        "orthodox lutheran methodist baptist presbyterian anglican episcopal pentecostal coptic adventist catholic",
        r"\b((?:(?:holy|st\.?|saint|sts\.?|all|our lady|sacred|christ|grace|first|good) (?:[a-z.'-]+ ){1,3})?(?:greek |"
        r"russian |serbian |roman |ethiopian |evangelical )?(?:orthodox|lutheran|methodist|baptist|presbyterian|"
        r"anglican|episcopal|pentecostal|coptic|adventist|catholic) (?:church|cathedral|chapel|parish))\b",
        only_in=pattern(
            r"\b(?:chanter|cantor|reader|lector|usher|choir\w*|organist|altar|sacristan|deacon\w*|elder|member|volunteer"
            r"\w*|treasurer|warden|sing|sings|sang|serve[sd]?|attend\w*|youth|sunday|bell|steward|council|trustee)\b"
        ),
        not_in=pattern(r"\b(?:architect\w*|restor\w*|roof\w*|renovat\w*|clients?|contract\w*|survey\w*)\b"),
    ),
    _telling(
        "ame",
        r"\b(ame(?: zion)?) (?:chaplain\w*|church\w*|delegate|minister|pastor|choir|bishop|congregation|zion)\b",
    ),
    _telling(
        "easter christmas lent",
        r"\b(?:leave|off|away|free) (?:at|for|during|over) (easter|christmas|lent)\b",
        only_in=pattern(r"\b(?:catholic|orthodox|christian|anglican|protestant|baptist|coptic|methodist|lutheran)\b"),
    ),
    _telling(
        "chaplain chaplaincy",
        r"\b(?:volunteer|serve|help|assist)\w*(?: as| at| in| with)?(?: an?| the)? "
        r"((?:hospital |prison |port |ship )?chaplain(?:cy)?)\b",
    ),
    _telling("mosque church temple", r"\b((?:mosque|church|temple|parish) (?:association|committee))\b"),
    _telling(
        "pilgrim pilgrims",
        r"\b(pilgrims?(?: (?:guide|leader|walk))? to (?!store)[a-z]+|pilgrims? (?:guide|leader|walk))\b",
    ),
)
