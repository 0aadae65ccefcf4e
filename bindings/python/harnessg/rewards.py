"""Rewards of the Gymnasium environments: what a turn was worth.

A reward is any callable from a :class:`Turn` to a number. It can be given as it is, or by a name that it was registered
under. Those here ("evidence_recall", "seen_recall", "answer_f1") give 0 until the search is over, and so do the plugins
of ``harnessg.reward_plugins``, which are rewards of this kind too: see :class:`PluginReward`.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from harnessg import reward_plugins
from harnessg._native import Episode, FreeQueryEpisode, Outcome, QueryOutcome, Question, Sentence
from harnessg.errors import InvalidArgumentError, UnavailableError
from harnessg.questions import Facts


class Turn(NamedTuple):
    """One turn, after it was taken. ``outcome`` is None for the answer of the free-query arm."""

    episode: Episode | FreeQueryEpisode
    outcome: Outcome | QueryOutcome | None
    question: Question
    facts: Facts


Reward = Callable[[Turn], float]

_makers: dict[str, Callable[..., Reward]] = {}


def register(name: str, make: Callable[..., Reward]) -> None:
    """Makes a reward known by name: ``make(**reward_options)`` gives one for each environment that asks for it.

    InvalidArgumentError: the name is taken.
    """
    if name in _makers:
        raise InvalidArgumentError(f'there is a reward "{name}" already; choose another name')
    _makers[name] = make


def names() -> list[str]:
    """What is registered, in order of names."""
    return sorted(_makers)


def make(reward: str | Reward, **options: Any) -> Reward:
    """The reward of a name, made with its options; a callable is taken as it is and has none. A name that is not
    registered here is that of a plugin; "plugin:NAME" always is."""
    if callable(reward):
        if options:
            raise InvalidArgumentError(f"a callable reward takes no options, and {', '.join(options)} was given")
        return reward
    plugin = reward.removeprefix("plugin:")
    if reward not in _makers and plugin in reward_plugins.names():
        return PluginReward.make(plugin, **options)
    if reward not in _makers:
        raise InvalidArgumentError(
            f"reward is a callable, one of {', '.join(names())}, or one of the plugins "
            f"{', '.join(reward_plugins.names())}, not {reward!r}"
        )
    try:
        inspect.signature(_makers[reward]).bind(**options)
    except TypeError as error:
        raise InvalidArgumentError(f'reward "{reward}": {error}') from None
    return _makers[reward](**options)


def evidence_recall(turn: Turn) -> float:
    """When the search is over: the share of the question's supporting sentences that were selected.

    Where the facts name paragraphs only, the share of paragraphs a sentence was selected from; 0 where the question has
    no facts in this index.
    """
    return _recall(turn, turn.episode.selected) if turn.episode.over else 0.0


def seen_recall(turn: Turn) -> float:
    """The same of the sentences that were shown, selected or not: what both arms can be compared by."""
    return _recall(turn, turn.episode.seen) if turn.episode.over else 0.0


def _recall(turn: Turn, sentences: list[Sentence]) -> float:
    if turn.facts.sentences:
        return _share({sentence.id for sentence in sentences}, [sentence.id for sentence in turn.facts.sentences])
    return _share({sentence.paragraph for sentence in sentences}, turn.facts.paragraphs)


def _share(found: set, wanted: list) -> float:
    return len(found.intersection(wanted)) / len(wanted) if wanted else 0.0


@dataclass(frozen=True)
class AnswerF1:
    """When the search has ended with an answer: its text is compared to the question's answers by :func:`answer_f1`.
    0 for a search that ran out of turns. ``answerer`` is asked for the text, which is then given to the episode, where
    the policy's actions do not say it: in the environment that is played by menu."""

    answerer: Callable[[Episode], str] | None = None

    def __call__(self, turn: Turn) -> float:
        if not turn.episode.ended:
            return 0.0
        text = turn.episode.answer_text
        if text is None:
            text = self.answerer(turn.episode)
            turn.episode.answer(text)
        return answer_f1(text, turn.question.answers)


@dataclass(frozen=True)
class PluginReward:
    """A plugin's total of the episode when the search is over, 0 before.

    The plugin gets the episode's trace with the record of its question: the supporting facts, and what ``records`` has
    under the question's id, such as the gold events of "eager". ``answerer`` is asked for the answer's text as by
    :class:`AnswerF1`. UnavailableError where the plugin does not judge the episode, for a number would hide that.
    """

    plugin: reward_plugins.Reward
    records: Mapping[str, Mapping[str, Any]] | None = None
    answerer: Callable[[Episode], str] | None = None

    @staticmethod
    def make(
        name: str,
        *,
        records: Mapping[str, Mapping[str, Any]] | str | os.PathLike[str] | None = None,
        answerer: Callable[[Episode], str] | None = None,
        **settings: Any,
    ) -> PluginReward:
        """``records``: by question id, or a file of JSON lines, each with the "id" of its question; ``settings`` are
        the plugin's own."""
        if isinstance(records, str | os.PathLike):
            lines = Path(records).read_text(encoding="utf-8").splitlines()
            records = {str(record["id"]): record for record in map(json.loads, lines)}
        return PluginReward(reward_plugins.make(name, **settings), records, answerer)

    def __call__(self, turn: Turn) -> float:
        episode = turn.episode
        if not episode.over:
            return 0.0
        if episode.ended and episode.answer_text is None and self.answerer is not None:
            episode.answer(self.answerer(episode))
        rollout = {"supporting_facts": turn.question.supporting_facts} | self._record(turn.question.id)
        scored = self.plugin.score([rollout | {"trace": episode.trace}]).episodes[0]
        if scored.total is None:
            raise UnavailableError(f'reward "{self.plugin.name}" did not judge the episode: {scored.not_judged}')
        return scored.total

    def _record(self, question: str) -> dict[str, Any]:
        if self.records is None:
            return {}
        if question not in self.records:
            raise InvalidArgumentError(f'reward "{self.plugin.name}" has no record of the question {question!r}')
        return dict(self.records[question])


_NO_PARTS = ("yes", "no", "noanswer")


def answer_f1(given: str, answers: Iterable[str]) -> float:
    """F1 over normalised tokens against the best of the answers, as HotpotQA's evaluation defines it: "yes", "no" and
    "noanswer" earn nothing but by equality."""
    return max((_token_f1(_normalised(given), _normalised(answer)) for answer in answers), default=0.0)


def _normalised(text: str) -> str:
    kept = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


def _token_f1(given: str, answer: str) -> float:
    if given != answer and (given in _NO_PARTS or answer in _NO_PARTS):
        return 0.0
    given_tokens, answer_tokens = given.split(), answer.split()
    shared = sum((Counter(given_tokens) & Counter(answer_tokens)).values())
    if shared == 0:
        return 0.0
    return 2 * shared / (len(given_tokens) + len(answer_tokens))


register("evidence_recall", lambda: evidence_recall)
register("seen_recall", lambda: seen_recall)
register("answer_f1", AnswerF1)
