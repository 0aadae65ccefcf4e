"""Rewards of the Gymnasium environments: what a turn was worth.

A reward is any callable from a :class:`Turn` to a number. The two here give 0 until the search is over.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from harnessg._native import Episode, Outcome, Question
from harnessg.questions import Facts


@dataclass(frozen=True)
class Turn:
    """One turn, after it was taken."""

    episode: Episode
    outcome: Outcome
    question: Question
    facts: Facts


Reward = Callable[[Turn], float]


def evidence_recall(turn: Turn) -> float:
    """When the search is over: the share of the question's supporting sentences that were selected.

    Where the facts name paragraphs only, the share of paragraphs a sentence was selected from; 0 where the question has
    no facts in this index.
    """
    if not turn.episode.over:
        return 0.0
    if turn.facts.sentences:
        found = {sentence.id for sentence in turn.episode.selected}
        return _share(found, [sentence.id for sentence in turn.facts.sentences])
    return _share({sentence.paragraph for sentence in turn.episode.selected}, turn.facts.paragraphs)


def _share(found: set, wanted: list) -> float:
    return sum(one in found for one in wanted) / len(wanted) if wanted else 0.0


@dataclass(frozen=True)
class AnswerF1:
    """When the search has ended with an answer: ``answerer`` is asked for its text, which is given to the episode and
    compared to the question's answers by :func:`answer_f1`. 0 for a search that ran out of turns."""

    answerer: Callable[[Episode], str]

    def __call__(self, turn: Turn) -> float:
        if not turn.episode.ended:
            return 0.0
        text = self.answerer(turn.episode)
        turn.episode.answer(text)
        return answer_f1(text, turn.question.answers)


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
