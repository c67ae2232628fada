"""Words that would mislead a reader: those that GLOSSARY.md sets aside stand in no document, help, page or terminal."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenhand.cli import COMMANDS, EXAMPLES, KINDS, app
from flows._cli import evenhand

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "evenhand"
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *SOURCE.glob("probes/*/README.md")} - {ROOT / "GLOSSARY.md"}
)
GLOSSARY = [
    tuple(cell.strip() for cell in line.strip("| ").split(" |"))
    for line in (ROOT / "GLOSSARY.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| word |")
]
MISLEADING = [word for row in GLOSSARY if len(row) == 3 for word in row[2].split(", ") if word]
MOST_TERMS = 60

#: Small runs whose pages and terminals are read.
RUNS = (
    "probe hiring-an --model sim:unbiased --sample 100 --out hiring",
    "impact scores.csv --score score --cutoff 3 --protected gender,race --missing bounds --out scores",
)


def scores():
    """Return a table with a row per person."""
    rows = ["person,gender,race,score"]
    for n in range(240):
        gender, race = ("female", "male", "unknown")[n % 8 % 3], ("White", "Black", "Asian")[n % 5 % 3]
        rows.append(f"{n},{gender},{race},{(n * 37 % 50) / 10}")
    return "\n".join(rows)


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Return what small runs print, and the text of their pages, by command and path."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "scores.csv").write_text(scores(), "utf-8")
    texts = {}
    for line in RUNS:
        done = evenhand(line, cwd=folder)
        texts[f"evenhand {line}"] = done.stdout + done.stderr
    for page in folder.rglob("*.html"):
        text = re.sub(r"<style.*?</style>", " ", page.read_text("utf-8"), flags=re.DOTALL)
        texts[str(page.relative_to(folder))] = re.sub(r"<[^>]+>", " ", text)
    return texts


@pytest.fixture(scope="session")
def helps():
    """Return the help text of every command."""
    lines = [
        "--help",
        *(f"{name} --help" for name in COMMANDS),
        *(f"{name} --help-all" for name in (*KINDS, *EXAMPLES)),
    ]
    return {line: CliRunner().invoke(app, line.split(), prog_name="evenhand").output for line in lines}


def files(*paths):
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}


def misleading(texts):
    """Return where a misleading word stands, across line breaks; columns and keys keep their names."""
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, MISLEADING))})(?![\w-])", re.IGNORECASE)
    hits = []
    for place, text in texts.items():
        flat = " ".join(re.sub(r'"\s*\n\s*f?"', "", text).split())
        hits += [f"{place}: {match[0]}" for match in pattern.finditer(flat)]
    return hits


def test_no_document_and_no_text_in_code_misleads():
    assert not misleading(files(*DOCUMENTS, *SOURCE.rglob("*.py"), *SOURCE.rglob("*.jinja")))


def test_no_help_page_or_terminal_misleads(written, helps):
    assert "--protected" in helps["impact --help-all"]
    assert len(written) > len(RUNS)
    assert not misleading(helps | written)


def test_the_glossary_has_few_words_each_once_in_order_and_sets_none_of_them_aside():
    words = [row[0] for row in GLOSSARY]
    assert words == sorted(set(words), key=str.lower)
    assert len(words) <= MOST_TERMS
    assert not set(words) & set(MISLEADING)


@pytest.mark.parametrize(
    "text",
    ["the over-flagging\n rate", "This is Explained by chance", 'a "\n    f"difference in the whole "\n "sample"'],
)
def test_a_misleading_word_is_found(text):
    assert misleading({"a text": text})


@pytest.mark.parametrize("text", ["over_flagging_rate", "by chance", "the sample", "unmasked"])
def test_names_and_other_meanings_are_left_alone(text):
    assert not misleading({"a text": text})
