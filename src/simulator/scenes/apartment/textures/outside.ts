import type { Texture } from "../../model.js";
import { hex, mix, noise, texture } from "./canvas.js";

export type View = "city" | "park" | "sea" | "suburb";
export const VIEWS: readonly View[] = ["city", "park", "sea", "suburb"];

/** The view through a window: sky above and a landscape below the horizon, at two thirds of the height. */
export function outside(view: View): Texture {
  return texture(`outside/${view}`, 128, 128, (canvas, random) => {
    const { width: w, height: h } = canvas;
    const horizon = h * 0.64;
    const [cloud, puff] = [noise(random, 4, 6), noise(random, 12, 14)];
    canvas.each((x, y) => {
      const sky = mix(hex("#6fb3ee"), hex("#e9f5ff"), Math.min(1, y / horizon));
      const c = cloud(x / w, y / h) + 0.4 * puff(x / w, y / h);
      return c > 0.85 ? mix(sky, [1, 1, 1], Math.min(0.75, (c - 0.85) * 3)) : sky;
    });
    if (view === "sea") {
      canvas.rect(0, horizon, w, h, hex("#2f7fa8"));
      for (let i = 0; i < 60; i++) {
        const [x, y] = [w * random.uniform(), horizon + (h - horizon) * random.uniform()];
        canvas.rect(x, y, x + 3 + 8 * random.uniform(), y + 1, hex("#7fc0d8"));
      }
      canvas.rect(0, h * 0.92, w, h, hex("#e3d3a0"));
    }
    if (view === "park") {
      canvas.rect(0, horizon, w, h, hex("#7fae57"));
      for (let i = 0; i < 26; i++) {
        const [x, y] = [w * random.uniform(), horizon + 4 + 22 * random.uniform()];
        const size = 6 + 9 * random.uniform();
        canvas.rect(x - 1, y, x + 1, y + size, hex("#5b4632"));
        canvas.ellipse(
          x,
          y - size * 0.3,
          size,
          size,
          mix(hex("#3f7a3a"), hex("#7db05a"), random.uniform()),
        );
      }
    }
    if (view === "city" || view === "suburb") {
      const far = view === "city";
      canvas.rect(0, horizon, w, h, far ? hex("#8a8f98") : hex("#86a865"));
      for (let i = 0; i < (far ? 22 : 9); i++) {
        const wide = far ? 7 + random.below(12) : 18 + random.below(14);
        const x = Math.round(w * random.uniform());
        const high = far ? 14 + random.below(48) : 14 + random.below(8);
        const foot = horizon + (far ? 6 + i : 6 + 4 * i);
        const walls = far
          ? ["#8fa3b8", "#a8b5c2", "#74879c", "#b9b2a8"]
          : ["#efe4d2", "#d9b99b", "#cfd6d8"];
        canvas.rect(x, foot - high, x + wide, h, hex(random.pick(walls)));
        if (!far) canvas.rect(x - 2, foot - high - 5, x + wide + 2, foot - high, hex("#9c4f3a"));
        for (let y = foot - high + 4; y < foot - 4; y += 6) {
          for (let a = x + 2; a < x + wide - 2; a += far ? 4 : 8) {
            canvas.rect(a, y, a + (far ? 2 : 4), y + 3, hex(far ? "#4f6378" : "#4a5a66"));
          }
        }
        if (!far) {
          canvas.ellipse(x - 5, foot, 6, 7, hex("#4f8a42"));
          canvas.rect(0, foot + 4, w, foot + 6, hex("#9bbf78"));
        }
      }
    }
  });
}
