"""make bench-eager: EAGER's figures, one JSON object a line on stdout, a table on stderr.

Needs ../shared (or $HARNESSG_SHARED) and a built tree with its tests. Speed is by the time that one thread had a core
for; what is compared with recorded vectors and with the Python reference is counted by the tests that compare it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from figures import ROOT, SHARED, Figures

figures = Figures("bench-eager")
figure, run, pass_on = figures.figure, figures.run, figures.pass_on

FUZZ = 10_000_000
# More than ten times what that many inputs take under sanitizers on one core: a parser that hangs ends here.
FUZZ_SECONDS = 900
SANITIZERS = "address,undefined"

# Of official-textee.jsonl.gz's 469 cases: the script dies in two, and in one a window given twice hides errors.
TEXTEE_EQUAL, TEXTEE_CASES, TEXTEE_SETS = 466, 469, 13
# Of official-gdpo.jsonl's 53 matrices: two let a lone rollout's raw score in.
GDPO_CASES, GDPO_RAW_SCORES = 53, 2


def fuzz_figures(build, count, sanitizers):
    """Damaged outputs that came back from the parser, in a process that ends well and in time."""
    program = build / "bench" / ("eager_fuzz_sanitized" if sanitizers else "eager_fuzz")
    name = "eager_fuzz_inputs_sanitized" if sanitizers else "eager_fuzz_inputs"
    try:
        done = subprocess.run([program, str(count)], capture_output=True, text=True, timeout=FUZZ_SECONDS)
        status, errors = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        status, errors = "timed out", ""
    counts = json.loads(done.stdout) if status == 0 else {"inputs": 0, "wrong": 0, "sanitizers": sanitizers}
    well = status == 0 and not errors and counts["wrong"] == 0 and counts["sanitizers"] == sanitizers
    if errors:
        sys.stderr.write(errors[-4000:])
    holds = well and counts["inputs"] >= FUZZ
    figure(name, counts.pop("inputs"), "inputs", f">= {FUZZ}", holds, status=status, **counts)


def compared(build, test, pattern):
    """The numbers in the line that a test of the conformance program prints, and whether the test passes."""
    done = run(build / "tests" / "test_conformance", f"--test-case={test}", check=False)
    found = re.search(pattern, done.stdout)
    if found is None:
        sys.exit(f"bench-eager: test_conformance printed no count for {test}:\n{done.stdout}{done.stderr}")
    return [int(number) for number in found.groups()], done.returncode == 0


def conformance_figures(build):
    (equal, sets), passed = compared(build, "*TextEE*", r"TextEE: (\d+) cases equal, (\d+) of them whole sets")
    figure(
        "eager_textee_cases_equal",
        equal,
        f"of {TEXTEE_CASES}",
        f"{TEXTEE_EQUAL}",
        passed and equal == TEXTEE_EQUAL,
        apart="2 in which the script dies, 1 with deviates repeated_window_hides_errors: an error with its reason here",
    )
    figure("eager_textee_whole_sets_equal", sets, "runs", f"{TEXTEE_SETS}", passed and sets == TEXTEE_SETS)
    pattern = r"GDPO: (\d+) matrices equal, (\d+) with a lone rollout's raw score, (\d+) in which the script fails"
    (equal, raw, failures), passed = compared(build, "*GDPO*", pattern)
    figure(
        "eager_gdpo_cases_equal",
        equal,
        f"of {GDPO_CASES}",
        f"{GDPO_CASES - GDPO_RAW_SCORES - failures}",
        passed and equal + raw + failures == GDPO_CASES and raw == GDPO_RAW_SCORES,
        apart=f"{raw} with deviates group_of_one_raw_score, {failures} in which the script fails",
    )


def reference_figures(build):
    """Rewards and counts against the Python reference, by its test."""
    test = ROOT / "tests" / "python" / "test_eager_reference.py"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        environment = ["env", f"HARNESSG_BUILD={build}", f"PYTHONPATH={build / 'python'}"]
        done = run(*environment, sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", test, check=False)
        if not report.exists():
            sys.exit(f"bench-eager: the comparison with the Python reference did not run:\n{done.stdout}{done.stderr}")
        cases = list(ElementTree.parse(report).iter("testcase"))
    counts = dict.fromkeys(("records", "outputs", "damaged"), 0)
    for one in cases:
        for read in one.iter("property"):
            counts[read.get("name")] += int(read.get("value"))
    skipped = sum(1 for one in cases if one.find("skipped") is not None)
    holds = done.returncode == 0 and skipped == 0 and counts["records"] > 0
    if not holds:
        sys.stderr.write(done.stdout[-4000:])
    outputs = counts.pop("outputs")
    figure("eager_outputs_equal_to_python_reference", outputs, "outputs", "all", holds, **counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--fuzz", type=int, default=FUZZ, help="inputs of each fuzzing; fewer do not hold")
    arguments = parser.parse_args()
    figures.need_shared("data", "conformance")
    build = arguments.build.resolve()
    pass_on(run(build / "bench" / "eager_bench", SHARED / "data" / "events"))
    pass_on(run(build / "bench" / "eager_values"))
    conformance_figures(build)
    reference_figures(build)
    for sanitizers in ("", SANITIZERS):
        fuzz_figures(build, arguments.fuzz, sanitizers)
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
