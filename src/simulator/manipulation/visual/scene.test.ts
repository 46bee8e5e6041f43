import sharp from "sharp";
import { afterEach, describe, expect, it } from "vitest";
import type { Frame } from "../../render/renderer.js";
import { Physics } from "../physics/physics.js";
import type { LookSpec } from "../world/world.js";
import type { DrawnPhysics } from "./geom.js";
import { PhysicsScene } from "./scene.js";

const LOOK: LookSpec = {
  table: [1, 1, 1],
  floor: [1, 1, 1],
  wall: [1, 1, 1],
  camera: { offsetM: [0, 0, 0], panDeg: 0, tiltDeg: 0 },
  light: { intensity: 1, color: [1, 1, 1] },
};

const SIZE = { width: 65, height: 49 };
const MIDDLE = 24 * 65 + 32;

/** At the origin, looking along +x with z up: y is to its left. */
const CAMERA = `<camera name="head" xyaxes="0 -1 0 0 0 1" fovy="60"/>
  <camera name="wrist" xyaxes="0 -1 0 0 0 1" fovy="60"/>`;

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

async function physicsOf(
  world: string,
  { asset = "", files = {} }: { asset?: string; files?: Record<string, Uint8Array> } = {},
): Promise<Physics> {
  const physics = await Physics.create(
    `<mujoco><asset>${asset}</asset><worldbody>${CAMERA}${world}</worldbody></mujoco>`,
    { files },
  );
  open.push(physics);
  return physics;
}

const OUTPUTS = { rgb: true, depth: true, ids: true };

function rgbAt({ rgb }: Frame, at = MIDDLE): readonly [number, number, number] {
  return [rgb?.[at * 3] ?? -1, rgb?.[at * 3 + 1] ?? -1, rgb?.[at * 3 + 2] ?? -1];
}

/** Centroid of the pixels of one body. */
function centreOf({ ids, width }: Frame, id: number): { x: number; y: number; count: number } {
  let [x, y, count] = [0, 0, 0];
  ids?.forEach((value, at) => {
    if (value !== id) return;
    x += at % width;
    y += Math.floor(at / width);
    count++;
  });
  return { x: x / count, y: y / count, count };
}

describe("PhysicsScene", () => {
  it.each([
    ["sphere", `size="0.2"`, 0.2],
    ["box", `size="0.2 0.3 0.4"`, 0.2],
    ["ellipsoid", `size="0.2 0.3 0.4"`, 0.2],
    ["cylinder", `size="0.2 0.4"`, 0.2],
    ["capsule", `size="0.2 0.4"`, 0.2],
  ])(
    "PhysicsScene renders a %s with its distance, colour and body id",
    async (type, size, half) => {
      const physics = await physicsOf(
        `<body name="thing" pos="2 0 0"><geom type="${type}" ${size} rgba="0.9 0.1 0.1 1"/></body>`,
      );
      const scene = new PhysicsScene(physics, LOOK);
      const frame = scene.render("head", SIZE, OUTPUTS);
      // Round shapes are drawn with flat facets, which lie slightly inside.
      expect(frame.depth?.[MIDDLE]).toBeGreaterThanOrEqual(2 - half - 1e-6);
      expect(frame.depth?.[MIDDLE]).toBeLessThan(2 - half + 0.01);
      const [r, g, b] = rgbAt(frame);
      expect(r).toBeGreaterThan(4 * Math.max(g, b));
      expect(scene.instances[frame.ids?.[MIDDLE] ?? -1]).toBe("thing");
      expect(frame.ids?.[0]).toBe(0);
    },
  );

  it("PhysicsScene projects left, right, up and down to the pixels of a pinhole camera", async () => {
    const physics = await physicsOf(`
      <body name="left" pos="2 0.5 0"><geom type="sphere" size="0.05"/></body>
      <body name="up" pos="2 0 0.7"><geom type="sphere" size="0.05"/></body>`);
    const scene = new PhysicsScene(physics, LOOK);
    const frame = scene.render("head", { width: 640, height: 480 }, OUTPUTS);
    const focalPx = 240 / Math.tan(Math.PI / 6);
    const left = centreOf(frame, scene.instances.indexOf("left"));
    const up = centreOf(frame, scene.instances.indexOf("up"));
    expect(Math.abs(left.x + 0.5 - (320 - (focalPx * 0.5) / 2))).toBeLessThan(1);
    expect(Math.abs(left.y + 0.5 - 240)).toBeLessThan(1);
    expect(Math.abs(up.y + 0.5 - (240 - (focalPx * 0.7) / 2))).toBeLessThan(1);
  });

  it("PhysicsScene follows moving bodies, and is identical to the byte if nothing moves", async () => {
    const physics = await physicsOf(
      `<body name="ball" pos="2 0 0.3"><freejoint/><geom size="0.1"/></body>`,
    );
    const scene = new PhysicsScene(physics, LOOK);
    const first = scene.render("head", SIZE, OUTPUTS);
    expect(scene.render("head", SIZE, OUTPUTS)).toEqual(first);
    physics.step(100);
    const second = scene.render("head", SIZE, OUTPUTS);
    const id = scene.instances.indexOf("ball");
    expect(centreOf(second, id).y).toBeGreaterThan(centreOf(first, id).y + 2);
    expect(new PhysicsScene(physics, LOOK).render("head", SIZE, OUTPUTS)).toEqual(second);
  });

  it("PhysicsScene hides collision geoms, also of a body that has no others", async () => {
    const physics = await physicsOf(`
      <body name="dressed" pos="2 0 0">
        <geom size="0.05" group="2"/><geom type="box" size="0.3 0.3 0.3" group="3"/>
      </body>
      <body name="bare" pos="2 0 0.7"><geom size="0.1" group="3"/></body>`);
    const scene = new PhysicsScene(physics, LOOK);
    const frame = scene.render("head", SIZE, OUTPUTS);
    expect(frame.depth?.[MIDDLE]).toBeGreaterThan(1.9);
    expect(centreOf(frame, scene.instances.indexOf("bare")).count).toBe(0);
  });

  it("PhysicsScene draws a checkerboard on a floor without a texture", async () => {
    const physics = await physicsOf(
      `<geom type="plane" size="4 4 0.5" pos="2 0 -0.5" rgba="0.6 0.6 0.6 1"/>`,
    );
    const { rgb } = new PhysicsScene(physics, LOOK).render("head", SIZE, OUTPUTS);
    const row = Array.from({ length: SIZE.width }, (_, x) => rgb?.[(40 * SIZE.width + x) * 3] ?? 0);
    expect(Math.min(...row)).toBeLessThan(0.9 * Math.max(...row));
  });

  it("PhysicsScene renders the texture of a mesh the right way up", async () => {
    const colors = [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
    ].flat();
    const png = await sharp(Uint8Array.from(colors), { raw: { width: 2, height: 2, channels: 3 } })
      .png()
      .toBuffer();
    // A board that faces the camera. In OBJ files v points up: (0, 1) is the upper left corner of the image.
    const obj = [
      "v 0 0.5 -0.5\nv 0 -0.5 -0.5\nv 0 -0.5 0.5\nv 0 0.5 0.5\nv 0.1 0 0",
      "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1",
      "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\nf 2/2 1/1 5/1\nf 3/3 2/2 5/1\nf 4/4 3/3 5/1\nf 1/1 4/4 5/1",
    ].join("\n");
    const physics = await physicsOf(
      `<geom name="board" type="mesh" mesh="board" material="painted" pos="1.5 0 0"/>`,
      {
        asset: `<texture name="four" type="2d" file="four.png"/>
          <material name="painted" texture="four"/><mesh name="board" file="board.obj"/>`,
        files: { "four.png": png, "board.obj": new TextEncoder().encode(obj) },
      },
    );
    const frame = new PhysicsScene(physics, LOOK).render("head", SIZE, OUTPUTS);
    const colorAt = (x: number, y: number) =>
      rgbAt(frame, y * SIZE.width + x)
        .map((value) => (value > 120 ? 1 : 0))
        .join("");
    expect([colorAt(28, 20), colorAt(36, 20), colorAt(28, 28), colorAt(36, 28)]).toEqual([
      "100",
      "010",
      "001",
      "111",
    ]);
  });
});

