import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import type { SimulatorFrame } from "../../../core/interfaces/simulator.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { RearrangeTask } from "../../../tasks/rearrange/task.js";
import { categoryNumber } from "../../scenes/categories.js";
import { MujocoSimulator } from "../mujoco-simulator.js";
import { fromScene, toScene } from "../visual/axes.js";
import { type ApartmentWorld, leaseApartment } from "./apartment-world.js";

const SCENE = "apartment/117";
const UPPER = "chest_of_drawers_1_drawer_1";
const LOWEST = "chest_of_drawers_1_drawer_3";
const OPENED_M = 0.3;

interface Chest {
  /** A point in front of a drawer, and to the left as seen from the chest, in MuJoCo's axes. */
  at(drawer: string, outM: number, leftM: number, aboveM: number): Vec3;
  /** Heading of a robot that faces the chest. */
  readonly towards: number;
}

let chest: Chest;
let simulator: MujocoSimulator;

beforeAll(async () => {
  const { apartment, scene } = await leaseApartment(SCENE);
  const drawers = apartment.model.drawers ?? [];
  const turn = drawers[0]?.yawRad ?? 0;
  const out = [Math.sin(turn), -Math.cos(turn)] as const;
  chest = {
    at(name, outM, leftM, aboveM) {
      const front = drawers.find((one) => one.name === name)?.front ?? [0, 0, 0];
      const [x, y, z] = fromScene(front);
      return [x + outM * out[0] - leftM * out[1], y + outM * out[1] + leftM * out[0], z + aboveM];
    },
    towards: Math.atan2(-out[1], -out[0]),
  };
  scene.release();
  simulator = new MujocoSimulator({ task: new RearrangeTask({}), config: { sensors: {} } });
});

afterAll(() => simulator.close());

/** The robot faces the chest; a mug is in the drawer. */
function episode(
  change: {
    readonly drawers?: readonly object[];
    readonly goal?: string;
    readonly sceneId?: string;
    readonly awayM?: number;
    readonly inDrawer?: string;
    /** Instead of the mug in the drawer. */
    readonly taskConfig?: Readonly<Record<string, unknown>>;
  } = {},
): BaseEpisode {
  const { awayM = 0.72, inDrawer = LOWEST } = change;
  const [x, y] = chest.at(inDrawer, awayM, 0, 0);
  return new BaseEpisode({
    episodeId: "e1",
    taskType: "rearrange",
    sceneId: change.sceneId ?? SCENE,
    startState: { base_pose: [x, y, chest.towards] },
    goals: {
      target_object: { name: "mug" },
      target_location: { receptacle: change.goal ?? "chest_of_drawers_1" },
    },
    instruction: { text: "Move the mug." },
    taskConfig: change.taskConfig ?? {
      scene_objects: [
        { name: "mug", model: "mug/1", position: chest.at(inDrawer, OPENED_M / 2, 0.1, -0.03) },
      ],
      drawers: change.drawers ?? [{ name: inDrawer, opened: OPENED_M }],
    },
  });
}

/** Repeats a named action until it ends. */
function drive(action: string): SimulatorFrame {
  for (let i = 0; i < 200; i++) {
    const frame = simulator.step(action);
    if (!frame.inProgress) return frame;
  }
  throw new Error(`${action} does not end`);
}

/** How far a drawer is open, and how far the mug is from its middle, along the way in which it opens. */
function openness({ state }: SimulatorFrame, drawer = LOWEST) {
  const [x, y] = chest.at(drawer, 0, 0, 0);
  const along = ([px, py]: Vec3) =>
    (x - px) * Math.cos(chest.towards) + (y - py) * Math.sin(chest.towards);
  const box = state.objects?.[drawer]?.position ?? [Number.NaN, 0, 0];
  const mug = state.objects?.mug?.position ?? [Number.NaN, 0, 0];
  return { box: along(box), mug: along(mug) };
}

