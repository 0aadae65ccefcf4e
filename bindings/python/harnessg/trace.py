"""What an episode did, as plain data (docs/trace.md): dataclasses and JSON, both ways."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from harnessg import _native


@dataclass(frozen=True)
class TraceOutcome:
    """What one action surfaced, produced and consumed: numbers of sentences and entities."""

    sentences: list[int]
    new_sentences: list[int]
    entities: list[int]
    produced_entities: list[int]
    consumed_sentences: list[int]
    used_entities: list[int]


@dataclass(frozen=True)
class TraceAction:
    """An entry of a menu."""

    kind: str
    sentence: int | None = None
    entity: int | None = None
    via: int | None = None
    anchor: int | None = None
    opens_title: bool | None = None


@dataclass(frozen=True)
class Alternative:
    """Another lookup of the same menu, previewed."""

    action: str
    outcome: TraceOutcome


@dataclass(frozen=True)
class TraceStep:
    """One turn. ``frontier`` is None unless it was recorded."""

    turn: int
    event: str
    action: str | None
    outcome: TraceOutcome
    menu: list[TraceAction]
    text: str | None = None
    invalid_reason: str | None = None
    query: str | None = None
    frontier: list[Alternative] | None = None
    frontier_duplicates_skipped: int | None = None


@dataclass(frozen=True)
class TraceQuestion:
    id: str
    text: str
    answers: list[str]


@dataclass(frozen=True)
class TraceSentence:
    paragraph: str
    title: str
    position: int
    text: str


@dataclass(frozen=True)
class TraceEntity:
    name: str
    label: str


@dataclass(frozen=True)
class Trace:
    """One episode; ``arm`` says how it was played: "menu", "free_query" or "free_query_matched". Equal traces have
    equal JSON, byte for byte that of ``harnessg play --json``."""

    version: int
    tool_version: str
    index: str
    embedder: str
    scoring: str
    settings: dict[str, str]
    seed: int
    question: TraceQuestion
    with_frontier: bool
    steps: list[TraceStep]
    selected: list[int]
    seen: list[int]
    turns: int
    ended: bool
    truncated: bool
    answer: str | None
    sentences: dict[int, TraceSentence] = field(default_factory=dict)
    entities: dict[int, TraceEntity] = field(default_factory=dict)
    arm: str = "menu"

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """Reads one trace. BadInputError says what is missing; UnsupportedVersionError for a newer format."""
        return _trace(json.loads(_native.checked_trace(text)))

    def to_json(self) -> str:
        """One line, stable: the same trace gives the same bytes."""
        return json.dumps(_dictionary(self), ensure_ascii=False, separators=(",", ":"))


def record_free_query(episode: _native.FreeQueryEpisode) -> Trace:
    """What the episode did so far. It has no frontier, and no credit is defined on it."""
    return _trace(json.loads(_native.free_query_trace_json(episode)))


def record(episode: _native.Episode, frontier: bool = False) -> Trace:
    """What the episode did so far, by playing it again; with the frontier of every lookup when asked (for SNC)."""
    return _trace(json.loads(_native.trace_json(episode, frontier)))


def _trace(data: dict[str, Any]) -> Trace:
    data["question"] = TraceQuestion(**data["question"])
    data["steps"] = [_step(step) for step in data["steps"]]
    data["sentences"] = {int(id): TraceSentence(**sentence) for id, sentence in data["sentences"].items()}
    data["entities"] = {int(id): TraceEntity(**entity) for id, entity in data["entities"].items()}
    return Trace(**data)


def _step(data: dict[str, Any]) -> TraceStep:
    data["outcome"] = TraceOutcome(**data["outcome"])
    data["menu"] = [TraceAction(**action) for action in data["menu"]]
    if "frontier" in data:
        data["frontier"] = [Alternative(one["action"], TraceOutcome(**one["outcome"])) for one in data["frontier"]]
    return TraceStep(**data)


# The order of keys in the format, where it is not that of the fields; "arm" is left out of a trace by menu.
_TRACE_KEYS = ("version", "tool_version", "arm", *(f.name for f in dataclasses.fields(Trace)[2:] if f.name != "arm"))
_STEP_KEYS = (
    *("turn", "event", "action", "text", "invalid_reason", "query"),
    *("outcome", "menu", "frontier", "frontier_duplicates_skipped"),
)


def _dictionary(trace: Trace) -> dict[str, Any]:
    data = {name: getattr(trace, name) for name in _TRACE_KEYS if name != "arm" or trace.arm != "menu"}
    data["question"] = vars(trace.question)
    data["steps"] = [_step_dictionary(step) for step in trace.steps]
    data["sentences"] = {str(id): vars(sentence) for id, sentence in trace.sentences.items()}
    data["entities"] = {str(id): vars(entity) for id, entity in trace.entities.items()}
    return data


def _step_dictionary(step: TraceStep) -> dict[str, Any]:
    data = {key: getattr(step, key) for key in _STEP_KEYS if key == "action" or getattr(step, key) is not None}
    data["outcome"] = vars(step.outcome)
    data["menu"] = [_without_none(action) for action in step.menu]
    if step.frontier is not None:
        data["frontier"] = [{"action": one.action, "outcome": vars(one.outcome)} for one in step.frontier]
    return data


def _without_none(action: TraceAction) -> dict[str, Any]:
    return {key: value for key, value in vars(action).items() if value is not None}
