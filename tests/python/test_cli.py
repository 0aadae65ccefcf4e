"""The command as a whole: help, exit statuses, streams, info and verify."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

COMMANDS = ["index", "info", "verify", "play", "credit", "reward", "bench", "scope"]


def edit_manifest(index: Path, change) -> None:
    file = index / "MANIFEST.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


@pytest.fixture
def copied_index(sample_index: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample_index, tmp_path / "copy"))


def test_help_lists_the_commands_there_are(harnessg):
    text = harnessg("--help").stdout
    for command in COMMANDS:
        assert f"  {command} " in text
    for later in ["serve"]:
        assert f"  {later} " not in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(harnessg, command):
    done = harnessg(command, "--help")
    assert f"  harnessg {command} " in done.stdout
    assert done.stderr == ""


def test_version_is_one_line(harnessg):
    assert harnessg("--version").stdout.startswith("harnessg 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dance"],
        ["info"],
        ["info", "a", "b"],
        ["info", "a", "--nonsense"],
        ["index", "corpus.jsonl"],
        ["play", "a"],
        ["play", "a", "--question", "Who?", "--questions", "file"],
        ["play", "a", "--question", "Who?", "--id", "q01"],
        ["play", "a", "--questions", "file", "--id", "q01", "--nth", "2"],
        ["play", "a", "--questions", "file", "--answer", "London"],
        ["play", "a", "--questions", "file", "--nth", "0"],
        ["play", "a", "--question", "Who?", "--frontier"],
        ["play", "a", "--question", "Who?", "--scoring", "loud"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_has_status_2_and_one_sentence(fails, arguments):
    assert "--help" in fails(*arguments, status=2)


@pytest.mark.parametrize("arguments", [[], ["dance"]], ids=["none", "unknown"])
def test_a_call_without_a_command_is_told_what_there_is(fails, arguments):
    sentence = fails(*arguments, status=2)
    assert ", ".join(COMMANDS) in sentence
    assert "dance" in sentence or not arguments


@pytest.mark.parametrize("command", [["info"], ["verify"], ["play", "--question", "Who?"]], ids=lambda c: c[0])
def test_a_missing_index_is_named(fails, tmp_path, command):
    assert str(tmp_path / "nowhere") in fails(*command, tmp_path / "nowhere", status=1)


@pytest.mark.parametrize("command", [["info"], ["verify"], ["play", "--question", "Who?"]], ids=lambda c: c[0])
def test_a_folder_of_somebody_else_is_no_index(fails, tmp_path, command):
    (tmp_path / "letter.txt").write_text("Dear reader")
    assert str(tmp_path) in fails(*command, tmp_path, status=1)


def test_an_index_of_a_newer_format_is_refused(fails, copied_index):
    edit_manifest(copied_index, lambda manifest: manifest.update(format_version=manifest["format_version"] + 1))
    for command in ("info", "verify"):
        sentence = fails(command, copied_index, status=1)
        assert "newer" in sentence
        assert str(copied_index) in sentence


def test_info_as_json_has_the_promised_keys(harnessg, sample_index):
    done = harnessg("info", sample_index, "--json")
    assert done.stdout.count("\n") == 1
    info = json.loads(done.stdout)
    assert set(info) >= {
        "format_version",
        "content_hash",
        "paragraphs",
        "sentences",
        "entities",
        "mentions",
        "synonym_edges",
        "duplicates_merged",
        "embedder",
        "dim",
        "bytes_on_disk",
        "memory_bytes",
        "tool_version",
        "text_rules",
        "recogniser",
        "settings",
        "components",
        "compiled_in",
    }
    assert set(info["compiled_in"]) >= {"encoder", "rocksdb", "faiss", "icu", "tbb"}


def test_info_counts_the_sample_with_its_duplicate_merged(harnessg, sample_index):
    info = json.loads(harnessg("info", sample_index, "--json").stdout)
    assert (info["paragraphs"], info["duplicates_merged"]) == (136, 1)
    assert info["sentences"] > info["paragraphs"]
    assert 1 <= info["components"] < info["paragraphs"]
    assert (info["embedder"], info["dim"]) == ("none", 0)
    size = sum(file.stat().st_size for file in sample_index.rglob("*") if file.is_file())
    assert info["bytes_on_disk"] == size


def test_info_as_a_table_names_the_content_hash(harnessg, sample_index):
    info = json.loads(harnessg("info", sample_index, "--json").stdout)
    assert info["content_hash"] in harnessg("info", sample_index).stdout


def test_verify_says_one_line_when_everything_holds(harnessg, sample_index):
    done = harnessg("verify", sample_index)
    assert done.stdout == f"{sample_index}: everything holds\n"
    assert json.loads(harnessg("verify", sample_index, "--json").stdout)["ok"] is True


def test_verify_finds_a_flipped_bit_and_names_the_file(harnessg, fails, copied_index):
    damaged = max((copied_index / "graph").iterdir(), key=lambda file: file.stat().st_size)
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    sentence = fails("verify", copied_index, status=1)
    assert damaged.name in sentence
    result = json.loads(harnessg("verify", copied_index, "--json", status=1).stdout)
    assert (result["ok"], result["error"]) == (False, sentence)


@pytest.mark.parametrize("arguments", [["--help"], ["info", "INDEX"], ["play", "INDEX", "--question", "Who?"]])
def test_a_reader_that_closes_the_pipe_early_ends_it_quietly(harnessg_command, sample_index, arguments):
    read, write = os.pipe()
    os.close(read)
    arguments = [str(sample_index) if argument == "INDEX" else argument for argument in arguments]
    done = subprocess.run(
        [harnessg_command, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_cannot_be_written_is_a_failure(harnessg_command, sample_index):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [harnessg_command, "info", sample_index], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"harnessg: standard output cannot be written")
