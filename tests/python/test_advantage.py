"""`harnessg.credit`: advantages, and the way from characters to tokens."""

import gzip
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

harnessg = pytest.importorskip("harnessg")
credit = pytest.importorskip("harnessg.credit")

RECIPES = Path(__file__).resolve().parents[2] / "docs" / "recipes"


class TestAdvantages:
    def test_the_numbers_of_the_specification(self):
        result = credit.advantages([0.0, 0.0], ["a", "b"], [[0.7], [0.4]])
        assert result.scale == pytest.approx(0.15)
        assert result.snc[0] == pytest.approx([0.7 / 0.15])
        assert result.total[1] == pytest.approx([0.2 * 0.4 / 0.15])

    def test_outcomes_are_compared_within_their_group_and_a_group_of_one_keeps_its_reward(self):
        result = credit.advantages([1.0, 0.0, 0.3], ["a", "a", ("b", 1)], [[0, 0], [0], []])
        assert result.outcome == pytest.approx([np.sqrt(0.5), -np.sqrt(0.5), 0.3], abs=1e-5)
        assert [len(one) for one in result.total] == [2, 1, 0]
        assert result.total[0] == pytest.approx([result.outcome[0]] * 2)

    def test_a_batch_of_nothing_is_fine_and_lengths_must_fit(self):
        assert credit.advantages([], [], []).total == []
        with pytest.raises(harnessg.InvalidArgumentError):
            credit.advantages([1.0], ["a", "b"], [[0]])
        with pytest.raises(harnessg.InvalidArgumentError):
            credit.advantages([1.0], ["a"], [[0]], clamp=0)

    def test_episodes_of_several_tokens_keep_their_own(self):
        rng = np.random.default_rng(3)
        tokens = [rng.normal(size=size) for size in (4, 0, 7, 1)]
        result = credit.advantages([1, 2, 3, 4], [0, 0, 1, 1], tokens, lambda_=0.5)
        scale = max(np.concatenate(tokens).std(), 5e-4)
        for own, snc, total, outcome in zip(tokens, result.snc, result.total, result.outcome, strict=True):
            assert snc == pytest.approx(np.clip(own / scale, -5, 5))
            assert total == pytest.approx(outcome + 0.5 * snc)


def tokens_of(text, cuts):
    """Offsets of tokens that end at these positions, and at the end of the text."""
    ends = [*cuts, len(text)]
    return list(zip([0, *ends[:-1]], ends, strict=True))


class TestTokens:
    TEXT = 'Hm.\n<query>{"query": "A1"}</query>\n<knowledge>x</knowledge>'

    def test_the_actions_of_a_response_are_found_in_characters(self):
        text = "日本" + self.TEXT
        spans = credit.response_spans(text)
        assert [text[slice(*span)] for span in spans.actions] == ['<query>{"query": "A1"}</query>']
        assert [text[slice(*span)] for span in spans.observations] == ["<knowledge>x</knowledge>"]
        assert spans.answers == []

    def test_tokens_merged_over_both_edges_carry_their_share(self):
        [span] = credit.response_spans(self.TEXT).actions
        begin, end = span
        offsets = [(0, 0), *tokens_of(self.TEXT, [2, begin + 1, begin + 7, end - 1, end + 2]), (0, 0)]
        assert self.TEXT[slice(*offsets[2])] == ".\n<"
        assert self.TEXT[slice(*offsets[5])] == ">\n<"
        result = credit.token_credit([0.8], [span], offsets)
        assert result.tolist() == [0, 0, 0.2, 0.2, 0.2, 0.2, 0, 0]
        assert credit.token_owners([span], offsets).tolist() == [-1, -1, 0, 0, 0, 0, -1, -1]

    def test_a_token_shared_by_two_turns_belongs_to_the_one_with_more_of_it(self):
        assert credit.token_credit([1.0, -1.0], [(0, 4), (4, 9)], [(0, 3), (3, 6), (6, 9)]).tolist() == [
            1.0,
            -0.5,
            -0.5,
        ]

    def test_credit_is_never_lost_in_silence(self):
        with pytest.raises(harnessg.InvalidArgumentError, match="no token"):
            credit.token_credit([0.8], [(5, 9)], [(0, 5), (9, 12)])
        with pytest.raises(harnessg.InvalidArgumentError):
            credit.token_credit([0.8, 0.1], [(5, 9)], [(0, 12)])
        with pytest.raises(harnessg.InvalidArgumentError, match="pairs"):
            credit.token_credit([0.8], [5, 9], [(0, 12)])
        assert credit.token_credit([0.0, 0.5], [(0, 0), (5, 9)], [(5, 9)]).tolist() == [0.5]

    def test_a_batch_goes_from_credit_to_advantages_at_once(self):
        own = [[0.0, 0.7, -0.2], [0.0], [0.0, 0.0, 0.0, 0.4], [0.0, 0.1]]
        texts = ["".join(f"<query>{turn}</query>." for turn in range(len(one))) for one in own]
        spans = [credit.response_spans(text).actions for text in texts]
        offsets = [tokens_of(text, range(3, len(text), 3)) for text in texts]
        outcomes = [0.0, 1.0, 0.5, 0.5]
        result = credit.token_advantages(spans, offsets, own, outcomes, [0, 0, 1, 1], lambda_=0.3)
        tokens = [credit.token_credit(*each) for each in zip(own, spans, offsets, strict=True)]
        assert [one.sum() for one in tokens] == pytest.approx([sum(one) for one in own])
        expected = credit.advantages(outcomes, [0, 0, 1, 1], tokens, lambda_=0.3)
        for one, other in zip(result.total, expected.total, strict=True):
            assert one.tolist() == other.tolist()


