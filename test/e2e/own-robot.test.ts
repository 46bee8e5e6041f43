import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  createRegistries,
  type EpisodeLine,
  loadConfig,
  UnifiedRobotEvaluator,
} from "../../src/index.js";
import { loadPlugin } from "../../src/registry/plugins.js";
import { page } from "../docs/pages.js";
import { temporaryFolder } from "../support/cli.js";

const benchmark = fileURLToPath(new URL("../../examples/robot/benchmark.yaml", import.meta.url));

async function run(options: { readonly agent?: string; readonly set?: readonly string[] }) {
  const lines: EpisodeLine[] = [];
  const config = loadConfig(benchmark, { set: [...(options.set ?? [])] });
  const results = await new UnifiedRobotEvaluator(config, {
    outDir: null,
    agent: options.agent,
    onEvent: (event) => {
      if (event.type === "episode") lines.push(event.line);
    },
  }).run();
  return { results, lines };
}

describe("the example of a custom robot and scene", () => {
  it("the driver agent solves the custom robot episodes", async () => {
    const { results, lines } = await run({});
    expect(lines.map(({ explanation }) => explanation)).toEqual(
      lines.map(() => expect.stringMatching(/^succeeded/)),
    );
    expect(results.aggregated_metrics.manip_success).toMatchObject({ mean: 1, count: 3 });
  });

  it("the random agent does not solve the custom robot episodes", async () => {
    const { results } = await run({ agent: "random", set: ["evaluation.max_steps=20"] });
    expect(results.aggregated_metrics.manip_success).toMatchObject({ mean: 0, count: 3 });
  });

  it("an unknown robot is rejected with a list that has the robots of the plugin", async () => {
    const set = ["pick_place_task.config.robot_type=crain"];
    await expect(run({ set })).rejects.toMatchObject({
      name: "ConfigError",
      where: "--set pick_place_task.config.robot_type",
      hint: expect.stringContaining(
        'did you mean "crane"? valid: stretch, stretch_re1, stretch_mobile, panda, crane',
      ),
    });
  });

  it("a wrong number of degrees of freedom is rejected with that of the crane", async () => {
    const set = ["pick_place_task.config.dof=7"];
    await expect(run({ set })).rejects.toThrow("crane has 4 degrees of freedom");
  });
});

describe("the robot of docs/plugins.md", () => {
  it("the example robot of docs/plugins.md registers as a plugin without changes", async () => {
    const folder = temporaryFolder();
    const block = page("docs/plugins.md").blocks.find(({ text }) => text.includes("gantry"));
    writeFileSync(join(folder, "gantry.mjs"), block?.text ?? "");
    const registries = createRegistries();
    await loadPlugin("./gantry.mjs", registries, folder, "here");
    const task = registries.tasks.get("pick_place", { robot_type: "gantry" });
    expect(task.actionSpace.shape).toEqual([3]);
  });
});
