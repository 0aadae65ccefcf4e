"""Pools: the same episodes as alone, whatever the size, the threads and the order."""

import threading

import numpy as np
import pytest

harnessg = pytest.importorskip("harnessg")

EPISODES = 64


@pytest.fixture(scope="module")
def environment(sample_index):
    with harnessg.open(sample_index) as index:
        yield harnessg.Environment(index)


@pytest.fixture(scope="module")
def questions(sample):
    return harnessg.read_questions(sample / "questions.jsonl")


def task(questions, n):
    return questions[n % len(questions)], harnessg.episode_seed(7, n)


def choice(episode):
    """From the episode's seed and turn, now and then off the menu."""
    return harnessg.episode_seed(episode.seed, episode.turn) % (len(episode.menu) + 1)


@pytest.fixture(scope="module")
def alone(environment, questions):
    """Traces of the episodes, played one by one."""
    traces = []
    for n in range(EPISODES):
        question, seed = task(questions, n)
        episode = environment.reset(question.question, question.answers, question.id, seed)
        while not episode.over:
            episode.step(choice(episode))
        traces.append(episode.trace.to_json())
    return traces


def over(pool):
    return all(pool[slot].over for slot in range(len(pool)))


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_traces_are_those_of_episodes_played_alone(environment, questions, alone, size, threads):
    traces = []
    for first in range(0, EPISODES, size):
        batch = [task(questions, n) for n in range(first, min(first + size, EPISODES))]
        with harnessg.Pool(environment, len(batch), threads) as pool:
            pool.reset([question for question, _ in batch], seeds=[seed for _, seed in batch])
            while not over(pool):
                pool.step([choice(pool[slot]) if not pool[slot].over else 0 for slot in range(len(pool))])
            traces += [pool[slot].trace.to_json() for slot in range(len(pool))]
    assert traces == alone


@pytest.mark.parametrize("threads", [1, 4])
def test_traces_are_the_same_when_steps_come_back_in_any_order(environment, questions, alone, threads):
    batch = [task(questions, n) for n in range(EPISODES)]
    with harnessg.Pool(environment, EPISODES, threads) as pool:
        pool.reset([question for question, _ in batch], seeds=[seed for _, seed in batch])
        pool.send(range(EPISODES), [choice(pool[slot]) for slot in range(EPISODES)])
        while pool.in_flight:
            received = pool.receive(min(7, pool.in_flight))
            alive = [result.slot for result in received if not pool[result.slot].over]
            pool.send(alive, [choice(pool[slot]) for slot in alive])
        assert [pool[slot].trace.to_json() for slot in range(EPISODES)] == alone


def test_a_pool_shows_what_its_episodes_show(environment, questions):
    with harnessg.Pool(environment, 5, 2) as pool:
        assert pool.observations() == [""] * 5
        pool.reset(questions[:5], seed=1)
        while not over(pool):
            pool.advance([choice(pool[slot]) if not pool[slot].over else 0 for slot in range(5)])
            episodes = [pool[slot] for slot in range(5)]
            assert pool.observations() == [episode.observation for episode in episodes]
            assert pool.turns.tolist() == [episode.turn for episode in episodes]
            assert pool.ended.tolist() == [episode.ended for episode in episodes]
            assert pool.truncated.tolist() == [episode.truncated for episode in episodes]


def test_advance_is_step_with_results_on_demand(environment, questions):
    with harnessg.Pool(environment, 5, 2) as pool, harnessg.Pool(environment, 5, 2) as twin:
        pool.reset(questions[:5], seed=1)
        twin.reset(questions[:5], seed=1)
        actions = [0, 1, 99, 2, 0]
        results, expected = pool.advance(actions), twin.step(actions)
        assert [results[slot].outcome for slot in range(len(results))] == [one.outcome for one in expected]
        assert results.blocked == [(2, expected[2].outcome.invalid_reason)]
        results.check()
        with harnessg.Pool(environment, 1) as empty, pytest.raises(harnessg.InvalidArgumentError):
            empty.advance([0]).check()


