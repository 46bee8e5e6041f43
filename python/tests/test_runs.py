"""The reader of run directories gives tables, arrays and frames, and trusts nothing that it reads."""

from __future__ import annotations

import builtins
import gzip
import io
import json
import os
import pickle
import re
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robot_eval_client import runs
from robot_eval_client.runs import RunError, files, film

INFO = {"format": "robot-eval-run/1", "run_id": "a-run", "agent": "random", "status": "done"}


def line(episode: str, **more: Any) -> dict[str, Any]:
    return {
        "episode_key": f"vln/hall/{episode}",
        "episode_id": episode,
        "scene_id": "hall",
        "task": "vln",
        "repeat": 0,
        "outcome": "success",
        "metrics": {"success": 1, "spl": None},
        "agent_latency_ms": {"p50": 1.5, "p95": 2, "p99": 3, "n": 4, "sketch": {}},
        "trajectory": f"trajectories/{episode}.jsonl.gz",
        **more,
    }


SUMMARY = {
    "format": "robot-eval-summary/1",
    "primary_metrics": {"vln": "success"},
    "per_task": {"vln": {"success": {"mean": 0.5, "count": 2, "ci95": [0.1, 0.9], "n_invalid": 1, "unit": "1"}}},
    "aggregated_metrics": {"success": {"mean": 0.5, "count": 2, "ci95": None, "n_invalid": 1, "unit": "1"}},
}

RECORDS: list[dict[str, Any]] = [
    {"step": 0, "time_s": 0, "action": None, "state": {"position": [0, 0, 0], "distance_to_goal": None}},
    {"step": 1, "time_s": 0.1, "action": "move_forward", "state": {"position": [0, 0, -0.25], "distance_to_goal": 3}},
    {"step": 2, "time_s": 0.2, "action": "stop", "state": {"collided": True, "objects": {"cup": {}}}},
]


