import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../core/math/random.js";
import type { QuatXyzw } from "../../../core/math/rotation.js";
import { scale, type Vec3 } from "../../../core/math/vec3.js";
import { mjcfText } from "../../../core/mjcf/element.js";
import { joinFragments } from "../../../core/mjcf/fragment.js";
import { COMPILER } from "../mjcf/compose.js";
import { loadMujoco } from "../physics/mujoco.js";
import { fromScene } from "../visual/axes.js";
import { leaseApartment } from "./apartment-world.js";

type Leased = Awaited<ReturnType<typeof leaseApartment>>;

const SEED = 101;
/** A visible surface may be this far from the one that is touched. */
const TOLERANCE_M = 0.02;
/** Higher solids are left out. */
const REACHED_M = 1.75;

let leased: Leased;
/** Distance of the first solid along a unit direction in the scene's axes; Infinity if there is none. */
let touch: (from: Vec3, direction: Vec3) => number;
let dispose: () => void;

beforeAll(async () => {
  leased = await leaseApartment(`apartment/${SEED}`);
  const mujoco = await loadMujoco();
  const text = mjcfText(joinFragments("solids", [COMPILER], [leased.apartment.fragment]));
  const model = mujoco.MjModel.from_xml_string(text);
  const data = new mujoco.MjData(model);
  mujoco.mj_forward(model, data);
  const hit = new mujoco.IntBuffer(1);
  const groups = [1, 1, 1, 1, 1, 1];
  touch = (from, direction) => {
    const [at, along] = [[...fromScene(from)], [...fromScene(direction)]];
    const distance = mujoco.mj_ray(model, data, at, along, groups, true, -1, hit, null);
    return distance < 0 ? Number.POSITIVE_INFINITY : distance;
  };
  dispose = () => {
    hit.delete();
    data.delete();
    model.delete();
    leased.scene.release();
  };
});

afterAll(() => dispose());

describe("the collision geometry of an apartment", () => {
  it("the collision geometry of an apartment is where cameras see surfaces, and never behind them", () => {
    const { navMesh } = leased.apartment;
    const random = new Random(1);
    let [rays, early, late] = [0, 0, 0];
    for (let place = 0; place < 20; place++) {
      const [x, , z] = navMesh.randomPoint(random);
      for (const height of [0.3, 0.8, 1.3]) {
        const yaw = 2 * Math.PI * random.uniform();
        for (const { seenM, direction } of view([x, height, z], yaw, -0.6 * random.uniform())) {
          if (height + seenM * direction[1] > REACHED_M) continue;
          const touchedM = touch([x, height, z], direction);
          rays++;
          if (touchedM > seenM + TOLERANCE_M) late++;
          if (touchedM < seenM - TOLERANCE_M) early++;
        }
      }
    }
    expect(rays).toBeGreaterThan(4000);
    // Nothing that is seen lets a robot through.
    expect(late).toBe(0);
    // Hollows of pots and folds of curtains are filled.
    expect(early / rays).toBeLessThan(0.005);
  });

  it("the collision geometry of an apartment leaves every doorway open", () => {
    const { doors } = leased.apartment.model;
    expect(doors.length).toBeGreaterThan(3);
    for (const {
      position: [x, , z],
      rooms,
    } of doors) {
      for (const height of [0.1, 0.6, 1.1, 1.6]) {
        const ways = (
          [
            [1, 0, 0],
            [0, 0, 1],
          ] as const
        ).map((along) =>
          Math.min(
            touch([x - 0.3 * along[0], height, z - 0.3 * along[2]], along),
            touch([x + 0.3 * along[0], height, z + 0.3 * along[2]], scale(along, -1)),
          ),
        );
        expect(Math.max(...ways), `${rooms.join(" - ")} at ${height} m`).toBeGreaterThan(0.6);
      }
    }
  });

  it("the collision geometry of an apartment leaves room for knees under tables", () => {
    const tables = leased.apartment.model.instances.filter(
      ({ category, max }) => category === "table" && max[1] > 0.7,
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const { name, min, max } of tables) {
      const rays = [0.2, 0.35, 0.5, 0.65, 0.8].flatMap((u) =>
        [0.3, 0.5, 0.7].map((v) => {
          const x = min[0] + u * (max[0] - min[0]);
          const z = min[2] + v * (max[2] - min[2]);
          return touch([x, 0.3, z], [0, 1, 0]);
        }),
      );
      // The lowest board is at 0.63 m, and a round table stands on a column.
      const free = rays.filter((distance) => distance > 0.32 && distance < 0.46);
      expect(free.length / rays.length, name).toBeGreaterThanOrEqual(0.8);
    }
  });
});

/** What a camera at a place sees: the distance along the ray of every 16th pixel. */
function view(position: Vec3, yaw: number, pitch: number) {
  const { renderer } = leased.scene;
  const [width, height, hfovDeg] = [64, 48, 80];
  const rotation = turned(yaw, pitch);
  const camera = { width, height, hfovDeg, position, rotation };
  const { depth = new Float32Array() } = renderer.render(camera, { depth: true });
  const wide = Math.tan((hfovDeg * Math.PI) / 360);
  const rays: { readonly seenM: number; readonly direction: Vec3 }[] = [];
  for (let v = 2; v < height; v += 4) {
    for (let u = 2; u < width; u += 4) {
      const x = (2 * (u + 0.5)) / width - 1;
      const y = 1 - (2 * (v + 0.5)) / height;
      const ray: Vec3 = [x * wide, (y * wide * height) / width, -1];
      const length = Math.hypot(...ray);
      const seenM = (depth[v * width + u] ?? 0) * length;
      rays.push({ seenM, direction: rotated(rotation, scale(ray, 1 / length)) });
    }
  }
  return rays;
}

/** Turned to the left by `yaw`, then tilted up by `pitch`. */
function turned(yaw: number, pitch: number): QuatXyzw {
  const [sy, cy] = [Math.sin(yaw / 2), Math.cos(yaw / 2)];
  const [sp, cp] = [Math.sin(pitch / 2), Math.cos(pitch / 2)];
  return [sp * cy, cp * sy, -sp * sy, cp * cy];
}

function rotated([x, y, z, w]: QuatXyzw, [px, py, pz]: Vec3): Vec3 {
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  return [
    px + w * tx + y * tz - z * ty,
    py + w * ty + z * tx - x * tz,
    pz + w * tz + x * ty - y * tx,
  ];
}