def recorded_lines(shared, name):
    with gzip.open(shared / "conformance" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["2wiki", "hotpot", "musique"])
def test_advantages_of_tokens_equal_the_recorded_ones(shared, name):
    """Responses as they were recorded, one token a character; see the README of the recorded data."""
    rows = recorded_lines(shared, f"snc-{name}")
    said = {
        (row["qid"], row["seq"]): [step["action"] for step in row["steps"]]
        for row in recorded_lines(shared, f"episodes-{name}")
    }
    batch = next(row for row in rows if row["kind"] == "batch" and row["tag"] == "fnv")
    recorded = [row for row in rows if row["kind"] == "episode" and row["tag"] == "fnv"]
    turns, texts = [], []
    for row in recorded:
        actions = said[row["qid"], row["seq"]]
        steps = {step["t"]: step["r_total"] for step in row["steps"]}
        turns.append([steps.get(t, 0.0) for t in range(len(actions))])
        queries = [json.dumps({"query": "x" if "<" in action else action}, ensure_ascii=False) for action in actions]
        texts.append("".join(f"<query>{query}</query><knowledge>k</knowledge>" for query in queries))
    spans = [credit.response_spans(text).actions for text in texts]
    offsets = [tokens_of(text, range(1, len(text))) for text in texts]
    result = credit.token_advantages(
        spans, offsets, turns, [row["outcome"] for row in recorded], [row["qid"] for row in recorded]
    )
    assert len(recorded) == batch["episodes"]
    assert result.support == batch["support_tokens"]
    assert result.scale == pytest.approx(batch["scale"], rel=1e-5)
    compared = 0
    for row, own, snc, total, alone in zip(recorded, spans, result.snc, result.total, result.outcome, strict=True):
        if row["deviates"]:
            continue
        assert alone == pytest.approx(row["outcome_adv"], abs=1e-5)
        for step in row["steps"]:
            if "span_len" in step:
                begin, end = own[step["t"]]
                assert end - begin == step["span_len"]
                assert snc[begin:end] == pytest.approx([step["snc_adv"]] * (end - begin), abs=1e-5)
                assert total[begin:end] == pytest.approx([step["adv"]] * (end - begin), abs=1e-5)
                compared += 1
    assert compared > 100


def test_the_recipe_of_the_reported_runs_agrees_with_the_defaults():
    recipe = tomllib.loads((RECIPES / "grpo-snc.toml").read_text(encoding="utf-8"))
    snc, advantage = recipe["step_credit"], recipe["advantage"]
    defaults = credit.snc.__kwdefaults__
    assert {key: defaults[key] for key in snc if key in defaults} == {key: snc[key] for key in snc if key in defaults}
    assert len([key for key in snc if key in defaults]) >= 5
    given = credit.token_advantages.__kwdefaults__
    assert (given["lambda_"], given["clamp"], given["floor"], given["epsilon"]) == (
        advantage["lambda"],
        advantage["clamp"],
        advantage["scale_floor"],
        advantage["outcome_epsilon"],
    )
