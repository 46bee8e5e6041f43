"""Measures robosuite's Lift in a plain Python loop: python robosuite_loop_peer.py [CAMERA ...].

For each number read from standard input, it runs that many steps and prints milliseconds per step: of wall time, and of
CPU time. The actions are those of bench/bridge.mjs. The success condition is evaluated at each step, and nothing is
recorded. BENCH_SIZE is the size of the images, such as 256x256.
"""

import os
import sys
import time

import numpy as np
import robosuite

if os.environ.get("BENCH_SHIMS"):
    # robosuite 1.5 does not start on MuJoCo 3.14 without them.
    from robot_eval_client.freeze.shims import apply_shims

    apply_shims()

cameras = sys.argv[1:]
width, height = map(int, os.environ.get("BENCH_SIZE", "640x480").split("x"))
np.random.seed(0)
env = robosuite.make(
    "Lift",
    robots="Panda",
    seed=0,
    hard_reset=False,
    has_renderer=False,
    has_offscreen_renderer=bool(cameras),
    use_camera_obs=bool(cameras),
    horizon=10**9,
    **({"camera_names": cameras, "camera_widths": width, "camera_heights": height} if cameras else {}),
)
env.reset()

step = 0
for line in sys.stdin:
    count = int(line)
    started = (time.perf_counter(), time.process_time())
    for _ in range(count):
        env.step(np.array([np.sin(0.1 * step + axis) * 0.3 for axis in range(7)]))
        env._check_success()
        step += 1
    ended = (time.perf_counter(), time.process_time())
    print(*((end - start) * 1000 / count for start, end in zip(started, ended)), flush=True)
