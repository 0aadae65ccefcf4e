"""What the bench targets share: figures as JSON lines on stdout and a table on stderr, and programs that print them."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("HARNESSG_SHARED", ROOT.parent / "shared"))


class Figures:
    """The figures of one target, and whether all of them hold."""

    def __init__(self, target):
        self.target = target
        self.all_hold = True

    def figure(self, name, value, unit, target, holds, **details):
        self.all_hold = self.all_hold and holds
        line = {"name": name, "value": value, "unit": unit, "target": target, "holds": holds} | details
        print(json.dumps(line), flush=True)
        word = "holds" if holds else "DOES NOT HOLD"
        print(f"{name:<48} {value!s:>14} {unit:<12} target {target:<16} {word}", file=sys.stderr)

    def run(self, *command, check=True):
        """A program's output; with `check` the target ends when it fails."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if check and done.returncode != 0:
            sys.exit(f"{self.target}: {' '.join(map(str, command))} failed:\n{done.stderr or done.stdout}")
        return done

    def pass_on(self, done):
        """Prints figures that a measuring program printed; a program that printed none has failed."""
        sys.stderr.write(done.stderr)
        lines = done.stdout.splitlines()
        if not lines:
            sys.exit(f"{self.target}: {' '.join(map(str, done.args))} printed no figure")
        for line in lines:
            self.all_hold = self.all_hold and json.loads(line)["holds"]
            print(line, flush=True)
        return [json.loads(line) for line in lines]

    def need_shared(self, *folders):
        if not all((SHARED / folder).is_dir() for folder in folders):
            names = " and ".join(f"{folder}/" for folder in folders)
            sys.exit(f"{self.target} needs the folder {SHARED} with {names}; set HARNESSG_SHARED to where it is")

    def status(self):
        return 0 if self.all_hold else 1
