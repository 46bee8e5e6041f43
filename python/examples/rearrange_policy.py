"""Finds an object, carries it to other furniture and puts it down, with nothing but sensors.

A heuristic baseline for `rearrange`: an occupancy grid from depth, frontier search, categories from the semantic
camera, and Stretch's kinematics. Its parts are in `rearrange_baseline`; its score is in docs/manipulation.md.

    python rearrange_policy.py
    robot-eval run rearrange_challenge --agent ws://127.0.0.1:8000
"""

from __future__ import annotations

import argparse
import sys
import traceback

from rearrange_baseline.rearranger import Goals, Rearranger
from rearrange_baseline.robot import CHUNK, Robot, Script

from robot_eval_client import Action, Episode, Observation, Policy, serve


class RearrangePolicy(Policy):
    sensors = ["rgb_head", "depth_head", "semantic_head", "qpos", "held_object", "gps", "compass"]
    action_chunk = CHUNK
    conventions = {"action_space": "hybrid", "action_dim": 7, "control_mode": "joint_position", "depth_unit": "m"}

    def reset(self, episode: Episode) -> None:
        self._goals = Goals.of(episode)
        self._script: Script[None] | None = None

    def act(self, observation: Observation) -> Action:
        """Continues the script; an episode in which it fails ends with `stop`, as one that it gives up."""
        try:
            if self._script is None:
                self._script = Rearranger(Robot(observation, self._goals.target), self._goals).run()
                return next(self._script)
            return self._script.send(observation)
        except StopIteration:
            return "stop"
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return "stop"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a baseline for rearrangement that uses only sensors")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--host", default="127.0.0.1")
    options = parser.parse_args()
    serve(RearrangePolicy, options.port, options.host)
