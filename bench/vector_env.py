"""What bench/vector_bench.cpp does, through the Python package: prints the same JSON object.

    python bench/vector_env.py INDEX QUESTIONS [--slots N] [--rounds N] [--warm N] [--threads N] [--first N]

A vector environment of N episodes and a single environment, text observations, actions drawn by seed from the mask. The
package is the one on PYTHONPATH or in the virtual environment.
"""

import argparse
import json
import statistics
import time

import harnessg
import numpy as np
from harnessg.gymnasium import HarnessEnv, HarnessVectorEnv

# As in vector_bench: the encoder is asked for questions only.
RULES = {"profile": "released", "settings": {"compose_query": 1}}


def drawn(numbers, actions):
    """Outputs of splitmix64 from seed 0, as positions on menus of so many actions."""
    z = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return (z % np.maximum(actions, 1).astype(np.uint64)).astype(np.int64)


def run_vector(index, questions, arguments):
    env = HarnessVectorEnv(arguments.slots, index, **RULES, questions=questions, threads=arguments.threads)
    _, info = env.reset(seed=0)
    number, wall, cores = 0, [], []
    for round_number in range(arguments.warm + arguments.rounds):
        wall_before, cores_before = time.perf_counter(), time.process_time()
        numbers = np.arange(number, number + arguments.slots)
        _, _, _, _, info = env.step(drawn(numbers, info["action_mask"].sum(axis=1)))
        number += arguments.slots
        if round_number >= arguments.warm:
            wall.append(time.perf_counter() - wall_before)
            cores.append(time.process_time() - cores_before)
    env.close()
    return {"wall": statistics.median(wall), "wall_best": min(wall), "cores": statistics.median(cores)}


def run_single(index, questions, arguments):
    """Mean thread seconds of a step."""
    env = HarnessEnv(index, **RULES, questions=questions)
    _, info = env.reset(seed=0)
    actions = drawn(np.arange(2 * arguments.single), np.full(2 * arguments.single, 2**40))
    seconds, steps = 0.0, 0
    for number, action in enumerate(actions.tolist()):
        mask = info["action_mask"]
        position = action % int(mask.sum())
        before = time.thread_time()
        _, _, terminated, truncated, info = env.step(position)
        if number >= arguments.single:
            seconds += time.thread_time() - before
            steps += 1
        if terminated or truncated:
            _, info = env.reset()
    env.close()
    return {"step_and_text": seconds / steps - clock_cost()}


def clock_cost():
    begin = time.thread_time()
    for _ in range(999):
        time.thread_time()
    return (time.thread_time() - begin) / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index")
    parser.add_argument("questions")
    parser.add_argument("--slots", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--warm", type=int, default=60)
    parser.add_argument("--single", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--first", type=int, default=200)
    arguments = parser.parse_args()
    index = harnessg.open(arguments.index)
    questions = harnessg.read_questions(arguments.questions)[: arguments.first]
    found = {"slots": arguments.slots, "vector": run_vector(index, questions, arguments)}
    found["single"] = run_single(index, questions, arguments)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
