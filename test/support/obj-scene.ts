import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Vec3 } from "../../src/core/math/vec3.js";
import type { SceneSource } from "../../src/core/scene/source.js";

export type Box = readonly [min: Vec3, max: Vec3];

/** Six faces, seen from outside. */
const FACES = [
  [0, 1, 3, 2],
  [4, 6, 7, 5],
  [0, 4, 5, 1],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 5, 7, 3],
];

/** Boxes as an OBJ file. */
export function objOf(boxes: readonly Box[]): string {
  const lines: string[] = [];
  for (const [i, [min, max]] of boxes.entries()) {
    lines.push(`o box_${i}`);
    for (let corner = 0; corner < 8; corner++) {
      const at = [corner & 4 ? max : min, corner & 2 ? max : min, corner & 1 ? max : min];
      lines.push(`v ${at[0]?.[0]} ${at[1]?.[1]} ${at[2]?.[2]}`);
    }
    for (const face of FACES) lines.push(`f ${face.map((v) => 8 * i + v + 1).join(" ")}`);
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Two rooms side by side, x from -4 to 4 and z from -3 to 3, with a wall at x = 0 and a door in it from
 * z = 1 to z = 2.
 */
export const TWO_ROOMS: readonly Box[] = [
  [
    [-4, -0.1, -3],
    [4, 0, 3],
  ],
  [
    [-0.1, 0, -3],
    [0.1, 2.5, 1],
  ],
  [
    [-0.1, 0, 2],
    [0.1, 2.5, 3],
  ],
];

/** A temporary scene folder; scene ids are the file names. */
export function sceneFolder(files: Readonly<Record<string, string | Uint8Array>>): SceneSource & {
  readonly dir: string;
} {
  const dir = mkdtempSync(join(tmpdir(), "robot-eval-scenes-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return { dir, locate: async (sceneId) => join(dir, sceneId) };
}
