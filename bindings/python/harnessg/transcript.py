"""A whole episode as one text for a language model, and which characters of it are whose.

>>> made = harnessg.Transcript.of(episode)  # or Transcript.from_turns([(written, observation), ...])
>>> offsets = tokenizer(made.text, return_offsets_mapping=True).offset_mapping
>>> mask = made.loss_mask(offsets)  # True: the model wrote this token
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from harnessg import _native

__all__ = ["ModelTurn", "TextSpan", "Transcript", "parse_turn", "plain_turns"]

Kind = Literal["observation", "action", "answer"]


@dataclass(frozen=True)
class TextSpan:
    """[begin, end) of a transcript. "observation": not the model's own, with what stands around it; "action": the
    ``<query>`` block of a turn; "answer": the ``<answer>`` block. ``turn`` counts from 0."""

    begin: int
    end: int
    kind: Kind
    turn: int


@dataclass(frozen=True)
class ModelTurn:
    """What a model wrote in one turn: "action" with the action's text, "answer" with the answer's, or "nothing" that an
    environment could do. [begin, end) is its block, in characters."""

    kind: Literal["nothing", "action", "answer"]
    text: str
    begin: int
    end: int


@dataclass(frozen=True)
class Transcript:
    """``spans`` count characters, as Python and tokenizers do, ``byte_spans`` bytes of UTF-8. Both ascend without
    overlaps, and come from how the text was put together: a tag written inside a thought or an observation makes
    none."""

    text: str
    spans: list[TextSpan]
    byte_spans: list[TextSpan]

    @classmethod
    def from_turns(
        cls, turns: Iterable[tuple[str, str]], before: str = "<knowledge>", after: str = "</knowledge>"
    ) -> Transcript:
        """From what the model wrote and what it was shown upon it, "" for nothing. ``before`` and ``after`` stand
        around every observation and are masked with it: a chat template's marks belong there."""
        text, spans, byte_spans = _native.transcript(list(turns), before, after)
        return cls(text, [TextSpan(*span) for span in spans], [TextSpan(*span) for span in byte_spans])

    @classmethod
    def of(cls, episode: _native.Episode, before: str = "<knowledge>", after: str = "</knowledge>") -> Transcript:
        """As a model that only acts would have played the episode."""
        return cls.from_turns(plain_turns(episode), before, after)

    def of_kind(self, kind: Kind) -> list[tuple[int, int]]:
        """(begin, end) of the spans of one kind, in characters: what harnessg.credit.token_credit takes."""
        return [(span.begin, span.end) for span in self.spans if span.kind == kind]

    def loss_mask(self, offset_mapping: ArrayLike) -> NDArray[np.bool_]:
        """For each token whether the model wrote it: it has a character, and none of an observation. ``offset_mapping``
        is a tokenizer's, in characters; special tokens are mapped to 0..0 and masked."""
        tokens = np.asarray(offset_mapping, dtype=np.int64).reshape(-1, 2)
        shown = np.array(self.of_kind("observation"), dtype=np.int64).reshape(-1, 2)
        own = tokens[:, 1] > tokens[:, 0]
        if len(shown) == 0:
            return own
        first = np.searchsorted(shown[:, 1], tokens[:, 0], side="right")  # the first that ends behind the token's begin
        begins = np.append(shown[:, 0], np.iinfo(np.int64).max)
        return own & (begins[first] >= tokens[:, 1])


def plain_turns(episode: _native.Episode) -> list[tuple[str, str]]:
    """(written, observation) of each turn: a call of INIT, one of each action, the answer where there is one."""
    return _native.plain_turns(episode)


def parse_turn(written: str) -> ModelTurn:
    """The first closed ``<query>`` or ``<answer>`` block decides."""
    return ModelTurn(*_native.parse_turn(written))
