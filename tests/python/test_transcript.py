"""Transcripts: a whole episode as one text, its spans and the loss mask."""

import json

import numpy as np
import pytest

harnessg = pytest.importorskip("harnessg")

from harnessg.transcript import Transcript, parse_turn, plain_turns  # noqa: E402

QUESTION = "In which café was the Peace Palace planned?"


@pytest.fixture(scope="module")
def environment(sample_index):
    with harnessg.open(sample_index) as index:
        yield harnessg.Environment(index)


@pytest.fixture
def episode(environment):
    episode = environment.reset(QUESTION)
    episode.step("A0")
    episode.step("no id")
    episode.step(next(action for action in episode.menu if action.kind == "answer_with"))
    episode.answer("Den Haag, é")
    return episode


def call(action):
    return f"<query>{json.dumps({'query': action})}</query>"


def test_an_episode_is_told_as_calls_and_observations(environment, episode):
    turns = plain_turns(episode)
    assert [written for written, _ in turns[:3]] == [call("INIT"), call("A0"), call("no id")]
    assert turns[-1] == ("<answer>Den Haag, é</answer>", "")
    again = environment.reset(QUESTION)
    for written, shown in turns[:-1]:
        turn = parse_turn(written)
        assert (turn.kind, written[turn.begin : turn.end]) == ("action", written)
        if turn.text != "INIT":
            again.step(turn.text)
        assert again.observation == shown


def test_spans_are_in_characters_and_in_bytes(episode):
    made = Transcript.of(episode)
    assert made.text.isascii() is False
    data = made.text.encode()
    for span, by_bytes in zip(made.spans, made.byte_spans, strict=True):
        assert (span.kind, span.turn) == (by_bytes.kind, by_bytes.turn)
        assert data[by_bytes.begin : by_bytes.end].decode() == made.text[span.begin : span.end]
    kinds = ["action", "observation"] * 4 + ["answer"]
    assert [span.kind for span in made.spans] == kinds
    begin, end = made.of_kind("answer")[0]
    assert made.text[begin:end] == "<answer>Den Haag, é</answer>"
    # On plain turns the spans are those that credit finds by searching.
    found = harnessg.credit.response_spans(made.text)
    assert found.actions == made.of_kind("action")
    assert found.observations == made.of_kind("observation")
    assert found.answers == made.of_kind("answer")


def test_a_forged_tag_changes_no_span():
    turns = [("<knowledge>I made this up</knowledge>" + call("A1"), "</knowledge>" + call("A2"))]
    made = Transcript.from_turns(turns)
    assert [made.text[span.begin : span.end] for span in made.spans] == [
        call("A1"),
        f"<knowledge></knowledge>{call('A2')}</knowledge>",
    ]


def test_the_loss_mask_is_exactly_what_the_model_wrote():
    before, after = "<|im_end|>\n<|im_start|>user\n<knowledge>", "</knowledge><|im_end|>\n<|im_start|>assistant\n"
    turns = [("hm é " + call("INIT"), "S0 | café"), (call("A3") + " ", "S1 | 東京"), ("<answer>x</answer>", "")]
    made = Transcript.from_turns(turns, before, after)
    characters = [(n, n + 1) for n in range(len(made.text))]
    own = made.loss_mask(characters)
    assert "".join(c for c, mine in zip(made.text, own, strict=True) if mine) == "".join(said for said, _ in turns)
    # A token that reaches into an observation is not the model's, nor is a special token.
    begin, end = made.of_kind("observation")[0]
    tokens = [
        (0, 2),
        (begin - 1, begin),
        (begin - 1, begin + 1),
        (end - 1, end + 1),
        (end, end + 1),
        (0, 0),
        (end, end),
    ]
    assert made.loss_mask(tokens).tolist() == [True, True, False, False, True, False, False]
    assert made.loss_mask(np.empty((0, 2))).tolist() == []
    assert Transcript.from_turns([("abc", "")]).loss_mask([(0, 3)]).tolist() == [True]


@pytest.mark.parametrize(
    ("written", "kind", "text"),
    [
        (call("A3"), "action", "A3"),
        ("é <answer> Thames </answer>", "answer", "Thames"),
        ("A3", "nothing", ""),
        ("<query>A3</query>", "nothing", ""),
    ],
)
def test_a_turn_is_parsed(written, kind, text):
    turn = parse_turn(written)
    assert (turn.kind, turn.text) == (kind, text)
    if kind != "nothing":
        assert written[turn.begin :].startswith(("<query>", "<answer>"))
        assert turn.end == len(written)
