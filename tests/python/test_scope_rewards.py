"""SCOPE's rewards by way of the package and of the command."""

import json

import pytest
from harnessg import reward_plugins

ROLLOUT = {
    "turns": [
        {"role": "assistant", "content": "<think>Look.</think><search>old mill</search>"},
        {"role": "user", "content": "<information>The mill made paper.</information>"},
        {"role": "assistant", "content": "<think>Done.</think><answer>It made paper.</answer>"},
    ],
    "rubric": [{"text": "Says that it made paper.", "priority": "critical"}, "Says until when.", "Names the mill."],
    "verdicts": [1, 0, None],
}


def test_a_rollout_of_the_documentation_has_its_parts():
    episode = reward_plugins.make("scope_solver").score([ROLLOUT]).episodes[0]
    assert episode.total == pytest.approx(3 / 7 + 0.5 + 0.1 / 3)


def test_rollouts_of_one_task_have_advantages():
    silent = ROLLOUT | {"verdicts": [0, 0, 0]}
    rollouts = [ROLLOUT | {"id": "a"}, silent | {"id": "a"}]
    report = reward_plugins.make("scope_solver").score(rollouts, group="id")
    assert report.episodes[0].advantage > 0 > report.episodes[1].advantage


def test_the_command_says_why_a_rollout_is_not_judged(harnessg, tmp_path):
    file = tmp_path / "rollouts.jsonl"
    file.write_text(json.dumps(ROLLOUT | {"verdicts": [1, None, None]}) + "\n")
    lines = harnessg("reward", "scope_solver", "--in", file, "--json").stdout.splitlines()
    assert json.loads(lines[0])["not_judged"] == "too few items of the rubric have a verdict"
