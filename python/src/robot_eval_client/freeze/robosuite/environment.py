"""What originals made with robosuite share, whatever its version: those of robosuite itself and those of LIBERO."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model_text import licence_of, versions
from ..original import Observation, Original, Reading
from .readings import candidates, evaluators, hand_site, of_arm


class RobosuiteEnvironment(Original):
    """An original with an environment of robosuite, which the subclass sets."""

    _env: Any

    @property
    def model(self) -> Any:
        return self._env.sim.model._model

    @property
    def data(self) -> Any:
        return self._env.sim.data._data

    def success(self) -> bool:
        return bool(self._env._check_success())

    def action_limits(self) -> tuple[Any, Any]:
        low, high = self._env.action_spec
        return low, high

    def hand_position(self) -> Any:
        return self.data.site_xpos[hand_site(self._env)]

    def readings(self) -> Sequence[tuple[str, Reading]]:
        return candidates(self._env)

    def evaluators(self) -> Mapping[str, Callable[[Reading, Observation], Any]]:
        return evaluators(self._env)


def common_description(env: Any, robot_name: str, order: str) -> dict[str, Any]:
    """The parts of a description that all versions of robosuite have."""
    robot = env.robots[0]
    geoms = of_arm(robot.gripper).important_geoms
    return {
        "engine": {"name": "mujoco", "version": versions("mujoco")["mujoco"]},
        "control": {
            "hz": float(env.control_freq),
            "timestep_s": float(env.model_timestep),
            "substeps": int(env.control_timestep / env.model_timestep),
            "order": order,
        },
        "robot": {
            "name": robot_name,
            "joints": list(robot.robot_joints),
            "gripper_joints": list(of_arm(robot.gripper_joints)),
            "site": env.sim.model.site_id2name(hand_site(env)),
            "hand": of_arm(robot.robot_model.eef_name),
            "fingers": [list(geoms["left_fingerpad"]), list(geoms["right_fingerpad"])],
        },
    }


def robosuite_licence() -> dict[str, str]:
    return {"name": "robosuite", "licence": licence_of("robosuite"), "source": "https://pypi.org/project/robosuite"}
