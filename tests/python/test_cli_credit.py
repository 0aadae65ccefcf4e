"""`harnessg credit`: tables, JSON, explanations, estimators, and what becomes of traces without credit."""

import gzip
import json
import random

import pytest
from completions_server import completions_server

VERTIGO = "Where was the director of the 1958 film Vertigo born?"


@pytest.fixture(scope="module")
def record(harnessg, sample_index, sample):
    """Plays a list of actions and gives the trace's line."""

    def call(question: str, actions: str, *more: str, frontier: bool = True) -> str:
        chosen = ["--questions", sample / "questions.jsonl", "--id", question] if question.startswith("q") else []
        chosen = chosen or ["--question", question]
        recorded = ["--json", "--frontier"] if frontier else ["--json"]
        return harnessg("play", sample_index, *chosen, "--actions", actions, *recorded, *more).stdout

    return call


@pytest.fixture(scope="module")
def lines(record):
    """Episodes in which the last lookup with something new brings the answer: what it shows is made the answer."""
    draw = random.Random(1)
    walks = [walk(record, f"q{number:02}", ("lookup", "select", "lookup"), draw) for number in range(1, 13)]
    return [answered_late(line) for line in walks]


def answered_late(line: str) -> str:
    trace = json.loads(line)
    if news := [new for step in trace["steps"][1:] for new in step["outcome"]["new_sentences"]]:
        return answered_by(trace, news[-1])
    return answered_by(trace, trace["selected"][0])


def answered_by(trace: dict, sentence: int) -> str:
    trace["question"]["answers"] = [trace["sentences"][str(sentence)]["text"]]
    return json.dumps(trace, ensure_ascii=False) + "\n"


def walk(record, question: str, kinds: tuple[str, ...], draw: random.Random) -> str:
    actions: list[str] = []
    line = record(question, "")
    for kind in kinds:
        menu = json.loads(line)["steps"][-1]["menu"]
        offered = [at for at, action in enumerate(menu) if action["kind"] == kind]
        if not offered:
            return line
        actions.append(f"A{draw.choice(offered)}")
        line = record(question, ",".join(actions))
    return line


@pytest.fixture
def traces(lines, tmp_path):
    file = tmp_path / "traces.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def objects(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_has_one_object_a_trace_in_order(harnessg, traces, lines):
    done = harnessg("credit", traces, "--json")
    assert done.stderr == ""
    credit = objects(done.stdout)
    assert [one["trace"] for one in credit] == [f"{traces}:{n}" for n in range(1, len(lines) + 1)]
    assert [one["question_id"] for one in credit] == [json.loads(line)["question"]["id"] for line in lines]
    assert all(one["estimator"] == "snc" and one["not_scored"] is None for one in credit)
    assert any(step["total"] != 0 for one in credit for step in one["steps"])
    assert harnessg("credit", traces, "--json").stdout == done.stdout


def test_json_is_what_python_gives(harnessg, traces, lines):
    package = pytest.importorskip("harnessg.credit")
    for ours, theirs in zip(objects(harnessg("credit", traces, "--json").stdout), package.snc(lines), strict=True):
        assert [step["total"] for step in ours["steps"]] == [step.total for step in theirs.steps]
        assert [tuple(edge) for edge in ours["edges"]] == theirs.edges


def test_the_table_has_a_row_a_step_and_says_what_was_asked_of_the_scorer(harnessg, traces, lines):
    text = harnessg("credit", traces).stdout
    assert text.count(" LOOKUP A") == sum(line.count('"event": "LOOKUP"') for line in lines)
    assert f"{len(lines)} of {len(lines)} traces with credit; scorer lexical-proxy: " in text
    assert text.count("enabling     total") == len(lines)


def test_an_explanation_shows_context_gains_and_edges(harnessg, traces, lines):
    text = harnessg("credit", traces, "--explain").stdout
    assert text.count("seen before (") >= len(lines)
    assert "  instead A" in text
    assert "  builds on step " in text
    both = harnessg("credit", traces, "--explain", "--json")
    assert len(objects(both.stdout)) == len(lines)
    assert "  instead A" in both.stderr


def test_compressed_files_several_files_and_standard_input_are_read(harnessg, traces, lines, tmp_path):
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(lines[:2]).encode()))
    expected = [one["steps"] for one in objects(harnessg("credit", traces, "--json").stdout)]
    several = objects(harnessg("credit", packed, traces, "--json").stdout)
    assert [one["steps"] for one in several] == expected[:2] + expected
    assert several[0]["trace"] == f"{packed}:1"
    piped = objects(harnessg("credit", "-", "--json", stdin="".join(lines)).stdout)
    assert [one["steps"] for one in piped] == expected


