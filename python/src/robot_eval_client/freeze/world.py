"""Writes one world: its model, episodes, and rollouts and boundary states of the original."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import FreezeError
from .boundaries import judge_boundaries
from .folder import FORMAT, FrozenFolder
from .frames import FrameRecorder
from .model_text import changed_fields, compiled, with_files_by_content
from .original import Demonstration, FreezeOptions, Observation, Original, Policy
from .polygons import polygons_of
from .readings import ReadingCheck
from .rollouts import Recording, random_policy

#: Episodes whose boundary states are judged, and rollouts whose observations and frames are written.
_EXAMINED = 2


def freeze_world(original: Original, world: str, folder: FrozenFolder, options: FreezeOptions, env: Mapping[str, Any] | None = None) -> None:
    """Writes the description last, so that an interrupted world is written again.

    env    how the bridge opens the original: `env` of a task for the adapter `original`
    """
    if options.episodes < options.rollouts:
        raise FreezeError(f"-n {options.episodes} is less than --rollouts {options.rollouts}: each rollout needs an episode of its own")
    original.reset(0)
    text, files = with_files_by_content(original.xml())
    model = folder.write_model(world, text, files)
    base = compiled(folder.path / model["file"])
    polygons = polygons_of(original.model)
    if polygons is not None:
        name = f"{world}.polygons.json.gz"
        model["polygons"] = {"file": name, "sha256": folder.write_json(name, polygons)}
    # Before any step: the gripper's initial command is read from its state.
    description = {"format": FORMAT, "world": world, "seed": options.seed, **original.description(), "model": model, **({"original": env} if env else {})}
    parts = _episodes(original, world, base, options, description["cameras"] if options.frames else None)
    parity = f"{world}.parity.json.gz"
    frames = [{**frame, **folder.write_frame(image)} for frame, image in parts.frames]
    document = {**description, **parts.description, **({"frames": frames} if frames else {}), "parity": {"file": parity, "sha256": folder.write_json(parity, parts.parity)}}
    folder.write_json(f"{world}.episodes.json.gz", {"format": "robot-eval-episodes/1", "episodes": parts.episodes})
    folder.write_json(f"{world}.world.json", document)


@dataclass
class _Parts:
    episodes: list[dict[str, Any]]
    parity: dict[str, Any]
    description: dict[str, Any]
    frames: list[tuple[dict[str, Any], bytes]]


def _episodes(original: Original, world: str, base: Any, options: FreezeOptions, cameras: Mapping[str, Any] | None) -> _Parts:
    """`cameras` are those of which frames are drawn."""
    rng = np.random.default_rng(options.seed)
    episodes: list[dict[str, Any]] = []
    rollouts: list[dict[str, Any]] = []
    boundaries: list[dict[str, Any]] = []
    frames: list[tuple[dict[str, Any], bytes]] = []
    check: ReadingCheck | None = None

    def add(episode_id: str, observation: Observation, policy: Policy | None, source: str, steps: int) -> None:
        nonlocal check
        episodes.append(_episode(original, world, episode_id, base))
        if policy is None:
            return
        # A hard reset replaces the objects that readings refer to, but not their names.
        check = check or ReadingCheck(original, list(observation))
        recorder = FrameRecorder(original, episode_id, steps, cameras) if cameras and len(rollouts) < _EXAMINED else None
        with recorder or nullcontext():
            recording = _rollout(original, observation, Recording(episode_id, source), policy, steps, check, recorder)
        frames.extend(recorder.frames if recorder else ())
        rollouts.append(recording.document(keep_observations=len(rollouts) < _EXAMINED))

    for number in range(options.episodes):
        observation = original.reset(number)
        source, policy = _policy(original, number, rng) if number < options.rollouts else ("", None)
        add(str(number), observation, policy, source, options.steps)
        if number < _EXAMINED:
            boundaries += judge_boundaries(original, str(number), episodes[-1]["task_config"]["frozen"]["state"])
    for demonstration in original.demonstrations(options.demonstrations) if options.demonstrations else ():
        original.reset(len(episodes))
        add(demonstration.name, original.begin(demonstration), _replay(demonstration), "demonstration", len(demonstration.actions))
    if check is None:
        raise FreezeError("at least one rollout is needed to check the observations")
    if not check.readings():
        raise FreezeError(f"no observation of {world} is a reading of the model")
    return _Parts(
        episodes,
        {"format": "robot-eval-parity/1", "world": world, "steps": options.steps, "rollouts": rollouts, "boundaries": boundaries},
        {"observations": check.readings(), "missing_observations": check.missing()},
        frames,
    )


def _policy(original: Original, number: int, rng: np.random.Generator) -> tuple[str, Policy]:
    """Random in every second rollout, and where there is no script."""
    script = original.script(rng) if number % 2 else None
    return ("script", script) if script else ("random", random_policy(*original.action_limits(), rng))


def _replay(demonstration: Demonstration) -> Policy:
    return lambda _observation, step: demonstration.actions[step]


def _rollout(original: Original, observation: Observation, recording: Recording, policy: Policy, steps: int, check: ReadingCheck, frames: FrameRecorder | None) -> Recording:
    low, high = original.action_limits()

    def add(action: Any | None, done: int) -> None:
        check.compare(observation)
        if frames:
            frames.draw(done)
        recording.add(action, original.data.qpos, original.hand_position(), original.success(), observation)

    check.begin()
    add(None, 0)
    for step in range(steps):
        action = np.clip(policy(observation, step), low, high)
        observation = original.step(action)
        add(action, step + 1)
    return recording


def _episode(original: Original, world: str, episode_id: str, base: Any) -> dict[str, Any]:
    return {
        "episode_id": episode_id,
        "task_type": "external",
        "scene_id": f"{world}.world.json",
        "instruction": {"text": original.instruction},
        "goals": {"success_criteria": {"rule": original.rule()}},
        "task_config": {"frozen": {"model": changed_fields(original.model, base), **start_of(original)}},
    }


def start_of(original: Original) -> dict[str, Any]:
    """The state after a reset, and what the controllers remember of it."""
    data = original.data
    state = {
        "qpos": data.qpos.tolist(),
        "qvel": data.qvel.tolist(),
        "act": data.act.tolist(),
        "ctrl": data.ctrl.tolist(),
        "qacc_warmstart": data.qacc_warmstart.tolist(),
        "mocap_pos": data.mocap_pos.tolist(),
        "mocap_quat": data.mocap_quat.tolist(),
    }
    return {"state": state, **original.start()}
