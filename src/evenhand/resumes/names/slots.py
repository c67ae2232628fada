"""A person's place in a sentence: what stands before and after a name, scored.

Before a name: 2 where a person follows (`with`, `my mentor`, `Supervisor:`), 1 after other verbs
of what is done with people, -1 after `of`, `for`, `from`, `to` and -2 after `at`, `in`, `using`, which
firms, places and tools follow as well. After a name: 2 for what only a person does or has, 1 for what
firms do too, -2 before the noun that the name only describes (`Halden Marsh clients`).
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import dated, is_role, label_score
from evenhand.resumes.names.kinds import is_person_noun
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["FULL_LINE", "after_score", "before_score"]

_SURE_LISTED = (
    "fao attn cc bcc v dop without with by under alongside beside assisted supported trained represented hired "
    "advised succeeded replaced mentored coached supervised onboarded interviewed helped thanked accompanied met "
    "taught shadowed counselled nursed defended introduced assisting supporting training representing advising "
    "succeeding replacing mentoring coaching supervising shadowing ask dear hi hello featuring starring versus vs "
    "invited promoted recommended nominated befriended tutored tutoring chaperoned photographed portrayed "
    "impersonated briefed debriefed phoned telephoned emailed texted escorted chauffeured babysat bathed fed quotes "
    "portraying photographing briefing accompanying interviewing hosted opposite dr prof married divorced befriend "
    "congratulated congratulate eulogised eulogized deputised godson goddaughter prosecuted prosecuting defending "
    "cross-examined examined treated treating rehabilitated apprehended arrested rescued recruited recruiting "
    "headhunted poached honoured honored commemorated awarded ghostwrote biographer feat ft prod dir eds ed asst arr "
    "chor cond lt sgt cpl pvt maj col gen capt rep sen gov hon insp cllr w/ photo photos thank told phone call ring "
    "email inspired motivated encouraged encouraging reelected re-elected elect elected dressed styled costumed s/o "
    "d/o w/o c/o understudied choreographed partnered dated beat defeated outbid admired idolised consulted contacted "
    "befriending paired pairing greeted counselling counseling caring quoted quoting citing cited credited mention "
    "mentions mentioned"
)
_SURE = frozenset(_SURE_LISTED.split())
#: Before these words a person's place needs one of the words on the right shortly before.
_IF_LISTED = {
    "for": (
        "assistant intern interned internship care cared caring substituted deputised deputized deputising covered "
        "covering cover campaigned campaign campaigning understudy nanny driver secretary stood standing canvassed "
        "canvassing interpreted interpreter wrote ghostwrote speeches scheduled diary diaries calendar calendars "
        "travel clerk clerked chauffeur aide nurse companion carer caregiver nominated successor replacement "
        "articles article blogs columns memos papers translated translate interpret drafted edited "
        "accompanist opened session backing touring officer spokesperson babysat babysitter babysitting stumped "
        "doubled sat filled stunt double portrait dresser stylist housekeeper clerking sub subbed voted vote tutor "
        "doula bodyguard speechwriter caddied played bass guitar drums vocals hair make-up makeup costumes wardrobe "
        "attention lighting sound worked-out modelled modeled posed ra ta gra extern grader minutes notes photographed "
        "briefing briefings pack packs"
    ),
    "from": (
        "recommendation recommendations letter letters reference references took taking learned learnt guidance "
        "support lessons feedback praise coaching inherited instruction quote testimonial endorsement endorsements "
        "mentoring mentorship training input help commendation thanks advice hands note email call classes "
        "borrowed borrow idea ideas trick tricks method recipe tip tips heard bought "
        "masterclass pass studied handover word words referral takeover desk"
    ),
    "of": (
        "supervision guidance mentorship mentoring leadership direction lab laboratory group tutelage successor "
        "office widow widower wife husband estate patronage memory hands instruction care works poems poetry novels "
        "plays films songs music paintings letters essays sculptures biography recommendation invitation request "
        "auspices absence death behalf name oversight eye watch retirement departure favour favor company verse "
        "disciple protege theory ideas writings portrait election campaign honour honor praise defense defence boss "
        "fan life style baton aegis wing stewardship command words friendship translation translations diary "
        "shop bench book garage farm stable surgery chambers practice "
        "diaries calendar inbox recital retrospective interview profile biographer caregiver carer side attention "
        "workshop accounts caseload memoir memoirs kitchen theses thesis review reviews reading work"
    ),
    "to": (
        "reported reporting reports report reportable assistant aide deputy secretary thanks adviser advisor "
        "successor married apprenticed according assigned attached handed handover over presented awarded "
        "answerable accountable second-in-command introduced next access lost wrote apprentice understudy grateful "
        "support heir line directly passed carer counsel clerk demonstrated pitched spoke talked listened dedicated "
        "related companion referred escalated escalate escalating escalation escalations author co-author account "
        "credit goes chef pa ea housekeeper butler valet "
        "nurse thank indebted tribute letter speak talk reach out write owe much due driver nanny sous reader read "
        "dresser stylist engaged opposite attributed belonged close similar chauffeur tutor adjutant sister brother "
        "cousin son daughter regards indentured sold sell second gave apprenticeship bound condolences reply "
        "replied lent"
    ),
    "and": "both between",
    "was": "name",
    "is": "name",
    "between": "conversation dispute interview debate talk dialogue meeting match fight",
    "about": "biography essay documentary book film article paper piece podcast wrote talk",
    "on": "biography essay documentary thesis dissertation monograph",
    "regarding": "call talk letter",
    "like": "",
    "including": "",
    "include": "",
    "includes": "",
    "included": "",
    "as": "such",
    "after": "named",
    "were": "",
    "are": "",
}
_IF = {word: frozenset(listed.split()) for word, listed in _IF_LISTED.items()}
#: After these a list of people follows where people were named just before: `clients including`, `my teachers were`.
_LISTING = frozenset({"like", "including", "include", "includes", "included", "as", "were", "are", "was", "is", "for"})
#: Whose somebody is: `student of`, no firm's.
_RELATIONS_LISTED = (
    "student pupil uncle aunt friend son daughter wife husband widow widower sister brother cousin nephew niece "
    "partner disciple protege mentee assistant successor predecessor colleague fan follower guest patient guardian "
    "parent mother father carer companion classmate roommate descendant grandson granddaughter neighbour neighbor "
    "godson apprentice students friends colleagues pupils likes"
)
_RELATIONS = frozenset(_RELATIONS_LISTED.split())
_NOT_LISTED = (
    "at in near via using through across outside inside around joined visited within into onto on per above below use "
    "used uses throughout toward towards exited left acquired audited the a an this its"
)
_NOT = frozenset(_NOT_LISTED.split())
#: People are gone through as well: `escalations went via Ann Roe`.
_WENT = frozenset(
    {"went", "go", "goes", "going", "escalated", "came", "ran", "sent", "routed", "reached", "arranged", "heard"}
)
_BOOKED = frozenset("bookings booking enquiries inquiries booked represented bookable requests".split())  # noqa: SIM905
_HARDLY = frozenset(["of", "for", "from", "to", "our", "your", "my"])
_NO_PEOPLE_VERBS_LISTED = (
    "used deployed launched built administered implemented installed configured migrated integrated maintained "
    "developed designed created acquired audited founded sold automated upgraded tested shipped released bought "
    "opened closed toured operated produced based located owned certified rolled adopted evaluated piloted imported "
    "exported merged purchased optimised optimized customised customized licensed named called titled rebranded "
    "renamed renovated restored repaired serviced served managed programmed learned played performed directed "
    "published read translated recorded mixed edited painted stocked distributed franchised cooked prepared related "
    "limited united advanced applied listed branded combined extended enhanced scored need seed feed speed exceed "
    "proceed embed red bed shed led expanded supplied completed passed relocated moved drafted delivered cleaned "
    "processed presented obtained achieved received started ended attended covered included provided required "
    "involved focused"
)
_NO_PEOPLE_VERBS = frozenset(_NO_PEOPLE_VERBS_LISTED.split())
#: Words in a sentence after which a thing's name follows as often as a person's.
_THING_BEFORE_LISTED = (
    "and or but nor so yet when while after before since as if because until than that which where though although "
    "whereas plus not also then now only both either neither through into out up off over down back there here this "
    "company firm agency startup brand platform tool app product supplier vendor retailer client customer employer "
    "bank hospital school shop store chain group subsidiary parent competitor manufacturer maker provider carrier "
    "distributor partner contractor developer publisher label studio gallery museum theatre theater festival town "
    "city village suburb region district county state province country island river lake mountain port harbor harbour "
    "site plant mill factory depot warehouse branch office hotel restaurant bar pub cafe magazine newspaper journal "
    "paper channel network show game film album song book novel play ship vessel boat rig train car truck aircraft "
    "model engine software system library framework package language protocol standard method test scale award prize "
    "grant program programme project campaign conference league club team union charity foundation university college "
    "institute church parish line unit division department ran made built wrote sold bought won drove flew grew read "
    "sang knew kept cut set put left took gave taught spoke know learn speak use run build buy sell visit join near "
    "new old north south east west upper lower greater central called around via versus native fluent basic some many "
    "most all any no other another each every one two three four five six"
)
_THING_BEFORE = frozenset(_THING_BEFORE_LISTED.split()) | _NO_PEOPLE_VERBS
_WE = (["we"], ["us"], ["thanks"], ["me"], ["they"])
_SAID_LISTED = (
    "wrote writes says said adds added recalls notes noted remembers laughed laughs jokes joked smiled grinned quipped "
    "insisted replied answered remarked told admits admitted claims claimed swears swore sighed declared concluded "
    "commented observed shouted warned promised"
)
_SAID = frozenset(_SAID_LISTED.split())
_MEANWHILE = frozenset({"there", "then", "now", "today", "here", "abroad", "currently"})
_LATER = frozenset({"later", "then", "subsequently", "afterwards", "now", "previously", "before", "initially", "first"})
_GROUPS = frozenset({"team", "crew", "staff", "group", "family", "band", "trio", "quartet", "duo", "panel", "board"})
_AFTER_SURE = lazy_re(
    r"'s?[ ](?:\w+[ ])?(?:team|research|group|office|leadership|guidance|supervision|direction|"
    r"mentorship|recommendation|request|departure|absence|retirement|thesis|tutelage|assistant|deputy|invitation|"
    r"advice|care|estate|work|class|workshop|studio|seminar|campaign|book|novel|play|film|desk|role|place|diary|band|"
    r"course|seat|kitchen|memoir|poems|poetry|songs|music|paintings|family|children|wife|husband|son|daughter|mother|"
    r"father|calendar|inbox|successor|boss|staff|death|life|house|home|case|appeal|defence|defense|trial|"
    r"[Rr]omeo|[Hh]amlet|vision|words|style|example|shoes|wing|help|support|ideas|encouragement|mentoring|teaching|"
    r"lectures|students|group|crew|bedside|recovery|tour|album|show)\b"
    r"|[ ](?:led|wrote|taught|said|says|asked|praised|trained|hired|mentored|supervised|approved|reviewed|told|called|"
    r"introduced|recommended|nominated|coached|helped|showed|retired|resigned|died|left|agreed|thanked|invited|"
    r"encouraged|took over|promoted me|chose|noticed|wanted|needed|spoke|stepped|fell ill|returned|kindly|can confirm|"
    r"puts? it|put me|knows|knew|saw|has known|phoned|e?-?mailed|suggested|urged|insisted|persuaded|believed|felt|"
    r"remarked|noted that|recalls|remembers|describes|described|commented|smiled|laughed|passed away|quit|let me|"
    r"gave me|ran the|(?:can|could|will|would|may) (?:speak|vouch|attest|tell|confirm|verify|testify|"
    r"be (?:called|reached|contacted|phoned|rung|e?-?mailed|texted))|"
    r"(?:has|had|was|is)[ ](?:always|since|now|also|kindly|my|our|his|her|their|the first|promoted|hired|elected|"
    r"appointed|known|on (?:leave|holiday|vacation|sabbatical)|away|ill|sick|aged|born|married|retired))\b"
    r"|,?[ ](?:who|whom|whose)\b|,[ ](?:now|then|my|our|his|her|their|both|aged|age|formerly|for whom|and (?:his|her|"
    r"my|their|our))\b|,?[ ](?:MP|MEP|QC|KC|OBE|MBE|CBE|Ph\.?D|MD|RN|CPA|Esq|Jr|Sr|FRS|DDS|JD|DPhil)\b"
    r"|[ ]\([^()\n]{2,40}\) (?:writes|says|said|wrote|adds|put it)\b|: \"|,? as (?:he|she|they) (?:says|puts)\b"
    r"|'s [\"\u201c]|[ ]for (?:[Ss]enate|[Cc]ongress|[Mm]ayor|[Gg]overnor|[Pp]resident|[Pp]arliament|[Ss]heriff)\b"
    r"|[ ]on (?:maternity|paternity|parental|sick|sabbatical)\b|[ ]and (?:family|friends|guests|partner)\b"
    r"|[ ]\([0-9]{1,2}\)|[ ]\((?:he|she|they)\b|[ ]et al\b|[ ](?:on (?:his|her|their)|and (?:his|her|their|I|me|my|"
    r"others|two|three|several|colleagues))\b|[ ](?:from|of|at) (?:your|my|our|the) [a-z]|[ ]in (?:your|my|our) [a-z]"
    r"|[ ](?:from|in) [a-z]+ (?:asked|told|said|helped|taught|wrote|gave)\b"
    r"|[ ](?!(?:to|with|by|for|and|like|via|using|from|of|about|let|lets|makes?)\b)[a-z]{3,} (?:me|us|him)\b"
    r"|[ ]v\.?s?\.? [A-Z]|,[ ]\d{1,2},"
)
#: What nobody else has, also after `in`: `in Ann Roe's lab`, `in Ann Roe (ed.)`.
_AFTER_ONLY = lazy_re(
    r"'s?[ ](?:\w+[ ])?(?:lab|laboratory|guidance|supervision|mentorship|tutelage|memoir|thesis|class|kitchen|band|"
    r"novels?|poems|poetry|absence|retirement|death|wife|husband|books?|paintings|songs|wing|workshop)\b"
    r"|,?[ ]\((?:[Ee]ds?\b|[Hh]rsg)"
)
#: What firms do, and what only they are.
_FIRM_AFTER = lazy_re(
    r"[ ](?:acquired|merged|employs|sells|makes|manufactures|supplies|operates|offers|delisted|"
    r"went (?:public|bankrupt)|(?:is|was) an? (?:[\w-]+ ){0,4}(?:company|firm|insurer|bank|maker|retailer|supplier|"
    r"start-?up|provider|agency|manufacturer|chain|charity|consultancy|brand|platform|studio|shop|store|hospital|ngo|"
    r"nonprofit|subsidiary|distributor|carrier|airline|publisher|brewery|bakery|clinic|utility|town|city|village|"
    r"suburb)\b)"
)
_PHONE_OR_MAIL = lazy_re(
    r"[ ]?[,:(|;·•–-]{0,2}[ ]?(?:(?:[Tt]el\.?|[Pp]hone|[Mm]obile|[Cc]ell|[Ee]-?mail|ph)\b|"
    r"<?[\w.+-]++@|(?:(?:on|at)[ ])?\+?\(?\d[\d ().-]{5,}\d)"
)
_AFTER = lazy_re(
    r"'s?[ ][a-z]|[ ](?:is|was|has|had|led|ran|gave|made|took|can|will|would|could|joined|leads|runs|manages|works|"
    r"(?!(?:based|limited|united|related|certified|owned|branded|located|listed|led|compliant)\b)[a-z]{3,}ed)\b"
    r"|[ ](?:spent|taught|built|wrote|grew|began|became|won|oversees|heads|directs|chairs|serves|teaches|writes|holds|"
    r"shows|uses|keeps|asks|calls|trusts|finds|sends|quotes|brings|lives|enjoys|speaks|reports|coaches|mentors|"
    r"advises|owns|specialises|specializes|studies|researches)\b"
    r"|[ ](?:as|before) (?:the )?[a-z]+"
)
#: What may follow a name that stands by itself; another small word is what the name describes.
_FREE_LISTED = (
    "and or but nor so yet as at by for from in into of off on onto out over per than through to toward towards under "
    "up upon via with within without about above across after against along amid among around before behind below "
    "beneath beside besides between beyond despite down during except inside like near next outside past regarding "
    "round since throughout till unlike until is are was were be been being has have had do does did can could will "
    "would shall should may might must not also always often never only just still then there here now once twice "
    "again too both either neither who whom whose which that when where while because if whether although though "
    "however et al e y und took gave made ran led told said saw knew left felt put set let got went came sat stood "
    "spoke met kept held won lost wrote taught sent fell began became brought built bought caught chose drew drove "
    "ate found forgot grew heard hit laid lent paid read rose sang sold sought swam swore understood woke wore says "
    "asks tells leads runs works manages knows thinks believes makes takes gives lives speaks writes teaches serves "
    "holds heads sings plays joins stars oversees directs chairs brings enjoys reports coaches mentors advises owns "
    "studies it me my our your his her their this these those the a an all alone together himself herself themselves "
    "broke fell still uses hands hurt tore retires goes comes does carries swears needs likes loves relies relied quit "
    "prepare pass learn become settle each more ill away abroad later jun jr sr ed eds available unavailable present "
    "every most some any many several much weekly what how why one two three four five six last first second today "
    "tonight yesterday sometimes instead"
)
_FREE = frozenset(_FREE_LISTED.split())
_NEXT_WORD = lazy_re(r"[ ]([a-z]+(?:-[a-z]+)?)\b")
_FEW, _MORE = 5, 9
#: A line of so many characters is broken because it is full, not because something ends there.
FULL_LINE = 50
_DETERMINERS_LISTED = "my our your his her their its the a an mine ours former then fellow late"
_DETERMINERS = frozenset(_DETERMINERS_LISTED.split())
_QUOTED = lazy_re(r"[.!?,\u2026][\"'][ \n]{0,2}[(—–-]{0,2}[ ]?$|[\"'][ \n]{0,2}[(—–-]{1,2}[ ]?$")
_TITLE = lazy_re(r"(?<![\w-])(?:(?:dr|mr|mrs|ms|mx|prof|sir|rev|dame|drs|professor)\b\.?[ ]{1,2})+$")
_TITLE_ENDS = tuple(f"{end}{mark}" for end in ("r", "s", "x", "f", "v", "e") for mark in (" ", ". "))
_WITH = lazy_re(r"(?<!\S)[wsd]/(?:o)?$")
_COPYRIGHT_YEAR = lazy_re(r"(?:\u00a9|\(c\)|copyright)[ ]?(?:19|20)\d\d(?:[-\u2013](?:20)?\d\d)?$")
_MARKS = " \t>(\"'[<*_\n"
_SENTENCE_END = lazy_re(r"[.!?;][ )\"']")
#: Where one of these follows, nothing is said of a name, nor where a text ends.
_CLOSED = frozenset({"", "\n", ")", "!", "?"})


def before_score(folded: FoldedText, start: int) -> int:  # noqa: C901, PLR0911, PLR0912 - one line per kind of mark
    """Return what the words before a place say: 2 a person follows, 1 perhaps, below 0 rather something else.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> [before_score(folded_text(each), len(each)) for each in ("thanks to ", "moved to ", "worked at ", "briefed ")]
    [2, -1, -2, 2]
    """
    left = folded.low[max(0, start - 90) : start]
    title = _TITLE.search(left) if left.endswith(_TITLE_ENDS) else None
    if title is not None:
        return max(2, before_score(folded, start - len(title.group())))
    stripped = left.rstrip(_MARKS)
    gap = left[len(stripped) :]
    if not stripped:
        return 0
    if "\n" in gap:
        line = folded.low.rfind("\n", 0, start)
        ended = line - folded.low.rfind("\n", 0, line) < FULL_LINE or "\n\n" in gap
        quoted = stripped[-1] in "\"'" and gap.strip() == ""
        if ended:
            return 0 if not quoted else 1
    last = stripped[-1]
    if (last in "-\u2013\u2014" or '"' in gap or "'" in gap) and _QUOTED.search(left) is not None:
        return 2
    if last in "-\u2013\u2014" and gap and stripped[:-1].rstrip()[-1:] in {".", "!", "?"}:
        return 1  # who said it stands behind a dash
    if last == ":" or (last in "-\u2013\u2014" and gap):
        return label_score(stripped[:-1]) or int(last == ":")
    if last == "/":
        return 2 if _WITH.search(stripped) is not None else 0
    begin = max(stripped.rfind("\n\n"), stripped.rfind("\t"), stripped.rfind("   "), 0)
    for end in _SENTENCE_END.finditer(stripped, begin):
        begin = end.end()
    words = stripped[begin:].replace(",", " ,").split()
    if not words:
        return 0
    if last.isdigit():
        return 2 if _COPYRIGHT_YEAR.search(stripped) is not None else 0
    word = words[-1].strip("(\"'")
    if word == ",":
        return 2 if _is_introduced(words[-_FEW - 1 : -1]) else 0
    word = word.rstrip(".")
    if last == "." and word not in _SURE:
        return 0
    if "(" in gap and (word in _GROUPS or "@" in word):
        return 2
    if word in _SAID and len(words) > 1 and words[-2][-1] in "\"'":
        return 2
    if word in _JOINING and _PAIRED.search(folded.text, max(0, start - _PAIR), start) is not None:
        return 2
    if word == "for" and len(words) > 1 and words[-2] in _DASHES and dated(folded.text, start):
        return 1  # '- Stage design - for Ann Roe, 2019'
    score = _word_score(word, words[-_MORE - 1 : -1], gap)
    if score == 0 and gap in {" ", "\n"} and _defaults(folded, start - len(left) + len(stripped) - len(word), word):
        return 1
    return score


def _is_introduced(earlier: list[str]) -> bool:
    """Say whether the words before a comma name who follows: `My manager there, Ann Roe, gave`."""
    if earlier and earlier[-1] in _MEANWHILE:
        earlier = earlier[:-1]
    if "of" in earlier[1:] and is_person_noun(earlier[earlier.index("of", 1) - 1]):
        earlier = earlier[: earlier.index("of", 1)]  # 'The chair of the works council, Ann Roe, signed'
    if earlier and is_person_noun(earlier[-1]) and any(each in _DETERMINERS for each in earlier):
        return True
    return "mine" in earlier or "ours" in earlier or earlier[-2:] == ["thank", "you"] or earlier[-1:] in _WE


_DASHES = frozenset({"-", "\u2013", "\u2014", "**-", "**\u2013", "**\u2014"})
_JOINING = frozenset({"and", "&", "or"})
_PAIR = 44
#: One person of two: `thanked Ivy and`, `with help from Gene (quality) and`.
_PAIRED = lazy_re(
    r"(?<![\w-])(?:with|by|[Tt]hank(?:ed|s|ing)?|mention(?:ed|s)?|[Mm]entored|[Tt]rained|[Cc]oached|[Tt]utored"
    r"|[Ss]upervised|[Hh]ired|praised|promoted|alongside|[Oo]nboarded|[Ss]hadowed|[Ii]nterviewed|told|asked|"
    r"invited)[ \n](?:[A-Z]\. )?[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?(?:[ ]\([^()\n]{2,14}\))?[ \n](?:and|&|or)[ \n]$"
    r"|,[ ][A-Z]\.,?[ \n](?:and|&)[ \n]$"
)


def _defaults(folded: FoldedText, start: int, word: str) -> bool:
    """Say whether a person may follow a word in small letters, as no thing's, firm's or place's word says otherwise."""
    return (
        folded.text[start].islower()
        and word.isalpha()
        and word not in _THING_BEFORE
        and not word.endswith(("ing", "s"))
    )


