// npm start: runs the benchmark unified_smoke, then prints the sentence of one rearrangement and draws its map.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTrajectory } from "../build/runs/directory/trajectory.js";
import { MAIN } from "./headless.mjs";

const RUNS = "runs";
const id = `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-start`;
const run = join(RUNS, id);

// The run handles Ctrl-C, and this process reports its exit code.
process.on("SIGINT", () => {});
process.exitCode = robotEval("run", "unified_smoke", "--run-id", id, "--out", RUNS);
const shown = process.exitCode === 0 ? longestRearrangement() : undefined;
if (shown) {
  const { episode } = await readTrajectory(join(run, shown.trajectory));
  console.log(`\n${shown.episode_key}: ${episode.instruction.text}\n${shown.explanation}`);
  process.exitCode = robotEval("map", run, shown.episode_key, "--format", "png");
}

function robotEval(...args) {
  return spawnSync(process.execPath, [MAIN, ...args], { stdio: "inherit" }).status ?? 1;
}

/** The successful episode in which the robot drove and handled for the most steps. */
function longestRearrangement() {
  const file = join(run, "episodes.jsonl");
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines
    .filter(({ task, outcome }) => task === "rearrange" && outcome === "success")
    .sort((a, b) => b.steps - a.steps)[0];
}
