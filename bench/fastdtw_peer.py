"""Times fastdtw's pure Python module on the two paths given as JSON on standard input."""

import json
import math
import statistics
import sys
import time

import numpy as np
from fastdtw.fastdtw import fastdtw  # the package's top level may prefer its C extension


def timed(distance):
    times = []
    for _ in range(9):
        started = time.perf_counter()
        value, _ = fastdtw(path, reference, radius=1, dist=distance)
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), value


data = json.load(sys.stdin)
path, reference = data["path"], data["reference"]
results = []
for name, distance in (
    ("math.dist", math.dist),
    ("numpy norm (as VLN-CE)", lambda a, b: np.linalg.norm(np.array(b) - np.array(a), ord=2)),
):
    ms, value = timed(distance)
    results.append({"distance": name, "ms": ms, "value": value})
json.dump(results, sys.stdout)
