"""The Gymnasium environments: the checker, the mask, rewards, and the vector against single ones."""

import functools
import pickle
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
harnessg = pytest.importorskip("harnessg")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv  # noqa: E402

ID = "harnessg/Search-v0"
QUESTION = "Where was the director of the 1958 film Vertigo born?"


@pytest.fixture
def make(sample_index, sample):
    made = []

    def call(**arguments):
        made.append(gymnasium.make(ID, **{"index": sample_index, "questions": sample / "questions.jsonl"} | arguments))
        return made[-1]

    yield call
    for environment in made:
        environment.close()


@pytest.fixture
def make_vec(sample_index, sample):
    made = []

    def call(num_envs, **arguments):
        given = {"index": sample_index, "questions": sample / "questions.jsonl"} | arguments
        made.append(gymnasium.make_vec(ID, num_envs=num_envs, **given))
        return made[-1]

    yield call
    for environment in made:
        environment.close()


def unit_rows(texts):
    """A stand-in for a model: length and two letters."""
    rows = np.array([[len(text), text.count("e") + 1.0, text.count("s")] for text in texts], np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def vector_index(sample, tmp_path_factory):
    with harnessg.build(sample / "corpus.jsonl", tmp_path_factory.mktemp("v") / "index", embedder=unit_rows) as index:
        yield index


@pytest.mark.parametrize("observations", ["text", "features", "both"])
def test_gymnasiums_checker_has_nothing_to_say(make, vector_index, observations):
    environment = make(index=vector_index, embedder=unit_rows, observations=observations)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(environment.unwrapped)


def test_a_masked_sample_is_never_blocked(make):
    environment = make()
    environment.action_space.seed(0)
    for seed in range(20):
        observation, info = environment.reset(seed=seed)
        assert observation in environment.observation_space
        over = False
        while not over:
            assert info["action_mask"].dtype == np.int8
            assert info["action_mask"].sum() == len(environment.unwrapped.episode.menu)
            action = environment.action_space.sample(mask=info["action_mask"])
            observation, _, terminated, truncated, info = environment.step(action)
            assert info["invalid_reason"] == ""
            assert observation in environment.observation_space
            over = terminated or truncated


def test_an_action_off_the_menu_is_blocked_and_the_budget_truncates(make):
    environment = make(settings={"turn_budget": 3})
    _, info = environment.reset(seed=1)
    action = environment.action_space.n - 1
    assert info["action_mask"][action] == 0
    _, reward, terminated, truncated, info = environment.step(action)
    assert (reward, terminated, truncated, info["turn"]) == (0, False, False, 2)
    assert info["invalid_reason"]
    assert environment.step(action)[2:4] == (False, True)
    with pytest.raises(harnessg.EndedError):
        environment.step(0)


def test_questions_are_given_or_drawn_by_the_seed(make):
    environment = make()
    _, info = environment.reset(seed=1, options={"question": QUESTION, "answers": ["Leytonstone"]})
    assert info["question"] == QUESTION
    assert environment.unwrapped.episode.answers == ["Leytonstone"]
    drawn = [[environment.reset(seed=seed)[1]["question_id"]] for seed in range(30)]
    assert len({tuple(ids) for ids in drawn}) > 10
    for seed in (0, 1):
        ids = [environment.reset(seed=seed if n == 0 else None)[1]["question_id"] for n in range(5)]
        assert ids[0] == drawn[seed][0]
        assert ids == [environment.reset(seed=seed if n == 0 else None)[1]["question_id"] for n in range(5)]
    seeds = set()
    for n in range(5):
        environment.reset(seed=2 if n == 0 else None)
        seeds.add(environment.unwrapped.episode.seed)
    assert len(seeds) == 5


def test_without_questions_one_must_be_given_and_is_then_played_again(make):
    environment = make(questions=None)
    with pytest.raises(harnessg.InvalidArgumentError, match="question"):
        environment.reset(seed=0)
    environment.reset(options={"question": QUESTION})
    assert environment.reset()[1]["question"] == QUESTION


def test_evidence_recall_is_the_share_of_supporting_sentences_selected(make, sample, vector_index):
    question = next(one for one in harnessg.read_questions(sample / "questions.jsonl") if one.id == "q16")
    environment = make(questions=[question])
    environment.reset(seed=0)
    gold = {sentence.id for sentence in harnessg.resolve_facts(vector_index, question).sentences}
    total, terminated = 0.0, False
    while not terminated:
        menu = environment.unwrapped.episode.menu
        wanted = [a.position for a in menu if a.kind == "select" and a.sentence.id in gold]
        total += environment.step(wanted[0] if wanted else len(menu) - 1)[1]
        terminated = environment.unwrapped.episode.over
    selected = {sentence.id for sentence in environment.unwrapped.episode.selected}
    assert total == len(selected & gold) / len(gold) > 0


def test_answer_f1_asks_the_answerer_and_records_the_answer(make):
    environment = make(reward="answer_f1", answerer=lambda episode: "the town of Leytonstone")
    environment.reset(options={"question": QUESTION, "answers": ["Leytonstone", "London"]})
    answer_with = next(a for a in environment.unwrapped.episode.menu if a.kind == "answer_with")
    _, reward, terminated, _, _ = environment.step(answer_with.position)
    assert terminated
    assert reward == pytest.approx(2 * 1 / (3 + 1))
    assert environment.unwrapped.episode.trace.answer == "the town of Leytonstone"


@pytest.mark.parametrize(
    ("given", "answers", "f1"),
    [
        ("The Thames!", ["thames"], 1),
        ("river Thames", ["Thames"], 2 / 3),
        ("no", ["no way"], 0),
        ("yes indeed", ["yes"], 0),
        ("", ["Thames"], 0),
        ("Thames", [], 0),
        ("a b c", ["x", "b c"], 1),
        ("Elbe", ["Thames", "the Elbe"], 1),
    ],
)
def test_answer_f1_follows_hotpotqa(given, answers, f1):
    from harnessg.rewards import answer_f1

    assert answer_f1(given, answers) == pytest.approx(f1)


def test_a_reward_is_registered_under_a_name_with_options_of_its_own(make):
    from harnessg import rewards

    def shown(scale, least=0.0):
        return lambda turn: max(least, scale * len(turn.outcome.new_sentences))

    if "test_shown" not in rewards.names():
        rewards.register("test_shown", shown)
    assert {"answer_f1", "evidence_recall", "seen_recall", "test_shown"} <= set(rewards.names())
    environment = make(reward="test_shown", reward_options={"scale": 2, "least": 0.5})
    environment.reset(seed=0)
    lookup = next(a for a in environment.unwrapped.episode.menu if a.kind == "lookup")
    before = len(environment.unwrapped.episode.seen)
    reward = environment.step(lookup.position)[1]
    assert reward == 2 * (len(environment.unwrapped.episode.seen) - before) > 0
    assert environment.step(0)[1] == 0.5
    with pytest.raises(harnessg.InvalidArgumentError, match="scale"):
        make(reward="test_shown")
    with pytest.raises(harnessg.InvalidArgumentError, match="already"):
        rewards.register("seen_recall", shown)


def test_seen_recall_counts_what_was_shown(make, sample, vector_index):
    question = next(one for one in harnessg.read_questions(sample / "questions.jsonl") if one.id == "q16")
    environment = make(questions=[question], reward="seen_recall")
    environment.reset(seed=0)
    gold = {sentence.id for sentence in harnessg.resolve_facts(vector_index, question).sentences}
    over = False
    while not over:
        _, reward, terminated, truncated, _ = environment.step(0)
        over = terminated or truncated
    seen = {sentence.id for sentence in environment.unwrapped.episode.seen}
    assert reward == len(seen & gold) / len(gold) > 0


def test_any_callable_is_a_reward(make):
    environment = make(reward=lambda turn: len(turn.outcome.new_sentences) - turn.episode.turn)
    environment.reset(seed=0)
    assert environment.step(0)[1] == -2


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"observations": "features"}, harnessg.UnavailableError),
        ({"observations": "pictures"}, harnessg.InvalidArgumentError),
        ({"reward": "fame"}, harnessg.InvalidArgumentError),
        ({"reward": "answer_f1"}, harnessg.InvalidArgumentError),
        ({"reward": "seen_recall", "answerer": len}, harnessg.InvalidArgumentError),
        ({"reward": len, "reward_options": {"scale": 2}}, harnessg.InvalidArgumentError),
        ({"profile": "magic"}, harnessg.InvalidArgumentError),
        ({"questions": []}, harnessg.InvalidArgumentError),
        ({"render_mode": "human"}, harnessg.InvalidArgumentError),
        ({"index": "no/such/folder"}, harnessg.NotFoundError),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(make, arguments, error):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(error):
            make(**arguments)


