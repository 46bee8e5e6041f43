import { afterEach, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import { mergeNeeds, type Need } from "../../../core/rules/needs.js";
import { worldMjcf } from "../mjcf/compose.js";
import { Physics } from "../physics/physics.js";
import { PhysicsScene } from "../visual/scene.js";
import type { ManipulationWorld } from "../world/world.js";
import { FactReader } from "./read.js";
import { objectSpec, worldWith } from "./world.fixture.js";

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

const EPISODE = new BaseEpisode({ episodeId: "e1", taskType: "rearrange", sceneId: "tabletop" });

/** After some physics steps. */
async function factsOf(
  world: ManipulationWorld,
  needs: readonly Need[],
  { steps = 0, drawn = true }: { readonly steps?: number; readonly drawn?: boolean } = {},
) {
  const physics = await Physics.create(worldMjcf(world, { drawn }));
  open.push(physics);
  physics.step(steps);
  return new FactReader(physics, world, mergeNeeds(needs), EPISODE).read();
}

/** On the table, whose top is at 0.7 m, in the head camera's image. */
const CUP = objectSpec("cup", {
  shape: "cup",
  sizeM: [0.08, 0.08, 0.1],
  position: [0.2, -0.8, 0.75],
});
/** Between it and the camera, and larger. */
const SCREEN = objectSpec("screen", { sizeM: [0.3, 0.02, 0.6], position: [0.2, -0.7, 1] });

const view = (object: string): Need => ({ view: object, camera: "head" });

describe("a view fact", () => {
  it("a view fact is nearly whole for an object in the open", async () => {
    const { views } = await factsOf(worldWith([CUP]), [view("cup")]);
    expect(views?.head?.cup?.share).toBeGreaterThan(0.95);
    expect(views?.head?.cup?.image_share).toBeGreaterThan(0.001);
    expect(views?.head?.cup?.image_share).toBeLessThan(0.1);
  });

  it("a view fact is zero behind a screen and outside the image", async () => {
    const behind = objectSpec("behind", { position: [0, 3, 0.05] });
    const { views } = await factsOf(worldWith([CUP, SCREEN, behind]), [
      view("cup"),
      view("screen"),
      view("behind"),
    ]);
    expect(views?.head?.cup?.share).toBeLessThan(0.05);
    expect(views?.head?.screen?.share).toBeGreaterThan(0.5);
    expect(views?.head?.behind).toEqual({ share: 0, image_share: 0 });
  });

  it("a view fact agrees with the rendered semantic image", async () => {
    const world = worldWith([CUP, SCREEN]);
    const physics = await Physics.create(worldMjcf(world));
    open.push(physics);
    const scene = new PhysicsScene(physics, world.look, { headCamera: "head" });
    const size = { width: 320, height: 240 };
    const { ids } = scene.render("head", size, { rgb: false, depth: false, ids: true });
    const needs = ["screen", "table"].map(view);
    const { views } = new FactReader(physics, world, mergeNeeds(needs), EPISODE).read();
    for (const name of ["screen", "table"]) {
      const body = physics.bodies().findIndex((one) => one.name === name);
      const pixels = ids?.reduce((count, id) => count + (id === body ? 1 : 0), 0) ?? 0;
      const rendered = pixels / (size.width * size.height);
      const share = views?.head?.[name]?.image_share;
      expect(share, name).toBeGreaterThan(0.8 * rendered);
      expect(share, name).toBeLessThan(1.25 * rendered);
    }
  });

  it("a view fact does not depend on whether images are drawn", async () => {
    const world = worldWith([CUP, SCREEN]);
    const needs = [view("cup"), view("table")];
    const drawn = await factsOf(world, needs);
    expect(await factsOf(world, needs, { drawn: false })).toEqual(drawn);
  });
});

describe("a touch fact", () => {
  it("a touch fact names what an object stands on with the direction of the contact", async () => {
    const upper = objectSpec("upper", { position: [0.2, -0.8, 0.85] });
    const lower = objectSpec("lower", { position: [0.2, -0.8, 0.75] });
    const { objects } = await factsOf(
      worldWith([upper, lower]),
      [
        { object: "upper", aspect: "touches" },
        { object: "lower", aspect: "touches" },
      ],
      { steps: 500 },
    );
    expect(objects?.upper?.touches).toEqual({ lower: 1 });
    expect(objects?.lower?.touches).toEqual({ table: 1, upper: -1 });
  });

  it("a touch fact is empty in the air", async () => {
    const ball = objectSpec("ball", { position: [0.2, -0.8, 1.5] });
    const { objects } = await factsOf(worldWith([ball]), [{ object: "ball", aspect: "touches" }]);
    expect(objects?.ball?.touches).toEqual({});
  });
});

describe("a fixed body in a rule", () => {
  it("a fixed body in a rule has its bounding box among the constant facts", async () => {
    const { things } = await factsOf(worldWith([]), [{ object: "table", aspect: "pose" }]);
    expect(things?.table).toMatchObject({ shape: "box", rotation_wxyz: [1, 0, 0, 0] });
    expect(things?.table?.size_m?.[0]).toBeCloseTo(1, 6);
    expect(things?.table?.size_m?.[2]).toBeCloseTo(0.7, 6);
    expect(things?.table?.position?.[2]).toBeCloseTo(0.35, 6);
  });

  it("a fixed body in a rule may not be a part of the robot", async () => {
    const reading = factsOf(worldWith([]), [{ object: "link_lift", aspect: "pose" }]);
    await expect(reading).rejects.toThrow('no object "link_lift"');
  });
});

describe("the collision fact", () => {
  it("the collision fact is zero for a robot that stands free, and positive for one inside the table", async () => {
    const free = worldWith([]);
    expect((await factsOf(free, [{ collisions: true }], { steps: 10 })).collision_n).toBe(0);
    const inside: ManipulationWorld = {
      ...free,
      table: { position: [0, 0.2, 0.7], yawRad: 0, sizeM: [1, 0.6, 0.04] },
    };
    const { collision_n } = await factsOf(inside, [{ collisions: true }], { steps: 1 });
    expect(collision_n).toBeGreaterThan(1);
  });
});
