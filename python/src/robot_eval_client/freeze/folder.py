"""The folder of frozen worlds. Every file appears complete or not at all, so freezing can be interrupted and resumed."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .frames import FRAMES
from .model_text import ASSETS

FORMAT = "robot-eval-frozen/1"


class FrozenFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def has(self, world: str) -> bool:
        """The description is written last."""
        return (self.path / f"{world}.world.json").exists()

    def write_model(self, world: str, text: str, files: Mapping[str, Path]) -> dict[str, Any]:
        """Writes the model and its files, and returns their checksums."""
        for name, source in files.items():
            target = self.path / ASSETS / name
            if not target.exists():
                self._write(target, source.read_bytes())
        encoded = text.encode()
        self._write(self.path / f"{world}.xml", encoded)
        return {
            "file": f"{world}.xml",
            "sha256": sha256(encoded),
            "assets": {name: sha256((self.path / ASSETS / name).read_bytes()) for name in sorted(files)},
        }

    def write_frame(self, image: bytes) -> dict[str, str]:
        """Writes a PNG file by its content, and returns its name and checksum."""
        checksum = sha256(image)
        name = f"{checksum[:16]}.png"
        self._write(self.path / FRAMES / name, image)
        return {"file": name, "sha256": checksum}

    def write_json(self, name: str, document: Any) -> str:
        """Returns the checksum of the file."""
        text = json.dumps(document, allow_nan=False).encode()
        # Without a time, equal content gives equal bytes.
        content = gzip.compress(text, mtime=0) if name.endswith(".gz") else text
        self._write(self.path / name, content)
        return sha256(content)

    def write_benchmark(self, target: Path) -> None:
        """A benchmark file that runs all complete worlds."""
        worlds = self.worlds()
        self._write(target, _benchmark_of(self.path.name, worlds, ["  backend: frozen", f"  scenes: {self.path.name}", *_engine_of(worlds)]).encode())

    def write_original(self, target: Path) -> None:
        """A benchmark file that runs the same episodes in the originals, over the bridge."""
        simulator = ["  backend: remote", "  command: [python3, -m, robot_eval_client.sim, original]"]
        worlds = [world for world in self.worlds() if "original" in world]
        self._write(target, _benchmark_of(self.path.name, worlds, simulator, _original_task).encode())

    def worlds(self) -> list[dict[str, Any]]:
        """The descriptions of all complete worlds."""
        return [json.loads(path.read_text()) for path in sorted(self.path.glob("*.world.json"))]

    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self.path.rglob("*") if path.is_file())

    def _write(self, target: Path, content: bytes) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            partial.write_bytes(content)
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def task_name(world: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", world.lower()).strip("_")


def _benchmark_of(folder: str, worlds: list[dict[str, Any]], simulator: list[str], task: Callable[[Any], list[str]] = lambda _: []) -> str:
    name = task_name(folder.rsplit(".", 1)[0])
    lines = ["# Written by robot_eval_client.freeze.", "benchmark:", f"  name: {name}"]
    for world in worlds:
        lines += ["", f"{task_name(world['world'])}_task:", "  type: external", "  config:", *task(world)]
        lines += [f"    dof: {len(world['action']['low'])}", f"    conventions: {json.dumps(world['conventions'])}", f"    max_steps: {world['horizon']}"]
    lines += ["", "simulator:", *simulator, "", "dataset:"]
    for world in worlds:
        data = f"{folder}/{world['world']}.episodes.json.gz"
        lines.append(f"  {task_name(world['world'])}: {{ type: external, data_path: {data} }}")
    horizon = max((world["horizon"] for world in worlds), default=500)
    lines += ["", "evaluation:", f"  max_steps: {horizon}", ""]
    return "\n".join(lines)


def _original_task(world: dict[str, Any]) -> list[str]:
    """The original judges success, not the rule of the episodes."""
    return [f"    env: {json.dumps(world['original'])}", "    success_criteria: { rule: { reported_success: {} } }"]


def _engine_of(worlds: list[dict[str, Any]]) -> list[str]:
    """The default engine plays worlds of MuJoCo 3.14, and rejects others."""
    is_older = worlds and all(world["engine"]["version"].startswith("3.3.") for world in worlds)
    return ["  engine: mujoco-3.3"] if is_older else []
