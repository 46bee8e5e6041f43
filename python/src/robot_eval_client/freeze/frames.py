"""Frames of the original at some steps of its rollouts, drawn by MuJoCo's own renderer."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import FreezeError
from .original import Original
from .png import png

#: Folder of the frames, beside the worlds.
FRAMES = "frames"
_SMALL = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"


def use_renderer() -> None:
    """Chooses the renderer, before MuJoCo is imported, and fails early if it does not work."""
    os.environ.setdefault("MUJOCO_GL", "osmesa")
    try:
        mujoco = importlib.import_module("mujoco")
        with mujoco.Renderer(mujoco.MjModel.from_xml_string(_SMALL), 8, 8) as renderer:
            renderer.render()
    except Exception as error:  # The renderers of MuJoCo fail in many ways.
        chosen = os.environ["MUJOCO_GL"]
        raise FreezeError(
            f"--frames cannot draw with MUJOCO_GL={chosen}: {error}; install OSMesa (Debian: apt-get install libosmesa6), or omit --frames"
        ) from error


class FrameRecorder:
    """Draws what all cameras see in a rollout: after the reset, in the middle and at its end.

    The images have the orientation of the original's observations.
    """

    def __init__(self, original: Original, episode_id: str, steps: int, cameras: Mapping[str, Any]) -> None:
        self._original = original
        self._episode_id = episode_id
        self._steps = {0, steps // 2, steps}
        self._cameras = cameras
        self._mujoco = importlib.import_module("mujoco")
        # For each rollout, because a reset may have replaced the model.
        self._renderer = self._mujoco.Renderer(original.model, cameras["height"], cameras["width"])
        self._option = self._mujoco.MjvOption()
        for kind in ("geom", "site"):
            groups = getattr(self._option, f"{kind}group")
            groups[:] = [int(group in cameras[f"{kind}_groups"]) for group in range(len(groups))]
        #: What was drawn, and the content of its files.
        self.frames: list[tuple[dict[str, Any], bytes]] = []

    def __enter__(self) -> FrameRecorder:
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.close()

    def draw(self, step: int) -> None:
        if step not in self._steps:
            return
        model, data = self._original.model, self._original.data
        state = self._mujoco.MjData(model)
        state.qpos[:], state.mocap_pos[:], state.mocap_quat[:] = data.qpos, data.mocap_pos, data.mocap_quat
        # The original's own poses may be those of the physics step before.
        self._mujoco.mj_forward(model, state)
        for camera in self._cameras["names"]:
            self._renderer.update_scene(state, camera, self._option)
            named = {"episode_id": self._episode_id, "step": step, "camera": camera}
            mocap = {"mocap_pos": state.mocap_pos.tolist(), "mocap_quat": state.mocap_quat.tolist()}
            self.frames.append(({**named, **mocap}, png(self._oriented(self._renderer.render()))))

    def _oriented(self, image: Any) -> Any:
        rows = slice(None, None, -1 if self._cameras["origin"] == "bottom_left" else 1)
        columns = slice(None, None, -1 if self._cameras.get("mirrored") else 1)
        return np.asarray(image)[rows, columns]
