// The evaluator's complete loop over shipped pick-and-place episodes, for manipulation.mjs: called in its process, or
// forked (the options are the message, the rates the answer).
import { fileURLToPath } from "node:url";
import { parseConfig } from "../build/config/load.js";
import { UnifiedRobotEvaluator } from "../build/evaluator/evaluator.js";

export const DATA = fileURLToPath(
  new URL("../data/manipulation/pick_place/val.json.gz", import.meta.url),
);

/** CPU time of all threads, and wall time, in seconds. */
export function times() {
  const { user, system } = process.cpuUsage();
  return { processor: (user + system) / 1e6, clock: performance.now() / 1000 };
}

/**
 * Control steps per second of CPU time and of wall time, after the first `cold` episodes. The agent replays the file
 * `recorded`; nothing is written.
 */
export async function evaluated({ recorded, sleep, limit, workers = 1, cold }) {
  const config = parseConfig(
    JSON.stringify({
      benchmark: { name: "bench" },
      plugins: [fileURLToPath(new URL("./recorded-actions.mjs", import.meta.url))],
      pick_place_task: { type: "pick_place", config: { robot_type: "stretch" } },
      simulator: { backend: "mujoco", sleep, sensors: { qpos: {} } },
      dataset: { pick_place: { type: "pick_place", data_path: DATA, first: limit } },
      evaluation: { max_steps: 500, seed: 1 },
    }),
    { file: "bench.yaml" },
  );
  let [done, steps] = [0, 0];
  let start;
  await new UnifiedRobotEvaluator(config, {
    agent: `recorded:${recorded}`,
    outDir: null,
    workers,
    onEvent: (event) => {
      if (event.type !== "episode") return;
      steps += event.line.steps;
      if (++done === cold) start = { ...times(), steps };
    },
  }).run();
  const { processor, clock } = times();
  const since = steps - start.steps;
  return { rate: since / (processor - start.processor), clock: since / (clock - start.clock) };
}

if (process.send) {
  process.once("message", async (options) => {
    process.send(await evaluated(options));
    process.disconnect();
  });
}
