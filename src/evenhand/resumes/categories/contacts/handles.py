"""Handles: @jdoe as an item of its own among contact details, after a network's name, after words that tell one.

Kept: annotations of code (@Override), a name mentioned in a sentence of work.
"""

import re
from collections.abc import Iterable, Iterator

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import english_words
from evenhand.resumes.names.parts import Name
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Layout

__all__ = ["handles", "own_handles"]

_AT = lazy_re(r"@[a-z_][\w.-]{1,38}(?<![.-])")
_BEFORE = lazy_re(r"(?:^|[\n|•·,;:([`/>\"\t]|[ ]{2}|[-●○■□▪])[ ]?$")
_AFTER = lazy_re(r"[ ]*(?:$|[\n|•·,;)\]`/<\"\t]|[ ]{2}|[.](?:\s|$)|-[ ])")
_ANNOTATIONS_LISTED = (
    "@override @autowired @property @staticmethod @classmethod @dataclass @component @injectable @input @output @test "
    "@beforeeach @aftereach @media @import @keyframes @angular @types @vue @nestjs @param @return @deprecated @bean "
    "@entity @controller @restcontroller @service @repository @transactional @mock @mockbean @lru_cache @pytest "
    "@include @mixin @extend @home @work @scale @here @all @everyone @channel"
)
_ANNOTATIONS = frozenset(_ANNOTATIONS_LISTED.split())
_NETWORK = (
    r"(?:linked-?in|github|gitlab|twitter|twitter/x|x/twitter|x|instagram|insta|ig|facebook|fb|skype|telegram|"
    r"wechat|weixin|whatsapp|line|kakao(?:talk)?|viber|discord|snapchat|snap|tiktok|threads|mastodon|bluesky|bsky|"
    r"youtube|medium|behance|dribbble|kaggle|signal|teams|zoom|xing|vk|zalo|qq|reddit|twitch|soundcloud|pinterest|"
    r"substack|hugging ?face|leetcode|hackerrank|stack ?overflow|orcid|slack|tg|wa|matrix|keybase|gitter|bitbucket|"
    r"codepen|codeberg|vimeo|flickr|tumblr|quora|weibo|bandcamp|letterboxd|goodreads|strava|ravelry|patreon|ko-fi|"
    r"hacker ?news|lichess|steam|rednote)"
)
#: The words that networks' names begin with, and what stands before them behind a handle.
_NETWORK_LISTED = (
    "linkedin linked github gitlab twitter x instagram insta ig facebook fb skype telegram wechat weixin whatsapp line "
    "kakao kakaotalk viber discord snapchat snap tiktok threads mastodon bluesky bsky youtube medium behance dribbble "
    "kaggle signal teams zoom xing vk zalo qq reddit twitch soundcloud pinterest substack hugging huggingface leetcode "
    "hackerrank steam stack stackoverflow orcid slack tg matrix keybase gitter bitbucket codepen codeberg vimeo flickr "
    "tumblr quora weibo bandcamp letterboxd goodreads strava ravelry patreon lichess rednote"
)
_NETWORK_WORDS = word_list(_NETWORK_LISTED.split())
_ON_WORDS = frozenset({"on", "at", "the"})
_LONGEST_NETWORK = 12
#: `Skype name live:jdoe`, `Telegram ID is jdoe`; a word of letters only without a mark before it ends its item:
#: `Zoom user licences bought` tells of none.
_NAMED = lazy_re(
    rf"\b{_NETWORK}[ ](?:name|id|handle|user ?name|user|account|contact)"
    r"(?:[ ]is[ ]?[:=-]?[ ]*|[ ]?[:=-][ ]*|[ ]+(?=[a-z]*[^a-z\s,;|)]|[a-z]+[ ]*(?:$|[\n|•·,;)]|[.](?:\s|$))))"
    r"((?:live:)?[.@]?[a-z0-9_](?:[\w.-]{1,48})\w)"
)
_NO_HANDLE_LISTED = (
    "mapping validation pages page moderator admin member contributor reviewer tutor volunteer speaker author "
    "developer is and was for in on the changed verified checks check management manager on-call login logins set sets "
    "setup created suspended required request requests migration available upon provided same below above given with "
    "from by to of or at as not via linked team teams lookup lookups servers service services system systems policy "
    "number numbers address"
)
_NO_HANDLE = frozenset(_NO_HANDLE_LISTED.split())
#: `Twitter/X: @jdoe`, `insta @jdoe`, `on X (@jdoe)`, `I tweet as @jdoe`.
_TOLD_BEFORE = lazy_re(
    rf"(?:\b{_NETWORK}(?:[ ](?:name|id|handle|profile|portfolio|account|page|feed|channel|gallery|shop|username))?"
    r"(?:[ ](?:is|as|at))?|\b(?:tweet(?:s|ing)?|post(?:s|ing)?|find me|follow(?: me)?|dm(?: me)?|message me|reach me|"
    r"catch me|known|stream(?:s|ing)?|commits?|contributions?|contribut(?:e|es|ing)|pull requests|patches|articles?|"
    r"photos?|videos?|(?:open[- ]source )?work|publish(?:es|ed)?|upload(?:s|ing)?|sketch(?:es)?|recipes|"
    r"handles?|username|my account|my feed|write to me)(?:[ ](?:are|is|go))?(?:[ ](?:as|at|on|is|under|via|by|here))?)"
    r"[ ]*(?:[-|/:=(][ ]*)?$|\b(?:follow|find|see|read|watch|share|shared|subscribe to|support|hear|keep up "
    r"with)[ ](?:me|us|(?:my|our)(?:[ ][a-z-]+){1,4})[ ](?:on|at|as|under|via|by|over at)[ ](?:the handle )?$"
    r"|\b(?:my|i)(?:[ ][a-z'-]+){1,6}[ ](?:on|at|as|under|via)[ ]$"
)
_LIVE = lazy_re(r"(?<![\w.])live:(?=[\w.]*[._\d])[.\w-]{3,48}\w|(?<![\w.])live:\.cid\.\w+")
_PROFILES = "linkedin|linked-in|github|gitlab|behance|kaggle|instagram|facebook|twitter|tiktok"
#: A profile's path or name without its host: `LinkedIn /jane-doe`, `GitHub - jdoe_42`.
_PATH = lazy_re(
    rf"\b(?:{_PROFILES})(?: (?:profile|id|url|handle|user))?"
    r"[ \t]*[-|:=>]?[ \t]*(?:(/(?:in/)?[a-z][\w.-]{2,60})|[ \t]((?=[\w.-]*[\d_])[a-z][\w.-]{3,60}))"
    r"(?=[ ]*(?:$|[\n|•·,;)]|[ ]{2}|\.(?:\s|$)))"
)
#: A network and a user's name as one item: `Telegram dev_hart`, `Snapchat dh84`; of a network that is called by a
#: word no name of letters and digits: `Signal rs485`.
_ITEM_ENDS = r"(?=[ ]*(?:$|[\n|\u2022\u00b7,;)]|[ ]{2}|\.(?:\s|$)))"
_FILE_OR_VERSION = r"(?!v\d|[\w.]*\.(?:py|js|ts|ya?ml|json|md|v\d))"
_ITEM = lazy_re(
    rf"{_NETWORK}[ ]({_FILE_OR_VERSION}[a-z]+[_.][\w.]+\w){_ITEM_ENDS}"
    r"|(?:telegram|snapchat|snap|instagram|insta|ig|github|gitlab|twitter|tiktok|discord|skype|reddit|twitch|wechat|tg)"
    rf"[ ]((?!v\d)[a-z]{{2,}}\d{{2,}}){_ITEM_ENDS}"
)
_ITEM_BEFORE = lazy_re(r"(?:^|[\n|\u2022\u00b7,;(*-]|[ ]{2})[ ]{0,2}$")
#: `u/jdoe` of Reddit.
_REDDIT = lazy_re(r"(?<![\w./])/?u/(?=[\w-]*[a-z])[\w-]{3,20}(?![\w/])")
#: `User id jdoe on Stack Overflow`, `known as jo-lee-42 on GitHub`.
_ON_NETWORK = lazy_re(
    r"\b(?:(?:user ?(?:id|name)|handle|screen ?name|nick(?:name)?|alias|account|login)(?:[ ]is)?[ ]?[:=-]?[ ]*"
    r"(@?[a-z0-9_][\w.-]{2,38})|(?:as|under|by|am|is|name|profile)[ ]((?=[\w.-]*[\d_])[a-z][\w.-]{3,38}))"
    rf"[ ](?:on|at|over on)[ ](?:the )?{_NETWORK}(?![\w-])"
)
#: Over a post: `jdoe42 3 hours ago | next`; `Updated 3 days ago` is none.
_POSTED = lazy_re(
    r"(?:^|[\n|])[ ]{0,3}(?!(?:updated|posted|edited|active|joined|created|modified|online|seen|commented|replied|"
    r"started|reposted|published|submitted|about|over|almost|promoted|bumped)[ ])([a-z0-9_][\w.-]{2,30})"
    r"(?= \d{1,2} (?:minutes?|hours?|days?|weeks?|months?|years?) ago\b)"
)
#: `Bug tracker user names: jane_doe, later doe81`, `Log-in name at Acme: jdoe-2`.
_USERS = lazy_re(
    r"(?:user ?names?|log-?in(?: names?| ids?)?|user ?ids?|account names?|handles|screen names?)"
    r"(?: (?:at|on|in|for|of|with|under)(?: [\w'-]+){1,4})?(?:[ ]?[:=]\s{1,2}|[ ](?=[\w-]*[._\d]))"
    r"|(?:git|github|gitlab|forum|slack|discord|irc|gaming|chess) (?:handle|login|nick|user(?: ?name)?)"
    r"(?:[ ]?[:=]| is)?[ ]|(?:user ?name|log-?in|user ?id)[ ](?=[a-z]{5,20}(?:[ ]*(?:$|[\n\"])| on | in | at ))"
)
_USER = lazy_re(
    r"(?:(?:and|or|later|then|now|before|earlier|since \d{4}|until \d{4}|also)\s)?([a-z][\w.-]{1,38}\w)"
    r"(?:,\s|;\s|\s(?=and|or|later|then)|(?= (?:on|in|at)\b|[ ]*(?:$|[\n,;|)\"']|\.(?:\s|$))))"
)
_USER_LISTED = (
    "git github gitlab forum slack discord irc gaming chess user username usernames login logins log log-in userid "
    "userids account handles screen"
)
_USER_WORDS = word_list(_USER_LISTED.split())
_NEAR = 60


