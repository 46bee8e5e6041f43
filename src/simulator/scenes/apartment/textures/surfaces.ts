import type { Texture } from "../../model.js";
import { noise, texture } from "./canvas.js";

/**
 * Surfaces of floors, walls and furniture. All are nearly white, so that the material's colour sets the tone,
 * and low in contrast, so that they do not flicker in small images.
 */

/** Floorboards along u with staggered rows. Covers 1.6 m. */
export function planks(rows: 6 | 10): Texture {
  return texture(`planks/${rows}`, 256, 256, (canvas, random) => {
    const grain = noise(random, 4, 64);
    const fine = noise(random, 16, 128);
    const boards = Array.from({ length: rows }, () => ({
      cut: random.uniform(),
      tones: [0.82 + 0.18 * random.uniform(), 0.82 + 0.18 * random.uniform()],
      shift: random.uniform(),
    }));
    const size = 256 / rows;
    canvas.each((x, y) => {
      const row = Math.min(rows - 1, Math.floor(y / size));
      const board = boards[row];
      if (!board) return 1;
      const u = x / 256;
      const from = (u - board.cut + 1) % 1;
      const half = from < 0.5 ? 0 : 1;
      const edge = Math.min(y - row * size, (row + 1) * size - y) < 0.8;
      const joint = Math.min(from % 0.5, 0.5 - (from % 0.5)) < 0.004;
      const tone = (board.tones[half] ?? 1) + 0.1 * (grain(u + board.shift, y / 256) - 0.5);
      const light = tone + 0.06 * (fine(u, y / 256) - 0.5);
      const dark = edge || joint ? 0.62 : 1;
      return [light * dark, light * dark * 0.985, light * dark * 0.96];
    });
  });
}

/** Short boards in pairs of rotated squares. Covers 1.2 m. */
export function parquet(): Texture {
  return texture("parquet", 256, 256, (canvas, random) => {
    const grain = noise(random, 48);
    const tones = Array.from({ length: 64 }, () => 0.8 + 0.2 * random.uniform());
    canvas.each((x, y) => {
      const [i, j] = [Math.floor(x / 64), Math.floor(y / 64)];
      const turned = (i + j) % 2 === 1;
      const [a, c] = turned ? [y % 64, x % 64] : [x % 64, y % 64];
      const strip = Math.floor(c / 16);
      const tone = tones[(j * 4 + i) * 4 + strip] ?? 1;
      const edge = c % 16 === 0 || a === 0;
      const light = (tone + 0.08 * (grain(x / 256, y / 256) - 0.5)) * (edge ? 0.7 : 1);
      return [light, light * 0.98, light * 0.95];
    });
  });
}

/** Square tiles with grout, `across` per texture; the tones of a chequer alternate. */
export function tiles(across: number, look: "plain" | "chequer" | "mottled"): Texture {
  return texture(`tiles/${across}/${look}`, 128, 128, (canvas, random) => {
    const size = 128 / across;
    const tones = Array.from({ length: across * across }, () => 0.95 + 0.05 * random.uniform());
    const cloud = noise(random, 10);
    canvas.each((x, y) => {
      const [i, j] = [Math.floor(x / size), Math.floor(y / size)];
      const [a, c] = [x - i * size, y - j * size];
      if (a < 1.4 || c < 1.4) return [0.66, 0.65, 0.63];
      const dark = look === "chequer" && (i + j) % 2 === 1 ? 0.42 : 1;
      const spots = look === "mottled" ? 0.22 * (cloud(x / 128, y / 128) - 0.5) : 0;
      const rim = a < 3 || c < 3 ? 1.03 : 1;
      return ((tones[j * across + i] ?? 1) + spots) * dark * rim;
    });
  });
}

/** Wall tiles in a running bond, twice as wide as high. Covers 0.6 m. */
export function subwayTiles(): Texture {
  return texture("subway", 128, 128, (canvas, random) => {
    const tones = Array.from({ length: 64 }, () => 0.94 + 0.06 * random.uniform());
    canvas.each((x, y) => {
      const j = Math.floor(y / 16);
      const sx = (x + (j % 2) * 16) % 128;
      const i = Math.floor(sx / 32);
      if (y % 16 < 1 || sx % 32 < 1) return 0.74;
      return (tones[j * 4 + i] ?? 1) * (y % 16 < 3 ? 1.04 : 1);
    });
  });
}

