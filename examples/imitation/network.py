"""Features and network of the imitation policy, shared by training and inference. Only numpy is needed.

The input is the robot's joints, its gripper, whether the instruction mentions a door, and the principal components of
the head camera's picture. The output is the next `HORIZON` actions, relative to the current joints: a chunk, because
predicting one step at a time lets small errors add up (Zhao et al. 2023, "ACT").
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

#: Number of actions in a chunk; at 20 Hz, 0.4 s.
HORIZON = 8
#: Joints of Stretch in `qpos` and in an action.
JOINTS = 7
COMPONENTS = 24


@dataclass(frozen=True)
class Model:
    """All arrays of a checkpoint. A checkpoint is an .npz file, so loading one executes no code."""

    picture_mean: Array
    picture_axes: Array
    input_mean: Array
    input_scale: Array
    output_mean: Array
    output_scale: Array
    weights_1: Array
    bias_1: Array
    weights_2: Array
    bias_2: Array
    weights_3: Array
    bias_3: Array

    def save(self, path: Path) -> None:
        np.savez(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @staticmethod
    def load(path: Path) -> Model:
        with np.load(path, allow_pickle=False) as arrays:
            return Model(**{field.name: arrays[field.name] for field in fields(Model)})

    def features(self, qpos: Array, gripper: Array, door: Array, pictures: Array) -> Array:
        """One row per sample. `pictures` are flat, 0 to 1."""
        components = (pictures - self.picture_mean) @ self.picture_axes
        return np.concatenate([qpos, gripper, door, components], axis=1).astype(np.float32)

    def predict(self, features: Array) -> Array:
        """The chunk of each sample, (n, HORIZON, JOINTS), relative to the current joints."""
        hidden = (features - self.input_mean) / self.input_scale
        hidden = np.maximum(hidden @ self.weights_1 + self.bias_1, 0)
        hidden = np.maximum(hidden @ self.weights_2 + self.bias_2, 0)
        output = hidden @ self.weights_3 + self.bias_3
        return (output * self.output_scale + self.output_mean).reshape(-1, HORIZON, JOINTS)


def mentions_door(instruction: str) -> float:
    return float("door" in instruction.lower())
