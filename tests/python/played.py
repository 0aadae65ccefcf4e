"""What the tests of the package play with: one question, a walk, a stand-in for an embedder."""

import os
import sys

import numpy as np

QUESTION = "Where was the director of the 1958 film Vertigo born?"


def letter_counts(texts):
    """A stand-in for a model: how often each letter occurs."""
    rows = np.array([[text.lower().count(chr(97 + i)) + 0.1 for i in range(26)] for text in texts], np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def play(episode):
    """Always the third action, while there is one."""
    while not episode.over:
        episode.step(min(2, len(episode.menu) - 1))
    return episode.trace.to_json()


def child_environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
