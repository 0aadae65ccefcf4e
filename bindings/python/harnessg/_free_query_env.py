"""The free-query arm as a Gymnasium environment: the action is a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from harnessg import _native, rewards, transcript
from harnessg._search import Drawn, Search, UnicodeText
from harnessg.errors import InvalidArgumentError

# The longest action, in characters.
_MAX_ACTION = 4096


class HarnessFreeQueryEnv(gymnasium.Env[str, str]):
    """One episode at a time, played by free text (docs/free-query.md). For comparison with :class:`HarnessEnv`.

    An action is a search query, as it is or as a call ``<query>{"query": ...}</query>``, or the answer in
    ``<answer>...</answer>``, which ends the search; of several blocks the first that is closed decides. A text without
    a word is blocked: the turn is spent and nothing else changes. ``matched``: a query is mapped to the nearest lookup
    of the menu. The observation is the text block. ``reward``: "seen_recall", "answer_f1", another name or a callable;
    nothing is ever selected here, so "evidence_recall" is refused. The other arguments are those of HarnessEnv.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        index: Any,
        *,
        matched: bool = False,
        profile: str = "default",
        scoring: str | None = None,
        embedder: Any = None,
        settings: Mapping[str, Any] | None = None,
        questions: Any = None,
        reward: str | rewards.Reward = "seen_recall",
        reward_options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InvalidArgumentError(f'render_mode is "ansi" or None, not {render_mode!r}')
        self._search = Search(index, profile, scoring, embedder, settings, questions, "text", reward, reward_options)
        if self._search.reward is rewards.evidence_recall:
            raise InvalidArgumentError(
                'reward="evidence_recall" counts what was selected, and by free text nothing is; take "seen_recall"'
            )
        self._arm = _native.FreeQueryArm(self._search.environment, matched)
        self.render_mode = render_mode
        self.action_space = UnicodeText(_MAX_ACTION)
        self.observation_space = self._search.observation_space
        self.episode: _native.FreeQueryEpisode | None = None
        self._drawn: Drawn | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        given = options if options and "question" in options else None
        self._drawn = self._search.draw(given, self._drawn, self.np_random)
        question = self._drawn.question
        self.episode = self._arm.reset(question.question, question.answers, question.id, self._drawn.seed)
        return self.episode.observation, self._search.about(self._drawn, self.episode.turn)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        if self.episode is None or self._drawn is None:
            raise InvalidArgumentError("there is no episode yet; call reset first")
        written = transcript.parse_turn(action)
        outcome = None
        if written.kind == "answer":
            self.episode.answer(written.text)
        else:
            outcome = self.episode.step(written.text if written.kind == "action" else action)
        reward = self._search.value(self._drawn, self.episode, outcome)
        info = self._search.about(self._drawn, self.episode.turn)
        info["invalid_reason"] = "" if outcome is None else outcome.invalid_reason
        return self.episode.observation, reward, self.episode.ended, self.episode.truncated, info

    def render(self) -> str | None:
        if self.render_mode is None or self.episode is None:
            return None
        return self.episode.observation
