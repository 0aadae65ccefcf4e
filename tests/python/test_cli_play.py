"""`harnessg play`: lists of actions, a person at the terminal, questions from files."""

import json

import pytest

QUESTION = ["--question", "Where was the director of the 1958 film Vertigo born?"]


@pytest.fixture
def play(harnessg, sample_index):
    def call(*arguments, **rest):
        return harnessg("play", sample_index, *arguments, **rest)

    return call


def menu(text: str) -> list[str]:
    """The lines of the last menu shown."""
    block = text[text.rindex("available_actions:") :]
    return [line for line in block.split("\n\n")[0].splitlines() if line.startswith("A")]


def test_json_is_the_trace_and_nothing_else(play):
    done = play(*QUESTION, "--actions", "A0,A0", "--json")
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    trace = json.loads(done.stdout)
    assert [step["event"] for step in trace["steps"]] == ["INIT", "SELECT", "SELECT"]
    assert [step["action"] for step in trace["steps"]] == [None, "A0", "A0"]
    assert trace["question"]["text"] == QUESTION[1]
    assert (trace["scoring"], trace["embedder"], trace["ended"]) == ("lexical", "none", False)
    assert play(*QUESTION, "--actions", "A0,A0", "--json").stdout == done.stdout


def test_every_action_of_a_list_is_followed_by_its_observation(play):
    text = play(*QUESTION, "--actions", "A0").stdout
    assert text.count("[HARNESS_G_OBS]") == 2
    assert "\n> A0\n" in text
    assert text.index("step: 1") < text.index("> A0") < text.index("step: 2")


def test_a_list_of_actions_is_read_leniently(play):
    expected = play(*QUESTION, "--actions", "A0,A1", "--json").stdout
    for same in ("A0 A1", " A0 , A1, ", "A0,,A1"):
        assert play(*QUESTION, "--actions", same, "--json").stdout == expected


def test_an_empty_list_shows_the_first_view(play):
    trace = json.loads(play(*QUESTION, "--actions", "", "--json").stdout)
    assert [step["event"] for step in trace["steps"]] == ["INIT"]


def test_an_action_that_is_not_on_the_menu_is_blocked_and_costs_a_turn(play):
    done = play(*QUESTION, "--actions", "A99,Hitchcock,A0", "--json")
    steps = json.loads(done.stdout)["steps"]
    assert [step["event"] for step in steps] == ["INIT", "INVALID_ACTION", "INVALID_ACTION", "SELECT"]
    assert [step["turn"] for step in steps] == [1, 2, 3, 4]
    assert "A99" in steps[1]["invalid_reason"]


def test_actions_after_the_end_are_a_wrong_call(harnessg, sample_index):
    done = harnessg("play", sample_index, *QUESTION, "--actions", "A6,A0,A1", "--json", status=2)
    assert done.stdout == ""
    assert "A0" in done.stderr


def test_an_answer_text_without_an_answer_action_is_a_wrong_call(harnessg, sample_index):
    done = harnessg("play", sample_index, *QUESTION, "--actions", "A0", "--answer-text", "London", "--json", status=2)
    assert done.stdout == ""
    assert "ANSWER" in done.stderr


def test_the_answer_text_is_recorded(play):
    trace = json.loads(
        play(*QUESTION, "--answer", "Leytonstone", "--actions", "A6", "--answer-text", "London", "--json").stdout
    )
    assert trace["steps"][-1]["event"] == "ANSWER_WITH"
    assert (trace["ended"], trace["answer"]) == (True, "London")
    assert trace["question"]["answers"] == ["Leytonstone"]


def test_frontiers_are_recorded_when_asked(play):
    first = menu(play(*QUESTION, "--actions", "").stdout)
    lookups = [line.split()[0] for line in first if "= LOOKUP" in line]
    assert len(lookups) > 1
    trace = json.loads(play(*QUESTION, "--actions", lookups[0], "--json", "--frontier").stdout)
    assert trace["with_frontier"] is True
    frontier = [other["action"] for other in trace["steps"][1]["frontier"]]
    # In menu order, without those whose new sentences repeat an earlier one's.
    assert frontier == [action for action in lookups[1:] if action in frontier]
    assert len(frontier) == min(4, len(lookups) - 1 - trace["steps"][1]["frontier_duplicates_skipped"])


