"""`harnessg index`: what goes in, what it says, and what is left when it is stopped."""

import gzip
import json
import random
import subprocess
import time
from pathlib import Path

import pytest

GOOD = '{"id": "a", "title": "Ada Lovelace", "text": "Ada Lovelace was born in London in 1815."}'


@pytest.fixture
def corpus(tmp_path):
    """Writes a corpus file from lines (str or bytes) and gives its path."""

    def write(*lines, name: str = "corpus.jsonl") -> Path:
        file = tmp_path / name
        file.write_bytes(b"".join(line.encode() if isinstance(line, str) else line for line in lines))
        return file

    return write


@pytest.fixture
def build(harnessg, tmp_path):
    """Builds an index without vectors and gives the report."""

    def call(*arguments, out: Path | None = None, **rest) -> dict:
        out = out or tmp_path / "index"
        done = harnessg("index", *arguments, "--out", out, "--embedder", "none", "--json", **rest)
        assert done.stderr == ""
        assert done.stdout.count("\n") == 1
        return json.loads(done.stdout)

    return call


def info(harnessg, index: Path) -> dict:
    return json.loads(harnessg("info", index, "--json").stdout)


BAD_CORPORA = {
    "broken UTF-8": ([GOOD, '\n{"id": "b", "text": "', b"\xff\xfe", '"}\n'], 2),
    "truncated last line": ([GOOD, "\n", GOOD[:40]], 2),
    "no JSON": ([GOOD, "\n\nnot json\n"], 3),
    "record without text": ([GOOD, '\n{"id": "b", "title": "Nothing"}\n'], 2),
    "record with an empty text": ([GOOD, '\n{"id": "b", "text": "  "}\n'], 2),
    "a list where a record should be": ([GOOD, "\n[1, 2]\n"], 2),
}


@pytest.mark.parametrize("case", BAD_CORPORA)
def test_a_bad_record_is_named_by_file_and_line(fails, corpus, tmp_path, case):
    lines, bad = BAD_CORPORA[case]
    file = corpus(*lines)
    assert f"{file}:{bad}" in fails("index", file, "--out", tmp_path / "index", status=1)
    assert not (tmp_path / "index" / "MANIFEST.json").exists()


def test_an_empty_corpus_is_an_error(fails, corpus, tmp_path):
    file = corpus("")
    assert str(file) in fails("index", file, "--out", tmp_path / "index", status=1)
    assert not (tmp_path / "index").exists()


def test_a_missing_corpus_is_named(fails, corpus, tmp_path):
    missing = tmp_path / "missing.jsonl"
    assert str(missing) in fails("index", corpus(GOOD), missing, "--out", tmp_path / "index", status=1)


def test_bad_records_are_skipped_and_counted_when_asked(harnessg, build, corpus, tmp_path):
    lines, bad = BAD_CORPORA["record without text"]
    file = corpus(*lines)
    report = build(file, "--on-error", "skip")
    assert (report["paragraphs"], report["records_skipped"]) == (1, 1)
    assert f"{file}:{bad}" in report["first_skipped"]


