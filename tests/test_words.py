"""One idea, one word: that of GLOSSARY.md, in code, documents, help texts, pages and on the terminal."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from evenhand.cli._app import app
from flows._cli import evenhand

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "evenhand"

#: Home-made words for what the field has words for, as patterns; they stand nowhere.
BANNED = (
    r"even[-_ ]hand(ed)?(?![a-z])",
    r"counted otherwise",
    r"what was asked of which model",
    r"the intervals? touch",
    r"\bdealt\b(?! with|\|)",
    r"\bdeals? anew",
    r"told apart",
    r"over.?flagging(?!_rate\b)",
    r"\b(?<!_)undetected (rate|answer|attempt)",
    r"chance( alone)? (does not|doesn't|may) explain|chance explains|explained by chance|within chance",
    r"whole sample",
    r"(?<!minimum )\bdetectable ratio",
    r"smallest detectable",
    r"sweeps? (of )?cut-offs|cut-off sweep|cut-off of the sweep",
    r"picked by looking",
    r"four of five runs",
    r"answers? without a decision|answers? carr(y|ies) no decision",
    r"could have been missed",
    r"rule of four fifths",
)
#: Where they may stand for now: the report's own words, and its pages.
NOT_YET_MENDED = ()

#: Where the words of GLOSSARY.md's last column are looked for besides.
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *SOURCE.glob("probes/*/README.md")} - {ROOT / "GLOSSARY.md"}
)
GLOSSARY = [
    tuple(cell.strip() for cell in line.strip("| ").split(" |"))
    for line in (ROOT / "GLOSSARY.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| word |")
]
SET_ASIDE = {word: row[0] for row in GLOSSARY if len(row) == 3 for word in row[2].split(", ") if word}

#: Small runs whose pages and terminals are read.
RUNS = (
    "audit --model sim:stereotyping?strength=0.6 --sample 40 --out suite",
    "probe an2024 --model sim:feminine?strength=0.4 --sample 600 --roles 7 --out study",
    "probe hiring-an --model sim:unbiased --sample 200 --fail-on difference --out hiring",
    "probe hiring-an --model sim:garbled --sample 60 --out garbled",
    "compare suite/hiring-an hiring --any-stimuli --out compared",
    "plan standard --model sim:unbiased --sample 40",
    "data example berkeley-1973",
    "impact berkeley-1973.csv --selected admitted --protected gender --position department --fail-on below "
    "--out berkeley",
    "impact scores.csv --score score --cutoff 3 --median --means --protected gender,race --intersectional "
    "--given years --missing bounds --stage stage --unit person --out scores",
    "impact scores.csv --score score --protected gender,race --ll144 --out ll144",
    "features scores.csv --protected gender,race --label stage --sample 0 --compare-with scores.csv --out features",
)


def scores():
    """Return a table with a row per person and stage, in which no column is constant."""
    rows = ["person,gender,race,years,stage,score"]
    for n in range(240):
        gender, race = ("female", "male", "unknown")[n % 8 % 3], ("White", "Black", "Asian")[n % 5 % 3]
        rows += [
            f"{n},{gender},{race},{n % 7},{stage},{(n * 37 % 50) / 10}" for stage in ("screen", "offer")[: 1 + n % 2]
        ]
    return "\n".join(rows)


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Return what small runs print, and the text of their pages, by command and path."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "scores.csv").write_text(scores(), "utf-8")
    found = {}
    for line in RUNS:
        done = evenhand(*line.split(), cwd=folder)
        assert done.returncode in {0, 1}, done.stderr
        found[f"evenhand {line}"] = done.stdout + done.stderr
    for page in folder.rglob("*.html"):
        text = re.sub(r"<style.*?</style>", " ", page.read_text("utf-8"), flags=re.DOTALL)
        found[str(page.relative_to(folder))] = re.sub(r"<[^>]+>", " ", text)
    return found


@pytest.fixture(scope="session")
def helps():
    """Return the help text of every command."""
    names = [()]
    for name, command in get_command(app).commands.items():
        names += [(name,), *((name, each) for each in getattr(command, "commands", {}))]
    return {f"{' '.join(each)} --help": evenhand(*each, "--help", cwd=ROOT).stdout for each in names}


def files(*paths):
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}


def hits(patterns, texts):
    """Return where a pattern is found, across line breaks; columns and keys keep their names."""
    found = []
    for place, text in texts.items():
        flat = " ".join(re.sub(r'"\s*\n\s*f?"', "", text).split())
        if not any(each in place for each in NOT_YET_MENDED):
            found += [f"{place}: {match[0]}" for each in patterns for match in re.finditer(each, flat, re.IGNORECASE)]
    return found


def test_no_home_made_word_stands_in_code_and_documents():
    assert not hits(BANNED, files(*DOCUMENTS, *SOURCE.rglob("*.py"), *SOURCE.rglob("*.jinja")))


def test_no_home_made_word_is_printed_or_stands_on_a_page(written):
    assert len(written) > len(RUNS)
    assert not hits(BANNED, written)


def test_documents_and_helps_use_the_glossary_s_words(written, helps):
    assert "--protected" in helps["impact --help"]
    assert len(SET_ASIDE) > 30
    patterns = [rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in SET_ASIDE]
    assert not hits(patterns, files(*DOCUMENTS) | helps | written)


def test_the_glossary_has_each_word_once_in_order_and_sets_none_of_them_aside():
    words = [row[0] for row in GLOSSARY]
    assert words == sorted(set(words), key=str.lower)
    assert not set(words) & set(SET_ASIDE)


@pytest.mark.parametrize(
    "text",
    [
        "how often even-handed\n draws",
        "even_handed_draws",
        "groups are dealt anew",
        "the over-flagging rate",
        "Chance alone does not explain this",
        'a "\n    f"difference in the whole "\n "sample"',
    ],
)
def test_a_home_made_word_is_found(text):
    assert hits(BANNED, {"a text": text})


@pytest.mark.parametrize(
    "text", ["evenhand audit", "over_flagging_rate", "the minimum detectable ratio", "dealt with complaints"]
)
def test_names_and_other_meanings_are_left_alone(text):
    assert not hits(BANNED, {"a text": text})
