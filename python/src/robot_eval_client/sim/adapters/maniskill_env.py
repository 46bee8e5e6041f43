"""Tasks of ManiSkill 3. Checked against the sources of mani_skill 3.0.1, but not tested.

ManiSkill's environments are Gymnasium environments with a batch dimension, which is removed here: `num_envs=1`, by
default on the CPU and, if no images are observed, without a renderer. On a GPU the environment is declared
nondeterministic. Success is `info["success"]`, from the task's `evaluate()`; the first step with success or `fail` ends
the episode, as ManiSkill's `terminated` says.
"""

from __future__ import annotations

import difflib
import importlib
import os
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...episode import Episode
from ..adapter import Frame, SimAdapter
from ..choice import name_and_arguments
from ..errors import EpisodeError
from ..spaces import ActionMap, readings_of, sensors_of
from ..success import Moment, reported_success
from ..values import hash_of

_WITHOUT_PICTURES = ("state", "state_dict", "none")
# What ManiSkill raises for unknown arguments, modes and controllers.
_BAD_ARGUMENTS = (AssertionError, KeyError, NotImplementedError, TypeError)


def maniskill_env(default: str | None = None) -> Callable[[dict[str, Any]], ManiSkillAdapter]:
    """For `serve_env`: `env: {id: PickCube-v1, control_mode: pd_ee_delta_pose}`, the rest as keywords of `make`."""

    def make(task: dict[str, Any]) -> ManiSkillAdapter:
        name, arguments = name_and_arguments(task, default, "maniskill")
        return ManiSkillAdapter(name, arguments)

    return make


