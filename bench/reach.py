"""make bench-reach: what an agent can reach in profiles default and released, on 2Wiki, HotpotQA and MuSiQue.

Indexes the corpora of ../shared (or $HARNESSG_SHARED) without vectors and searches every question exactly. The first
questions of each set were used for choosing the profile's settings; the figures are of the others. Also: BM25's recall
against the figures known before, the built-in rules beside spaCy's entities where spaCy is installed (--spacy), and the
official metrics' recorded cases. --levers also switches the settings of profile default off, one at a time.
"""

import argparse
import gzip
import json
import re
import sys
import tempfile
import time
from pathlib import Path

from figures import ROOT, SHARED, Figures

figures = Figures("bench-reach")

# name, folder of the data set, questions, how many were used for choosing, targets of profile default
SETS = [
    (
        "2wiki",
        "2wikimultihopqa",
        "2wiki_hipporag1000_open.jsonl",
        300,
        {"seen_paragraphs": 0.95, "first-lookup_seen_all_paragraphs": 0.74},
    ),
    (
        "hotpotqa",
        "hotpotqa",
        "hotpot_dev_distractor_subset.json.gz",
        150,
        {"seen_paragraphs": 0.98, "seen_sentences": 0.94, "first-lookup_seen_all_paragraphs": 0.85},
    ),
    (
        "musique",
        "musique",
        "musique_ans_dev_subset.jsonl.gz",
        100,
        {"seen_paragraphs": 0.82, "first-lookup_seen_all_paragraphs": 0.40},
    ),
]

# BM25's R@5, all gold@5 and all gold@20 of paragraphs, over all questions, known from a prototype.
KNOWN_BM25 = {"2wiki": (0.661, 0.331, 0.445), "hotpotqa": (0.722, 0.477, 0.791), "musique": (0.462, 0.089, 0.318)}

# What switches a lever of profile default off.
LEVERS = {
    "names in the question": ["linked_sentences=0"],
    "lookups of sentences seen before": ["lookups_of_seen=0"],
    "lookups of visible and seen sentences after Select": ["lookups_of_visible=0", "lookups_of_seen=0"],
    "pages of a title": ["title_candidates=0"],
    "ranked mentions": ["rank_mentions=0"],
    "order by novelty": ["order_by_novelty=0"],
    "trail of pages": ["follow_pages=0"],
    "no crowding": ["sentences_a_paragraph=0"],
    "8 lookups after the first view": ["lookups_otherwise=4"],
    "bridge candidates": ["bridge_rows=0"],
}


def corpus_of(name, folder, out):
    """The set's corpus; of 2Wiki the benchmark's own 6,119 paragraphs."""
    source = SHARED / "data" / folder / "corpus.jsonl.gz"
    if name != "2wiki":
        return source
    chosen = out / "2wiki.jsonl"
    with gzip.open(source, "rt", encoding="utf-8") as lines, chosen.open("w", encoding="utf-8") as kept:
        kept.writelines(line for line in lines if "hipporag" in json.loads(line)["src"])
    return chosen


def reach(build, index, questions, profile, *arguments):
    command = [build / "bench" / "reach_bench", index, questions, profile, "--policies", "first-lookup,random"]
    return figures.run(*command, *arguments, check=False)


def values(done):
    return {line["name"]: line["value"] for line in map(json.loads, done.stdout.splitlines())}


def lever_table(build, sets):
    """Shares of all gold paragraphs seen, exact and first-lookup, with each lever off."""
    print("\nshare of questions whose gold paragraphs are all seen: exact / first-lookup", file=sys.stderr)
    for lever, settings in {"profile default": [], **LEVERS}.items():
        cells = []
        for name, index, questions, skip, _ in sets:
            options = [word for setting in settings for word in ("--set", setting)]
            done = reach(
                build,
                index,
                questions,
                "default",
                "--skip",
                skip,
                "--name",
                name,
                "--no-selected",
                "--no-reasons",
                *options,
            )
            found = values(done)
            exact, first = found[f"seen_paragraphs_{name}"], found[f"first-lookup_seen_all_paragraphs_{name}"]
            figures.figure(
                f"without {lever}: {name}" if settings else f"{lever}: {name}", [exact, first], "", "-", True
            )
            cells.append(f"{exact:.3f} / {first:.3f}")
        print(f"{lever:<52} " + "   ".join(cells), file=sys.stderr)


