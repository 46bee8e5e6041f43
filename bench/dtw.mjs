// Our exact DTW compared with Python's fastdtw in pure Python with radius 1, the approximation that VLN-CE uses.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { dtwPoints } from "../build/core/math/dtw.js";
import { Random } from "../build/core/math/random.js";
import { medianMs, pythonWith, row, skip } from "./measure.mjs";

const POINTS = 200;

/** Two noisy versions of one path, similar to an agent's path and its reference. */
function walks() {
  const random = new Random(7);
  const way = Array.from({ length: POINTS }, (_, i) => [0.25 * i, 0, 2 * Math.sin(i / 15)]);
  const noisy = () =>
    way.map(([x, y, z]) => [x + random.normal() * 0.1, y, z + random.normal() * 0.1]);
  return { path: noisy(), reference: noisy() };
}

const { path, reference } = walks();
console.log(`exact DTW on ${POINTS}-point paths`);
const ours = medianMs(() => dtwPoints(path, reference));
const exact = dtwPoints(path, reference);
row("robot-eval, exact", `${ours.toFixed(3)} ms`);

const python = pythonWith(["fastdtw==0.3.4", "numpy<2.4"]);
if (!python) {
  skip("fastdtw", "Python or PyPI cannot be reached");
} else {
  const script = fileURLToPath(new URL("fastdtw_peer.py", import.meta.url));
  const { stdout, status, stderr } = spawnSync(python, [script], {
    input: JSON.stringify({ path, reference }),
    encoding: "utf8",
  });
  if (status !== 0) skip("fastdtw", stderr.trim());
  else {
    for (const peer of JSON.parse(stdout)) {
      row(`fastdtw, pure Python, radius 1, ${peer.distance}`, `${peer.ms.toFixed(1)} ms`);
      row("  ratio (goal: at least 50)", `${(peer.ms / ours).toFixed(0)}x`);
      row("  its result over the exact one", (peer.value / exact).toFixed(6));
    }
  }
}
