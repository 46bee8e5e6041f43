"""Models that consist of several files, which MuJoCo merges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robot_eval_client.sim.geometry import geometry_of_file

mujoco: Any = pytest.importorskip("mujoco")

WORLD = """<mujoco>
  <compiler angle="degree" meshdir="meshes"/>
  <include file="parts/shared.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="arm" pos="0 0 1"><include file="parts/arm.xml"/></body>
  </worldbody>
</mujoco>"""
SHARED = """<mujoco>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <asset><mesh file="hand.obj"/></asset>
</mujoco>"""
ARM = """<mujocoinclude>
  <joint name="turn" axis="0 0 1" range="-90 90"/>
  <geom class="red" type="mesh" mesh="hand"/>
  <body name="tip" pos="0 0 0.5" euler="0 0 90"><geom size="0.1" class="red"/></body>
</mujocoinclude>"""
HAND = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.fixture
def path(tmp_path: Path) -> str:
    for folder in ("parts", "meshes"):
        (tmp_path / folder).mkdir()
    (tmp_path / "parts/shared.xml").write_text(SHARED)
    (tmp_path / "parts/arm.xml").write_text(ARM)
    (tmp_path / "meshes/hand.obj").write_text(HAND)
    (tmp_path / "world.xml").write_text(WORLD)
    return str(tmp_path / "world.xml")


def test_models_of_several_files_are_merged_into_one_equal_model(path: str) -> None:
    model = mujoco.MjModel.from_xml_path(path)
    # Environments move bodies in the compiled model.
    model.body("arm").pos = [3, 4, 5]
    geometry = geometry_of_file(path, model)
    assert "<include" not in geometry["mjcf"] and str(Path(path).parent) not in geometry["mjcf"]
    assert [file.name for file in geometry["assets"].values()] == ["hand.obj"]
    files = {name: file.read_bytes() for name, file in geometry["assets"].items()}
    again = mujoco.MjModel.from_xml_string(geometry["mjcf"], files)
    for sizes in ("nq", "nbody", "ngeom", "nmesh"):
        assert getattr(again, sizes) == getattr(model, sizes)
    assert again.body("arm").pos.tolist() == [3, 4, 5]
    assert again.body("tip").quat == pytest.approx(model.body("tip").quat, abs=1e-5)
    assert again.geom_rgba.tolist() == model.geom_rgba.tolist()
    # MuJoCo writes numbers with six digits.
    assert again.jnt_range == pytest.approx(model.jnt_range, rel=1e-5)
