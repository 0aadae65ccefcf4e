"""Pickling by reference: an index travels as path and content hash, an environment as index and settings, an episode as
its saved bytes and its environment, one of the free-query arm as its texts. Each process opens what it is sent once and
keeps the last few open."""

from __future__ import annotations

import copyreg
import json
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from harnessg import _native
from harnessg.errors import WrongIndexError

_KEPT = 8


class _Kept:
    """The last few things opened here, by what they were opened from."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._lock = threading.RLock()
        self._entries: OrderedDict[Any, Any] = OrderedDict()

    def find(self, key: Any, make: Callable[[], Any]) -> Any:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.closed:
                entry = make()
            self.keep(key, entry)
            return entry

    def keep(self, key: Any, entry: Any) -> None:
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > _KEPT:
                self._entries.popitem(last=False)


_indexes = _Kept()
_environments = _Kept()


def _after_fork() -> None:
    """What was opened before a fork is no use in the child."""
    _indexes.forget()
    _environments.forget()


os.register_at_fork(after_in_child=_after_fork)


def index(path: str, content_hash: str) -> _native.Index:
    return _indexes.find((path, content_hash), lambda: _open(path, content_hash))


def _open(path: str, content_hash: str) -> _native.Index:
    opened = _native.open(path)
    if opened.content_hash == content_hash:
        return opened
    found = opened.content_hash
    opened.close()
    raise WrongIndexError(
        f"{path} holds index {found}, and what was pickled belongs to {content_hash}; put that index there"
    )


def index_at(path: str | os.PathLike[str]) -> _native.Index:
    """The index in a folder, opened once for all who ask for it."""
    path = os.path.abspath(path)
    try:
        with open(os.path.join(path, "MANIFEST.json"), encoding="utf-8") as manifest:
            content_hash = json.load(manifest)["content_hash"]
    except (OSError, ValueError, KeyError):
        return _native.open(path)  # says what is wrong
    return index(path, content_hash)


def environment(
    path: str, content_hash: str, profile: str, scoring: str | None, embedder: Any, settings: dict[str, Any]
) -> _native.Environment:
    def make() -> _native.Environment:
        return _native.Environment(index(path, content_hash), profile, scoring, embedder, **settings)

    key = (path, content_hash, profile, scoring, embedder, tuple(sorted(settings.items())))
    try:
        hash(key)
    except TypeError:  # an embedder that cannot be a key
        return make()
    return _environments.find(key, make)


def episode(made_from: _native.Environment, saved: bytes) -> _native.Episode:
    return made_from.restore(saved)


def free_query_arm(environment: _native.Environment, matched: bool) -> _native.FreeQueryArm:
    return _native.FreeQueryArm(environment, matched)


def free_query_episode(
    arm: _native.FreeQueryArm, task: tuple[str, list[str], str, int], queries: list[str], answer: str | None
) -> _native.FreeQueryEpisode:
    """An episode of the free-query arm is its texts, played again."""
    made = arm.reset(*task)
    for query in queries:
        made.step(query)
    if answer is not None:
        made.answer(answer)
    return made


def sentence(of: _native.Index, id: int) -> _native.Sentence:
    return of.sentence(id)


def entity(of: _native.Index, id: int) -> _native.Entity:
    return of.entity(id)


def _reduce_index(value: _native.Index) -> tuple[Any, ...]:
    return index, (value.path, value.content_hash)


def _reduce_environment(value: _native.Environment) -> tuple[Any, ...]:
    return environment, (value.index.path, value.index.content_hash, *value.recipe)


def _reduce_episode(value: _native.Episode) -> tuple[Any, ...]:
    return episode, (value.environment, value.save())


def _reduce_free_query_arm(value: _native.FreeQueryArm) -> tuple[Any, ...]:
    return free_query_arm, (value.environment, value.matched)


def _reduce_free_query_episode(value: _native.FreeQueryEpisode) -> tuple[Any, ...]:
    task = (value.question, value.answers, value.id, value.seed)
    return free_query_episode, (value.arm, task, value.queries, value.answer_text)


def _reduce_sentence(value: _native.Sentence) -> tuple[Any, ...]:
    return sentence, (value.index, value.id)


def _reduce_entity(value: _native.Entity) -> tuple[Any, ...]:
    return entity, (value.index, value.id)


def install() -> None:
    """Makes copy and pickle do as this file says. An index and an environment are shared by their copies."""
    copyreg.pickle(_native.Index, _reduce_index)
    copyreg.pickle(_native.Environment, _reduce_environment)
    copyreg.pickle(_native.Episode, _reduce_episode)
    copyreg.pickle(_native.FreeQueryArm, _reduce_free_query_arm)
    copyreg.pickle(_native.FreeQueryEpisode, _reduce_free_query_episode)
    copyreg.pickle(_native.Sentence, _reduce_sentence)
    copyreg.pickle(_native.Entity, _reduce_entity)
    for shared in (_native.Index, _native.Environment):
        shared.__copy__ = lambda self: self
        shared.__deepcopy__ = lambda self, memo: self
