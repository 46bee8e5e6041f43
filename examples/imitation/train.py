"""Trains a policy on demonstrations that `robot-eval collect` recorded, by behaviour cloning on the CPU.

    pip install numpy pyarrow pillow
    python train.py demos --epochs 60 --out policy.npz

It reads the LeRobot 3.0 layout: frames in data/, instructions in meta/tasks.parquet.
"""

from __future__ import annotations

import argparse
import io
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from network import COMPONENTS, HORIZON, JOINTS, Array, Model, mentions_door
from PIL import Image

HIDDEN = 256
BATCH = 256
LEARNING_RATE = 1e-3
#: Noise on the normalised inputs, so that the policy learns to return from states that no demonstration visits.
INPUT_NOISE = 0.02


def read_demonstrations(folder: Path) -> tuple[Array, Array, Array, Array, Array]:
    """Joints, gripper, door, flat pictures, and the chunk of actions of every frame."""
    tasks = pq.read_table(folder / "meta" / "tasks.parquet").to_pydict()
    texts = dict(zip(tasks["task_index"], tasks["__index_level_0__"]))
    frames = pq.read_table(folder / "data").sort_by("index").to_pydict()
    state = np.array(frames["observation.state"], np.float32)
    # The last entry of a recorded action is a stop flag, which this policy does not use.
    action = np.array(frames["action"], np.float32)[:, :JOINTS]
    episode = np.array(frames["episode_index"])
    door = np.array([[mentions_door(texts[task])] for task in frames["task_index"]], np.float32)
    pictures = np.stack([
        np.asarray(Image.open(io.BytesIO(image["bytes"])), np.float32).ravel() / 255
        for image in frames["observation.images.rgb_head"]
    ])
    qpos, gripper = state[:, :JOINTS], state[:, -1:]
    # A chunk at the end of an episode repeats its last action.
    last = np.searchsorted(episode, episode, side="right") - 1
    ahead = np.minimum(np.arange(len(action))[:, None] + np.arange(HORIZON), last[:, None])
    chunks = (action[ahead] - qpos[:, None]).reshape(len(action), -1)
    return qpos, gripper, door, pictures, chunks.astype(np.float32)


def train(folder: Path, epochs: int, seed: int) -> Model:
    rng = np.random.default_rng(seed)
    qpos, gripper, door, pictures, chunks = read_demonstrations(folder)
    mean = pictures.mean(axis=0)
    axes = np.linalg.svd(pictures[::3] - mean, full_matrices=False)[2][:COMPONENTS].T
    inputs = np.concatenate([qpos, gripper, door, (pictures - mean) @ axes], axis=1)
    input_mean, input_scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-4
    output_mean, output_scale = chunks.mean(axis=0), chunks.std(axis=0) + 1e-4
    x = ((inputs - input_mean) / input_scale).astype(np.float32)
    y = ((chunks - output_mean) / output_scale).astype(np.float32)
    sizes = [x.shape[1], HIDDEN, HIDDEN, y.shape[1]]
    parameters: list[Array] = []
    for fan_in, fan_out in zip(sizes, sizes[1:]):
        scale = np.sqrt(2 / fan_in)
        parameters.append(rng.normal(0, scale, (fan_in, fan_out)).astype(np.float32))
        parameters.append(np.zeros(fan_out, np.float32))
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
    began, step = time.perf_counter(), 0
    total = epochs * -(-len(x) // BATCH)
    for epoch in range(epochs):
        losses = []
        for batch in np.array_split(rng.permutation(len(x)), -(-len(x) // BATCH)):
            noisy = x[batch] + rng.normal(0, INPUT_NOISE, (len(batch), x.shape[1])).astype(np.float32)
            loss, gradients = loss_and_gradients(parameters, noisy, y[batch])
            losses.append(loss)
            step += 1
            # Adam (Kingma and Ba 2015), with a learning rate that falls to zero like a cosine.
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / total))
            for parameter, gradient, (first, second) in zip(parameters, gradients, moments):
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient * gradient - second)
                corrected = first / (1 - 0.9**step), second / (1 - 0.999**step)
                parameter -= rate * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)
        if epoch % 10 == 9 or epoch == epochs - 1:
            seconds = time.perf_counter() - began
            print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, {seconds:.0f} s", flush=True)
    scalers = (mean, axes, input_mean, input_scale, output_mean, output_scale)
    return Model(*(array.astype(np.float32) for array in (*scalers, *parameters)))


def loss_and_gradients(parameters: list[Array], x: Array, y: Array) -> tuple[float, list[Array]]:
    w1, b1, w2, b2, w3, b3 = parameters
    h1 = np.maximum(x @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    error = h2 @ w3 + b3 - y
    g3 = 2 * error / error.size
    g2 = (g3 @ w3.T) * (h2 > 0)
    g1 = (g2 @ w2.T) * (h1 > 0)
    gradients = [x.T @ g1, g1.sum(0), h1.T @ g2, g2.sum(0), h2.T @ g3, g3.sum(0)]
    return float((error * error).mean()), gradients


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("demonstrations", type=Path, help="the folder that `robot-eval collect` wrote")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("policy.npz"))
    options = parser.parse_args()
    train(options.demonstrations, options.epochs, options.seed).save(options.out)
    print(f"checkpoint: {options.out}")


if __name__ == "__main__":
    main()
