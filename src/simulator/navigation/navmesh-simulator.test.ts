import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objOf, sceneFolder, TWO_ROOMS } from "../../../test/support/obj-scene.js";
import { BaseEpisode, type EpisodeInit } from "../../core/episode/base.js";
import { isImage } from "../../core/interfaces/observation.js";
import type { SimulatorFrame } from "../../core/interfaces/simulator.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import type { BaseTask } from "../../core/task/base.js";
import { ImageNavTask } from "../../tasks/image-nav/task.js";
import { ObjectNavTask } from "../../tasks/objectnav/task.js";
import { VLNTask } from "../../tasks/vln/task.js";
import { NavmeshSimulator } from "./navmesh-simulator.js";

function episode(more: Partial<EpisodeInit> & { from?: Vec3; headingRad?: number } = {}) {
  const { from = [-2, 0, 0], headingRad = 0, ...init } = more;
  return new BaseEpisode({
    episodeId: "1",
    taskType: "vln",
    sceneId: "rooms.obj",
    startState: { position: [...from], rotation: [...headingToQuatXyzw(headingRad)] },
    goals: { position: [2, 0, 0] },
    instruction: { text: "Go through the door." },
    ...init,
  });
}

function simulator(config: Readonly<Record<string, unknown>> = {}, task: BaseTask = new VLNTask()) {
  const scenes = sceneFolder({ "rooms.obj": objOf(TWO_ROOMS) });
  return new NavmeshSimulator({ task, config, scenes });
}

async function started(
  config: Readonly<Record<string, unknown>> = {},
  more: Parameters<typeof episode>[0] = {},
) {
  const sim = simulator(config);
  const first = await sim.reset(episode(more), { seed: 1 });
  return { sim, first };
}

const at = ({ state }: SimulatorFrame): Vec3 => state.position ?? [Number.NaN, 0, 0];

