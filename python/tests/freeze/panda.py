"""An environment with the Panda of robot-eval, MuJoCo for Python, and a controller that was written for this file alone.

`python tests/freeze/panda.py ../test/golden/frozen-panda --frames` writes the frozen world of robot-eval's own tests; it needs
mujoco==3.14.*, and OSMesa for the frames.
The controller is operational-space control (Khatib 1987) with the conventions of robosuite 1.5's OSC_POSE.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robot_eval_client.freeze.folder import FrozenFolder
from robot_eval_client.freeze.frames import use_renderer
from robot_eval_client.freeze.model_text import versions
from robot_eval_client.freeze.original import Boundary, FreezeOptions, Observation, Original, Policy, Reading
from robot_eval_client.freeze.world import freeze_world

_MODEL = Path(__file__).with_name("panda.xml")
_JOINTS = [f"panda_joint{number}" for number in range(1, 8)]
_FINGERS = ["panda_finger_joint1", "panda_finger_joint2"]
_HAND = "panda_grasp_center"
_HOME = [0, -np.pi / 4, 0, -3 * np.pi / 4, 0, np.pi / 2, np.pi / 4]
_SUBSTEPS = 25
_KP, _KD = 150.0, 2 * np.sqrt(150.0)
_REST_KP, _REST_KD = 10.0, 2 * np.sqrt(10.0)
#: Metres and radians of a full action.
_FULL = np.array([0.05, 0.05, 0.05, 0.5, 0.5, 0.5])
#: Change of the gripper's command per control step; 1 is open, -1 closed.
_GRIP = -0.2
_OPENING_M = 0.04
#: Height of the cube's centre above which it counts as lifted, in metres.
_LIFTED_M = 0.81


class PandaOriginal(Original):
    instruction = "lift the cube"

    def __init__(self) -> None:
        self._mujoco = importlib.import_module("mujoco")
        self._model = self._mujoco.MjModel.from_xml_path(str(_MODEL))
        self._data = self._mujoco.MjData(self._model)
        self._dofs = [int(self._model.joint(name).dofadr[0]) for name in _JOINTS]
        self._initial = np.zeros(7)
        self._grip = 0.0

    @property
    def model(self) -> Any:
        return self._model

    @property
    def data(self) -> Any:
        return self._data

    def reset(self, number: int) -> Observation:
        rng = np.random.default_rng(number)
        self._mujoco.mj_resetData(self._model, self._data)
        self._initial = _HOME + rng.uniform(-0.02, 0.02, 7)
        for name, position in zip(_JOINTS, self._initial):
            self._data.joint(name).qpos[0] = position
        for name in _FINGERS:
            self._data.joint(name).qpos[0] = _OPENING_M / 2
        yaw = rng.uniform(-0.3, 0.3)
        x, y = rng.uniform(-0.05, 0.05, 2)
        self._data.joint("cube_free").qpos[:] = [0.5 + x, y, 0.77, np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
        self._grip = 0.0
        self._mujoco.mj_forward(self._model, self._data)
        return self._observation()

    def step(self, action: Any) -> Observation:
        goal: tuple[Any, Any] | None = None
        for _ in range(_SUBSTEPS):
            self._mujoco.mj_step1(self._model, self._data)
            if goal is None:
                goal = self._goal(np.asarray(action, dtype=np.float64))
                self._grip = float(np.clip(self._grip + _GRIP * np.sign(action[6]), -1, 1))
            self._data.ctrl[:7] = np.clip(self._torques(*goal), *self._model.actuator_ctrlrange[:7].T)
            self._data.ctrl[7] = _OPENING_M / 2 * (1 + self._grip)
            self._mujoco.mj_step2(self._model, self._data)
        return self._observation()

    def success(self) -> bool:
        return bool(self._data.body("cube").xpos[2] > _LIFTED_M)

    def close(self) -> None: ...

    def xml(self) -> str:
        return _MODEL.read_text()

    def start(self) -> dict[str, Any]:
        return {"initial_joints": self._initial.tolist()}

    def rule(self) -> dict[str, Any]:
        return {"in": {"object": "cube", "region": {"center": [0, 0, _LIFTED_M + 5], "size": [10, 10, 10]}, "name": "lifted"}}

    def hand_position(self) -> Any:
        return self._data.site(_HAND).xpos

    def action_limits(self) -> tuple[Any, Any]:
        return -np.ones(7), np.ones(7)

    def readings(self) -> Sequence[tuple[str, Reading]]:
        return [
            ("joint_pos", {"kind": "qpos", "joints": _JOINTS}),
            ("joint_vel", {"kind": "qvel", "joints": _JOINTS}),
            ("gripper_qpos", {"kind": "qpos", "joints": _FINGERS}),
            ("hand_pos", {"kind": "site_pos", "site": _HAND}),
            ("cube_pos", {"kind": "body_pos", "body": "cube"}),
            ("cube_quat", {"kind": "body_quat_xyzw", "body": "cube"}),
        ]

    def script(self, rng: np.random.Generator) -> Policy | None:
        """Above the cube, down, close, up."""

        def act(observation: Observation, step: int) -> Any:
            above, closed = (0.1 if step < 14 or step >= 34 else 0.0), step >= 26
            goal = observation["cube_pos"] + (0, 0, above) if step < 34 else observation["hand_pos"] + (0, 0, above)
            return np.concatenate([np.clip((goal - observation["hand_pos"]) / _FULL[:3], -1, 1), np.zeros(3), [1.0 if closed else -1.0]])

        return act

    def boundaries(self) -> Sequence[Boundary]:
        return [
            Boundary(f"height by {margin:g} m, {'inside' if inside else 'outside'}", inside, {"cube_free": [0.5, 0, height, 1, 0, 0, 0]})
            for margin in (1e-7, 1e-5, 1e-3)
            for inside in (True, False)
            for height in [_LIFTED_M + (margin if inside else -margin)]
        ]

    def description(self) -> dict[str, Any]:
        one, full = [1.0] * 6, _FULL.tolist()
        arm = {
            **{"type": "OSC_POSE", "start": 0, "end": 6, "actuators": _JOINTS, "joints": _JOINTS, "site": _HAND, "base_site": "base"},
            **{"input_min": [-number for number in one], "input_max": one, "output_min": [-number for number in full], "output_max": full},
            **{"kp": [_KP] * 6, "kd": [_KD] * 6, "input_type": "delta", "input_ref_frame": "base", "uncouple_pos_ori": True},
        }
        gripper = {
            **{"type": "GRIP", "start": 6, "end": 7, "actuators": ["panda_gripper"], "steps": [_GRIP], "initial": [0.0]},
            **{"input_min": [-1.0], "input_max": [1.0], "output_min": [-1.0], "output_max": [1.0], "control_range": [[0.0], [_OPENING_M]]},
        }
        return {
            "suite": {"name": "robot-eval", "env": "panda", "versions": versions("mujoco")},
            "licences": [{"name": "robot-eval", "licence": "Apache-2.0", "source": "this repository"}],
            "shims": [],
            "engine": {"name": "mujoco", "version": versions("mujoco")["mujoco"]},
            "control": {"hz": 20.0, "timestep_s": 0.002, "substeps": _SUBSTEPS, "order": "step1_step2"},
            "horizon": 60,
            "robot": {
                **{"name": "panda", "joints": _JOINTS, "gripper_joints": _FINGERS, "site": _HAND, "hand": "panda_hand"},
                "fingers": [["panda_fingertip_left"], ["panda_fingertip_right"]],
            },
            "objects": ["cube"],
            "action": {"low": [-1.0] * 7, "high": [1.0] * 7, "parts": [arm, gripper]},
            "cameras": {
                "names": ["head", "wrist"],
                **{"width": 64, "height": 64, "origin": "top_left", "geom_groups": [0, 3], "site_groups": []},
            },
            "conventions": {"quaternion_order": "xyzw", "image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
        }

    def _observation(self) -> Observation:
        data = self._data
        return {
            "joint_pos": np.array([data.joint(name).qpos[0] for name in _JOINTS]),
            "joint_vel": np.array([data.joint(name).qvel[0] for name in _JOINTS]),
            "gripper_qpos": np.array([data.joint(name).qpos[0] for name in _FINGERS]),
            "hand_pos": np.array(data.site(_HAND).xpos),
            "cube_pos": np.array(data.body("cube").xpos),
            "cube_quat": np.array(data.body("cube").xquat)[[1, 2, 3, 0]],
        }

    def _hand(self) -> tuple[Any, Any]:
        site = self._data.site(_HAND)
        return np.array(site.xpos), site.xmat.reshape(3, 3).copy()

    def _goal(self, action: Any) -> tuple[Any, Any]:
        move = np.clip(action[:6], -1, 1) * _FULL
        position, rotation = self._hand()
        return position + move[:3], _rotation(move[3:]) @ rotation

    def _torques(self, goal_position: Any, goal_rotation: Any) -> Any:
        model, data, dofs = self._model, self._data, self._dofs
        position, rotation = self._hand()
        turn = 0.5 * np.cross(rotation.T, goal_rotation.T).sum(axis=0)
        rows = np.zeros((6, model.nv))
        self._mujoco.mj_jacSite(model, data, rows[:3], rows[3:], model.site(_HAND).id)
        jacobian = rows[:, dofs]
        inertia = np.zeros((model.nv, model.nv))
        self._mujoco.mj_fullM(model, data, inertia)
        inertia = inertia[np.ix_(dofs, dofs)]
        inverse = np.linalg.inv(inertia)
        speeds = data.qvel[dofs]
        velocity = jacobian @ speeds
        linear, angular = jacobian[:3], jacobian[3:]
        force = np.linalg.inv(linear @ inverse @ linear.T) @ (_KP * (goal_position - position) - _KD * velocity[:3])
        torque = np.linalg.inv(angular @ inverse @ angular.T) @ (_KP * turn - _KD * velocity[3:])
        # Accelerations of the joints towards their initial positions, without those of the hand.
        hand_inertia = np.linalg.inv(jacobian @ inverse @ jacobian.T)
        null_space = np.eye(7) - inverse @ jacobian.T @ hand_inertia @ jacobian
        rest = _REST_KP * (self._initial - [data.joint(name).qpos[0] for name in _JOINTS]) - _REST_KD * speeds
        return jacobian.T @ np.concatenate([force, torque]) + data.qfrc_bias[dofs] + null_space.T @ (inertia @ rest)


def _rotation(vector: Any) -> Any:
    """The matrix of a rotation vector. robosuite compiles it with Numba: literals are double, the quaternion is single precision."""
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return np.eye(3)
    q = np.array([np.cos(angle / 2), *(np.asarray(vector) / angle * np.sin(angle / 2))], dtype=np.float32)
    q = (q.astype(np.float64) * np.sqrt(2 / float(np.dot(q, q)))).astype(np.float32)
    _, x, y, z = np.outer(q, q)
    one = np.float64(1)
    return np.array(
        [
            [one - y[2] - z[3], x[2] - z[0], x[3] + y[0]],
            [x[2] + z[0], one - x[1] - z[3], y[3] - x[0]],
            [x[3] - y[0], y[3] + x[0], one - x[1] - y[2]],
        ],
        dtype=np.float64,
    )


def write(out: Path, frames: bool) -> Mapping[str, Any]:
    if frames:
        use_renderer()
    folder = FrozenFolder(out / f"{out.resolve().name}.worlds")
    freeze_world(PandaOriginal(), "Panda", folder, FreezeOptions(episodes=3, rollouts=2, steps=60, seed=0, frames=frames))
    folder.write_benchmark(out / "benchmark.yaml")
    return folder.worlds()[0]


if __name__ == "__main__":
    write(Path(sys.argv[1]), "--frames" in sys.argv)
