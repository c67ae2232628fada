"""Masking, measured on 120 real résumés from three published data sets.

    PYTHONPATH=bench python -m masking.real [--half seen|unseen] [--from FOLDER] [--wrong]

The résumés are fetched into bench/masking/real/, which git ignores, or read from clones in FOLDER (`owner+name` or
`owner_name`); they are for evaluation only. What has to be masked stands in real_spans.csv as offsets, without a word
of the texts. A language model annotated each by the rubric in README.md, a second one without seeing that, and the
differences were decided. Rules may be looked at against the half `seen`; `unseen` is opened once, at the end. --wrong
lists what was masked wrongly or missed in the seen half: it is personal data and stays on this machine.
"""

import argparse
import csv
import hashlib
import html
import io
import json
import re
import subprocess
import sys
import urllib.request
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import MaskOptions

HERE = Path(__file__).parent
SPANS = HERE / "real_spans.csv"
STORED = HERE / "real"
SENSITIVE = ("GENDER", "ETHNICITY", "RELIGION", "DISABILITY", "MARITAL", "ORIENTATION")
OPTIONS = MaskOptions(optional=("phone", "address", "dob"))


@dataclass(frozen=True)
class Source:
    """A repository at a commit, what may be done with it, and how its résumés are read from an archive of it."""

    repository: str
    commit: str
    licence: str
    read: Callable[[dict[str, bytes]], Iterator[tuple[str, str]]]