export function bricks(): Texture {
  return texture("bricks", 128, 128, (canvas, random) => {
    const tones = Array.from({ length: 64 }, () => 0.72 + 0.28 * random.uniform());
    const rough = noise(random, 40);
    canvas.each((x, y) => {
      const j = Math.floor(y / 16);
      const sx = (x + (j % 2) * 16) % 128;
      const i = Math.floor(sx / 32);
      if (y % 16 < 2 || sx % 32 < 2) return [0.86, 0.88, 0.9];
      return (tones[j * 4 + i] ?? 1) + 0.14 * (rough(x / 128, y / 128) - 0.5);
    });
  });
}

export function carpet(): Texture {
  return texture("carpet", 128, 128, (canvas, random) => {
    const soft = noise(random, 12);
    canvas.each(
      (x, y) => 0.9 + 0.08 * (soft(x / 128, y / 128) - 0.5) + 0.1 * (random.uniform() - 0.5),
    );
  });
}

export function plaster(): Texture {
  return texture("plaster", 128, 128, (canvas, random) => {
    const [broad, fine] = [noise(random, 6), noise(random, 40)];
    canvas.each((x, y) => {
      const [u, v] = [x / 128, y / 128];
      return 0.97 + 0.035 * (broad(u, v) - 0.5) + 0.03 * (fine(u, v) - 0.5);
    });
  });
}

export function wallpaper(pattern: "stripes" | "diamonds" | "dots" | "leaves"): Texture {
  return texture(`wallpaper/${pattern}`, 128, 128, (canvas) => {
    canvas.each((x, y) => {
      if (pattern === "stripes") return x % 32 < 16 ? 0.98 : x % 32 === 16 ? 0.93 : 0.87;
      if (pattern === "dots") {
        const [a, c] = [(x % 32) - 16, ((y + (Math.floor(x / 32) % 2) * 16) % 32) - 16];
        return a * a + c * c < 22 ? 0.8 : 0.97;
      }
      if (pattern === "diamonds") {
        const d = Math.abs((x % 32) - 16) + Math.abs((y % 32) - 16);
        return Math.abs(d - 16) < 1.6 ? 0.82 : d < 3 ? 0.8 : 0.97;
      }
      const stem = 64 + 14 * Math.sin((2 * Math.PI * y) / 128);
      const leaf = Math.abs((x % 64) - (stem % 64));
      const blade = Math.sin((2 * Math.PI * (y + (x < 64 ? 0 : 16))) / 32);
      return leaf < 1.2 || (leaf < 13 && blade > 0.55 + leaf * 0.03) ? 0.84 : 0.97;
    });
  });
}

export function fabric(): Texture {
  return texture("fabric", 64, 64, (canvas, random) => {
    canvas.each((x, y) => {
      const over = (Math.floor(x / 2) + Math.floor(y / 2)) % 2 === 0;
      return (over ? 0.97 : 0.88) + 0.05 * (random.uniform() - 0.5);
    });
  });
}

export function marble(): Texture {
  return texture("marble", 128, 128, (canvas, random) => {
    const [a, c, d] = [noise(random, 3), noise(random, 7), noise(random, 17)];
    canvas.each((x, y) => {
      const [u, v] = [x / 128, y / 128];
      const flow = a(u, v) + 0.5 * c(u, v) + 0.25 * d(u, v);
      const vein = Math.abs(Math.sin(flow * 9));
      return 0.97 - 0.25 * (1 - vein) ** 5 - 0.05 * c(u, v);
    });
  });
}

/** Furniture wood with the grain along u. Covers 0.8 m. */
export function wood(): Texture {
  return texture("wood", 128, 128, (canvas, random) => {
    const [bend, rings, fine] = [noise(random, 3, 5), noise(random, 3, 24), noise(random, 12, 96)];
    canvas.each((x, y) => {
      const [u, v] = [x / 128, y / 128];
      const w = v + 0.04 * bend(u, v);
      const light = 0.9 + 0.16 * (rings(u, w) - 0.5) + 0.09 * (fine(u, w) - 0.5);
      return [light, light * 0.985, light * 0.965];
    });
  });
}
