"""Harness-G: search environments by menu over a paragraph / sentence / entity graph.

>>> index = harnessg.open("INDEX")
>>> environment = harnessg.Environment(index)
>>> episode = environment.reset("Who directed Vertigo?")
>>> print(episode.observation)
>>> outcome = episode.step("A0")

docs/python.md tells the rest.
"""

import importlib.util

from harnessg import _reopen, bench, credit, errors, questions, rewards, trace, transcript
from harnessg._build import build
from harnessg._native import (
    Action,
    Entity,
    Environment,
    Episode,
    FreeQueryArm,
    FreeQueryEpisode,
    Index,
    Outcome,
    QueryOutcome,
    Sentence,
    SlotResult,
    __version__,
    episode_seed,
    open,
    profile_names,
    verify,
)
from harnessg.errors import (
    AlreadyExistsError,
    BadInputError,
    ClosedError,
    CorruptError,
    EndedError,
    Error,
    ForkedError,
    InternalError,
    InvalidArgumentError,
    IoError,
    NotFoundError,
    UnavailableError,
    UnsupportedVersionError,
    WrongIndexError,
)
from harnessg.pool import Pool
from harnessg.questions import Facts, Question, read_questions, resolve_facts
from harnessg.trace import Trace
from harnessg.transcript import Transcript

__all__ = [
    "Action",
    "AlreadyExistsError",
    "BadInputError",
    "ClosedError",
    "CorruptError",
    "EndedError",
    "Entity",
    "Environment",
    "Episode",
    "Error",
    "Facts",
    "ForkedError",
    "FreeQueryArm",
    "FreeQueryEpisode",
    "Index",
    "InternalError",
    "InvalidArgumentError",
    "IoError",
    "NotFoundError",
    "Outcome",
    "Pool",
    "QueryOutcome",
    "Question",
    "Sentence",
    "SlotResult",
    "Trace",
    "Transcript",
    "UnavailableError",
    "UnsupportedVersionError",
    "WrongIndexError",
    "__version__",
    "bench",
    "build",
    "credit",
    "episode_seed",
    "errors",
    "open",
    "profile_names",
    "questions",
    "read_questions",
    "resolve_facts",
    "rewards",
    "trace",
    "transcript",
    "verify",
]

Episode.trace = property(trace.record, doc="What the episode did so far: a Trace.")
Episode.record_trace = trace.record
FreeQueryEpisode.trace = property(trace.record_free_query, doc="What the episode did so far: a Trace.")
_reopen.install()

# gymnasium.make("harnessg/Search-v0") works wherever Gymnasium is installed.
if importlib.util.find_spec("gymnasium") is not None:
    from harnessg import gymnasium as _gymnasium  # noqa: F401
