import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { createRegistries } from "../../registry/registries.js";
import { loadAndInspect } from "./inspect.js";

function inspect(options: Parameters<typeof tinyWorld>[0]) {
  const world = tinyWorld(options);
  const file = join(world.dir, "benchmark.yaml");
  writeFileSync(file, stringify(world.benchmark));
  return loadAndInspect(file, createRegistries());
}

const lost = (id: string, sceneId: string) => tinyEpisode("a", "b", { episodeId: id, sceneId });

describe("validate", () => {
  it("reports missing scenes, unknown sensors and a missing simulator of all tasks together", async () => {
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

  it("reports scenes of a navmesh benchmark that have no file and no folder", async () => {
    const { problems } = await inspect({
      episodes: [lost("1", "hm3d/00800.glb"), lost("2", "apartment/7"), lost("3", "apartment/x")],
      sections: { simulator: { backend: "navmesh", scenes: "." } },
    });
    expect(problems.map(({ code }) => code)).toEqual(["missing_scene", "bad_scene_id"]);
    expect(problems[0]?.message).toMatch(
      /the first: the file of scene hm3d\/00800\.glb does not exist; looked for \S*scene_datasets\/hm3d\/00800\.glb, /,
    );
  });

  it("finds no problem in a benchmark that can run", async () => {
    expect((await inspect({})).problems).toEqual([]);
  });
});