def test_every_option_of_step_credit_changes_what_it_should(harnessg, traces):
    def totals(*options):
        return [
            step["total"]
            for one in objects(harnessg("credit", traces, "--json", *options).stdout)
            for step in one["steps"]
        ]

    plain = totals()
    for options in (
        ["--alpha", "2"],
        ["--beta", "0.25"],
        ["--gamma", "0", "--alpha", "0.5"],
        ["--dead-zone", "0.5"],
        ["--baseline", "max"],
        ["--estimator", "shapley"],
    ):
        assert totals(*options) != plain, options
    assert totals("--shuffle-edges", "3") == totals("--shuffle-edges", "3")
    assert sum(totals("--protect-enabling")) >= sum(plain)
    assert totals("--alpha", "1", "--scorer", "lexical") == plain


def test_the_select_that_brings_the_answer_has_its_bonus(harnessg, lines):
    trace = json.loads(lines[0])
    line = answered_by(trace, trace["selected"][0])
    [one] = objects(harnessg("credit", "-", "--harvest-bonus", "1.5", "--json", stdin=line).stdout)
    assert [step["bonus"] for step in one["steps"]] == [
        1.5 if step["event"] == "SELECT" else 0 for step in one["steps"]
    ]


def test_answers_are_joined_from_a_file_of_questions(harnessg, record, sample, tmp_path):
    bare = json.loads(record("q05", "A12,A0"))
    bare["question"]["answers"] = []
    by_text = {**bare, "question": {**bare["question"], "id": ""}}
    file = tmp_path / "bare.jsonl"
    file.write_text(f"{json.dumps(bare)}\n{json.dumps(by_text)}\n")
    refused = harnessg("credit", file, "--json", status=1)
    assert [one["not_scored"]["reason"] for one in objects(refused.stdout)] == ["no_alias", "no_alias"]
    joined = objects(harnessg("credit", file, "--questions", sample / "questions.jsonl", "--json").stdout)
    full = objects(harnessg("credit", "-", "--json", stdin=record("q05", "A12,A0")).stdout)
    assert [one["steps"] for one in joined] == [full[0]["steps"]] * 2


def test_answers_of_another_question_are_never_joined(harnessg, record, sample, tmp_path):
    file = tmp_path / "other.jsonl"
    trace = json.loads(record(VERTIGO, "A12"))
    trace["question"] |= {"id": "q01", "text": "Who wrote it?"}
    file.write_text(json.dumps(trace) + "\n")
    done = harnessg("credit", file, "--questions", sample / "questions.jsonl", "--json", status=1)
    assert objects(done.stdout)[0]["not_scored"]["reason"] == "unknown_question"
    assert "q01" in done.stderr


def test_what_cannot_be_credited_is_named_and_the_rest_is_credited(harnessg, lines, record, tmp_path):
    lacking = json.loads(lines[0])
    lacking["sentences"].popitem()
    bad = [
        "no json\n",
        record("q05", "A12,A0", frontier=False),
        record(VERTIGO, "A12"),
        json.dumps(lacking) + "\n",
    ]
    file = tmp_path / "mixed.jsonl"
    file.write_text(lines[0] + "".join(bad) + lines[1] + lines[2].rstrip()[:200])
    done = harnessg("credit", file, "--json", status=1)
    credit = objects(done.stdout)
    reasons = [one["not_scored"] and one["not_scored"]["reason"] for one in credit]
    assert reasons == [None, "bad_line", "no_frontier", "no_alias", "no_text", None, "bad_line"]
    complaints = done.stderr.splitlines()
    assert len(complaints) == 6
    for number, sentence in zip((2, 3, 4, 5, 7), complaints, strict=False):
        assert sentence.startswith(f"harnessg: {file}:{number}: ")
    assert complaints[-1] == "harnessg: 5 of 7 traces have no credit, each is named above"
    assert "cut short" in complaints[4]
    allowed = harnessg("credit", file, "--json", "--allow-uncredited")
    assert allowed.stdout == done.stdout
    assert allowed.stderr.splitlines() == complaints[:-1]
    table = harnessg("credit", file, status=1).stdout
    assert f"{file}:3  no credit (no_frontier)" in table
    assert "2 of 7 traces with credit" in table


def test_an_episode_too_long_for_shapley_values_is_named(harnessg, sample_index, tmp_path):
    actions = "A0,A0,A0,A0,A0,A0,A0"
    line = harnessg(
        *["play", sample_index, "--question", VERTIGO, "--answer", "Leytonstone", "--actions", actions],
        *["--set", "turn_budget=9", "--json", "--frontier"],
    ).stdout
    done = harnessg("credit", "-", "--estimator", "shapley", "--json", stdin=line, status=1)
    assert objects(done.stdout)[0]["not_scored"]["reason"] == "too_many_steps"
    assert "at most 6" in done.stderr


@pytest.mark.parametrize("value", ["answer", "seen", "selected"])
def test_rollouts_give_every_action_a_value(harnessg, traces, sample_index, sample, value):
    more = [] if value == "answer" else ["--questions", sample / "questions.jsonl"]
    call = [
        "credit",
        traces,
        "--estimator",
        "rollout",
        "--index",
        sample_index,
        "--value",
        value,
        "--rollouts",
        "4",
        *more,
    ]
    done = harnessg(*call, "--json")
    for one in objects(done.stdout):
        for step in one["steps"]:
            others = [other["value"] for other in step["alternatives"]]
            assert step["credit"] == pytest.approx(step["value"] - sum(others) / len(others))
            assert 0 <= step["value"] <= 1
    assert harnessg(*call, "--json", "--threads", "1").stdout == done.stdout
    assert harnessg(*call, "--json", "--seed", "5").stdout != done.stdout
    assert "4 rollouts of every action" in harnessg(*call).stdout
    assert "instead A0" in harnessg(*call, "--explain").stdout