def _dataturks(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    for part in ("train", "test"):
        for number, line in enumerate(files[f"{part}data.json"].decode("utf-8").splitlines()):
            if line.strip():
                yield f"dataturks-{part}-{number}", json.loads(line)["content"]


def _label_studio(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    exported = sorted(file for file in files if file.startswith("data-files/") and file.endswith(".json"))
    for place, file in enumerate(exported):
        for number, task in enumerate(json.loads(files[file])):
            yield f"vrundag-{place}-{number}", next(each for each in task["data"].values() if isinstance(each, str))


def _dotin(files: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    for file in ("545_cvs_train_v2.zip", "set_aside_test_v2_50cvs.zip"):
        with zipfile.ZipFile(io.BytesIO(files[file])) as packed:
            for name in packed.namelist():
                if name.endswith(".xml"):
                    text = re.sub(r"<\?xml.*?\?>\s*", "", packed.read(name).decode("utf-8", "replace"))
                    text = html.unescape(re.sub(r"</?(?:cv|label)[^>]*>", "", text)).strip("\n")
                    yield f"dotin-{file[:5]}{name.replace('/', '-')}", text


SOURCES = (
    Source(
        "DataTurks-Engg/Entity-Recognition-In-Resumes-SpaCy",
        "3a8b01ed8e60048485d4ae6a3bf577b9393f1d84",
        "none stated; published by DataTurks for named-entity recognition, from Indeed",
        _dataturks,
    ),
    Source(
        "vrundag91/Resume-Corpus-Dataset",
        "8323e09e638ad246e1ff263a48e0711f483653d4",
        "freely accessible for academic and research purposes (its README)",
        _label_studio,
    ),
    Source(
        "dotin-inc/resume-dataset-NER-annotations",
        "052429f98489d0b9fc747d58e06db06cdeff2852",
        "CC0-1.0; names and e-mail addresses were replaced by its makers",
        _dotin,
    ),
)


def _archive(source: Source, clones: Path | None) -> bytes:
    """Return a repository as a ZIP archive: stored before, from a clone, or fetched now."""
    stored = STORED / f"{source.repository.replace('/', '+')}.zip"
    if not stored.is_file():
        STORED.mkdir(exist_ok=True)
        if clones is None:
            address = f"https://codeload.github.com/{source.repository}/zip/{source.commit}"
            with urllib.request.urlopen(address) as response:
                stored.write_bytes(response.read())
        else:
            clone = next(clones.glob(source.repository.replace("/", "[+_]")))
            folder = next(each.parent for each in (clone / "HEAD", *clone.rglob("HEAD")) if each.is_file())
            prefix = f"{clone.name}/"
            command = ["git", f"--git-dir={folder}", "archive", "--format=zip", f"--prefix={prefix}", source.commit]
            stored.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return stored.read_bytes()


def texts(clones: Path | None = None) -> dict[str, str]:
    """Return all résumés of the sources by their names."""
    found = {}
    for source in SOURCES:
        with zipfile.ZipFile(io.BytesIO(_archive(source, clones))) as packed:
            files = {name.partition("/")[2]: packed.read(name) for name in packed.namelist() if not name.endswith("/")}
        found.update(source.read(files))
    return found


@dataclass
class Score:
    """Counts by category; `OTHER` are names of other people, `leaking` résumés that still show a part of the name."""

    predicted: Counter = field(default_factory=Counter)
    right: Counter = field(default_factory=Counter)
    annotated: Counter = field(default_factory=Counter)
    found: Counter = field(default_factory=Counter)
    named: int = 0
    leaking: int = 0
    words: int = 0
    needless: int = 0
    wrong: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, text: str, gold: list[tuple[int, int, str]], *, given: bool) -> None:
        """Mask one résumé and count."""
        names = [text[start:end] for start, end, category in gold if category == "NAME"]
        masked = mask_text(text, known_names=[max(names, key=len)] if given and names else [], options=OPTIONS)
        hidden = bytearray(len(text))
        for span in masked.spans:
            hidden[span.start : span.end] = b"\1" * (span.end - span.start)
            kind = "OTHER" if span.rule == "other person" else span.category
            right = any(
                start < span.end and span.start < end and _same(category, span.category)
                for start, end, category in gold
            )
            self.predicted[kind] += 1
            self.right[kind] += right
            if not right:
                self.wrong.append(("wrong", kind, text[span.start : span.end]))
        leaks = False
        for start, end, category in gold:
            letters = [place for place in range(start, end) if text[place].isalnum()]
            share = sum(hidden[place] for place in letters) / max(1, len(letters))
            # Of a name or an address to write to nothing may be left; of others the most of it tells.
            found = share == 1 if category in {"NAME", "EMAIL"} else share >= 0.6
            self.annotated[category] += 1
            self.found[category] += found
            if not found:
                self.wrong.append(("missed", category, text[start:end]))
            leaks |= not found and category == "NAME"
        self.named += bool(names)
        self.leaking += leaks
        wanted = bytearray(len(text))
        for start, end, _ in gold:
            wanted[start:end] = b"\1" * (end - start)
        for word in re.finditer(r"\w+", text):
            self.words += 1
            self.needless += all(hidden[slice(*word.span())]) and not any(wanted[slice(*word.span())])


def _same(annotated: str, predicted: str) -> bool:
    # A name within an address is masked rightly, whatever it is called.
    return annotated == predicted or (predicted == "NAME" and annotated in {"OTHER", "URL", "EMAIL"})


def annotations(half: str) -> dict[str, tuple[str, list[tuple[int, int, str]]]]:
    """Return the annotated spans of a half, with the SHA-256 of each text."""
    found: dict[str, tuple[str, list]] = {}
    with SPANS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["half"] == half:
                spans = found.setdefault(row["resume"], (row["sha256"], []))[1]
                if row["category"]:
                    spans.append((int(row["start"]), int(row["end"]), row["category"]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("seen", "unseen"), default="seen")
    parser.add_argument("--from", dest="clones", type=Path)
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    found = texts(given.clones)
    scores = defaultdict(Score)
    for name, (sha256, spans) in annotations(given.half).items():
        text = found[name]
        if hashlib.sha256(text.encode()).hexdigest() != sha256:
            sys.exit(f"{name} is not the text that was annotated.")
        for arm in (False, True):
            scores[arm].add(text, spans, given=arm)
    for arm, score in scores.items():
        over = 1000 * score.needless / score.words
        print(
            f"\nname {'given' if arm else 'not given'}: of {score.named} résumés {score.leaking} show a part of the "
            f"name; {over:.1f} words per 1,000 masked for nothing\n\n| category | precision | recall |\n|---|---|---|"
        )
        sums = [sum(counts[each] for each in SENSITIVE) for counts in (score.right, score.predicted)]
        reached = [sum(counts[each] for each in SENSITIVE) for counts in (score.found, score.annotated)]
        for kind in sorted(score.predicted | score.annotated):
            right, predicted = score.right[kind], score.predicted[kind]
            print(f"| {kind} | {right} of {predicted} | {score.found[kind]} of {score.annotated[kind]} |")
        print(f"| the six sensitive | {sums[0]} of {sums[1]} | {reached[0]} of {reached[1]} |")
    if given.wrong and given.half == "seen":
        for line in scores[False].wrong:
            print(*line, sep="\t", file=sys.stderr)


if __name__ == "__main__":
    main()
