"""Serves a checkpoint of train.py.

    python policy.py policy.npz --port 8000
    robot-eval run benchmark.yaml --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from network import HORIZON, JOINTS, Array, Model, mentions_door

from robot_eval_client import Action, Episode, Observation, Policy, serve


class Imitation(Policy):
    sensors = ["rgb_head", "qpos", "gripper_state"]
    action_chunk = HORIZON

    def __init__(self, model: Model) -> None:
        self.model = model
        self.door: Array = np.zeros((1, 1), np.float32)

    def reset(self, episode: Episode) -> None:
        self.door = np.full((1, 1), mentions_door(episode.instruction or ""), np.float32)

    def act(self, observation: Observation) -> Action:
        qpos = np.asarray(observation["qpos"], np.float32)[None, :JOINTS]
        gripper = np.asarray(observation["gripper_state"], np.float32).reshape(1, 1)
        picture = np.asarray(observation["rgb_head"], np.float32).reshape(1, -1) / 255
        features = self.model.features(qpos, gripper, self.door, picture)
        return (qpos[0] + self.model.predict(features)[0]).astype(np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    policy = Imitation(Model.load(options.checkpoint))
    serve(policy, port=options.port, host="127.0.0.1", name="imitation", checkpoint=options.checkpoint.stem)


if __name__ == "__main__":
    main()
