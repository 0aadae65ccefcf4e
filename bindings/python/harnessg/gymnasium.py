"""Gymnasium environments: ``gymnasium.make("harnessg/Search-v0", index="INDEX")`` and ``gymnasium.make_vec`` likewise.

An action is a position on the menu, ``info["action_mask"]`` says which positions there are. Any other is blocked, as
the engine does it: the turn is spent and nothing else changes. ``harnessg/FreeQuery-v0`` is played by text instead.
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
from harnessg._free_query_env import HarnessFreeQueryEnv
from harnessg._search import Drawn, Observations, Search
from harnessg.errors import InvalidArgumentError
from harnessg.pool import Pool
from harnessg.questions import Question

__all__ = ["HarnessEnv", "HarnessFreeQueryEnv", "HarnessVectorEnv"]

Index = str | os.PathLike[str] | _native.Index
Questions = str | os.PathLike[str] | Iterable[str | dict | Question]
Answerer = Callable[[_native.Episode], str]


class HarnessEnv(gymnasium.Env[Any, np.int64]):
    """One episode at a time.

    ``index``: a folder (opened once a process) or an open index. ``profile``, ``scoring``, ``embedder`` and
    ``settings`` are those of :class:`harnessg.Environment`. ``questions``: a list, or a file of questions, from which
    reset draws (seeded by ``reset(seed=)``) unless ``options={"question": ..., "answers": [...]}`` gives one; without
    either the last one is played again. ``observations``: "text", "features" (vectors of question, visible sentences
    and actions; needs an index with vectors) or "both". ``reward``: "evidence_recall", "seen_recall", "answer_f1"
    (``answerer`` then gives the answer's text), another name that was registered (``reward_options`` are its own), the
    name of a reward plugin or a callable, see :mod:`harnessg.rewards`.

    ``terminated``: an answer action was taken; ``truncated``: the turn budget ran out. ``env.unwrapped.episode`` is the
    episode, with its trace.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        index: Index,
        *,
        profile: str = "default",
        scoring: str | None = None,
        embedder: Any = None,
        settings: Mapping[str, Any] | None = None,
        questions: Questions | None = None,
        observations: Observations = "text",
        reward: str | rewards.Reward = "evidence_recall",
        reward_options: Mapping[str, Any] | None = None,
        answerer: Answerer | None = None,
        render_mode: str | None = None,
    ) -> None:
        options = _with_answerer(reward_options, answerer)
        self._search = Search(index, profile, scoring, embedder, settings, questions, observations, reward, options)
        self._search.check_answerer()
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
        profile: str = "default",
        scoring: str | None = None,
        embedder: Any = None,
        settings: Mapping[str, Any] | None = None,
        questions: Questions | None = None,
        observations: Observations = "text",
        reward: str | rewards.Reward = "evidence_recall",
        reward_options: Mapping[str, Any] | None = None,
        answerer: Answerer | None = None,
        threads: int = 0,
        render_mode: str | None = None,
    ) -> None:
        options = _with_answerer(reward_options, answerer)
        self._search = Search(index, profile, scoring, embedder, settings, questions, observations, reward, options)
        self._search.check_answerer()
        self.render_mode = _checked_render_mode(render_mode)
        self.num_envs = num_envs
        self.single_action_space = self._search.action_space
        self.single_observation_space = self._search.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._pool = Pool(self._search.environment, num_envs, threads)
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._drawn: list[Drawn | None] = [None] * num_envs
        self._texts = np.full(num_envs, "", dtype=object)  # of the questions
        self._ids = np.full(num_envs, "", dtype=object)
        self._facts = np.zeros(num_envs, dtype=np.int64)  # supporting paragraphs of the questions
        # Episodes whose reward was given, which may have given them an answer; the others are the pool's.
        self._rewarded: dict[int, _native.Episode] = {}

    def episode(self, slot: int) -> _native.Episode:
        """The episode of one environment, with its trace. Stepping it does not step the environment."""
        self._check_started()
        return self._rewarded.get(slot) or self._pool[slot]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int | np.integer) else seed
        for slot, own in enumerate(seeds or [None] * self.num_envs):
            if own is not None or self._generators[slot] is None:
                self._generators[slot] = seeding.np_random(None if own is None else int(own))[0]
        given = self._given(options or {})
        self._start(range(self.num_envs), given)
        return self._observe(), self._infos([])

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        self._check_started()
        results = self._pool.advance(actions)
        results.check()
        terminations, truncations = self._pool.ended, self._pool.truncated
        over = results.skipped  # since the step before
        rewards_given = np.zeros(self.num_envs)
        worth = np.full(self.num_envs, True) if self._search.rewards_each_turn else terminations | truncations
        worth[over] = False
        for slot in np.flatnonzero(worth).tolist():
            episode = self._rewarded[slot] = self._pool[slot]
            rewards_given[slot] = self._search.value(self._drawn[slot], episode, results[slot].outcome)
        self._start(over, [None] * len(over))
        terminations[over] = truncations[over] = False
        return self._observe(), rewards_given, terminations, truncations, self._infos(results.blocked)

    def render(self) -> tuple[str, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(self._pool.observations())

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
        questions, seeds = [], []
        for slot, own in zip(slots, given, strict=True):
            question, facts, seed = self._drawn[slot] = self._search.draw(
                own, self._drawn[slot], self._generators[slot]
            )
            questions.append(question)
            seeds.append(seed)
            self._texts[slot] = question.question
            self._ids[slot] = question.id
            self._facts[slot] = len(facts.paragraphs)
            self._rewarded.pop(slot, None)
        self._pool.start(questions, seeds, list(slots)).check()

    def _check_started(self) -> None:
        if self._drawn[0] is None:
            raise InvalidArgumentError("there is no episode yet; call reset first")

    def _observe(self) -> Any:
        if self._search.observations == "text":
            return tuple(self._pool.observations())
        each = [self._search.observe(self._pool[slot]) for slot in range(self.num_envs)]
        space = self.single_observation_space
        return concatenate(space, each, create_empty_array(space, self.num_envs))

    def _infos(self, blocked: Iterable[tuple[int, str]]) -> dict[str, Any]:
        reasons = np.full(self.num_envs, "", dtype=object)
        for slot, reason in blocked:
            reasons[slot] = reason
        columns = {
            "action_mask": self._pool.action_mask(),
            "turn": self._pool.turns,
            "question": self._texts.copy(),
            "question_id": self._ids.copy(),
            "supporting_facts": self._facts.copy(),
            "invalid_reason": reasons,
        }
        return columns | {f"_{name}": np.ones(self.num_envs, dtype=bool) for name in columns}


def _with_answerer(options: Mapping[str, Any] | None, answerer: Answerer | None) -> dict[str, Any]:
    return dict(options or {}) | ({} if answerer is None else {"answerer": answerer})


def _checked_render_mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, "ansi"):
        raise InvalidArgumentError(f'render_mode is "ansi" or None, not {render_mode!r}')
    return render_mode


gymnasium.register(
    id="harnessg/Search-v0",
    entry_point="harnessg.gymnasium:HarnessEnv",
    vector_entry_point="harnessg.gymnasium:HarnessVectorEnv",
)
gymnasium.register(id="harnessg/FreeQuery-v0", entry_point="harnessg.gymnasium:HarnessFreeQueryEnv")
