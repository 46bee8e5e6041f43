"""Writes a robomimic-like HDF5 file of 3 GB at the given path, then times a slice of it."""

import json
import statistics
import sys
import time

import h5py
import numpy as np

path = sys.argv[1]
frames = np.random.default_rng(0).integers(0, 256, (1250, 128, 128, 3), dtype=np.uint8)
with h5py.File(path, "w") as file:
    for i in range(50):
        demo = file.create_group(f"data/demo_{i}")
        demo.attrs["num_samples"] = len(frames)
        demo["actions"] = np.full((len(frames), 7), float(i))
        demo["obs/agentview_rgb"] = frames
times = []
for _ in range(21):
    started = time.perf_counter()
    with h5py.File(path) as file:
        file["data/demo_40/actions"][:100]
    times.append((time.perf_counter() - started) * 1000)
json.dump({"ms": statistics.median(times)}, sys.stdout)
