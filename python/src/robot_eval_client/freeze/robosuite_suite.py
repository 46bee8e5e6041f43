"""Freezes environments of robosuite 1.5."""

from __future__ import annotations

import importlib
import logging
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import FreezeError
from .folder import FORMAT, FrozenFolder
from .model_text import changed_fields, compiled, licence_of, versions, with_files_by_content
from .robosuite_control import action_of, arm_controller
from .robosuite_readings import ReadingCheck
from .robosuite_tasks import TASKS, FrozenTask
from .rollouts import Policy, Recording, random_policy
from .shims import apply_shims


@dataclass(frozen=True)
class FreezeOptions:
    episodes: int
    rollouts: int
    steps: int
    seed: int
    controller: str
    robot: str


def world_name(env_name: str, options: FreezeOptions) -> str:
    parts = [env_name]
    if options.robot != "Panda":
        parts.append(options.robot)
    if options.controller != "OSC_POSE":
        parts.append(options.controller)
    return "-".join(parts)


def freeze_robosuite(env_name: str, folder: FrozenFolder, options: FreezeOptions) -> None:
    """Writes one environment; the description last, so that an interrupted world is written again."""
    if env_name not in TASKS:
        raise FreezeError(f"the success rule of {env_name!r} is not known; use one of {', '.join(sorted(TASKS))}, or the bridge")
    if options.episodes < options.rollouts:
        raise FreezeError(f"-n {options.episodes} is less than --rollouts {options.rollouts}: each rollout needs an episode of its own")
    shims = apply_shims()
    logging.getLogger("robosuite_logs").setLevel(logging.ERROR)
    world, task = world_name(env_name, options), TASKS[env_name]
    env = _make(env_name, options)
    try:
        env.reset()
        text, files = with_files_by_content(env.model.get_xml())
        model = folder.write_model(world, text, files)
        base = compiled(folder.path / model["file"])
        # Before any step: the gripper's initial command is read from its state.
        description = {**_description(env, env_name, world, task, options), "shims": shims, "model": model}
        parts = _episodes(env, world, task, base, options)
        document = {**description, **parts.description, "parity": {"file": f"{world}.parity.json.gz", "sha256": folder.write_json(f"{world}.parity.json.gz", parts.rollouts)}}
        folder.write_json(f"{world}.episodes.json.gz", {"format": "robot-eval-episodes/1", "episodes": parts.episodes})
        folder.write_json(f"{world}.world.json", document)
    finally:
        env.close()


def _make(env_name: str, options: FreezeOptions) -> Any:
    suite = importlib.import_module("robosuite")
    controllers = importlib.import_module("robosuite.controllers")
    config = controllers.load_composite_controller_config(robot=options.robot)
    if options.controller != "OSC_POSE":
        part = controllers.load_part_controller_config(default_controller=options.controller)
        config["body_parts"]["right"] = {**part, "gripper": config["body_parts"]["right"]["gripper"]}
    np.random.seed(options.seed)
    return suite.make(
        env_name,
        robots=options.robot,
        controller_configs=config,
        seed=options.seed,
        has_renderer=False,
        has_offscreen_renderer=False,
        use_camera_obs=False,
        ignore_done=True,
    )


@dataclass
class _Parts:
    episodes: list[dict[str, Any]]
    rollouts: dict[str, Any]
    description: dict[str, Any]


def _episodes(env: Any, world: str, task: FrozenTask, base: Any, options: FreezeOptions) -> _Parts:
    rng = np.random.default_rng(options.seed)
    episodes, rollouts = [], []
    check: ReadingCheck | None = None
    for number in range(options.episodes):
        observation = env.reset()
        episodes.append(_episode(env, world, str(number), task, base))
        if number >= options.rollouts:
            continue
        # A hard reset replaces the objects that readings refer to, but not their names.
        check = check or ReadingCheck(env)
        policy, source = _policy(env, task, number, rng)
        recording = _rollout(env, observation, str(number), source, policy, options.steps, check)
        rollouts.append(recording.document(keep_observations=number < 2))
    if check is None:
        raise FreezeError("at least one rollout is needed to check the observations")
    readings = check.readings()
    return _Parts(
        episodes,
        {"format": "robot-eval-parity/1", "world": world, "steps": options.steps, "rollouts": rollouts},
        {"observations": readings, "missing_observations": check.missing()},
    )


