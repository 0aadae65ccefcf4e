"""The package: what a user meets, and errors."""

import copy
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from played import QUESTION, child_environment, letter_counts, play

harnessg = pytest.importorskip("harnessg")

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_python_lines_of_the_readme_run(sample, tmp_path, monkeypatch, capsys):
    readme = (sample.parent.parent / "README.md").read_text(encoding="utf-8")
    lines = readme.split("```python\n")[1].split("```")[0]
    (tmp_path / "corpus.jsonl").write_bytes((sample / "corpus.jsonl").read_bytes())
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(lines, names)
    assert "A0 = SELECT" in capsys.readouterr().out
    assert names["twin"] == names["episode"]
    assert [step.event for step in names["trace"].steps] == ["INIT", "SELECT"]


def test_an_episode_is_reset_previewed_stepped_and_restored(sample_index):
    index = harnessg.open(sample_index)
    env = harnessg.Environment(index, profile="default")
    episode = env.reset(QUESTION, answers=["Leytonstone"], seed=0)
    assert "A0 = SELECT" in episode.observation
    for action in episode.menu:
        outcome = episode.preview(action)
        assert action.kind in ("select", "lookup", "answer_with", "answer")
        assert outcome.ends == action.kind.startswith("answer")
    outcome = episode.step("A0")
    twin = episode.clone()
    again = env.restore(episode.save())
    assert twin == again == episode
    trace = episode.trace
    assert [step.event for step in trace.steps] == ["INIT", "SELECT"]
    assert json.loads(trace.to_json())["seed"] == 0


def test_a_menu_says_what_can_be_done(episode):
    assert [action.id for action in episode.menu] == [f"A{n}" for n in range(len(episode.menu))]
    for action in episode.menu:
        assert (action.sentence is not None) == (action.kind in ("select", "answer_with"))
        assert (action.entity is not None) == (action.kind == "lookup")
        assert action.id in repr(action)
    assert len(episode.menu) <= episode.environment.menu_bound == 21


def test_step_takes_an_id_a_position_or_an_action(episode):
    by_id, by_position, by_action = episode.clone(), episode.clone(), episode.clone()
    outcome = by_id.step("A1")
    assert by_position.step(np.int64(1)) == outcome == by_action.step(episode.menu[1])
    assert by_id == by_position == by_action != episode


def test_previews_are_what_step_gives(episode):
    while not episode.over:
        foreseen = episode.preview_all()
        assert foreseen == [episode.preview(action) for action in episode.menu]
        for action, outcome in zip(episode.menu, foreseen, strict=True):
            twin = episode.clone()
            assert twin.step(action) == outcome
            assert twin.menu == outcome.menu
        episode.step(1)


@pytest.mark.parametrize("action", ["A99", "Hitchcock", 99, -1])
def test_what_is_not_on_the_menu_is_blocked(episode, action):
    outcome = episode.step(action)
    assert outcome.invalid
    assert outcome.invalid_reason
    assert episode.turn == 2
    with pytest.raises(harnessg.InvalidArgumentError):
        episode.preview(action)


def test_an_answer_is_given_once_after_the_end(episode):
    with pytest.raises(harnessg.InvalidArgumentError, match="ANSWER"):
        episode.answer("early")
    episode.step(next(action for action in episode.menu if action.kind == "answer_with"))
    assert (episode.ended, episode.truncated, episode.over, episode.menu) == (True, False, True, [])
    episode.answer("Leytonstone")
    assert episode.answer_text == episode.trace.answer == "Leytonstone"
    with pytest.raises(harnessg.EndedError):
        episode.step(0)
    with pytest.raises(harnessg.EndedError):
        episode.preview("A0")


def test_sentences_and_entities_tell_what_they_are(index, episode):
    sentence = episode.visible[0]
    assert index.sentence(sentence.id) == sentence
    assert sentence in episode.seen
    assert sentence.text
    assert index.sentence(sentence.id + 1) != sentence
    assert {sentence: 1}[index.sentence(sentence.id)] == 1
    entity = next(entity for shown in episode.visible for entity in shown.entities)
    assert any(shown in entity.sentences for shown in episode.visible)
    assert entity.name in entity.surfaces
    with pytest.raises(harnessg.InvalidArgumentError):
        index.sentence(index.sentence_count)


def test_a_trace_is_that_of_the_command_and_survives_json(harnessg_command, sample_index, episode):
    lookup = next(action for action in episode.menu if action.kind == "lookup")
    for action in (lookup, "nonsense", 0):
        episode.step(action)
    for frontier in (False, True):
        trace = episode.record_trace(frontier=frontier)
        text = trace.to_json()
        assert harnessg.Trace.from_json(text) == trace
        assert harnessg.Trace.from_json(text).to_json() == text
    moves = [*("play", sample_index, "--question", QUESTION, "--answer", "Leytonstone", "--json")]
    text = subprocess.check_output(
        [harnessg_command, *moves, "--actions", f"{lookup.id} nonsense A0"], encoding="utf-8"
    )
    again = episode.environment.reset(QUESTION, answers=["Leytonstone"])
    for action in (lookup.id, "nonsense", "A0"):
        again.step(action)
    assert again.trace.to_json() == text.rstrip("\n")


