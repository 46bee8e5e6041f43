import type { GlSurface } from "./scene.js";

const FREE = -1;

/** The same triangles with one vertex per position. Files often repeat a position for every face around it. */
export function sharedSurface({ positions, faces }: GlSurface): GlSurface {
  const bits = new Int32Array(positions.buffer, positions.byteOffset, positions.length);
  const mask = 2 ** Math.ceil(Math.log2(positions.length + 1)) - 1;
  /** A hash table of vertices, as numbers in the result. */
  const slots = new Int32Array(mask + 1).fill(FREE);
  const unique = new Int32Array(positions.length);
  const numbers = new Uint32Array(positions.length / 3);
  let count = 0;
  for (let v = 0, at = 0; v < numbers.length; v++, at += 3) {
    const x = bits[at] as number;
    const y = bits[at + 1] as number;
    const z = bits[at + 2] as number;
    const hash = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
      const known = 3 * (slots[slot] as number);
      if (unique[known] === x && unique[known + 1] === y && unique[known + 2] === z) break;
    }
    if (slots[slot] === FREE) {
      slots[slot] = count;
      unique[3 * count] = x;
      unique[3 * count + 1] = y;
      unique[3 * count + 2] = z;
      count++;
    }
    numbers[v] = slots[slot] as number;
  }
  return {
    positions: new Float32Array(unique.buffer.slice(0, 12 * count)),
    faces: faces.map((v) => numbers[v] as number),
  };
}
