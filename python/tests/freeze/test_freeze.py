"""The freezer, with an environment of a few numbers in place of a simulator: neither MuJoCo nor a suite is needed."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robot_eval_client.freeze import FreezeError
from robot_eval_client.freeze.__main__ import main
from robot_eval_client.freeze.folder import FrozenFolder
from robot_eval_client.freeze.model_text import changed_fields, with_files_by_content
from robot_eval_client.freeze.original import Boundary, Demonstration, FreezeOptions, Observation, Original, Reading, Suite
from robot_eval_client.freeze.polygons import polygons_of
from robot_eval_client.sim.adapters.original_env import OriginalAdapter, original_env
from robot_eval_client.sim.errors import EpisodeError

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


class Model:
    """The numbers of a model with one sliding joint."""

    nq = nv = 1

    def __init__(self) -> None:
        self.body_mass = np.array([0.0, 1.0, 2.0])
        self.geom_size = np.array([[0.1, 0.1, 0.1], [0.2, 0.2, 0.2]])
        self.stat = types.SimpleNamespace(meaninertia=1.5)

    def joint(self, name: str) -> Any:
        return types.SimpleNamespace(qposadr=np.array([0]), dofadr=np.array([0]))


class Slide(Original):
    """The action moves the joint; past 1 it succeeds."""

    instruction = "go past 1"

    def __init__(self, folder: Path, fails_at: int | None = None, engine: str = "3.14.0") -> None:
        self._folder, self._fails_at, self._engine = folder, fails_at, engine
        self._model = Model()
        zeros = {name: np.zeros(1) for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")}
        self._data = types.SimpleNamespace(**zeros, time=0.0, mocap_pos=np.zeros((0, 3)), mocap_quat=np.zeros((0, 4)))
        self._data.joint = lambda name: types.SimpleNamespace(qpos=self._data.qpos)

    @property
    def model(self) -> Any:
        return self._model

    @property
    def data(self) -> Any:
        return self._data

    def reset(self, number: int) -> Observation:
        if number == self._fails_at:
            raise KeyboardInterrupt
        self._data.qpos[:] = 0.1 * number
        self._model.body_mass[2] = 2.0 + number
        return self._observation()

    def step(self, action: Any) -> Observation:
        self._data.qpos += 0.1 * np.asarray(action)
        return self._observation()

    def _observation(self) -> Observation:
        return {"position": self._data.qpos.copy(), "unknown": np.array([7.0])}

    def success(self) -> bool:
        return bool(self._data.qpos[0] > 1)

    def close(self) -> None: ...

    def xml(self) -> str:
        return f'<mujoco><asset><mesh name="a" file="{self._folder / "a.obj"}"/><mesh name="b" file="{self._folder / "b.obj"}"/></asset></mujoco>'

    def description(self) -> dict[str, Any]:
        cameras = {"names": ["front", "side"], "width": 3, "height": 2, "origin": "bottom_left", "mirrored": True, "geom_groups": [1], "site_groups": []}
        common = {"suite": {"name": "robosuite", "env": "Slide"}, "control": {"hz": 20.0}, "conventions": {}, "horizon": 9}
        return {**common, "engine": {"name": "mujoco", "version": self._engine}, "action": {"low": [-1.0]}, "cameras": cameras}

    def start(self) -> dict[str, Any]:
        return {"initial_joints": [0.0]}

    def rule(self) -> dict[str, Any]:
        return {"joint_at": {"joint": "x", "min": 1}}

    def hand_position(self) -> Any:
        return np.array([self._data.qpos[0], 0, 0])

    def action_limits(self) -> tuple[Any, Any]:
        return -np.ones(1), np.ones(1)

    def readings(self) -> Sequence[tuple[str, Reading]]:
        return [("position", {"kind": "qpos", "joints": ["x"]}), ("unknown", {"kind": "qpos", "joints": ["x"]})]

    def boundaries(self) -> Sequence[Boundary]:
        return [Boundary("inside", True, {"x": [1.001]}), Boundary("outside", False, {"x": [0.999]})]

    def demonstrations(self, file: Path) -> Sequence[Demonstration]:
        return [Demonstration("demo_1", np.array([0.9]), np.zeros(1), np.full((3, 1), 0.5), "<mujoco/>")]

    def begin(self, demonstration: Demonstration) -> Observation:
        self._data.qpos[:] = demonstration.qpos
        return self._observation()


@dataclass
class Slides(Suite):
    folder: Path
    fails_at: int | None = None
    engine: str = "3.14.0"
    packages = "nothing"

    def worlds(self, environments: Sequence[str], options: FreezeOptions) -> Mapping[str, str]:
        return {name: name for name in environments}

    def open(self, environment: str, options: FreezeOptions) -> Original:
        if environment == "broken":
            raise FreezeError("cannot be frozen")
        return Slide(self.folder, self.fails_at, self.engine)


class Option:
    def __init__(self) -> None:
        self.geomgroup, self.sitegroup = np.ones(6), np.ones(6)


class Data:
    """A state with one position."""

    def __init__(self, model: Model) -> None:
        self.qpos, self.mocap_pos, self.mocap_quat = np.zeros(1), np.zeros((0, 3)), np.zeros((0, 4))


class Renderer:
    """Its images have the position, in tenths, in their first value; the others count on, camera by camera."""

    #: Renderers that were not closed.
    still_open = 0

    def __init__(self, model: Any, height: int, width: int) -> None:
        self._size = (height, width, 3)
        self._first = 0
        Renderer.still_open += 1

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        Renderer.still_open -= 1

    def update_scene(self, data: Data, camera: str, option: Option) -> None:
        assert (option.geomgroup.tolist(), option.sitegroup.tolist()) == ([0, 1, 0, 0, 0, 0], [0] * 6)
        self._first = round(10 * float(data.qpos[0])) + (100 if camera == "side" else 0)

    def render(self) -> Any:
        return (self._first + np.arange(np.prod(self._size))).reshape(self._size).astype(np.uint8)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slides:
    """A suite whose two meshes are equal, in place of robosuite."""
    for name in ("a.obj", "b.obj"):
        (tmp_path / name).write_text(MESH)
    mujoco = types.ModuleType("mujoco")
    models = types.SimpleNamespace(from_xml_path=lambda path: Model(), from_xml_string=lambda text: Model())
    mujoco.__dict__.update(mj_forward=lambda model, data: None, MjModel=models, MjData=Data, MjvOption=Option, Renderer=Renderer)
    monkeypatch.setitem(sys.modules, "mujoco", mujoco)
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    slides = Slides(tmp_path)
    monkeypatch.setattr("robot_eval_client.freeze.__main__.suite_named", lambda name: slides)
    return slides


def freeze(out: Path, *worlds: str, rollouts: int = 2, more: Sequence[str] = ()) -> Path:
    main(["robosuite", *worlds, "-n", "3", "--rollouts", str(rollouts), "--steps", "4", "--out", str(out), *more])
    return out / f"{out.name}.worlds"


def unpacked(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_world_has_its_episodes_rollouts_and_boundary_states(suite: Slides, tmp_path: Path) -> None:
    worlds = freeze(tmp_path / "out", "Slide")
    episodes = unpacked(worlds / "Slide.episodes.json.gz")["episodes"]
    assert [episode["task_config"]["frozen"]["state"]["qpos"] for episode in episodes] == [[0.0], [0.1], [0.2]]
    record = unpacked(worlds / "Slide.parity.json.gz")
    assert [(len(one["actions"]), len(one["qpos"]), len(one["success"])) for one in record["rollouts"]] == [(4, 5, 5), (4, 5, 5)]
    assert [(one["name"], one["qpos"], one["success"]) for one in record["boundaries"][:2]] == [("inside", [1.001], True), ("outside", [0.999], False)]


def test_an_observation_without_a_matching_reading_is_listed_as_missing(suite: Slides, tmp_path: Path) -> None:
    description = json.loads((freeze(tmp_path / "out", "Slide") / "Slide.world.json").read_text())
    assert description["observations"] == {"position": {"kind": "qpos", "joints": ["x"]}}
    assert description["missing_observations"] == ["unknown"]


def test_the_description_has_the_checksums_of_the_files(suite: Slides, tmp_path: Path) -> None:
    worlds = freeze(tmp_path / "out", "Slide")
    description = json.loads((worlds / "Slide.world.json").read_text())
    for file, checksum in [(description["model"]["file"], description["model"]["sha256"]), tuple(description["parity"].values())]:
        assert hashlib.sha256((worlds / file).read_bytes()).hexdigest() == checksum


def meshes() -> Any:
    """A model with a mesh without a hull, and one with a triangle and a square."""
    return types.SimpleNamespace(
        nmesh=2,
        nmeshpoly=2,
        mesh_polyadr=np.array([-1, 0]),
        mesh_polynum=np.array([0, 2]),
        mesh_polyvertadr=np.array([0, 3]),
        mesh_polyvertnum=np.array([3, 4]),
        mesh_polyvert=np.array([4, 1, 2, 0, 1, 2, 3]),
        mesh_polynormal=np.array([[0.0, 0.0, 1.0], [np.nan, 0.0, 0.0]]),
    )


def test_polygons_are_written_in_their_order_mesh_by_mesh() -> None:
    document = polygons_of(meshes())
    assert document is not None
    assert document["meshes"] == [
        {"vertices": [], "normals": []},
        {"vertices": [[4, 1, 2], [0, 1, 2, 3]], "normals": [[0.0, 0.0, 1.0], [None, 0.0, 0.0]]},
    ]
    assert polygons_of(Model()) is None


def test_the_description_names_the_polygons_of_the_original(suite: Slides, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robot_eval_client.freeze.world.polygons_of", lambda model: polygons_of(meshes()))
    worlds = freeze(tmp_path / "out", "Slide")
    file = json.loads((worlds / "Slide.world.json").read_text())["model"]["polygons"]
    assert file["sha256"] == hashlib.sha256((worlds / file["file"]).read_bytes()).hexdigest()
    assert unpacked(worlds / file["file"]) == polygons_of(meshes())


def test_frames_show_all_cameras_at_three_steps_as_the_original_observes_them(suite: Slides, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    worlds = freeze(tmp_path / "out", "Slide", rollouts=3, more=["--frames"])
    document = json.loads((worlds / "Slide.world.json").read_text())
    record = unpacked(worlds / "Slide.parity.json.gz")
    assert [(one["episode_id"], one["step"], one["camera"]) for one in document["frames"]] == [
        (episode, step, camera) for episode in ("0", "1") for step in (0, 2, 4) for camera in ("front", "side")
    ]
    for frame in document["frames"]:
        content = (worlds / "frames" / frame["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == frame["sha256"]
        position = record["rollouts"][int(frame["episode_id"])]["qpos"][frame["step"]][0]
        first = (round(10 * position) + (100 if frame["camera"] == "side" else 0)) % 256
        # Rows from the bottom, columns from the right.
        pixels = np.asarray(image.open(worlds / "frames" / frame["file"]))
        assert pixels[::-1, ::-1].ravel().tolist() == [(first + number) % 256 for number in range(18)]
    assert Renderer.still_open == 0


def test_without_frames_the_description_has_none(suite: Slides, tmp_path: Path) -> None:
    assert "frames" not in json.loads((freeze(tmp_path / "out", "Slide") / "Slide.world.json").read_text())


def test_an_interrupted_command_continues_with_its_frames(suite: Slides, tmp_path: Path) -> None:
    suite.fails_at = 1
    with pytest.raises(KeyboardInterrupt):
        freeze(tmp_path / "out", "Slide", more=["--frames"])
    suite.fails_at = None
    worlds = freeze(tmp_path / "out", "Slide", more=["--frames"])
    assert content(worlds) == content(freeze(tmp_path / "whole" / "out", "Slide", more=["--frames"]))


def test_frames_without_a_renderer_are_rejected_before_anything_is_frozen(suite: Slides, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any) -> Any:
        raise AttributeError("'NoneType' object has no attribute 'glGetError'")

    monkeypatch.setattr(sys.modules["mujoco"], "Renderer", missing)
    with pytest.raises(SystemExit, match=r"--frames cannot draw with MUJOCO_GL=.*glGetError.*libosmesa6"):
        freeze(tmp_path / "out", "Slide", more=["--frames"])
    assert not (tmp_path / "out").exists()


def test_equal_assets_are_written_once_and_named_by_their_content(suite: Slides, tmp_path: Path) -> None:
    worlds = freeze(tmp_path / "out", "One", "Two")
    (asset,) = (worlds / "assets").iterdir()
    assert asset.read_text() == MESH
    text, files = with_files_by_content(Slide(tmp_path).xml())
    assert list(files) == [asset.name]
    assert text.count(asset.name) == 2
    (tmp_path / "b.obj").write_text(MESH + "# other\n")
    assert len(with_files_by_content(Slide(tmp_path).xml())[1]) == 2


@pytest.mark.parametrize(("version", "lines"), [("3.14.0", []), ("3.3.7", ["  engine: mujoco-3.3"]), ("3.5.0", [])])
def test_the_benchmark_names_the_engine_that_plays_worlds_of_mujoco_3_3(suite: Slides, tmp_path: Path, version: str, lines: list[str]) -> None:
    suite.engine = version
    freeze(tmp_path / "out", "Slide")
    benchmark = (tmp_path / "out" / "benchmark.yaml").read_text().splitlines()
    assert [line for line in benchmark if "engine" in line] == lines


def test_a_command_that_was_interrupted_continues_with_the_world_that_is_missing(suite: Slides, tmp_path: Path) -> None:
    out = tmp_path / "out"
    freeze(out, "One")
    first = (out / "out.worlds" / "One.world.json").stat()
    suite.fails_at = 2
    with pytest.raises(KeyboardInterrupt):
        freeze(out, "One", "Two")
    folder = FrozenFolder(out / "out.worlds")
    assert (folder.has("One"), folder.has("Two")) == (True, False)
    suite.fails_at = None
    worlds = freeze(out, "One", "Two")
    assert (worlds / "One.world.json").stat().st_mtime_ns == first.st_mtime_ns
    assert content(worlds) == content(freeze(tmp_path / "whole" / "out", "One", "Two"))


def test_a_world_that_fails_does_not_keep_the_others_from_being_written(suite: Slides, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="1 worlds were not written: broken"):
        freeze(tmp_path / "out", "broken", "Slide")
    assert [world["world"] for world in FrozenFolder(tmp_path / "out" / "out.worlds").worlds()] == ["Slide"]


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_partial_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FrozenFolder(tmp_path)
    folder.write_json("a.json", {"old": True})

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patched, pytest.raises(OSError, match="no space"):
        patched.setattr("os.replace", full)
        folder.write_json("a.json", {"old": False})
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.json", '{"old": true}')]


def test_only_rows_that_differ_are_changed_fields(suite: Slides, tmp_path: Path) -> None:
    model, base = Model(), Model()
    model.geom_size[0, 0] = base.geom_size[0, 0] = np.nan
    assert changed_fields(model, base) == {}
    model.geom_size[1, 2] = 0.3
    model.stat.meaninertia = 2.0
    assert changed_fields(model, base) == {"geom_size": {"1": [0.2, 0.2, 0.3]}, "stat.meaninertia": {"0": [2.0]}}
    episodes = unpacked(freeze(tmp_path / "out", "Slide") / "Slide.episodes.json.gz")["episodes"]
    assert [one["task_config"]["frozen"]["model"] for one in episodes] == [{}, {"body_mass": {"2": [3.0]}}, {"body_mass": {"2": [4.0]}}]


def test_a_model_with_another_number_of_elements_is_rejected() -> None:
    model = Model()
    model.nq = 2
    with pytest.raises(FreezeError, match=r"2 instead of 1 elements \(nq\)"):
        changed_fields(model, Model())


def test_a_boundary_state_on_the_other_side_is_rejected(suite: Slides, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slide, "boundaries", lambda self: [Boundary("inside", True, {"x": [0.5]})])
    with pytest.raises(SystemExit):
        freeze(tmp_path / "out", "Slide")


def test_demonstrations_become_episodes_with_rollouts_of_their_own_length(suite: Slides, tmp_path: Path) -> None:
    worlds = freeze(tmp_path / "out", "Slide", more=["--demonstrations", "any.hdf5"])
    episode = unpacked(worlds / "Slide.episodes.json.gz")["episodes"][3]
    assert (episode["episode_id"], episode["task_config"]["frozen"]["state"]["qpos"]) == ("demo_1", [0.9])
    rollout = unpacked(worlds / "Slide.parity.json.gz")["rollouts"][2]
    assert (rollout["source"], rollout["episode_id"], len(rollout["actions"])) == ("demonstration", "demo_1", 3)
    assert rollout["success"] == [False, False, False, True]


def test_fewer_episodes_than_rollouts_are_rejected(suite: Slides, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        freeze(tmp_path / "out", "Slide", rollouts=4)


def test_the_original_of_a_frozen_world_plays_its_episodes_from_the_same_states(suite: Slides, tmp_path: Path) -> None:
    episodes = unpacked(freeze(tmp_path / "out", "Slide") / "Slide.episodes.json.gz")["episodes"]
    adapter = OriginalAdapter(Slide(tmp_path))
    assert adapter.capabilities()["action_space"] == {"type": "continuous", "low": [-1.0], "high": [1.0]}
    for episode in reversed(episodes):
        start = adapter.reset(episode, 0, {})
        assert start.state["qpos"].tolist() == episode["task_config"]["frozen"]["state"]["qpos"]
        assert not start.state["success"]
    assert [adapter.step([1.0]).state["success"] for _ in range(11)][-2:] == [False, True]


def test_the_original_rejects_episodes_that_start_elsewhere_or_are_demonstrations(suite: Slides, tmp_path: Path) -> None:
    episode = unpacked(freeze(tmp_path / "out", "Slide") / "Slide.episodes.json.gz")["episodes"][1]
    adapter = OriginalAdapter(Slide(tmp_path))
    episode["task_config"]["frozen"]["state"]["qpos"] = [0.2]
    with pytest.raises(EpisodeError, match="episode 1 starts elsewhere in the original: qpos is off by 0.1"):
        adapter.reset(episode, 0, {})
    episode["episode_id"] = "demo_1"
    with pytest.raises(EpisodeError, match="'demo_1' is not a reset"):
        adapter.reset(episode, 0, {})


@pytest.mark.parametrize(("env", "message"), [({"suite": "mujoco"}, "env.suite is 'mujoco'"), ({"suite": "libero", "sead": 1}, "unknown key 'sead'")])
def test_the_original_rejects_environments_that_were_not_frozen(env: dict[str, Any], message: str) -> None:
    with pytest.raises(EpisodeError, match=message):
        original_env()({"env": {"name": "Lift", **env}})


def test_the_benchmark_of_the_originals_opens_them_as_they_were_frozen(suite: Slides, tmp_path: Path) -> None:
    freeze(tmp_path / "out", "Slide", more=["--seed", "7", "--controller", "OSC_POSITION"])
    lines = (tmp_path / "out" / "original.yaml").read_text().splitlines()
    env = json.loads(next(line for line in lines if line.startswith("    env: ")).removeprefix("    env: "))
    assert env == {"name": "Slide", "suite": "robosuite", "seed": 7, "controller": "OSC_POSITION"}
    assert "  command: [python3, -m, robot_eval_client.sim, original]" in lines
    assert "    success_criteria: { rule: { reported_success: {} } }" in lines