class ManiSkillAdapter(SimAdapter):
    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        self._gymnasium = importlib.import_module("gymnasium")
        self._torch = importlib.import_module("torch")
        self._version = str(importlib.import_module("mani_skill").__version__)
        # Registers the environments.
        importlib.import_module("mani_skill.envs")
        _disable_download_prompt()
        _known("environment", name, importlib.import_module("mani_skill.utils.registration").REGISTERED_ENVS)
        self._horizon_of = importlib.import_module("mani_skill.utils.gym_utils").find_max_episode_steps_value
        self._name = name
        self._arguments = {"obs_mode": "state_dict", "sim_backend": "cpu", **arguments, "num_envs": 1}
        if self._arguments["obs_mode"] in _WITHOUT_PICTURES and "render_mode" not in self._arguments:
            # The default requires a graphics card, or else Vulkan on the CPU.
            self._arguments.setdefault("render_backend", "none")
        robots = self._arguments.get("robot_uids")
        if robots is not None:
            names = [robots] if isinstance(robots, str) else list(robots)
            for robot in names:
                _known("robot", robot, importlib.import_module("mani_skill.agents").REGISTERED_AGENTS)
            # Several robots must be a tuple; ManiSkill treats a list as the name of one.
            self._arguments["robot_uids"] = names[0] if len(names) == 1 else tuple(names)
        self._env: Any = None
        self._is_used = False

    def capabilities(self) -> dict[str, Any]:
        if self._env is None:
            self._fresh()
        base = self._env.unwrapped
        mode = base.control_mode
        sensors = sensors_of(base.single_observation_space)
        capabilities: dict[str, Any] = {
            "simulator": {"name": "maniskill", "version": self._version, "env": self._name},
            "families": ["manipulation"],
            "sensors": {name: sensor for name, sensor in sensors.items() if self.wants(name)},
            "action_space": self._actions.description,
            "deterministic": not base.gpu_sim_enabled,
            "control_hz": float(base.control_freq),
            "units": {"length": "m", "angle": "rad", "time": "s"},
            "conventions": {
                "quaternion_order": "wxyz",
                "image_layout": "hwc",
                "image_origin": "top_left",
                "color_order": "rgb",
                # Integer millimetres, except with `obs_mode: sensor_data`, which returns the shader's values.
                "depth_unit": "mm",
                # With several robots, one mode per robot.
                "control_mode_name": ", ".join(mode.values()) if isinstance(mode, Mapping) else str(mode),
            },
            "state_hash": True,
        }
        most = self._horizon_of(self._env)
        return capabilities | ({"max_steps": int(most)} if most else {})

    def reset(self, episode: Episode, seed: int, task: Mapping[str, Any]) -> Frame:
        if self._env is None or self._is_used:
            self._fresh()
        self._is_used = True
        # NumPy's legacy generator takes at most 32 bits.
        seed %= 2**32
        # `reset` seeds a fork of PyTorch's generator; tasks draw from the global generator during steps.
        self._torch.manual_seed(seed)
        np.random.seed(seed)
        # Objects and colours are drawn when the scene is built. `make` always uses the seed 2022 for this, and `reset`
        # rebuilds the scene only with `reconfigure`.
        observation, info = self._env.reset(seed=seed, options={"reconfigure": True})
        return self._frame(observation, 0.0, False, False, info)

    def step(self, action: Any) -> Frame:
        observation, reward, terminated, truncated, info = self._env.step(self._actions(action))
        return self._frame(observation, _number(reward), bool(_number(terminated)), bool(_number(truncated)), info)

    def close(self) -> None:
        env, self._env = self._env, None
        if env is not None:
            env.close()

    def _fresh(self) -> None:
        """Creates a new environment for each episode, so that no state is carried over."""
        self.close()
        try:
            self._env = self._gymnasium.make(self._name, **self._arguments)
        except (*_BAD_ARGUMENTS, SystemExit) as error:
            raise EpisodeError(f"ManiSkill cannot create {self._name} with {self._arguments}: {error!r}") from error
        # Without the batch dimension, which ManiSkill accepts for a single environment.
        self._actions = ActionMap(SimpleNamespace(action_space=self._env.unwrapped.single_action_space))
        self._is_used = False

    def _frame(self, observation: Any, reward: float, terminated: bool, truncated: bool, info: Any) -> Frame:
        outcome = {name: _number(value) for name, value in info.items() if name in ("success", "fail")}
        base = self._env.unwrapped
        sim_state = np.asarray(_host(base.get_state()), dtype=np.float64).reshape(-1)
        state: dict[str, Any] = {
            "success": reported_success(Moment(reward, 0.0, terminated, truncated, outcome)),
            "reward": reward,
            "sim_state": sim_state,
            "state_hash": hash_of(sim_state),
        }
        if terminated or truncated:
            state["ended_by"] = "terminated" if terminated else "truncated"
        # Not every robot has a hand. With several robots there is none here: they are in `base.agent.agents`.
        hand = getattr(base.agent, "tcp_pose", None)
        if hand is None:
            hand = getattr(getattr(base.agent, "tcp", None), "pose", None)
        if hand is not None:
            state["ee_pos"] = _host(hand.p).reshape(-1)[:3].tolist()
            state["ee_quat_wxyz"] = _host(hand.q).reshape(-1)[:4].tolist()
        robot = getattr(base.agent, "robot", None)
        if robot is not None:
            state["qpos"] = _host(robot.get_qpos()).reshape(-1)
            state["qvel"] = _host(robot.get_qvel()).reshape(-1)
        readings = {name: _host(value)[0] for name, value in readings_of(observation).items() if self.wants(name)}
        return Frame(readings, state, terminated or truncated)


def _known(what: str, name: str, registry: Mapping[str, Any]) -> None:
    if name not in registry:
        near = difflib.get_close_matches(str(name), registry, n=3)
        raise EpisodeError(f"ManiSkill has no {what} {name!r}" + (f"; similar names: {', '.join(near)}" if near else ""))


def _disable_download_prompt() -> None:
    """ManiSkill prompts on the terminal before it downloads missing files, and would block a server."""

    def refuse(message: str) -> bool:
        if os.environ.get("MS_SKIP_ASSET_DOWNLOAD_PROMPT") == "1":
            return True
        raise EpisodeError(
            f"{message} Download them with `python -m mani_skill.utils.download_asset`, or set "
            "MS_SKIP_ASSET_DOWNLOAD_PROMPT=1 for the simulator"
        )

    importlib.import_module("mani_skill.utils.download_asset").prompt_yes_no = refuse  # type: ignore[attr-defined]


def _host(value: Any) -> Any:
    """A tensor as a copied NumPy array, which later steps do not change."""
    return np.array(value.detach().cpu().numpy() if hasattr(value, "detach") else value)


def _number(value: Any) -> float:
    return float(_host(value).reshape(-1)[0])
