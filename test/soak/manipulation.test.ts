import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { MetricTable, RunResults } from "../../src/core/interfaces/result.js";
import { loadEpisodes } from "../../src/dataset/loader.js";
import { createRegistries } from "../../src/registry/registries.js";
import { linesOf, makeWorld, robotEval, temporaryFolder } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CHALLENGE = join(root, "configs/benchmarks/manipulation_challenge.yaml");
const TASKS = ["pick_place", "stacking", "opening", "arm_pick_place"];
const TIMEOUT_MS = 1_800_000;
/** Chances that an action is a random one. */
const NOISE = [0.02, 0.1, 0.3];

async function run(benchmark: string, ...flags: readonly string[]): Promise<RunResults> {
  const args = ["run", benchmark, "--out", temporaryFolder(), "--json", ...flags];
  const { stdout, stderr, code } = await robotEval(args, root);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunResults;
}

const mean = (metrics: MetricTable | undefined, name: string) =>
  metrics?.[name]?.mean ?? Number.NaN;

const share = (successes: readonly boolean[]) =>
  successes.filter(Boolean).length / successes.length;

/** Whether an episode opens a drawer or a door, by its id. */
async function kindsOf(path: string): Promise<Map<string, string>> {
  const kinds = new Map<string, string>();
  const { formats } = createRegistries();
  for await (const { episodeId, taskConfig } of loadEpisodes({ path, formats })) {
    const [fixture] = taskConfig.fixtures as readonly { readonly kind: string }[];
    kinds.set(episodeId, fixture?.kind ?? "");
  }
  return kinds;
}

describe("the whole manipulation challenge", () => {
  it(
    "is solved by the expert, task by task, drawers and doors alike",
    async () => {
      const { episodes, per_task, run_dir } = await run(CHALLENGE, "--agent", "expert");
      expect(episodes).toMatchObject({ total: 200, invalid: 0 });
      for (const task of TASKS) {
        expect(mean(per_task[task], "manip_success"), task).toBeGreaterThanOrEqual(0.95);
      }
      const kinds = await kindsOf(join(root, "data/manipulation/opening/val.json.gz"));
      const openings = (await linesOf(run_dir)).filter(({ task }) => task === "opening");
      for (const [kind, least] of [
        ["drawer", 0.95],
        ["door", 0.9],
      ] as const) {
        const these = openings.filter(({ episode_id }) => kinds.get(episode_id) === kind);
        expect(these.length, kind).toBeGreaterThan(10);
        expect(
          share(these.map(({ outcome }) => outcome === "success")),
          kind,
        ).toBeGreaterThanOrEqual(least);
      }
    },
    TIMEOUT_MS,
  );

  it(
    "is not solved by chance",
    async () => {
      const limited = ["--agent", "random", "--limit", "15"];
      const { episodes, aggregated_metrics } = await run(CHALLENGE, ...limited);
      expect(episodes).toMatchObject({ total: 60, invalid: 0 });
      expect(mean(aggregated_metrics, "manip_success")).toBeLessThanOrEqual(0.02);
    },
    TIMEOUT_MS,
  );

  it(
    "tells little noise from more and from much",
    async () => {
      const rates = [];
      for (const chance of NOISE) {
        const agent = `noisy:${chance}:expert`;
        const { aggregated_metrics } = await run(CHALLENGE, "--agent", agent, "--limit", "8");
        rates.push(mean(aggregated_metrics, "completion_rate"));
      }
      for (const [i, rate] of rates.entries()) {
        if (i > 0) expect(rate, JSON.stringify(rates)).toBeLessThan(rates[i - 1] ?? Number.NaN);
      }
    },
    TIMEOUT_MS,
  );
});

describe("generated episodes that were never shipped", () => {
  const GENERATED = ["pick_place", "stacking", "opening"];

  it(
    "are solved by the expert",
    async () => {
      const world = makeWorld();
      for (const task of GENERATED) {
        const out = join(world.root, `${task}.json.gz`);
        const { code, stderr } = await robotEval(
          ["generate", "--task", task, "--seed", "999", "-n", "30", "--out", out],
          world.root,
        );
        expect(code, stderr).toBe(0);
      }
      const benchmark = world.write(
        "new.yaml",
        stringify({
          benchmark: { name: "new" },
          ...Object.fromEntries(
            GENERATED.map((task) => [
              `${task}_task`,
              { type: task, config: { robot_type: "stretch" } },
            ]),
          ),
          dataset: Object.fromEntries(
            GENERATED.map((task) => [task, { type: task, data_path: `${task}.json.gz` }]),
          ),
          evaluation: { max_steps: 500 },
        }),
      );
      const { episodes, per_task } = await run(benchmark, "--agent", "expert");
      expect(episodes).toMatchObject({ total: 90, invalid: 0 });
      for (const task of GENERATED) {
        expect(mean(per_task[task], "manip_success"), task).toBeGreaterThanOrEqual(0.9);
      }
    },
    TIMEOUT_MS,
  );
});
