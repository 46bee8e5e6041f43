"""Tasks of ManiSkill 3. Written against its documented interface and not run here: it needs PyTorch and SAPIEN.

ManiSkill's environments are Gymnasium's with a batch in front of everything, which is taken off here: one world of
`num_envs=1` on the CPU (`sim_backend: cpu`), where physics is repeatable. On a GPU it is not, and is said to be not.
Success is `info["success"]`, from the task's own `evaluate()`. An environment is made for each episode, as parts of a
scene (which objects, which colours) are chosen when it is built and by default not again at reset.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError
from ..spaces import readings_of
from ..success import Moment, told_success
from ..values import hash_of


def maniskill_env(default: str | None = None) -> Callable[[dict[str, Any]], ManiSkillAdapter]:
    """For `serve_env`: `env: {id: PickCube-v1, control_mode: pd_ee_delta_pose}`, the rest as keywords of `make`."""

    def make(task: dict[str, Any]) -> ManiSkillAdapter:
        name, arguments = name_and_arguments(task, default, "maniskill")
        return ManiSkillAdapter(name, arguments)

    return make


class ManiSkillAdapter(SimAdapter):
    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        self._gymnasium = importlib.import_module("gymnasium")
        # Registers the environments.
        self._version = getattr(importlib.import_module("mani_skill"), "__version__", "3")
        importlib.import_module("mani_skill.envs")
        if name not in self._gymnasium.registry:
            near = difflib.get_close_matches(name, self._gymnasium.registry, n=3)
            raise EpisodeError(f"ManiSkill has no environment {name!r}" + (f"; near it are {', '.join(near)}" if near else ""))
        self._name = name
        self._arguments = {"obs_mode": "state_dict", "sim_backend": "cpu", **arguments, "num_envs": 1}
        self._env: Any = None
        self._sensors: dict[str, Any] | None = None

    def capabilities(self) -> dict[str, Any]:
        if self._sensors is None:
            observation, _ = self._fresh().reset(seed=0)
            self._sensors = {name: _sensor(name, value) for name, value in self._readings(observation).items()}
        base = self._env.unwrapped
        space = getattr(base, "single_action_space", self._env.action_space)
        said: dict[str, Any] = {
            "simulator": {"name": "maniskill", "version": self._version, "env": self._name},
            "families": ["manipulation"],
            "sensors": self._sensors,
            "action_space": {
                "type": "continuous",
                "low": np.asarray(space.low, dtype=np.float64).reshape(-1).tolist(),
                "high": np.asarray(space.high, dtype=np.float64).reshape(-1).tolist(),
            },
            "deterministic": self._arguments["sim_backend"] in ("cpu", "physx_cpu"),
            "control_hz": float(base.control_freq),
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": {
                "quaternion_order": "wxyz",
                "image_layout": "hwc",
                "image_origin": "top_left",
                "color_order": "rgb",
                "depth_unit": "mm",
                "control_mode_name": str(base.control_mode),
            },
            "state_hash": True,
        }
        most = getattr(getattr(self._env, "spec", None), "max_episode_steps", None)
        return said | ({"max_steps": int(most)} if most else {})

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        # Seeds are NumPy's old generator's there, of 32 bits less one.
        observation, info = self._fresh().reset(seed=seed % (2**31 - 1))
        return self._frame(observation, 0.0, False, False, info)

    def step(self, action: Any) -> Frame:
        observation, reward, terminated, truncated, info = self._env.step(np.asarray(action, dtype=np.float32))
        return self._frame(observation, _number(reward), bool(_number(terminated)), bool(_number(truncated)), info)

    def close(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            env.close()

    def _fresh(self) -> Any:
        self.close()
        try:
            self._env = self._gymnasium.make(self._name, **self._arguments)
        except (TypeError, KeyError, NotImplementedError) as error:
            raise EpisodeError(f"ManiSkill cannot make {self._name} of {self._arguments}: {error!r}") from error
        return self._env

    def _frame(self, observation: Any, reward: float, terminated: bool, truncated: bool, info: Any) -> Frame:
        told = {name: _number(value) for name, value in info.items() if name in ("success", "fail")}
        base = self._env.unwrapped
        sim_state = np.asarray(_host(base.get_state()), dtype=np.float64).reshape(-1)
        state: dict[str, Any] = {
            "success": told_success(Moment(reward, 0.0, terminated, truncated, told)),
            "reward": reward,
            "sim_state": sim_state,
            "state_hash": hash_of(sim_state),
        }
        hand = getattr(getattr(base, "agent", None), "tcp", None)
        if hand is not None:
            state["ee_pos"] = _host(hand.pose.p).reshape(-1)[:3].tolist()
            state["ee_quat_wxyz"] = _host(hand.pose.q).reshape(-1)[:4].tolist()
        robot = getattr(getattr(base, "agent", None), "robot", None)
        if robot is not None:
            state["qpos"] = _host(robot.get_qpos()).reshape(-1)
            state["qvel"] = _host(robot.get_qvel()).reshape(-1)
        return Frame(self._readings(observation), state, terminated or truncated)

    def _readings(self, observation: Any) -> dict[str, Any]:
        readings = {name: _host(value)[0] for name, value in readings_of(observation).items()}
        return {name: value for name, value in readings.items() if self.wants(name)}


def _sensor(name: str, value: Any) -> dict[str, Any]:
    array = np.asarray(value)
    kind = "rgb" if name.endswith("rgb") else "depth" if name.endswith("depth") else "state"
    return {"shape": list(array.shape), "dtype": array.dtype.name, "kind": kind}


def _host(value: Any) -> Any:
    """A tensor as an array of this machine's memory."""
    return value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)


def _number(value: Any) -> float:
    return float(np.asarray(_host(value)).reshape(-1)[0])
