"""From step credit to what each token of a response is worth to a trainer (docs/credit.md); see harnessg.credit."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harnessg import _native


class HasTurns(Protocol):
    """Credit of one episode: EpisodeCredit, EpisodeRollout."""

    per_turn: list[float]


Span = tuple[int, int]


@dataclass(frozen=True)
class ResponseSpans:
    """Where the blocks of a response stand: [begin, end) in characters, markers included, in order."""

    actions: list[Span]
    observations: list[Span]
    answers: list[Span]


def response_spans(text: str) -> ResponseSpans:
    """The ``<query>``, ``<knowledge>`` and ``<answer>`` blocks of a whole response.

    Where every turn wrote exactly one query, the n-th action is that of the n-th turn, the first view's among them.
    """
    return ResponseSpans(*_native.response_spans(text))


def token_owners(text_spans: ArrayLike, offset_mapping: ArrayLike) -> NDArray[np.int64]:
    """For each token the number of the span it belongs to, or -1.

    A token that reaches over an edge of a span, such as ``>\\n<``, belongs to the span with the most of its characters,
    of several with as many to the earlier one; text that no span covers does not compete. A token without characters
    (special tokens are mapped to 0..0) belongs to none.
    """
    return _native.token_owners(_pairs(text_spans), _pairs(offset_mapping))


def token_credit(
    credit: HasTurns | Sequence[float], text_spans: ArrayLike, offset_mapping: ArrayLike
) -> NDArray[np.float64]:
    """One number a token: each turn's credit spread evenly over the tokens of its span, so that they sum to it.

    ``text_spans`` has one span a turn, (0, 0) where a turn wrote no action; ``offset_mapping`` is a tokenizer's.
    InvalidArgumentError for a turn with credit whose span holds no token: its credit would be lost.
    """
    return _native.token_credit(_turns(credit), _pairs(text_spans), _pairs(offset_mapping))


def _turns(credit: HasTurns | Sequence[float]) -> NDArray[np.float64]:
    return np.asarray(getattr(credit, "per_turn", credit), dtype=np.float64)


def _pairs(given: ArrayLike) -> NDArray[np.int64]:
    return np.asarray(given, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Advantages:
    """``outcome`` has one number an episode; ``snc`` (scaled credit) and ``total`` one array an episode, one number a
    token. ``scale`` is what credits were divided by, ``deviation`` that of the ``support`` tokens that have credit."""

    support: int
    deviation: float
    scale: float
    outcome: NDArray[np.float64]
    snc: list[NDArray[np.float64]]
    total: list[NDArray[np.float64]]


def advantages(
    outcomes: ArrayLike,
    groups: Iterable[Hashable],
    tokens: Sequence[ArrayLike],
    *,
    lambda_: float = 0.2,
    clamp: float = 5.0,
    floor: float = 5e-4,
    epsilon: float = 1e-6,
) -> Advantages:
    """Group advantages of a batch: GRPO on the outcomes, plus scaled step credit.

    ``outcomes`` has one reward an episode, ``groups`` names its group by anything hashable (a question's id),
    ``tokens`` has one array of token credits an episode (:func:`token_credit`). Outcome: (R - mean) / (sample std +
    epsilon) in the group, R alone in a group of one. Credit: divided by max(population std of the batch's tokens that
    have any, floor), clamped to +-clamp; no mean is taken off. Total: outcome + lambda * credit, on every token: mask
    what is not the policy's own.
    """
    numbers: dict[Hashable, int] = {}
    group_numbers = [numbers.setdefault(group, len(numbers)) for group in groups]
    arrays = [np.asarray(one, dtype=np.float64).reshape(-1) for one in tokens]
    offsets = np.cumsum([0, *(len(one) for one in arrays)])
    support, deviation, scale, outcome, snc_all, total_all = _native.advantages(
        np.asarray(outcomes, dtype=np.float64),
        group_numbers,
        np.concatenate([*arrays, np.empty(0)]),
        [int(offset) for offset in offsets],
        lambda_=lambda_,
        clamp=clamp,
        floor=floor,
        epsilon=epsilon,
    )
    cuts = offsets[1:-1]
    empty = len(arrays) == 0
    return Advantages(
        support,
        deviation,
        scale,
        outcome,
        [] if empty else np.split(snc_all, cuts),
        [] if empty else np.split(total_all, cuts),
    )


def token_advantages(
    text_spans: Sequence[ArrayLike],
    offset_mapping: Sequence[ArrayLike],
    credit: Sequence[HasTurns | Sequence[float]],
    outcomes: ArrayLike,
    groups: Iterable[Hashable],
    *,
    lambda_: float = 0.2,
    clamp: float = 5.0,
    floor: float = 5e-4,
    epsilon: float = 1e-6,
) -> Advantages:
    """From step credit to what each token of a batch is worth: :func:`token_credit` of every episode, then
    :func:`advantages`. All lists have one entry an episode; an episode without credit keeps its outcome advantage."""
    tokens = [
        token_credit(one, spans, offsets)
        for one, spans, offsets in zip(credit, text_spans, offset_mapping, strict=True)
    ]
    return advantages(outcomes, groups, tokens, lambda_=lambda_, clamp=clamp, floor=floor, epsilon=epsilon)
