import { expect } from "vitest";
import type { SceneModel } from "../model.js";
import { generateApartment } from "./apartment.js";

const CELL_M = 0.05;
/** In cells: a robot with a radius of 0.1 m, plus one cell. */
const INFLATE = 3;

interface Floor {
  readonly free: Uint8Array;
  readonly nx: number;
  readonly index: (x: number, z: number) => number;
}

/** Floor cells without obstacles within 0.15 m between knee and head height, computed from the triangles. */
function freeFloor(model: SceneModel): Floor {
  const wall = model.instances[0];
  const [x0, z0] = [(wall?.min[0] ?? 0) - 0.3, (wall?.min[2] ?? 0) - 0.3];
  const nx = Math.ceil(((wall?.max[0] ?? 0) + 0.3 - x0) / CELL_M);
  const nz = Math.ceil(((wall?.max[2] ?? 0) + 0.3 - z0) / CELL_M);
  const free = new Uint8Array(nx * nz);
  const blocks: (readonly [number, number, number, number])[] = [];
  for (const { mesh, instance } of model.parts) {
    const floor = model.instances[instance]?.category === "floor";
    const { positions: p, indices } = mesh;
    for (let t = 0; t < indices.length; t += 3) {
      const a = 3 * (indices[t] as number);
      const b = 3 * (indices[t + 1] as number);
      const c = 3 * (indices[t + 2] as number);
      const at = (i: number) => p[i] as number;
      const lowY = Math.min(at(a + 1), at(b + 1), at(c + 1));
      const highY = Math.max(at(a + 1), at(b + 1), at(c + 1));
      if (!floor && (highY < 0.21 || lowY > 1.5)) continue;
      const i0 = Math.floor((Math.min(at(a), at(b), at(c)) - x0) / CELL_M);
      const i1 = Math.floor((Math.max(at(a), at(b), at(c)) - x0 - 1e-6) / CELL_M);
      const j0 = Math.floor((Math.min(at(a + 2), at(b + 2), at(c + 2)) - z0) / CELL_M);
      const j1 = Math.floor((Math.max(at(a + 2), at(b + 2), at(c + 2)) - z0 - 1e-6) / CELL_M);
      if (!floor) blocks.push([i0 - INFLATE, i1 + INFLATE, j0 - INFLATE, j1 + INFLATE]);
      else for (let j = j0; j <= j1; j++) free.fill(1, j * nx + i0, j * nx + i1 + 1);
    }
  }
  for (const [i0, i1, j0, j1] of blocks) {
    for (let j = Math.max(0, j0); j <= Math.min(nz - 1, j1); j++) {
      free.fill(0, j * nx + Math.max(0, i0), j * nx + Math.min(nx, i1 + 1));
    }
  }
  const index = (x: number, z: number) =>
    Math.floor((z - z0) / CELL_M) * nx + Math.floor((x - x0) / CELL_M);
  return { free, nx, index };
}

function flood({ free, nx }: Floor, from: number): Uint8Array {
  const seen = new Uint8Array(free.length);
  const queue = new Int32Array(free.length);
  queue[0] = from;
  seen[from] = 1;
  let end = 1;
  for (let at = 0; at < end; at++) {
    for (const step of [-1, 1, 0 - nx, nx]) {
      const j = (queue[at] as number) + step;
      if (seen[j] || !free[j]) continue;
      seen[j] = 1;
      queue[end++] = j;
    }
  }
  return seen;
}

const total = (cells: Uint8Array): number => cells.reduce((sum, cell) => sum + cell, 0);

/** Expects the apartment's floor to be one connected area that reaches every door and every room. */
export function expectOneFloor(seed: number): void {
  const model = generateApartment(seed);
  const floor = freeFloor(model);
  const [door] = model.doors;
  expect(door).toBeDefined();
  if (!door) return;
  const seen = flood(floor, floor.index(door.position[0], door.position[2]));
  for (const { position, rooms } of model.doors) {
    expect(seen[floor.index(position[0], position[2])], `${model.id} ${rooms.join(" - ")}`).toBe(1);
  }
  expect(total(seen) / total(floor.free), model.id).toBeGreaterThan(0.97);
}
