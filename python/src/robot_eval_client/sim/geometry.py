"""The geometry of a MuJoCo scene: its model and the files that it references.

Files are identified by their checksum, so a file that the evaluator already has is not sent again. Files that do not
fit into one message are sent with the next one.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

#: Maximum size of the files in one message; a larger file is sent alone. The evaluator accepts twice as much.
_MESSAGE_BYTES = 32 * 1024 * 1024
_FILE_ATTRIBUTES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
#: Elements whose name defaults to that of their file.
_NAMED_BY_FILE = ("mesh", "hfield", "texture")
_ROTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
#: Sections that do not affect the appearance. They are removed, because they differ most between versions of MuJoCo.
_NON_VISUAL = ("option", "size", "visual", "statistic", "actuator", "sensor", "contact", "equality", "keyframe", "custom")

#: Elements of a model that consists of several files.
_SEVERAL_FILES = re.compile(r"<(include|model|attach)\b")

#: Cache of SHA-256 checksums by path, size and modification time, because scenes share most of their files.
_hashes: dict[tuple[str, int, int], str] = {}


def geometry_of_file(path: str, model: Any = None) -> dict[str, Any]:
    text = Path(path).read_text(encoding="utf-8")
    if _SEVERAL_FILES.search(text):
        text = _merged_xml(path)
    return geometry_of_xml(text, Path(path).parent, model=model)


@functools.lru_cache(maxsize=8)
def _merged_xml(path: str) -> str:
    """Merges a model of several files with MuJoCo, which resolves relative paths and defaults.

    Cached, because it compiles the model. The environment does not read the files again either.
    """
    mujoco = importlib.import_module("mujoco")
    spec = mujoco.MjSpec.from_file(path)
    # MuJoCo can only write a compiled model.
    spec.compile()
    return str(spec.to_xml())


def geometry_of_xml(
    text: str,
    folder: Path | None = None,
    *,
    model: Any = None,
    groups: Collection[int] | None = None,
    without: str = "",
) -> dict[str, Any]:
    """The model and its files, renamed so that it contains no path of this machine.

    `model` is the compiled model, in which environments move static bodies; `groups` are the visible geom groups;
    geoms whose names start with `without`, such as walls, are removed because they hide the rest.
    """
    root = ElementTree.fromstring(text)
    for kind in _NON_VISUAL:
        for element in root.findall(kind):
            root.remove(element)
    if model is not None:
        if groups is not None:
            _remove_hidden_geoms(root, model, groups, without)
        _copy_body_poses(root, model)
    _remove_mocap_geoms(root)
    geometry: dict[str, Any] = {"assets": rename_files(root, folder)}
    if groups is not None:
        geometry["groups"] = sorted(groups)
    geometry["mjcf"] = ElementTree.tostring(root, encoding="unicode")
    return geometry


def packed_geometry(geometry: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The answer to an evaluator that already has the files with the checksums `known`."""
    hashes: dict[str, str] = {}
    assets: dict[str, bytes] = {}
    sent: set[str] = set()
    remaining = _MESSAGE_BYTES
    for name, content in geometry.get("assets", {}).items():
        hashes[name] = digest = _hash_of(content)
        if digest in known or digest in sent:
            continue
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        if size > remaining and assets:
            continue
        remaining -= size
        sent.add(digest)
        assets[name] = content.read_bytes() if isinstance(content, Path) else bytes(content)
    return {**geometry, "files": hashes, "assets": assets}


def _hash_of(content: bytes | Path) -> str:
    if not isinstance(content, Path):
        return hashlib.sha256(content).hexdigest()
    stat = content.stat()
    key = (str(content), stat.st_size, stat.st_mtime_ns)
    if key not in _hashes:
        _hashes[key] = hashlib.sha256(content.read_bytes()).hexdigest()
    return _hashes[key]


def rename_files(root: ElementTree.Element, folder: Path | None) -> dict[str, Path]:
    compiler = root.find("compiler")
    settings = {} if compiler is None else dict(compiler.attrib)
    assets: dict[str, Path] = {}
    for element in root.iter():
        for attribute in _FILE_ATTRIBUTES:
            named = element.get(attribute)
            if not named:
                continue
            path = Path(Path(named).name if settings.get("strippath") == "true" else named)
            if not path.is_absolute():
                kind = "texturedir" if element.tag == "texture" else "meshdir"
                path = (folder or Path()) / settings.get(kind, settings.get("assetdir", "")) / path
            if element.tag in _NAMED_BY_FILE and attribute == "file" and element.get("name") is None:
                element.set("name", Path(named).stem)
            ending = path.suffix if re.fullmatch(r"\.[A-Za-z0-9]+", path.suffix) else ""
            name = f"{_hash_of(path)[:16]}{ending}"
            assets[name] = path
            element.set(attribute, name)
    if compiler is not None:
        for kind in ("meshdir", "texturedir", "assetdir", "strippath"):
            compiler.attrib.pop(kind, None)
    return assets


def _remove_hidden_geoms(root: ElementTree.Element, model: Any, groups: Collection[int], without: str) -> None:
    """Removes the geoms of other groups, and the meshes, materials and textures that only they use."""
    geoms = [(body, geom) for body in _bodies(root) for geom in body.findall("geom")]
    if len(geoms) != model.ngeom:
        # With frames, composites and the like, the XML order does not match MuJoCo's indices.
        return
    for index, (body, geom) in enumerate(geoms):
        is_hiding = bool(without) and geom.get("name", "").startswith(without)
        if is_hiding or int(model.geom_group[index]) not in groups:
            body.remove(geom)
    # Materials reference textures, so removing a material can make a texture unused.
    for kind in ("mesh", "material", "texture"):
        used = {element.get(kind) for element in root.iter()}
        for asset in root.findall("asset"):
            for element in asset.findall(kind):
                if (element.get("name") or Path(element.get("file") or "").stem) not in used:
                    asset.remove(element)
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    # Bodies whose mass came from the removed geoms still need a positive mass.
    for bound in ("boundmass", "boundinertia"):
        if float(compiler.get(bound, 0)) <= 0:
            compiler.set(bound, "0.000001")


def _remove_mocap_geoms(root: ElementTree.Element) -> None:
    """Removes the geoms of `mocap` bodies: they have no joint, so the recorded states do not include their pose."""
    for body in _bodies(root):
        if body.get("mocap") == "true":
            for geom in body.findall("geom"):
                body.remove(geom)


def _copy_body_poses(root: ElementTree.Element, model: Any) -> None:
    """Copies the poses of top-level bodies from the compiled model, in which environments place doors or walls."""
    bodies = _bodies(root)
    if len(bodies) != model.nbody:
        return
    for number, body in enumerate(bodies):
        if number == 0 or int(model.body_parentid[number]) != 0:
            continue
        for rotation in _ROTATIONS:
            body.attrib.pop(rotation, None)
        body.set("pos", _numbers(model.body_pos[number]))
        body.set("quat", _numbers(model.body_quat[number]))


def _bodies(root: ElementTree.Element) -> list[ElementTree.Element]:
    """All bodies in MuJoCo's order: depth-first, starting with the world body."""
    found: list[ElementTree.Element] = []

    def visit(body: ElementTree.Element) -> None:
        found.append(body)
        for child in body.findall("body"):
            visit(child)

    for world in root.findall("worldbody"):
        visit(world)
    return found


def _numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)
