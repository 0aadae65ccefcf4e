"""`harnessg reward`."""

import json

GOLD = {
    "text": "The army fired on a bus.",
    "events": [
        {
            "type": "Attack",
            "trigger": {"text": "fired", "start": 9, "end": 14},
            "arguments": [{"role": "Target", "text": "a bus", "start": 18, "end": 23}],
        }
    ],
}
OUTPUTS = ["[Attack('fired', target='a bus')]", "[Attack('fired', target='on a bus')]", "There was an attack."]


def rollouts() -> str:
    return "".join(json.dumps({"id": "r1", "output": output, **GOLD}) + "\n" for output in OUTPUTS)


def test_json_has_a_line_a_rollout_and_one_of_the_batch(harnessg):
    done = harnessg("reward", "eager", "--in", "-", "--groups", "id", "--json", stdin=rollouts())
    *episodes, summary = map(json.loads, done.stdout.splitlines())
    assert [episode["group"] for episode in episodes] == ["r1"] * 3
    assert episodes[0]["components"] == dict.fromkeys(
        ["format", "accuracy", "grounding", "over_generation", "coverage", "boundary"], 1
    )
    assert episodes[0]["total"] == 6
    assert episodes[0]["advantage"] > episodes[1]["advantage"] > episodes[2]["advantage"]
    assert episodes[2]["detail"]["failure"]["kind"] == "prose"
    assert summary["monitors"]["failures"] == {"prose": 1}
    assert summary["groups"] == 1


def test_settings_come_from_a_file_and_from_single_options(harnessg, tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"boundary": "fixed", "weights": {"format": 2}}))
    arguments = ["--settings", settings, "--set", "boundary=paper", "--set", "weights.accuracy=0", "--json"]
    done = harnessg("reward", "eager", "--in", "-", "--groups", "id", *arguments, stdin=rollouts())
    *episodes, summary = map(json.loads, done.stdout.splitlines())
    assert [episode["components"]["boundary"] for episode in episodes] == [0, 2 / 3 - 1 / 2, 0]
    assert summary["weights"]["format"] == 2
    assert summary["weights"]["accuracy"] == 0
    assert summary["monitors"]["boundary_inversion"]["inverted"] == 1


def test_the_table_shows_means_and_monitors(harnessg):
    done = harnessg("reward", "eager", "--in", "-", stdin=rollouts())
    assert "3 in 3 groups" in done.stdout
    assert "single: 3" in done.stdout
    assert "boundary_inversion" in done.stdout


def test_what_is_wrong_is_said(fails, tmp_path):
    assert "answer_f1, eager" in fails("reward", "eagle", "--in", "-", status=2)
    assert "NAME" in fails("reward", "eager", status=2)
    assert "KEY=VALUE" in fails("reward", "eager", "--in", "-", "--set", "boundary", status=2)
    assert "boundary" in fails("reward", "eager", "--in", "-", "--set", "bounds=1", status=2)
    assert "no rollout" in fails("reward", "eager", "--in", "-", status=1)
    missing = tmp_path / "missing.jsonl"
    assert str(missing) in fails("reward", "eager", "--in", missing, status=1)
    broken = tmp_path / "broken.jsonl"
    broken.write_text(rollouts() + "{\n")
    assert f"{broken}:4" in fails("reward", "eager", "--in", broken, status=1)


def test_the_rewards_are_listed(harnessg):
    assert {"answer_f1", "eager", "evidence_recall", "sum"} <= set(harnessg("reward", "--list").stdout.split())