def test_features_are_the_vectors_of_what_is_seen(make, vector_index):
    environment = make(index=vector_index, embedder=unit_rows, observations="both")
    observation, info = environment.reset(seed=3)
    episode = environment.unwrapped.episode
    np.testing.assert_allclose(observation["question"], unit_rows([info["question"]])[0], atol=1e-6)
    assert observation["text"] == episode.observation
    assert observation["visible_mask"].sum() == len(episode.visible)
    for row, sentence in enumerate(episode.visible):
        assert (observation["visible"][row] == vector_index.vectors("sentence")[sentence.id]).all()
    assert (observation["action_kinds"] > 0).sum() == len(episode.menu)
    lookup = next(action for action in episode.menu if action.kind == "lookup")
    assert observation["action_kinds"][lookup.position] == 3
    assert (observation["actions"][lookup.position] == vector_index.vectors("entity")[lookup.entity.id]).all()


def test_an_environment_travels_by_pickle(make):
    environment = make().unwrapped
    environment.reset(seed=4)
    environment.step(1)
    twin = pickle.loads(pickle.dumps(environment))
    assert twin.step(0)[0] == environment.step(0)[0]
    assert twin.episode == environment.episode
    assert twin.reset()[1]["question_id"] == environment.reset()[1]["question_id"]


