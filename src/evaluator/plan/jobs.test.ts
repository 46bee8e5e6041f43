import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { parseConfig } from "../../config/load.js";
import { createRegistries } from "../../registry/registries.js";
import { jobsOf, keyOf } from "./jobs.js";
import { prepareRun } from "./prepare.js";

const NODES = ["a", "b", "c", "d", "e"] as const;
const EPISODES = NODES.flatMap((from) =>
  NODES.filter((to) => to !== from).map((to) => tinyEpisode(from, to)),
);

async function namesOf(
  evaluation: Readonly<Record<string, unknown>>,
  more: { readonly tasks?: readonly string[]; readonly seed?: number } = {},
): Promise<string[]> {
  const { tasks = ["vln"], seed } = more;
  const { benchmark } = tinyWorld({ episodes: EPISODES, tasks, evaluation });
  const plan = await prepareRun(parseConfig(stringify(benchmark), { file: "b.yaml" }), {
    registries: createRegistries(),
    agent: "random",
    seed,
  });
  return jobsOf(plan).map((job) => `${keyOf(job)} ${job.repeat} ${job.attempt}`);
}

const inOrder = EPISODES.map(({ episodeId }) => `vln/tiny/${episodeId}`);

describe("the jobs of a run", () => {
  it("the jobs of a run list the episodes in the dataset order", async () => {
    expect(await namesOf({})).toEqual(inOrder.map((key) => `${key} 0 1`));
  });

  it("the jobs of a run list the first repeat of every episode before any second one", async () => {
    expect(await namesOf({ repeats: 2 })).toEqual(
      [0, 1].flatMap((repeat) => inOrder.map((key) => `${key} ${repeat} 1`)),
    );
  });

  it("the jobs of a run are listed task by task", async () => {
    const names = await namesOf({ repeats: 2 }, { tasks: ["vln", "other"] });
    expect(names.map((name) => name.split("/")[0])).toEqual([
      ...Array.from({ length: 40 }, () => "vln"),
      ...Array.from({ length: 40 }, () => "other"),
    ]);
  });

  it("the jobs of a run with early_stop are in random order with repeats together", async () => {
    const early = { early_stop: { half_width: 0.1 }, repeats: 2 };
    const names = await namesOf(early);
    const keys = names.filter((_, i) => i % 2 === 0).map((name) => name.split(" ")[0]);
    expect(names).toEqual(keys.flatMap((key) => [`${key} 0 1`, `${key} 1 1`]));
    expect(keys).not.toEqual(inOrder);
    expect([...keys].sort()).toEqual([...inOrder].sort());
    expect(await namesOf(early)).toEqual(names);
    expect(await namesOf(early, { seed: 8 })).not.toEqual(names);
  });
});