def _word_score(word: str, earlier: list[str], gap: str) -> int:  # noqa: C901, PLR0911 - one line per kind of word
    if not gap or not word[-1:].isalnum():
        return 2 if word == "w/" else 0
    if word in _SURE:
        return 2
    cues = _IF.get(word)
    earlier = [each.strip("(\"'") for each in earlier]
    if cues is not None:
        near = earlier[-_FEW:] if not earlier or earlier[-1] not in _LATER else earlier
        if not cues.isdisjoint(near):
            return 2
        if near and ((word == "of" and near[-1] in _RELATIONS) or (word == "to" and is_person_noun(near[-1]))):
            return 2
        if word in _LISTING and any(map(is_person_noun, earlier)):
            return 2
    if word in {"via", "through"} and earlier[-1:] and earlier[-1] in _WENT:
        return 0
    if word == "through" and earlier[-1:] and earlier[-1] in _BOOKED:
        return 2
    if word in _NOT:
        return -2
    if word in _HARDLY:
        return -1
    if is_person_noun(word):
        return 2
    if word.endswith(("ed", "ing")) and word not in _NO_PEOPLE_VERBS and cues is None:
        return 0 if word.endswith("ing") else 1
    return 0


def after_score(folded: FoldedText, end: int) -> int:  # noqa: PLR0911 - one line per kind of what follows
    """Return what follows a place says: 2 or 3 for what only a person does or has, 1 for what firms do too, else less.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> said = ("Ann Roe retired", "Ann Roe expanded", "Ann Roe", "Ann Roe lamps")
    >>> [after_score(folded_text(each), 7) for each in said]
    [2, 1, 0, -2]
    """
    text = folded.text
    if text[end : end + 1] in _CLOSED:
        return 0
    if _AFTER_ONLY.match(text, end) is not None:
        return 3
    if _FIRM_AFTER.match(text, end) is not None:
        return -2
    if _AFTER_SURE.match(text, end) is not None or _PHONE_OR_MAIL.match(text, end) is not None:
        return 2
    if is_role(text, end):
        return 2
    if _AFTER.match(text, end) is not None:
        return 1
    following = _NEXT_WORD.match(text, end)
    if following is None or following.group(1) in _FREE or following.group(1).endswith(("ed", "ly")):
        return 0
    return -2
