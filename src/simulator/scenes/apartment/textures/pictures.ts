import type { Random } from "../../../../core/math/random.js";
import type { Texture } from "../../model.js";
import type { Rgb } from "../mesh/builder.js";
import { type Canvas, hex, mix, noise, texture } from "./canvas.js";

/** Images with their own colours: paintings, screens, rugs, books. */

type Painter = (canvas: Canvas, w: number, h: number, random: Random) => void;

const PAINTERS: readonly Painter[] = [
  // Sunset over the sea.
  (canvas, w, h) => {
    canvas.each((_, y) =>
      y < h * 0.6
        ? mix(hex("#3b4a7a"), hex("#f6a35c"), y / (h * 0.6))
        : mix(hex("#c9704f"), hex("#1e2f52"), (y - h * 0.6) / (h * 0.4)),
    );
    canvas.ellipse(w * 0.62, h * 0.5, w * 0.09, w * 0.09, hex("#ffe9a8"));
    for (let i = 0; i < 6; i++) {
      const y = h * (0.64 + 0.05 * i);
      canvas.rect(w * (0.56 - 0.02 * i), y, w * (0.68 + 0.02 * i), y + 2, hex("#ffd58a"));
    }
  },
  // Mountains.
  (canvas, w, h, random) => {
    const ridges = [0.35, 0.52, 0.7].map((base, k) => ({
      base,
      line: noise(random, 5 + 2 * k, 1),
      tone: [hex("#9db4c8"), hex("#5d7f93"), hex("#2f4f4a")][k] ?? hex("#2f4f4a"),
    }));
    canvas.each((x, y) => {
      let c = mix(hex("#bfe0f2"), hex("#fdf3dc"), y / h);
      for (const { base, line, tone } of ridges) {
        if (y > h * (base + 0.22 * (line(x / w, 0) - 0.5))) c = tone;
      }
      return c;
    });
  },
  // Colour fields with black outlines.
  (canvas, w, h) => {
    canvas.rect(0, 0, w, h, hex("#f4f0e4"));
    canvas.rect(0, 0, w * 0.38, h * 0.55, hex("#c8352b"));
    canvas.rect(w * 0.7, h * 0.6, w, h, hex("#2450a4"));
    canvas.rect(w * 0.38, h * 0.78, w * 0.7, h, hex("#f0c93a"));
    for (const x of [0.38, 0.7]) canvas.rect(w * x - 2, 0, w * x + 2, h, hex("#181818"));
    for (const y of [0.55, 0.78]) canvas.rect(0, h * y - 2, w, h * y + 2, hex("#181818"));
  },
  // Poppies.
  (canvas, w, h, random) => {
    canvas.each((_, y) => mix(hex("#e9eddc"), hex("#8fae78"), y / h));
    for (let i = 0; i < 16; i++) {
      const [x, y] = [w * random.uniform(), h * (0.3 + 0.6 * random.uniform())];
      canvas.rect(x - 1, y, x + 1, h, hex("#4f7a45"));
      canvas.ellipse(x, y, 7, 6, mix(hex("#d8432e"), hex("#f2876b"), random.uniform()));
      canvas.ellipse(x, y, 2, 2, hex("#2b1b17"));
    }
  },
  // Round shapes.
  (canvas, w, h) => {
    canvas.rect(0, 0, w, h, hex("#efe3d0"));
    canvas.ellipse(w * 0.38, h * 0.42, w * 0.25, w * 0.25, hex("#d98b5f"));
    canvas.ellipse(w * 0.62, h * 0.58, w * 0.2, w * 0.2, hex("#2f5d62"));
    canvas.ellipse(w * 0.5, h * 0.75, w * 0.12, w * 0.12, hex("#e6b85c"));
  },
  // A face from a distance.
  (canvas, w, h) => {
    canvas.each((_, y) => mix(hex("#3d3a33"), hex("#6b5a45"), y / h));
    canvas.ellipse(w * 0.5, h * 1.05, w * 0.36, h * 0.4, hex("#5b1f2a"));
    canvas.ellipse(w * 0.5, h * 0.4, w * 0.2, h * 0.24, hex("#2a1a14"));
    canvas.ellipse(w * 0.5, h * 0.44, w * 0.15, h * 0.2, hex("#d9a984"));
    canvas.ellipse(w * 0.44, h * 0.42, 2.5, 2, hex("#2a1a14"));
    canvas.ellipse(w * 0.56, h * 0.42, 2.5, 2, hex("#2a1a14"));
    canvas.rect(w * 0.46, h * 0.54, w * 0.54, h * 0.555, hex("#9c4a42"));
  },
  // Blue and gold brush strokes.
  (canvas, w, h, random) => {
    const [flow, tone] = [noise(random, 4, 9), noise(random, 6, 18)];
    canvas.each((x, y) => {
      const t = flow(x / w, y / h);
      const c = mix(hex("#16305c"), hex("#6fa8d6"), tone(x / w, y / h));
      return t > 0.66 ? mix(hex("#e9b949"), hex("#fff2c6"), tone(y / h, x / w)) : c;
    });
  },
];

