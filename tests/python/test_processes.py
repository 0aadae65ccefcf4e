"""The package among processes and threads: pickles, forks, threads, the end of the interpreter."""

import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from played import QUESTION, child_environment, letter_counts, play

harnessg = pytest.importorskip("harnessg")


def finish(pickled):
    """In another process: plays the episode to its end."""
    return play(pickle.loads(pickled))


def test_an_episode_goes_on_in_a_spawned_process(episode):
    episode.step("A1")
    pickled = pickle.dumps(episode)
    assert len(pickled) < 4096
    with multiprocessing.get_context("spawn").Pool(1) as workers:
        elsewhere = workers.apply(finish, (pickled,))
    assert elsewhere == play(episode)


def play_elsewhere(environment, question):
    """In another process: an episode of an environment that was sent."""
    return play(environment.reset(question))


def test_an_environment_serves_several_spawned_processes(index, sample):
    questions = [one.question for one in harnessg.read_questions(sample / "questions.jsonl")][:6]
    for profile in harnessg.profile_names():
        environment = harnessg.Environment(index, profile, turn_budget=5, memory_bytes=1 << 20)
        with multiprocessing.get_context("spawn").Pool(2) as workers:
            elsewhere = workers.starmap(play_elsewhere, [(environment, question) for question in questions])
        assert elsewhere == [play(environment.reset(question)) for question in questions]


def test_what_is_unpickled_here_is_opened_once(environment, episode):
    first, second = pickle.loads(pickle.dumps([environment, environment])), pickle.loads(pickle.dumps(environment))
    assert first[0] is first[1] is second
    restored = pickle.loads(pickle.dumps(episode))
    assert restored == episode
    assert restored.environment is second


def test_a_pickle_of_another_index_is_refused(sample, tmp_path):
    lines = (sample / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    environment = harnessg.Environment(harnessg.build(records, tmp_path / "index", embedder="none"))
    pickled = pickle.dumps(environment.reset(QUESTION))
    saved = environment.reset(QUESTION).save()
    other = harnessg.build(records[:-5], tmp_path / "index", embedder="none", replace=True)
    with pytest.raises(harnessg.WrongIndexError, match=other.content_hash):
        pickle.loads(pickled)
    with pytest.raises(harnessg.WrongIndexError, match=other.content_hash):
        harnessg.Environment(other).restore(saved)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_is_told_and_never_waits(sample_index):
    script = f"""
import os, harnessg
index = harnessg.open({str(sample_index)!r})
environment = harnessg.Environment(index)
episode = environment.reset({QUESTION!r})
pool = harnessg.Pool(environment, 4)
pool.reset([{QUESTION!r}] * 4)
if os.fork() == 0:
    uses = [
        lambda: environment.reset("Who?"),
        lambda: episode.step(0),
        lambda: pool.step([0] * 4),
        lambda: index.dim,
        lambda: harnessg.open({str(sample_index)!r}),
    ]
    for use in uses:
        try:
            use()
        except harnessg.ForkedError as error:
            assert "fork" in str(error)
        else:
            os._exit(1)
    raise SystemExit(0)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
episode.step(0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=child_environment(), timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_forked_before_the_first_index_opens_its_own(sample_index):
    script = f"""
import os, harnessg
if os.fork() == 0:
    environment = harnessg.Environment(harnessg.open({str(sample_index)!r}))
    pool = harnessg.Pool(environment, 4)
    pool.reset([{QUESTION!r}] * 4)
    raise SystemExit(0)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=child_environment(), timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_interpreter_ends_cleanly_with_everything_open(sample_index):
    script = f"""
import threading, harnessg
index = harnessg.open({str(sample_index)!r})
environment = harnessg.Environment(index)
episode = environment.reset({QUESTION!r})
outcome = episode.preview(0)
pool = harnessg.Pool(environment, 8)
pool.reset([{QUESTION!r}] * 8)
pool.send(range(8), [0] * 8)
free = harnessg.FreeQueryArm(environment).reset({QUESTION!r})
shown = free.step("Vertigo")
keep = [index, environment, episode, outcome, pool, episode.menu, episode.seen, free, shown, shown.sentences]
cycle = {{}}
cycle["self"] = (cycle, keep)
threading.Thread(target=lambda: [environment.reset({QUESTION!r}).preview_all() for _ in range(50)], daemon=True).start()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=child_environment(), timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_eight_threads_play_on_one_environment(sample, environment):
    questions = [one.question for one in harnessg.read_questions(sample / "questions.jsonl")]
    alone = [play(environment.reset(question)) for question in questions]
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda n: play(environment.reset(questions[n % len(questions)])), range(240)))
    assert results == alone * 8


def test_eight_threads_share_an_environment_by_every_call(sample, vector_index):
    """Both arms, previews, traces, saved bytes and texts, with a Python embedder behind them."""
    environment = harnessg.Environment(vector_index, "released", embedder=letter_counts)
    free = harnessg.FreeQueryArm(environment)
    questions = [one.question for one in harnessg.read_questions(sample / "questions.jsonl")]

    def use(n):
        question = questions[n % len(questions)]
        environment.make_ready([question])
        episode = environment.reset(question, seed=n)
        while not episode.over:
            foreseen = episode.preview_all()
            assert episode.step(n % len(episode.menu)) in foreseen
            episode = environment.restore(episode.save())
        asked = free.reset(question)
        asked.step(episode.seen[0].text)
        return episode.record_trace(frontier=True).to_json() + episode.observation + asked.trace.to_json()

    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(use, range(48)))
    assert together == [use(n) for n in range(48)]


def test_threads_that_step_one_episode_never_break_it(environment, episode):
    reached = []

    def push():
        try:
            while not episode.over:
                episode.step(99)
        except (harnessg.InvalidArgumentError, harnessg.EndedError) as error:
            reached.append(error)

    threads = [threading.Thread(target=push) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert len(episode.menu) <= environment.menu_bound
    for thread in threads:
        thread.join()
    while not episode.over:
        episode.step(99)
    assert [step.turn for step in episode.trace.steps] == [1, 2, 3, 4, 5, 6]