def walk(environment, steps, episodes):
    """Plays by a seeded policy that is blocked now and then; gives everything that came back, and the traces."""
    generator = np.random.default_rng(0)
    came, traces = [environment.reset(seed=11)], []
    bound = environment.single_action_space.n
    for _ in range(steps):
        came.append(environment.step(generator.integers(bound, size=environment.num_envs) % 7))
        traces += [episode.trace.to_json() for episode in episodes(environment) if episode.over]
    return came, traces


def single_episodes(environment):
    return [one.unwrapped.episode for one in environment.envs]


def vector_episodes(environment):
    return [environment.episode(slot) for slot in range(environment.num_envs)]


def assert_equal(one, other):
    """Nested tuples, dictionaries and arrays."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_equal(one[key], other[key])
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for left, right in zip(one, other, strict=True):
            assert_equal(left, right)
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert (one == other).all()
    else:
        assert one == other


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("num_envs", [1, 7, 64])
def test_the_vector_environment_is_that_many_single_ones(make_vec, sample_index, sample, num_envs, threads):
    arguments = {"index": sample_index, "questions": sample / "questions.jsonl"}
    singles = SyncVectorEnv([lambda: gymnasium.make(ID, **arguments)] * num_envs, autoreset_mode="NextStep")
    expected, expected_traces = walk(singles, 16, single_episodes)
    came, traces = walk(make_vec(num_envs, threads=threads), 16, vector_episodes)
    assert traces == expected_traces
    assert traces
    for one, other in zip(came, expected, strict=True):
        assert_equal(one[:-1], other[:-1])
        for key in ("action_mask", "_action_mask", "turn", "question_id", "supporting_facts"):
            assert_equal(one[-1][key], other[-1][key])


def test_spawned_workers_of_an_async_vector_play_the_same(sample_index, sample):
    arguments = {"index": sample_index, "questions": sample / "questions.jsonl"}
    # A spawned worker has imported nothing: the id names the module that registers it.
    make_one = functools.partial(gymnasium.make, f"harnessg.gymnasium:{ID}", **arguments)
    expected, _ = walk(SyncVectorEnv([make_one] * 2, autoreset_mode="NextStep"), 8, lambda _: [])
    # Gymnasium's shared memory holds letters of a fixed alphabet only.
    workers = AsyncVectorEnv([make_one] * 2, context="spawn", shared_memory=False, autoreset_mode="NextStep")
    try:
        came, _ = walk(workers, 8, lambda _: [])
    finally:
        workers.close()
    for one, other in zip(came, expected, strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("profile", ["default", "released"])
def test_a_thousand_environments_of_a_vector_are_the_single_ones(make, make_vec, profile):
    vector = make_vec(1000, profile=profile, threads=8)
    walked, traces = walk(vector, 6, vector_episodes)
    assert len(walked[0][0]) == 1000
    alone = make(profile=profile)
    generator = np.random.default_rng(0)
    columns = [generator.integers(vector.single_action_space.n, size=1000) % 7 for _ in range(6)]
    by_slot = {}
    for slot in range(0, 1000, 83):
        observation, _ = alone.reset(seed=11 + slot)
        assert observation == walked[0][0][slot]
        for turn in range(5):
            came = alone.step(columns[turn][slot])
            assert came[0] == walked[turn + 1][0][slot]
            if came[2] or came[3]:
                by_slot[slot] = alone.unwrapped.episode.trace.to_json()
                break
    assert by_slot
    assert set(by_slot.values()) <= set(traces)


def test_the_vector_environment_gives_features_in_one_array(make_vec, vector_index):
    environment = make_vec(5, index=vector_index, embedder=unit_rows, observations="both")
    observation, _ = environment.reset(seed=0)
    assert observation in environment.observation_space
    assert observation["actions"].shape == (5, 21, 3)
    assert len(observation["text"]) == 5
    before = observation["action_kinds"].copy()
    environment.step(np.zeros(5, dtype=np.int64))
    assert (observation["action_kinds"] == before).all()


def test_the_vector_environment_declares_its_autoreset(make_vec):
    environment = make_vec(3)
    assert environment.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    environment.reset(seed=0)
    blocked = np.full(3, 20)
    while not (came := environment.step(blocked))[3].all():
        pass
    ended = [environment.episode(slot) for slot in range(3)]
    _, rewards, terminations, truncations, infos = environment.step(blocked)
    assert (infos["turn"] == 1).all()
    assert not (rewards.any() or terminations.any() or truncations.any())
    assert came[3].all()
    assert all(episode.truncated for episode in ended)


def test_environments_of_a_vector_differ(make_vec):
    environment = make_vec(64)
    _, infos = environment.reset(seed=0)
    assert len(set(infos["question_id"])) > 15
    assert len({environment.episode(slot).seed for slot in range(64)}) == 64


def test_a_vector_takes_its_questions(make_vec):
    environment = make_vec(2, questions=None)
    _, infos = environment.reset(options={"questions": ["Who directed Vertigo?", {"question": QUESTION}]})
    assert infos["question"].tolist() == ["Who directed Vertigo?", QUESTION]
    _, infos = environment.reset(options={"question": QUESTION, "answers": ["Leytonstone"]})
    assert infos["question"].tolist() == [QUESTION] * 2
    with pytest.raises(harnessg.InvalidArgumentError, match="3 questions"):
        environment.reset(options={"questions": [QUESTION] * 3})
