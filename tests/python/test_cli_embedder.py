"""`--embedder`, when building and when playing."""

import json
from pathlib import Path

import numpy
import pytest

QUESTION = "Where was Ada Lovelace born?"
CORPUS = [
    {"id": "a", "title": "Ada Lovelace", "text": "Ada Lovelace was born in London. She wrote about engines."},
    {"id": "b", "title": "London", "text": "London lies on the Thames."},
]


@pytest.fixture
def corpus(tmp_path) -> Path:
    file = tmp_path / "corpus.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in CORPUS))
    return file


def unit_rows(random: numpy.random.Generator, rows: int) -> numpy.ndarray:
    values = random.standard_normal((rows, 8)).astype(numpy.float32)
    return values / numpy.linalg.norm(values, axis=1, keepdims=True)


@pytest.fixture
def vectors(harnessg, corpus, tmp_path) -> Path:
    """A folder with vectors of the corpus's nodes and of the question."""
    counts = json.loads(harnessg("index", corpus, "--out", tmp_path / "lexical", "--json").stdout)
    folder = tmp_path / "vectors"
    folder.mkdir()
    random = numpy.random.default_rng(1)
    for kind, count in [("paragraph", "paragraphs"), ("sentence", "sentences"), ("entity", "entities")]:
        numpy.save(folder / f"{kind}.npy", unit_rows(random, counts[count]))
    numpy.save(folder / "query.npy", unit_rows(random, 1))
    (folder / "queries.json").write_text(json.dumps([QUESTION]))
    return folder


@pytest.fixture
def index(harnessg, corpus, vectors, tmp_path) -> Path:
    harnessg("index", corpus, "--out", tmp_path / "dense", "--embedder", vectors)
    return tmp_path / "dense"


def test_given_vectors_make_a_dense_index(harnessg, index):
    info = json.loads(harnessg("info", index, "--json").stdout)
    assert (info["embedder"], info["dim"]) == ("precomputed:vectors", 8)
    harnessg("verify", index)


@pytest.mark.parametrize("scoring", ["dense", "hybrid"])
def test_given_queries_play_on_given_vectors(harnessg, index, vectors, scoring):
    arguments = ["--question", QUESTION, "--actions", "A0", "--embedder", vectors, "--scoring", scoring, "--json"]
    trace = json.loads(harnessg("play", index, *arguments).stdout)
    assert (trace["scoring"], trace["embedder"]) == (scoring, "precomputed:vectors")


def test_a_question_without_a_vector_is_named(fails, index, vectors):
    sentence = fails("play", index, "--question", "Who was Ada?", "--actions", "", "--embedder", vectors, status=1)
    assert "Who was Ada?" in sentence


def test_given_vectors_need_given_queries_or_lexical_scoring(harnessg, fails, index):
    play = ["play", index, "--question", QUESTION, "--actions", "", "--json"]
    assert "queries.json" in fails(*play, status=2)
    assert "contradicts" in fails(*play, "--embedder", "minilm", "--scoring", "lexical", status=2)
    assert "--scoring lexical" in fails(*play, "--embedder", "none", status=2)
    assert json.loads(harnessg(*play, "--scoring", "lexical").stdout)["scoring"] == "lexical"


def test_vectors_of_another_graph_are_refused(fails, corpus, vectors, tmp_path):
    numpy.save(vectors / "sentence.npy", unit_rows(numpy.random.default_rng(2), 5))
    assert "sentence.npy" in fails("index", corpus, "--out", tmp_path / "out", "--embedder", vectors, status=1)
    assert not (tmp_path / "out").exists()


def test_a_missing_file_of_vectors_is_named(fails, corpus, tmp_path):
    missing = tmp_path / "missing.npy"
    assert str(missing) in fails("index", corpus, "--out", tmp_path / "out", "--embedder", missing, status=1)


@pytest.fixture
def encoder(harnessg, sample_index) -> None:
    if not json.loads(harnessg("info", sample_index, "--json").stdout)["compiled_in"]["encoder"]:
        pytest.skip("this build has no sentence encoder")


@pytest.mark.usefixtures("encoder")
def test_an_index_built_with_minilm_loads_it_by_itself(harnessg, corpus, tmp_path):
    report = json.loads(harnessg("index", corpus, "--out", tmp_path / "m", "--embedder", "minilm", "--json").stdout)
    assert (report["embedder"], report["dim"]) == ("minilm", 384)
    trace = json.loads(harnessg("play", tmp_path / "m", "--question", QUESTION, "--actions", "A0", "--json").stdout)
    assert (trace["scoring"], trace["embedder"]) == ("hybrid", "minilm")


@pytest.mark.usefixtures("encoder")
def test_minilm_cannot_play_on_vectors_of_another_source(fails, index):
    play = ["play", index, "--question", QUESTION, "--actions", "", "--embedder", "minilm"]
    assert "precomputed:vectors" in fails(*play, status=1)


@pytest.mark.usefixtures("encoder")
def test_missing_weights_are_named(fails, corpus, tmp_path):
    sentence = fails(
        "index", corpus, "--out", tmp_path / "m", "--embedder", "minilm", "--embedder-folder", tmp_path, status=1
    )
    assert str(tmp_path) in sentence
    assert not (tmp_path / "m").exists()


def test_a_build_without_the_encoder_says_so(harnessg, fails, sample_index, corpus, tmp_path):
    if json.loads(harnessg("info", sample_index, "--json").stdout)["compiled_in"]["encoder"]:
        pytest.skip("this build has the sentence encoder")
    assert "encoder" in fails("index", corpus, "--out", tmp_path / "m", "--embedder", "minilm", status=1)
