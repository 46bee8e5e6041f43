"""Repeats a run's recorded actions in a plain robosuite loop without the bridge, and compares every step.

python robosuite_loop.py RUN_DIRECTORY

Prints {"episodes": ..., "steps": ..., "different": [...]}. States must be bit-identical.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import robosuite


def flat_state(env):
    """Time, positions, velocities and activations, from MuJoCo's own data."""
    data = env.sim.data._data
    return np.concatenate([[data.time], data.qpos, data.qvel, data.act])


def main(run: Path) -> None:
    episodes = steps = 0
    different = []
    for text in (run / "episodes.jsonl").read_text().splitlines():
        line = json.loads(text)
        if line["trajectory"] is None or line["outcome"] == "invalid":
            continue
        header, *records = [json.loads(row) for row in gzip.open(run / line["trajectory"], "rt")]
        arguments = dict(header["episode"]["task_config"]["env"])
        name = arguments.pop("name")
        seed = line["seed"] % 2**32
        np.random.seed(seed)
        env = robosuite.make(
            name,
            seed=seed,
            hard_reset=False,
            has_renderer=False,
            has_offscreen_renderer=False,
            use_camera_obs=False,
            **arguments,
        )
        env.reset()
        for record in records:
            reward = 0.0
            if record["action"] is not None:
                _, reward, _, _ = env.step(np.array(record["action"]))
            state = record["state"]
            same = (
                state["success"] == bool(env._check_success())
                and state["reward"] == reward
                and np.array_equal(state["sim_state"], flat_state(env))
            )
            steps += 1
            if not same:
                different.append(f"{line['episode_key']} step {record['step']}")
                break
        env.close()
        episodes += 1
    print(json.dumps({"episodes": episodes, "steps": steps, "different": different}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
