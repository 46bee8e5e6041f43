import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hash53 } from "../../../../core/math/hash.js";
import { Random } from "../../../../core/math/random.js";
import type { Texture } from "../../model.js";
import type { Rgb } from "../mesh/builder.js";

/** An image to draw on; colours are sRGB, 0 to 1. */
export class Canvas {
  readonly data: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.data = new Uint8Array(width * height * 4).fill(255);
  }

  set(x: number, y: number, r: number, g: number, b: number): void {
    const i = (y * this.width + x) * 4;
    this.data[i] = byte(r);
    this.data[i + 1] = byte(g);
    this.data[i + 2] = byte(b);
  }

  /** Sets every pixel to a grey level or colour computed from its position. */
  each(paint: (x: number, y: number) => number | Rgb): void {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const c = paint(x, y);
        if (typeof c === "number") this.set(x, y, c, c, c);
        else this.set(x, y, c[0], c[1], c[2]);
      }
    }
  }

  /** Fills a rectangle given in pixels, clipped to the image. */
  rect(x0: number, y0: number, x1: number, y1: number, c: Rgb): void {
    for (let y = Math.max(0, Math.round(y0)); y < Math.min(this.height, Math.round(y1)); y++) {
      for (let x = Math.max(0, Math.round(x0)); x < Math.min(this.width, Math.round(x1)); x++) {
        this.set(x, y, c[0], c[1], c[2]);
      }
    }
  }

  ellipse(cx: number, cy: number, rx: number, ry: number, c: Rgb): void {
    for (let y = Math.floor(cy - ry); y <= cy + ry; y++) {
      for (let x = Math.floor(cx - rx); x <= cx + rx; x++) {
        const [dx, dy] = [(x - cx) / rx, (y - cy) / ry];
        if (dx * dx + dy * dy > 1 || x < 0 || y < 0 || x >= this.width || y >= this.height)
          continue;
        this.set(x, y, c[0], c[1], c[2]);
      }
    }
  }
}

function byte(x: number): number {
  return x <= 0 ? 0 : x >= 1 ? 255 : Math.round(x * 255);
}

/**
 * Textures as files of raw pixels (r, g, b, a), which `scripts/build.mjs` draws into `dist/textures`. Drawing
 * the textures of the first apartment takes a third of its generation time. If the files are missing, as in
 * `src/`, textures are drawn on first use.
 */
const FOLDER = fileURLToPath(new URL("../../../../textures", import.meta.url));

/** Undefined if the file is missing or has a different size. */
function readTexture(name: string, bytes: number): Uint8Array | undefined {
  let data: Buffer;
  try {
    data = readFileSync(join(FOLDER, `${name}.rgba`));
  } catch {
    return undefined;
  }
  // Returns a Uint8Array: `slice` of a Buffer shares memory, while that of other arrays copies.
  return data.length === bytes
    ? new Uint8Array(data.buffer, data.byteOffset, data.length)
    : undefined;
}

const painted = new Map<string, Texture>();

/**
 * Reads or draws the texture of that name once per process: apartments share textures and get their colours
 * from materials. Textures are never evicted, so names must come from the small set in `all.ts`.
 */
export function texture(
  name: string,
  width: number,
  height: number,
  paint: (canvas: Canvas, random: Random) => void,
): Texture {
  const known = painted.get(name);
  if (known) return known;
  let data = readTexture(name, width * height * 4);
  if (!data) {
    const canvas = new Canvas(width, height);
    paint(canvas, new Random(hash53(`texture/${name}`)));
    data = canvas.data;
  }
  const made: Texture = { width, height, data };
  painted.set(name, made);
  return made;
}

/** All textures created so far, by name. */
export function madeTextures(): ReadonlyMap<string, Texture> {
  return painted;
}

/** Smooth noise in 0..1 over the unit square that repeats in both directions. */
export function noise(
  random: Random,
  cellsX: number,
  cellsY = cellsX,
): (u: number, v: number) => number {
  const lattice = Float64Array.from({ length: cellsX * cellsY }, () => random.uniform());
  const at = (i: number, j: number) => lattice[(j % cellsY) * cellsX + (i % cellsX)] as number;
  return (u, v) => {
    const [x, y] = [(u - Math.floor(u)) * cellsX, (v - Math.floor(v)) * cellsY];
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [fade(x - i), fade(y - j)];
    const top = at(i, j) + fx * (at(i + 1, j) - at(i, j));
    const bottom = at(i, j + 1) + fx * (at(i + 1, j + 1) - at(i, j + 1));
    return top + fy * (bottom - top);
  };
}

function fade(t: number): number {
  return t * t * (3 - 2 * t);
}

export function mix(a: Rgb, b: Rgb, t: number): Rgb {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

export function hex(code: string): Rgb {
  const n = Number.parseInt(code.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}
