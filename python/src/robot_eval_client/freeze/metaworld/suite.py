"""The environments of Meta-World 3.1's MT10, with the 50 goals that `MT1` draws by its seed."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import FreezeError
from ..mocap.original import MocapOriginal
from ..model_text import licence_of, versions
from ..original import FreezeOptions, Observation, Original, Policy, Reading, Suite
from .tasks import TASKS

_GOALS = 50
_HORIZON = 500
#: Numbers of an observation that are stacked: the hand, the opening of the gripper, and room for two poses.
_FRAME = 18
_POSES = 14
_SHOWN_GROUPS = [0, 1, 2]


class MetaworldSuite(Suite):
    packages = "metaworld==3.1.1 packaging, then 'mujoco==3.14.*', of which it accepts 3.3.0 only but runs with"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        for name in environments:
            if name not in TASKS:
                raise FreezeError(f"{name!r} cannot be frozen; use one of {', '.join(TASKS)}, or the bridge")
        if options.episodes > _GOALS:
            raise FreezeError(f"-n {options.episodes}: Meta-World has {_GOALS} goals for each environment; use -n {_GOALS}, or another --seed in another folder")
        if options.steps > _HORIZON:
            raise FreezeError(f"--steps {options.steps}: Meta-World ends an episode after {_HORIZON} steps")
        return {name: name for name in environments}

    def open(self, environment: str, options: FreezeOptions) -> Original:
        return Metaworld(environment, options.seed)


class Metaworld(MocapOriginal):
    site = "endEffector"

    def __init__(self, name: str, seed: int) -> None:
        benchmark = importlib.import_module("metaworld").MT1(name, seed=seed)
        env = benchmark.train_classes[name]()
        super().__init__(env, Path(env.model_name))
        self._goals = benchmark.train_tasks
        self._name, self._task = name, TASKS[name]
        self._first: Any = None
        self.instruction = self._task.instruction

    def reset(self, number: int) -> Observation:
        self._env.set_task(self._goals[number])
        self._first, _ = self._env.reset()
        # It observes the poses of the last physics step. They are updated here, so that the state can be judged.
        warm_start = self.data.qacc_warmstart.copy()
        importlib.import_module("mujoco").mj_forward(self.model, self.data)
        self.data.qacc_warmstart[:] = warm_start
        return {"observation": self._first}

    def step(self, action: Any) -> Observation:
        return {"observation": self._env.step(action)[0]}

    def success(self) -> bool:
        stacked = self._env._prev_obs
        _, info = self._env.evaluate_state(self._env._get_obs(), np.zeros(4))
        self._env._prev_obs = stacked
        return bool(info["success"])

    def rule(self) -> dict[str, Any]:
        task = self._task
        return {"near": {"object": task.point, "target": self.target().tolist(), "within_m": task.within_m, **task.distance}}

    def constants(self) -> Mapping[str, Any]:
        return {"goal": self.target()}

    def start(self) -> dict[str, Any]:
        return {**super().start(), "first_values": {"frame": self._first[:_FRAME].tolist()}}

    def point(self) -> Any:
        """The original's value of what the task calls its point."""
        match self._task.point:
            case "tcp_center":
                return np.array(self._env.tcp_center)
            case "peg_head":
                return np.array(self._env._get_site_pos("pegHead"))
            case _:
                return np.array(self._env._get_pos_objects())

    def target(self) -> Any:
        return np.array(self._env._target_pos)

    @property
    def goal_joints(self) -> Sequence[str | int]:
        """Those of the arm where the hand decides, otherwise that of the object."""
        if self._task.point == "tcp_center":
            return [f"right_j{number}" for number in range(7)]
        return [int(self.model.body(self._task.objects[0]).jntadr[0])]

    def script(self, rng: np.random.Generator) -> Policy:
        """Meta-World's own policy, with noise so that some attempts fail."""
        expert = importlib.import_module("metaworld.policies").ENV_POLICY_MAP[self._name]()
        noise = rng.choice([0.0, 0.1, 1.0])

        def act(observation: Observation, _step: int) -> Any:
            with warnings.catch_warnings():
                # That actions beyond 1 are clipped.
                warnings.simplefilter("ignore")
                action = expert.get_action(observation["observation"])
            return np.clip(action, -1, 1) + rng.normal(0, noise, 4)

        return act

    def description(self) -> dict[str, Any]:
        env, packages = self._env, versions("metaworld", "gymnasium", "mujoco", "numpy")
        return {
            "suite": {"name": "metaworld", "env": self._name, "versions": packages},
            "licences": [{"name": "metaworld", "licence": licence_of("metaworld"), "source": "https://pypi.org/project/metaworld"}],
            "shims": [],
            "engine": {"name": "mujoco", "version": packages["mujoco"]},
            "control": {
                **{"hz": float(round(1 / env.dt)), "timestep_s": float(self.model.opt.timestep), "substeps": int(env.frame_skip), "order": "once"},
                # `step` updates the poses before it observes and judges.
                "completion": {"joints": {}},
            },
            "horizon": int(env.max_path_length),
            "robot": {
                "name": "Sawyer",
                "joints": [f"right_j{number}" for number in range(7)],
                "gripper_joints": ["r_close", "l_close"],
                "site": self.site,
                "hand": "hand",
                "fingers": [["rightpad_geom"], ["leftpad_geom"]],
            },
            "objects": list(self._task.objects),
            "points": {self._task.point: self._task.point},
            "values": self.values(),
            "action": self._action(),
            "cameras": {
                "names": [self.model.camera(index).name for index in range(self.model.ncam)],
                **{"width": 480, "height": 480, "origin": "top_left", "geom_groups": _SHOWN_GROUPS, "site_groups": _SHOWN_GROUPS},
            },
            "conventions": {"image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
        }

    def _action(self) -> dict[str, Any]:
        scale = float(self._env.action_scale)
        hand = {
            **{"type": "MOCAP", "start": 0, "end": 3, "actuators": [], "body": "mocap"},
            "rotation": {"type": "fixed", "quat_wxyz": [1.0, 0.0, 1.0, 0.0]},
            "bounds": [self._env.mocap_low.tolist(), self._env.mocap_high.tolist()],
            **{"input_min": [-1.0] * 3, "input_max": [1.0] * 3, "output_min": [-scale] * 3, "output_max": [scale] * 3},
        }
        fingers = {
            **{"type": "DIRECT", "start": 3, "end": 4, "actuators": ["r_close", "l_close"]},
            **{"inputs": [0, 0], "factors": [1.0, -1.0], "input_min": [-1.0], "input_max": [1.0]},
        }
        return {"low": [-1.0] * 4, "high": [1.0] * 4, "parts": [hand, fingers]}

    def values(self) -> Mapping[str, Reading]:
        task = self._task
        return {
            "hand": {"kind": "body_pos", "body": "hand"},
            "right_claw": {"kind": "body_pos", "body": "rightclaw"},
            "left_claw": {"kind": "body_pos", "body": "leftclaw"},
            "claw_distance": {"kind": "distance", "of": ["right_claw", "left_claw"]},
            # The environment divides by 0.1 m.
            "wide_opening": {"kind": "scaled", "of": "claw_distance", "factor": 10.0},
            "opening": {"kind": "clipped", "of": "wide_opening", "low": [0.0], "high": [1.0]},
            "right_tip": {"kind": "site_pos", "site": "rightEndEffector"},
            "left_tip": {"kind": "site_pos", "site": "leftEndEffector"},
            "tcp_center": {"kind": "middle", "of": ["right_tip", "left_tip"]},
            **task.parts,
            "object": task.position,
            "rotation": task.quaternion,
            "padding": {"kind": "numbers", "values": [0.0] * (_POSES - 7)},
            "frame": {"kind": "concat", "of": ["hand", "opening", "object", "rotation", "padding"]},
            "previous_frame": {"kind": "previous", "of": "frame"},
            "goal": {"kind": "constant", "name": "goal"},
            "stacked": {"kind": "concat", "of": ["frame", "previous_frame", "goal"]},
        }

    def readings(self) -> Sequence[tuple[str, Reading]]:
        space, most = self._env.sawyer_observation_space, np.finfo(np.float64).max
        bounds = {"low": np.maximum(space.low, -most).tolist(), "high": np.minimum(space.high, most).tolist()}
        return [("observation", {"kind": "clipped", "of": "stacked", **bounds})]


SUITE = MetaworldSuite()
