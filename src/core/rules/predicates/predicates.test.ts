import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { aboutAxis } from "../../math/quat-wxyz.js";
import { measured, type ObjectStep, type Observed, observed } from "../steps.fixture.js";
import { BUILT_IN_PREDICATES } from "./index.js";

const one = (step: ObjectStep) => observed({ objects: { a: step } });
const two = (a: ObjectStep, b: ObjectStep, contacts: readonly [string, string][] = []) =>
  observed({ objects: { a, b }, contacts });
const drawer = (opened: number, speed = 0) => observed({ fixtures: { d: { opened, speed } } });
const joint = (position: number) =>
  observed({
    more: { joints: { knob: { position } }, things: { knob: { range: [1, 3] } } },
  });

describe("the predicates", () => {
  it("the predicates have one file each", () => {
    const folder = new URL(".", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => basename(path))
      .filter((name) => /^(?!index\b)[^.]+\.ts$/.test(name));
    const names = BUILT_IN_PREDICATES.map(({ name }) => `${name.replaceAll("_", "-")}.ts`);
    expect(names.sort()).toEqual(files.sort());
  });

  it("near: measures the distance to a point or an object along the given axes", () => {
    const params = { object: "a", within_m: 0.5 };
    const step = two({ position: [1, 2, 3] }, { position: [1, 5, 7] });
    const near = (more: object) => measured("near", { ...params, ...more }, step).value;
    expect(near({ target: "b" })).toBe(5);
    expect(near({ target: "b", axes: "xy" })).toBe(3);
    expect(near({ target: "b", axes: "z" })).toBe(4);
    expect(near({ target: [1, 2, 2] })).toBe(1);
    expect(near({ target: "b", weights: [0, 1, 0] })).toBe(3);
    expect(near({ target: "b", weights: [0, 0, 2] })).toBe(8);
  });

  it("in: measures the distance from the rotated box of the container", () => {
    const region = { center: [0, 0, 0.8], size: [0.2, 0.2, 0.2] };
    const inside = (position: readonly [number, number, number], within_m = 0) =>
      measured("in", { object: "a", region, within_m }, one({ position }));
    expect(inside([0.1, -0.1, 0.9])).toMatchObject({ value: 0, holds: true });
    expect(inside([0.15, 0, 0.8]).value).toBeCloseTo(0.05, 12);
    expect(inside([0.15, 0, 0.8], 0.06).holds).toBe(true);
    const turned = {
      position: [0, 0, 0] as const,
      rotation_wxyz: aboutAxis([1, 0, 0], Math.PI / 2),
    };
    const held = two({ position: [0, 0.045, 0] }, turned);
    expect(measured("in", { object: "a", container: "b" }, held).holds).toBe(true);
  });

  it("upright: measures the angle to the vertical", () => {
    const tilted = (deg: number) =>
      measured(
        "upright",
        { object: "a" },
        one({ rotation_wxyz: aboutAxis([0, 1, 0], (deg * Math.PI) / 180) }),
      );
    expect(tilted(14).holds).toBe(true);
    expect(tilted(90).value).toBeCloseTo(90, 9);
    expect(tilted(90).holds).toBe(false);
  });

  it("lifted: measures the height since the start, with held only while grasped", () => {
    const up = { lowestM: 0.875 };
    const lifted = (held: boolean, ...steps: readonly ObjectStep[]) =>
      measured("lifted", { object: "a", held }, ...steps.map(one)).value;
    expect(lifted(false, {}, up)).toBeCloseTo(0.125, 12);
    expect(lifted(true, {}, up)).toBe(0);
    const grip = { fingersN: [2, 2] } as const;
    expect(lifted(true, {}, grip, { ...up, ...grip })).toBeCloseTo(0.125, 12);
  });

  it("moved: measures the change of objects and fixtures since the start", () => {
    const steps = [one({ position: [0, 0, 0] }), one({ position: [0.3, 0, 0.4] })];
    expect(measured("moved", { object: "a" }, ...steps)).toMatchObject({ value: 0.5, holds: true });
    expect(measured("moved", { fixture: "d" }, drawer(0.25), drawer(0.5)).value).toBe(0.25);
  });

  it("open and closed: measure the share of the range, and hold at the threshold", () => {
    expect(measured("open", { fixture: "d" }, drawer(0.75)).holds).toBe(true);
    expect(measured("open", { fixture: "d" }, drawer(0.7499)).holds).toBe(false);
    expect(measured("closed", { fixture: "d" }, drawer(0.05)).holds).toBe(true);
    expect(measured("closed", { fixture: "d" }, drawer(0.06)).holds).toBe(false);
  });

  it("turned_on and turned_off: measure the share of the joint range", () => {
    expect(measured("turned_on", { joint: "knob" }, joint(2))).toMatchObject({
      value: 0.5,
      holds: true,
    });
    expect(measured("turned_on", { joint: "knob" }, joint(1.9)).holds).toBe(false);
    expect(measured("turned_off", { joint: "knob" }, joint(1.0625)).holds).toBe(true);
    expect(measured("turned_off", { joint: "knob" }, joint(1.2)).holds).toBe(false);
  });

  it("joint_at: compares the joint position itself", () => {
    const at = (bound: object) => measured("joint_at", { joint: "knob", ...bound }, joint(1.5));
    expect(at({ at_least: 1.5 })).toMatchObject({ value: 1.5, holds: true });
    expect(at({ at_least: 1.6 }).holds).toBe(false);
    expect(at({ at_most: 1.4 }).holds).toBe(false);
  });

  it("higher: compares the heights of two centres", () => {
    const step = two({ position: [0, 0, 0.9] }, { position: [5, 0, 0.9] });
    const holds = (by_m: number) =>
      measured("higher", { object: "a", base: "b", by_m }, step).holds;
    expect([holds(0), holds(0.01), holds(-0.01)]).toEqual([true, false, true]);
  });

  // From SiteObject.in_box and SiteObject.under of LIBERO, with a region of 0.2 x 0.1 x 0.04 m turned by 30 degrees.
  it.each([
    ["in", [0.061, 0.092, -0.029], true],
    ["in", [0.062, 0.092, -0.029], false],
    ["in", [0.061, 0.0935, 0], false],
    ["in", [0.061, 0.092, -0.031], false],
    ["in", [0.061, 0.092, 0.021], false],
    ["on", [0.08, -0.05, 0.016], true],
    ["on", [0.08, -0.11, 0.016], false],
    ["on", [0.08, -0.04, 0.014], false],
    ["on", [0.08, -0.04, 0.119], true],
    ["on", [0.08, -0.04, 0.121], false],
    ["on", [0.1, -0.02, 0.05], true],
    ["on", [0.1, 0.02, 0.05], false],
  ] as const)("libero_region: judges %s at %j as LIBERO does: %s", (relation, [x, y, z], holds) => {
    const step = two(
      { position: [0.5 + x, y - 0.2, 0.9 + z] },
      { position: [0.5, -0.2, 0.8], rotation_wxyz: aboutAxis([0, 0, 1], Math.PI / 9) },
    );
    const params = {
      ...{ object: "a", relation, body: "b", position: [0, 0, 0.1] },
      rotation_wxyz: aboutAxis([0, 0, 1], Math.PI / 18),
      half_size: [0.1, 0.05, 0.02],
    };
    expect(measured("libero_region", params, step).holds).toBe(holds);
  });

  it("touching, above and on_top: compare two objects", () => {
    const step = two({ position: [0, 0.03, 0.9] }, { position: [0, 0, 0.8] }, [["b", "a"]]);
    const pair = { object: "a", base: "b" };
    expect(measured("touching", pair, step).holds).toBe(true);
    expect(measured("touching", pair, two({}, {})).holds).toBe(false);
    expect(measured("above", pair, step)).toMatchObject({ value: 0.03, holds: true });
    expect(measured("above", pair, step).threshold).toBeCloseTo(0.055, 12);
    expect(measured("above", { ...pair, within_m: 0.02 }, step).holds).toBe(false);
    expect(measured("on_top", pair, step).value).toBeCloseTo(0, 12);
  });

  it("released: fails while a finger or another part of the robot touches the object", () => {
    const released = (step: ObjectStep) => measured("released", { object: "a" }, one(step)).value;
    expect(released({})).toBe(0);
    expect(released({ fingersN: [0.1, 0.2] })).toBe(2);
    expect(released({ robotTouches: true })).toBe(1);
  });

  it("at_rest: uses the speed limit of objects, drawers or doors", () => {
    const limit = (kind: "drawer" | "door") =>
      measured("at_rest", { fixture: "d" }, observed({ fixtures: { d: { kind } } })).threshold;
    expect([limit("drawer"), limit("door")]).toEqual([0.1, 1]);
    expect(measured("at_rest", { fixture: "d" }, drawer(0, -0.2)).value).toBe(0.2);
    expect(measured("at_rest", { object: "a", speed: 0.5 }, one({ speedMps: 0.4 })).holds).toBe(
      true,
    );
    expect(measured("not_turning", { object: "a" }, one({ turnRadps: 0.51 })).holds).toBe(false);
  });

  it("grasped, pulled and reached: measure forces, speed and distance", () => {
    const grip = one({ fingersN: [0.5, 0.6] });
    expect(measured("grasped", { object: "a" }, grip, grip)).toMatchObject({
      value: 0.5,
      holds: true,
    });
    expect(measured("grasped", { object: "a" }, grip).holds).toBe(false);
    expect(measured("reached", { object: "a", to: "centre" }, one({ reachM: 0.02 }))).toMatchObject(
      {
        value: expect.closeTo(0.05, 12),
      },
    );
    const hooked = observed({ fixtures: { d: { fingersN: [0, 0.5], speed: 0.02 } } });
    expect(measured("pulled", { fixture: "d" }, hooked).holds).toBe(true);
    expect(measured("reached", { object: "a" }, one({ reachM: 0.04 })).holds).toBe(true);
    const far = observed({ fixtures: { d: { reachM: 0.06 } } });
    expect(measured("reached", { fixture: "d" }, far).holds).toBe(false);
  });

  it("finger_contact: counts the fingers that touch, whatever their force", () => {
    const touched = (...fingersTouch: [boolean, boolean]) =>
      measured("finger_contact", { object: "a" }, one({ fingersTouch, fingersN: [0, 0] })).holds;
    expect([touched(true, true), touched(true, false)]).toEqual([true, false]);
  });

  it("robot_near measures horizontally, and visible reads the objects of the camera", () => {
    const step = observed({
      objects: { a: { position: [3, 4, 9] } },
      more: { robot: { position: [0, 0, 0] }, seen: { head: ["a"], wrist: [] } },
    });
    expect(measured("robot_near", { target: "a" }, step).value).toBe(5);
    expect(measured("robot_near", { target: [0.5, 0, 7] }, step).holds).toBe(true);
    expect(measured("visible", { object: "a" }, step).holds).toBe(true);
    expect(measured("visible", { object: "a", camera: "wrist" }, step).holds).toBe(false);
  });

  it("near and robot_near: measure to the bounding box with to: box", () => {
    const step = observed({
      objects: { a: { position: [3, 4, 9] }, b: { position: [0, 4, 2] } },
      sizeM: [2, 2, 2],
      more: { robot: { position: [0, 0, 0] } },
    });
    const box = { to: "box" };
    expect(measured("robot_near", { target: "b", ...box }, step).value).toBe(3);
    expect(measured("near", { object: "a", target: "b", axes: "xy", ...box }, step).value).toBe(2);
    expect(measured("near", { object: "a", target: "b", ...box }, step).value).toBeCloseTo(
      Math.hypot(2, 6),
      12,
    );
    expect(() => measured("near", { object: "a", target: [0, 0, 0], ...box }, step)).toThrow(
      "needs an object",
    );
  });

  it("the predicates use the constant pose of a body that cannot move", () => {
    const desk = { shape: "box", size_m: [2, 2, 1], position: [3, 0, 0.5] } as const;
    const step = observed({
      objects: { a: { position: [3, 0.5, 1.05] } },
      more: {
        robot: { position: [0, 0, 0] },
        things: {
          a: { shape: "box", size_m: [0.1, 0.1, 0.1] },
          desk: { ...desk, rotation_wxyz: [1, 0, 0, 0] },
        },
      },
    });
    expect(measured("on_top", { object: "a", base: "desk" }, step).value).toBeCloseTo(0, 12);
    expect(measured("robot_near", { target: "desk" }, step).value).toBe(3);
  });

  it("supported and clear: read what the object touches", () => {
    const touching = (touches: Readonly<Record<string, number>>) => one({ touches });
    const supported = (step: Observed) => measured("supported", { object: "a", base: "b" }, step);
    expect(supported(touching({ b: 1 })).holds).toBe(true);
    expect(supported(touching({ b: 0.1, floor: 1 })).holds).toBe(false);
    expect(supported(touching({ floor: 1 })).value).toBe(0);
    expect(measured("clear", { object: "a" }, touching({ b: -0.2, floor: 1 })).value).toBe(2);
    expect(measured("clear", { object: "a" }, touching({})).holds).toBe(true);
  });

  it("in_view, fills_image and collided: read the view and the force", () => {
    const step = observed({
      objects: { a: {} },
      more: { views: { head: { a: { share: 0.1, image_share: 0.0009 } } }, collision_n: 1 },
    });
    expect(measured("in_view", { object: "a" }, step).holds).toBe(true);
    expect(measured("in_view", { object: "a", share: 0.11 }, step).holds).toBe(false);
    expect(measured("fills_image", { object: "a" }, step)).toMatchObject({
      value: 0.0009,
      holds: false,
    });
    expect(measured("collided", {}, step).holds).toBe(true);
    expect(measured("collided", { force_n: 1.5 }, step).holds).toBe(false);
    expect(() => measured("in_view", { object: "a", camera: "wrist" }, step)).toThrow(
      'no view of camera "wrist"',
    );
  });

  it("reported_success and flag: read the report of the simulator", () => {
    const says = observed({ more: { reported: { success: true, object_placed: false } } });
    expect(measured("reported_success", {}, says).holds).toBe(true);
    expect(measured("flag", { flag: "object_placed" }, says).holds).toBe(false);
    expect(measured("flag", { flag: "object_lifted" }, says).holds).toBe(false);
  });
});
