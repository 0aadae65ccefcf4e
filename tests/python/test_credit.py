"""`harnessg.credit`: step credit, scorers and rollouts."""

import random
import threading

import numpy as np
import pytest
from completions_server import completions_server

harnessg = pytest.importorskip("harnessg")
credit = pytest.importorskip("harnessg.credit")


@pytest.fixture(scope="module")
def environment(sample_index):
    with harnessg.open(sample_index) as index:
        yield harnessg.Environment(index)


@pytest.fixture(scope="module")
def questions(sample):
    return harnessg.read_questions(sample / "questions.jsonl")


@pytest.fixture(scope="module")
def episodes(environment, questions):
    """Two random episodes a question."""
    return [random_episode(environment, question, seed) for seed, question in enumerate(questions * 2)]


def random_episode(environment, question, seed):
    draw = random.Random(seed)
    episode = environment.reset(question.question, answers=question.answers, id=question.id, seed=seed)
    while not episode.over:
        episode.step(draw.randrange(episode.menu_size))
    return episode


def test_credit_is_the_same_from_episodes_traces_and_json(episodes):
    from_episodes = credit.snc(episodes, scorer="lexical")
    traces = [episode.record_trace(frontier=True) for episode in episodes]
    assert credit.snc(traces) == from_episodes
    assert credit.snc([trace.to_json() for trace in traces]) == from_episodes
    assert any(step.total != 0 for one in from_episodes for step in one.steps)
    assert all(one.not_scored is None and one.explanation is None for one in from_episodes)


def test_the_numbers_of_a_step_fit_each_other(episodes):
    for one in credit.snc(episodes, alpha=2.0, beta=0.5):
        enabling = dict.fromkeys((step.step for step in one.steps), 0.0)
        gains = {step.step: step.gain for step in one.steps}
        for u in sorted(enabling, reverse=True):
            sources = [t for t, v in one.edges if v == u]
            for t in sources:
                enabling[t] += (gains[u] + enabling[u]) / len(sources)
        for step in one.steps:
            assert step.gain == pytest.approx(step.score_taken - step.score_before, abs=1e-4)
            assert step.action not in [other.action for other in step.frontier]
            if step.frontier:
                assert step.baseline == pytest.approx(np.mean([other.gain for other in step.frontier]))
            assert step.r_enabling == pytest.approx(enabling[step.step])
            assert step.total == pytest.approx(2 * step.r_frontier + 0.5 * step.r_enabling)
            assert one.per_turn[step.step] == step.total


def test_a_turn_without_an_action_of_its_own_has_no_credit(environment):
    episode = environment.reset("Where was the director of the 1958 film Vertigo born?", answers=["Leytonstone"])
    episode.step("nonsense")
    episode.step("A0")
    [one] = credit.snc([episode])
    assert [step.step for step in one.steps] == [2]
    assert len(one.per_turn) == 3


def test_options_reach_the_engine(episodes):
    plain = credit.snc(episodes)
    assert credit.snc(episodes, baseline="max") != plain
    assert credit.snc(episodes, shuffle_edges=7) == credit.snc(episodes, shuffle_edges=7)
    zone = credit.snc(episodes, dead_zone=0.99)
    assert all(step.gain == 0 for one in zone for step in one.steps)
    bonus = credit.snc(episodes, harvest_bonus=1.5)
    assert any(step.bonus == 1.5 for one in bonus for step in one.steps)
    shapley = credit.snc(episodes[:1], estimator="shapley")[0]
    last_minus_first = shapley.steps[-1].score_taken - shapley.steps[0].score_before
    assert sum(step.r_enabling for step in shapley.steps) == pytest.approx(last_minus_first)


@pytest.mark.parametrize(
    "options",
    [{"gamma": 2.0}, {"baseline": "median"}, {"estimator": "magic"}, {"estimator": "shapley", "shuffle_edges": 1}],
    ids=str,
)
def test_options_that_make_no_sense_are_refused(episodes, options):
    with pytest.raises(harnessg.InvalidArgumentError):
        credit.snc(episodes[:1], **options)


