"""EAGER: event extraction with verifiable rewards. The rewards are ``harnessg.reward_plugins.make("eager", ...)``.

>>> records = harnessg.eager.read_records("phee_dev.jsonl")
>>> schemas = harnessg.eager.schemas_of(records)  # write guidelines into them
>>> prompts = harnessg.eager.prompts(records[0], schemas, rollouts=8, seed=1)

docs/eager.md tells the rest. Records and schemas are the dictionaries described there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from harnessg import _native

__all__ = ["ParseFailure", "gold_output", "parse", "prompts", "read_records", "schemas_of", "textee_scores"]

Record = dict[str, Any]
Schema = dict[str, Any]


@dataclass(frozen=True)
class ParseFailure:
    """Why an output is no list of instances: the first thing that is wrong with it. ``offset`` is in UTF-8 bytes, line
    and column count from 1."""

    kind: str
    offset: int
    line: int
    column: int
    message: str


def parse(
    output: str, schemas: Iterable[Schema] | None = None, *, keep_unknown: bool = False
) -> list[dict[str, Any]] | ParseFailure:
    """The events of an output, as dictionaries with "type", "mention", "in_schema" and "arguments", or what is wrong
    with it. Nothing is evaluated."""
    lines = None if schemas is None else _lines(schemas)
    read = json.loads(_native.eager_parse(output, lines, keep_unknown))
    return ParseFailure(**read["failure"]) if "failure" in read else read["events"]


def read_records(file: str | os.PathLike[str]) -> list[Record]:
    """Every record of a file in PHEE's, WikiEvents', M2E2's, TextEE's or the own form, or of a folder of CASIE's,
    GENIA's or MLEE's documents, in the own form."""
    return [json.loads(line) for line in _native.eager_records(file)]


def schemas_of(records: Iterable[Record]) -> list[Schema]:
    """A schema an event type of the records, guidelines empty."""
    return [json.loads(line) for line in _native.eager_schemas(_lines(records))]


def gold_output(record: Record, schemas: Iterable[Schema]) -> str:
    """The output that claims exactly what the record's gold says."""
    return _native.eager_gold_output(json.dumps(record), _lines(schemas))


def prompts(
    record: Record,
    schemas: Iterable[Schema],
    *,
    rollouts: int = 1,
    draw: Literal["rollout", "group", "all"] = "rollout",
    negatives: int = 10,
    seed: int = 0,
    instruction: str = "",
) -> list[str]:
    """A prompt for each rollout of a record. ``draw``: "rollout" shows each one negatives of its own, "group" all of
    them the same, "all" every schema."""
    return _native.eager_prompts(json.dumps(record), _lines(schemas), rollouts, draw, negatives, seed, instruction)


def textee_scores(
    gold: Iterable[Record], predicted: Iterable[Record], *, arguments_only: bool = False
) -> dict[str, dict[str, float]]:
    """Counts, precision, recall and F1 (fractions) of the six measures over windows in TextEE's form, as its scorer has
    them. ``arguments_only``: the triggers are given, TI and TC are not counted."""
    return json.loads(_native.eager_textee(_lines(gold), _lines(predicted), arguments_only))


def _lines(objects: Iterable[dict[str, Any]]) -> list[str]:
    return [json.dumps(one) for one in objects]
