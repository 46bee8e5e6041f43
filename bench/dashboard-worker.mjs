// Creates a large run by repeating the lines and trajectories of a small real one under new names.
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RunDirectory } from "../build/runs/directory/run-directory.js";
import { RunWriter } from "../build/runs/directory/run-writer.js";
import { summaryOf } from "../build/runs/report/summary-of.js";

const [real, out, episodes] = process.argv.slice(2);
const run = new RunDirectory(real);
const info = { ...(await run.info()), run_id: out.split("/").at(-1), status: "running" };
const lines = [];
for await (const line of run.episodes()) lines.push(line);

const writer = await RunWriter.create(dirname(out), info, "", "whole");
for (const { trajectory } of lines) {
  await copyFile(join(real, trajectory), join(writer.path, trajectory));
}
for (let i = 0; i < Number(episodes); i++) {
  const line = lines[i % lines.length];
  const episode_id = String(i);
  const scene_id = `${line.scene_id}-${i % 97}`;
  await writer.append({
    ...line,
    episode_id,
    scene_id,
    episode_key: `${line.task}/${scene_id}/${episode_id}`,
    // Make every line different.
    outcome: i % 3 === 0 ? "failure" : "success",
    metrics: Object.fromEntries(
      Object.entries(line.metrics).map(([name, value]) => [name, value * (1 - (i % 1000) / 1000)]),
    ),
  });
}
const summary = await summaryOf(new RunDirectory(writer.path));
await writer.finish({ ...summary, status: "done" }, new Date().toISOString(), []);