def test_a_trace_without_its_frontier_is_refused(episodes):
    with pytest.raises(harnessg.InvalidArgumentError, match="frontier"):
        credit.snc([episodes[0].trace])


def test_a_text_that_is_no_trace_is_named(episodes):
    with pytest.raises(harnessg.BadInputError, match="trace 1"):
        credit.snc([episodes[0], "{}"])


def test_answers_come_from_the_questions_where_a_trace_has_none(environment, questions):
    question = questions[0]
    bare = environment.reset(question.question, id=question.id)
    bare.step("A0")
    other = environment.reset("Who is this about?")
    one, two = credit.snc([bare, other], questions=questions)
    assert one.not_scored is None
    assert two.not_scored.reason == "no_alias"
    assert "Who is this about?" in two.not_scored.message
    assert two.per_turn == [0.0]
    assert credit.snc([bare])[0].not_scored.reason == "no_alias"


def test_an_explanation_tells_of_context_gains_and_edges(episodes):
    texts = [one.explanation for one in credit.snc(episodes, explain=True)]
    assert any("instead A" in text and "builds on step" in text for text in texts)
    assert all("seen before" in text for text in texts)


class TestScorer:
    def test_a_function_is_asked_once_for_a_whole_batch_and_each_context_once(self, episodes):
        calls = []

        def scorer(requests):
            calls.append(requests)
            return [0.5] * len(requests)

        assert all(step.gain == 0 for one in credit.snc(episodes, scorer) for step in one.steps)
        assert len(calls) == 1
        keys = [(request.question, tuple(request.context)) for request in calls[0]]
        assert len(set(keys)) == len(keys)
        assert calls[0][0].aliases == episodes[0].answers

    def test_a_function_that_repeats_the_lexical_scorer_gives_its_credit(self, episodes):
        lexical = credit.Scorer("lexical")
        assert lexical.name == "lexical-proxy"
        assert credit.snc(episodes, lexical.score) == credit.snc(episodes, lexical)

    def test_what_a_function_raises_leaves_its_episodes_not_scored(self, episodes):
        def scorer(requests):
            raise RuntimeError("the model has gone")

        for one in credit.snc(episodes[:3], scorer):
            assert one.not_scored.reason == "unavailable"
            assert "RuntimeError: the model has gone" in one.not_scored.message
            assert one.steps == []
            assert set(one.per_turn) == {0.0}

    def test_one_score_that_is_missing_costs_one_episode_its_credit(self, episodes):
        first = episodes[0].question

        def scorer(requests):
            return [
                credit.NotScored("timed_out", "too slow") if r.question == first else np.float32(0.5) for r in requests
            ]

        results = credit.snc(episodes, scorer)
        assert results[0].not_scored == credit.NotScored("timed_out", "too slow")
        assert all((one.not_scored is None) == (e.question != first) for one, e in zip(results, episodes, strict=True))

    @pytest.mark.parametrize(
        ("given", "reason"),
        [(1.5, "out_of_range"), (0.0, "out_of_range"), (float("nan"), "out_of_range"), (None, "unavailable")],
    )
    def test_what_is_no_score_is_none(self, episodes, given, reason):
        [one] = credit.snc(episodes[:1], lambda requests: [given] * len(requests))
        assert one.not_scored.reason == reason

    def test_an_item_that_is_no_number_is_not_scored(self, episodes):
        [one] = credit.snc(episodes[:1], lambda requests: ["high"] * len(requests))
        assert one.not_scored.reason == "unavailable"

    def test_another_number_of_scores_than_asked_for_is_an_error(self, episodes):
        with pytest.raises(harnessg.BadInputError, match="one each"):
            credit.snc(episodes[:1], lambda requests: [0.5])

    def test_an_interrupt_passes_through(self, episodes):
        def scorer(requests):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            credit.snc(episodes[:1], scorer)

    def test_a_word_that_names_no_scorer_and_an_unknown_option_are_refused(self):
        with pytest.raises(harnessg.InvalidArgumentError, match="lexical"):
            credit.Scorer("oracle")
        with pytest.raises(harnessg.InvalidArgumentError, match="temperature"):
            credit.Scorer("lexical", temperature=1)
        with pytest.raises(harnessg.InvalidArgumentError, match="no options"):
            credit.Scorer(lambda requests: [], model="x")

    def test_scores_are_given_one_by_one_or_the_reason_why_not(self):
        request = credit.ScoreRequest("Which river?", ["It is the Thames."], ["the Thames"])
        assert credit.Scorer("lexical").score([request, credit.ScoreRequest("Which?", [], [])]) == [
            1.0,
            credit.NotScored("no_alias", "the question has no gold answer"),
        ]

    def test_a_completions_server_is_made_once_and_used_again(self, episodes):
        with completions_server() as (url, asked):
            scorer = credit.Scorer(url, timeout=10, concurrency=2)
            assert scorer.name == "http:words"
            request = credit.ScoreRequest("Which river?", ["It is the Thames."], ["the Thames"])
            likely, unlikely = scorer.score([request, credit.ScoreRequest("Which river?", [], ["the Thames"])])
            assert likely == pytest.approx(np.exp(-0.5))
            assert unlikely == pytest.approx(np.exp((-0.5 - 4.0) / 2))  # "the" stands in every prompt
            before = len(asked)
            assert all(one.not_scored is None for one in credit.snc(episodes[:4], scorer))
            assert all(any(e.question in prompt for e in episodes[:4]) for prompt in asked[before:])
        assert {one.not_scored.reason for one in credit.snc(episodes[:2], scorer)} == {"unavailable"}

    def test_other_threads_run_while_credit_is_computed(self, episodes):
        """A scorer that waits for another Python thread: without giving the lock away it would wait for ever."""
        done = threading.Event()
        worker = threading.Thread(target=done.set)

        def scorer(requests):
            if not worker.ident:
                worker.start()
            assert done.wait(10)
            return [0.5] * len(requests)

        assert credit.snc(episodes[:1], scorer)[0].not_scored is None
        worker.join()


