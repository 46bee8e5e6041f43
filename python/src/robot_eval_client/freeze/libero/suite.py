"""Tasks of LIBERO: `libero_spatial` for a whole suite, `libero_spatial[0]` for one task.

The conventions are those of the bridge (`sim/adapters/libero_env.py`), which published results use: the task's fixed initial
states, LIBERO's generator seeded with 0 before the reset that places its fixtures, and ten no-op actions before the episode.
"""

from __future__ import annotations

import copy
import importlib
import logging
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...sim.adapters.libero_env import NO_OP, SETTLE_STEPS, reset_env
from ...sim.adapters.libero_files import initial_states, libero_root, sentence, suite_tasks, write_default_config
from ...sim.errors import EpisodeError, SimulatorError
from .. import FreezeError
from ..model_text import versions
from ..original import Boundary, FreezeOptions, Observation, Original, Policy, Suite
from ..robosuite.control_1_4 import ORDER, action_of, first_step
from ..robosuite.environment import RobosuiteEnvironment, common_description, robosuite_licence
from ..shims import apply_shims
from ..stand_ins import StandIns
from .boundaries import GoalLimits
from .goal import goal_rule, unchecked_geoms
from .script import pick_and_place

#: Control steps that published evaluations allow, such as openpi's and OpenVLA's: more than the longest demonstration has.
_HORIZONS = {"libero_spatial": 220, "libero_object": 280, "libero_goal": 300, "libero_10": 520, "libero_90": 400}
#: What differs from published results, by task.
_NOTES = {
    "libero_spatial[5]": "the bowl on the ramekin settles at 51 degrees on MuJoCo 3.14, but at 16 degrees on 2.3.7 to 3.3.7, "
    "with which results were published; success rates differ"
}
_TASK = re.compile(r"(\w+?)(?:\[(\d+)\])?")


class LiberoSuite(Suite):
    packages = "robosuite==1.4.1 bddl==1.0.1 gym==0.25.2 easydict future matplotlib cloudpickle 'mujoco==3.14.*', and LIBERO from its repository"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        if options.controller not in (None, "OSC_POSE") or options.robot not in (None, "Panda"):
            raise FreezeError("LIBERO's tasks are defined for OSC_POSE and the Panda; omit --controller and --robot")
        found: dict[str, str] = {}
        for name in environments:
            match = _TASK.fullmatch(name)
            if match is None:
                raise FreezeError(f"{name!r} is not a task of LIBERO; write libero_spatial, or libero_spatial[0]")
            suite, index = match.groups()
            tasks = _tasks(suite)
            if index is not None and int(index) >= len(tasks):
                raise FreezeError(f"{suite} has no task {index}; use 0 to {len(tasks) - 1}")
            for number in range(len(tasks)) if index is None else [int(index)]:
                found[f"{suite}_{number}"] = f"{suite}[{number}]"
        return found

    def open(self, environment: str, options: FreezeOptions) -> Original:
        match = _TASK.fullmatch(environment)
        assert match is not None
        shims = apply_shims()
        logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
        return LiberoOriginal(match[1], int(match[2]), shims)


def _tasks(suite: str) -> list[str]:
    try:
        return suite_tasks(libero_root(), suite)
    except (EpisodeError, SimulatorError) as error:
        raise FreezeError(str(error)) from error


