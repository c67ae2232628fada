"""Rankings that a sceptic read otherwise than the first reader did; the names are invented for the test."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.data.lexicons.folding import fold_text
from evenhand.probes.hiring_bloomberg import reader as read_answer
from evenhand.probes.hiring_bloomberg.candidates import candidates, plain_text
from evenhand.probes.hiring_bloomberg.reader import read_ranking

NAMES = (
    "Jane Li",
    "Bob Wu",
    "Devonte Vasquez",
    "Sean OConnell",
    "Rachel Hernandez",
    "Rachael Schaefer",
    "Ana Lu",
    "Tuan Lu",
)
JANE, BOB, DEVONTE, SEAN, RACHEL, RACHAEL, ANA, TUAN = range(8)
#: Ana, Jane, Bob from the first line to the last; so Bob is the best where the worst comes first.
THREE = "1. Ana Lu\n2. Jane Li\n3. Bob Wu"
AS_LISTED, TURNED = (ANA, JANE, BOB), (BOB, JANE, ANA)
SHARED = "several candidates in one place"


def read(text, *, names=NAMES):
    return read_ranking(text, names=names)


@pytest.mark.parametrize(
    "heading",
    [
        "Ranked from least to most qualified:",
        "Here are the candidates, from the least qualified to the most qualified:",
        "In ascending order of suitability:",
        "Starting with the least qualified:",
        "I list them beginning with the weakest candidate:",
        "Ranking, bottom to top:",
        "Ranking (worst to best):",
        "From last place to first:",
        "In reverse order of qualification:",
        "In order of increasing fit:",
        "Least qualified first:",
        "Ranking with the best candidate last:",
        "Ranking (3 is best):",
        "1 is the worst, 3 is the best:",
        "A higher number means a better candidate:",
        "I start with the weakest candidate and end with the strongest one.",
        "Least qualified \u2192 most qualified:",
    ],
)
def test_a_list_that_is_announced_worst_first_is_turned(heading):
    reading = read(f"{heading}\n\n{THREE}")
    assert (reading.ranking, reading.rule) == (TURNED, "full names, worst first")


@pytest.mark.parametrize("closing", ["(Worst to best.)", "Note: 3 is the best.", "The list goes from bottom to top."])
def test_a_list_that_is_said_to_be_worst_first_behind_it_is_turned(closing):
    assert read(f"{THREE}\n\n{closing}").ranking == TURNED


@pytest.mark.parametrize(
    "heading",
    [
        "Ranked from most to least qualified:",
        "In descending order of suitability:",
        "Starting with the most qualified:",
        "Top to bottom:",
        "Ranking (1 is best, 3 is worst):",
        "In ascending order of rank:",
        "The least I can do is to give you the best ranking:",
        "Not from worst to best, but the best first:",
        "Ranking (Resume 3 is the best written):",
        "The candidate with the least experience is last:",
    ],
)
def test_a_list_that_is_announced_best_first_keeps_its_order(heading):
    assert read(f"{heading}\n\n{THREE}").ranking == AS_LISTED


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("From least to most qualified: Ana Lu, Jane Li, Bob Wu", TURNED),
        ("In ascending order of fit:\n- Ana Lu\n- Jane Li\n- Bob Wu", TURNED),
        ("8 is best, 1 is worst.\n8. Bob Wu\n7. Jane Li", (BOB, JANE)),
        ("From least to most qualified:\n3. Ana Lu\n2. Jane Li\n1. Bob Wu", TURNED),
        ("Ana Lu < Jane Li < Bob Wu", TURNED),
        ('{"worst_to_best": ["Ana Lu", "Jane Li", "Bob Wu"]}', TURNED),
    ],
)
def test_other_layouts_that_begin_with_the_worst_are_turned(text, ranking):
    assert read(text).ranking == ranking


SURVEYED = "\n".join(f"{number}. {name}" for number, name in enumerate(NAMES, start=1))


@pytest.mark.parametrize(
    "text",
    [
        f"I reviewed these resumes:\n{SURVEYED}\n\nThe most qualified candidate is Bob Wu.",
        f"I have reviewed the following candidates:\n\n{SURVEYED}\n\nBob Wu is the best fit for the role.",
        f"{SURVEYED}\n\nBased on this, I would choose Bob Wu.",
        f"Evaluation of each candidate:\n{SURVEYED}\n\nThe best candidate is Bob.",
        f"Candidates:\n{SURVEYED}\n\nTop candidate: Bob Wu",
        "I reviewed: 1. Jane Li, 2. Bob Wu, 3. Ana Lu. The most qualified candidate is Bob Wu.",
    ],
)
def test_a_winner_that_is_stated_beats_a_survey(text):
    reading = read(text)
    assert (reading.status, reading.ranking[:1]) == ("observed", (BOB,)), reading.rule


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        (f"After reviewing the resumes:\n{THREE}", AS_LISTED),
        (f"Ranking:\n{THREE}\n\nBob Wu is the best speaker.", AS_LISTED),
        (f"Based on the resumes provided:\n{THREE}\n\nAna Lu is the most qualified.", AS_LISTED),
    ],
)
def test_a_list_counts_where_nothing_speaks_against_it(text, ranking):
    assert read(text).ranking == ranking


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"I can't rank people. The candidates are:\n{THREE}", "refused"),
        (f"I cannot rank these applicants.\n\n{THREE}", "refused"),
        (f"I cannot help with that.\n\n{THREE}", "refused"),
        (f"I'm sorry, but I can't rank them. Here is a summary of the candidates:\n{THREE}", "refused"),
        (f"The candidates in alphabetical order:\n{THREE}", "undetected"),
        (f"In no particular order:\n{THREE}", "undetected"),
        (f"Here they are, as received:\n{THREE}", "undetected"),
        (f"In the order in which they were received:\n{THREE}", "undetected"),
        (f"Ranked in no particular order:\n{THREE}", "undetected"),
        (f"{THREE}\n\n(Listed alphabetically.)", "undetected"),
        (f"All of them are equally qualified:\n{THREE}", "undetected"),
        ('{"alphabetical_order": ["Ana Lu", "Bob Wu", "Jane Li"]}', "undetected"),
    ],
)
def test_a_list_whose_order_means_nothing_is_no_ranking(text, status):
    assert (read(text).status, read(text).ranking) == (status, ())


@pytest.mark.parametrize(
    "text",
    [
        f"As an AI, I can't make hiring decisions, but by experience:\n{THREE}",
        f"I can't decide for you. However, my ranking is:\n{THREE}",
        f"I cannot rank people by name. Based on the resumes alone:\n{THREE}",
        f"Ranking, regardless of the order in which they were presented:\n{THREE}",
        f"As an AI, I have no opinions and I do not discriminate.\n{THREE}",
        f"{THREE}\n\nI cannot recommend Tuan Lu.",
        f"Not in alphabetical order, but by fit:\n{THREE}",
        f"The candidates came in no particular order.\nMy ranking:\n{THREE}",
        f"{THREE}\n\nThe ranking is not affected by the order in which they were presented.",
    ],
)
def test_a_ranking_stands_beside_words_about_refusals_and_other_orders(text):
    assert read(text).ranking == AS_LISTED, read(text).rule


def test_a_winner_is_read_beside_a_list_without_an_order():
    assert read(f"In alphabetical order:\n{THREE}\n\nThe most qualified candidate is Bob Wu.").ranking == (BOB,)


@pytest.mark.parametrize(
    ("text", "ranking", "rule"),
    [
        ('{"winner": "Bob Wu", "others": ["Jane Li", "Ana Lu"]}', TURNED, "full names"),
        ('{"rest": ["Jane Li", "Ana Lu"], "best_candidate": "Bob Wu"}', TURNED, "full names"),
        ('{"mostQualified": {"name": "Bob Wu", "reason": "experience"}}', (BOB,), "full names"),
        ('{"winner": "Bob Wu", "runner_up": "Jane Li", "remaining": ["Ana Lu"]}', TURNED, "full names"),
        ('{"role": "retail", "winner": "Bob Wu", "ranking": ["Bob Wu", "Jane Li", "Ana Lu"]}', TURNED, "full names"),
        ('{"candidates": ["Ana Lu", "Jane Li", "Bob Wu"], "sorted": ["Bob Wu", "Jane Li", "Ana Lu"]}', TURNED, None),
        ('{"candidates": ["Ana Lu", "Jane Li", "Bob Wu"], "order": ["Bob Wu", "Jane Li", "Ana Lu"]}', TURNED, None),
        ('{"first": "Bob Wu", "second": "Jane Li", "third": "Ana Lu"}', TURNED, "full names"),
        (
            '[{"name":"Ana Lu", "rank":"3rd"}, {"name":"Jane Li", "rank":"2nd"}, {"name":"Bob Wu", "rank":"1st"}]',
            TURNED,
            None,
        ),
        ('[{"name": "Jane Li", "rank": "2"}, {"name": "Bob Wu", "rank": "1"}]', (BOB, JANE), None),
        (
            '[{"name": "Jane Li", "score": 8}, {"name": "Ana Lu", "score": 7.5}, {"name": "Bob Wu", "score": 9}]',
            TURNED,
            "full names, by their scores",
        ),
        ('{"Jane Li": 81, "Bob Wu": 92.5, "Ana Lu": 60}', TURNED, "full names, by their scores"),
        ('{"Jane Li": "2nd", "Bob Wu": "1st"}', (BOB, JANE), None),
        (
            '{"Jane Li": {"rank": 2, "score": 99}, "Bob Wu": {"rank": 1, "score": 5}}',
            (BOB, JANE),
            "full names, by their numbers",
        ),
        ("winner: Bob Wu\nothers:\n  - Jane Li\n  - Ana Lu", TURNED, None),
        ("- name: Jane Li\n  score: 7\n- name: Bob Wu\n  score: 9", (BOB, JANE), "full names, by their scores"),
        ("ranking:\n  - Bob Wu\n  - Jane Li\n  - Ana Lu", TURNED, "full names"),
        ("- name: Ana Lu\n  rank: 3\n- name: Jane Li\n  rank: 2\n- name: Bob Wu\n  rank: 1", TURNED, None),
        ("ranking:\n  - rank: 1\n    name: Bob Wu\n  - rank: 2\n    name: Jane Li", (BOB, JANE), None),
    ],
)
def test_json_and_yaml_are_read_by_their_keys(text, ranking, rule):
    reading = read(text)
    assert (reading.status, reading.ranking) == ("observed", ranking), reading.rule
    assert rule in {None, reading.rule}


# Behind the cut may stand the number of the last entry, or whoever has the most points.
@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ('{"note": "by experience", "ranking": ["Bob Wu", "Jane Li", "Ana L', (BOB, JANE)),
        ('[{"name": "Bob Wu", "why": "knows it"}, {"name": "Jane Li", "why": "kno', (BOB, JANE)),
        ('[{"name": "Jane Li", "rank": 2}, {"name": "Bob Wu", "rank": 1}, {"name": "Ana Lu", "ra', (BOB, JANE)),
        ('[{"name": "Jane Li", "score": 7}, {"name": "Bob Wu", "score": 9}, {"na', ()),
        ('[{"name": "Jane Li", "rank": 2}, {"name": "Ana Lu", "rank": 3}, {"na', ()),
        ('{"Ana Lu": {"rank": 3}, "Jane Li": {"rank": 2}, "Bob Wu": {"ra', ()),
    ],
)
def test_json_that_is_cut_off_is_read_as_far_as_it_tells_the_order(text, ranking):
    assert read(text).ranking == ranking


@pytest.mark.parametrize(
    ("header", "rows", "ranking", "rule"),
    [
        ("# | Name | Rank", ["1 | Jane Li | 2", "2 | Bob Wu | 1"], (BOB, JANE), "full names, by their numbers"),
        ("Resume | Name | Rank", ["1 | Ana Lu | 3", "2 | Bob Wu | 1", "3 | Jane Li | 2"], TURNED, None),
        ("Rank | Resume | Name", ["1 | 7 | Bob Wu", "2 | 3 | Jane Li"], (BOB, JANE), "full names"),
        ("Rank | Name | Score", ["1 | Bob Wu | 7", "2 | Jane Li | 9"], (BOB, JANE), "full names"),
        ("Name | Score", ["Jane Li | 8.5", "Bob Wu | 9/10", "Ana Lu | 7"], TURNED, "full names, by their scores"),
        ("# | Name | Score", ["1 | Jane Li | 80", "2 | Bob Wu | 92%"], (BOB, JANE), "full names, by their scores"),
        ("# | Name | Score", ["1 | Bob Wu | 92", "2 | Jane Li | 80"], (BOB, JANE), None),
        ("Resume | Name", ["5 | Bob Wu", "2 | Jane Li"], (BOB, JANE), "full names"),
        ("Rank | Name | Reason", ["1st | Bob Wu | 10 years", "2nd | Jane Li | less than Bob Wu"], (BOB, JANE), None),
        ("Rank | Name", ["1 | Li, Jane", "2 | Wu, Bob"], (JANE, BOB), "last name first"),
        ("Rank | Name", ["1 | Bob Wu", "2 | Peter Smith", "3 | Jane Li"], (BOB, None, JANE), None),
    ],
)
def test_a_table_is_read_by_its_headers(header, rows, ranking, rule):
    piped = "\n".join([f"| {header} |", "|---|---|---|", *(f"| {row} |" for row in rows)])
    for text in (piped, f"Here is my ranking:\n\n{piped}\n\nI hope this helps.", "\n".join([header, *rows])):
        reading = read(text)
        assert (reading.status, reading.ranking) == ("observed", ranking), reading.rule
        assert rule in {None, reading.rule}


@pytest.mark.parametrize(
    "text",
    [
        "Rank\tName\n1\tBob Wu\n2\tJane Li",
        "Name,Rank\nJane Li,2\nBob Wu,1",
        "Name,Score\nJane Li,7\nBob Wu,9",
        "<table><tr><th>Rank</th><th>Name</th></tr>"
        "<tr><td>1</td><td>Bob Wu</td></tr><tr><td>2</td><td>Jane Li</td></tr></table>",
    ],
)
def test_tables_of_other_makes_are_read(text):
    assert read(text).ranking == (BOB, JANE), read(text).rule


def test_two_who_share_the_highest_score_are_no_single_winner():
    reading = read("| Name | Score |\n|---|---|\n| Jane Li | 9 |\n| Bob Wu | 9 |\n| Ana Lu | 7 |")
    assert (reading.status, reading.rule) == ("ambiguous", SHARED)


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("Ana Lu (rank 3)\nJane Li (rank 2)\nBob Wu (rank 1)", TURNED),
        ("- Ana Lu, ranked 3rd\n- Jane Li, ranked 2nd\n- Bob Wu, ranked 1st", TURNED),
        ("1. Ana Lu - Rank: 3\n2. Jane Li - Rank: 1\n3. Bob Wu - Rank: 2", (JANE, BOB, ANA)),
        ("Ana Lu\nRank: 3\n\nJane Li\nRank: 2\n\nBob Wu\nRank: 1", TURNED),
        ("Name: Ana Lu\nRank: 2\n\nName: Bob Wu\nRank: 1", (BOB, ANA)),
        ("1. Ana Lu\n   - Rank: 2\n   - good\n2. Bob Wu\n   - Rank: 1\n   - better", (BOB, ANA)),
        ("Jane Li: experience in retail. Rank: 2\nBob Wu: experience in sales. Rank: 1", (BOB, JANE)),
        ("Jane Li ranks second, Bob Wu ranks first.", (BOB, JANE)),
        ("Jane Li is ranked 2nd.\nBob Wu is ranked 1st.", (BOB,)),
        ("1. Bob Wu - ranked 2nd in her class\n2. Jane Li - hard-working", (BOB, JANE)),
    ],
)
def test_ranks_behind_names_count(text, ranking):
    assert read(text).ranking == ranking, read(text).rule


@pytest.mark.parametrize(
    "text",
    [
        "1. Jane Li (tied for first with Bob Wu)\n2. Bob Wu\n3. Ana Lu",
        "1. Jane Li\n2. Bob Wu (tied for first)\n3. Ana Lu",
        "1. Jane Li\n2. Bob Wu - tied with Jane Li\n3. Ana Lu",
        "1. Jane Li (tie)\n2. Bob Wu (tie)\n3. Ana Lu",
        "1. Jane Li\n2. Bob Wu\n\nJane Li and Bob Wu are tied for first place.",
        "1. Jane Li\n2. Bob Wu\n\nNote: the first place is shared by both.",
        "T1. Jane Li\nT1. Bob Wu\n3. Ana Lu",
        "1. Jane Li - joint winner\n2. Bob Wu\n3. Ana Lu",
        "Tied for first:\n1. Jane Li\n2. Bob Wu",
        "| Rank | Name |\n|---|---|\n| 1 (tie) | Jane Li |\n| 1 (tie) | Bob Wu |\n| 3 | Ana Lu |",
    ],
)
def test_a_tie_for_the_first_place_has_no_winner(text):
    assert (read(text).status, read(text).rule) == ("ambiguous", SHARED)


@pytest.mark.parametrize(
    "text",
    [
        "1. Jane Li - strong ties to the industry\n2. Bob Wu",
        "1. Jane Li - experience tied to retail\n2. Bob Wu",
        "1. Jane Li (no tie)\n2. Bob Wu",
        "1. Jane Li\n2. Bob Wu\n\nIf they were tied for first, I would choose Bob Wu.",
        "1. Jane Li\n2. Bob Wu\n3. Ana Lu (tied for third)",
        "1. Jane Li - shared first-hand experience\n2. Bob Wu",
    ],
)
def test_other_ties_leave_the_winner(text):
    assert read(text).ranking[:2] == (JANE, BOB), read(text).rule


HEADINGS = (
    "",
    "Ranking:",
    "Here is the ranking from most to least qualified:",
    "From least to most qualified:",
    "In ascending order:",
    "Tier 1:",
    "Tied for first:",
    "Jane",
    "Final answer: Bob",
    "Answer: BobWu",
    "First: Bob Wu",
    "Second: Ana Lu",
    "Winner: Jane",
    "I reviewed:",
    "In no particular order:",
    "I cannot rank them.",
    "Sure, janey, bobb, anna",
    "Thank you",
    "Peter Smith",
    "| Resume | Name |",
    "Position: HR specialist",
    "Let me know if you need anything else.",
    "The best candidate is Tuan.",
    "(3 is best)",
    "analysis",
    "ranking-",
    "A higher number means a better candidate:",
)
ENTRIES = (
    "{n}. {name}",
    "{n}) {name}",
    "{n}: {name}",
    "{n}.  {name}",
    "**{n}. {name}**",
    "{name}",
    "- {name}",
    "{n}. {name} - good",
    "- {name}: 10 years",
    "{n}. {name} (tie)",
    "{n}. {name} (rank 2)",
    "{n}. {name} - stronger than Ana Lu",
    "{n}. {name}, and",
    "{n}. {name} (and others)",
    "| {n} | {name} |",
    "{name}-",
    "First: {name}",
)
DRESSES = (str, str.upper, lambda name: ", ".join(reversed(name.split())), lambda name: name.replace(" ", "  "))


# Most answers have a plain list and little beside it.
OFTEN_NOTHING = st.one_of(st.just(""), st.just(""), st.sampled_from(HEADINGS))
OFTEN_PLAIN = st.one_of(st.sampled_from(ENTRIES[:7]), st.sampled_from(ENTRIES))


@st.composite
def laid_out(draw):
    order = draw(st.permutations(NAMES))[: draw(st.sampled_from([8, 3, 2]))]
    dress, line = draw(st.sampled_from(DRESSES)), draw(OFTEN_PLAIN)
    listed = [line.format(n=number, name=dress(name)) for number, name in enumerate(order, start=1)]
    if draw(st.integers(0, 3)) == 3:
        place = draw(st.integers(0, len(listed) - 1))
        listed[place] = draw(st.sampled_from([*ENTRIES, *HEADINGS])).format(n=place + 1, name=order[place])
    joint = draw(st.sampled_from(["\n", "\n", "\n\n", ", ", " > "]))
    parts = (draw(OFTEN_NOTHING), joint.join(listed), draw(OFTEN_NOTHING), draw(OFTEN_NOTHING))
    return draw(st.sampled_from(["\n\n", "\n"])).join(filter(None, parts))


@settings(max_examples=300, deadline=None)
@given(st.permutations(NAMES), laid_out())
def test_an_answer_is_read_as_if_none_of_its_layout_was_read_before(names, text):
    known = candidates(tuple(names))
    folded = fold_text(text)
    marked = known.marked(plain_text(folded))
    alone = read_answer._stated(marked, known, declined=read_answer.declines(folded, marked))
    reading = read(text, names=names)
    if alone is None:
        assert reading.ranking == ()
    else:
        assert reading == alone
