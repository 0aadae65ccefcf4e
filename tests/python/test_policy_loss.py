"""The reference policy loss: Clip-Higher, token-level, no KL."""

import numpy as np
import pytest
from harnessg.policy_loss import CLIP_HIGHER, Clip, policy_loss


def loss_of(ratio: float, advantage: float, clip: Clip = CLIP_HIGHER):
    return policy_loss([[np.log(ratio)]], [[0.0]], [advantage], [[1]], clip)


@pytest.mark.parametrize(
    ("ratio", "advantage", "value", "clipped"),
    [
        (1.0, 2.0, -2.0, 0),
        (1.25, 2.0, -2.5, 0),  # within 1.28, past the usual 1.2
        (1.5, 2.0, -2.56, 1),
        (0.5, 2.0, -1.0, 0),  # a good token that became rarer is pulled back
        (1.5, -2.0, 3.0, 0),  # a bad one that became more frequent too
        (0.9, -2.0, 1.8, 0),
        (0.5, -2.0, 1.6, 1),
        (0.5, 0.0, 0.0, 0),
    ],
)
def test_one_token_is_clipped_on_the_side_that_gains(ratio, advantage, value, clipped):
    loss = loss_of(ratio, advantage)
    assert loss.value == pytest.approx(value, abs=1e-12)
    assert loss.clipped == clipped
    assert loss.gradient[0, 0] == pytest.approx(0 if clipped else -ratio * advantage, abs=1e-12)


def test_every_token_of_the_batch_weighs_the_same():
    mask = [[1, 1, 1], [1, 0, 0]]
    zeros = np.zeros((2, 3))
    loss = policy_loss(zeros, zeros, [1.0, -1.0], mask)
    assert loss.value == pytest.approx(-(3 - 1) / 4)
    assert loss.gradient.tolist() == [[-0.25] * 3, [0.25, 0.0, 0.0]]


def test_other_tokens_have_no_part_in_it():
    new = [[0.1, 700.0], [0.0, np.nan]]
    loss = policy_loss(new, np.zeros((2, 2)), [1.0, 1.0], [[1, 0], [1, 0]])
    assert np.isfinite(loss.value)
    assert loss.gradient[:, 1].tolist() == [0.0, 0.0]


def test_the_gradient_is_that_of_the_value():
    random = np.random.default_rng(3)
    new, old = random.normal(size=(2, 4, 6)) * 0.3
    advantages, mask = random.normal(size=(4, 6)), random.random((4, 6)) < 0.7
    loss = policy_loss(new, old, advantages, mask)
    step = 1e-6
    for row, column in np.ndindex(new.shape):
        moved = new.copy()
        moved[row, column] += step
        slope = (policy_loss(moved, old, advantages, mask).value - loss.value) / step
        assert slope == pytest.approx(loss.gradient[row, column], abs=1e-5)


def test_shapes_that_do_not_fit_are_refused():
    zeros = np.zeros((2, 3))
    with pytest.raises(ValueError, match="one shape"):
        policy_loss(zeros, np.zeros((2, 2)), [1.0, 1.0], zeros)
    with pytest.raises(ValueError, match="one a rollout"):
        policy_loss(zeros, zeros, [1.0, 1.0, 1.0], np.ones((2, 3)))
    with pytest.raises(ValueError, match="policy's own"):
        policy_loss(zeros, zeros, [1.0, 1.0], zeros)
