// The evaluator's whole loop over shipped episodes of pick and place, for manipulation.mjs: called in its process,
// or in one of its own (fork, with the options as the message; the rates come back).
import { fileURLToPath } from "node:url";
import { parseConfig } from "../dist/config/load.js";
import { UnifiedRobotEvaluator } from "../dist/evaluator/evaluator.js";

export const DATA = fileURLToPath(
  new URL("../data/manipulation/pick_place/val.json.gz", import.meta.url),
);

/** Seconds of the processor's, by all threads, and of the clock's. */
export function times() {
  const { user, system } = process.cpuUsage();
  return { processor: (user + system) / 1e6, clock: performance.now() / 1000 };
}

/**
 * Control steps a second, by processor time and by the clock, from the end of the first `cold` episodes on. The
 * agent recites the file `recorded`; nothing is written.
 */
export async function evaluated({ recorded, sleep, limit, workers = 1, cold }) {
  const config = parseConfig(
    JSON.stringify({
      benchmark: { name: "bench" },
      plugins: [fileURLToPath(new URL("./recited.mjs", import.meta.url))],
      pick_place_task: { type: "pick_place", config: { robot_type: "stretch" } },
      simulator: { backend: "mujoco", sleep, sensors: { qpos: {} } },
      dataset: { pick_place: { type: "pick_place", data_path: DATA, limit } },
      evaluation: { max_steps: 500, seed: 1 },
    }),
    { file: "bench.yaml" },
  );
  let [done, steps] = [0, 0];
  let start;
  await new UnifiedRobotEvaluator(config, {
    agent: `recited:${recorded}`,
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
