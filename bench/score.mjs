// Re-scoring recorded episodes: the rate, and the memory when the number of episodes grows tenfold. The bound is
// reading, decompressing and parsing the same files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mebibytes, row } from "./measure.mjs";

const worker = fileURLToPath(new URL("score-worker.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));

/** Runs each part in its own process, so that its peak memory can be measured. */
function inProcess(...args) {
  const { stdout, status } = spawnSync(process.execPath, [worker, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed`);
  return JSON.parse(stdout);
}

try {
  console.log("re-scoring recorded episodes (8 metrics, 30 steps each)");
  const results = [];
  for (const episodes of [10_000, 100_000]) {
    const run = join(folder, String(episodes));
    inProcess("make", run, String(episodes));
    const bound = inProcess("bound", run);
    const score = inProcess("score", run, join(folder, "out"));
    results.push({ episodes, score });
    row(`${episodes} episodes: rate`, `${(episodes / (score.ms / 1000)).toFixed(0)} episodes/s`);
    row(
      "  share of the bound (read, decompress, parse)",
      `${((100 * bound.ms) / score.ms).toFixed(0)} %`,
    );
    row("  peak memory", mebibytes(score.peakBytes));
  }
  const [small, large] = results;
  const growth = large.score.peakBytes - small.score.peakBytes;
  row("growth of memory from 10 k to 100 k episodes", mebibytes(growth));
  row("  bytes per additional episode", (growth / (large.episodes - small.episodes)).toFixed(0));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