def test_settings_reach_the_rules(index):
    environment = harnessg.Environment(index, turn_budget=3, mention_bonus=0.5)
    assert environment.turn_budget == 3
    assert environment.config["mention_bonus"] == "0.5"
    episode = environment.reset(QUESTION)
    episode.step(0)
    assert episode.step(0).truncated


def test_the_profile_is_default_unless_another_is_named(index):
    assert harnessg.Environment(index).profile == harnessg.Environment(index).config["profile"] == "default"
    assert harnessg.Environment(index, "released").config["profile"] == "released"
    assert harnessg.profile_names() == ["default", "released"]


def test_bounds_on_memory_change_no_result_and_travel(index, sample):
    none = {"query_cache": 0, "question_cache": 0, "memory_bytes": 0, "entity_memory_bytes": 0}
    forgetful = harnessg.Environment(index, profile="released", **none)
    usual = harnessg.Environment(index, profile="released")
    assert forgetful.config == usual.config
    for question in harnessg.read_questions(sample / "questions.jsonl"):
        assert play(forgetful.reset(question.question)) == play(usual.reset(question.question))
    travelled = pickle.loads(pickle.dumps(forgetful))
    assert travelled.recipe == forgetful.recipe
    assert dict(travelled.recipe[3]) == none
    for wrong in (-1, "many", None, 1.5):
        with pytest.raises(harnessg.InvalidArgumentError, match="memory_bytes"):
            harnessg.Environment(index, memory_bytes=wrong)


def test_questions_are_made_ready_together(sample, vector_index):
    asked = []

    def counting(texts):
        asked.append(len(texts))
        return letter_counts(texts)

    questions = harnessg.read_questions(sample / "questions.jsonl")
    ready = harnessg.Environment(vector_index, embedder=counting)
    ready.make_ready([*questions[:-1], questions[-1].question, " "])  # reset says what is wrong with the last
    assert asked == [len(questions)]
    alone = harnessg.Environment(vector_index, embedder=letter_counts)
    for question in questions:
        assert ready.reset(question.question) == alone.reset(question.question)
    assert asked == [len(questions)]
    with pytest.raises(harnessg.UnavailableError, match="ZeroDivisionError"):
        harnessg.Environment(vector_index, embedder=lambda texts: 1 / 0).make_ready(["Who?"])


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda index: harnessg.Environment(index, profile="magic"), harnessg.InvalidArgumentError, "released"),
        (lambda index: harnessg.Environment(index, turn_budgets=3), harnessg.InvalidArgumentError, "turn_budget"),
        (lambda index: harnessg.Environment(index, scoring="dense"), harnessg.InvalidArgumentError, "vectors"),
        (lambda index: harnessg.Environment(index, embedder="word2vec"), harnessg.InvalidArgumentError, "word2vec"),
        (lambda index: harnessg.Environment(index).reset(" "), harnessg.BadInputError, "question"),
        (lambda index: harnessg.Environment(index).restore(b"nothing"), harnessg.CorruptError, "saved"),
        (lambda index: harnessg.open("no/such/folder"), harnessg.NotFoundError, "no/such/folder"),
        (lambda index: harnessg.Trace.from_json("{}"), harnessg.BadInputError, "version"),
        (lambda index: harnessg.Trace.from_json('{"version": 9}'), harnessg.UnsupportedVersionError, "9"),
        (lambda index: index.vectors("sentence"), harnessg.UnavailableError, "vectors"),
    ],
)
def test_errors_are_typed_and_say_what_is_wrong(index, call, error, said):
    with pytest.raises(error, match=said) as raised:
        call(index)
    assert isinstance(raised.value, harnessg.Error)


def test_an_error_is_also_what_python_calls_it():
    with pytest.raises(FileNotFoundError):
        harnessg.open("no/such/folder")
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    for name in (name for name in vars(harnessg.errors) if name.endswith("Error") and name != "Error"):
        assert f"`{name}`" in text, f"docs/python.md does not tell of {name}"


def test_closing_is_final_and_may_be_repeated(sample_index):
    index = harnessg.open(sample_index)
    environment = harnessg.Environment(index)
    other = harnessg.Environment(index)
    episode = environment.reset(QUESTION)
    sentence = episode.visible[0]
    other.close()
    with pytest.raises(harnessg.ClosedError):
        other.reset(QUESTION)
    episode.step(0)
    index.close()
    index.close()
    assert index.closed
    assert environment.closed
    for use in (
        lambda: environment.reset(QUESTION),
        lambda: episode.step(0),
        lambda: episode.observation,
        lambda: sentence.text,
        lambda: index.sentence_count,
        lambda: harnessg.Environment(index),
    ):
        with pytest.raises(harnessg.ClosedError):
            use()
    assert episode.turn == 2


