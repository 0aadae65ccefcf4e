"""`harnessg scope`."""

import json

LOOP = ["--iterations", "2", "--sources", "6", "--rollouts", "4", "--seed", "3"]


def test_the_loop_writes_tasks_and_goes_on_where_it_was_cut(harnessg, sample_index, tmp_path):
    out = tmp_path / "loop"
    done = harnessg("scope", sample_index, *LOOP, "--out", out)
    report = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["iteration"], row["arm"]) for row in report] == [
        (0, "challenger"),
        (0, "frozen"),
        (1, "challenger"),
        (1, "frozen"),
    ]
    whole = (out / "tasks.jsonl").read_bytes()
    tasks = [json.loads(line) for line in whole.splitlines()]
    assert len(tasks) == 2 * 6 * 2
    assert any(task.get("task") and task.get("rollouts") for task in tasks)
    assert report[0]["kept"] == sum(t["kept"] for t in tasks if t["iteration"] == 0 and t["arm"] == "challenger")

    (out / "tasks.jsonl").write_bytes(whole[: len(whole) // 2])
    assert harnessg("scope", sample_index, *LOOP, "--out", out).stdout == done.stdout
    assert (out / "tasks.jsonl").read_bytes() == whole


def test_other_options_on_the_folder_are_refused_in_one_sentence(harnessg, sample_index, tmp_path):
    harnessg("scope", sample_index, *LOOP, "--out", tmp_path / "loop")
    done = harnessg("scope", sample_index, *LOOP, "--solver", "greedy", "--out", tmp_path / "loop", status=2)
    assert done.stderr.count("\n") == 1
    assert "other options" in done.stderr
