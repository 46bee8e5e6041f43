"""What is told of a MuJoCo world: its model and its files. No MuJoCo is needed for it."""

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
# As MuJoCo compiles it, with the door moved since.
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


def test_files_are_named_by_what_they_hold_and_no_path_is_told(folder: Path) -> None:
    told = geometry_of_file(str(folder / "model.xml"))
    assert str(folder) not in told["mjcf"] and "meshdir" not in told["mjcf"]
    # A mesh without a name goes by its file's, which is another now.
    assert re.search(rf'<mesh file="{sha256(b"hand")[:16]}\.stl" name="hand"', told["mjcf"])
    assert [path.name for path in told["assets"].values()] == ["hand.stl", "hull.stl"]


def test_what_is_not_looked_at_is_left_out_with_its_files(folder: Path) -> None:
    told = geometry_of_xml(MODEL, folder, model=COMPILED, groups=(1,))
    assert told["groups"] == [1] and "hull" not in told["mjcf"] and "actuator" not in told["mjcf"]
    assert [path.name for path in told["assets"].values()] == ["hand.stl"]
    assert 'name="floor"' in told["mjcf"]
    assert "floor" not in geometry_of_xml(MODEL, folder, model=COMPILED, groups=(1,), without="flo")["mjcf"]


def test_things_stand_where_the_world_has_put_them(folder: Path) -> None:
    told = geometry_of_xml(MODEL, folder, model=COMPILED)
    assert '<body name="door" pos="1.5 0.0 2.0" quat="0.0 0.0 0.0 1.0">' in told["mjcf"]
    assert '<body name="knob">' in told["mjcf"]


def test_what_no_state_tells_the_place_of_is_left_out() -> None:
    body = '<body name="guide" mocap="true"><geom size="1"/></body>'
    told = geometry_of_xml(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    assert '<body name="guide" mocap="true" />' in told["mjcf"]


def test_a_file_that_is_known_is_not_sent(folder: Path) -> None:
    told = packed_geometry(geometry_of_xml(MODEL, folder), {sha256(b"hand")})
    assert sorted(told["files"].values()) == sorted([sha256(b"hand"), sha256(b"hull")])
    assert list(told["assets"].values()) == [b"hull"]


def test_what_does_not_fit_into_a_message_comes_with_the_next(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "_MESSAGE_BYTES", 5)
    told = geometry_of_xml(MODEL, folder)
    first = packed_geometry(told, ())
    assert list(first["assets"].values()) == [b"hand"]
    second = packed_geometry(told, {sha256(b"hand")})
    assert list(second["assets"].values()) == [b"hull"] and second["files"] == first["files"]
