"""The command `harnessg` as the tests call it, and an index of the sample corpus."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played import QUESTION, letter_counts

Finished = subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def harnessg(harnessg_command: Path) -> Callable[..., Finished]:
    """Calls the command: harnessg("info", folder, status=0, stdin="...") gives what it printed."""

    def call(*arguments: str | Path, status: int = 0, stdin: str | bytes = "", timeout: float = 120) -> Finished:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [harnessg_command, *map(str, arguments)], input=data, capture_output=True, timeout=timeout, check=False
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == status, f"exit status {done.returncode}, not {status}\n{out}\n{err}"
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return call


@pytest.fixture(scope="session")
def fails(harnessg: Callable[..., Finished]) -> Callable[..., str]:
    """Calls the command, which must fail with the status given: one sentence on stderr, which is returned."""

    def call(*arguments: str | Path, status: int, **rest) -> str:
        done = harnessg(*arguments, status=status, **rest)
        assert done.stdout == ""
        assert done.stderr.startswith("harnessg: ")
        assert done.stderr.endswith("\n")
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr.removeprefix("harnessg: ").rstrip("\n")

    return call


@pytest.fixture(scope="session")
def sample_index(harnessg: Callable[..., Finished], sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the sample corpus without vectors. Read it only."""
    folder = tmp_path_factory.mktemp("sample") / "index"
    harnessg("index", sample / "corpus.jsonl", "--out", folder, "--embedder", "none")
    return folder


@pytest.fixture(scope="module")
def index(sample_index):
    with pytest.importorskip("harnessg").open(sample_index) as opened:
        yield opened


@pytest.fixture(scope="module")
def environment(index):
    return pytest.importorskip("harnessg").Environment(index)


@pytest.fixture
def episode(environment):
    return environment.reset(QUESTION, answers=["Leytonstone"], seed=3)


@pytest.fixture(scope="module")
def vector_index(sample, tmp_path_factory):
    """An index of the sample corpus whose vectors a Python function made."""
    folder = tmp_path_factory.mktemp("vectors") / "index"
    with pytest.importorskip("harnessg").build(sample / "corpus.jsonl", folder, embedder=letter_counts) as opened:
        yield opened
