"""make bench-engine: the engine's figures on a real corpus, one JSON object a line on stdout, a table on stderr.

Needs ../shared (or $HARNESSG_SHARED) and a built tree with the encoder. The indexes are made once and kept under
<build>/bench-data, named after the corpus they are made of: 2Wiki's 6,119 paragraphs of `src` hipporag with vectors of
MiniLM (minutes), the same without vectors, and all corpora together without vectors. Delete that folder after a change
of what an index holds. Figures that are not of the core alone want a machine that does nothing else.
"""

import argparse
import gzip
import hashlib
import json
import statistics
import sys
from pathlib import Path

from figures import ROOT, SHARED, Figures

figures = Figures("bench-engine")
figure, run, pass_on = figures.figure, figures.run, figures.pass_on

DATA = SHARED / "data"
QUESTIONS = DATA / "2wikimultihopqa" / "2wiki_hipporag1000_open.jsonl"
PARAGRAPHS = 6119
ALL_CORPORA = [
    DATA / "2wikimultihopqa" / "corpus.jsonl.gz",
    DATA / "hotpotqa" / "corpus.jsonl.gz",
    DATA / "musique" / "corpus.jsonl.gz",
    DATA / "musique" / "corpus_extra_distractors.jsonl",
]

# Of the C++ pool's steps a second; microseconds of a single environment's step over the engine's own work for it.
VECTOR_SHARE = 0.7
STEP_OVERHEAD = 30
VECTOR_RUNS = 3


def hipporag_corpus(folder):
    """The rows of 2Wiki's corpus with `src` hipporag, as a file of its own."""
    with gzip.open(DATA / "2wikimultihopqa" / "corpus.jsonl.gz", "rt", encoding="utf-8") as corpus:
        rows = [line for line in corpus if "hipporag" in json.loads(line)["src"]]
    if len(rows) != PARAGRAPHS:
        sys.exit(f"bench-engine: {len(rows)} rows have src hipporag, not {PARAGRAPHS}: {DATA} is not the data expected")
    file = folder / "2wiki-hipporag.jsonl"
    file.write_text("".join(rows), encoding="utf-8")
    return file


def whole_corpus(folder):
    """All corpora in one file; a row's id is preceded by its corpus, as they count from 0 each."""
    file = folder / "all.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for corpus in ALL_CORPORA:
            opened = gzip.open if corpus.suffix == ".gz" else open
            with opened(corpus, "rt", encoding="utf-8") as rows:
                for line in rows:
                    row = json.loads(line)
                    row["id"] = f"{corpus.parent.name}/{corpus.name}/{row['id']}"
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return file


def index_of(command, folder, name, embedder, corpus):
    """The kept index of a corpus, made where there is none yet."""
    digest = hashlib.sha256(corpus.read_bytes()).hexdigest()[:16]
    out = folder / f"{name}-{embedder}-{digest}"
    if not (out / "MANIFEST.json").exists():
        print(f"bench-engine: makes {out}", file=sys.stderr)
        run(command, "index", corpus, "--embedder", embedder, "--out", out)
    return out


def vector_figures(build, index, queries):
    """The package's vector environment against the pool with the same work, turn and turn about."""
    for threads in (1, 0):
        native, package = [], []
        for _ in range(VECTOR_RUNS):
            pool = run(build / "bench" / "vector_bench", index, QUESTIONS, "--queries", queries, "--threads", threads)
            native.append(json.loads(pool.stdout))
            script = ROOT / "bench" / "vector_env.py"
            vector = run(sys.executable, script, index, QUESTIONS, "--threads", threads)
            package.append(json.loads(vector.stdout))
        # With one thread both sides are one core's work; with all of them it is time that counts.
        clock = "cores" if threads == 1 else "wall_best"
        rates = [statistics.median(one["slots"] / one["vector"][clock] for one in side) for side in (native, package)]
        share = round(rates[1] / rates[0], 3)
        suffix = "one_thread" if threads == 1 else "all_threads"
        figure(
            f"python_vector_1000_share_of_pool_{suffix}",
            share,
            "",
            f">= {VECTOR_SHARE}",
            share >= VECTOR_SHARE,
            pool_steps_per_second=round(rates[0]),
            python_steps_per_second=round(rates[1]),
            clock="core seconds" if threads == 1 else "wall, the best round",
            work="step, observation texts, masks, turns, ends; a new question where the search is over",
        )
        if threads == 1:
            single_figure(native, package)


def single_figure(native, package):
    def median(side, key):
        return statistics.median(one["single"][key] for one in side) * 1e6

    step, text = median(native, "step"), median(native, "text")
    whole = median(package, "step_and_text")
    overhead = round(whole - step - text, 2)
    figure(
        "python_step_overhead_microseconds",
        overhead,
        "us",
        f"<= {STEP_OVERHEAD}",
        overhead <= STEP_OVERHEAD,
        python_step=round(whole, 2),
        engine_step=round(step, 2),
        engine_observation=round(text, 2),
        clock="thread",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--data", type=Path, help="where indexes are kept; <build>/bench-data by default")
    parser.add_argument("--limit", type=int, default=1000, help="questions of workload W")
    parser.add_argument("--steps", type=int, default=5_000_000, help="random steps under watch of memory")
    arguments = parser.parse_args()
    figures.need_shared("data")
    build = arguments.build.resolve()
    folder = (arguments.data or build / "bench-data").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    command = build / "harnessg"
    corpus = hipporag_corpus(folder)
    index = index_of(command, folder, "2wiki", "minilm", corpus)
    queries = folder / f"{index.name}.queries"
    engine_bench = [build / "bench" / "engine_bench", index, QUESTIONS, "--queries", queries]
    pass_on(run(*engine_bench, "--limit", arguments.limit, "--steps", arguments.steps))
    small = index_of(command, folder, "2wiki", "none", corpus)
    large = index_of(command, folder, "all", "none", whole_corpus(folder))
    pass_on(run(build / "bench" / "growth_bench", small, large, QUESTIONS, 300))
    vector_figures(build, index, queries)
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
