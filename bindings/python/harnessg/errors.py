"""What the package raises. Each class stands for one kind of error of the engine; the message is one sentence: what is
wrong, where, and how to mend it. ``except harnessg.Error`` catches all of them.

A class that also derives from a built-in one is caught by it as well: a missing index is a FileNotFoundError.
"""


class Error(Exception):
    """Base of everything that the package raises on purpose."""


class InvalidArgumentError(Error, ValueError):
    """The call is wrong: a setting out of range, an action that is not on the menu."""


class BadInputError(Error, ValueError):
    """Data is wrong: a corpus line, a matrix, a question."""


class NotFoundError(Error, FileNotFoundError):
    """A file, a folder or a record is not there."""


class AlreadyExistsError(Error, FileExistsError):
    """The output is in the way; replace=True replaces an index."""


class WrongIndexError(Error):
    """A saved episode, a pickle or an embedder belongs to another index or other settings."""


class CorruptError(Error):
    """Bytes are not what was written."""


class UnsupportedVersionError(Error):
    """Written by a newer version of the engine."""


class UnavailableError(Error):
    """Not compiled in, or a model or device is missing."""


class IoError(Error, OSError):
    """The operating system said no: permissions, disk full."""


class EndedError(Error):
    """The search is over; reset for a new episode."""


class InternalError(Error, RuntimeError):
    """A broken promise of the engine: please report it."""


class ClosedError(Error, ValueError):
    """The object, or the index it needs, was closed."""


class ForkedError(Error, RuntimeError):
    """The engine was used before this process was forked; start children by spawn or forkserver."""