def test_a_question_of_a_file_is_chosen_by_id_or_number(play, sample):
    file = sample / "questions.jsonl"
    by_id = play("--questions", file, "--id", "q05", "--actions", "", "--json").stdout
    assert json.loads(by_id)["question"]["id"] == "q05"
    assert play("--questions", file, "--nth", "5", "--actions", "", "--json").stdout == by_id
    first = play("--questions", file, "--actions", "", "--json").stdout
    assert json.loads(first)["question"]["id"] == "q01"


def test_an_unknown_question_is_named(fails, sample_index, sample):
    file = sample / "questions.jsonl"
    sentence = fails("play", sample_index, "--questions", file, "--id", "q99", "--actions", "A0", status=1)
    assert "q99" in sentence
    assert str(file) in sentence
    assert "31" in fails("play", sample_index, "--questions", file, "--nth", "31", "--actions", "A0", status=1)


def test_a_broken_file_of_questions_is_named_by_line(fails, sample_index, tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "q1", "question": "Who?", "answers": ["me"]}\n{"id": "q2"\n')
    assert f"{file}:2" in fails("play", sample_index, "--questions", file, "--actions", "A0", status=1)


def test_the_summary_says_which_gold_sentences_were_found(play, sample):
    text = play("--questions", sample / "questions.jsonl", "--id", "q16", "--actions", "").stdout
    summary = text[text.index("SUMMARY") :]
    assert "of 2 gold sentences seen, 0 of 2 selected" in summary
    assert "turns     1 of 6, the search is not over" in summary


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--profile", "magic"], "released"),
        (["--set", "turn_budget"], "name=value"),
        (["--set", "turn_budgets=3"], "turn_budget,"),
        (["--set", "turn_budget=many"], "many"),
        (["--set", "turn_budget=1"], "turn_budget"),
        (["--set", "scoring=hybrid", "--scoring", "lexical"], "contradicts"),
        (["--scoring", "dense"], "vectors"),
        (["--embedder", "minilm"], "without vectors"),
        (["--embedder", "word2vec"], "word2vec"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_settings_that_make_no_sense_are_a_wrong_call(fails, sample_index, arguments, said):
    assert said in fails("play", sample_index, *QUESTION, "--actions", "", *arguments, status=2)


def test_settings_reach_the_rules(play):
    trace = json.loads(play(*QUESTION, "--actions", "A0 A0", "--set", "turn_budget=3", "--json").stdout)
    assert (trace["truncated"], trace["settings"]["turn_budget"]) == (True, "3")


def test_an_empty_question_is_refused(fails, sample_index):
    assert "question" in fails("play", sample_index, "--question", "  ", "--actions", "", status=1)


def test_a_person_plays_with_help_preview_and_answer(play):
    done = play(*QUESTION, stdin="?\npreview A0\n\npreview B\nA0\nA5\nLondon\n")
    text = done.stdout
    assert done.stderr == ""
    assert "preview A3   see what A3 would show" in text
    assert "actions on the next menu" in text
    assert "expected INIT or an available action id" in text
    assert text.count("[HARNESS_G_OBS]") == 3
    assert "event: ANSWER_WITH" in text
    assert "answer> " in text
    assert "answer    London" in text


def test_a_preview_costs_nothing(play):
    looked = play(*QUESTION, stdin="preview A0\npreview A12\nA0\nquit\n").stdout
    assert "turns     2 of 6" in looked


def test_the_end_of_the_input_ends_it_cleanly(play):
    for typed in ("", "A0\n", "A6\n", "A6\nLondon"):
        done = play(*QUESTION, stdin=typed)
        assert "SUMMARY" in done.stdout
        assert done.stderr == ""


def test_a_person_may_keep_the_trace(play):
    done = play(*QUESTION, "--json", stdin="A6\nLondon\n")
    assert "[HARNESS_G_OBS]" in done.stderr
    assert json.loads(done.stdout)["answer"] == "London"
