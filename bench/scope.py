"""make bench-scope: SCOPE's figures with the stand-ins, one JSON object a line on stdout, a table on stderr.

Rollouts that the solver reward scores a second, and the loop of three iterations on 2Wiki's 6,119 paragraphs, played
twice and compared byte for byte, and a third time from half of its file. Needs ../shared (or $HARNESSG_SHARED); the
index is that of bench/engine.py without vectors.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from figures import ROOT, Figures

from engine import hipporag_corpus, index_of

figures = Figures("bench-scope")
figure, run = figures.figure, figures.run

LOOP = ["--iterations", 3, "--sources", 100, "--rollouts", 8, "--seed", 1]
LEAST_KEPT = 30


def loop(command, index, out):
    begin = time.monotonic()
    report = run(command, "scope", index, *LOOP, "--out", out).stdout
    return [json.loads(line) for line in report.splitlines()], time.monotonic() - begin


def files_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def iteration_figures(rows):
    for row in rows:
        name = f"scope_{row['arm']}_{row['iteration'] + 1}"
        for key in ("gate_pass", "filter_pass", "mean_score"):
            value = row[key]
            holds = value is not None and 0 < value <= 1
            figure(f"{name}_{key}", value and round(value, 4), "share", "> 0", holds)
        figure(f"{name}_answer_length", round(row["answer_tokens"] or 0, 1), "words", "> 0", bool(row["answer_tokens"]))
        figure(f"{name}_distinct_tasks", row["distinct_tasks"], "tasks", "> 0", row["distinct_tasks"] > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, help="where the first loop's files are kept")
    arguments = parser.parse_args()
    figures.need_shared("data")
    build = arguments.build.resolve()
    figures.pass_on(run(build / "bench" / "scope_bench", check=False))
    folder = build / "bench-data"
    folder.mkdir(parents=True, exist_ok=True)
    command = build / "harnessg"
    index = index_of(command, folder, "2wiki", "none", hipporag_corpus(folder))
    with tempfile.TemporaryDirectory() as scratch:
        first, second = Path(scratch) / "first", Path(scratch) / "second"
        rows, seconds = loop(command, index, first)
        loop(command, index, second)
        whole = files_of(first)
        figure("scope_loop_runs_equal", int(files_of(second) == whole), "0 or 1", "1", files_of(second) == whole)
        tasks = whole["tasks.jsonl"]
        (second / "tasks.jsonl").write_bytes(tasks[: len(tasks) // 2])
        loop(command, index, second)
        figure("scope_loop_resumed_equal", int(files_of(second) == whole), "0 or 1", "1", files_of(second) == whole)
        if arguments.out:
            shutil.copytree(first, arguments.out, dirs_exist_ok=True)
    figure("scope_loop_seconds", round(seconds, 1), "s", "<= 300", seconds <= 300)
    kept = sum(row["kept"] for row in rows if row["arm"] == "challenger")
    figure("scope_loop_tasks_kept", kept, "tasks", f">= {LEAST_KEPT}", kept >= LEAST_KEPT)
    iteration_figures(rows)
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
