import { afterEach, describe, expect, it } from "vitest";
import { Physics } from "../physics/physics.js";
import { LOOKS } from "./mujoco-looks.fixture.js";
import { MujocoScene } from "./mujoco-scene.js";

const SIZE = { width: 64, height: 64 };
/** Rounding of Mesa's fixed-point texture filter and of single precision. */
const TOLERANCE = 2;

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

async function physicsOf(xml: string): Promise<Physics> {
  const physics = await Physics.create(xml);
  open.push(physics);
  return physics;
}

function at(data: ArrayLike<number>, column: number, row: number, width = 1): number[] {
  const first = (row * SIZE.width + column) * width;
  return Array.from({ length: width }, (_, k) => data[first + k] ?? -1);
}

describe("a MuJoCo scene, against MuJoCo's own renderer", () => {
  for (const { title, xml, pixels } of LOOKS) {
    it(title, async () => {
      const scene = new MujocoScene(await physicsOf(xml));
      const { rgb = new Uint8Array() } = scene.render("c", SIZE, { rgb: true });
      const off = pixels.filter(([column, row, ...colour]) =>
        at(rgb, column, row, 3).some((value, k) => Math.abs(value - (colour[k] ?? 0)) > TOLERANCE),
      );
      expect(off.map(([column, row]) => [column, row, ...at(rgb, column, row, 3)])).toEqual([]);
    });
  }
});

const GROUPS = `<mujoco><worldbody>
  <camera name="c" pos="0 0 2"/>
  <body name="shell"><geom name="visual" type="sphere" size=".3" group="1"/></body>
  <body name="core" pos=".5 0 0"><geom name="hull" type="sphere" size=".3" group="0"/></body>
  <body name="ghost" pos="-.5 0 0"><geom name="limit" type="sphere" size=".3" group="3"/></body>
  <body name="glass" pos="0 .55 0"><geom name="pane" type="sphere" size=".2" rgba="1 1 1 .2"/></body>
  <body name="air" pos="0 -.55 0"><geom name="nothing" type="sphere" size=".2" rgba="1 1 1 0"/></body>
  <body name="tip" pos="-.5 -.5 0"><site name="mark" size=".1" group="2"/></body>
</worldbody></mujoco>`;

describe("what a MuJoCo scene shows", () => {
  const outputs = { depth: true, ids: true, geoms: true };

  it("a MuJoCo scene shows the groups 0 to 2 by default: hidden geoms are no stand-ins for bodies without visible ones", async () => {
    const scene = new MujocoScene(await physicsOf(GROUPS));
    const { geoms = [], ids = [] } = scene.render("c", SIZE, outputs);
    expect(new Set(geoms)).toEqual(new Set([-1, 0, 1, 3, -2]));
    const seen = [...new Set(ids)].map((id) => scene.instances[id]);
    expect(seen.sort()).toEqual(["core", "glass", "shell", "world"]);
  });

  it("a MuJoCo scene shows the given groups of geoms and sites", async () => {
    const physics = await physicsOf(GROUPS);
    const scene = new MujocoScene(physics, { geomGroups: [1], siteGroups: [] });
    expect(new Set(scene.render("c", SIZE, outputs).geoms)).toEqual(new Set([-1, 0]));
  });

  it("what a MuJoCo scene shows includes transparent geoms in segmentation and in the depth of mujoco.Renderer", async () => {
    const scene = new MujocoScene(await physicsOf(GROUPS));
    const { geoms = new Int32Array(), depth = [] } = scene.render("c", SIZE, outputs);
    expect(depth[geoms.indexOf(3)]).toBeCloseTo(1.9, 1);
    expect(at(geoms, 32, 32)).toEqual([0]);
    expect(at(depth, 32, 32)[0]).toBeCloseTo(1.7, 2);
  });

  it("a MuJoCo scene leaves transparent geoms out of the depth of colour images, but not out of segmentation", async () => {
    const scene = new MujocoScene(await physicsOf(GROUPS), { transparentDepth: false });
    const { geoms = new Int32Array(), depth = [] } = scene.render("c", SIZE, outputs);
    expect(depth[geoms.indexOf(3)]).toBe(0);
    expect(at(depth, 32, 32)[0]).toBeCloseTo(1.7, 2);
  });

  it("a MuJoCo scene shows the last one of coplanar geoms, also if an earlier one is transparent", async () => {
    const box = (rgba: string) => `<geom type="box" size=".3 .3 .1" rgba="${rgba}"/>`;
    const xml = `<mujoco><worldbody><camera name="c" pos="0 0 2"/>
      ${box("1 0 0 .5")}${box("0 1 0 1")}</worldbody></mujoco>`;
    const scene = new MujocoScene(await physicsOf(xml));
    expect(at(scene.render("c", SIZE, { geoms: true }).geoms ?? [], 32, 32)).toEqual([1]);
  });

  it("a MuJoCo scene changes in brightness and colour with the factors of the light", async () => {
    const physics = await physicsOf(GROUPS);
    const bright = new MujocoScene(physics).render("c", SIZE, { rgb: true }).rgb ?? [];
    const light = { intensity: 0.5, color: [1, 1, 0] as const };
    const dim = new MujocoScene(physics, { light }).render("c", SIZE, { rgb: true }).rgb ?? [];
    const [red = 0, , blue] = at(dim, 30, 34, 3);
    expect(red).toBeCloseTo((at(bright, 30, 34, 3)[0] ?? 0) / 2, -0.5);
    expect(blue).toBe(0);
  });

  it("a MuJoCo scene applies the head camera offset to no other camera", async () => {
    const physics = await physicsOf(GROUPS);
    const camera = { offsetM: [0.5, 0, 0] as const, panDeg: 0, tiltDeg: 0 };
    const depthOf = (headCamera: string) =>
      new MujocoScene(physics, { camera, headCamera }).render("c", SIZE, { geoms: true }).geoms;
    expect(at(depthOf("other") ?? [], 32, 32)).toEqual([0]);
    expect(at(depthOf("c") ?? [], 32, 32)).toEqual([1]);
  });

  it("a MuJoCo scene is identical to the byte if nothing moves", async () => {
    const [look] = LOOKS;
    const physics = await physicsOf(look?.xml ?? "");
    const scene = new MujocoScene(physics);
    const first = scene.render("c", SIZE, { rgb: true, geoms: true });
    scene.render("c", { width: 32, height: 24 }, { rgb: true });
    expect(scene.render("c", SIZE, { rgb: true, geoms: true })).toEqual(first);
    expect(new MujocoScene(physics).render("c", SIZE, { rgb: true, geoms: true })).toEqual(first);
  });
});
