"""make bench-slice: the figures of the first slice, one JSON object a line on stdout, a table on stderr.

Indexes the three real corpora of ../shared (or $HARNESSG_SHARED) and checks them; needs that folder and a built tree.
--fresh also clones the repository and times `make demo` and `make test` in the clone (about ten minutes).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from figures import ROOT, SHARED, Figures

figures = Figures("bench-slice")
figure, run, pass_on = figures.figure, figures.run, figures.pass_on

# name, corpus, questions, paragraphs
SETS = [
    ("2wikimultihopqa", "corpus.jsonl.gz", "2wiki_hipporag1000_open.jsonl", 12003),
    ("hotpotqa", "corpus.jsonl.gz", "hotpot_dev_distractor_subset.json.gz", 19639),
    ("musique", "corpus.jsonl.gz", "musique_ans_dev_subset.jsonl.gz", 8254),
]

# Paragraphs a second that the published reference indexes with its rules and no embeddings: 6,119 in 25.5 s.
REFERENCE_RATE = 240


def index_corpora(command, build, folder):
    for name, corpus, questions, expected in SETS:
        source = SHARED / "data" / name / corpus
        indexes = []
        for threads in (2, 1):
            out = folder / f"{name}-{threads}"
            begin = time.perf_counter()
            run(command, "index", source, "--embedder", "none", "--out", out, "--threads", threads)
            indexes.append((out, time.perf_counter() - begin))
        out, seconds = indexes[0]
        info = json.loads(run(command, "info", out, "--json").stdout)
        merged = info["duplicates_merged"]
        counted = info["paragraphs"] + merged
        figure(f"paragraphs_{name}", info["paragraphs"], f"+{merged} merged", f"{expected} in all", counted == expected)
        keys = ("sentences", "entities", "mentions", "synonym_edges", "bytes_on_disk", "memory_bytes")
        figure(
            f"counts_{name}", {key: info[key] for key in keys}, "", "all above 0", all(info[key] > 0 for key in keys)
        )
        rate = round(expected / seconds)
        figure(f"index_rate_{name}", rate, "paragraphs/s", f">= {REFERENCE_RATE * 10}", rate >= REFERENCE_RATE * 10)
        verified = run(command, "verify", out, check=False).returncode == 0
        figure(f"verify_{name}", verified, "", "true", verified)
        other = json.loads(run(command, "info", indexes[1][0], "--json").stdout)
        same = info["content_hash"] == other["content_hash"]
        figure(f"same_hash_with_1_and_2_threads_{name}", same, "", "true", same)
        pass_on(run(build / "bench" / "walk_bench", out, source, SHARED / "data" / name / questions, 1000, name))


MESSAGE = re.compile(
    r"(\w+)_conformance_test\.cpp:\d+: MESSAGE: (?:2wiki|hotpot|musique|units)\S*"
    r"(?: \w+_(?:dense|lexical))? (.+): (\d+) of (\d+) (?:equal|agree)(.*)"
)


def conformance(build):
    """Sums up what test_conformance says: how many values agree, over sets and variants."""
    output = run(build / "tests" / "test_conformance", "--no-colors=true", check=False).stdout
    totals = {}
    explained = sum(int(count) for count in re.findall(r"(\d+) (?:not compared:|differ by)", output))
    for found in MESSAGE.finditer(output):
        name = f"conformance_{found[1]}_{found[2].replace(' ', '_')}"
        equal, compared = totals.get(name, (0, 0))
        totals[name] = (equal + int(found[3]), compared + int(found[4]))
    for name, (equal, compared) in sorted(totals.items()):
        figure(name, equal, f"of {compared}", "all", equal == compared and compared > 0)
    figure("conformance_values_explained", explained, "values", "each by a rule", bool(totals))


def set_up_again():
    begin = time.perf_counter()
    run("make", "-C", ROOT, "--no-print-directory", "setup")
    seconds = round(time.perf_counter() - begin, 2)
    figure("setup_again_seconds", seconds, "s", "< 10", seconds < 10)


def fresh_clone(folder):
    for target in ("demo", "test"):
        clone = folder / f"clone-{target}"
        run("git", "clone", "--quiet", ROOT, clone)
        environment = {**os.environ, "CCACHE_DISABLE": "1", "HARNESSG_SHARED": str(SHARED)}
        begin = time.perf_counter()
        done = subprocess.run(["make", "-C", str(clone), target], env=environment, capture_output=True, text=True)
        seconds = round(time.perf_counter() - begin, 1)
        if done.returncode != 0:
            sys.stderr.write(done.stdout[-4000:] + done.stderr[-4000:])
        holds = done.returncode == 0 and seconds < 600
        figure(f"make_{target}_from_clone_seconds", seconds, "s", "< 600", holds)
        shutil.rmtree(clone)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--fresh", action="store_true")
    arguments = parser.parse_args()
    figures.need_shared("data", "conformance")
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        set_up_again()
        index_corpora(build / "harnessg", build, Path(folder))
        pass_on(run(build / "bench" / "sentence_bench", SHARED / "data"))
        conformance(build)
        if arguments.fresh:
            fresh_clone(Path(folder))
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
