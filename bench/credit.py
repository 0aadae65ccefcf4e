"""make bench-credit: what step credit costs, what it saves and what it says, one JSON object a line on stdout.

Needs ../shared (or $HARNESSG_SHARED) and a built tree with its tests. The index of 2Wiki's 6,119 paragraphs without
vectors is made once and kept under <build>/bench-data. Scorers that fail are servers of this program, on loopback.
"""

import argparse
import re
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import harnessg
from figures import ROOT, Figures

from engine import QUESTIONS, hipporag_corpus, index_of

figures = Figures("bench-credit")

CASES = "recorded step credits and advantages are ours*,recorded single calls of the credit functions*"
TIMEOUT = 2.0
# A request's own limit, and what starting the command and connecting may take besides.
LIMIT = 2 * TIMEOUT + 2


def conformance(build):
    """How many recorded values of each kind the engine gives too."""
    done = figures.run(
        build / "tests" / "test_conformance", f"--test-case={CASES}", "-s", "--no-colors=true", check=False
    )
    equal, compared = Counter(), Counter()
    for name, same, all_of_them in re.findall(r"MESSAGE: (.+): (\d+) of (\d+) equal", done.stdout):
        equal[name.split()[-1]] += int(same)
        compared[name.split()[-1]] += int(all_of_them)
    if not compared:
        sys.exit(f"bench-credit: test_conformance compared nothing:\n{done.stderr or done.stdout}")
    for name in sorted(compared):
        same = equal[name] == compared[name]
        figures.figure(f"conformance_{name}", equal[name], "equal", str(compared[name]), same)


@contextmanager
def listening(reply: bytes | None) -> Iterator[int]:
    """The port of a server that says `reply` to everything, or nothing at all."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept = []

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                kept.append(connection)
                if reply is not None:
                    connection.recv(65536)
                    connection.sendall(reply)
                    connection.close()

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        for connection in kept:
            connection.close()


@contextmanager
def closed() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    yield port


def failing_scorers():
    """A scorer that is down, one that is silent, one that talks nonsense: a sentence each, within the time limit."""
    nonsense = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a": [1}'
    servers = {"closed_port": closed(), "silent_server": listening(None), "nonsense": listening(nonsense)}
    for name, server in servers.items():
        with server as port:
            begin = time.perf_counter()
            said = None
            try:
                harnessg.credit.Scorer(f"http:http://127.0.0.1:{port}", model="words", timeout=TIMEOUT, retries=1)
            except harnessg.Error as error:
                said = f"{type(error).__name__}: {error}"
            seconds = round(time.perf_counter() - begin, 2)
        holds = said is not None and seconds <= LIMIT
        figures.figure(f"failing_scorer_{name}", seconds, "s", f"<= {LIMIT:g}", holds, said=said, timeout=TIMEOUT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--data", type=Path, help="where the index is kept; <build>/bench-data by default")
    parser.add_argument("--questions", type=int, default=200, help="of the groups and of the rollouts")
    arguments = parser.parse_args()
    figures.need_shared("data", "conformance")
    build = arguments.build.resolve()
    folder = (arguments.data or build / "bench-data").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    conformance(build)
    index = index_of(build / "harnessg", folder, "2wiki", "none", hipporag_corpus(folder))
    program = build / "bench" / "credit_bench"
    figures.pass_on(figures.run(program, index, QUESTIONS, "--questions", arguments.questions, check=False))
    failing_scorers()
    sys.exit(figures.status())


if __name__ == "__main__":
    main()
