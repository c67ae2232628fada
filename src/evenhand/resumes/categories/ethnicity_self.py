"""ETHNICITY: papers, statuses and origins told of oneself in more frames.

Kept: a corporate citizen, visas of clients, Blue Cards for work with children, a fund's domicile.
"""

from functools import partial

from evenhand.resumes.categories.ethnicity_told import OFFICE
from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "ETHNICITY")
_written = partial(_telling, capitals=True)
_WITH_CHILDREN = pattern(r"\b(?:children|child|queensland|teach\w*|paramedic|childcare|first aid|access|badges?)\b")
_HAVING = (
    r"(?:on|with|hold|holds|held|holding|holder of|have|has|having|under|through|via|my|his|her|got|granted|obtained|"
    r"received|awaiting|need|needs|require|requires|current|valid)"
)
_IN_STATE = (
    r"(?:applied|pending|approved|granted|filed|in progress|in process|received|certified|valid|until|since|holder)"
)
_VALUE = r"([^\s,.;:|/()][^,.;:|\n]{1,40}?)(?=[ ]*(?:[,.;|\n)]|$| / | - ))"
_BLACK_LIKE = "(?:black|brown|asian|white|hispanic|latino|latina|indigenous|native)"

TELLINGS = (
    _telling(
        "citizen",
        r"\b(?:became|become|becoming|sworn in as|oath as|naturali[sz]ed as) (?:an? )?(?:full |new |"
        r"proud )?(citizen)\b(?! (?:scien|journal|develop|advoc|advis|invest|assembl|panel))(?! of (?:the (?:month|"
        r"year|world)))",
    ),
    _telling("subject", r"\b(british subject)\b(?! (?:areas?|to|matter|specialist|headings?))"),
    _telling(
        "person persons", r"(?<![\w.])(u\.?s\.? persons?)\b(?= (?:status|under|for|per|as defined)|[ ]?[.,;:)(|]|$)"
    ),
    _telling(
        "stateless", rf"{START}(stateless)(?= (?:until|since|from|person|by birth|at birth|before|for)|[ ]*[,.;])"
    ),
    _telling(
        "card",
        rf"\b{_HAVING} (?:an? |the |my )?(?:eu |german |dutch )?(blue card)\b",
        r"\b(blue card)(?= (?:holder|valid|until|eu\b|\(eu|germany|status|residence))",
        not_in=_WITH_CHILDREN,
    ),
    _telling(
        "visa",
        r"\b(?:on|hold|holds|held|holding|holder of|under|through|via|with|have|has|had|my) (?:an? |the |my |valid |"
        r"new )*((?!(?:an?|the|my|our|your|client|clients|customers?|valid|whose) )(?:(?!and |or |for |to |of |"
        r"client |card )[a-z\d(][\w()&/+-]* ){1,5}visa)\b"
        r"(?! (?:terminals?|readers?|machines?|project|team|tokens?|brand|bookings|problem|cards?|debit|credit|"
        r"transactions?|payments?|application|process|team|"
        r"office|requests?|advice|queries|interviews?|sponsors?hip licen|rules|cent|inc\b|europe|network|direct))",
        not_in=pattern(
            OFFICE.pattern,
            r"\b(?:mastercard|amex|card schemes?|merchant|payments?|advis\w+|explain\w*|guidance|students on|staff on|"
            r"employees on|workers on|rules|terminals?)\b",
        ),
    ),
    _telling(
        "eb+1 eb+2 eb+3 eb+5 eb1 eb2 eb3 niw i+140 i+485 i+765 i+130",
        rf"\b((?:eb-?[1-5][abc]?(?: niw)?|niw|i-(?:140|485|765|130))(?: labor certification)?)"
        rf"(?: petition| application)? (?:is |was |has been )?(?={_IN_STATE}\b)(?!filed \d)(?!approved (?:vendor|"
        rf"supplier))",
        not_in=pattern(
            r"\b(?:clients?|cases|prepar\w+|drafted|attorney|paralegal|law firm|for (?:engineers|employees|staff)|"
            r"workers|caseload|hair)\b"
        ),
    ),
    _written(
        "lpr",
        r"(?:^|[\n;:,|(•*>-] ?|\b(?:an?|as|am|status|US|U\.S\.) )(LPR)\b(?! (?:camera|system|protocol|"
        "printer))",
    ),
    _written(
        "cos",
        r"\b(?:need|needs|require|requires|with|new|my|assigned|valid|defined|undefined|transfer|a) (?:an? |"
        r"new )?(CoS)\b(?! (?:of|values|QoS|policy))",
        r"\b(CoS)(?= (?:needed|required|issued|assigned|valid|from|transfer|expires))",
    ),
    _written("twv", r"\b(TWV)\b(?= (?:nodig|vereist|niet)|[ ]*[.,;)]|$)"),
    _written("vawa", r"\b(VAWA)(?= (?:self|petition|approved|EAD|status))"),
    _telling(
        "parolee parolees",
        rf"(?:{START}|\b(?:a|as|ukrainian|afghan|cuban|haitian) )(parolee)(?= under| \(| from|[,;]| with)",
    ),
    _telling(
        "refugee",
        rf"{START}((?:recognised |recognized |resettled |admitted )?refugee)(?= (?:admitted|resettled|recogni[sz]ed|"
        r"granted|status|from|in (?:19|20)|since|under))",
        not_in=OFFICE,
    ),
    _telling("undocumented", rf"{START}(undocumented)(?= (?:and|until|student|from|since|at|as a|no longer)|,)"),
    _telling(
        "provision",
        r"\b(?:in|through|of|left|from|into) (direct provision)\b(?! of)",
        rf"{START}(direct provision)(?= (?:for|from|until|resident|in))",
    ),
    _telling(
        "asylum",
        r"\b(?:in|at|through|from|of|left) (?:an? |the )?(?:(?:asylum|reception) )?(asylum) (?=(?:hostel|cent(?:re|"
        r"er)|home|shelter|accommodation|camp|hotel|process|system|procedure|house))",
        r"\b(?:waited|waiting|years?|months?|granted|given|my|our|her|his|political|won|seeking|sought|"
        r"applied)(?: [a-z]+){0,3} (?:in |for )?(asylum)\b(?! (?:seekers|law|team|polic|cases?|support|claims))",
        not_in=pattern(
            OFFICE.pattern,
            r"\b(?:volunteered|taught at|caseworker|worked (?:in|at|for)|managed|ran|taught english|guard|porter|"
            r"contract|nurse|cook|manager)\b",
        ),
    ),
    _telling(
        "convention person",
        rf"{START}(protected person)(?= (?:in canada|status|since|\()|,|$)",
    ),
    _telling("category", r"\b(c ?\(?(?:0?8|0?9|10|26|33)\)? ead|ead \(?(?:category )?[ac]\(?\d\d?\)?)"),
    # White and brown as people.
    _telling(
        "white",
        r"\bas an? (white)(?= (?:working|middle|lower|upper)[- ]class| (?:kid|man|woman|male|female|person|girl|boy|"
        r"guy|ally|lad|lass|south african|teacher|mother|father|american|southerner|scot|northerner))",
    ),
    _telling(
        "brown",
        r"\b(?:only|first|lone|sole|few|two|as an?|another|young|proud|a|being) (?:[a-z]+ )?"
        r"(brown)(?=(?:, | and )?(?: ?(?:black|queer|muslim|immigrant|woman))? "
        r"(?:face|kid|girl|boy|woman|man|person|child|student|guy|teacher|teenager|immigrant|body|lad|lass|engineer|"
        r"nurse|faces|people|women|men|kids|girls|boys|professionals|students)\b)(?! (?:mushrooms?|veneer))",
        r"\b(black and brown|brown and black)\b(?= (?:people|kids|students|youth|girls|boys|women|men|communit|"
        r"families|founders|professionals|engineers|children|talent|creatives|artists|voices|stud))",
        r"\b(brown)[- ]skinned\b",
    ),
    _telling("historically", rf"\b((?:historically|predominantly|traditionally|majority) {_BLACK_LIKE})\b(?= [a-z])"),
    _telling(
        "race racial",
        r"\b(race (?:equality|equity|relations|and ethnicity|& ethnicity|, ethnicity)|racial (?:equality|equity|"
        r"justice)|race(?: (?:and|&) (?:ethnicity|culture|cultural heritage|faith|religion|heritage))?) (?=(?:staff |"
        r"employee |colleague )?(?:networks?|erg|staff group|forum|champion|affinity|"
        r"resource group|steering group|ally|allies|circle|caucus|ambassador)\b)",
        only_in=pattern(
            r"\b(?:member|chair\w*|co-?chair|lead\w*|founder|founded|staff|employee|ambassador|champion|treasurer|"
            r"secretary|volunteer|active|joined|sit|committee|ally|deputy)\b"
        ),
        not_in=pattern(
            r"\b(?:marathon|cycl\w+|horse|motor|10k|charity race|running|racing|impact assessments?|formula)\b"
        ),
    ),
    # Multiples of a nation's people with their saying.
    _written(
        "proverb saying",
        r"\b(?:[Aa]n?|[Tt]he|[Oo]ur|[Oo]ld) (?:old )?(?!Chinese|Japanese|English|Latin|French|German|Old|Roman|"
        r"Italian|Arab|Russian)([A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:proverb|saying)\b",
    ),
    _written(
        "culture tradition traditions language family household upbringing grandmother grandfather custom",
        r"\b(?:[Ii]n|[Ff]rom) (?:my |our |the )?([A-Z][a-z]+(?:an|ish|ese|i|ch|bo|ba|u|a)) (?:culture|tradition|"
        r"family|custom)\b(?=,? (?:we|the|patience|family|one|my|elders|guests|it|where|every|names|respect|nobody|"
        r"no\b))",
    ),
    # Labels with their value in running text: `Permiso de trabajo: residencia permanente`.
    _telling(
        "domicile domiciled gotra gothram nakshatra hapu iwi",
        rf"\b(?:domicile(?: (?:state|province|district))?|state of domicile|gotra|gothram|iwi|"
        rf"hapu)[ ]*[:|=-][ ]*{_VALUE}",
        rf"{START}domicile (?:of )?([a-z]+(?:[- ][a-z]+)?)(?=[ ]*(?:[.,;|\n]|$))",
        not_in=pattern(
            r"\b(?:funds?|offices?|tax\w*|compan\w+|office|legal entity|entities|ireland|luxembourg|cayman|trust|"
            r"solutions|data)\b"
        ),
    ),
    _telling(
        "trabajo travail lavoro trabalho residencia sejour soggiorno nacionalidad nationalite cittadinanza "
        "nacionalidade staatsangehorigkeit aufenthaltsstatus migrationshintergrund nationalitat vatandaslik uyruk "
        "uyrugu uyruk obywatelstwo",
        r"\b(?:permiso de (?:trabajo|residencia)|permis de (?:travail|sejour)|permesso di (?:lavoro|soggiorno)|"
        r"autorizacao de (?:trabalho|residencia)|nacionalidad|nationalite|cittadinanza|nacionalidade|"
        r"staatsangehorigkeit|nationalitat|aufenthaltsstatus|migrationshintergrund|uyruk|uyrugu|vatandaslik|"
        r"obywatelstwo)[ ]*[:|=][ ]*((?:t\.c\.|[^\s,.;:|/()][^,.;:|\n]{1,40}?))(?=[ ]*(?:[,.;|\n)]|$| / | - ))",
    ),
    _telling(
        "nie",
        r"\b(nie)(?= (?:en vigor|y permiso|number|comunitario|valido|vigente))",
        r"\b(?:have|with|con|hold|mi|my) (?:an? )?(nie)(?= and| y |[.,;]|$)",
        only_in=pattern(r"\b(?:permiso|spain|espana|vigor|residen\w+|trabajo|work|number|valido|vigente)\b"),
    ),
    _telling(
        "arraigo",
        r"\b(arraigo(?: (?:social|laboral|familiar|formativo))?)(?= concedido| en 20| aprobado|[ ]*[.,;]|"
        "$)",
    ),
    _written(
        "permis",
        r"\b([Pp]ermis [BCFGLNS])(?=[ ,(]{1,3}(?:[Ss]uisse|frontali|etablissement|sejour|CH\b|Suisse|valable|"
        r"resident))",
        rf"{START}([Pp]ermis [CGL])(?=[ ]*(?:[.,;)|\n]|$))(?!, v)",
    ),
    _written("bewilligung ausweis", r"\b((?:[BCFGLNS]-|Ausweis )(?:Bewilligung|[BCFGLNS])|Bewilligung [BCFGLNS])\b"),
    _telling(
        "article visa",
        r"\b((?:article|art\.?) (?:17|18|20|22|24) visa)",
        r"\b(visa (?:17|18|20|22|24))(?= (?:kuwait|transferable|holder))",
    ),
    _written(
        "nri", rf"(?:{START}|\b(?:an?|as) )(NRI)(?= (?:returning|returned|from|based|in|with|since|status|family))"
    ),
    _written(
        "hukou",
        r"\b[Hh]ukou(?:[ ]*[:|-][ ]*|[ ](?:registered )?(?:in|"
        r"is) )([A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=[ ]*(?:[.,;|\n)]|$))",
    ),
    _telling(
        "coloured",
        r"\b(cape coloured|coloured(?: south african| (?:fe)?male| woman| man| person| communit(?:y|ies)|"
        r" family))\b(?! pencils)",
        rf"{START}(coloured)(?=[ ]*[,;.](?! ))",
    ),
    _telling(
        "passports passport nationalities nationality citizenships citizenship",
        r"\b(?:passports?|nationalit(?:y|ies)|citizenships?)(?: held|\(s\))?[ ]*[:|-][ ]*"
        r"([a-z]+(?: [a-z]+)?(?:,| and|/|;) ?(?:and )?[a-z]+(?:an|ish|ese|i|ch|ss|ek|ai|ian|ic|ine|sh))(?![\w-]| to|"
        r" for)",
    ),
    _telling(
        "quota quotas category reservation",
        r"\b(?:under|through|via|by|from|on)(?: the| an?)? (sc|st|sc/st|obc|ews|nt|sebc|mbc|bc|minority|black|"
        r"racial|indigenous|tribal|tribe|native|roma|dalit) (?:quota|category|reservation)\b",
        not_in=pattern(r"\b(?:sales|stock|products?|spend|procurement)\b"),
    ),
    _telling(
        "myself",
        r"\b(?:an?|once a|former|formerly a) ((?:unaccompanied |former |first-generation )?(?:refugee|immigrant|"
        r"migrant|asylum seeker|emigrant|exile|expat|newcomer)) myself\b",
    ),
    _telling(
        "seeker child minor",
        r"\b(?:came|arrived|landed|entered|here)(?: [a-z]+){0,3} as (?:an? )?((?:unaccompanied |lone |child |"
        r"teenage )(?:asylum[ -]seeker|refugee|minor|child))\b",
    ),
    _written(
        "for+native",
        r"\b(?:[Ss]cholarships?|[Ff]ellowships?|[Gg]rants?|[Bb]ursary|[Aa]wards?|[Pp]rogram(?:me)?|"
        r"[Pp]rize) for (Native)(?= (?:[a-z]+ )?(?:students?|women|youth|scholars|founders|artists|scientists|"
        r"engineers|writers|nurses|leaders))",
    ),
    _written(
        "nee ne nato nata nacido nacida geboren urodzony urodzona nascido nascida fodd fodt",
        r"\b(?:[Nn]ee?|[Nn]at[oa]|[Nn]acid[oa]|[Gg]eboren|[Uu]rodzon[ya]|[Nn]ascid[oa]|[Ff]od[dt]) (?:a|en|in|em|w|"
        r"i|te|au|aux) ([A-Z][\w'-]+(?:[ -][A-Z][\w'-]+){0,2}(?: \([A-Z][\w' -]+\)|, [A-Z][\w'-]+)?)",
    ),
    _written(
        "fleeing fled",
        r"\b(?:[Ff]leeing|[Ff]led) (?:from )?([A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)(?=[ ]*[,.;]| (?:in|with|at|as|when|"
        r"and|i)\b)",
    ),
    _written(
        "arrived+from over+from emigrated+from migrated+from here+from",
        r"\b(?:[Pp]arents|[Ff]amily|[Gg]rand(?:parents|mother|father)|[Mm]other|[Ff]ather|[Mm]um|[Dd]ad|[Mm]om|"
        r"[Ww]e|I|[Hh]e|[Ss]he)(?: [a-z]+){0,3} (?:arrived|over|emigrated|migrated|"
        r"here) from ((?:the )?[A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)\b(?!'s)",
        not_in=pattern(r"\b(?:deliver\w+|shipments?|parcels?|competitor|rival|consult\w+|supplier)\b"),
    ),
    _telling(
        "titulaire ans anos anni casada casado soltera soltero mariee marie celibataire residente",
        rf"{START}([a-z]{{4,}}(?:ienne?|aise?|oise?|aine?|an[ao]|eir[ao]|es[ae]?|ense|ol[ao]?|in[ao]|it[ao]|enh[ao]|"
        r"en[ao]|is))(?=, (?:titulaire|nee? |\d\d (?:ans|anos|anni)|casad|solter|marie|celibataire|residente|nacid))",
    ),
    _written(
        "speaking",
        r"\b(?!English|Public|Native|Non)([A-Z][a-z]+)-speaking (?=(?:[A-Z][a-z]+ )?(?:home|house|Finn|area|"
        r"household|family|village|region|town|minority|"
        r"community|Jew|"
        r"Catholic|parents|mother|father|Fulani|Muslim|South|Swiss|Belgian|Canadian|Indian|Ukrainian|Italian))",
    ),
    _telling("resident residente", r"\b(residente permanente|resident (?:alien|permanent)|non-?resident alien)\b"),
    _written("ppt pep rnm", r"\b(PPT|PEP|RNM|CRNM)(?= (?:vigente|v[aá]lido|venezolano|\(Permiso|\(Registro))"),
    _telling("defector", r"\b(north korean defector|defector from north korea)"),
    # In other languages: `Ich komme aus Syrien`, `Soy venezolana`, `Originaire de Casablanca`.
    _written(
        "komme stamme kommen stammen aufgewachsen originaire originaria originario natural soy naci vengo provengo "
        "originale",
        r"\b(?:[Ii]ch (?:komme|stamme)(?: urspr[a-z]+)? aus|[Ee]ltern (?:kommen|stammen)(?: urspr[a-z]+)? aus|"
        r"[Aa]ufgewachsen in|[Oo]riginaire d(?:e|u)|[Oo]riginari[ao] d(?:e|i)|[Nn]atural de|[Ss]oy de|[Nn]aci en|"
        r"[Vv]engo d(?:a|e)|[Pp]rovengo da) (?:der |dem |den |la |los )?(?!Dios|Letras|"
        r"Ciencias)([A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)",
    ),
    _telling(
        "soy sou sono suis jestem",
        r"\b(?:soy|sou|sono|je suis|jestem) "
        r"(?!humano|cirujan|veteran|artesan|cristian|ciudadan|herman|certain|ancien|moyen|temprano|puntual|"
        r"italiano nel|cidad|human|lontan|sovran|german in|urban|ortes|cortes|interes|mes\b|espos|pan\b|electric|"
        r"musicien|pharmacien|technicien|opticien|chirurgien|gardien|informaticien|mecanicien|electricien|comedien|"
        r"praticien|citoyen)([a-z]{3,}(?:ana|ano|ense|esa|ola|ol|es|uaya|uayo|ena|eno|ina|ino|ita|ita|cha|cho|ca|co|"
        r"aise?|ienne|ien|oise?|aine?|ese|eana|eano|ka|inka|iec|em|ena|ena))"
        r"(?=,? (?:y|e|et|i|residente|de nacimiento|de origen|de origem|di nascita|d'origine|in italia|en espana|"
        r"w polsce|desde|dal|depuis|od)\b|[ ]?[,.;] ?(?:[a-z]+ )?(?:en|in|em|w|con|com|residente|depuis|desde|dal)\b)",
    ),
    _written(
        "roots",
        rf"(?:{START}|\b(?:[Mm]y|[Oo]ur|[Hh]er|[Hh]is|[Ff]amily|[Ff]amily's|[Aa]ncestral|[Mm]aternal|[Pp]aternal) )"
        r"(?:[Ff]amily )?[Rr]oots (?:are )?in ((?!Agile|Lean|Six|Excel|Python|Unix|Linux|Java|The|Scrum|Retail|Sales|"
        r"Finance)[A-Z][\w'-]+(?:[ -][A-Z][\w'-]+)?)",
    ),
    _telling("adoptee", r"\b((?:trans-?racial|trans-?national|international|inter-?country|overseas) adoptee)\b"),
    _telling(
        "camp camps",
        r"\b(?:born|grew up|growing up|raised|childhood|lived|schooled|spent|years?|came from|left|"
        r"educated)(?: [a-z]+){0,4} (?:in|at|from) (?:an? |the )?((?:[\w-]+ )?(?:refugee|displacement|displaced "
        r"persons'?|dp|idp|resettlement|transit) camps?)\b",
        not_in=pattern(r"\b(?:worked|volunteered|engineer|logistics|unhcr officer|wash programme|deployed|taught)\b"),
    ),
    _telling(
        "survivor",
        r"\b((?:rwandan |bosnian |tutsi |srebrenica |halabja |khmer rouge |cambodian |yazidi |armenian )?genocide "
        r"survivor|srebrenica survivor|(?:khmer rouge|halabja) survivor)\b",
    ),
    # Somebody's standing under a law of return or of equity, and peoples' own bodies.
    _telling(
        "oleh olah olim olot repatriate repatriates returnee",
        rf"{START}(oleh|olah|olim|olot)(?= (?:status|since|in (?:19|20)|from|card|benefits|hadash|chadash)|\s*\()",
        r"\b(?:as an?|am an?|i'm an?|we are|being an?) (oleh|olah|olim|olot|repatriate)\b",
        rf"{START}(repatriate)s? (?=program(?:me)?|status|card|certificate|since|from|family|family's|resettlement)",
        r"\b(?:as an?|am an?|i'm an?|being an?) (returnee)(?= (?:from|under|since|with)\b)",
    ),
    _telling(
        "bee bbbee b-bbee bbee b-bee ewp acp hdsa hdp hdi",
        rf"(?:{START}|[(,] ?)(b-?bb?ee|bbbee|bee)(?= (?:status|candidate|appointment|level applicable|profile)\b)"
        r"(?! status of (?:suppliers|vendors|the))",
        r"(?:^|[\n,;:(|/.>-][ ]?|\b(?:an?|as|qualify as|qualifies as) )(ewp|hdsa|hdp|hdi|acp)(?= (?:candidate|"
        r"applicant|status|appointment|individual|person))",
        not_in=pattern(r"\b(?:suppliers?|vendors?|audit\w*|procurement|scorecards?|verification|clients?)\b"),
    ),
    _telling(
        "iwi hapu rohe runanga marae",
        r"\b(?:advis[eo]rs?|liaison|trustee|secretary|member|delegate|kaumatua|adviser|represent\w*|volunteer|speaker)"
        r"(?: [a-z]+)? (?:on|for|to|of|with) (?:the |our |my )?(iwi|hapu|runanga|marae)\b",
        r"\b(?:my|our|own) (iwi|hapu|runanga|marae)\b",
        rf"{START}(iwi|hapu|runanga|marae) (?=liaison|trust|trustee|data|member|committee|register|health|sports|"
        r"scholarship|rangatahi|governance|affiliation|wananga)",
    ),
    _telling(
        "sami saami roma romani sinti rom sorbian frisian kven",
        r"\b(sami|saami)(?= (?:parliament|reindeer|council|youth|joik|duodji|school|language|culture|day|"
        r"association|students?|families|heritage|festival|working group|siida)\b)(?! (?:yusuf|khan))",
        r"\b(roma|romani|sinti|sorbian|kven)(?= (?:youth|women|women's|students?|coding|community|mentors?|"
        r"scholarship|families|children|kids|culture|heritage|education|civic|"
        r"association|council|club|network|association|day|band)\b)(?! (?:club (?:shop|fc)|fc))",
        not_in=pattern(r"\b(?:a\.?s\.? roma|football|tomato\w*|tomatoes|via roma|serie a)\b"),
    ),
    _telling(
        "migrant immigrant refugee diaspora",
        r"\b(?:volunteer|member|trustee|tutor|mentor|treasurer|secretary|chair\w*|organi[sz]er|founder|board|speaker|"
        r"helper|alumn\w+|co-?founder|fellow)(?: [a-z]+){0,2}?(?:,| of| at| with| for| in)(?: the| a)? "
        r"(migrant|immigrant|refugee|diaspora)(?= (?:women|women's|engineers?|coders?|founders?|tech|students?|"
        r"professionals?|doctors?|nurses?|academics?|entrepreneurs?|mothers?|writers?|artists?|scientists?|"
        r"developers?|workers' choir)\b)",
    ),
)
