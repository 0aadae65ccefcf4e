"""Benchmarks from Python: reports that `harnessg bench` wrote, and episodes played by a function of one's own.

>>> def policy(episode):  # the action to take: an id, a position or an Action; or an Answer
...     return episode.menu[0]
>>> with open("mine.jsonl", "w") as file:
...     for trace in harnessg.bench.play(environment, questions, policy, rollouts=4, seed=0):
...         file.write(trace.to_json() + "\\n")

`harnessg bench INDEX --questions FILE --policies none --traces mine=mine.jsonl --out DIR` measures such traces like a
policy of its own (docs/bench.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harnessg._native import Action, Environment, Episode, episode_seed
from harnessg.questions import Question, as_questions
from harnessg.trace import Trace

__all__ = ["Answer", "Figure", "Report", "play", "read_report"]


@dataclass(frozen=True)
class Answer:
    """Ends the search by ANSWER, where that is on the menu, and answers with the text."""

    text: str


@dataclass(frozen=True)
class Figure:
    """A mean over questions with its 95 % bootstrap interval."""

    name: str
    value: float
    low: float
    high: float
    questions: int


@dataclass(frozen=True)
class Report:
    """What `harnessg bench` wrote: figures by name ("reach/paragraphs/seen"), what was measured, and how many questions
    are missed at which level for which reason."""

    figures: dict[str, Figure]
    measured: dict
    misses: dict[str, dict[str, int]]
    gold_not_in_corpus: list[dict]

    def __getitem__(self, name: str) -> float:
        return self.figures[name].value


def read_report(folder: str | os.PathLike[str]) -> Report:
    """The report in the folder that was `--out`."""
    report = json.loads((Path(folder) / "report.json").read_text(encoding="utf-8"))
    figures = {figure["name"]: Figure(**figure) for figure in report["figures"]}
    return Report(figures, report["measured"], report["misses"], report["gold_not_in_corpus"])


def play(
    environment: Environment,
    questions: str | os.PathLike[str] | Iterable[str | dict | Question],
    policy: Callable[[Episode], str | int | Action | Answer],
    rollouts: int = 1,
    seed: int = 0,
    answer: Callable[[Episode], str] | None = None,
) -> Iterator[Trace]:
    """Plays `rollouts` episodes of each question by `policy` and yields their traces. `answer` gives the text after a
    search that ended by another action than `Answer`; without it such an episode has no answer. Rollout n of question
    q is seeded by `episode_seed(seed, q * rollouts + n)`, as `harnessg bench` seeds its own."""
    for number, question in enumerate(as_questions(questions)):
        for rollout in range(rollouts):
            episode = environment.reset(
                question.question, question.answers, question.id, episode_seed(seed, number * rollouts + rollout)
            )
            _play_one(episode, policy, answer)
            yield episode.trace


def _play_one(
    episode: Episode,
    policy: Callable[[Episode], str | int | Action | Answer],
    answer: Callable[[Episode], str] | None,
) -> None:
    while not episode.over:
        choice = policy(episode)
        if isinstance(choice, Answer):
            end = next((action for action in episode.menu if action.kind == "answer"), None)
            # Directly after the first view there is none: a turn that is blocked, as for a model that answers there.
            episode.step(choice.text if end is None else end)
            if end is not None:
                episode.answer(choice.text)
        else:
            episode.step(choice)
    if episode.ended and answer is not None and episode.trace.answer is None:
        episode.answer(answer(episode))
