"""What is refused before anything of a folder is read; torch is not needed here."""

import sys

import pytest

from evenhand.errors import InputError
from evenhand.models.local import chunk_seed, open_local
from evenhand.models.model import Generation, Request


def opened(path):
    return open_local(str(path), name=f"hf:{path}", concurrency=2)


def test_a_name_on_a_hub_is_no_folder_and_nothing_is_downloaded():
    with pytest.raises(InputError, match=r"there is no folder meta-llama/Llama-3; .*evenhand downloads nothing\.$"):
        opened("meta-llama/Llama-3")


def test_a_folder_without_configuration_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"has no config\.json"):
        opened(tmp_path)


@pytest.mark.parametrize("missing", [["torch"], ["transformers"], ["torch", "transformers"]])
def test_missing_packages_are_named_with_the_repair(tmp_path, monkeypatch, missing):
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, None if name in missing else _installed(name))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError) as raised:
        opened(tmp_path)
    assert f"needs {' and '.join(missing)}, not installed here" in str(raised.value)
    assert "pip install torch, then pip install 'evenhand[local]'" in str(raised.value)


def test_the_seed_of_a_chunk_follows_prompts_seeds_order_and_repetition():
    def seed(*asked):
        return chunk_seed(
            [
                Request(
                    id="0" * 16,
                    stimulus={},
                    attempt=attempt,
                    messages=[{"role": "user", "content": prompt}],
                    generation=Generation(),
                    seed=number,
                )
                for prompt, number, attempt in asked
            ]
        )

    first = seed(("a", 0, 0), ("b", 0, 0))
    assert first == seed(("a", 0, 0), ("b", 0, 0))
    assert 0 <= first < 2**48
    others = [
        seed(("b", 0, 0), ("a", 0, 0)),
        seed(("a", 0, 0)),
        seed(("a", 1, 0), ("b", 1, 0)),
        seed(("a", 0, 1), ("b", 0, 0)),
        seed(("a", None, 0), ("b", None, 0)),
    ]
    assert len({first, *others}) == 6


def _installed(name):
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, loader=None)
    return module
