"""Whole episodes as text, compared with tests/golden/*.txt, which tests/golden/regenerate.sh writes."""

import shlex
from pathlib import Path

import pytest

EPISODES = sorted((Path(__file__).resolve().parent.parent / "golden").glob("*.txt"))


def test_there_are_golden_episodes():
    assert len(EPISODES) >= 3


@pytest.mark.parametrize("file", EPISODES, ids=lambda file: file.stem)
def test_a_golden_episode_is_played_as_before(harnessg, sample_index, sample, file):
    command, _, expected = file.read_text(encoding="utf-8").partition("\n\n")
    words = shlex.split(command)
    assert words[:4] == ["$", "harnessg", "play", "INDEX"]
    arguments = [str(sample / "questions.jsonl") if word == "data/sample/questions.jsonl" else word for word in words]
    assert harnessg("play", sample_index, *arguments[4:]).stdout == expected
