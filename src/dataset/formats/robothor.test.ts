import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { episodesOf, TemporaryFiles } from "../../../test/support/dataset-files.js";
import { quatXyzwToHeading } from "../../core/math/rotation.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { DatasetSource } from "../format.js";
import { fromUnity, fromUnityYaw, robothorFormat } from "./robothor.js";

const files = new TemporaryFiles();
beforeEach(() => {
  files.fresh();
});

const load = (source: DatasetSource) => episodesOf(robothorFormat, source);

const point = (x: number, y: number, z: number) => ({ x, y, z });
const episode = {
  id: "FloorPlan_Val1_1_Mug_0",
  scene: "FloorPlan_Val1_1",
  object_type: "Mug",
  initial_position: point(4, 0.9, -1.5),
  initial_orientation: 90,
  initial_horizon: 30,
  shortest_path: [point(4.05, 0.01, -1.5), point(4, 0.01, -3.5), point(5, 0.01, -3.5)],
  shortest_path_length: 3,
};

/** The direction of a heading, seen from above: x to the right, -z forward. */
function ahead(headingRad: number): readonly [x: number, z: number] {
  return [-Math.sin(headingRad), -Math.cos(headingRad)];
}

describe("conversion from Unity's axes", () => {
  it("the conversion from Unity axes changes only the sign of z", () => {
    expect(fromUnity(point(1, 2, 3))).toEqual([1, 2, -3]);
    expect(fromUnity(point(1, 2, 0))).toEqual([1, 2, 0]);
  });

  it.each([
    [0, 0, "ahead"],
    [90, -Math.PI / 2, "right"],
    [180, Math.PI, "behind"],
    [270, Math.PI / 2, "left"],
    [330, Math.PI / 6, "a little left"],
    [-90, Math.PI / 2, "left"],
    [450, -Math.PI / 2, "right"],
  ])(
    "the RoboTHOR reader converts an orientation of %i degrees to a heading of %f, %s",
    (degrees, heading) => {
      expect(quatXyzwToHeading(fromUnityYaw(degrees))).toBeCloseTo(heading, 12);
    },
  );

  it("the conversion from Unity axes preserves the viewed point", () => {
    fc.assert(
      fc.property(fc.double({ min: -720, max: 720, noNaN: true }), (degrees) => {
        const rad = (degrees * Math.PI) / 180;
        // Unity's yaw is clockwise from +z, so x and z are (sin, cos).
        const [x, , z] = fromUnity(point(Math.sin(rad), 0, Math.cos(rad)));
        const [ourX, ourZ] = ahead(quatXyzwToHeading(fromUnityYaw(degrees)));
        expect(ourX).toBeCloseTo(x, 9);
        expect(ourZ).toBeCloseTo(z, 9);
      }),
    );
  });
});

describe("RoboTHOR file", () => {
  it("the RoboTHOR reader reads episodes that start on the floor and end at the end of the shortest path", async () => {
    const [first] = await load({ path: files.write("FloorPlan_Val1_1.json.gz", [episode]) });
    expect(first?.toDict()).toEqual({
      episode_id: "FloorPlan_Val1_1_Mug_0",
      task_type: "objectnav",
      scene_id: "FloorPlan_Val1_1",
      start_state: {
        position: [4, 0.01, 1.5],
        rotation: [0, expect.closeTo(-Math.SQRT1_2, 12), 0, expect.closeTo(Math.SQRT1_2, 12)],
      },
      goals: { object_category: "Mug", position: [5, 0.01, 3.5] },
      instruction: {},
      reference_data: {
        path: [
          [4.05, 0.01, 1.5],
          [4, 0.01, 3.5],
          [5, 0.01, 3.5],
        ],
      },
      task_config: { initial_horizon: 30, initial_position_y: 0.9, shortest_path_length: 3 },
      sim_params: {},
    });
  });

  it("an episode without a path has no goal position", async () => {
    const { shortest_path: _path, shortest_path_length: _length, ...test } = episode;
    const [first] = await load({ path: files.write("test.json", [test]) });
    expect(first).toMatchObject({ goals: { object_category: "Mug" }, referenceData: null });
    expect(first?.startState.position).toEqual([4, 0.9, 1.5]);
  });

  it.each([
    ["initial_position.z: ", { initial_position: { x: 1, y: 2 } }],
    ["initial_orientation: ", { initial_orientation: "north" }],
    ["shortest_path.1.x: ", { shortest_path: [point(0, 0, 0), { y: 0, z: 0 }] }],
    ["object_type: ", { object_type: "" }],
    ["scene: ", { scene: undefined }],
  ])("the RoboTHOR reader rejects an invalid %s with episode and field", async (field, change) => {
    const path = files.write("plan.json", [episode, { ...episode, id: "b", ...change }]);
    await expect(load({ path })).rejects.toMatchObject({
      code: "bad_episode",
      message: expect.stringContaining(`episode b, ${field}`),
      where: `${path}, [1]`,
    });
  });

  it("the RoboTHOR reader never loads part of a truncated file", async () => {
    const plain = Buffer.from(JSON.stringify([episode, { ...episode, id: "b" }]));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: plain.length - 1 }), async (length) => {
        const path = files.write("cut.json", plain.subarray(0, length));
        await expect(load({ path })).rejects.toMatchObject({ name: "DataError" });
      }),
    );
  });
});

describeWithSharedData("RoboTHOR's first five val scenes", () => {
  const folder = () => sharedData("robothor_objectnav");

  it("the published scenes have 120 episodes each, with the stated path lengths", async () => {
    const episodes = await load({ path: folder() });
    expect(episodes).toHaveLength(600);
    expect(new Set(episodes.map(({ sceneId }) => sceneId)).size).toBe(5);
    for (const { referenceData, taskConfig, startState } of episodes) {
      const path = referenceData?.path ?? [];
      let length = 0;
      path.slice(1).forEach((to, i) => {
        length += distance3(path[i] as Vec3, to);
      });
      expect(length).toBe(taskConfig.shortest_path_length);
      // The path starts on the navmesh, which ends some centimetres before the walls.
      expect(distance3(path[0] ?? [99, 0, 0], startState.position ?? [0, 0, 0])).toBeLessThan(0.1);
    }
  });

  it("the published folder and its files give the same episodes", async () => {
    const names = readdirSync(folder()).sort();
    expect(names).toHaveLength(5);
    const parts = await Promise.all(names.map((name) => load({ path: join(folder(), name) })));
    expect(parts.map((part) => part.length)).toEqual([120, 120, 120, 120, 120]);
    expect(parts.flat()).toEqual(await load({ path: folder() }));
  });

  it("the RoboTHOR reader rejects the published files wherever they are truncated", async () => {
    const packed = readFileSync(join(folder(), "FloorPlan_Val1_1.json.gz"));
    for (const share of [0.01, 0.5, 0.99]) {
      const part = packed.subarray(0, Math.floor(share * packed.length));
      await expect(load({ path: files.write("cut.json.gz", part) })).rejects.toMatchObject({
        code: "truncated_gzip",
      });
    }
  });
});