describe("the LookSpec of a scene", () => {
  const BALL = `<body name="ball" pos="2 0 0"><geom size="0.3" rgba="0.8 0.8 0.8 1"/></body>`;

  it("the LookSpec of a scene applies the intensity and colour of the light", async () => {
    const physics = await physicsOf(BALL);
    const under = (light: LookSpec["light"]) =>
      rgbAt(new PhysicsScene(physics, { ...LOOK, light }).render("head", SIZE, OUTPUTS));
    const [r, g, b] = under(LOOK.light);
    const [halfR] = under({ intensity: 0.5, color: [1, 1, 1] });
    expect(Math.abs(halfR - r / 2)).toBeLessThan(2);
    const [warmR, warmG, warmB] = under({ intensity: 1, color: [1, 0.8, 0.5] });
    expect(Math.abs(warmR - r)).toBeLessThan(2);
    expect(Math.abs(warmG - 0.8 * g)).toBeLessThan(2);
    expect(Math.abs(warmB - 0.5 * b)).toBeLessThan(2);
  });

  it("the LookSpec of a scene moves the head camera and no other", async () => {
    const physics = await physicsOf(BALL);
    const camera = { offsetM: [0.2, 0, 0] as const, panDeg: 0, tiltDeg: 0 };
    const scene = new PhysicsScene(physics, { ...LOOK, camera });
    const id = scene.instances.indexOf("ball");
    const x = (name: string) => centreOf(scene.render(name, SIZE, OUTPUTS), id).x;
    expect(x("wrist")).toBeCloseTo(32, 6);
    expect(x("head")).toBeLessThan(29);
    const other = new PhysicsScene(physics, { ...LOOK, camera }, { headCamera: "wrist" });
    expect(centreOf(other.render("wrist", SIZE, OUTPUTS), id).x).toBeLessThan(29);
  });
});

describe("a scene whose physics has diverged", () => {
  it("a scene whose physics has diverged keeps bodies without a finite pose at their last one", async () => {
    const physics = await physicsOf(`<body name="ball" pos="2 0 0"><geom size="0.3"/></body>`);
    let lost = false;
    const drawn: DrawnPhysics = {
      geoms: () => physics.geoms(),
      geomPose: (index) =>
        lost
          ? { position: [Number.NaN, 0, 0], rotation_wxyz: [1, 0, 0, 0] }
          : physics.geomPose(index),
      camera: (name) => physics.camera(name),
    };
    const scene = new PhysicsScene(drawn, LOOK);
    const before = scene.render("head", SIZE, OUTPUTS);
    lost = true;
    expect(scene.render("head", SIZE, OUTPUTS)).toEqual(before);
  });
});
