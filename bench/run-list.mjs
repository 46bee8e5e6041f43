// The list of runs that `robot-eval view` serves, for 500 and 5,000 runs: the first listing, which reads every run, and
// later ones, which only check the modification times of their files. The bound, measured in the same run, is reading the
// folder and a small file in each run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunLibrary } from "../build/server/view/library.js";
import { MAIN } from "../scripts/headless.mjs";
import { mebibytes, median, row } from "./measure.mjs";

const [FEW, MANY] = [500, 5000];
const LISTINGS = 9;
const FIRST_LISTINGS = 3;
const GOALS = { listMs: 1000, growth: 12 };
const FILES = ["run.json", "summary.json", "episodes.jsonl"];

/** Without `rearrange`, whose random episodes take 4000 steps. */
const SIX = "task=vln|objectnav|image_nav|pick_place|stacking|opening";
const smoke = fileURLToPath(new URL("../configs/benchmarks/unified_smoke.yaml", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "robot-eval-bench-"));
try {
  console.log(`list of runs, ${FEW} and ${MANY} of six tasks each`);
  const real = makeRun();
  const few = await measure(copies(real, FEW));
  const before = process.memoryUsage().rss;
  const many = await measure(copies(real, MANY));
  const grown = process.memoryUsage().rss - before;
  for (const [count, { first, next, bound }] of [
    [FEW, few],
    [MANY, many],
  ]) {
    row(`${count} runs: readdir and one small file each (the bound)`, `${bound.toFixed(1)} ms`);
    row("  first listing", `${times(first, bound)}, ${first.toFixed(0)} ms`);
    row("  next listing, nothing changed", `${times(next, bound)}, ${next.toFixed(1)} ms`);
  }
  const growth = many.next / few.next;
  row(`next listing of ${MANY}`, goal(many.next, GOALS.listMs, "ms"));
  row(`first listing of ${MANY}`, goal(many.first, GOALS.listMs, "ms"));
  row(`next listing, ${MANY} of ${FEW} (10 x runs)`, goal(growth, GOALS.growth, "x"));
  row(
    `first listing, ${MANY} of ${FEW} (10 x runs)`,
    goal(many.first / few.first, GOALS.growth, "x"),
  );
  row(`memory that listing ${MANY} added to the process`, mebibytes(Math.max(0, grown)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeRun() {
  const out = join(folder, "real");
  const args = [
    MAIN,
    "run",
    smoke,
    "--agent",
    "random",
    "--limit",
    "1",
    "--filter",
    SIX,
    "--out",
    out,
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the run failed:\n${stderr}`);
  const [name] = readdirSync(out);
  return join(out, name);
}

function copies(real, count) {
  const runs = join(folder, String(count));
  const contents = FILES.map((name) => [name, readFileSync(join(real, name))]);
  for (let i = 0; i < count; i++) {
    mkdirSync(join(runs, `run-${i}`), { recursive: true });
    for (const [name, content] of contents) writeFileSync(join(runs, `run-${i}`, name), content);
    writeFileSync(join(runs, `run-${i}`, "small.json"), "{}");
  }
  return { runs, count };
}

async function measure({ runs, count }) {
  const first = [];
  const next = [];
  const bound = [];
  for (let i = 0; i < FIRST_LISTINGS; i++) {
    const library = await RunLibrary.open(runs);
    try {
      first.push(await listMs(library, count));
      for (let k = 0; k < LISTINGS; k++) {
        bound.push(boundMs(runs));
        next.push(await listMs(library, count));
      }
    } finally {
      await library.close();
    }
  }
  // The first listing is excluded, because it also loads and compiles the code.
  return { first: median(first.slice(1)), next: median(next), bound: median(bound) };
}

async function listMs(library, count) {
  const began = performance.now();
  const { runs } = await library.runs(true);
  const took = performance.now() - began;
  if (runs.length !== count) throw new Error(`${runs.length} of ${count} runs were listed`);
  return took;
}

function boundMs(runs) {
  const began = performance.now();
  for (const name of readdirSync(runs)) readFileSync(`${runs}/${name}/small.json`);
  return performance.now() - began;
}

function times(ms, bound) {
  return `${(ms / bound).toFixed(1)} x`;
}

function goal(value, most, unit) {
  const missed = value <= most ? "" : " MISSED";
  return `${value.toFixed(1)} ${unit} (goal: at most ${most} ${unit})${missed}`;
}
