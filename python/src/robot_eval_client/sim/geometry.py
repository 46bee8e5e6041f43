"""What a MuJoCo world looks like: its model with the files that it names.

Files are told by their content. An evaluator that has a file says so and is not sent it again, and what does not fit
into one message comes with the next one.
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

#: Of files in one message; one that is larger goes alone. What the evaluator reads in one message is twice as much.
_MESSAGE_BYTES = 32 * 1024 * 1024
_FILE_ATTRIBUTES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
#: Elements that go by the name of their file where they have none of their own.
_NAMED_BY_FILE = ("mesh", "hfield", "texture")
_ROTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
#: What is simulated and not seen: of no use here, and where versions of MuJoCo differ most.
_UNSEEN = ("option", "size", "visual", "statistic", "actuator", "sensor", "contact", "equality", "keyframe", "custom")

#: In a model that is put together of several files.
_SEVERAL_FILES = re.compile(r"<(include|model|attach)\b")

#: SHA-256 of a file's content by its path, size and time: worlds name the same hundred files again and again.
_hashes: dict[tuple[str, int, int], str] = {}


def geometry_of_file(path: str, model: Any = None) -> dict[str, Any]:
    text = Path(path).read_text(encoding="utf-8")
    if _SEVERAL_FILES.search(text):
        text = _one_text(path)
    return geometry_of_xml(text, Path(path).parent, model=model)


@functools.lru_cache(maxsize=8)
def _one_text(path: str) -> str:
    """Put together by MuJoCo itself: what is relative to what, and what goes by which defaults, is for it to say.

    Once for each path: it compiles the model, and what the world was made of is not read again either.
    """
    mujoco = importlib.import_module("mujoco")
    spec = mujoco.MjSpec.from_file(path)
    # Only what was compiled can be written.
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
    """The model with the paths of the files that it names, renamed so that no path of this machine is in it.

    `model` is the compiled one, which worlds move fixed things in; `groups` are those of geoms that are looked at;
    `without` begins the names of geoms that hide the rest, such as walls.
    """
    root = ElementTree.fromstring(text)
    for kind in _UNSEEN:
        for element in root.findall(kind):
            root.remove(element)
    if model is not None:
        if groups is not None:
            _leave_out_unseen(root, model, groups, without)
        _settle_places(root, model)
    _leave_out_guides(root)
    geometry: dict[str, Any] = {"assets": _rename_files(root, folder)}
    if groups is not None:
        geometry["groups"] = sorted(groups)
    geometry["mjcf"] = ElementTree.tostring(root, encoding="unicode")
    return geometry


def packed_geometry(geometry: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """The answer to an evaluator that has the files `known`, by their SHA-256."""
    hashes: dict[str, str] = {}
    assets: dict[str, bytes] = {}
    sent: set[str] = set()
    room = _MESSAGE_BYTES
    for name, content in geometry.get("assets", {}).items():
        hashes[name] = digest = _hash_of(content)
        if digest in known or digest in sent:
            continue
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        if size > room and assets:
            continue
        room -= size
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


def _rename_files(root: ElementTree.Element, folder: Path | None) -> dict[str, Path]:
    compiler = root.find("compiler")
    places = {} if compiler is None else dict(compiler.attrib)
    assets: dict[str, Path] = {}
    for element in root.iter():
        for attribute in _FILE_ATTRIBUTES:
            named = element.get(attribute)
            if not named:
                continue
            path = Path(Path(named).name if places.get("strippath") == "true" else named)
            if not path.is_absolute():
                kind = "texturedir" if element.tag == "texture" else "meshdir"
                path = (folder or Path()) / places.get(kind, places.get("assetdir", "")) / path
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


def _leave_out_unseen(root: ElementTree.Element, model: Any, groups: Collection[int], without: str) -> None:
    """Takes away the geoms of other groups, and the meshes, materials and textures that only they have."""
    geoms = [(body, geom) for body in _bodies(root) for geom in body.findall("geom")]
    if len(geoms) != model.ngeom:
        # Frames, composites and the like: which geom is which only MuJoCo knows.
        return
    for index, (body, geom) in enumerate(geoms):
        is_hiding = bool(without) and geom.get("name", "").startswith(without)
        if is_hiding or int(model.geom_group[index]) not in groups:
            body.remove(geom)
    # Materials name textures, so what only unused ones name is unused as well.
    for kind in ("mesh", "material", "texture"):
        used = {element.get(kind) for element in root.iter()}
        for asset in root.findall("asset"):
            for element in asset.findall(kind):
                if (element.get("name") or Path(element.get("file") or "").stem) not in used:
                    asset.remove(element)
    compiler = root.find("compiler")
    if compiler is None:
        compiler = ElementTree.SubElement(root, "compiler")
    # Bodies that weigh what their geoms do must still weigh something.
    for bound in ("boundmass", "boundinertia"):
        if float(compiler.get(bound, 0)) <= 0:
            compiler.set(bound, "0.000001")


def _leave_out_guides(root: ElementTree.Element) -> None:
    """Bodies that programs carry about, `mocap`, are in no joint, so that no state tells where they are: better not there
    than in the wrong place."""
    for body in _bodies(root):
        if body.get("mocap") == "true":
            for geom in body.findall("geom"):
                body.remove(geom)


def _settle_places(root: ElementTree.Element, model: Any) -> None:
    """Where the things that stand on the ground are now: worlds place a door or a wall in the compiled model."""
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
    """In MuJoCo's order, the world first: a body comes before those that hang on it, and those before its brothers."""
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
