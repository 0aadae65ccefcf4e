"""Many episodes stepped as one batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harnessg import _native
from harnessg.questions import Question, as_question


class Pool:
    """Slots 0 .. size-1 hold one episode each of one environment.

    Results are equal, bit for bit, for any size, number of threads and order. ``threads=0`` takes as many as the
    machine has; an environment whose embedder is a Python callable is stepped by the calling thread alone.
    ``when_over`` says what a step does to an episode that is over: "skip" it, or "restart" it with its own question in
    place of the step. One thread at a time per pool.
    """

    def __init__(
        self,
        environment: _native.Environment,
        size: int,
        threads: int = 0,
        when_over: Literal["skip", "restart"] = "skip",
    ) -> None:
        if when_over not in ("skip", "restart"):
            raise ValueError(f'when_over is "skip" or "restart", not {when_over!r}')
        self._native = _native.Pool(environment, size, threads, when_over == "restart")

    @property
    def environment(self) -> _native.Environment:
        return self._native.environment

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, slot: int) -> _native.Episode:
        """A copy of the slot's episode."""
        return self._native[slot]

    def reset(
        self,
        questions: Iterable[str | dict | Question],
        *,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        slots: ArrayLike | None = None,
    ) -> list[_native.SlotResult]:
        """A new episode for each question, in all slots or in those given.

        The n-th gets seeds[n], or episode_seed(seed, n). A question that cannot be played fails alone: see
        SlotResult.event and SlotResult.check().
        """
        asked = [as_question(question) for question in questions]
        if seeds is None:
            seeds = [_native.episode_seed(seed, n) for n in range(len(asked))]
        return list(self.start(asked, seeds, np.arange(len(self)) if slots is None else slots))

    def start(self, questions: Sequence[Question], seeds: Sequence[int], slots: ArrayLike) -> _native.SlotResults:
        """The same of questions with their seeds; a slot's result is made into an object only when it is asked for."""
        return self._native.reset(np.asarray(slots, dtype=np.int64), questions, seeds)

    def step(self, actions: ArrayLike) -> list[_native.SlotResult]:
        """One turn in every slot: actions[i] is a position on the menu of slot i; any other number is blocked."""
        return self._native.step(np.asarray(actions, dtype=np.int64))

    def advance(self, actions: ArrayLike) -> _native.SlotResults:
        """The same step; a slot's result is made into an object only when it is asked for."""
        return self._native.advance(np.asarray(actions, dtype=np.int64))

    def observations(self) -> list[str]:
        """The observation of every slot; "" where it holds no episode."""
        return self._native.observations()

    def preview_all(self) -> list[list[_native.Outcome]]:
        """The outcome of every action of every slot; empty where the search is over."""
        return self._native.preview_all()

    def send(self, slots: ArrayLike, actions: ArrayLike) -> None:
        """Starts steps in these slots and returns."""
        self._native.send(np.asarray(slots, dtype=np.int64), np.asarray(actions, dtype=np.int64))

    def receive(self, at_least: int = 1) -> list[_native.SlotResult]:
        """Waits until so many of the steps sent have finished and gives all that have, by slot.

        Which come first depends on the machine; what they hold does not.
        """
        return self._native.receive(at_least)

    @property
    def in_flight(self) -> int:
        """Steps sent and not yet received."""
        return self._native.in_flight

    def action_mask(self) -> NDArray[np.int8]:
        """size x menu_bound: 1 where the slot's menu has an action."""
        bound = self.environment.menu_bound
        return (np.arange(bound) < self._native.menu_sizes[:, None]).astype(np.int8)

    @property
    def turns(self) -> NDArray[np.int64]:
        """Turns used, a slot; 0 where it holds no episode."""
        return self._native.turns

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether a terminal action was taken, a slot."""
        return self._native.ended

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether the turn budget ran out, a slot."""
        return self._native.truncated

    @property
    def closed(self) -> bool:
        return self._native.closed

    def close(self) -> None:
        """Waits for what was sent and lets the episodes go. May be called again."""
        self._native.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