def _policy(env: Any, task: FrozenTask, number: int, rng: np.random.Generator) -> tuple[Policy, str]:
    low, high = env.action_spec
    if task.script is not None and number % 2 and arm_controller(env).name == "OSC_POSE":
        return task.script(env, rng), "script"
    return random_policy(low, high, rng), "random"


def _rollout(env: Any, observation: Any, episode_id: str, source: str, policy: Policy, steps: int, check: ReadingCheck) -> Recording:
    recording = Recording(episode_id, source)
    data, site = env.sim.data, _hand_site(env)

    def add(action: Any | None) -> None:
        check.compare(observation)
        recording.add(action, data.qpos, data.site_xpos[site], env._check_success(), observation)

    add(None)
    for step in range(steps):
        action = np.clip(policy(observation, step), *env.action_spec)
        observation, _, _, _ = env.step(action)
        add(action)
    return recording


def _episode(env: Any, world: str, episode_id: str, task: FrozenTask, base: Any) -> dict[str, Any]:
    data = env.sim.data
    state = {
        "qpos": data.qpos.tolist(),
        "qvel": data.qvel.tolist(),
        "act": data.act.tolist(),
        "ctrl": data.ctrl.tolist(),
        "qacc_warmstart": data.qacc_warmstart.tolist(),
        "mocap_pos": data.mocap_pos.tolist(),
        "mocap_quat": data.mocap_quat.tolist(),
    }
    return {
        "episode_id": episode_id,
        "task_type": "external",
        "scene_id": f"{world}.world.json",
        "instruction": {"text": task.instruction},
        "goals": {"success_criteria": {"rule": task.rule(env)}},
        "task_config": {
            "frozen": {
                "state": state,
                "model": changed_fields(env.sim.model._model, base),
                "initial_joints": np.asarray(arm_controller(env).initial_joint).tolist(),
                # robosuite computes it before the reset places the fingers, and uses it for the first physics step.
                "first_inertia": np.asarray(arm_controller(env).mass_matrix).ravel().tolist(),
            }
        },
    }


def _description(env: Any, env_name: str, world: str, task: FrozenTask, options: FreezeOptions) -> dict[str, Any]:
    robot = env.robots[0]
    gripper = robot.gripper[robot.arms[0]]
    substeps = int(env.control_timestep / env.model_timestep)
    return {
        "format": FORMAT,
        "world": world,
        "suite": {"name": "robosuite", "env": env_name, "versions": versions("robosuite", "mujoco", "numpy")},
        "licences": [{"name": "robosuite", "licence": licence_of("robosuite"), "source": "https://pypi.org/project/robosuite"}],
        "seed": options.seed,
        "engine": {"name": "mujoco", "version": versions("mujoco")["mujoco"]},
        "control": {
            "hz": float(env.control_freq),
            "timestep_s": float(env.model_timestep),
            "substeps": substeps,
            # With `lite_physics`, the controller runs between the halves of a step, otherwise after a full forward pass.
            "order": "step1_step2" if env.lite_physics else "forward_step",
        },
        "horizon": int(env.horizon),
        "robot": {
            "name": options.robot,
            "joints": list(robot.robot_joints),
            "gripper_joints": list(robot.gripper_joints[robot.arms[0]]),
            "site": env.sim.model.site_id2name(_hand_site(env)),
            "hand": robot.robot_model.eef_name[robot.arms[0]],
            "fingers": [list(gripper.important_geoms["left_fingerpad"]), list(gripper.important_geoms["right_fingerpad"])],
        },
        "objects": task.objects(env),
        "action": action_of(env),
        "cameras": {"names": [str(name) for name in env.sim.model.camera_names], "width": 256, "height": 256, "origin": "top_left", "geom_groups": [1], "site_groups": []},
        "conventions": {"quaternion_order": "xyzw", "image_origin": "top_left", "image_layout": "hwc", "color_order": "rgb"},
    }


def _hand_site(env: Any) -> int:
    robot = env.robots[0]
    return int(robot.eef_site_id[robot.arms[0]])