export const PAINTING_COUNT = PAINTERS.length;

export function painting(which: number): Texture {
  return texture(`painting/${which}`, 96, 96, (canvas, random) => {
    PAINTERS[which]?.(canvas, canvas.width, canvas.height, random);
  });
}

const BOOKS: readonly string[] = [
  "#7b2d26",
  "#1f3b57",
  "#3c5a3e",
  "#c9a24b",
  "#e8e0cf",
  "#5a3d5c",
  "#a94f2d",
  "#2b2b30",
  "#8aa0a8",
  "#d8c3a5",
];

/** A row of book spines on a shelf, with the back of the shelf above them. */
export function books(which: 0 | 1 | 2): Texture {
  return texture(`books/${which}`, 128, 64, (canvas, random) => {
    canvas.rect(0, 0, 128, 64, [0.16, 0.13, 0.11]);
    for (let x = 0; x < 128; ) {
      const thick = 4 + random.below(7);
      const top = 6 + random.below(18);
      const c = hex(random.pick(BOOKS));
      if (random.uniform() < 0.93) {
        canvas.rect(x, top, x + thick, 64, c);
        canvas.rect(x + thick - 1, top, x + thick, 64, mix(c, [0, 0, 0], 0.45));
        canvas.rect(x, top + 6, x + thick - 1, top + 9, mix(c, [1, 0.9, 0.6], 0.5));
        canvas.rect(x, 56, x + thick - 1, 58, mix(c, [1, 0.9, 0.6], 0.4));
      }
      x += thick;
    }
  });
}

export type RugPattern = "border" | "stripes" | "medallion" | "lattice" | "plain";
export const RUGS: readonly RugPattern[] = ["border", "stripes", "medallion", "lattice", "plain"];

/** A whole rug; its light parts take the material's colour, its dark parts stay dark. */
export function rug(pattern: RugPattern): Texture {
  return texture(`rug/${pattern}`, 96, 128, (canvas, random) => {
    const { width: w, height: h } = canvas;
    canvas.each((x, y) => {
      const grain = 0.05 * (random.uniform() - 0.5);
      const rim = Math.min(x, y, w - 1 - x, h - 1 - y);
      const [u, v] = [x / w - 0.5, y / h - 0.5];
      let c: Rgb = [0.95, 0.95, 0.95];
      if (pattern === "border" || pattern === "medallion") {
        if (rim < 3 || (rim > 9 && rim < 12)) c = [0.42, 0.4, 0.42];
        else if (rim <= 9) c = [0.72, 0.7, 0.68];
      }
      if (pattern === "medallion") {
        const d = Math.abs(u) * 1.6 + Math.abs(v) * 1.2;
        if (d < 0.1) c = [0.98, 0.9, 0.72];
        else if (d < 0.22) c = [0.5, 0.46, 0.48];
        else if (d < 0.34) c = [0.8, 0.76, 0.7];
        else if (rim > 12 && (x * 3 + y * 5) % 23 < 3) c = [0.75, 0.7, 0.66];
      }
      if (pattern === "stripes") {
        const band = Math.floor(y / 10) % 4;
        c = band === 0 ? [0.5, 0.5, 0.53] : band === 2 ? [0.78, 0.76, 0.74] : c;
      }
      if (pattern === "lattice") {
        const d = Math.abs((x % 24) - 12) + Math.abs((y % 32) - 16) * 0.75;
        if (Math.abs(d - 12) < 1.8) c = [0.52, 0.5, 0.5];
      }
      return [c[0] + grain, c[1] + grain, c[2] + grain];
    });
  });
}

