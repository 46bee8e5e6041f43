"""Times robosuite's Lift in a plain Python loop: python robosuite_loop_peer.py STEPS.

Does the actions that bench/bridge.mjs does through the bridge, and records as much: the state, the success, the
observation. Prints milliseconds a step.
"""

import sys
import time

import numpy as np
import robosuite

steps = int(sys.argv[1])
np.random.seed(0)
env = robosuite.make(
    "Lift",
    robots="Panda",
    seed=0,
    hard_reset=False,
    has_renderer=False,
    has_offscreen_renderer=False,
    use_camera_obs=False,
    horizon=10**9,
)
env.reset()


def turn(count, begin):
    for step in range(begin, begin + count):
        env.step(np.array([np.sin(0.1 * step + axis) * 0.3 for axis in range(7)]))
        env._check_success()


turn(20, 0)
for block in range(5):
    started = time.perf_counter()
    turn(steps, 20 + block * steps)
    print((time.perf_counter() - started) * 1000 / steps)