def test_a_line_of_5_megabytes_is_one_paragraph_and_quick(build, corpus):
    sentence = "The quick brown fox of Berlin jumps over the lazy dog of Paris. "
    record = {"id": "long", "title": "A long text", "text": sentence * (5_000_000 // len(sentence))}
    start = time.monotonic()
    report = build(corpus(GOOD, "\n", json.dumps(record), "\n"))
    assert time.monotonic() - start < 60
    assert report["paragraphs"] == 2
    assert report["sentences"] == 1 + 5_000_000 // len(sentence)


def test_files_streams_and_compressed_files_give_the_same_index(build, sample, tmp_path):
    plain = sample / "corpus.jsonl"
    packed = tmp_path / "corpus.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    hashes = {
        build(plain, out=tmp_path / "plain")["content_hash"],
        build(packed, out=tmp_path / "packed")["content_hash"],
        build("-", out=tmp_path / "stream", stdin=plain.read_bytes())["content_hash"],
    }
    assert len(hashes) == 1


def test_the_number_of_threads_changes_no_byte(build, sample, tmp_path):
    hashes = {
        build(sample / "corpus.jsonl", "--threads", threads, out=tmp_path / threads)["content_hash"]
        for threads in ("1", "2", "5")
    }
    assert len(hashes) == 1


def test_the_report_agrees_with_the_index(harnessg, build, sample, tmp_path):
    report = build(sample / "corpus.jsonl")
    stored = info(harnessg, tmp_path / "index")
    for key in ("content_hash", "paragraphs", "sentences", "entities", "mentions", "synonym_edges"):
        assert report[key] == stored[key]
    assert report["duplicates_merged"] == stored["duplicates_merged"] == 1
    assert report["embedder"] == stored["embedder"] == "none"


def test_the_report_for_a_person_says_that_scoring_is_lexical(harnessg, sample, tmp_path):
    done = harnessg("index", sample / "corpus.jsonl", "--out", tmp_path / "index")
    assert done.stderr == ""
    assert "lexical" in done.stdout
    assert "136" in done.stdout


def test_progress_goes_to_stderr_when_asked(harnessg, sample, tmp_path):
    done = harnessg("index", sample / "corpus.jsonl", "--out", tmp_path / "index", "--progress", "always", "--json")
    assert done.stderr != ""
    json.loads(done.stdout)


def test_an_index_in_the_way_needs_force(harnessg, fails, build, corpus, tmp_path):
    file = corpus(GOOD)
    first = build(file)
    assert str(tmp_path / "index") in fails("index", file, "--out", tmp_path / "index", status=1)
    file.write_text(GOOD.replace("London", "Paris"))
    second = build(file, "--force")
    assert info(harnessg, tmp_path / "index")["content_hash"] == second["content_hash"] != first["content_hash"]


def test_a_folder_of_somebody_else_stays_as_it_is(fails, corpus, tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear reader")
    for force in ([], ["--force"]):
        assert str(folder) in fails("index", corpus(GOOD), "--out", folder, *force, status=1)
    assert [file.name for file in folder.iterdir()] == ["letter.txt"]


def test_a_file_in_the_way_is_an_error(fails, corpus, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for out in (tmp_path / "file", tmp_path / "file" / "index"):
        assert str(tmp_path / "file") in fails("index", corpus(GOOD), "--out", out, status=1)


@pytest.mark.parametrize(
    "option",
    [
        ["--entities", "stanza"],
        ["--gazetteer", "perhaps"],
        ["--embedder", "http://localhost:8000"],
        ["--embedder", "word2vec"],
        ["--on-error", "shrug"],
        ["--threads", "-1"],
        ["--chunk-overlap", "5"],
        ["--chunk-tokens", "10", "--chunk-overlap", "10"],
        ["--embedder", "none", "--embedder-folder", "weights"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_refused_before_any_work(fails, corpus, tmp_path, option):
    fails("index", corpus(GOOD), "--out", tmp_path / "index", *option, status=2)
    assert not (tmp_path / "index").exists()


def test_a_mentions_file_gives_the_entities(build, corpus, harnessg, tmp_path):
    mentions = tmp_path / "mentions.jsonl"
    mentions.write_text('{"paragraph": "a", "sentence": 0, "text": "London", "label": "GPE"}\n')
    report = build(corpus(GOOD), "--entities", mentions)
    assert report["entities"] == 2  # London and the title
    assert info(harnessg, tmp_path / "index")["recogniser"] == "file"


def larger_corpus(sample: Path, file: Path, times: int) -> Path:
    """The sample many times over, every record a little different."""
    with open(sample / "corpus.jsonl", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    with open(file, "w", encoding="utf-8") as out:
        for i in range(times):
            for record in records:
                changed = {"id": f"{record['id']}-{i}", "title": record["title"], "text": f"{record['text']} Copy {i}."}
                out.write(json.dumps(changed, ensure_ascii=False) + "\n")
    return file


def test_a_build_that_is_killed_leaves_no_index_or_a_whole_one(harnessg, harnessg_command, build, sample, tmp_path):
    corpus = larger_corpus(sample, tmp_path / "corpus.jsonl", 20)
    start = time.monotonic()
    expected = build(corpus, out=tmp_path / "whole")["content_hash"]
    took = time.monotonic() - start
    out = tmp_path / "index"
    moments = random.Random(7)
    for _ in range(5):
        process = subprocess.Popen(
            [harnessg_command, "index", corpus, "--out", out, "--embedder", "none", "--force"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(timeout=moments.uniform(0.05, 1.0) * took)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if (out / "MANIFEST.json").exists():
            assert info(harnessg, out)["content_hash"] == expected
        else:
            harnessg("info", out, status=1)
    assert build(corpus, "--force", out=out)["content_hash"] == expected
    harnessg("verify", out)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["corpus.jsonl", "index", "whole"]
