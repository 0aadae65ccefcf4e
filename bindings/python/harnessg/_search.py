"""What the single and the vector Gymnasium environment share: spaces, observations, questions, rewards."""

from __future__ import annotations

import os
import string
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from harnessg import _native, _reopen, rewards
from harnessg.errors import InvalidArgumentError, UnavailableError
from harnessg.questions import Facts, Question, as_question, as_questions, resolve_facts

Observations = Literal["text", "features", "both"]

# The longest observation, in characters: more than any menu and its sentences take.
_MAX_TEXT = 1 << 20
# Unit rows, with room for rounding.
_MAX_VALUE = 1.01

KIND_CODES = {"select": 1, "answer_with": 2, "lookup": 3, "answer": 4}


class UnicodeText(spaces.Text):
    """Any text up to a length, whatever its characters. Samples are plain ASCII."""

    def __init__(self, max_length: int) -> None:
        super().__init__(max_length, min_length=0, charset=string.printable)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"


class Drawn(NamedTuple):
    """What an episode is about, and its seed."""

    question: Question
    facts: Facts
    seed: int


def _bits(generator: np.random.Generator) -> int:
    """63 pseudo-random bits; Generator.integers takes eight times as long for one number."""
    return generator.bit_generator.random_raw() >> 1


class Search:
    """An environment of the engine with the questions, the observations and the reward that were asked for."""

    def __init__(
        self,
        index: str | os.PathLike[str] | _native.Index,
        profile: str,
        scoring: str | None,
        embedder: Any,
        settings: Mapping[str, Any] | None,
        questions: str | os.PathLike[str] | Iterable[str | dict | Question] | None,
        observations: Observations,
        reward: str | rewards.Reward,
        reward_options: Mapping[str, Any] | None,
    ) -> None:
        if isinstance(index, _native.Index):
            self.environment = _native.Environment(index, profile, scoring, embedder, **(settings or {}))
        else:
            at = _reopen.index_at(index)
            self.environment = _reopen.environment(
                at.path, at.content_hash, profile, scoring, embedder, dict(settings or {})
            )
        self.questions = None if questions is None else as_questions(questions)
        if self.questions is not None and not self.questions:
            raise InvalidArgumentError("the list of questions is empty; give at least one, or none at all")
        self.reward = rewards.make(reward, **(reward_options or {}))
        # Those of the package give nothing before the search is over.
        at_the_end = (rewards.evidence_recall, rewards.seen_recall)
        self.rewards_each_turn = self.reward not in at_the_end and not isinstance(
            self.reward, rewards.AnswerF1 | rewards.PluginReward
        )
        self._facts: dict[int, Facts] = {}  # of questions that were drawn
        self.observations = observations
        self.action_space = spaces.Discrete(self.environment.menu_bound)
        self.observation_space = self._observation_space()

    def draw(self, given: str | dict | Question | None, last: Drawn | None, generator: np.random.Generator) -> Drawn:
        """The question to play: the one given, else one drawn from the list, else the last one again."""
        if given is not None:
            question = as_question(given)
        elif self.questions is not None:
            number = _bits(generator) % len(self.questions)
            if number not in self._facts:
                self._facts[number] = resolve_facts(self.environment.index, self.questions[number])
            return Drawn(self.questions[number], self._facts[number], _bits(generator))
        elif last is not None:
            question = last.question
        else:
            raise InvalidArgumentError(
                'there is no question to play; give reset(options={"question": ...}), or questions= when making the '
                "environment"
            )
        facts = resolve_facts(self.environment.index, question)
        return Drawn(question, facts, _bits(generator))

    def value(
        self,
        drawn: Drawn,
        episode: _native.Episode | _native.FreeQueryEpisode,
        outcome: _native.Outcome | _native.QueryOutcome | None,
    ) -> float:
        return float(self.reward(rewards.Turn(episode, outcome, drawn.question, drawn.facts)))

    def check_answerer(self) -> None:
        """InvalidArgumentError where nobody could say the answer's text: no action of a menu holds it."""
        if isinstance(self.reward, rewards.AnswerF1) and self.reward.answerer is None:
            raise InvalidArgumentError(
                'reward="answer_f1" needs answerer=, a callable from the episode to the answer\'s text'
            )

    def observe(self, episode: _native.Episode) -> Any:
        if self.observations == "text":
            return episode.observation
        features = self._features(episode)
        return {"text": episode.observation, **features} if self.observations == "both" else features

    def info(self, drawn: Drawn, episode: _native.Episode) -> dict[str, Any]:
        mask = np.zeros(self.environment.menu_bound, dtype=np.int8)
        mask[: episode.menu_size] = 1
        return {"action_mask": mask, **self.about(drawn, episode.turn)}

    def about(self, drawn: Drawn, turn: int) -> dict[str, Any]:
        """What info says of an episode of either arm."""
        return {
            "turn": turn,
            "question": drawn.question.question,
            "question_id": drawn.question.id,
            "supporting_facts": len(drawn.facts.paragraphs),
        }

    def _observation_space(self) -> gymnasium.Space[Any]:
        text = UnicodeText(_MAX_TEXT)
        if self.observations == "text":
            return text
        if self.observations not in ("features", "both"):
            raise InvalidArgumentError(f'observations are "text", "features" or "both", not {self.observations!r}')
        environment = self.environment
        if environment.scoring == "lexical":
            raise UnavailableError(
                f"{environment.index.path} is scored lexically here, and features are made of vectors; take an index "
                'with vectors and dense or hybrid scoring, or observations="text"'
            )

        def rows(count: int) -> spaces.Box:
            return spaces.Box(-_MAX_VALUE, _MAX_VALUE, (count, environment.index.dim), np.float32)

        features = {
            "question": spaces.Box(-_MAX_VALUE, _MAX_VALUE, (environment.index.dim,), np.float32),
            "visible": rows(environment.visible_bound),
            "visible_mask": spaces.MultiBinary(environment.visible_bound),
            "actions": rows(environment.menu_bound),
            "action_kinds": spaces.Box(0, len(KIND_CODES), (environment.menu_bound,), np.int8),
        }
        return spaces.Dict({"text": text, **features} if self.observations == "both" else features)

    def _features(self, episode: _native.Episode) -> dict[str, NDArray[Any]]:
        """Vectors of what the policy sees, padded with zeros to the bounds; kinds by KIND_CODES, 0 for padding."""
        index = self.environment.index
        sentences, entities = index.vectors("sentence"), index.vectors("entity")
        visible = np.zeros((self.environment.visible_bound, index.dim), np.float32)
        visible_mask = np.zeros(self.environment.visible_bound, np.int8)
        for row, sentence in enumerate(episode.visible):
            visible[row] = sentences[sentence.id]
            visible_mask[row] = 1
        actions = np.zeros((self.environment.menu_bound, index.dim), np.float32)
        kinds = np.zeros(self.environment.menu_bound, np.int8)
        for row, action in enumerate(episode.menu):
            kinds[row] = KIND_CODES[action.kind]
            if action.sentence is not None:
                actions[row] = sentences[action.sentence.id]
            elif action.entity is not None:
                actions[row] = entities[action.entity.id]
        return {
            "question": episode.query_vector,
            "visible": visible,
            "visible_mask": visible_mask,
            "actions": actions,
            "action_kinds": kinds,
        }
