"""Demonstrations in HDF5 files of robosuite and robomimic."""

from __future__ import annotations

import importlib
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import FreezeError
from ..original import Demonstration

#: What depends on the size of a geom.
_GEOM_FIELDS = ("geom_size", "geom_rbound", "geom_aabb")


def read_demonstrations(file: Path, environment: str, nq: int, nv: int) -> list[Demonstration]:
    h5py = importlib.import_module("h5py")
    try:
        with h5py.File(file) as content:
            data = content["data"]
            recorded = _environment_of(data.attrs)
            if recorded != environment:
                raise FreezeError(f"{file} has demonstrations of {recorded}, not of {environment}; freeze {recorded} with it")
            names = sorted(data, key=lambda name: (len(name), name))
            return [_demonstration(file, name, data[name], nq, nv) for name in names]
    except (OSError, KeyError) as error:
        raise FreezeError(f"{file} is no HDF5 file of robosuite or robomimic: {error}") from error


def _environment_of(attributes: Any) -> str:
    """robosuite writes the name itself, robomimic a document with it."""
    if "env_args" in attributes:
        return str(json.loads(attributes["env_args"])["env_name"])
    return str(attributes["env"])


def _demonstration(file: Path, name: str, group: Any, nq: int, nv: int) -> Demonstration:
    state, actions = np.array(group["states"][0], dtype=np.float64), np.array(group["actions"], dtype=np.float64)
    if len(state) != 1 + nq + nv:
        raise FreezeError(f"{file}, {name}: states have {len(state)} numbers; the model has {1 + nq + nv}. Freeze the robot and environment of the file")
    return Demonstration(name, state[1 : 1 + nq], state[1 + nq :], actions, str(group.attrs.get("model_file", "<mujoco/>")))


def resize_objects(model: Any, data: Any, names: Sequence[str], xml: str) -> None:
    """Gives boxes and other primitive objects the sizes that they have in a composed model. Resets the state."""
    mujoco = importlib.import_module("mujoco")
    for body in ElementTree.fromstring(xml).iter("body"):
        geoms = [geom for geom in body.iter("geom") if "size" in geom.attrib]
        if body.get("name") not in names or not geoms:
            continue
        for geom in geoms:
            geom.attrib.pop("material", None)
        alone = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{ElementTree.tostring(body, encoding='unicode')}</worldbody></mujoco>")
        name = str(body.get("name"))
        ours, theirs = model.body(name), alone.body(name)
        ours.mass[0] = theirs.mass[0]
        # The model keeps the order of its principal axes, which was decided when it was compiled.
        axes = _matrix(mujoco, ours.iquat).T @ _matrix(mujoco, theirs.iquat)
        ours.inertia[:] = np.diag(axes @ np.diag(theirs.inertia) @ axes.T)
        for geom in geoms:
            for field in _GEOM_FIELDS:
                getattr(model, field)[model.geom(geom.get("name")).id] = getattr(alone, field)[alone.geom(geom.get("name")).id]
    mujoco.mj_setConst(model, data)


def _matrix(mujoco: Any, quat: Any) -> Any:
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quat)
    return matrix.reshape(3, 3)