def handles(folded: FoldedText, layout: Layout) -> list[tuple[int, int]]:
    """Return where handles stand.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("jo@x.org, @jo_koba, Skype name live:jo.koba; uses @Override, pinged @team daily")
    >>> [seen.text[start:end] for start, end in handles(seen, layout_of(seen))]
    ['@jo_koba', 'live:jo.koba']
    """
    low, words = folded.low, folded.words
    found = list(_with_at(low, layout)) if "@" in low else []
    if "live:" in low:
        found += [match.span() for match in _LIVE.finditer(low)]
    if "ago" in folded.where:
        found += [match.span(1) for match in _POSTED.finditer(low)]
    for place in folded.places(_NETWORK_WORDS):
        _, start, end = words[place]
        matches = [_NAMED.match(low, start), _PATH.match(low, start)]
        item = _ITEM.match(low, start)
        if item is not None and _is_item(folded, item):
            matches.append(item)
        if place and words[place - 1][0] in _ON_WORDS:
            matches += _ON_NETWORK.finditer(low, max(0, start - _NEAR), end + _LONGEST_NETWORK)
        for match in matches:
            if match is not None:
                handle = match.span(match.lastindex or 0)
                if low[slice(*handle)] not in _NO_HANDLE and not _is_mail(low, match.end()):
                    found.append(handle)
    if "u/" in low:
        found += [match.span() for match in _REDDIT.finditer(low)]
    found += _users(folded)
    return sorted(set(found))