describe("a drawer of an apartment", () => {
  it("a drawer of an apartment stays open while nothing touches it, stops shut when the robot pushes it, and takes its content along", async () => {
    const start = await simulator.reset(episode());
    for (let i = 0; i < 40; i++) simulator.step(simulator.shown?.world.joints ?? []);
    const rest = openness(simulator.step(simulator.shown?.world.joints ?? []));
    expect(rest.box).toBeCloseTo(openness(start).box, 4);
    expect(rest.mug).toBeCloseTo(openness(start).mug, 2);
    drive("move_forward");
    const pushed = openness(drive("move_forward"));
    expect(pushed.box).toBeLessThan(rest.box - 0.1);
    expect(pushed.mug).toBeLessThan(rest.mug - 0.1);
    drive("move_forward");
    const last = drive("move_forward");
    expect(openness(last).box).toBeCloseTo(rest.box - OPENED_M, 2);
    expect(last.state.collided).toBe(true);
  });

  it("an open drawer is an obstacle on the floor, but not for distances in the closed apartment", async () => {
    const free = async (drawers: readonly object[]) => {
      await simulator.reset(episode({ awayM: 1.2, drawers, inDrawer: UPPER }));
      const { apartment } = simulator.shown?.world ?? {};
      if (!apartment) throw new Error("no apartment");
      const [x, y] = chest.at(UPPER, 0.4, 0, 0);
      const isFree = (mesh: ApartmentWorld["navMesh"]) => mesh.isNavigable(toScene([x, y, 0]));
      return [isFree(apartment.navMesh), isFree(apartment.distanceMesh)];
    };
    expect(await free([{ name: UPPER, opened: OPENED_M }])).toEqual([false, true]);
  });

  it("a drawer of an apartment is a drawer in semantic images, and has a surface for experts while it is open", async () => {
    const own = new MujocoSimulator({
      task: new RearrangeTask({}),
      config: { sensors: { semantic_head: { width: 160, height: 120 } } },
    });
    const { observation } = await own.reset(episode({ awayM: 1.4, inDrawer: UPPER }));
    const image = observation.semantic_head as { readonly data: Uint16Array };
    const count = (category: string) =>
      image.data.filter((id) => id === categoryNumber(category)).length;
    expect(count("drawer")).toBeGreaterThan(100);
    expect(count("chest_of_drawers")).toBeGreaterThan(100);
    const surfaces = () =>
      own.manipulation?.place?.receptacles.find(({ name }) => name === UPPER)?.surfaces ?? [];
    expect(surfaces()[0]?.sizeM[0]).toBeCloseTo(OPENED_M, 6);
    expect(surfaces()[0]?.rimM).toBeGreaterThan(0.15);
    const scene_objects = [
      { name: "mug", model: "mug/1", position: chest.at(UPPER, 0.5, 0, -0.6) },
    ];
    const closed = { scene_objects, drawers: [{ name: LOWEST }] };
    await own.reset(episode({ awayM: 1.4, goal: LOWEST, taskConfig: closed }));
    expect(own.manipulation?.place?.receptacles.at(-1)).toEqual({ name: LOWEST, surfaces: [] });
    own.close();
  });

  it("a drawer of an apartment leaves worlds of other episodes unchanged, and its world is cached by its opening", async () => {
    const closed = async () => {
      const [x, y] = chest.at(UPPER, 0.5, 0, 0);
      const scene_objects = [{ name: "mug", model: "mug/1", position: [x, y] }];
      await simulator.reset(episode({ awayM: 1.4, taskConfig: { scene_objects } }));
      return simulator.shown?.physics.geoms().map(({ name }) => name);
    };
    const before = await closed();
    await simulator.reset(episode({ awayM: 1.4 }));
    const opened = simulator.shown?.physics;
    expect(opened?.geoms().some(({ bodyName }) => bodyName === `${LOWEST}_panel`)).toBe(true);
    expect(await closed()).toEqual(before);
    await simulator.reset(episode());
    expect(simulator.shown?.physics).toBe(opened);
  });
});

describe("an episode that names drawers", () => {
  const rejected = (change: Parameters<typeof episode>[0], error: object) =>
    expect(simulator.reset(episode(change))).rejects.toMatchObject({
      code: "bad_episode",
      ...error,
    });

  it("an episode that names an unknown drawer, or a drawer twice, is rejected with the names that exist", async () => {
    await rejected(
      { drawers: [{ name: "chest_of_drawers_1_drawer_4", opened: 0.1 }] },
      {
        where: "episode e1, task_config.drawers.0.name",
        message: `"chest_of_drawers_1_drawer_4" is no drawer of ${SCENE} that moves`,
        hint: expect.stringContaining(LOWEST),
      },
    );
    await rejected(
      { drawers: [{ name: UPPER }, { name: UPPER }] },
      { where: "episode e1, task_config.drawers.1.name", message: `"${UPPER}" is listed twice` },
    );
    await rejected(
      { sceneId: "apartment/100", drawers: [{ name: UPPER }] },
      { hint: "it has none; chests of drawers have them" },
    );
  });

  it("an episode is rejected if it opens a drawer beyond its range, or if its goal is a drawer that it does not list", async () => {
    await rejected(
      { drawers: [{ name: UPPER, opened: 0.5 }] },
      {
        where: "episode e1, task_config.drawers.0.opened",
        message: `"${UPPER}" opens by at most 0.32 m, got 0.5`,
      },
    );
    await rejected(
      { goal: UPPER },
      {
        where: "episode e1, goals.target_location.receptacle",
        hint: `add {"name": "${UPPER}", "opened": 0.3} to task_config.drawers`,
      },
    );
  });

  it("an episode with drawers is rejected for a robot that does not drive, which is in no apartment", async () => {
    const { STRETCH } = await import("../../../robots/stretch.js");
    const { worldOf } = await import("../world/from-episode.js");
    expect(() => worldOf(episode(), STRETCH)).toThrow(
      expect.objectContaining({ where: "episode e1, task_config.drawers" }),
    );
  });
});