def packed(*documents: object) -> bytes:
    return gzip.compress("".join(f"{json.dumps(one)}\n" for one in documents).encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "run"
    (run / "trajectories").mkdir(parents=True)
    (run / "videos").mkdir()
    (run / "run.json").write_text(json.dumps(INFO))
    (run / "summary.json").write_text(json.dumps(SUMMARY))
    lines = [line("1"), line("2", outcome="failure", metrics={"success": 0, "repeat": 7}, trajectory=None)]
    (run / "episodes.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    header = {"format": "robot-eval-trajectory/2", "episode": {"episode_id": "1"}}
    (run / "trajectories/1.jsonl.gz").write_bytes(packed(header, *RECORDS))
    return run


def write_lines(folder: Path, *lines: dict[str, Any]) -> None:
    (folder / "episodes.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))


def test_episodes_are_a_table_with_metrics_as_columns(folder: Path) -> None:
    table = runs.load(folder).episodes
    assert list(table["success"]) == [1, 0]
    assert list(table["agent_latency_p50_ms"]) == [1.5, 1.5]
    assert list(table["outcome"]) == ["success", "failure"]
    # A metric does not replace a field of the same name.
    assert list(table["repeat"]) == [0, 0]
    assert table["metric_repeat"][1] == 7


def test_the_summary_is_a_table_of_tasks_and_metrics(folder: Path) -> None:
    table = runs.load(folder).summary
    assert table["task"][0] == "vln"
    assert list(table["task"].isna()) == [False, True]
    assert list(table["mean"]) == [0.5, 0.5]
    assert (table["ci95_low"][0], table["ci95_high"][0]) == (0.1, 0.9)
    assert list(table["n_invalid"]) == [1, 1]


def test_steps_are_a_table_with_state_fields_as_columns(folder: Path) -> None:
    table = runs.load(folder).steps()
    assert list(table["step"]) == [0, 1, 2]
    assert list(table["action"][1:]) == ["move_forward", "stop"]
    assert table["position"][1] == [0, 0, -0.25]
    assert list(runs.load(folder).steps("1")["episode_key"]) == ["vln/hall/1"] * 3


def test_a_trajectory_gives_arrays(folder: Path) -> None:
    trajectory = runs.load(folder).trajectory("vln/hall/1")
    assert len(trajectory) == 3
    assert trajectory.actions == ["move_forward", "stop"]
    np.testing.assert_array_equal(trajectory.times, [0, 0.1, 0.2])
    nan = np.nan
    np.testing.assert_array_equal(trajectory.array("position"), [[0, 0, 0], [0, 0, -0.25], [nan, nan, nan]])
    np.testing.assert_array_equal(trajectory.array("distance_to_goal"), [nan, 3, nan])
    assert trajectory.fields == ["position", "distance_to_goal", "collided"]
    with pytest.raises(RunError, match="no numeric field 'qpos'; it has position"):
        trajectory.array("qpos")


def test_rows_need_no_pandas_and_tables_name_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    run = runs.load(folder)
    assert [row["success"] for row in run.episode_rows()] == [1, 0]
    assert [row["metric"] for row in run.summary_rows()] == ["success", "success"]
    assert [row["step"] for row in run.step_rows()] == [0, 1, 2]
    for table in ("episodes", "summary"):
        with pytest.raises(RunError, match=r"robot-eval-client\[runs\]"):
            getattr(run, table)
    with pytest.raises(RunError, match=r"robot-eval-client\[runs\]"):
        run.steps()


def webp(colours: list[tuple[int, int, int]]) -> bytes:
    from PIL import Image

    first, *others = [Image.new("RGB", (16, 8), colour) for colour in colours]
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=others, lossless=True)
    return file.getvalue()


def mp4(colours: list[tuple[int, int, int]]) -> bytes:
    import av

    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 16, 16, "yuv420p"
        for colour in colours:
            pixels = np.full((16, 16, 3), colour, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())
    return file.getvalue()


@pytest.mark.parametrize("make", [webp, mp4])
def test_frames_of_a_film_are_arrays(folder: Path, make: Callable[[list[tuple[int, int, int]]], bytes]) -> None:
    (folder / "videos/1.film").write_bytes(make([(255, 0, 0), (0, 0, 255)]))
    write_lines(folder, line("1", video="videos/1.film"))
    first, second = runs.load(folder).frames("1")
    assert first.dtype == np.uint8 and first.shape[1:] == (16, 3)
    assert first[4, 4].argmax() == 0 and second[4, 4].argmax() == 2


@pytest.mark.parametrize("make", [webp, mp4])
def test_damaged_and_oversized_films_are_rejected(
    folder: Path, make: Callable[[list[tuple[int, int, int]]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(folder, line("1", video="videos/1.film"))
    data = make([(255, 0, 0), (0, 0, 255)])
    (folder / "videos/1.film").write_bytes(data[:60])
    with pytest.raises(RunError, match="cannot read the film"):
        list(runs.load(folder).frames("1"))
    (folder / "videos/1.film").write_bytes(data)
    monkeypatch.setattr(film, "MAX_PIXELS", 100)
    with pytest.raises(RunError, match="at most 100 pixels"):
        list(runs.load(folder).frames("1"))
    (folder / "videos/1.film").write_bytes(b"hello")
    with pytest.raises(RunError, match="neither WebP nor MP4"):
        runs.load(folder).frames("1")


def test_missing_packages_for_films_name_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(folder, line("1", video="videos/1.film"))
    for make, package in ((webp, "PIL"), (mp4, "av")):
        (folder / "videos/1.film").write_bytes(make([(0, 0, 0)]))
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            with pytest.raises(RunError, match=r"robot-eval-client\[runs\]"):
                next(runs.load(folder).frames("1"))


def test_an_episode_is_found_by_its_key_or_a_unique_id(folder: Path) -> None:
    run = runs.load(folder)
    assert run.line("vln/hall/2")["outcome"] == "failure"
    with pytest.raises(RunError, match="no episode '3' with repeat 0; there is vln/hall/1"):
        run.line("3")
    with pytest.raises(RunError, match="has no trajectory"):
        run.trajectory("2")
    with pytest.raises(RunError, match="has no film"):
        run.frames("1")
    write_lines(folder, line("1"), line("1", episode_key="vln/yard/1"))
    with pytest.raises(RunError, match="several episodes have the id '1'"):
        runs.load(folder).line("1")


NAMES = [
    "/etc/passwd",
    "../secret.jsonl.gz",
    "trajectories/../../secret.jsonl.gz",
    "trajectories/..",
    "videos/1.jsonl.gz",
    "trajectories/a/b",
    "trajectories/a\\b",
    "trajectories/a\0b",
    "trajectories/",
    "trajectories/1.jsonl.gz\n",
    7,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_line_cannot_name_a_file_outside_of_its_folder(folder: Path, name: object) -> None:
    header = {"format": "robot-eval-trajectory/2", "episode": {}}
    (folder.parent / "secret.jsonl.gz").write_bytes(packed(header))
    write_lines(folder, line("1", trajectory=name))
    with pytest.raises(RunError, match=r"is not a file in trajectories/|cannot be read"):
        runs.load(folder).trajectory("1")


@pytest.mark.skipif(os.name == "nt", reason="links need privileges on Windows")
@pytest.mark.parametrize("name", ["run.json", "summary.json", "episodes.jsonl", "trajectories/1.jsonl.gz", "trajectories"])
def test_symbolic_links_are_not_followed(folder: Path, name: str) -> None:
    outside = folder.parent / "outside"
    (folder / name).rename(outside)
    (folder / name).symlink_to(outside)
    with pytest.raises(RunError, match="symbolic link"):
        run = runs.load(folder)
        run.summary_rows()
        list(run.step_rows())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_does_not_block(folder: Path) -> None:
    (folder / "summary.json").unlink()
    os.mkfifo(folder / "summary.json")
    with pytest.raises(RunError, match="expected a regular file"):
        runs.load(folder).summary_rows()


class Exploit:
    def __reduce__(self) -> tuple[Any, ...]:
        return (builtins.exec, ("raise SystemExit('executed')",))


@pytest.mark.parametrize("data", [pickle.dumps(Exploit()), gzip.compress(pickle.dumps(Exploit()))])
def test_nothing_is_unpickled(folder: Path, data: bytes) -> None:
    (folder / "trajectories/1.jsonl.gz").write_bytes(data)
    with pytest.raises(RunError):
        runs.load(folder).trajectory("1")


def test_sizes_are_limited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_TRAJECTORY", 1000)
    bomb = gzip.compress(b" " * 100_000)
    assert len(bomb) < 1000
    (folder / "trajectories/1.jsonl.gz").write_bytes(bomb)
    with pytest.raises(RunError, match="unpacks to more than 1000 bytes"):
        runs.load(folder).trajectory("1")
    monkeypatch.setattr(files, "MAX_CONTAINERS", 5)
    (folder / "summary.json").write_text("[" * 6)
    with pytest.raises(RunError, match="more than 5 lists and objects"):
        runs.load(folder).summary_rows()
    monkeypatch.setattr(files, "MAX_DOCUMENT", 100)
    with pytest.raises(RunError, match="more than 100 bytes"):
        runs.load(folder).episode_rows()
    (folder / "run.json").write_text(json.dumps({**INFO, "agent": "x" * 100}))
    with pytest.raises(RunError, match="the limit is 100"):
        runs.load(folder)


DAMAGED = [
    ("run.json", b"", "not valid JSON"),
    ("run.json", b"[]", "expected a JSON object"),
    ("run.json", b'{"format": "robot-eval-run/2"}', "this version reads robot-eval-run/1"),
    ("run.json", b"[" * 100_000, "not valid JSON"),
    ("run.json", b"\xff", "not valid JSON"),
    ("episodes.jsonl", b"hello\n", r"episodes\.jsonl:1: not valid JSON"),
    ("trajectories/1.jsonl.gz", packed(INFO)[:-12], "truncated"),
    ("trajectories/1.jsonl.gz", packed(INFO), "not a trajectory"),
    ("trajectories/1.jsonl.gz", packed(), "not valid JSON"),
    ("trajectories/1.jsonl.gz", b"\x1f\x8b" + struct.pack(">I", 0) * 8, "damaged"),
]


@pytest.mark.parametrize(("name", "data", "words"), DAMAGED)
def test_damage_is_reported_with_the_file(folder: Path, name: str, data: bytes, words: str) -> None:
    (folder / name).write_bytes(data)
    with pytest.raises(RunError, match=words) as caught:
        runs.load(folder).trajectory("1")
    assert name in str(caught.value)


def test_a_truncated_last_line_is_ignored(folder: Path) -> None:
    with (folder / "episodes.jsonl").open("a") as file:
        file.write('{"episode_key": "vln/ha')
    assert len(runs.load(folder).lines) == 2


def test_a_folder_that_is_no_run_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such run directory"):
        runs.load(tmp_path / "none")
    with pytest.raises(RunError, match=r"run\.json: cannot be read"):
        runs.load(tmp_path)


def test_the_cells_of_the_notebook_page_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "videos/1.webp").write_bytes(webp([(255, 0, 0), (0, 0, 255)]))
    write_lines(
        folder,
        line("1", video="videos/1.webp"),
        line("2", outcome="failure", end_reason="stop", explanation="", trajectory="trajectories/1.jsonl.gz"),
    )
    (folder / "run.json").write_text(json.dumps({**INFO, "seed": 0}))
    (folder.parent / "runs").mkdir()
    for name in ("20260101T120000Z-vln-challenge-random", "baseline", "candidate"):
        shutil.copytree(folder, folder.parent / "runs" / name)
    monkeypatch.chdir(folder.parent)
    page = Path(__file__).parents[2] / "docs/notebooks.md"
    cells = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(cells) >= 8
    names: dict[str, Any] = {}
    for cell in cells:
        exec(compile(cell, str(page), "exec"), names)
    assert names["positions"].shape == (3, 3)
    assert len(names["frames"]) == 2