def baselines(build, sets, folder):
    """BM25 by `harnessg bench` against the figures known."""
    for name, index, questions, _, _ in sets:
        out = folder / f"{name}-baselines"
        figures.run(build / "harnessg", "bench", index, "--questions", questions, "--format", name, "--no-reach",
                    "--policies", "none", "--retrievers", "bm25,pagerank", "--quiet", "--out", out)  # fmt: skip
        found = {one["name"]: one["value"] for one in json.loads((out / "report.json").read_text())["figures"]}
        for figure, known in zip(("R@5", "all gold@5", "all gold@20"), KNOWN_BM25[name], strict=True):
            value = found[f"retrieval/bm25/{figure}"]
            figures.figure(
                f"bm25_{figure}_{name}", round(value, 4), "", f"{known} +- 0.001", abs(value - known) <= 0.001
            )
            pagerank = found[f"retrieval/pagerank/{figure}"]
            figures.figure(f"pagerank_{figure}_{name}", round(pagerank, 4), "", "", True)


def official_metrics(build):
    """The recorded cases of the official scripts, by the conformance tests that compare them."""
    cases = "*script is ours on*,*scripts are ours on*,*figures of whole files are ours*"
    done = figures.run(build / "tests" / "test_conformance", f"--test-case={cases}", check=False)
    rows = sum(int(count) for count in re.findall(r"MESSAGE: (\d+) (?:rows|results)", done.stdout))
    holds = done.returncode == 0 and rows > 0
    figures.figure("official_metric_cases_compared", rows, "rows", "all equal", holds)


def beside_spacy(build, name, corpus, index_rules, questions, skip, folder):
    """What is reached with spaCy's entities, and by how much the built-in rules differ."""
    index = folder / f"{name}-spacy"
    figures.run(build / "harnessg", "index", corpus, "--embedder", "none", "--entities", "spacy", "--out", index)
    reached = []
    for one in (index_rules, index):
        done = reach(build, one, questions, "default", "--skip", skip, "--name", name, "--no-selected", "--no-reasons")
        reached.append(values(done)[f"seen_paragraphs_{name}"])
    figures.figure(f"spacy_seen_paragraphs_{name}", reached[1], "", "", True)
    less = round(reached[1] - reached[0], 4)
    figures.figure(f"rules_below_spacy_{name}", less, "", "<= 0.01", less <= 0.01)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--levers", action="store_true")
    parser.add_argument("--spacy", nargs="*", choices=[row[0] for row in SETS], default=[], help="sets; minutes each")
    arguments = parser.parse_args()
    figures.need_shared("data")
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        sets = []
        for name, data, questions, skip, targets in SETS:
            index = Path(folder) / name
            corpus = corpus_of(name, data, Path(folder))
            figures.run(build / "harnessg", "index", corpus, "--embedder", "none", "--out", index)
            sets.append((name, index, SHARED / "data" / data / questions, skip, targets))
        for name, index, questions, skip, targets in sets:
            options = [word for key, least in targets.items() for word in ("--target", f"{key}={least}")]
            figures.pass_on(
                reach(build, index, questions, "default", "--skip", skip, "--name", f"{name}_default", *options)
            )
            figures.pass_on(
                reach(build, index, questions, "released", "--skip", skip, "--name", f"{name}_released", "--no-reasons")
            )
        begin = time.perf_counter()
        name, index, questions, _, _ = sets[0]
        reach(build, index, questions, "default", "--no-reasons")
        seconds = round(time.perf_counter() - begin, 1)
        figures.figure("exact_reachability_1000_questions_seconds", seconds, "s", "< 600", seconds < 600)
        baselines(build, sets, Path(folder))
        official_metrics(build)
        for name, index, questions, skip, _ in sets:
            if name in arguments.spacy:
                data = next(row[1] for row in SETS if row[0] == name)
                corpus = corpus_of(name, data, Path(folder))
                beside_spacy(build, name, corpus, index, questions, skip, Path(folder))
        if arguments.levers:
            lever_table(build, sets)
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
