// Small helpers that every benchmark uses. A benchmark prints ratios against a peer or a bound that was
// measured in the same run: absolute times on a shared machine mean little.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../node_modules/.cache/bench", import.meta.url));

/** Median milliseconds of one call, over at least `minMs` of calls. */
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

/** The middle one; of an even number, between the two. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** A Python with the given packages, in a virtual environment of its own; undefined where impossible. */
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

/** Says loudly that a peer is missing; under CI that is a failure. */
export function skip(name, why) {
  console.log(`SKIPPED ${name}: ${why}`);
  if (process.env.CI) process.exitCode = 1;
}

export function row(label, value) {
  console.log(`  ${label.padEnd(58)} ${value}`);
}

export const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