def test_copies_share_the_index_and_clone_the_episode(environment, episode):
    assert copy.deepcopy(environment) is environment
    assert copy.copy(environment.index) is environment.index
    twin = copy.deepcopy(episode)
    episode.step(0)
    assert (twin.turn, episode.turn) == (1, 2)


def test_menus_say_which_lookups_open_a_title(episode):
    opening = [action.opens_title for action in episode.menu if action.kind == "lookup"]
    assert any(opening)
    assert [entry.opens_title for entry in episode.trace.steps[0].menu if entry.kind == "lookup"] == [
        True if opens else None for opens in opening
    ]


def test_an_index_is_built_from_files_and_from_dictionaries_alike(sample, sample_index, tmp_path):
    records = map(json.loads, (sample / "corpus.jsonl").read_text(encoding="utf-8").splitlines())
    stages = []
    built = harnessg.build(records, tmp_path / "index", embedder="none", threads=2, progress=stages.append)
    assert built.content_hash == harnessg.open(sample_index).content_hash
    assert stages[-1]["finished"]
    harnessg.verify(tmp_path / "index")
    with pytest.raises(FileExistsError):
        harnessg.build(sample / "corpus.jsonl", tmp_path / "index", embedder="none")
    with pytest.raises(harnessg.BadInputError, match="text"):
        harnessg.build([{"id": "p1", "title": "No text"}], tmp_path / "other", embedder="none")
    assert not (tmp_path / "other").exists()


def test_an_exception_of_a_progress_callable_reaches_the_caller(sample, tmp_path):
    def stop(progress):
        raise ZeroDivisionError(progress["stage"])

    with pytest.raises(ZeroDivisionError):
        harnessg.build(sample / "corpus.jsonl", tmp_path / "index", embedder="none", progress=stop)


def test_a_python_callable_is_the_embedder(vector_index):
    assert (vector_index.embedder, vector_index.dim) == ("python:letter_counts", 26)
    rows = vector_index.vectors("sentence")
    assert rows.shape == (vector_index.sentence_count, 26)
    assert not rows.flags.writeable
    sentence = vector_index.sentence(5)
    text = f"{sentence.title}\n{sentence.text}"
    np.testing.assert_allclose(rows[5], letter_counts([text])[0], atol=1e-6)

    environment = harnessg.Environment(vector_index, embedder=letter_counts)
    assert environment.scoring == "hybrid"
    assert harnessg.Environment(vector_index, "released", embedder=letter_counts).scoring == "dense"
    episode = environment.reset(QUESTION)
    np.testing.assert_allclose(episode.query_vector, letter_counts([QUESTION])[0], atol=1e-6)
    assert play(pickle.loads(pickle.dumps(episode))) == play(episode)
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(lambda _: play(environment.reset(QUESTION)), range(40)))) == 1


def test_the_rows_of_an_index_outlive_it(sample, tmp_path):
    index = harnessg.build(sample / "corpus.jsonl", tmp_path / "index", embedder=letter_counts)
    rows = index.vectors("entity")
    index.close()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)


@pytest.mark.parametrize(
    ("embedder", "error", "said"),
    [
        (lambda texts: np.ones((len(texts), 3), np.float32), harnessg.BadInputError, "1 x 26"),
        (lambda texts: np.ones((len(texts), 26), np.float32), harnessg.BadInputError, "unit"),
        (lambda texts: 1 / 0, harnessg.UnavailableError, "ZeroDivisionError"),
        (lambda texts: "rows", harnessg.UnavailableError, "embedder"),
    ],
)
def test_an_embedder_that_does_not_do_is_refused(vector_index, embedder, error, said):
    environment = harnessg.Environment(vector_index, embedder=embedder)
    with pytest.raises(error, match=said):
        environment.reset(QUESTION)


def test_facts_are_found_in_the_index(sample, index):
    question = next(one for one in harnessg.read_questions(sample / "questions.jsonl") if one.id == "q16")
    facts = harnessg.resolve_facts(index, question)
    assert len(facts.sentences) == len(question.supporting_facts) == 2
    assert facts.missing == []
    assert {sentence.paragraph for sentence in facts.sentences} == set(facts.paragraphs)
    nowhere = harnessg.Question("?", supporting_facts=[{"title": "Nowhere", "sentence": 0}])
    assert harnessg.resolve_facts(index, nowhere).missing
    assert pickle.loads(pickle.dumps(question)).supporting_facts == question.supporting_facts


def test_the_tutorial_runs(sample, tmp_path):
    done = subprocess.run(
        [sys.executable, DOCS / "tutorial.py", sample, tmp_path / "index"],
        capture_output=True,
        env=child_environment(),
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"recall" in done.stdout
