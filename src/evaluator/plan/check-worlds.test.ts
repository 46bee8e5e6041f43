import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { BadConfigError } from "../../config/issues.js";
import { createRegistries } from "../../registry/registries.js";
import { loadAndInspect, loadAndPlan } from "./inspect.js";

function written(options: Parameters<typeof tinyWorld>[0]): string {
  const world = tinyWorld(options);
  const file = join(world.dir, "benchmark.yaml");
  writeFileSync(file, stringify(world.benchmark));
  return file;
}

function inspect(options: Parameters<typeof tinyWorld>[0]) {
  return loadAndInspect(written(options), createRegistries());
}

const messagesOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof BadConfigError)) throw error;
  return error.issues.map(({ message }) => message);
};

const lost = (id: string, sceneId: string) => tinyEpisode("a", "b", { episodeId: id, sceneId });

describe("validate", () => {
  it("validate reports missing scenes, unknown sensors and a missing simulator of all tasks together", async () => {
    const { problems } = await inspect({
      tasks: ["one", "two"],
      episodes: [tinyEpisode("a", "b"), lost("1", "gone"), lost("2", "gone"), lost("3", "away")],
      sections: { simulator: { sensors: { radar: {}, gps: {} } } },
    });
    for (const name of ["one", "two"]) {
      const own = problems.filter(({ task }) => task === name);
      expect(own.map(({ level, code }) => `${level} ${code}`)).toEqual([
        "error unknown_sensor",
        "error missing_scene",
      ]);
      expect(own[0]).toMatchObject({
        message: 'graph has no sensor "radar"',
        where: expect.stringMatching(/benchmark\.yaml:\d+:\d+$/),
      });
      expect(own[1]?.message).toContain(
        '2 of 3 scenes cannot be used, so 3 of 4 episodes cannot run: gone, away; the first: scene "gone" has no navigation graph',
      );
      expect(own[1]?.where).toContain("connectivity");
    }
  });

  it("validate reports scenes of a navmesh benchmark that have no file and no folder", async () => {
    const { problems } = await inspect({
      episodes: [lost("1", "hm3d/00800.glb"), lost("2", "apartment/7"), lost("3", "apartment/x")],
      sections: { simulator: { backend: "navmesh", scenes: "." } },
    });
    expect(problems.map(({ code }) => code)).toEqual(["missing_scene", "bad_scene_id"]);
    expect(problems[0]?.message).toMatch(
      /the first: the file of scene hm3d\/00800\.glb does not exist; looked for \S*scene_datasets\/hm3d\/00800\.glb, /,
    );
  });

  it("validate finds no problem in a benchmark that can run", async () => {
    expect((await inspect({})).problems).toEqual([]);
  });
});

describe("validate and run --dry-run", () => {
  const sections = {
    agent: "radnom",
    one_task: { type: "vln", config: { actions: ["fly"] } },
    simulator: { scenes: "nowhere", scnes: 1, sensors: { radar: {}, gsp: false } },
    evaluation: { thresholds: ["sucess>=0.5"] },
  };
  const mistakes = [
    'unknown agent "radnom"',
    'one_task.config.actions.0: "fly" is not a valid value',
    "no such folder: nowhere",
    "simulator.scnes: unknown key",
    'one: graph has no sensor "radar"',
    'there is no sensor "gsp" to switch off',
    'this run does not report the metric "sucess"',
  ];

  it("validate and run --dry-run report the mistakes of agent, task, sensors, scenes and thresholds in one error", async () => {
    const file = written({ tasks: ["one", "two"], sections });
    const options = { registries: createRegistries() };
    const inspected = await messagesOf(loadAndInspect(file, options.registries));
    const planned = await messagesOf(loadAndPlan(file, options));
    for (const messages of [inspected, planned]) {
      expect(messages).toEqual(expect.arrayContaining(mistakes));
      expect(new Set(messages).size).toBe(messages.length);
    }
  });

  it("validate and run --dry-run differ in missing data, which keeps a run from starting", async () => {
    const dataset = { one: { type: "vln", data_path: "gone.json" } };
    const file = written({
      tasks: ["one"],
      sections: { dataset, simulator: { backend: "navmesh", sensors: { radar: {} } } },
    });
    const { missing, problems } = await loadAndInspect(file, createRegistries());
    expect(missing.map(({ path }) => path)).toEqual(["gone.json"]);
    expect(problems.map(({ code }) => code)).toEqual(["unknown_sensor"]);
    const options = { registries: createRegistries(), agent: "random" };
    expect(await messagesOf(loadAndPlan(file, options))).toEqual([
      expect.stringContaining('no sensor "radar"'),
      "the file does not exist",
    ]);
  });

  it("validate and run --dry-run plan exactly the selected episodes", async () => {
    const file = written({ episodes: [tinyEpisode("a", "b"), lost("1", "gone")] });
    const options = { registries: createRegistries(), agent: "random" };
    const { plan, problems } = await loadAndPlan(file, { ...options, first: 1 });
    expect(plan.tasks.map(({ episodes }) => episodes.length)).toEqual([1]);
    expect(problems).toEqual([]);
    expect((await loadAndPlan(file, options)).problems).toHaveLength(1);
  });
});
