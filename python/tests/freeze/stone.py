"""Records how a stone with a nearly flat, facetted bottom falls, with the order of its polygons.

`python tests/freeze/stone.py ../test/golden/mesh-polygons/stone.json` writes the reference of robot-eval's own tests; it needs mujoco==3.14.*.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from robot_eval_client.freeze.polygons import polygons_of

_SIDES, _FACETS = 7, 6
_STEPS = 300


def _ring(radius: float, heights: Any, start: float, count: int) -> list[list[float]]:
    angles = start + 2 * np.pi * np.arange(count) / count
    return [[radius * np.cos(angle), radius * np.sin(angle), height] for angle, height in zip(angles, np.broadcast_to(heights, count))]


def _model() -> str:
    """The facets of the bottom are tilted by a few thousandths of a radian, so that several fit a flat contact."""
    rng = np.random.default_rng(1)
    bottom = -0.02 - 2e-5 * rng.uniform(0.5, 1.5, _FACETS)
    rings = [(0.03, -0.02), (0.04, 0.0), (0.03, 0.02)]
    vertices = [vertex for radius, height in rings for vertex in _ring(radius, height, 0, _SIDES)] + _ring(0.02, bottom, 0.1, _FACETS)
    numbers = " ".join(f"{number:.6f}" for vertex in vertices for number in vertex)
    return f"""<mujoco>
  <asset><mesh name="stone" vertex="{numbers}"/></asset>
  <worldbody>
    <geom type="box" size="0.2 0.2 0.02" pos="0 0 -0.02"/>
    <body name="stone"><freejoint/><geom type="mesh" mesh="stone"/></body>
  </worldbody>
</mujoco>"""


def main(out: Path) -> None:
    mujoco = importlib.import_module("mujoco")
    text = _model()
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    polygons = polygons_of(model)
    assert polygons is not None
    falls = []
    for number in range(4):
        rng = np.random.default_rng(number)
        mujoco.mj_resetData(model, data)
        data.qpos[:] = [0, 0, 0.06, *rng.normal(0, 0.1, 4)]
        data.qpos[3] += 1
        start = data.qpos.tolist()
        for _ in range(_STEPS):
            mujoco.mj_step(model, data)
        falls.append({"start": start, "end": data.qpos.tolist()})
    out.write_text(json.dumps({"mujoco": mujoco.__version__, "model": text, "meshes": polygons["meshes"], "steps": _STEPS, "falls": falls}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
