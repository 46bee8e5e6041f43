// Slicing a large HDF5 file: opening it and reading one demonstration's first steps must not depend on
// the file's size. The peer is h5py, which wrote it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withHdf5 } from "../build/dataset/readers/hdf5.js";
import { mebibytes, pythonWith, row, skip } from "./measure.mjs";

const python = pythonWith(["h5py", "numpy<2.4"]);
if (!python) {
  skip("hdf5", "Python or PyPI cannot be reached");
} else {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
  try {
    const path = join(folder, "large.hdf5");
    const script = fileURLToPath(new URL("hdf5_peer.py", import.meta.url));
    const { stdout, status } = spawnSync(python, [script, path], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (status !== 0) throw new Error(`hdf5_peer.py exited with ${status}`);
    const peer = JSON.parse(stdout);
    console.log(`slicing an HDF5 file of ${mebibytes(statSync(path).size)}`);
    await slice(path);
    const times = [];
    for (let i = 0; i < 20; i++) {
      const started = performance.now();
      await slice(path);
      times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    const ours = times[times.length >> 1];
    row("robot-eval: open, read 100 x 7 actions of demo_40, close", `${ours.toFixed(2)} ms`);
    row("h5py: the same", `${peer.ms.toFixed(2)} ms`);
    row("ratio", `${(peer.ms / ours).toFixed(2)}x`);
    row("peak memory of this process", mebibytes(process.resourceUsage().maxRSS * 1024));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function slice(path) {
  return withHdf5(path, (file) => file.dataset("data/demo_40/actions").rows(0, 100));
}
