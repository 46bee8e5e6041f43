import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import { Random } from "../../../core/math/random.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { STRETCH_MOBILE } from "../../../robots/stretch-mobile.js";
import { RearrangeTask } from "../../../tasks/rearrange/task.js";
import { MujocoSimulator } from "../mujoco-simulator.js";
import { fromScene, toScene } from "../visual/axes.js";
import { leaseApartment } from "./apartment-world.js";

const SCENE = "apartment/101";
/** Furniture closes off a part of its floor. */
const OTHER = "apartment/100";

interface Setting {
  readonly scene: string;
  /** Middle of a free surface, in MuJoCo's axes. */
  readonly onTable: Vec3;
  readonly receptacle: string;
  readonly start: readonly [number, number, number];
}

let setting: Setting;
let other: Setting;
let simulator: MujocoSimulator;

/** A receptacle with a large surface, and a free place on the floor near it. */
async function settingOf(sceneId: string): Promise<Setting> {
  const { apartment, scene } = await leaseApartment(sceneId);
  try {
    for (const { name, surfaces } of apartment.receptacles) {
      const surface = surfaces.find(({ sizeM: [a, b] }) => Math.min(a, b) > 0.3);
      if (!surface) continue;
      const [x, y, z] = fromScene(surface.centre);
      for (let i = 0; i < 36; i++) {
        const angle = (2 * Math.PI * i) / 36;
        const at = [x + Math.cos(angle), y + Math.sin(angle)] as const;
        if (!apartment.navMesh.isNavigable(toScene([...at, 0]))) continue;
        return { scene: sceneId, onTable: [x, y, z], receptacle: name, start: [...at, angle] };
      }
    }
    throw new Error(`${sceneId} has no reachable receptacle`);
  } finally {
    scene.release();
  }
}

function episode(
  { scene, onTable: [x, y], receptacle, start }: Setting,
  change: {
    readonly objects?: readonly object[];
    readonly start?: readonly number[] | undefined;
    readonly task?: object;
    readonly to?: string;
    readonly sceneId?: string;
  } = {},
): BaseEpisode {
  const objects = change.objects ?? [
    { name: "mug", model: "mug/1", position: [x - 0.08, y] },
    { name: "can", model: "can/1", position: [x + 0.08, y] },
  ];
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "rearrange",
    sceneId: change.sceneId ?? scene,
    startState: {
      base_pose: ("start" in change ? change.start : start) as [number, number, number],
    },
    goals: {
      target_object: { name: "mug" },
      target_location: { receptacle: change.to ?? receptacle },
    },
    instruction: { text: "Move the mug." },
    taskConfig: { scene_objects: objects, ...change.task },
  });
}

function simulatorWith(sensors: Readonly<Record<string, object>> = {}): MujocoSimulator {
  return new MujocoSimulator({ task: new RearrangeTask({}), config: { sensors } });
}

/** The states of an episode in which the arm moves, as text. */
async function states(own: MujocoSimulator, of: BaseEpisode, steps = 12): Promise<string[]> {
  const texts = [JSON.stringify((await own.reset(of)).state)];
  for (let i = 0; i < steps; i++) texts.push(JSON.stringify(own.step(swing(i)).state));
  return texts;
}

function swing(step: number): readonly number[] {
  const home = STRETCH_MOBILE.model?.home ?? [];
  return home.map((value, dof) => value + (dof < 2 ? 0.02 * Math.sin(0.5 * step) : 0));
}

function positionOf({ state }: SimulatorFrame, name: string): Vec3 {
  return state.objects?.[name]?.position ?? [Number.NaN, 0, 0];
}

beforeAll(async () => {
  [setting, other] = [await settingOf(SCENE), await settingOf(OTHER)];
  simulator = simulatorWith();
});

afterAll(() => simulator.close());

