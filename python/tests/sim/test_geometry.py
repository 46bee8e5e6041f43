"""The geometry of a MuJoCo scene: its model and its files. Does not require MuJoCo."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from robot_eval_client.sim import geometry
from robot_eval_client.sim.geometry import geometry_of_file, geometry_of_xml, packed_geometry

MODEL = """<mujoco>
  <compiler meshdir="meshes"/>
  <asset><mesh file="hand.stl"/><mesh name="hull" file="hull.stl"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" group="1"/>
    <body name="door" pos="0 0 0" euler="0 0 1">
      <geom type="mesh" mesh="hand" group="1"/><geom type="mesh" mesh="hull" group="0"/>
      <body name="knob"><joint name="turn"/><geom size="0.1" group="1"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="turn"/></actuator>
</mujoco>"""
# The compiled model, in which the door was moved.
COMPILED = SimpleNamespace(
    nbody=3,
    ngeom=4,
    geom_group=np.array([1, 1, 0, 1]),
    body_parentid=np.array([0, 0, 1]),
    body_pos=np.array([[0, 0, 0], [1.5, 0, 2], [0, 0, 0]], dtype=float),
    body_quat=np.array([[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]], dtype=float),
)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/hand.stl").write_bytes(b"hand")
    (tmp_path / "meshes/hull.stl").write_bytes(b"hull")
    (tmp_path / "model.xml").write_text(MODEL)
    return tmp_path


def test_files_are_renamed_by_checksum_without_local_paths(folder: Path) -> None:
    result = geometry_of_file(str(folder / "model.xml"))
    assert str(folder) not in result["mjcf"] and "meshdir" not in result["mjcf"]
    # A mesh without a name gets that of its original file, because the file is renamed.
    assert re.search(rf'<mesh file="{sha256(b"hand")[:16]}\.stl" name="hand"', result["mjcf"])
    assert [path.name for path in result["assets"].values()] == ["hand.stl", "hull.stl"]


def test_geoms_of_hidden_groups_are_removed_with_their_files(folder: Path) -> None:
    result = geometry_of_xml(MODEL, folder, model=COMPILED, groups=(1,))
    assert result["groups"] == [1] and "hull" not in result["mjcf"] and "actuator" not in result["mjcf"]
    assert [path.name for path in result["assets"].values()] == ["hand.stl"]
    assert 'name="floor"' in result["mjcf"]
    assert "floor" not in geometry_of_xml(MODEL, folder, model=COMPILED, groups=(1,), without="flo")["mjcf"]


def test_static_bodies_have_the_pose_of_the_compiled_model(folder: Path) -> None:
    result = geometry_of_xml(MODEL, folder, model=COMPILED)
    assert '<body name="door" pos="1.5 0.0 2.0" quat="0.0 0.0 0.0 1.0">' in result["mjcf"]
    assert '<body name="knob">' in result["mjcf"]


def test_mocap_bodies_are_removed() -> None:
    body = '<body name="guide" mocap="true"><geom size="1"/></body>'
    result = geometry_of_xml(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    assert '<body name="guide" mocap="true" />' in result["mjcf"]


def test_a_known_file_is_not_sent(folder: Path) -> None:
    result = packed_geometry(geometry_of_xml(MODEL, folder), {sha256(b"hand")})
    assert sorted(result["files"].values()) == sorted([sha256(b"hand"), sha256(b"hull")])
    assert list(result["assets"].values()) == [b"hull"]


def test_files_over_the_message_limit_are_sent_with_the_next_message(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "_MESSAGE_BYTES", 5)
    result = geometry_of_xml(MODEL, folder)
    first = packed_geometry(result, ())
    assert list(first["assets"].values()) == [b"hand"]
    second = packed_geometry(result, {sha256(b"hand")})
    assert list(second["assets"].values()) == [b"hull"] and second["files"] == first["files"]