describe("NavmeshSimulator", () => {
  it("NavmeshSimulator moves 0.25 m ahead and turns by 15 degrees by default", async () => {
    const { sim, first } = await started();
    const ahead = sim.step("move_forward");
    expect(distance3(at(first), at(ahead))).toBeCloseTo(0.25, 5);
    expect(at(ahead)[2]).toBeCloseTo(-0.25, 5);
    expect(sim.step("turn_left").state.heading).toBeCloseTo(Math.PI / 12, 12);
    expect(sim.step("turn_right").state.heading).toBeCloseTo(0, 12);
  });

  it("NavmeshSimulator applies the configured forward_step and turn_angle", async () => {
    const { sim, first } = await started({ forward_step: 0.4, turn_angle: 30 });
    expect(distance3(at(first), at(sim.step("move_forward")))).toBeCloseTo(0.4, 5);
    expect(sim.step("turn_left").state.heading).toBeCloseTo(Math.PI / 6, 12);
  });

  it("NavmeshSimulator reports a collision for a move into a wall and never for a turn", async () => {
    const { sim } = await started({}, { headingRad: -Math.PI / 2 });
    const frames = Array.from({ length: 12 }, () => sim.step("move_forward"));
    const last = frames.at(-1) as SimulatorFrame;
    expect(frames[0]?.state.collided).toBe(false);
    expect(last.state.collided).toBe(true);
    // The wall's face is at x = -0.1 and the body's radius is 0.1 m.
    expect(at(last)[0]).toBeLessThanOrEqual(-0.15);
    expect(sim.step("turn_left").state.collided).toBe(false);
  });

  it("NavmeshSimulator slides along a wall, or stops at it if sliding is off", async () => {
    const towards = { from: [-0.5, 0, -1] as Vec3, headingRad: -Math.PI / 4 };
    const walk = async (sliding: boolean) => {
      const { sim } = await started({ sliding }, towards);
      for (let i = 0; i < 5; i++) sim.step("move_forward");
      return at(sim.step("move_forward"));
    };
    const [slid, stopped] = [await walk(true), await walk(false)];
    expect(slid[2]).toBeLessThan(-1.8);
    expect(stopped[2]).toBeGreaterThan(-1.5);
  });

  it("NavmeshSimulator measures the distance to the goal through the door, not through the wall", async () => {
    const { first, sim } = await started();
    const d = first.state.distance_to_goal ?? 0;
    expect(d).toBeGreaterThan(4.4);
    expect(d).toBeLessThan(4.8);
    expect(sim.step("stop").state.distance_to_goal).toBe(d);
  });

  it("NavmeshSimulator tilts the camera within limits without moving the robot", async () => {
    const { sim, first } = await started();
    for (let i = 0; i < 20; i++) sim.step("look_up");
    const up = sim.step("look_up");
    expect(up.state.camera_tilt).toBeCloseTo(Math.PI / 2, 12);
    expect(at(up)).toEqual(at(first));
  });

  it("NavmeshSimulator stays on the navmesh for any action sequence", async () => {
    const { sim } = await started();
    const names = ["move_forward", "turn_left", "turn_right"] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 80 }), async (actions) => {
        await sim.reset(episode(), { seed: 1 });
        for (const action of actions) {
          const [x, y, z] = at(sim.step(action));
          expect(Math.abs(x)).toBeLessThan(4);
          expect(Math.abs(z)).toBeLessThan(3);
          expect(Math.abs(y)).toBeLessThan(0.3);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("NavmeshSimulator repeats an episode bit for bit after a reset", async () => {
    const noise = { actuation_noise: { forward: 0.05, turn: 3 } };
    const { sim } = await started(noise);
    const walk = async () => {
      const frames = [await sim.reset(episode(), { seed: 5 })];
      for (let i = 0; i < 30; i++)
        frames.push(sim.step(i % 3 === 0 ? "turn_left" : "move_forward"));
      return JSON.stringify(frames.map(({ state }) => state));
    };
    expect(await walk()).toBe(await walk());
  });

  it("NavmeshSimulator applies actuation noise that depends on the seed", async () => {
    const { sim } = await started({ actuation_noise: { forward: 0.05, turn: 3 } });
    const end = async (seed: number) => {
      await sim.reset(episode(), { seed });
      sim.step("turn_left");
      return sim.step("move_forward").state;
    };
    const [one, two] = [await end(1), await end(2)];
    expect(one.heading).not.toBe(two.heading);
    expect(one.heading).not.toBeCloseTo(Math.PI / 12, 6);
  });

  it("NavmeshSimulator rejects an action that the navmesh simulator does not support", async () => {
    const { sim } = await started();
    expect(() => sim.step("goto:a")).toThrow("no action");
  });
});

describe("NavmeshSimulator velocity control", () => {
  it("NavmeshSimulator velocity control moves by speed times duration, clamped to the limits of the base", async () => {
    const task = new VLNTask({ action_space: "hybrid" });
    const sim = simulator({ velocity: { max_linear: 1, time_step: 0.5 } }, task);
    expect(sim.actionSpace.shape).toEqual([2]);
    const first = await sim.reset(episode(), { seed: 1 });
    const ahead = sim.step([0.5, 0]);
    expect(distance3(at(first), at(ahead))).toBeCloseTo(0.25, 5);
    expect(distance3(at(ahead), at(sim.step([50, 0])))).toBeCloseTo(0.5, 5);
    expect(sim.step([0, 1]).state.heading).toBeCloseTo(0.5, 12);
    expect(sim.step("stop").state.collided).toBe(false);
  });
});

describe("a NavmeshSimulator observation", () => {
  it("an observation contains exactly the configured sensors", async () => {
    const { first } = await started({ sensors: { gps: {}, rgb: { width: 32, height: 24 } } });
    expect(Object.keys(first.observation).sort()).toEqual(["gps", "rgb"]);
  });

  it("an observation contains the default sensors of the task if none are configured", async () => {
    const { first } = await started();
    expect(Object.keys(first.observation).sort()).toEqual([
      "compass",
      "depth",
      "gps",
      "instruction",
      "rgb",
    ]);
  });

  it("missingSensors lists unsupported sensors", () => {
    expect(simulator({ sensors: { lidar: {}, gps: {} } }).missingSensors).toEqual(["lidar"]);
  });

  it("a depth image has the distances of the wall ahead and of the floor below", async () => {
    const { first } = await started(
      { sensors: { depth: { width: 65, height: 65 }, rgb: { width: 65, height: 65 } } },
      { headingRad: -Math.PI / 2 },
    );
    const { depth, rgb } = first.observation;
    if (!isImage(depth) || !isImage(rgb)) throw new Error("no images");
    expect(depth.data[32 * 65 + 32]).toBeCloseTo(1.9, 2);
    expect(rgb.data).toHaveLength(65 * 65 * 3);
  });

  it("an image that is read later shows the state of its own step", async () => {
    const { sim, first } = await started({ sensors: { depth: { width: 9, height: 9 } } });
    sim.step("move_forward");
    const late = first.observation.depth;
    const fresh = (await sim.reset(episode(), { seed: 1 })).observation.depth;
    expect(late).toEqual(fresh);
  });

  it("gps and compass are relative to the start pose", async () => {
    const { sim } = await started({}, { headingRad: Math.PI / 2 });
    const { gps, compass } = sim.step("move_forward").observation as {
      gps: number[];
      compass: number[];
    };
    expect(gps[0]).toBeCloseTo(0, 5);
    expect(gps[2]).toBeCloseTo(-0.25, 5);
    expect(compass[0]).toBeCloseTo(0, 12);
  });

  it("a semantic image numbers the visible objects and separates the building from background", async () => {
    const semantic = { width: 9, height: 9, ids: "instance" };
    const { first } = await started(
      { sensors: { semantic } },
      { from: [-2, 0, 1], headingRad: (3 * Math.PI) / 4 },
    );
    const image = first.observation.semantic;
    if (!isImage(image)) throw new Error("no image");
    // The view leaves a room without outer walls: sky above, floor below.
    expect(image.data[4]).toBe(0xffff);
    expect(image.data[8 * 9 + 4]).toBeLessThan(4);
  });

  it("an observation has each camera with a custom name, rendered by its own settings", async () => {
    const left = { type: "depth", width: 9, height: 9, yaw: 90 };
    const { first } = await started({ sensors: { left } }, { headingRad: Math.PI });
    const image = first.observation.left;
    // Facing backwards, the wall at x = -0.1 is to the left.
    if (!isImage(image)) throw new Error("no image");
    expect(image.data[4 * 9 + 4]).toBeCloseTo(1.9, 2);
  });

  it("sensor noise depends only on the episode seed", async () => {
    const sensors = { depth: { width: 9, height: 9, noise: 0.1 }, gps: { noise: 0.5 } };
    const { sim } = await started({ sensors });
    const look = async (seed: number) => {
      const { observation } = await sim.reset(episode(), { seed });
      return JSON.stringify([observation.gps, observation.depth]);
    };
    expect(await look(3)).toBe(await look(3));
    expect(await look(3)).not.toBe(await look(4));
  });

  it("an observation contains the category for ObjectNav and the goal image for ImageNav", async () => {
    const object = simulator({}, new ObjectNavTask());
    const chair = episode({ goals: { object_category: "chair", view_points: [[2, 0, 0]] } });
    expect((await object.reset(chair, { seed: 1 })).observation.objectgoal).toBe("chair");

    const sensors = { imagegoal: { width: 16, height: 12 } };
    const goalImage = async (seed: number, episodeId: string) => {
      const sim = simulator({ sensors }, new ImageNavTask());
      const { observation } = await sim.reset(episode({ episodeId }), { seed });
      return observation.imagegoal;
    };
    const one = await goalImage(1, "a");
    expect(isImage(one) && one.data.length).toBe(16 * 12 * 3);
    expect(await goalImage(2, "a")).toEqual(one);
    expect(await goalImage(1, "b")).not.toEqual(one);
  });
});

describe("NavmeshSimulator reset", () => {
  const rejection = async (more: Parameters<typeof episode>[0]) =>
    simulator()
      .reset(episode(more), { seed: 1 })
      .then(
        () => undefined,
        (error: unknown) => error,
      );

  it("NavmeshSimulator rejects a start off the navmesh", async () => {
    expect(await rejection({ from: [9, 0, 9] })).toMatchObject({ code: "start_off_mesh" });
    expect(await rejection({ from: [-2, 2, 0] })).toMatchObject({ code: "start_off_mesh" });
  });

  it("NavmeshSimulator rejects an episode without a goal or without a start", async () => {
    expect(await rejection({ goals: {} })).toMatchObject({ code: "no_goal" });
    expect(await rejection({ startState: {} })).toMatchObject({ code: "no_start" });
  });

  it("NavmeshSimulator rejects an episode whose scene is missing or not a scene file", async () => {
    expect(await rejection({ sceneId: "missing.obj" })).toMatchObject({ code: "missing_scene" });
    expect(await rejection({ sceneId: "apartment/x" })).toMatchObject({ name: "DataError" });
  });

  it("NavmeshSimulator accepts a valid episode after a rejected one", async () => {
    const sim = simulator();
    await expect(sim.reset(episode({ goals: {} }), { seed: 1 })).rejects.toThrow();
    expect((await sim.reset(episode(), { seed: 1 })).state.collided).toBe(false);
  });
});

describe("NavmeshSimulator configuration", () => {
  it.each([
    [{ sensors: { rgb: { width: 100_000 } } }, "simulator.sensors.rgb.width"],
    [{ forward_step: -1 }, "simulator.forward_step"],
    [{ agent: { radius: 0 } }, "simulator.agent.radius"],
    [{ geodesic: "crow" }, "simulator.geodesic"],
    [
      { geodesic: "exact" },
      'simulator.geodesic: "exact" was removed in version 0.2: remove this key',
    ],
  ])(
    "NavmeshSimulator rejects the invalid setting %j before the first episode",
    (config, place) => {
      expect(() => simulator(config)).toThrow(place);
    },
  );
});
