"""Folders of tiny Llamas with tokenizers, made on the spot."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "flows"))  # for _cli.py
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def tiny(request):
    """Return the module that makes tiny Llamas; it imports torch."""
    request.getfixturevalue("local_models")
    import _tiny

    return _tiny


@pytest.fixture(scope="session")
def babbling(tiny, tmp_path_factory):
    """Return the folder of a Llama with random weights and no chat template."""
    folder = tmp_path_factory.mktemp("babbling")
    tiny.save(tiny.babbling_llama(), tiny.tokenizer(), folder)
    return folder


@pytest.fixture(scope="session")
def deciding(tiny, tmp_path_factory):
    """Return the folder of a Llama with a chat template that accepts or rejects in one phrase and ends."""
    folder = tmp_path_factory.mktemp("deciding")
    tiny.save(tiny.deciding_llama(), tiny.tokenizer(chat_template=tiny.CHAT_TEMPLATE), folder)
    return folder
