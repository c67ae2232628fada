"""Word tables hold what their modules use, and each pattern finds its examples and none of its counter-examples."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from evenhand.masking.pronouns import PERSONAL
from evenhand.patterns import WordTable

PACKAGE = Path(__file__).parents[1] / "src" / "evenhand"


@cache
def texts():
    return {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def tables():
    """The word tables of the package by module and variable."""
    for path, text in texts().items():
        module = ".".join(("evenhand", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        for name in re.findall(r"^(\w+) = WordTable\(", text, re.MULTILINE):
            yield module, name
    for name in PERSONAL:
        yield "evenhand.masking.categories.personal", f"{name.upper()}_WORDS"


def table_at(module, name):
    found = import_module(module)
    return getattr(found, name) if hasattr(found, name) else found.TABLES[name.removesuffix("_WORDS").lower()]


#: Entries of every personal category, which the engine reads.
OF_CATEGORIES = {"category", "labels", "phrases"}
PLACES = list(tables())
TABLES = [pytest.param(*place, id=".".join(place)) for place in PLACES]


@cache
def attributes():
    """The entries that any module reads of each table, by the table's name."""
    read = defaultdict(set)
    for tree in (ast.parse(text) for text in texts().values() if re.search(r"(WORDS|WORDING|CUES)\.", text)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
                read[getattr(node.value, "id", None) or node.value.attr].add(node.attr)
    return read


@cache
def begun():
    """The beginnings of entries that modules complete, by the table's name."""
    found = defaultdict(set)
    for name, begin in (each for text in texts().values() for each in re.findall(r'(\w+), f"(\w+_)', text)):
        found[name].add(begin)
    return found


@cache
def in_rules():
    """The patterns that rules of lexicons name, by the table's name: of their own table, or `candidate.NAME`."""
    found = defaultdict(set)
    for module, table in PLACES:
        rules = table_at(module, table)._entries().get("rules", {"map": {}})["map"]
        for part in (part for rule in rules.values() for part in rule.values() if isinstance(part, str)):
            begin, _, entry = part.rpartition(".")
            found["CANDIDATE_WORDS" if begin else table].add(entry)
    return found


@pytest.mark.parametrize(("module", "name"), TABLES)
def test_modules_use_each_entry_of_their_table_and_no_other(module, name):
    entries = table_at(module, name)._entries()
    referenced = set(re.findall(r"\(\?&(\w+)\)", repr(entries)))
    referenced.update(*(values.get("with", ()) for values in entries.values()))
    used = attributes()[name] | (
        OF_CATEGORIES if module == "evenhand.masking.categories.personal" and "rules" in entries else set()
    )
    referenced |= {"rules", *in_rules()[name]}
    referenced.update(entry for entry in entries if entry.startswith(tuple(begun()[name])))
    assert used - set(entries) == set()
    assert set(entries) - used - referenced == set()


@pytest.mark.parametrize(("module", "name"), TABLES)
def test_patterns_find_their_examples_and_none_of_their_counter_examples(module, name):
    table = table_at(module, name)
    wrong = []
    for entry, values in table._entries().items():
        if "any" in values:
            pattern = getattr(table, entry)
            wrong += [(entry, text) for text in values.get("examples", ()) if not pattern.search(text)]
            wrong += [(entry, text) for text in values.get("counter_examples", ()) if pattern.search(text)]
            if not values.get("examples"):
                wrong.append((entry, "has no example"))
    assert wrong == []


def table_of(tmp_path, text):
    (tmp_path / "words.toml").write_text(text, "utf-8")
    return WordTable("evenhand", "words.toml")


def test_entries_are_sets_lists_maps_and_patterns_that_refer_to_others(tmp_path, monkeypatch):
    monkeypatch.setattr("evenhand.patterns.resources.files", lambda _: tmp_path)
    table = table_of(
        tmp_path,
        r"""
        part = { any = ['le(?:ft|d)', 'gone'] }
        away = { start = '\bhas ', any = ['(?&part)', 'resigned'], end = '\b', flags = "i", examples = [] }
        both = { words = ["a", "b"], why = "for the test" }
        more = { words = ["c"], with = ["both"] }
        turn = { list = ["b", "a"] }
        said = { map = { a = "one", "b." = ["two", "three"] } }
        long = { any = [['of ', '(?&turn)'], '(?&said)!'] }
        text = { words = '''
            d  c
            e''' }
        row = { list = "d c" }
        broken = { any = ['''one|
            two''', '(?&row)!'], examples = [] }
        """,
    )
    assert table.away.search("She HAS left.")
    assert not table.away.search("has leftovers")
    assert (table.both, table.more, table.turn) == ({"a", "b"}, {"a", "b", "c"}, ("b", "a"))
    assert table.said == {"a": "one", "b.": ("two", "three")}
    assert [table.long.search(text) is not None for text in ("of a", "b.!", "bc!")] == [True, True, False]
    assert (table.text, table.row) == ({"c", "d", "e"}, ("d", "c"))
    assert [bool(table.broken.fullmatch(text)) for text in ("one", "two", "d!", "c")] == [True, True, True, False]
    with pytest.raises(AttributeError, match="none"):
        _ = table.none
    with pytest.raises(AttributeError, match=r"words\.toml has no entry 'none'"):
        _ = WordTable("evenhand", "words.toml").none


@pytest.mark.parametrize(
    "entry",
    [
        "x = { words = ['a', 'a'] }",
        "x = { words = 'a b a' }",
        "x = { words = [], any = [] }",
        "x = { words = [], end = '' }",
        "x = {}",
    ],
)
def test_entries_that_contradict_themselves_are_refused(tmp_path, monkeypatch, entry):
    monkeypatch.setattr("evenhand.patterns.resources.files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=r"words\.toml"):
        _ = table_of(tmp_path, entry).x


@pytest.mark.parametrize("name", PERSONAL)
def test_each_phrase_of_a_category_has_a_rule_and_stands_once_under_it(name):
    entries = import_module("evenhand.masking.categories.personal").TABLES[name]
    assert set(entries.phrases) == set(entries.rules)
    for phrases in entries.phrases.values():
        assert len(set(phrases.splitlines())) == len(phrases.splitlines())


def test_a_further_file_is_a_further_category(tmp_path):
    copied = tmp_path / "copy" / "evenhand"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    (copied / "masking/personal/union.toml").write_text(
        """
        category = { map = { stays = "anybody" } }
        labels = { any = ['union'], examples = ["union"] }
        rules = { map = { member = { confidence = 0.9 } } }
        phrases = { map = { member = "shop steward" } }
        """,
        "utf-8",
    )
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from evenhand.masking.mask import mask_text\nprint(mask_text('Shop steward. Union: ABC').text)",
        ],
        env={**os.environ, "PYTHONPATH": str(copied.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[UNION]. Union: [UNION]\n"
