"""GENDER: roles, nicknames, titles and teams that tell a woman or a man, told in a few words.

Kept: landlords as those one works for, Queen's Award, king beds, the cowboy builder of a headline,
women's wear in German (Damenmode), waiters as staff.
"""

from functools import partial

from evenhand.resumes.categories.tellings import START, telling
from evenhand.resumes.rules import pattern

__all__ = ["TELLINGS"]

_telling = partial(telling, "GENDER")
#: The same, read with its capitals.
_written = partial(_telling, capitals=True)

_TEAMS = (
    "mannschaft mannschaften team teams chor riege fussball handball volleyball basketball turnen gruppe abteilung "
    "netzwerk liga bundesliga nationalmannschaft gesangverein gesangsverein verein beauftragte trainerin trainer "
    "arbeit turnverein mannschaftskapitan staffel doppel"
)

TELLINGS = (
    _telling(
        "waiter",
        rf"(?:{START}|\b(?:bellboy|porter|barman|dishwasher|busboy|host|runner|cook)[^.\n]{{0,24}} and (?:an? )?)"
        r"((?:cocktail |wine |silver service |part-time |banquet )?waiter)(?=,? (?:at|then|for|in|on|with|"
        r"and(?! chef)|while|since|before|during|part-time|(?:one|two|three|four|five|six|several) (?:summers|winters|"
        r"seasons|nights))\b|"
        r", (?:summers|evenings|weekends|part-time|seasonal)\b)",
        not_in=pattern(r"\b(?:dumb|tray|training|every|stations?|calls?)\b"),
    ),
    _telling(
        "actor",
        rf"{START}((?:amateur |stage |lead |child )?actor)(?=,? (?:and (?:the|an?|singer|director|playwright|"
        r"musician|stage)|"
        r"in (?:the|an?|our) (?:amateur|village|local|school|town|student|community|church)|with the|"
        r"at the (?:village|local|amateur|community)))",
        not_in=pattern(r"\b(?:use cases?|uml|system|erlang|akka|threads?|models?)\b"),
    ),
    _telling(
        "guy bloke dude lad fella chap",
        r"(?:\b(?:an?|only|one|old|young|new|nice|good|first|go-to|it|family|"
        r"funny|quiet|solid|"
        r"local|tech|numbers) )(guy|bloke|dude|lad|fella|chap)\b(?![- ](?:wires?|ropes?|lines?|anchors?|derrick))(?!-)",
        not_in=pattern(r"\b(?:bad guy|fall guy|cable guy|wise guy|family guy|guy fawkes|dude ranch|guy wires?)\b"),
    ),
    _telling(
        "guy bloke dude lad",
        rf"{START}(?:an? )?(bloke|dude|lad)(?= (?:who|with|that|from)\b)",
    ),
    _telling(
        "queen king princess prince",
        rf"{START}((?:(?:county|state|crowned|former|reigning) )*(?:queen|king|princess|prince)) (?=of (?:the |"
        r"our )?(?:[a-z-]+ ){0,3}(?:fair|festival|carnival|ball|pageant|parade|regatta|rodeo|harvest|fiesta|mardi|prom|"
        r"may|gala|fete|dance))",
        r"\b(?:crowned|elected|was|voted|chosen|named|reigned as|former)(?: the)? (queen|king|princess|"
        r"prince)(?= of (?:the |our )?(?:[a-z-]+ ){0,3}(?:fair|festival|carnival|ball|pageant|parade|regatta|rodeo|"
        r"harvest|fiesta|prom|gala|fete))",
    ),
    _telling(
        "brotherhood sisterhood",
        r"\b(brotherhood|sisterhood) of (?:the )?(?:electrical|locomotive|teamsters|carpenters|boilermakers|painters|"
        r"railway|railroad|maintenance|sleeping|magicians|st|saint|trainmen|bricklayers|iron|man|men|women)",
        rf"{START}(brotherhood|sisterhood)(?= of\b)",
    ),
    _telling(
        "landlord",
        rf"(?:{START}|\b(?:am|i'm|was|became|as) (?:an? |the )?)((?:pub |small |part-time |former )?landlord)"
        r"(?= (?:of|to|at) (?!the\b)| since\b|,? (?:the [A-Z]|licen[cs]e))",
        not_in=pattern(r"\b(?:references?|relations|tenant dispute|clients?|law)\b"),
    ),
    _telling(
        "cowboy cowboys cowgirl cowgirls gaucho vaquero",
        rf"(?:{START}|\b(?:as|was|became|working|am) (?:an? )?)((?:working |ranch )?(?:cowboy|cowgirl|gaucho|vaquero))"
        r"(?=,? (?:for|on|at|in|one|two|three)\b|[ ]*(?:[.,;)\n]|$))",
        not_in=pattern(r"\b(?:bebop|builders?|boots|hats?|film|football|dallas|stadium)\b"),
    ),
    _telling(
        "queen king prince princess duchess duke lord lady empress emperor godfather godmother mother father daddy",
        r"\b(?:call(?:s|ed)?|nicknam(?:es?|ed)|dubbed|christened|crowned|named|label+ed) (?:me|him|her|us) "
        r"(?:the |their |our |its )?\"?((?:queen|king|prince|princess|duchess|duke|lord|lady|empress|emperor|godfather|"
        r"godmother|mother|father|daddy))\b",
        r"\b(?:known|famous|introduced|remembered|greeted) (?:to (?:all|everyone|them|the \w+) )?"
        r"(?:\w+ )?as (?:the |their |our )\"?(queen|king|prince|princess|duchess|duke|empress|emperor|godfather|"
        r"godmother)(?= of\b)",
        r"\b(?:i am|i'm|i was|became) (?:the |their |our )(queen|king|prince|princess|godfather|godmother)"
        r"(?= of (?:the |our )?(?!england|denmark|spain|sweden|norway|hearts))",
    ),
    _written(
        "brotherhood sisterhood",
        rf"(?:{START}|\b(?:[Mm]ember|[Ss]teward|[Oo]fficer|[Ss]ecretary|[Tt]reasurer|International|United|the) "
        r"(?:of |in )?(?:the )?)(Brotherhood|Sisterhood)(?= of (?:the )?[A-Z])",
    ),
    # Learned women of Italy, and their ladies: `Dott.ssa`, `Sig.ra`.
    _telling("ssa", r"\b((?:dr|dott|prof|avv|arch)\. ?ssa)\b"),
    _written("ra na", r"\b(Sig\. ?(?:ra|na))\b"),
    # `Profª`, `Dra. Souza` of Spanish and Portuguese.
    _written("dra profa", r"\b((?:Dra|Profa)\.)(?= [A-Z])"),
    # Teams of women or men in German words: the part that tells.
    _telling(
        " ".join(
            f"{whom}{what}"
            for whom in ("madchen", "frauen", "damen", "herren", "manner", "jungen", "knaben")
            for what in _TEAMS.split()
        ),
        r"\b(madchen|frauen|damen|herren|manner|jungen|knaben)(?=[a-z]{4,}\b)",
        not_in=pattern(
            r"\b(?:mode|bekleidung|konfektion|oberbekleidung|schuhe|abteilung(?:sleiter\w*)? im|"
            r"kaufhaus|verkauf\w*|einzelhandel|sortiment)\b"
        ),
    ),
    _telling(
        "ms mr mrs miss",
        r"\bdear (mrs|miss|mr|ms)\.?(?= [a-z])",
        r"\"(mrs|miss|mr)\.?(?= [a-z'-]+\")",
        r"\"(ms)\.?(?= (?!office\b|excel\b|word\b|access\b|teams\b|sql\b|project\b|outlook\b|windows\b|visio\b)"
        r"[a-z'-]+\")",
        r"\b(?:hand-?over (?:from|to|by|with)|thanks to|reported to|reporting to|letter from|"
        r"covered for|stood in for|deputised for|trained by|supervised by|signed by|taught by) "
        r"(mrs|miss|mr|ms)\.?(?= (?!office\b|excel\b|word\b|access\b|teams\b|sql\b|project\b|the\b|a\b|an\b|"
        r"patients?\b|students?\b|in\b)[a-z'-]+)",
        not_in=pattern(r"\b(?:sclerosis|spectromet\w+|powerapps|sharepoint|intune|azure|dynamics)\b"),
    ),
    # Networks and groups of women or men in other languages, and women of a trade in German.
    _telling(
        "mujeres chicas ninas femmes filles frauen madchen mulheres meninas garotas donne ragazze vrouwen meiden "
        "kvinnor kvinder kvinner naiset kobiety dziewczyny zeny wahine wanita perempuan kadinlar femei",
        rf"(?:{START}|\b[\w']+ |, |\()(mujeres|chicas|femmes|filles|frauen|madchen|mulheres|meninas|garotas|"
        r"donne|ragazze|vrouwen|meiden|kvinnor|kvinder|kvinner|naiset|kobiety|dziewczyny|zeny|wanita|perempuan|femei|"
        r"kadinlar)(?= (?:en|in|im|nas?|no|i|w|v|di|dans|in der|dla|a|que|qui|e|and|und|fur|pour|para|per|voor|ve|of) "
        r"(?:(?:la|le|les|el|los|las|the|der|den|die|de|das|a|o) )?[a-z'-]{2,})",
        r"\b(wahine)\b(?! (?:surf|restaurant))",
        not_in=pattern(
            r"\b(?:ward|clinic|bekleidung|mode|konfektion|shop|store|collection|fashion|shoes|hospital|patients?)\b"
        ),
    ),
    _telling(
        "ingenieurinnen informatikerinnen unternehmerinnen juristinnen arztinnen wissenschaftlerinnen studentinnen "
        "handwerkerinnen technikerinnen grunderinnen managerinnen programmiererinnen mathematikerinnen physikerinnen "
        "chemikerinnen architektinnen lehrerinnen kunstlerinnen journalistinnen landfrauen unternehmerfrauen "
        "soldatinnen pilotinnen entwicklerinnen forscherinnen akademikerinnen kauffrauen meisterinnen migrantinnen "
        "expertinnen mentorinnen fuhrungsfrauen ingenieures informaticiennes entrepreneures developpeuses chercheuses "
        "ingenieras emprendedoras cientificas engenheiras empreendedoras professorinnen designerinnen",
        r"\b((?:ingenieur|informatiker|unternehmer|jurist|arzt|wissenschaftler|student|handwerker|techniker|grunder|"
        r"manager|programmierer|mathematiker|physiker|chemiker|architekt|lehrer|kunstler|journalist|soldat|pilot|"
        r"entwickler|forscher|akademiker|meister|migrant|expert|mentor|professor|designer)innen|landfrauen|"
        r"unternehmerfrauen|kauffrauen|fuhrungsfrauen|ingenieures|informaticiennes|entrepreneures|developpeuses|"
        r"chercheuses|ingenieras|emprendedoras|cientificas|engenheiras|empreendedoras)\b"
        r"(?! (?:und|oder|and) [a-z]+(?:er|en|e)\b)",
        not_in=pattern(r"\b(?:\w+(?:er|en) und \w+innen|kolleginnen|mitarbeiterinnen|kundinnen|coach\w*|betreut\w*)\b"),
    ),
    _telling(
        "heroine heroines",
        rf"(?:{START}|\b(?:the|an?|unlikely|as|local|our|stage) )(heroine)(?= (?:of|in|for|at|to)\b|[ ]*[.,;)])",
        not_in=pattern(r"\b(?:jane austen|literature|novels?|disney|essay|thesis|dissertation|course|opera)\b"),
    ),
    _telling(
        "waiter barman doorman busboy bellboy cameraman camera+man delivery+man handy+man repair+man sales+man",
        r"\b(?:and|then|as|later|was|first|and later|worked as|started as|before that) (?:an? |the )?"
        r"((?:head |night |part-time )?(?:waiter|busboy|bellboy|barman))"
        r"(?=[ ]*(?:[.,;)]|$)| (?:in|at|on|for|with|during|while|through)\b)",
        rf"(?:{START}|\b(?:an?|as|the|was|and|second|first|lead|chief|our|crew) )((?:camera|delivery|handy|"
        r"repair|sales|boom|barrow|odd-job) man)(?= (?:on|for|at|in|with|of|and)\b|[ ]*(?:[.,;)]|$))",
        not_in=pattern(
            r"\b(?:dumb|tray|training|every|stations?|calls?|trained|hired|led (?:the|a)|managed|team of)\b"
        ),
    ),
    _telling(
        "mademoiselle senorita fraulein signorina memsahib begum",
        rf"(?:{START}|\b(?:as|called|no longer|still|addressed as|the|a|my) )(mademoiselle|senorita|fraulein|signorina|"
        r"memsahib)(?= (?:to (?:my|the|all|some|every)|at work|by|for|in|until|then|since|and|on)\b|"
        r"[ ]*[.,;:)(]|$)",
        r"\b(mademoiselle|senorita|fraulein|signorina|memsahib)(?= no (?:more|longer)\b)",
    ),
    _telling(
        "ms mr mrs miss",
        r"\b(?:line manager|manager|supervisor|referee|reference|contact|head|principal|teacher|boss|from|by|for|"
        r"with|and|under|thanks):? (ms|mrs|mr|miss)\.?(?= (?!office\b|excel\b|word\b|access\b|teams\b|sql\b|"
        r"project\b|the\b|a\b|an\b|in\b|and\b|or\b|to\b|out\b|dynamics\b)[a-z'-]{3,}(?:[.,;:)\n]|[ ]*$| \())",
        only_in=pattern(
            r"\b(?:line manager|manager|supervisor|referee|reference|contact|principal|teacher|boss)[:,]? m"
        ),
        not_in=pattern(r"\b(?:sclerosis|spectromet\w+|powerapps|sharepoint|intune|azure|dynamics|lc-?ms|gc-?ms)\b"),
    ),
    _telling(
        "ombudsman conscript",
        rf"{START}(ombudsman)(?= (?:student|for|at|of (?:my|our)|representative|of the (?:class|year|school|faculty)))",
        r"\b(?:service|served|serving|serve|year|years|months) as (?:an? )?(conscript)\b",
        rf"{START}(conscript)(?=,| in| with| rifleman| 19| 20)",
    ),
    _telling("choirmaster choirmistress choirmaster's", r"\b(choirmaster|choirmistress)(?:'s)?\b"),
    _telling(
        "title salutation",
        rf"{START}(?:title|salutation|form of address|address me as)(?: on (?:my )?passport| in passport| used|"
        r" preferred| as in passport)?[ ]?[:=|-][ ]*(mr|mrs|ms|miss|mx|sir|dame|lady|lord|herr|frau|sr|sra|mme|m)"
        r"(?=\.?[ ]*(?:[,;|)\n]|$))",
    ),
    _telling(
        "maid",
        rf"(?:{START}|\b(?:as|was|hotel|house|parlou?r|night|head|live-in) (?:an? )?)(maid)"
        r"(?= (?:and|at|for|in|to|later|then|with)\b|[ ]*(?:[,.;:|)\n]|$))",
        not_in=pattern(r"\b(?:old maid|maid of|iron maid|maid (?:rite|marian))\b"),
    ),
    _telling(
        "lad", r"\b(?:i am|i'm|was|just|as|still|being|that) an? (?:[a-z-]+ )?(lad)(?= from\b| who\b|[ ]*[,.;\n]|$)"
    ),
)
