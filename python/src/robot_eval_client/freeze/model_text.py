"""The composed model of a world as MJCF text, with its files by content."""

from __future__ import annotations

import importlib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..sim.geometry import rename_files
from . import FreezeError

#: Folder of meshes and textures, beside the worlds that share them.
ASSETS = "assets"
#: Sizes that depend on the names of files.
_TEXT_SIZES = ("nbuffer", "nnames", "npaths", "nnames_map")


def with_files_by_content(text: str) -> tuple[str, dict[str, Path]]:
    """The text with meshes and textures in `assets`, and where they are now. The numbers keep all their digits."""
    root = ElementTree.fromstring(text)
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    files = rename_files(root, None)
    compiler.set("meshdir", ASSETS)
    compiler.set("texturedir", ASSETS)
    return ElementTree.tostring(root, encoding="unicode"), files


def compiled(path: Path) -> Any:
    return importlib.import_module("mujoco").MjModel.from_xml_path(str(path))


def changed_fields(model: Any, base: Any) -> dict[str, Any]:
    """Numbers of `model` that differ from `base`, by field and row: sizes and poses that a reset draws at random.

    Both models have the same elements. Otherwise there would have to be one world per episode.
    """
    changed: dict[str, Any] = {}
    for name in sorted(dir(model)):
        if name.startswith("_"):
            continue
        ours, theirs = getattr(model, name), getattr(base, name)
        if not isinstance(ours, np.ndarray):
            if isinstance(ours, int) and ours != theirs and name.startswith("n") and name not in _TEXT_SIZES:
                raise FreezeError(f"the model has {ours} instead of {theirs} elements ({name}) after a reset")
            continue
        if ours.dtype.kind != "f" or ours.size == 0:
            continue
        rows, others = ours.reshape(len(ours), -1), theirs.reshape(len(theirs), -1)
        if rows.shape != others.shape:
            raise FreezeError(f"{name} has another size after a reset")
        # MuJoCo 3.3 leaves values of degenerate polygons in meshes that are not numbers.
        unequal = (rows != others) & ~(np.isnan(rows) & np.isnan(others))
        different = np.flatnonzero(unequal.any(axis=1))
        if len(different):
            changed[name] = {str(row): rows[row].tolist() for row in different}
    if model.stat.meaninertia != base.stat.meaninertia:
        changed["stat.meaninertia"] = {"0": [float(model.stat.meaninertia)]}
    return changed


def versions(*packages: str) -> Mapping[str, str]:
    metadata = importlib.import_module("importlib.metadata")
    return {package: str(metadata.version(package)) for package in packages}


def licence_of(package: str) -> str:
    """The licence that the installed package declares."""
    metadata = importlib.import_module("importlib.metadata").metadata(package)
    classifiers = [line.split("::")[-1].strip() for line in metadata.get_all("Classifier") or [] if "License ::" in line]
    declared = metadata.get("License-Expression") or metadata.get("License") or ", ".join(classifiers)
    return " ".join(str(declared or "see the package").split())[:80]
