"""The free-query arm: the same environment played by text."""

import copy
import json
import multiprocessing
import pickle
import warnings

import pytest

harnessg = pytest.importorskip("harnessg")

QUESTION = "Where was the director of the 1958 film Vertigo born?"


@pytest.fixture(scope="module")
def environment(sample_index):
    with harnessg.open(sample_index) as index:
        yield harnessg.Environment(index)


@pytest.fixture
def arm(environment):
    return harnessg.FreeQueryArm(environment)


def test_a_query_shows_six_sentences_and_takes_a_turn(arm, environment):
    episode = arm.reset(QUESTION, answers=["Leytonstone"], id="q", seed=5)
    assert episode.visible == environment.reset(QUESTION).visible
    seen = episode.seen
    outcome = episode.step("Alfred Hitchcock born Leytonstone")
    assert len(outcome.sentences) == 6
    assert outcome.sentences == episode.visible
    assert "Hitchcock" in f"{outcome.sentences[0].title} {outcome.sentences[0].text}"
    assert episode.seen == seen + outcome.new_sentences
    assert (outcome.invalid, outcome.truncated, outcome.lookup, episode.turn) == (False, False, None, 2)
    assert "event: QUERY" in episode.observation
    assert (episode.question, episode.answers, episode.id, episode.seed) == (QUESTION, ["Leytonstone"], "q", 5)


def test_a_matched_query_takes_the_nearest_lookup(environment):
    by_menu = environment.reset(QUESTION)
    episode = harnessg.FreeQueryArm(environment, matched=True).reset(QUESTION)
    lookup = next(action for action in by_menu.menu if action.kind == "lookup")
    outcome = episode.step(lookup.entity.name)
    assert outcome.lookup == lookup.entity
    assert outcome.sentences == by_menu.step(lookup).sentences
    assert f"target_entity:\n{lookup.entity.name}" in episode.observation


def test_the_answer_ends_it(arm):
    episode = arm.reset(QUESTION)
    assert episode.answer_text is None
    episode.answer("Leytonstone")
    assert (episode.ended, episode.over, episode.answer_text, episode.turn) == (True, True, "Leytonstone", 2)
    for use in (lambda: episode.answer("again"), lambda: episode.step("again")):
        with pytest.raises(harnessg.EndedError):
            use()


def test_the_budget_truncates_and_blocked_texts_count(arm, environment):
    episode = arm.reset(QUESTION)
    while not episode.over:
        assert episode.step(" ").invalid
    assert (episode.truncated, episode.turn) == (True, environment.turn_budget)


@pytest.mark.parametrize("matched", [False, True])
def test_a_trace_says_its_arm_and_survives_json(environment, matched):
    episode = harnessg.FreeQueryArm(environment, matched).reset(QUESTION, seed=3)
    episode.step("Alfred Hitchcock")
    episode.step("")
    episode.answer("London")
    trace = episode.trace
    assert trace.arm == ("free_query_matched" if matched else "free_query")
    assert [step.event for step in trace.steps] == ["INIT", "QUERY", "INVALID_ACTION", "ANSWER"]
    # A matched query looks an entity up, and lookups are ranked by the environment's own query.
    assert (trace.steps[1].text, trace.steps[1].query) == (
        "Alfred Hitchcock",
        QUESTION if matched else "Alfred Hitchcock",
    )
    assert (trace.steps[1].action is not None) == matched
    text = trace.to_json()
    assert json.loads(text)["arm"] == trace.arm
    assert harnessg.Trace.from_json(text) == trace
    assert harnessg.Trace.from_json(text).to_json() == text
    by_menu = environment.reset(QUESTION).trace
    assert by_menu.arm == "menu"
    assert "arm" not in json.loads(by_menu.to_json())


