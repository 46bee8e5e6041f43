"""A model of several files as one text with all digits."""

from __future__ import annotations

import importlib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from .. import FreezeError


def composed(path: Path) -> str:
    """The model with what it includes, absolute folders of meshes and textures, and names for its actuators.

    It is compiled and compared with the original file, number by number.
    """
    root = ElementTree.parse(path).getroot()
    _include(root, path.parent)
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    for kind in ("meshdir", "texturedir"):
        compiler.set(kind, str((path.parent / compiler.get(kind, compiler.get("assetdir", "."))).resolve()))
    for section in root.findall("actuator"):
        for actuator in section:
            # Descriptions refer to actuators by name.
            actuator.set("name", actuator.get("name") or actuator.attrib["joint"])
    text = ElementTree.tostring(root, encoding="unicode")
    _compare(text, path)
    return text


def _include(parent: ElementTree.Element, folder: Path) -> None:
    """MuJoCo looks for included files beside the main one, at every level."""
    while any(element.tag == "include" for element in parent):
        for index, element in reversed(list(enumerate(parent))):
            if element.tag == "include":
                parent[index : index + 1] = list(ElementTree.parse(folder / element.attrib["file"]).getroot())
    for element in parent:
        _include(element, folder)


def _compare(text: str, path: Path) -> None:
    mujoco = importlib.import_module("mujoco")
    ours, theirs = mujoco.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_path(str(path))
    # The addresses of names differ, because actuators have more of them.
    for name in [name for name in dir(theirs) if not name.startswith("_") and "name" not in name]:
        value = getattr(theirs, name)
        if isinstance(value, np.ndarray) and value.dtype.kind in "fi" and not np.array_equal(value, getattr(ours, name)):
            raise FreezeError(f"{path.name} cannot be written as one file: {name} would differ")
