"""Runs STEP on the draws of `npm run evidence duel`, to compare its number of episodes with that of a duel.

    python -m venv /tmp/step && /tmp/step/bin/pip install sequentialized_barnard_tests==0.0.9
    /tmp/step/bin/python <package>/scripts/synthesize_general_step_policy.py -n 200 -a 0.025
    ROBOT_EVAL_DRAWS=/tmp/draws.json npm run evidence duel
    /tmp/step/bin/python test/support/step_duel.py /tmp/draws.json

STEP (Snyder et al., "Is your imitation learning policy better than mine?", RSS 2025) is for independent outcomes. Its two-sided
form with an error of 5 % uses a rule of 2.5 % for each direction (`inference_mode="ranking"`), which takes a minute to
synthesise for at most 200 pairs.
"""

import json
import sys

import numpy as np
from sequentialized_barnard_tests import Decision, Hypothesis, MirroredStepTest

MAXIMUM = 200


def stop_of(test, pairs):
    """The pairs after which STEP stops, and whether it prefers the second policy; infinite if it does not stop."""
    test.reset()
    for n, pair in enumerate(pairs, 1):
        decision = test.step(int(pair) // 2, int(pair) % 2).decision
        if decision != Decision.FailToDecide:
            return n, decision == Decision.AcceptAlternative
    return np.inf, None


def main(path):
    test = MirroredStepTest(Hypothesis.P0LessThanP1, MAXIMUM, 0.05, random_seed=1, inference_mode="ranking")
    print("| setting | gap | decided | wrong | median |")
    print("| --- | --- | --- | --- | --- |")
    for row in json.load(open(path)):
        ends = []
        for i, pairs in enumerate(row["pairs"]):
            test.random_seed = i
            ends.append(stop_of(test, pairs[:MAXIMUM]))
        stops = np.sort([n for n, _ in ends])
        decided = np.mean(np.isfinite(stops))
        wrong = np.mean([second is False for _, second in ends]) if row["gap"] > 0 else decided
        median = stops[(len(stops) - 1) // 2]
        print(f"| {row['name']} | {row['gap']} | {decided:.1%} | {wrong:.1%} | {median} |", flush=True)


main(sys.argv[1])
