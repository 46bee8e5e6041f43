import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, tempDir, tinyWorld } from "../../../../test/support/tiny-world.js";
import { RunDirectory } from "../../../runs/directory/run-directory.js";
import { readRecordedRun } from "./recorded-run.js";
import { replayPlan } from "./replay-plan.js";

/** A recorded run of the tiny world whose benchmark asks for all that a replay does without. */
async function recorded(plugins: readonly string[] = []) {
  const world = tinyWorld({
    config: { timeout: 3 },
    evaluation: { simulated_latency: { steps: 1 }, timeout: 5 },
    sections: {
      simulator: { backend: "graph", sensors: { gps: {}, rgb: {} } },
      output: { video: "failures", save_trajectories: true },
    },
  });
  const names = plugins.map((name) => join(world.dir, name));
  for (const file of names) writeFileSync(file, "export default () => {};");
  const benchmark = { ...world.benchmark, plugins: names };
  const { results } = await evaluate({ ...world, benchmark }, "random", { outDir: tempDir() });
  const run = await RunDirectory.open(results.run_dir ?? "");
  const info = await run.info();
  return { run, info, episodes: await readRecordedRun(run, () => true) };
}

describe("the plan of a replay", () => {
  it("the plan of a replay has no latency, sensors, films or time limit", async () => {
    const { run, info, episodes } = await recorded();
    const { loaded, tasks } = await replayPlan(run, info, episodes, {});
    const { evaluation, simulator, output } = loaded.config;
    expect(evaluation.simulated_latency).toBeUndefined();
    expect(simulator).toMatchObject({ backend: "graph", sensors: {} });
    expect(output.video).toBe("none");
    expect(tasks[0]?.latency).toBeUndefined();
    expect(tasks[0]?.task.config.timeout).toBeGreaterThan(3600);
    // Workers make theirs from the document.
    expect(loaded.document).toMatchObject({ simulator: { sensors: {} } });
    expect(loaded.document.evaluation).not.toHaveProperty("simulated_latency");
  });

  it("the plan of a replay keeps the sensors if a recorded state lists missing ones", async () => {
    const { run, info, episodes } = await recorded();
    const plan = await replayPlan(run, info, { ...episodes, namesSensors: true }, {});
    expect(plan.loaded.config.simulator.sensors).toHaveProperty("rgb");
  });

  it("the plan of a replay keeps the sensors if a plugin may provide the simulator", async () => {
    const { run, info, episodes } = await recorded(["plugin.mjs"]);
    const plan = await replayPlan(run, info, episodes, {});
    expect(plan.loaded.config.simulator.sensors).toHaveProperty("rgb");
  });
});
