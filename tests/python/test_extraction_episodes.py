"""Episodes that end with an extraction: the question is an instruction over a paragraph, the answer its events."""

import json

import pytest

harnessg = pytest.importorskip("harnessg")

from harnessg import eager, reward_plugins  # noqa: E402
from harnessg.trace import Trace  # noqa: E402

TEXT = (
    "Tower Bridge crosses the River Thames in London, and its roadway can be raised to let ships pass. It was opened "
    "on 30 June 1894. The name comes from the Tower of London, which stands beside it."
)


def mention(text: str) -> dict:
    start = TEXT.index(text)
    return {"text": text, "start": start, "end": start + len(text)}


RECORD = {
    "id": "p003",
    "text": TEXT,
    "events": [
        {
            "type": "Opening",
            "trigger": mention("opened"),
            "arguments": [
                {"role": "Place", **mention("Tower Bridge")},
                {"role": "Date", **mention("30 June 1894")},
            ],
        }
    ],
}
SCHEMAS = eager.schemas_of([RECORD])
BEST = eager.gold_output(RECORD, SCHEMAS)
WITHOUT_DATE = "[Opening(mention='opened', place='Tower Bridge')]"
QUESTION = eager.prompts(RECORD, SCHEMAS, seed=1)[0]


def walk(environment, until=None):
    """Looks something up, selects, and answers, or stops after as many turns."""
    episode = environment.reset(QUESTION, id=RECORD["id"])
    for kind in ("lookup", "select", "answer")[:until]:
        episode.step(next(action for action in episode.menu if action.kind == kind))
    return episode


@pytest.fixture(scope="module")
def reward():
    return reward_plugins.make("eager", schemas=SCHEMAS)


def test_the_paragraph_is_the_sample_corpus(sample):
    rows = map(json.loads, (sample / "corpus.jsonl").read_text().splitlines())
    assert next(row["text"] for row in rows if row["id"] == RECORD["id"]) == TEXT
    assert TEXT in QUESTION


def test_an_answer_is_judged_as_an_extraction(environment, reward):
    rollouts = []
    for extraction in (BEST, WITHOUT_DATE, "The bridge was opened in 1894."):
        episode = walk(environment)
        episode.answer(extraction)
        rollouts.append({**RECORD, "trace": episode})
    report = reward.score(rollouts, group="id")
    best, partial, broken = report.episodes
    assert best.total == 6
    assert 0 < partial.total < 6
    assert broken.total == 0
    assert broken.detail["failure"]["kind"] == "prose"
    assert best.advantage > partial.advantage > broken.advantage


def test_a_trace_read_back_scores_the_same(environment, reward, tmp_path, harnessg):
    episode = walk(environment)
    episode.answer(WITHOUT_DATE)
    trace = Trace.from_json(episode.trace.to_json())
    assert trace.answer == WITHOUT_DATE
    score = reward.score([{**RECORD, "trace": episode}]).episodes[0]
    assert reward.score([{**RECORD, "trace": trace}]).episodes[0] == score
    (tmp_path / "schemas.jsonl").write_text("".join(json.dumps(schema) + "\n" for schema in SCHEMAS))
    (tmp_path / "rollouts.jsonl").write_text(json.dumps({**RECORD, "trace": json.loads(trace.to_json())}) + "\n")
    settings = f"schemas={tmp_path / 'schemas.jsonl'}"
    done = harnessg("reward", "eager", "--in", tmp_path / "rollouts.jsonl", "--set", settings, "--json")
    assert json.loads(done.stdout.splitlines()[0])["components"] == score.components


def test_without_a_text_the_events_are_about_what_was_seen(environment, reward):
    episode = walk(environment)
    seen = " ".join(sentence.text for sentence in episode.seen)
    word = seen.split()[0]
    events = [{"type": "Opening", "trigger": {"text": word, "start": 0, "end": len(word)}}]
    episode.answer(f"[Opening(mention={word!r})]")
    scored = reward.score([{"id": "seen", "events": events, "trace": episode}]).episodes[0]
    assert scored.components["accuracy"] == 1
    assert scored.components["grounding"] == 0.5


@pytest.mark.parametrize(("until", "reason"), [(2, "not over"), (None, "without the text of its answer")])
def test_an_unfinished_episode_is_not_judged(environment, reward, until, reason):
    report = reward.score([{**RECORD, "trace": walk(environment, until)}])
    assert report.episodes[0].total is None
    assert set(report.episodes[0].components.values()) == {None}
    assert reason in report.episodes[0].not_judged
    assert report.monitors["outputs"] == 0


def test_an_episode_that_ran_out_of_turns_wrote_nothing(index, reward):
    episode = harnessg.Environment(index, turn_budget=2).reset(QUESTION, id=RECORD["id"])
    while not episode.over:
        episode.step(0)
    assert episode.truncated
    scored = reward.score([{**RECORD, "trace": episode}]).episodes[0]
    assert scored.total == 0
    assert scored.detail["failure"]["kind"] == "empty"


def test_records_of_a_folder_with_standoff_annotations(tmp_path):
    (tmp_path / "p003.txt").write_text(TEXT)
    opened = TEXT.index("opened")
    (tmp_path / "p003.ann").write_text(
        f"T1\tBridge 0 12\tTower Bridge\nT2\tOpening {opened} {opened + 6}\topened\nE1\tOpening:T2 Place:T1\n"
    )
    (record,) = eager.read_records(tmp_path)
    assert record["id"] == "p003"
    assert record["events"][0]["arguments"] == [RECORD["events"][0]["arguments"][0]]
