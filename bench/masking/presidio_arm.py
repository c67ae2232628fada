"""Presidio's default recognisers and anonymiser on texts: runs in .venv-presidio, called by speed.py.

.venv-presidio/bin/python bench/masking/presidio_arm.py RESUMES.jsonl {blank,untrained}
"""

import json
import logging
import os
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import spacy
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider
from presidio_anonymizer import AnonymizerEngine
from spacy.training import Example

COUNT = 110
#: en_core_web_sm's components that Presidio leaves running, and its tok2vec: width 96, depth 4, no static vectors.
TOK2VEC = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": 96,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"],
        "rows": [5000, 1000, 2500, 2500, 50, 50],
        "include_static_vectors": False,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 96,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    },
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "tok2vec"}


def _pipeline(kind: str) -> spacy.Language:
    nlp = spacy.blank("en")
    if kind == "blank":
        return nlp
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    nlp.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}})
    shape = {"extra_state_tokens": False, "hidden_width": 64, "maxout_pieces": 2, "use_upper": True}
    parser = {"@architectures": "spacy.TransitionBasedParser.v2", "tok2vec": LISTENER}
    nlp.add_pipe("parser", config={"model": parser | shape | {"state_type": "parser"}})
    nlp.add_pipe("ner", config={"model": parser | shape | {"state_type": "ner", "tok2vec": TOK2VEC}})
    words = ["Ada", "Lovelace", "wrote", "programs", "in", "London", "."]
    told = {
        "words": words,
        "tags": ["NNP", "NNP", "VBD", "NNS", "IN", "NNP", "."],
        "heads": [1, 2, 2, 2, 2, 4, 2],
        "deps": ["compound", "nsubj", "ROOT", "dobj", "prep", "pobj", "punct"],
        "entities": ["B-PERSON", "L-PERSON", "O", "O", "O", "U-GPE", "O"],
    }
    examples = [Example.from_dict(spacy.tokens.Doc(nlp.vocab, words=words), told)]
    nlp.initialize(lambda: examples)
    return nlp


def main() -> None:
    path, kind = Path(sys.argv[1]), sys.argv[2]
    logging.disable(logging.WARNING)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()][:COUNT]
    with tempfile.TemporaryDirectory() as folder:
        _pipeline(kind).to_disk(folder)
        configuration = {"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": folder}]}
        analyzer = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())
        anonymizer = AnonymizerEngine()
        analyzer.analyze(texts[0], language="en")
        wall, cpu = [], []
        for _ in range(3):
            started, used = time.perf_counter(), time.process_time()
            for text in texts:
                anonymizer.anonymize(text=text, analyzer_results=analyzer.analyze(text, language="en"))
            wall.append(time.perf_counter() - started)
            cpu.append(time.process_time() - used)
    arm = f"Presidio {version('presidio-analyzer')}, spaCy {spacy.__version__}, {kind} pipeline"
    told = {
        "arm": arm,
        "résumés/s": round(len(texts) / min(wall), 1),
        "per CPU second": round(len(texts) / min(cpu), 1),
    }
    print(json.dumps(told, ensure_ascii=False))


if __name__ == "__main__":
    main()
