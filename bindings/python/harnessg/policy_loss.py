"""A small reference of the policy loss that EAGER trains with: token-level, clipped higher above than below, no KL.

>>> loss = policy_loss(new_logprobs, old_logprobs, advantages, mask)

It says what a trainer should compute; a trainer computes it on its own tensors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Clip:
    """Bounds of the ratio of new to old probability: 1 - ``low`` and 1 + ``high``."""

    low: float
    high: float


CLIP_HIGHER = Clip(low=0.2, high=0.28)


@dataclass(frozen=True)
class PolicyLoss:
    """``value``: the mean over all tokens of the batch; ``gradient``: by each new log-probability, in their shape;
    ``clipped``: the share of tokens whose gradient the clip took away."""

    value: float
    gradient: NDArray[np.float64]
    clipped: float


def policy_loss(
    new_logprobs: ArrayLike,
    old_logprobs: ArrayLike,
    advantages: ArrayLike,
    mask: ArrayLike,
    clip: Clip = CLIP_HIGHER,
) -> PolicyLoss:
    """``-min(ratio * A, clamp(ratio) * A)``, averaged over the tokens of all rollouts together, so that a long rollout
    weighs as many times as it has tokens.

    Log-probabilities and mask (1: the policy's own token) are rollouts by tokens; advantages one a rollout, or one a
    token. ValueError when the shapes do not fit or no token is the policy's own.
    """
    new = np.asarray(new_logprobs, dtype=np.float64)
    old = np.asarray(old_logprobs, dtype=np.float64)
    own = np.asarray(mask, dtype=bool)
    given = np.asarray(advantages, dtype=np.float64)
    if new.ndim != 2 or new.shape != old.shape or new.shape != own.shape:
        raise ValueError(
            f"log-probabilities and mask need one shape of rollouts by tokens, not {new.shape}, {old.shape}"
        )
    if given.shape not in (new.shape, new.shape[:1]):
        raise ValueError(f"advantages are one a rollout or one a token of {new.shape}, not {given.shape}")
    if not own.any():
        raise ValueError("no token is the policy's own")
    worth = given if given.ndim == 2 else np.broadcast_to(given[:, None], new.shape)
    ratio = np.exp(np.where(own, new - old, 0.0))
    plain = ratio * worth
    bounded = np.clip(ratio, 1 - clip.low, 1 + clip.high) * worth
    taken = own & (bounded < plain)
    tokens = int(own.sum())
    value = -np.where(own, np.minimum(plain, bounded), 0.0).sum() / tokens
    gradient = -np.where(own & ~taken, plain, 0.0) / tokens
    return PolicyLoss(float(value), gradient, float(taken.sum() / tokens))
