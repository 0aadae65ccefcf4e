"""make bench-table: what can be reached, what baselines retrieve and what policies find, on 2Wiki, HotpotQA
and MuSiQue, as Markdown on stdout (docs/benchmarks.md).

Everything is measured by `harnessg bench`; the questions that were used for choosing settings are left out, except for
the retrieval baselines, which have none. Indexes and reports are kept in --work and used again: the first run builds
indexes with vectors and with spaCy's entities, which takes an hour of two cores; --sets and --parts take some of it.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

from figures import ROOT, SHARED

# name: folder, questions, format, how many were used for choosing
SETS = {
    "2wiki": ("2wikimultihopqa", "2wiki_hipporag1000_open.jsonl", "2wiki", 300),
    "hotpotqa": ("hotpotqa", "hotpot_dev_distractor_subset.json.gz", "hotpotqa", 150),
    "musique": ("musique", "musique_ans_dev_subset.jsonl.gz", "musique", 100),
}
INDEXES = {
    "lex": ["--embedder", "none"],
    "dense": ["--embedder", "minilm"],
    "spacy": ["--embedder", "none", "--entities", "spacy"],
}

# part: index, options, most questions (0: all of those not used for choosing)
SEARCH = ["--no-retrieval", "--no-selected", "--policies", "first-lookup"]
PARTS = {
    "default, lexical": ("lex", ["--no-retrieval", "--policies", "first-lookup"], 0),
    "default, lexical, spaCy entities": ("spacy", SEARCH, 0),
    "default, hybrid": ("dense", SEARCH, 200),
    "default, dense": ("dense", [*SEARCH, "--scoring", "dense"], 200),
    "default, hybrid, queries encoded": ("dense", [*SEARCH, "--set", "compose_query=0", "--no-reasons"], 40),
    "released, lexical": ("lex", [*SEARCH, "--profile", "released"], 0),
}
PLAYED = ["random", "random-search", "first-lookup", "lexical-greedy", "preview-greedy", "greedy-oracle"]
ARMS = {"menu": "menu", "free_query": "free text", "free_query_matched": "free text, matched"}


class Table:
    def __init__(self, arguments):
        self.build = arguments.build.resolve()
        self.work = arguments.work.resolve()
        self.sets = arguments.sets
        self.build_indexes = not arguments.no_build

    def corpus(self, name):
        source = SHARED / "data" / SETS[name][0] / "corpus.jsonl.gz"
        if name != "2wiki":
            return source
        chosen = self.work / "2wiki.jsonl"  # the benchmark's own 6,119 paragraphs
        if not chosen.exists():
            with gzip.open(source, "rt", encoding="utf-8") as lines, chosen.open("w", encoding="utf-8") as kept:
                kept.writelines(line for line in lines if "hipporag" in json.loads(line)["src"])
        return chosen

    def run(self, *command):
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"bench-table: {' '.join(map(str, command))} failed")

    def index(self, kind, name):
        """Where the index stands; None where it is not there and none is to be built."""
        folder = self.work / f"{kind}-{name}"
        if not (folder / "MANIFEST.json").exists():
            if not self.build_indexes:
                return None
            print(f"building {folder.name}", file=sys.stderr)
            self.run(self.build / "harnessg", "index", self.corpus(name), "--out", folder, *INDEXES[kind])
        return folder

    def bench(self, part, kind, name, options):
        """The figures of a part by name, and how many questions they are of; None without its index."""
        index = self.index(kind, name)
        if index is None:
            return None
        data, questions, form, _ = SETS[name]
        out = self.work / "reports" / f"{name} {part}".replace(", ", "-").replace(" ", "-")
        print(f"{name}: {part}", file=sys.stderr)
        self.run(self.build / "harnessg", "bench", index, "--questions", SHARED / "data" / data / questions,
                 "--format", form, "--out", out, *options)  # fmt: skip
        return {figure["name"]: figure for figure in json.loads((out / "report.json").read_text())["figures"]}


def cell(figures, name):
    return "-" if figures is None or name not in figures else f"{figures[name]['value']:.3f}".replace("0.", ".", 1)


def print_heads(*heads):
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")


def reach_table(table):
    print("## Reachability\n")
    print_heads("set", "environment", "questions", "paragraphs: first view", "greedy", "exact", "sentences: exact",
                "answer: exact", "paragraphs: `first-lookup`")  # fmt: skip
    for name in table.sets:
        for part, (kind, options, most) in PARTS.items():
            options = [*options, "--skip", SETS[name][3], *(["--limit", most] if most else [])]
            figures = table.bench(part, kind, name, options)
            if figures is None:
                continue
            names = ["paragraphs/first view", "paragraphs/seen, greedy", "paragraphs/seen", "sentences/seen",
                     "answer/seen"]  # fmt: skip
            cells = [cell(figures, f"reach/{one}") for one in names]
            cells.append(cell(figures, "play/menu/first-lookup/all seen, paragraphs"))
            count = figures["reach/paragraphs/seen"]["questions"]
            print(f"| {name} | {part} | {count} | {' | '.join(cells)} |", flush=True)
    print()


def retrieval_table(table):
    print("## Retrieval baselines\n")
    print_heads("set", "retriever", "R@5", "all gold@5", "R@20", "all gold@20", "answer@5", "answer@20")
    for name in table.sets:
        options = ["--no-reach", "--policies", "none"]
        figures = table.bench("retrieval", "dense", name, options) or table.bench(
            "retrieval, lexical", "lex", name, options
        )
        for retriever in ["bm25", "dense", "dense-sentences", "fusion", "pagerank"]:
            cells = [cell(figures, f"retrieval/{retriever}/{one}")
                     for one in ["R@5", "all gold@5", "R@20", "all gold@20", "answer@5", "answer@20"]]  # fmt: skip
            if cells[0] != "-":
                print(f"| {name} | {retriever} | {' | '.join(cells)} |", flush=True)
    print()


def play_table(table):
    print("## Policies and collapse\n")
    print_heads("set", "arm", "policy", "all paragraphs seen", "recall of seen", "recall of selected", "answer seen",
                "EM", "F1", "two classes or more", "at 0.8", "query forms", "ACR, evidence")  # fmt: skip
    for name in table.sets:
        options = ["--no-reach", "--no-retrieval", "--skip", SETS[name][3], "--rollouts", "4"]
        options += ["--policies", ",".join(PLAYED), "--arms", "menu,free,matched"]
        figures = table.bench("policies", "lex", name, options)
        for arm, words in ARMS.items():
            for policy in PLAYED:
                play = ["all seen, paragraphs", "recall of seen, paragraphs", "recall of selected, paragraphs",
                        "all seen, answer", "EM", "F1"]  # fmt: skip
                collapse = ["two classes or more", "two classes or more at 0.8", "query forms",
                            "ACR, recall of seen, paragraphs"]  # fmt: skip
                cells = [cell(figures, f"play/{arm}/{policy}/{one}") for one in play]
                cells += [cell(figures, f"collapse/{arm}/{policy}/{one}") for one in collapse]
                print(f"| {name} | {words} | {policy} | {' | '.join(cells)} |", flush=True)
    print()


def main():
    every = ["retrieval", "reach", "play"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench-table")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--parts", nargs="+", choices=every, default=every)
    parser.add_argument("--no-build", action="store_true", help="leave out what has no index yet")
    arguments = parser.parse_args()
    if not (SHARED / "data").is_dir():
        sys.exit(f"bench-table needs the folder {SHARED} with data/; set HARNESSG_SHARED to where it is")
    os.makedirs(arguments.work, exist_ok=True)
    table = Table(arguments)
    for part, print_part in {"retrieval": retrieval_table, "reach": reach_table, "play": play_table}.items():
        if part in arguments.parts:
            print_part(table)


if __name__ == "__main__":
    main()