describe("an episode in an apartment", () => {
  it("an episode in an apartment starts with the robot at its base pose and the objects at rest on the furniture", async () => {
    const first = await simulator.reset(episode(setting));
    const physics = simulator.shown?.physics;
    expect(physics?.bodies().map(({ name }) => name)).toContain(setting.receptacle);
    let frame = first;
    for (let i = 0; i < 20; i++) frame = simulator.step(swing(0));
    for (const name of ["mug", "can"]) {
      const [before, after] = [positionOf(first, name), positionOf(frame, name)];
      expect(after[0]).toBeCloseTo(before[0], 2);
      expect(after[1]).toBeCloseTo(before[1], 2);
      // It falls the millimetre that it starts above the surface.
      expect(before[2] - after[2]).toBeGreaterThan(0);
      expect(before[2] - after[2]).toBeLessThan(0.003);
      expect(after[2]).toBeGreaterThan(setting.onTable[2]);
    }
    expect(frame.state.error).toBeUndefined();
    expect(first.state.scene_sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("an episode in an apartment has the same bits after other episodes in the same world, and in a new simulator", async () => {
    const [x, y] = setting.onTable;
    const moved = episode(setting, {
      objects: [
        { name: "mug", model: "mug/1", position: [x + 0.05, y + 0.05], yaw: 1 },
        { name: "can", model: "can/1", position: [x - 0.1, y], yaw: 2 },
      ],
    });
    const own = await states(simulator, episode(setting));
    const between = await states(simulator, moved);
    expect(between).not.toEqual(own);
    expect(await states(simulator, episode(setting))).toEqual(own);
    const fresh = simulatorWith();
    await states(fresh, episode(other));
    expect(await states(fresh, moved)).toEqual(between);
    expect(await states(fresh, episode(setting))).toEqual(own);
    fresh.close();
  });

  it("an episode in an apartment shows cameras the apartment, the robot and the objects, each with its number", async () => {
    const size = { width: 64, height: 48 };
    const seeing = simulatorWith({ rgb_head: size, depth_head: size, semantic_head: size });
    const { observation } = await seeing.reset(episode(setting));
    const { semantic_head: ids, depth_head: depth } = observation as Record<
      string,
      { readonly data: ArrayLike<number> }
    >;
    expect(new Set(Array.from(ids?.data ?? [])).size).toBeGreaterThan(2);
    expect(Array.from(depth?.data ?? []).every((value) => value > 0 && value < 20)).toBe(true);
    seeing.close();
  });

  it("an episode in an apartment measures distances along the navmesh", async () => {
    await simulator.reset(episode(setting));
    const at = (position: Vec3) => ({ position });
    const [x, y] = setting.start;
    const start = toScene([x, y, 0]);
    expect(simulator.distance?.(at(start), at(start))).toBe(0);
  });

  it.each([
    ["an unknown apartment", { sceneId: "apartment/x" }, /does not name a generated apartment/],
    ["no start", { start: undefined }, /no default start/],
    ["a start outside", { start: [-50, 0, 0] }, /does not fit at \[-50, 0\]/],
    ["a table", { task: { table: {} } }, /no table can be added/],
    ["an unknown receptacle", { to: "table_99" }, /"table_99" is no receptacle/],
  ] as const)("an episode in an apartment is rejected with %s", async (_, change, message) => {
    await expect(async () => simulator.reset(episode(setting, change))).rejects.toThrow(message);
  });

  it("an episode in an apartment is rejected with an object in furniture or a wall, which it names", async () => {
    const [x, y, z] = setting.onTable;
    const reset = (mug: Vec3, can: Vec3) =>
      simulator.reset(
        episode(setting, {
          objects: [
            { name: "mug", model: "mug/1", position: mug },
            { name: "can", model: "can/1", position: can },
          ],
        }),
      );
    const beside: Vec3 = [x + 0.15, y, z + 0.2];
    await expect(reset([x, y, z], beside)).rejects.toThrow(`inside ${setting.receptacle}`);
    // The building's corner is the origin of its plan, and its walls are 6 cm thick inside of it.
    await expect(reset(beside, [0.07, -0.15, 1.5])).rejects.toThrow(/"can" is .* cm inside/);
    await expect(reset(beside, [0, 0, 1])).rejects.toThrow('"can" at [0, 0, 1] is in no room');
  });

  it("an episode in an apartment is rejected with the code unreachable_goal if no way leads to the goal", async () => {
    // A part of the floor that furniture separates from the rest.
    const { apartment, scene } = await leaseApartment(OTHER);
    const { navMesh, receptacles } = apartment;
    expect(navMesh.islandCount).toBe(2);
    const [x, y] = fromScene(navMesh.randomPoint(new Random(1), 1));
    scene.release();
    const far = receptacles.find(({ surfaces: [surface] }) => {
      const [sx, , sz] = surface?.centre ?? [0, 0, 0];
      return Math.hypot(sx - x, sz + y) > 4;
    });
    const apart = {
      ...setting,
      scene: OTHER,
      start: [x, y, 0] as const,
      receptacle: far?.name ?? "",
      onTable: [x, y, 0] as const,
    };
    await expect(async () => simulator.reset(episode(apart))).rejects.toMatchObject({
      code: "unreachable_goal",
    });
  });
});
