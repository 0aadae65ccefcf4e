"""Gymnasium environments: ``gymnasium.make("harnessg/Search-v0", index="INDEX")`` and ``gymnasium.make_vec`` likewise.

An action is a position on the menu, ``info["action_mask"]`` says which positions there are. Any other is blocked, as
the engine does it: the turn is spent and nothing else changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array
from numpy.typing import NDArray

from harnessg import _native, rewards
from harnessg._search import Drawn, Observations, Search
from harnessg.errors import InvalidArgumentError
from harnessg.pool import Pool
from harnessg.questions import Question

__all__ = ["HarnessEnv", "HarnessVectorEnv"]

Index = str | os.PathLike[str] | _native.Index
Questions = str | os.PathLike[str] | Iterable[str | dict | Question]
Answerer = Callable[[_native.Episode], str]


class HarnessEnv(gymnasium.Env[Any, np.int64]):
    """One episode at a time.

    ``index``: a folder (opened once a process) or an open index. ``profile``, ``scoring``, ``embedder`` and
    ``settings`` are those of :class:`harnessg.Environment`. ``questions``: a list, or a file of questions, from which
    reset draws (seeded by ``reset(seed=)``) unless ``options={"question": ..., "answers": [...]}`` gives one; without
    either the last one is played again. ``observations``: "text", "features" (vectors of question, visible sentences
    and actions; needs an index with vectors) or "both". ``reward``: "evidence_recall", "answer_f1" (``answerer`` then
    gives the answer's text) or a callable, see :mod:`harnessg.rewards`.

    ``terminated``: an answer action was taken; ``truncated``: the turn budget ran out. ``env.unwrapped.episode`` is the
    episode, with its trace.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        index: Index,
        *,
        profile: str = "released",
        scoring: str | None = None,
        embedder: Any = None,
        settings: Mapping[str, Any] | None = None,
        questions: Questions | None = None,
        observations: Observations = "text",
        reward: str | rewards.Reward = "evidence_recall",
        answerer: Answerer | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._search = Search(index, profile, scoring, embedder, settings, questions, observations, reward, answerer)
        self.render_mode = _checked_render_mode(render_mode)
        self.action_space = self._search.action_space
        self.observation_space = self._search.observation_space
        self.episode: _native.Episode | None = None
        self._drawn: Drawn | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        given = options if options and "question" in options else None
        self._drawn = self._search.draw(given, self._drawn, self.np_random)
        question = self._drawn.question
        self.episode = self._search.environment.reset(
            question.question, question.answers, question.id, self._drawn.seed
        )
        return self._search.observe(self.episode), self._search.info(self._drawn, self.episode)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.episode is None or self._drawn is None:
            raise InvalidArgumentError("there is no episode yet; call reset first")
        outcome = self.episode.step(int(action))
        reward = self._search.value(self._drawn, self.episode, outcome)
        info = self._search.info(self._drawn, self.episode)
        info["invalid_reason"] = outcome.invalid_reason
        return self._search.observe(self.episode), reward, self.episode.ended, self.episode.truncated, info

    def render(self) -> str | None:
        if self.render_mode is None or self.episode is None:
            return None
        return self.episode.observation


class HarnessVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` episodes stepped as one batch by ``threads`` threads (0: all) of one process.

    Behaves as that many :class:`HarnessEnv` in a ``SyncVectorEnv`` with autoreset mode NEXT_STEP: the step after the
    end of an episode resets it, ignores its action and rewards 0. ``reset(seed=n)`` seeds environment i by n + i.
    ``options={"questions": [...]}`` gives one question an environment, ``{"question": ..., "answers": [...]}`` the
    same to all. Arrays returned are the caller's own.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        index: Index,
        *,
        profile: str = "released",
        scoring: str | None = None,
        embedder: Any = None,
        settings: Mapping[str, Any] | None = None,
        questions: Questions | None = None,
        observations: Observations = "text",
        reward: str | rewards.Reward = "evidence_recall",
        answerer: Answerer | None = None,
        threads: int = 0,
        render_mode: str | None = None,
    ) -> None:
        self._search = Search(index, profile, scoring, embedder, settings, questions, observations, reward, answerer)
        self.render_mode = _checked_render_mode(render_mode)
        self.num_envs = num_envs
        self.single_action_space = self._search.action_space
        self.single_observation_space = self._search.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._pool = Pool(self._search.environment, num_envs, threads)
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._drawn: list[Drawn | None] = [None] * num_envs
        self._episodes: list[_native.Episode | None] = [None] * num_envs

    def episode(self, slot: int) -> _native.Episode:
        """The episode of one environment, with its trace. Stepping it does not step the environment."""
        episode = self._episodes[slot]
        if episode is None:
            raise InvalidArgumentError("there is no episode yet; call reset first")
        return episode

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        for slot, own in enumerate(seeds or [None] * self.num_envs):
            if own is not None or self._generators[slot] is None:
                self._generators[slot] = seeding.np_random(None if own is None else int(own))[0]
        given = self._given(options or {})
        self._start(range(self.num_envs), given)
        return self._observe(), self._infos([""] * self.num_envs)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if self._episodes[0] is None:
            raise InvalidArgumentError("there is no episode yet; call reset first")
        rewards_given = np.zeros(self.num_envs)
        reasons = [""] * self.num_envs
        ended = []
        for slot, result in enumerate(self._pool.step(actions)):
            result.check()
            if result.event == "skipped":
                ended.append(slot)
                continue
            episode = self._pool[slot]
            self._episodes[slot] = episode
            reasons[slot] = result.outcome.invalid_reason
            rewards_given[slot] = self._search.value(self._drawn[slot], episode, result.outcome)
        self._start(ended, [None] * len(ended))
        terminations = np.array([episode.ended for episode in self._episodes])
        truncations = np.array([episode.truncated for episode in self._episodes])
        return self._observe(), rewards_given, terminations, truncations, self._infos(reasons)

    def render(self) -> tuple[str, ...] | None:
        if self.render_mode is None:
            return None
        return tuple("" if episode is None else episode.observation for episode in self._episodes)

    def close_extras(self, **_: Any) -> None:
        self._pool.close()

    def _given(self, options: dict[str, Any]) -> Sequence[Any]:
        if "questions" not in options:
            return [options if "question" in options else None] * self.num_envs
        if len(options["questions"]) != self.num_envs:
            raise InvalidArgumentError(
                f"{len(options['questions'])} questions are given for {self.num_envs} environments"
            )
        return options["questions"]

    def _start(self, slots: Sequence[int], given: Sequence[Any]) -> None:
        for slot, question in zip(slots, given, strict=True):
            self._drawn[slot] = self._search.draw(question, self._drawn[slot], self._generators[slot])
        drawn = [self._drawn[slot] for slot in slots]
        if not drawn:
            return
        questions, seeds = [one.question for one in drawn], [one.seed for one in drawn]
        for result in self._pool.reset(questions, seeds=seeds, slots=list(slots)):
            result.check()
            self._episodes[result.slot] = self._pool[result.slot]

    def _observe(self) -> Any:
        each = [self._search.observe(episode) for episode in self._episodes]
        space = self.single_observation_space
        return concatenate(space, each, create_empty_array(space, self.num_envs))

    def _infos(self, reasons: list[str]) -> dict[str, Any]:
        asked = [drawn.question for drawn in self._drawn]
        columns = {
            "action_mask": self._pool.action_mask(),
            "turn": np.array([episode.turn for episode in self._episodes]),
            "question": np.array([question.question for question in asked], dtype=object),
            "question_id": np.array([question.id for question in asked], dtype=object),
            "supporting_facts": np.array([len(drawn.facts.paragraphs) for drawn in self._drawn]),
            "invalid_reason": np.array(reasons, dtype=object),
        }
        return columns | {f"_{name}": np.ones(self.num_envs, dtype=bool) for name in columns}


def _checked_render_mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, "ansi"):
        raise InvalidArgumentError(f'render_mode is "ansi" or None, not {render_mode!r}')
    return render_mode


gymnasium.register(
    id="harnessg/Search-v0",
    entry_point="harnessg.gymnasium:HarnessEnv",
    vector_entry_point="harnessg.gymnasium:HarnessVectorEnv",
)