def test_credit_is_refused_with_a_sentence(arm, environment):
    episode = arm.reset(QUESTION, answers=["Leytonstone"])
    episode.step("Alfred Hitchcock")
    for traces in ([episode], [episode.trace], [episode.trace.to_json()]):
        with pytest.raises(harnessg.InvalidArgumentError, match="free text"):
            harnessg.credit.snc(traces)
    with pytest.raises(harnessg.InvalidArgumentError, match="free text"):
        harnessg.credit.rollout([episode.trace], environment, value="seen", gold=[[0]])


def replay(pickled):
    """In another process."""
    return pickle.loads(pickled).trace.to_json()


def test_copies_and_pickles_are_equal_episodes(arm):
    episode = arm.reset(QUESTION, seed=2)
    episode.step("Alfred Hitchcock")
    episode.step("")
    twin = copy.deepcopy(episode)
    assert twin == episode == episode.clone() == pickle.loads(pickle.dumps(episode))
    with multiprocessing.get_context("spawn").Pool(1) as workers:
        assert workers.apply(replay, (pickle.dumps(episode),)) == episode.trace.to_json()
    twin.answer("x")
    assert twin != episode
    assert pickle.loads(pickle.dumps(twin)) == twin


def test_it_is_closed_with_its_environment(sample_index):
    with harnessg.open(sample_index) as index:
        episode = harnessg.FreeQueryArm(harnessg.Environment(index)).reset(QUESTION)
    for use in (lambda: episode.step("x"), lambda: episode.observation, lambda: episode.trace):
        with pytest.raises(harnessg.ClosedError):
            use()


@pytest.fixture
def make(sample_index, sample):
    gymnasium = pytest.importorskip("gymnasium")
    made = []

    def call(**arguments):
        given = {"index": sample_index, "questions": sample / "questions.jsonl"} | arguments
        made.append(gymnasium.make("harnessg/FreeQuery-v0", **given))
        return made[-1]

    yield call
    for environment in made:
        environment.close()


@pytest.mark.parametrize("matched", [False, True])
def test_gymnasiums_checker_has_nothing_to_say(make, matched):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(matched=matched).unwrapped)


def test_the_action_is_a_text_a_call_or_the_answer(make):
    environment = make(reward="answer_f1")
    observation, info = environment.reset(options={"question": QUESTION, "answers": ["Leytonstone"]}, seed=0)
    assert observation in environment.observation_space
    assert info["question"] == QUESTION
    for action in ("Alfred Hitchcock", 'so <query>{"query": "Alfred Hitchcock"}</query>'):
        assert action in environment.action_space
        observation, reward, terminated, truncated, info = environment.step(action)
        assert (reward, terminated, truncated, info["invalid_reason"]) == (0, False, False, "")
    assert environment.unwrapped.episode.queries == ["Alfred Hitchcock"] * 2
    _, _, _, _, info = environment.step("")
    assert info["invalid_reason"]
    _, reward, terminated, _, info = environment.step("I think <answer> Leytonstone </answer>")
    assert (reward, terminated, info["turn"]) == (1, True, 5)


def test_the_reward_is_the_share_of_facts_seen(make, sample):
    question = next(one for one in harnessg.read_questions(sample / "questions.jsonl") if one.id == "q16")
    environment = make(questions=[question])
    environment.reset(seed=0)
    index = environment.unwrapped.episode.arm.environment.index
    facts = harnessg.resolve_facts(index, question).sentences
    truncated = False
    while not truncated:
        _, reward, _, truncated, _ = environment.step(facts[0].text)
    seen = environment.unwrapped.episode.seen
    assert reward == sum(fact in seen for fact in facts) / len(facts) > 0


def test_a_reward_of_what_is_selected_is_refused(make):
    with pytest.raises(harnessg.InvalidArgumentError, match="seen_recall"):
        make(reward="evidence_recall")


def test_an_environment_travels_by_pickle(make):
    environment = make(matched=True).unwrapped
    environment.reset(seed=4)
    environment.step("river")
    twin = pickle.loads(pickle.dumps(environment))
    assert twin.step("capital")[0] == environment.step("capital")[0]
    assert twin.episode == environment.episode
