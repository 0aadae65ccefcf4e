"""Rewards of whole rollouts, by plugin: not to be confused with ``harnessg.rewards``, which is about single turns.

>>> reward = harnessg.reward_plugins.make("eager", schemas="schemas.jsonl", weights={"format": 0.5})
>>> report = reward.score(rollouts, group="id")
>>> report.episodes[0].total, report.episodes[0].advantage, report.monitors["collapse"]

docs/rewards.md tells what the plugins take and mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from harnessg import _native
from harnessg.trace import Trace

Rollout = Mapping[str, Any] | Trace | _native.Episode
Level = Literal["group", "episode", "step"]


@dataclass(frozen=True)
class Component:
    """One named reward; ``weight`` is its part in the total."""

    name: str
    level: Level = "episode"
    weight: float = 1.0
    meaning: str = ""


@dataclass(frozen=True)
class EpisodeReward:
    """What one rollout earned. A value that was not judged is None, never 0, and ``not_judged`` says why."""

    group: str
    total: float | None
    advantage: float | None
    components: dict[str, float | None]
    steps: list[dict[str, Any]]
    not_judged: str | None
    detail: dict[str, Any] | None


@dataclass(frozen=True)
class Report:
    """One :class:`EpisodeReward` a rollout, in order; the means of the components; the monitors."""

    episodes: list[EpisodeReward]
    means: dict[str, float | None]
    monitors: dict[str, Any]


class Reward:
    """A reward by its name, with its settings. Made by :func:`make`; may be used from several threads."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self._native = _native.Reward(name, json.dumps(dict(settings)))

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def components(self) -> list[Component]:
        return [Component(*one) for one in self._native.components]

    def score(
        self,
        rollouts: Iterable[Rollout],
        *,
        group: str = "",
        advantages: Literal["rdn", "gdpo", "gdpo_tokens"] = "rdn",
        tokens: Sequence[int] = (),
    ) -> Report:
        """Scores a batch. A rollout is a record (a dictionary), an episode or its trace, or a record with an episode or
        trace under "trace". ``group`` is the key that tells rollouts of one question apart; "" leaves each alone.
        ``tokens``, the length of each rollout, is for "gdpo_tokens"."""
        lines = [_line(rollout) for rollout in rollouts]
        episodes, summary = self._native.score(lines, group, advantages, list(tokens))
        read = [json.loads(line) for line in episodes]
        whole = json.loads(summary)
        for one in read:
            del one["input"]
        return Report([EpisodeReward(**one) for one in read], whole["means"], whole["monitors"])


def make(name: str, **settings: Any) -> Reward:
    """The reward of that name; ``weights={component: number}`` for any of them, other settings are its own."""
    return Reward(name, settings)


def names() -> list[str]:
    """The rewards there are."""
    return list(_native.reward_names())


@dataclass
class Scored:
    """What a plugin of one's own says about one rollout: values by component name, None for one not judged (then
    ``not_judged`` says why); ``steps``, each ``{"step": n, component: value}`` in ascending order."""

    values: dict[str, float | None]
    steps: list[dict[str, Any]] = field(default_factory=list)
    not_judged: str = ""
    output: str = ""
    failed: bool = False
    detail: dict[str, Any] | None = None


@dataclass
class Scores:
    """What a plugin says about a batch, where it has more to say than a list of :class:`Scored`: values of the groups,
    by component name and in the order of ``groups``, and monitors."""

    episodes: list[Scored]
    groups: list[dict[str, float | None]] = field(default_factory=list)
    monitors: dict[str, Any] = field(default_factory=dict)


def register(name: str) -> Callable[[type], type]:
    """Makes a class a reward of that name, for :func:`make` and as a part of "sum".

    The class has ``components``, a list of :class:`Component`; it is made with the settings as keyword arguments; and
    ``score(rollouts, groups)`` takes a list of dictionaries with "group", "record" and "trace" (a dictionary or None),
    and the positions of the members of each group, and gives a list of :class:`Scored` or :class:`Scores`. Same
    rollouts, same scores. ValueError when the name is taken.
    """

    def known(plugin: type) -> type:
        def factory(settings: str) -> tuple[list[tuple], Callable[[str, str], str]]:
            made = plugin(**json.loads(settings))
            return [(one.name, one.level, one.weight, one.meaning) for one in made.components], _adapted(made)

        if not _native.register_reward(name, factory):
            raise ValueError(f'there is a reward "{name}" already; choose another name')
        return plugin

    return known


def _adapted(plugin: Any) -> Callable[[str, str], str]:
    def score(rollouts: str, groups: str) -> str:
        given = plugin.score(json.loads(rollouts), json.loads(groups))
        scores = given if isinstance(given, Scores) else Scores(list(given))
        episodes = [vars(one) for one in scores.episodes]
        return json.dumps({"episodes": episodes, "groups": scores.groups, "monitors": scores.monitors})

    return score


def decoupled_advantages(
    rewards: Iterable[Sequence[float]],
    groups: Iterable[Any],
    *,
    variant: Literal["rdn", "gdpo", "gdpo_tokens"] = "rdn",
    weights: Sequence[float] = (),
    tokens: Sequence[int] = (),
) -> list[float]:
    """Each reward normalised within its group, then added: one advantage a rollout. ``rewards``: a row a rollout;
    ``groups``: anything that tells groups apart."""
    numbers: dict[Any, int] = {}
    ids = [numbers.setdefault(group, len(numbers)) for group in groups]
    return _native.decoupled_advantages([list(row) for row in rewards], ids, variant, list(weights), list(tokens))


def _line(rollout: Rollout) -> str:
    if isinstance(rollout, _native.Episode):
        return rollout.trace.to_json()
    if isinstance(rollout, Trace):
        return rollout.to_json()
    record = dict(rollout)
    trace = record.pop("trace", None)
    if isinstance(trace, _native.Episode):
        trace = trace.trace
    if trace is None:
        return json.dumps(record)
    inside = trace.to_json() if isinstance(trace, Trace) else json.dumps(trace)
    return f'{{"trace": {inside}, {json.dumps(record)[1:]}' if record else f'{{"trace": {inside}}}'
