"""Questions with answers and supporting facts, and where the facts lie in an index."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from harnessg import _native
from harnessg._native import Index, Question, Sentence, read_questions

__all__ = ["Facts", "Question", "as_question", "as_questions", "read_questions", "resolve_facts"]


@dataclass(frozen=True)
class Facts:
    """Where the supporting facts of a question lie in an index: sentences (of facts that name one), record ids of
    paragraphs (of all facts), and a phrase for each fact that is not there."""

    sentences: list[Sentence]
    paragraphs: list[str]
    missing: list[str]


def resolve_facts(index: Index, question: Question) -> Facts:
    return Facts(*_native.resolve_facts(index, question))


def as_question(given: str | dict | Question) -> Question:
    """A text, a dictionary with the keys of a questions file, or a Question."""
    if isinstance(given, Question):
        return given
    if isinstance(given, str):
        return Question(given)
    known = ("question", "answers", "id", "type", "supporting_facts")
    return Question(**{key: given[key] for key in known if key in given})


def as_questions(given: str | os.PathLike[str] | Iterable[str | dict | Question]) -> list[Question]:
    """The questions of a file of any format the engine reads, or of a list."""
    if isinstance(given, str | os.PathLike):
        return _native.read_questions(given)
    return [as_question(one) for one in given]
