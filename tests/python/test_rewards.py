"""``harnessg.reward_plugins`` and ``harnessg.eager``."""

import pytest
from harnessg import eager, errors
from harnessg import reward_plugins as rewards

GOLD = {
    "text": "The army fired on a bus 😀.",
    "events": [
        {
            "type": "Life.Attack",
            "trigger": {"text": "fired", "start": 9, "end": 14},
            "arguments": [{"role": "Target", "text": "a bus", "start": 18, "end": 23}],
        }
    ],
}
SCHEMAS = eager.schemas_of([GOLD])
BEST = "[Life_Attack(mention='fired', target=['a bus'])]"


def rollout(output: str, **more) -> dict:
    return {**GOLD, **more, "output": output}


def test_eager_scores_a_group():
    reward = rewards.make("eager", schemas=SCHEMAS, weights={"format": 0.5})
    assert [component.name for component in reward.components][:2] == ["format", "accuracy"]
    assert reward.components[0].weight == 0.5
    report = reward.score([rollout(BEST, id=1), rollout("[]", id=1), rollout("no", id=2)], group="id")
    best, nothing, broken = report.episodes
    assert best.total == 5.5
    assert best.advantage > 0 > nothing.advantage
    assert broken.total == 0
    assert broken.detail["failure"]["kind"] == "prose"
    assert report.means["format"] == pytest.approx(2 / 3)
    assert report.monitors["collapse"]["drop"] == ["2"]


def test_a_class_is_a_plugin():
    @rewards.register("test_length")
    class Length:
        def __init__(self, limit: int = 3) -> None:
            self.limit = limit
            self.components = [
                rewards.Component("short"),
                rewards.Component("group_size", level="group", weight=0.25),
                rewards.Component("late", level="step", weight=0.0),
            ]

        def score(self, rollouts, groups):
            episodes = []
            for one in rollouts:
                text = one["record"]["output"]
                value = None if text == "?" else float(len(text) <= self.limit)
                reason = "a question mark" if value is None else ""
                steps = [{"step": 1, "late": 0.5}]
                episodes.append(rewards.Scored({"short": value}, steps, reason, output=text))
            return rewards.Scores(
                episodes, [{"group_size": len(members)} for members in groups], {"seen": len(rollouts)}
            )

    assert "test_length" in rewards.names()
    with pytest.raises(ValueError, match="already"):
        rewards.register("test_length")(Length)
    outputs = [{"output": text, "g": "a"} for text in ("abc", "abcd", "?")]
    report = rewards.make("test_length", limit=3).score(outputs, group="g")
    assert [one.total for one in report.episodes] == [1.75, 0.75, None]
    assert report.episodes[2].not_judged == "a question mark"
    assert report.episodes[0].steps == [{"step": 1, "late": 0.5}]
    assert report.monitors["seen"] == 3
    parts = [{"reward": "test_length", "weight": 2, "settings": {"limit": 10}}]
    assert rewards.make("sum", parts=parts).score(outputs[:1]).episodes[0].total == 2.5


def test_a_plugin_that_raises_is_an_error_with_its_name():
    @rewards.register("test_broken")
    class Broken:
        def __init__(self, wrong: str = "raise") -> None:
            self.wrong = wrong
            self.components = [rewards.Component("x")]

        def score(self, rollouts, groups):
            if self.wrong == "raise":
                raise RuntimeError("no power")
            if self.wrong == "interrupt":
                raise KeyboardInterrupt
            return [rewards.Scored({"y": 1.0}) for _ in rollouts]

    with pytest.raises(errors.UnavailableError, match='"test_broken" failed: RuntimeError: no power'):
        rewards.make("test_broken").score([{}])
    with pytest.raises(errors.BadInputError, match='no "x"'):
        rewards.make("test_broken", wrong="name").score([{}])
    with pytest.raises(KeyboardInterrupt):
        rewards.make("test_broken", wrong="interrupt").score([{}])
    with pytest.raises(errors.UnavailableError, match="TypeError"):
        rewards.make("test_broken", other=1)


def test_what_is_wrong_is_said():
    with pytest.raises(errors.InvalidArgumentError, match="answer_f1, eager"):
        rewards.make("eagle")
    with pytest.raises(errors.InvalidArgumentError, match="boundary"):
        rewards.make("eager", bounds=1)
    with pytest.raises(errors.BadInputError, match="rollout:1"):
        rewards.make("eager").score([rollout(BEST), {"output": "[]"}])
    with pytest.raises(errors.InvalidArgumentError, match="rdn"):
        rewards.make("eager").score([rollout(BEST)], advantages="grpo")


def test_advantages_of_any_rewards():
    advantages = rewards.decoupled_advantages([[0.8], [0.3], [0.6], [0.5]], ["q"] * 4)
    assert advantages == pytest.approx([1.39, -1.39, 0.28, -0.28], abs=0.01)
    by_tokens = rewards.decoupled_advantages([[1, 0], [0, 0]], "aa", variant="gdpo_tokens", tokens=[1, 3])
    assert by_tokens[0] + 3 * by_tokens[1] == pytest.approx(0, abs=1e-9)


def test_outputs_are_parsed():
    assert eager.parse(BEST, SCHEMAS) == [
        {
            "type": "Life.Attack",
            "mention": "fired",
            "in_schema": True,
            "arguments": [{"role": "Target", "text": "a bus"}],
        }
    ]
    failure = eager.parse("[Bomb()]", SCHEMAS)
    assert isinstance(failure, eager.ParseFailure)
    assert (failure.kind, failure.offset) == ("unknown_class", 1)
    assert eager.parse("[Bomb()]")[0]["type"] == "Bomb"


def test_gold_is_written_as_an_output():
    assert eager.parse(eager.gold_output(GOLD, SCHEMAS), SCHEMAS) == eager.parse(BEST, SCHEMAS)


def test_prompts_are_drawn_per_rollout():
    schemas = [*SCHEMAS, *({"type": f"Other{i}", "roles": []} for i in range(30))]
    drawn = eager.prompts(GOLD, schemas, rollouts=4, seed=1)
    assert len(set(drawn)) == 4
    assert drawn == eager.prompts(GOLD, schemas, rollouts=4, seed=1)
    assert all(prompt.count("@dataclass") == 11 for prompt in drawn)
    assert len(set(eager.prompts(GOLD, schemas, rollouts=4, draw="group"))) == 1
    assert eager.prompts(GOLD, schemas, draw="all")[0].count("@dataclass") == 31


def test_textee_scores_windows():
    def window(start: int) -> dict:
        arguments = [{"role": "Target", "start": 4, "end": 6}]
        event = {"event_type": "Attack", "trigger": {"start": start, "end": start + 1}, "arguments": arguments}
        return {"doc_id": "d", "wnd_id": "d_1", "event_mentions": [event]}

    scores = eager.textee_scores([window(2)], [window(3)])
    assert scores["TI"]["f1"] == 0
    assert scores["AC"]["f1"] == 1
    with pytest.raises(errors.InvalidArgumentError, match="given in this task"):
        eager.textee_scores([window(2)], [window(3)], arguments_only=True)
