"""From a corpus to an index."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from harnessg import _native

PathLike = str | os.PathLike[str]
Records = Iterable[Mapping[str, Any]]


def build(
    corpus: PathLike | list[PathLike] | Records,
    output: PathLike,
    *,
    entities: str | PathLike | Records = "rules",
    title_gazetteer: bool | None = None,
    embedder: str | PathLike | Callable[[list[str]], Any] = "minilm",
    query_prefix: str = "",
    replace: bool = False,
    on_error: str = "fail",
    synonym_threshold: float = 0.80,
    synonyms: int = 5,
    chunk_tokens: int = 0,
    chunk_overlap: int = 0,
    threads: int = 0,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> _native.Index:
    """Builds an index in the folder ``output`` and opens it.

    ``corpus``: files and folders as ``harnessg index`` takes them, or an iterable of dictionaries with ``id``,
    ``title``, ``text`` and perhaps ``sentences``. ``entities``: "rules", "spacy" (where that is installed), a mentions
    file, or its lines as dictionaries. ``title_gazetteer``: whether titles are mentions wherever they are named; None:
    yes, but not with given mentions (docs/entities.md).
    ``embedder``: "minilm", "none", .npy files, or a callable from a list of texts to unit rows (float32); with a
    callable ``query_prefix`` is put before queries. ``on_error``: "fail", or "skip" records that are wrong.
    ``progress`` is called with {"stage", "done", "total", "seconds", "finished"} about five times a second.

    The same corpus and settings give the same content hash, with any number of threads.
    """
    if on_error not in ("fail", "skip"):
        raise ValueError(f'on_error is "fail" or "skip", not {on_error!r}')
    with tempfile.TemporaryDirectory(prefix="harnessg-") as folder:
        _native.build(
            corpus=_corpus_files(corpus, Path(folder)),
            output=output,
            mentions=_mentions_file(entities, Path(folder)),
            spacy=(Path(sys.executable), Path(__file__).with_name("_spacy.py")) if entities == "spacy" else None,
            title_gazetteer=title_gazetteer,
            embedder=embedder,
            callable_info=_callable_info(embedder, query_prefix) if callable(embedder) else None,
            replace=replace,
            skip_bad_records=on_error == "skip",
            synonym_threshold=synonym_threshold,
            synonyms=synonyms,
            chunk_tokens=chunk_tokens,
            chunk_overlap=chunk_overlap,
            threads=threads,
            progress=progress,
        )
    return _native.open(output)


def _corpus_files(corpus: PathLike | list[PathLike] | Records, folder: Path) -> list[PathLike]:
    if isinstance(corpus, str | os.PathLike):
        return [corpus]
    if isinstance(corpus, list) and all(isinstance(item, str | os.PathLike) for item in corpus):
        return corpus
    return [_written(corpus, folder / "corpus.jsonl")]


def _mentions_file(entities: str | PathLike | Records, folder: Path) -> PathLike:
    if isinstance(entities, str) and entities in ("rules", "spacy"):
        return ""
    if isinstance(entities, str | os.PathLike):
        return entities
    return _written(entities, folder / "mentions.jsonl")


def _written(records: Records, file: Path) -> Path:
    with file.open("w", encoding="utf-8", newline="\n") as lines:
        for record in records:
            lines.write(json.dumps(dict(record), ensure_ascii=False) + "\n")
    return file


def _callable_info(embedder: Any, query_prefix: str) -> tuple[str, int, str]:
    dim = np.asarray(embedder(["dimension"])).shape[1]
    name = getattr(embedder, "__qualname__", type(embedder).__qualname__)
    return f"python:{name}", dim, query_prefix