def test_previews_foresee_the_step(environment, questions):
    with harnessg.Pool(environment, 5, 2) as pool:
        pool.reset(questions[:5], seed=1)
        foreseen = pool.preview_all()
        mask = pool.action_mask()
        assert mask.shape == (5, environment.menu_bound)
        assert mask.dtype == np.int8
        assert mask.sum(axis=1).tolist() == [len(outcomes) for outcomes in foreseen]
        for slot, result in enumerate(pool.step([1] * 5)):
            assert (result.slot, result.event) == (slot, "stepped")
            assert result.outcome == foreseen[slot][1]


def test_seeds_differ_by_slot_and_are_reproducible(environment, questions):
    with harnessg.Pool(environment, 30) as pool:
        pool.reset(questions, seed=5)
        seeds = [pool[slot].seed for slot in range(30)]
        assert len(set(seeds)) == 30
        assert seeds == [harnessg.episode_seed(5, n) for n in range(30)]


def test_an_episode_that_is_over_is_skipped_or_started_again(environment, questions):
    for when_over, event, turn in (("skip", "skipped", 6), ("restart", "reset", 1)):
        with harnessg.Pool(environment, 2, when_over=when_over) as pool:
            pool.reset(questions[:2])
            while not over(pool):
                pool.step([99, 99])
            assert [result.event for result in pool.step([0, 0])] == [event] * 2
            assert [pool[slot].turn for slot in range(2)] == [turn] * 2


def test_one_bad_question_fails_alone(environment):
    with harnessg.Pool(environment, 2) as pool:
        results = pool.reset(["Who directed Vertigo?", " "])
        assert [result.event for result in results] == ["reset", "failed"]
        results[0].check()
        with pytest.raises(harnessg.BadInputError, match="question"):
            results[1].check()
        assert pool[0].turn == 1
        with pytest.raises(harnessg.InvalidArgumentError):
            pool[1]


def test_calls_that_make_no_sense_are_refused(environment):
    with pytest.raises(harnessg.InvalidArgumentError):
        harnessg.Pool(environment, 0)
    with pytest.raises(ValueError, match="sometimes"):
        harnessg.Pool(environment, 1, when_over="sometimes")
    with harnessg.Pool(environment, 2) as pool:
        with pytest.raises(harnessg.InvalidArgumentError):
            pool.step([0])
        with pytest.raises(harnessg.InvalidArgumentError):
            pool.step([[0, 0]])
        with pytest.raises(harnessg.InvalidArgumentError):
            pool.receive(1)
        with pytest.raises(IndexError):
            pool[2]
    pool.close()
    with pytest.raises(harnessg.ClosedError):
        pool.step([0, 0])


def test_a_pool_is_closed_with_its_index(sample_index):
    index = harnessg.open(sample_index)
    pool = harnessg.Pool(harnessg.Environment(index), 2)
    pool.reset(["Who directed Vertigo?"] * 2)
    index.close()
    with pytest.raises(harnessg.ClosedError):
        pool.step([0, 0])


def test_a_python_embedder_is_called_once_a_batch_by_the_calling_thread_alone(sample, tmp_path):
    threads = set()
    calls = []

    def embed(texts):
        calls.append(len(texts))
        threads.add(threading.get_ident())
        rows = np.array([[len(text), text.count("e") + 1.0] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    with harnessg.build(sample / "corpus.jsonl", tmp_path / "index", embedder=embed) as index:
        threads.clear()
        calls.clear()
        pool = harnessg.Pool(harnessg.Environment(index, embedder=embed), 16, threads=4)
        pool.reset([f"Question {n}?" for n in range(16)])
        assert calls == [16]
        pool.step([0] * 16)
        assert threads == {threading.get_ident()}
        with pytest.raises(harnessg.UnavailableError):
            pool.send([0], [0])