export type Screen = "landscape" | "news" | "desktop" | "game";
export const SCREENS: readonly Screen[] = ["landscape", "news", "desktop", "game"];

export function screen(shown: Screen): Texture {
  return texture(`screen/${shown}`, 128, 72, (canvas, random) => {
    const { width: w, height: h } = canvas;
    if (shown === "landscape") {
      const hills = noise(random, 6, 1);
      canvas.each((x, y) => {
        const top = h * (0.55 + 0.25 * (hills(x / w, 0) - 0.5));
        return y < top
          ? mix(hex("#3d8fe0"), hex("#d8efff"), y / top)
          : mix(hex("#5fb64a"), hex("#1f5d2c"), (y - top) / (h - top));
      });
      canvas.ellipse(w * 0.8, h * 0.2, 8, 8, hex("#fff6c0"));
    } else if (shown === "news") {
      canvas.each((x) => mix(hex("#123a7c"), hex("#2f7fd0"), x / w));
      canvas.ellipse(w * 0.36, h * 0.9, 24, 30, hex("#22262e"));
      canvas.ellipse(w * 0.36, h * 0.42, 11, 14, hex("#e2b08c"));
      canvas.ellipse(w * 0.36, h * 0.3, 12, 8, hex("#3a2418"));
      canvas.rect(w * 0.58, h * 0.14, w * 0.94, h * 0.58, hex("#d7e6f7"));
      canvas.rect(0, h * 0.8, w, h, hex("#b3161b"));
      canvas.rect(w * 0.05, h * 0.85, w * 0.8, h * 0.93, hex("#ffffff"));
    } else if (shown === "game") {
      canvas.each((x, y) =>
        (Math.floor(x / 8) + Math.floor(y / 8)) % 2 ? hex("#1b1440") : hex("#2c1f66"),
      );
      canvas.rect(0, h * 0.8, w, h, hex("#2fbf71"));
      canvas.rect(w * 0.2, h * 0.55, w * 0.45, h * 0.62, hex("#f2b134"));
      canvas.rect(w * 0.6, h * 0.35, w * 0.85, h * 0.42, hex("#f2b134"));
      canvas.rect(w * 0.3, h * 0.4, w * 0.35, h * 0.55, hex("#ed553b"));
    } else {
      canvas.rect(0, 0, w, h, hex("#20262e"));
      canvas.rect(0, 0, w, 5, hex("#3a4450"));
      for (let y = 10; y < h - 4; y += 5) {
        let x = 6 + 6 * random.below(3);
        for (let n = 1 + random.below(4); n > 0 && x < w * 0.7; n--) {
          const wide = 6 + random.below(20);
          const ink = random.pick(["#7fd1b9", "#e0c46c", "#8ab4f8", "#d0d4da"]);
          canvas.rect(x, y, x + wide, y + 2, hex(ink));
          x += wide + 3;
        }
      }
      canvas.rect(w * 0.76, 9, w - 3, h - 4, hex("#2d3743"));
    }
  });
}