class TestRollout:
    def test_it_depends_on_the_seed_alone(self, environment, episodes):
        first = credit.rollout(episodes[:4], environment, rollouts=8, threads=1)
        assert credit.rollout(episodes[3:4], environment, rollouts=8, threads=2) == first[3:]
        assert credit.rollout(episodes[:4], environment, rollouts=8, seed=1) != first

    def test_credit_is_the_value_taken_less_the_mean_of_the_others(self, environment, episodes):
        for one in credit.rollout(episodes[:5], environment, rollouts=8):
            assert one.not_scored is None
            for step in one.steps:
                values = [other.value for other in step.alternatives]
                assert step.baseline == pytest.approx(np.mean(values))
                assert step.credit == pytest.approx(step.taken.value - step.baseline)
                assert one.per_turn[step.step] == step.credit

    def test_ends_can_be_valued_by_the_evidence_found(self, environment, questions, episodes):
        gold = [harnessg.resolve_facts(environment.index, question).sentences for question in questions[:5]]
        results = credit.rollout(episodes[:5], environment, value="selected", gold=gold, rollouts=8)
        values = [step.taken.value for one in results for step in one.steps]
        assert all(0 <= value <= 1 for value in values)
        assert any(value > 0 for value in values)
        without = credit.rollout(episodes[:2], environment, value="seen", gold=[[], gold[1]], rollouts=8)
        assert without[0].not_scored.reason == "no_alias"
        assert without[1].not_scored is None

    def test_a_trace_of_other_settings_is_refused(self, environment, episodes):
        other = harnessg.Environment(environment.index, turn_budget=5)
        with pytest.raises(harnessg.WrongIndexError, match="turn_budget"):
            credit.rollout(episodes[:1], other)

    @pytest.mark.parametrize(
        "options", [{"rollouts": 1}, {"value": "gold"}, {"value": "seen"}, {"alternatives": "all"}], ids=str
    )
    def test_options_that_make_no_sense_are_refused(self, environment, episodes, options):
        with pytest.raises(harnessg.InvalidArgumentError):
            credit.rollout(episodes[:1], environment, **options)