class LiberoOriginal(RobosuiteEnvironment):
    def __init__(self, suite: str, index: int, shims: list[str]) -> None:
        root = libero_root()
        write_default_config(root)
        self._suite, self._index, self._shims = suite, index, shims
        self._task = suite_tasks(root, suite)[index]
        self._states = initial_states(root, suite, self._task)
        self.instruction = sentence(self._task)
        self._stand_ins = StandIns()
        self._wrapper = _make(str(root / "bddl_files" / suite / f"{self._task}.bddl"), self._stand_ins)
        self._env = self._wrapper.env
        self._after_reset = _AfterReset(self._env)
        # Before any step, which moves the gripper's command.
        self._action = action_of(self._env)
        self._start: dict[str, Any] = {}

    def reset(self, number: int) -> Observation:
        if number >= len(self._states):
            raise FreezeError(f"{self._task} has {len(self._states)} initial states; use -n {len(self._states)} or less")
        if len(self._states[number]) != 1 + self.model.nq + self.model.nv:
            raise FreezeError(f"the initial states of {self._task} do not match the model; check the version of LIBERO")
        initial = self._states[number]
        self._after_reset.restore()
        controller = self._env.robots[0].controller
        self._start = {
            "state": self._state(initial),
            "initial_joints": np.asarray(controller.initial_joint).tolist(),
            "warm_up": [list(NO_OP)] * SETTLE_STEPS,
        }
        self._wrapper.set_init_state(initial)
        self._start["first_step"] = first_step(self._env, NO_OP)
        self._after_reset.restore()
        observation: Observation = self._wrapper.set_init_state(initial)
        for _ in range(SETTLE_STEPS):
            observation = self.step(NO_OP)
        return observation

    def _state(self, initial: Any) -> dict[str, Any]:
        """The initial state, with what the reset left where LIBERO sets nothing."""
        data, nq = self.data, self.model.nq
        return {
            "qpos": initial[1 : 1 + nq].tolist(),
            "qvel": initial[1 + nq :].tolist(),
            "act": data.act.tolist(),
            "ctrl": data.ctrl.tolist(),
            "qacc_warmstart": data.qacc_warmstart.tolist(),
            "mocap_pos": data.mocap_pos.tolist(),
            "mocap_quat": data.mocap_quat.tolist(),
        }

    def step(self, action: Any) -> Observation:
        observation: Observation = self._env.step(list(action))[0]
        return observation

    def close(self) -> None:
        self._wrapper.close()

    def xml(self) -> str:
        """With the fixtures where the reset placed them, so that viewers show them there."""
        text = str(self._env.model.get_xml())
        root = ElementTree.fromstring(self._stand_ins.completed(text))
        self._stand_ins.check(text, self.model)
        bodies = {body.get("name"): body for body in root.iter("body")}
        for fixture in self._env.fixtures_dict.values():
            body = bodies.get(getattr(fixture, "root_body", None))
            if body is None:
                continue
            place = self.model.body(body.get("name"))
            for rotation in ("axisangle", "xyaxes", "zaxis", "euler"):
                body.attrib.pop(rotation, None)
            body.set("pos", " ".join(repr(float(value)) for value in place.pos))
            body.set("quat", " ".join(repr(float(value)) for value in place.quat))
        return ElementTree.tostring(root, encoding="unicode")

    def rule(self) -> dict[str, Any]:
        return goal_rule(self._env)

    def script(self, rng: np.random.Generator) -> Policy | None:
        return pick_and_place(self._env, rng)

    def start(self) -> dict[str, Any]:
        return self._start

    def boundaries(self) -> Sequence[Boundary]:
        return GoalLimits(self._env, self._start["state"]["qpos"]).boundaries()

    def description(self) -> dict[str, Any]:
        env, root = self._env, libero_root()
        return {
            "suite": {"name": "libero", "env": f"{self._suite}/{self._task}", "versions": versions("robosuite", "mujoco", "numpy")},
            "licences": [
                {"name": "LIBERO", "licence": "MIT", "source": "https://github.com/Lifelong-Robot-Learning/LIBERO"},
                robosuite_licence(),
            ],
            "shims": self._shims,
            "notes": [note for task, note in _NOTES.items() if task == f"{self._suite}[{self._index}]"],
            "missing_files": sorted(str(path.relative_to(root) if path.is_relative_to(root) else path.name) for path in self._stand_ins.missing),
            **common_description(env, "Panda", ORDER),
            "horizon": _HORIZONS.get(self._suite, int(env.horizon)),
            "unchecked_geoms": unchecked_geoms(env),
            "objects": [str(thing.root_body) for thing in env.objects],
            "action": self._action,
            "cameras": {
                "names": [str(name) for name in env.sim.model.camera_names],
                # Policies of LIBERO turn its images, whose first row is the lowest, by 180 degrees.
                **{"width": 256, "height": 256, "origin": "top_left", "mirrored": True, "geom_groups": [1], "site_groups": []},
            },
            "conventions": {
                "control_mode": "osc_pose",
                "quaternion_order": "xyzw",
                "image_layout": "hwc",
                "image_origin": "top_left",
                "image_rotation_deg": 180,
                "color_order": "rgb",
                "gripper_open": -1.0,
                "gripper_closed": 1.0,
                "settle_steps": SETTLE_STEPS,
            },
        }


class _AfterReset:
    """The state after the reset of a new environment, with what the controller has read. Making one takes seconds.

    A second reset would draw other random numbers, and published results use a new environment and the seed 0.
    """

    def __init__(self, env: Any) -> None:
        self._env = env
        self._mujoco = importlib.import_module("mujoco")
        robot = env.robots[0]
        self._state = np.empty(self._mujoco.mj_stateSize(env.sim.model._model, self._spec))
        self._mujoco.mj_getState(env.sim.model._model, env.sim.data._data, self._state, self._spec)
        kept = {name: value for name, value in vars(robot.controller).items() if value is None or isinstance(value, (np.ndarray, bool, float, int))}
        self._controller = copy.deepcopy(kept)
        self._grip = np.array(robot.gripper.current_action)

    @property
    def _spec(self) -> Any:
        return self._mujoco.mjtState.mjSTATE_INTEGRATION

    def restore(self) -> None:
        env, robot = self._env, self._env.robots[0]
        self._mujoco.mj_setState(env.sim.model._model, env.sim.data._data, self._state, self._spec)
        vars(robot.controller).update(copy.deepcopy(self._controller))
        robot.gripper.current_action = self._grip.copy()
        env.timestep, env.cur_time, env.done = 0, 0, False
        env._obs_cache = {}
        for observable in env._observables.values():
            observable.reset()


def _make(bddl_file: str, stand_ins: StandIns) -> Any:
    binding = importlib.import_module("robosuite.utils.binding_utils")
    from_text = binding.MjSim.from_xml_string
    # Of the class, because the environment compiles its model before it can be given a processor of its own.
    binding.MjSim.from_xml_string = classmethod(lambda _, text: from_text(stand_ins.completed(text)))
    try:
        np.random.seed(0)
        random.seed(0)
        wrapper = importlib.import_module("libero.libero.envs.env_wrapper")
        env = wrapper.ControlEnv(bddl_file_name=bddl_file, use_camera_obs=False, has_offscreen_renderer=False)
        np.random.seed(0)
        random.seed(0)
        env.seed(0)
        reset_env(env)
    finally:
        binding.MjSim.from_xml_string = from_text
    return env


SUITE = LiberoSuite()
