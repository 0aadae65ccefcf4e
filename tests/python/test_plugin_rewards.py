"""Reward plugins by name in the Gymnasium environments."""

import json

import pytest

gymnasium = pytest.importorskip("gymnasium")
harnessg = pytest.importorskip("harnessg")

from harnessg import reward_plugins  # noqa: E402

RECORD = {
    "id": "p003",
    "text": "It was opened on 30 June 1894.",
    "events": [{"type": "Opening", "trigger": {"text": "opened", "start": 7, "end": 13}}],
}
QUESTION = {"question": "List the events of Tower Bridge's paragraph.", "id": "p003"}
BEST = "[Opening(mention='opened')]"


@pytest.fixture
def free(sample_index):
    made = []

    def call(**arguments):
        made.append(gymnasium.make("harnessg/FreeQuery-v0", index=sample_index, questions=[QUESTION], **arguments))
        made[-1].reset(seed=0)
        return made[-1]

    yield call
    for environment in made:
        environment.close()


@pytest.fixture
def menu(sample_index, sample):
    made = []

    def call(**arguments):
        given = {"index": sample_index, "questions": [QUESTION]} | arguments
        made.append(gymnasium.make("harnessg/Search-v0", **given))
        made[-1].reset(seed=0)
        return made[-1]

    yield call
    for environment in made:
        environment.close()


def answered(environment):
    """The step that ends the search; before it a sentence is selected."""
    environment.step(0)
    menu = environment.unwrapped.episode.menu
    return environment.step(next(action.position for action in menu if action.kind == "answer"))


def test_eager_rewards_an_extraction_at_the_end(free):
    options = {"records": {"p003": RECORD}, "grant_nothing_due": True, "weights": {"format": 0.5}}
    environment = free(reward="eager", reward_options=options)
    assert environment.step("Tower Bridge")[1] == 0
    _, reward, terminated, _, _ = environment.step(f"<answer>{BEST}</answer>")
    assert (reward, terminated) == (5.5, True)


def test_by_menu_the_answerer_gives_the_extraction_and_a_file_the_records(menu, tmp_path):
    (tmp_path / "records.jsonl").write_text(json.dumps(RECORD) + "\n")
    options = {"records": tmp_path / "records.jsonl", "grant_nothing_due": True}
    environment = menu(reward="eager", reward_options=options, answerer=lambda episode: BEST)
    assert answered(environment)[1] == 6
    assert environment.unwrapped.episode.trace.answer == BEST


def test_what_is_not_judged_or_has_no_record_is_an_error_and_not_a_number(menu):
    with pytest.raises(harnessg.UnavailableError, match=r"eager.*without the text of its answer"):
        answered(menu(reward="eager", reward_options={"records": {"p003": RECORD}}))
    with pytest.raises(harnessg.InvalidArgumentError, match="no record of the question 'p003'"):
        answered(menu(reward="eager", reward_options={"records": {}}, answerer=lambda episode: BEST))
    with pytest.raises(harnessg.InvalidArgumentError, match="bounds"):
        menu(reward="eager", reward_options={"bounds": 1})
    with pytest.raises(harnessg.InvalidArgumentError, match=r"plugins.*eager"):
        menu(reward="plugin:fame")


def test_a_plugin_is_told_the_supporting_facts(menu, sample):
    question = next(one for one in harnessg.read_questions(sample / "questions.jsonl") if one.id == "q16")
    both = []
    for reward in ("evidence_recall", "plugin:evidence_recall"):
        environment = menu(questions=[question], reward=reward)
        over = False
        while not over:
            _, value, terminated, truncated, _ = environment.step(0)
            over = terminated or truncated
        both.append(value)
    assert both[0] == both[1] > 0


def test_a_plugin_of_ones_own_in_the_vector_environment(sample_index):
    if "test_turns" not in reward_plugins.names():

        @reward_plugins.register("test_turns")
        class Turns:
            def __init__(self, scale: float = 1) -> None:
                self.scale = scale
                self.components = [reward_plugins.Component("turns")]

            def score(self, rollouts, groups):
                return [reward_plugins.Scored({"turns": self.scale * one["trace"]["turns"]}) for one in rollouts]

    vector = gymnasium.make_vec(
        "harnessg/Search-v0",
        num_envs=2,
        index=sample_index,
        questions=[QUESTION],
        settings={"turn_budget": 2},
        reward="test_turns",
        reward_options={"scale": 0.5},
    )
    vector.reset(seed=0)
    _, rewards, _, truncated, _ = vector.step([0, 0])
    while not truncated.all():
        assert (rewards == 0).all()
        _, rewards, _, truncated, _ = vector.step([0, 0])
    assert (rewards == 1).all()
    vector.close()
