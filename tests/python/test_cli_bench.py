"""`harnessg bench`, and reports and episodes from Python."""

import json

import pytest


@pytest.fixture
def bench(harnessg, sample_index, sample, tmp_path):
    def call(*arguments, out="report", **rest):
        options = ["--questions", sample / "questions.jsonl", "--limit", "5", "--quiet", "--out", tmp_path / out]
        return harnessg("bench", sample_index, *options, *arguments, **rest)

    return call


def report_of(folder):
    return json.loads((folder / "report.json").read_text())


def test_a_report_says_what_was_measured_and_is_made_again_from_its_rows(bench, tmp_path, sample_index, harnessg):
    done = bench("--rollouts", "2")
    report = report_of(tmp_path / "report")
    info = json.loads(harnessg("info", sample_index, "--json").stdout)
    measured = report["measured"]
    assert measured["index_hash"] == info["content_hash"]
    assert (measured["profile"], measured["scoring"], measured["seed"]) == ("default", "lexical", 0)
    assert "reach/paragraphs/seen" in {figure["name"] for figure in report["figures"]}
    for figure in report["figures"]:
        assert figure["low"] <= figure["value"] + 1e-12
        assert figure["value"] <= figure["high"] + 1e-12
    page = (tmp_path / "report" / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page
    rows = (tmp_path / "report" / "rows.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "report" / "rows.jsonl").write_text("".join(rows[:3]) + rows[3][:20])
    assert bench("--rollouts", "2").stdout == done.stdout
    assert report_of(tmp_path / "report") == report


def test_another_benchmark_is_not_continued(bench, tmp_path):
    bench("--no-reach")
    done = bench("--no-reach", "--seed", "1", status=1)
    assert "seed was 0 and is 1" in done.stderr


def test_progress_tells_the_time_left_and_gold_that_is_not_there_is_named(harnessg, sample_index, tmp_path):
    question = {
        "id": "odd",
        "question": "Who was Ada Lovelace?",
        "answers": ["x"],
        "supporting_facts": [{"title": "Nowhere"}],
    }
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps(question) + "\n")
    done = harnessg("bench", sample_index, "--questions", file, "--out", tmp_path / "out")
    assert "1 of 1 questions" in done.stderr
    assert "odd" in done.stderr
    report = report_of(tmp_path / "out")
    assert [one["id"] for one in report["gold_not_in_corpus"]] == ["odd"]
    assert report["misses"]["paragraphs"] == {"not_in_corpus": 1}


def test_two_benchmarks_are_compared_question_by_question(bench, harnessg, tmp_path):
    bench("--no-retrieval", out="a")
    bench("--no-retrieval", "--profile", "released", out="b")
    done = harnessg("bench", "compare", tmp_path / "a", tmp_path / "b", "--json")
    differences = {one["name"]: one for one in json.loads(done.stdout)["differences"]}
    seen = differences["reach/paragraphs/seen"]
    assert seen["questions"] == 5
    assert seen["difference"] <= 0
    assert "profile" in harnessg("bench", "compare", tmp_path / "a", tmp_path / "b").stdout


def test_what_is_wrong_about_a_call_is_said(fails, sample_index, sample, tmp_path):
    fails("bench", sample_index, "--out", tmp_path / "x", status=2)
    message = fails("bench", sample_index, "--questions", sample / "questions.jsonl", "--out", tmp_path / "x",
                    "--policies", "best", status=2)  # fmt: skip
    assert "first-lookup" in message
    fails("bench", "compare", tmp_path, tmp_path, status=1)


def test_a_python_policy_is_measured_by_its_traces(bench, environment, sample, tmp_path):
    harnessg = pytest.importorskip("harnessg")

    def lookups_first(episode):
        if episode.turn >= 4:
            return harnessg.bench.Answer("Elbe")
        return next((action for action in episode.menu if action.kind == "lookup"), 0)

    questions = harnessg.read_questions(sample / "questions.jsonl")[:5]
    with (tmp_path / "mine.jsonl").open("w") as file:
        for trace in harnessg.bench.play(environment, questions, lookups_first, rollouts=2, seed=7):
            file.write(trace.to_json() + "\n")
    bench("--policies", "none", "--no-reach", "--no-retrieval", "--traces", f"mine={tmp_path / 'mine.jsonl'}")
    report = harnessg.bench.read_report(tmp_path / "report")
    assert report["play/menu/mine/answered"] == 1
    assert report["play/menu/mine/EM"] == pytest.approx(0.2)  # "Elbe" answers the first of five
    assert report["collapse/menu/mine/classes"] == 1
    assert report.measured["players"] == ["menu/mine"]
