"""Step credit and advantages: what each step of an episode was worth, and what a trainer does with it.

>>> credit = harnessg.credit.snc([episode], scorer="lexical")
>>> [step.total for step in credit[0].steps]

docs/credit.md tells what the numbers mean.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harnessg import _native
from harnessg._advantage import (
    Advantages,
    ResponseSpans,
    advantages,
    response_spans,
    token_advantages,
    token_credit,
    token_owners,
)
from harnessg.questions import Question, as_questions
from harnessg.trace import Trace

__all__ = [
    "ActionValue",
    "Advantages",
    "AlternativeCredit",
    "EpisodeCredit",
    "EpisodeRollout",
    "NotScored",
    "ResponseSpans",
    "ScoreRequest",
    "Scorer",
    "StepCredit",
    "StepRollout",
    "advantages",
    "response_spans",
    "rollout",
    "snc",
    "token_advantages",
    "token_credit",
    "token_owners",
]


@dataclass(frozen=True)
class NotScored:
    """Why there is no score: ``reason`` is "no_alias", "unavailable", "timed_out", "bad_reply" or "out_of_range"."""

    reason: str
    message: str


@dataclass(frozen=True)
class ScoreRequest:
    """One context of one question: the texts of the sentences seen, in order, and the accepted answers."""

    question: str
    context: list[str]
    aliases: list[str]


Answerer = Callable[[list[ScoreRequest]], Iterable[float | NotScored | None]]


class Scorer:
    """How probable a frozen answerer finds the gold answer, given a question and what has been seen: g, in (0, 1].

    ``Scorer("lexical")`` is a stand-in without a model. ``Scorer("http:URL", ...)`` asks a completions server as OpenAI
    has it; its options are those of the command: model, api_key_env, prompt_prefix, prompt_suffix, timeout (seconds),
    concurrency, retries, cache (a folder). ``Scorer(function)`` calls a function with a list of :class:`ScoreRequest`
    and takes one item each: g, a :class:`NotScored`, or None. It is called with the Python lock, by the thread that
    asks for credit, once for a whole batch. What it raises leaves that batch not scored ("unavailable", with the
    exception's text); KeyboardInterrupt passes through. Another number of items than asked for is a BadInputError.

    Make one and use it again: a server is asked once what it can do, and a cache is opened once.
    """

    def __init__(self, scorer: str | Answerer, **options: Any) -> None:
        self._native = _native.Scorer(_answerer(scorer) if callable(scorer) else scorer, **options)

    @property
    def name(self) -> str:
        return self._native.name

    def score(self, requests: Iterable[ScoreRequest]) -> list[float | NotScored]:
        """One g a request, in order, or why there is none."""
        asked = [(request.question, list(request.context), list(request.aliases)) for request in requests]
        return [g if failed is None else NotScored(*failed) for g, failed in self._native.score(asked)]


def _answerer(function: Answerer) -> Callable[[list[tuple]], list]:
    def answer(requests: list[tuple]) -> list:
        given = function([ScoreRequest(*request) for request in requests])
        return [(one.reason, one.message) if isinstance(one, NotScored) else one for one in given]

    return answer


def _scorer(scorer: str | Answerer | Scorer) -> _native.Scorer:
    return (scorer if isinstance(scorer, Scorer) else Scorer(scorer))._native


@dataclass(frozen=True)
class AlternativeCredit:
    """Another lookup of the same menu: g with its sentences added, and the gain."""

    action: str
    score: float
    gain: float


@dataclass(frozen=True)
class StepCredit:
    """What one step was worth; ``step`` is its position in ``trace.steps``."""

    step: int
    event: str
    action: str
    score_before: float
    score_taken: float
    gain: float
    frontier: list[AlternativeCredit]
    baseline: float
    r_frontier: float
    r_enabling: float
    bonus: float
    total: float


@dataclass(frozen=True)
class EpisodeCredit:
    """Credit of one episode. ``per_turn`` has one number a turn of the trace, 0 for the first view, for blocked turns
    and for an episode without credit (``not_scored``). ``edges`` are pairs of positions in ``trace.steps``."""

    question_id: str
    seed: int
    not_scored: NotScored | None
    steps: list[StepCredit]
    edges: list[tuple[int, int]]
    per_turn: list[float]
    explanation: str | None = None


def snc(
    traces: Iterable[Trace | _native.Episode | str],
    scorer: str | Answerer | Scorer = "lexical",
    *,
    questions: str | os.PathLike[str] | Iterable[str | dict | Question] | None = None,
    estimator: Literal["snc", "shapley"] = "snc",
    alpha: float = 1.0,
    beta: float = 1.0,
    gamma: float = 1.0,
    dead_zone: float = 1e-4,
    baseline: Literal["mean", "max"] = "mean",
    protect_enabling: bool = False,
    shuffle_edges: int | None = None,
    harvest_bonus: float = 0.0,
    explain: bool = False,
) -> list[EpisodeCredit]:
    """Step credit of many episodes with one call of the scorer, one result a trace, in order.

    A trace is a :class:`~harnessg.Trace` that was recorded with its frontier, its JSON, or an episode, which is
    recorded here. ``questions`` (a file, or a list) gives answers to those that have none. An episode that lacks one
    score has no credit: see ``not_scored``. ``explain`` fills ``explanation``.
    """
    known = None if questions is None else as_questions(questions)
    credit = _native.snc(
        [_source(trace) for trace in traces],
        _scorer(scorer),
        questions=known,
        explain=explain,
        alpha=alpha,
        beta=beta,
        gamma=gamma,
        dead_zone=dead_zone,
        baseline=baseline,
        estimator=estimator,
        protect_enabling=protect_enabling,
        shuffle_edges=shuffle_edges,
        harvest_bonus=harvest_bonus,
    )
    return [_episode_credit(json.loads(text), turns, explanation) for text, turns, explanation in credit]


def _source(trace: Trace | _native.Episode | str) -> _native.Episode | str:
    if isinstance(trace, _native.FreeQueryEpisode):  # the engine says why it has no credit
        return trace.trace.to_json()
    return trace.to_json() if isinstance(trace, Trace) else trace


def _not_scored(data: dict[str, Any]) -> NotScored | None:
    return None if data["not_scored"] is None else NotScored(**data["not_scored"])


def _episode_credit(data: dict[str, Any], turns: list[float], explanation: str) -> EpisodeCredit:
    steps = [
        StepCredit(**{**step, "frontier": [AlternativeCredit(**other) for other in step["frontier"]]})
        for step in data.get("steps", [])
    ]
    edges = [(t, u) for t, u in data.get("edges", [])]
    return EpisodeCredit(data["question_id"], data["seed"], _not_scored(data), steps, edges, turns, explanation or None)


@dataclass(frozen=True)
class ActionValue:
    """Mean and sample standard deviation, over the rollouts, of what an action led to."""

    action: str
    value: float
    deviation: float


@dataclass(frozen=True)
class StepRollout:
    """``credit`` is the value of the action taken less the mean of its alternatives' (``baseline``)."""

    step: int
    event: str
    taken: ActionValue
    alternatives: list[ActionValue]
    baseline: float
    credit: float
    standard_error: float


@dataclass(frozen=True)
class EpisodeRollout:
    """Rollout credit of one episode; ``per_turn`` as in :class:`EpisodeCredit`."""

    question_id: str
    seed: int
    not_scored: NotScored | None
    steps: list[StepRollout]
    per_turn: list[float]


def rollout(
    traces: Iterable[Trace | _native.Episode | str],
    environment: _native.Environment,
    *,
    scorer: str | Answerer | Scorer = "lexical",
    value: Literal["answer", "seen", "selected"] = "answer",
    gold: Sequence[Iterable[int | _native.Sentence]] = (),
    alternatives: Literal["menu", "frontier"] = "menu",
    rollouts: int = 16,
    seed: int = 0,
    threads: int = 0,
) -> list[EpisodeRollout]:
    """Credit by fork and return: each step's action and its alternatives, played to the end by a uniform policy.

    A yardstick for :func:`snc`, at the price of many episodes a step. ``environment`` is the one the traces were
    played in. An end is worth the scorer's g of everything seen ("answer"), or the share of the gold sentences that
    were "seen" or "selected"; ``gold`` has one list a trace. Results depend on ``seed`` alone, not on threads.
    """
    credit = _native.rollout(
        [_source(trace) for trace in traces],
        environment,
        _scorer(scorer),
        value=value,
        gold=[[int(sentence.__index__()) for sentence in sentences] for sentences in gold],
        alternatives=alternatives,
        rollouts=rollouts,
        seed=seed,
        threads=threads,
    )
    return [_episode_rollout(json.loads(text), turns) for text, turns, _ in credit]


def _episode_rollout(data: dict[str, Any], turns: list[float]) -> EpisodeRollout:
    steps = [
        StepRollout(
            step["step"],
            step["event"],
            ActionValue(step["action"], step["value"], step["deviation"]),
            [ActionValue(**other) for other in step["alternatives"]],
            step["baseline"],
            step["credit"],
            step["standard_error"],
        )
        for step in data.get("steps", [])
    ]
    return EpisodeRollout(data["question_id"], data["seed"], _not_scored(data), steps, turns)
