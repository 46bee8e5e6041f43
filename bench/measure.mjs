// Helpers of all benchmarks. A benchmark prints ratios to a peer or a bound measured in the same run, because absolute
// times on a shared machine are not comparable.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../node_modules/.cache/bench", import.meta.url));

/** Median milliseconds of a call, over at least `minMs` of calls. */
export function medianMs(work, { minMs = 1000, minCalls = 5 } = {}) {
  work();
  const times = [];
  const end = performance.now() + minMs;
  while (times.length < minCalls || performance.now() < end) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  return median(times);
}

/** The median; for an even number of values, the mean of the two middle ones. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** A Python with the given packages in a virtual environment; undefined if it cannot be created. */
export function pythonWith(packages) {
  const venv = join(cache, "venv");
  const python = join(venv, "bin", "python");
  mkdirSync(cache, { recursive: true });
  if (!existsSync(python)) {
    if (spawnSync("python3", ["-m", "venv", venv], { stdio: "inherit" }).status !== 0)
      return undefined;
  }
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  return spawnSync(python, install, { stdio: "inherit" }).status === 0 ? python : undefined;
}

/** Reports a missing peer; under CI that is a failure. */
export function skip(name, why) {
  console.log(`SKIPPED ${name}: ${why}`);
  if (process.env.CI) process.exitCode = 1;
}

export function row(label, value) {
  console.log(`  ${label.padEnd(58)} ${value}`);
}

export const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
