"""make bench-instructions: instructions of 200 seeded episodes on the sample corpus, against those that are kept.

Counted by callgrind inside workload W only: neither other load nor the build of the index is in them. A count that is
more than 5 % off its kept one is printed as one that does not hold, and the exit status is 1: look at the change, then
keep the new counts by --keep. Counts belong to one compiler and one C library; where those differ from the kept ones,
that is said and nothing is compared.
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import ROOT, Figures

KEPT = ROOT / "bench" / "instructions.json"
SAMPLE = ROOT / "data" / "sample"
RUNS = [("lexical", "released"), ("dense", "released"), ("dense", "default"), ("hybrid", "default")]
MOST_CHANGE = 0.05


def count(program, scoring, profile):
    """Instructions inside run_workload, and what the run says of itself."""
    with tempfile.NamedTemporaryFile() as out:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}"]
        command += ["--toggle-collect=harnessg::bench::run_workload*", program, SAMPLE, scoring, profile]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"bench-instructions: {program} failed:\n{done.stderr}")
        totals = re.search(r"^(?:summary|totals): (\d+)", Path(out.name).read_text(), re.MULTILINE)
        return int(totals[1]), done.stdout.strip()


def conditions():
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    return {"compiler": f"g++ {compiler}", "c_library": " ".join(platform.libc_ver()), "machine": platform.machine()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--keep", action="store_true", help="write the counts to bench/instructions.json")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("bench-instructions needs valgrind (apt-get install valgrind)")
    program = arguments.build.resolve() / "bench" / "rollout_instructions"
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"conditions": conditions(), "instructions": {}}
    comparable = kept["conditions"] == conditions()
    if not comparable:
        print(f"kept counts are of {kept['conditions']}, this is {conditions()}: not compared", file=sys.stderr)
    figures, counts = Figures("bench-instructions"), {}
    for scoring, profile in RUNS:
        name = f"instructions_{scoring}_{profile}"
        counts[name], played = count(program, scoring, profile)
        against = kept["instructions"].get(name) if comparable and not arguments.keep else None
        change = counts[name] / against - 1 if against else 0.0
        target = f"{against} +- {MOST_CHANGE:.0%}" if against else "-"
        holds = abs(change) <= MOST_CHANGE
        figures.figure(name, counts[name], "instructions", target, holds, change=round(change, 4), played=played)
    if arguments.keep:
        KEPT.write_text(json.dumps({"conditions": conditions(), "instructions": counts}, indent=2) + "\n")
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