def test_rollouts_need_no_frontier_unless_compared_with_it(harnessg, record, sample_index):
    line = record("q05", "A12,A0", frontier=False)
    call = ["credit", "-", "--estimator", "rollout", "--index", sample_index, "--rollouts", "2", "--json"]
    assert len(objects(harnessg(*call, stdin=line).stdout)[0]["steps"]) == 2
    done = harnessg(*call, "--alternatives", "frontier", stdin=line, status=1)
    assert objects(done.stdout)[0]["not_scored"]["reason"] == "no_frontier"
    lookup, select = objects(harnessg(*call, "--alternatives", "frontier", stdin=record("q05", "A12,A0")).stdout)[0][
        "steps"
    ]
    assert [other["action"] for other in lookup["alternatives"]] == ["A13", "A14", "A15", "A16"]
    assert (select["alternatives"], select["credit"]) == ([], 0)


def test_rollouts_play_by_the_settings_of_each_trace(harnessg, record, sample_index):
    line = record("q05", "A12,A0") + record("q05", "A12,A0", "--set", "turn_budget=3")
    call = ["credit", "-", "--estimator", "rollout", "--index", sample_index, "--rollouts", "4", "--json"]
    long, short = objects(harnessg(*call, stdin=line).stdout)
    assert all(other["deviation"] == 0 for other in short["steps"][1]["alternatives"])
    assert [step["step"] for step in long["steps"]] == [step["step"] for step in short["steps"]]


def test_rollouts_of_a_trace_of_another_index_are_refused(harnessg, record, sample, sample_index, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join((sample / "corpus.jsonl").read_text().splitlines(keepends=True)[:20]))
    harnessg("index", corpus, "--out", tmp_path / "other", "--embedder", "none")
    call = ["credit", "-", "--estimator", "rollout", "--index", tmp_path / "other", "--json"]
    done = harnessg(*call, stdin=record("q05", "A12"), status=1)
    assert objects(done.stdout)[0]["not_scored"]["reason"] == "wrong_index"
    assert "recorded on the index" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--gamma", "1.5"], "gamma"),
        (["--dead-zone", "-1"], "dead_zone"),
        (["--baseline", "median"], "median"),
        (["--estimator", "magic"], "magic"),
        (["--estimator", "shapley", "--shuffle-edges", "1"], "control"),
        (["--estimator", "rollout"], "--index"),
        (["--estimator", "rollout", "--index", "x", "--alpha", "2"], "--alpha"),
        (["--estimator", "rollout", "--index", "x", "--rollouts", "1"], "rollouts"),
        (["--estimator", "rollout", "--index", "x", "--value", "seen"], "--questions"),
        (["--rollouts", "8"], "--estimator rollout"),
        (["--model", "gpt2"], "--scorer http:URL"),
        (["--scorer", "oracle"], "lexical"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_make_no_sense_are_a_wrong_call(fails, traces, arguments, said):
    assert said in fails("credit", traces, *arguments, status=2)


def test_files_that_are_not_there_or_hold_nothing_are_named(fails, traces, tmp_path):
    nothing = tmp_path / "nothing.jsonl"
    assert str(nothing) in fails("credit", nothing, status=1)
    nothing.write_text("\n\n")
    assert f"{nothing} holds no trace" in fails("credit", nothing, status=1)
    assert "questions" in fails("credit", traces, "--questions", tmp_path / "questions.jsonl", status=1)


def test_a_scorer_that_is_down_is_said_in_one_sentence(fails, traces):
    assert "127.0.0.1:9" in fails("credit", traces, "--scorer", "http://127.0.0.1:9", "--timeout", "2", status=1)


def test_a_completions_server_scores_and_what_is_kept_is_not_asked_again(harnessg, traces, tmp_path):
    kept = ["--cache", tmp_path / "scores"]
    with completions_server() as (url, asked):
        first = harnessg("credit", traces, "--scorer", url, *kept, "--json").stdout
        scored = len(asked)
        again = harnessg("credit", traces, "--scorer", url, *kept, "--json").stdout
        assert len(asked) - scored < 10 < scored  # a server is asked what it can do, and nothing else
        table = harnessg("credit", traces, "--scorer", url, *kept, "--prompt-prefix", "[INST] ").stdout
        assert any(prompt.startswith("[INST] ") for prompt in asked)
    assert again == first
    assert "scorer http:words" in table
    steps = [step for one in objects(first) for step in one["steps"]]
    assert any(step["gain"] > 0 for step in steps)
    assert all(0 < step["score_before"] <= 1 for step in steps)