def _is_item(folded: FoldedText, match: re.Match[str]) -> bool:
    """Say whether a network begins an item and what follows is written as users' names are."""
    start, end = match.span(match.lastindex or 0)
    before = _ITEM_BEFORE.search(folded.low, max(0, match.start() - 4), match.start())
    return before is not None and folded.text[start:end].islower()


def own_handles(folded: FoldedText, person: Iterable[Name]) -> list[Found]:
    """Return handles with a word of the person's name, of four letters or more, wherever they stand: `@the_okonkwo`.

    >>> from evenhand.resumes.names.parts import name_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Build notes on @the_okonkwo; fixed @Override")
    >>> [seen.text[found.start : found.end] for found in own_handles(seen, [name_of("Ada Okonkwo")])]
    ['@the_okonkwo']
    """
    low, found = folded.low, []
    place = low.find("@")
    parts = {form for name in person for form in name.forms if len(form) >= _SHORTEST_PART} if place >= 0 else ()
    while place >= 0:
        match = _AT.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in _ANNOTATIONS
            and not _is_mail(low, match.end())
            and any(part in match.group() for part in parts)
        ):
            found.append(Found(*match.span(), "URL", "own handle", 0.95))
        place = low.find("@", place + 1)
    return found


_SHORTEST_PART = 4


