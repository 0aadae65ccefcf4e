"""A tour of the package, to be read from the top. The tests run it.

    python docs/tutorial.py data/sample my-index

It takes the folder of a corpus with its questions, and where to put the index.
"""

# %% An index is built once and opened often. The sample needs no encoder: its scoring is lexical.
import pickle
import sys
from pathlib import Path

import gymnasium
import harnessg
import numpy as np

sample, folder = (Path(argument) for argument in sys.argv[1:3])
index = harnessg.build(sample / "corpus.jsonl", folder, embedder="none", replace=True)
print(index.counts)

# %% An environment is an index with settings; an episode is one walk through it.
environment = harnessg.Environment(index, turn_budget=8)
episode = environment.reset("Where was the director of the 1958 film Vertigo born?", answers=["Leytonstone"])
print(episode.observation)

# %% Every action can be looked ahead at for nothing. Which lookup shows most that is new?
previews = dict(zip((action.id for action in episode.menu), episode.preview_all(), strict=True))
lookups = [action for action in episode.menu if action.kind == "lookup"]
best = max(lookups, key=lambda action: len(previews[action.id].new_sentences))
print(best, previews[best.id])
outcome = episode.step(best)
assert outcome == previews[best.id]

# %% An episode is a value: a clone goes its own way, saved bytes come back, a pickle travels to another process.
twin = episode.clone()
twin.step("A0")
assert environment.restore(episode.save()) == episode == pickle.loads(pickle.dumps(episode))
assert twin != episode

# %% It ends by an answer action, or with the turn budget. The trace says what happened.
episode.step(next(action for action in episode.menu if action.kind == "answer_with"))
episode.answer("Leytonstone")
for step in episode.trace.steps:
    print(step.turn, step.event, step.action, [episode.trace.sentences[s].text for s in step.outcome.new_sentences][:1])

# %% Many episodes as one batch: here a policy that takes a random action, seeded by the episode.
questions = harnessg.read_questions(sample / "questions.jsonl")
with harnessg.Pool(environment, len(questions)) as pool:
    pool.reset(questions, seed=1)
    generators = [np.random.default_rng(pool[slot].seed) for slot in range(len(pool))]
    while (mask := pool.action_mask()).any():
        sizes = mask.sum(axis=1)
        pool.step([rng.integers(max(size, 1)) for rng, size in zip(generators, sizes, strict=True)])
    traces = [pool[slot].trace for slot in range(len(pool))]
print(sum(len(trace.seen) for trace in traces) / len(traces), "sentences seen, on average")

# %% The same through Gymnasium. The reward is the share of the question's supporting sentences that were selected.
search = gymnasium.make("harnessg/Search-v0", index=index, questions=questions)
search.action_space.seed(0)
_, info = search.reset(seed=0)
recall, over = 0.0, False
while not over:
    _, reward, terminated, truncated, info = search.step(search.action_space.sample(mask=info["action_mask"]))
    recall, over = recall + reward, terminated or truncated
print("evidence recall", recall)

# %% And a vector of them, stepped by all cores.
vector = gymnasium.make_vec("harnessg/Search-v0", num_envs=64, index=index, questions=questions)
_, infos = vector.reset(seed=0)
rng = np.random.default_rng(0)
total = 0.0
for _ in range(20):
    sizes = np.maximum(infos["action_mask"].sum(axis=1), 1)
    _, rewards, _, _, infos = vector.step(rng.integers(sizes))
    total += rewards.sum()
print("evidence recall summed over the vector", total)
vector.close()
search.close()
index.close()