def _is_mail(low: str, end: int) -> bool:
    return low[end : end + 1] == "@"


def _users(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the names behind a label of user names."""
    low = folded.low
    for place in folded.places(_USER_WORDS):
        label = _USERS.match(low, folded.words[place][1])
        user = _USER.match(low, label.end()) if label is not None else None
        while user is not None:
            word = user.group(1)
            if word not in _NO_HANDLE and word not in english_words() and not _is_mail(low, user.end(1)):
                yield user.span(1)
            user = _USER.match(low, user.end()) if user.end() > user.end(1) else None


def _with_at(low: str, layout: Layout) -> Iterator[tuple[int, int]]:
    place = low.find("@")
    while place >= 0:
        match = _AT.match(low, place) if not low[place - 1 : place].isalnum() else None
        if (
            match is not None
            and match.group() not in _ANNOTATIONS
            and low[match.end() : match.end() + 1] not in {"@", "("}
        ):
            left = low[max(0, place - _NEAR) : place]
            alone = _BEFORE.search(left) is not None and _AFTER.match(low, match.end()) is not None
            if (alone and _is_contact(low, match, layout)) or _TOLD_BEFORE.search(left) is not None:
                yield match.span()
        place = low.find("@", place + 1)


_CONTACT = lazy_re(r"[\w.]@[\w-]+\.|\d{3}[ -]?\d{3}|https?:|www\.|\.com\b|linkedin")
_TOP = 14


def _is_contact(low: str, match: re.Match[str], layout: Layout) -> bool:
    """Say whether a handle that stands alone is a line, a label's value, or among contact details."""
    line = low.rfind("\n", 0, match.start()) + 1
    last = low.find("\n", match.end()) % (len(low) + 1)
    alone = not low[line : match.start()].strip(" \t`|•·-*>[(") and not low[match.end() : last].strip(" \t`|•·-*>])")
    if alone or low[line : match.start()].rstrip(" \"'`").endswith((":", "=", "\t")):
        return True
    if _CONTACT.search(low, line, last) is not None:
        return True
    return sum(each.start < match.start() for each in layout.lines[:_TOP]) < _TOP
