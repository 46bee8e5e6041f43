import type { ColorImage, Image } from "../../core/interfaces/observation.js";

/** Depths from this distance on have the darkest shade. */
const FAR_M = 10;

/** Converts any image to colours for viewing: near depths are light, far ones dark; each id has a colour. */
export function toFalseColour(image: Image): ColorImage {
  if (image.kind === "rgb") return image;
  const { width, height } = image;
  const data = new Uint8Array(width * height * 3);
  const color: (value: number) => readonly [number, number, number] =
    image.kind === "depth" ? shade : memoised(colorOf);
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = color(image.data[i] as number);
    data[3 * i] = r;
    data[3 * i + 1] = g;
    data[3 * i + 2] = b;
  }
  return { kind: "rgb", width, height, data };
}

/** The background is black; the square root gives more shades to near depths. */
function shade(depthM: number): [number, number, number] {
  if (depthM === 0) return [0, 0, 0];
  const near = 1 - Math.sqrt(Math.min(1, depthM / FAR_M));
  return [30 + 225 * near, 30 + 225 * near, 60 + 195 * near];
}

/** Hues are a golden angle apart, so that consecutive numbers look different. */
function colorOf(id: number): [number, number, number] {
  if (id === 0) return [40, 40, 40];
  const hue = (id * 137.508) % 360;
  const light = 0.45 + 0.2 * ((id * 7) % 3) * 0.5;
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const swing = 0.6 * Math.min(light, 1 - light);
    return Math.round(255 * (light - swing * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function memoised<T>(of: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    let value = known.get(id);
    if (value === undefined) {
      value = of(id);
      known.set(id, value);
    }
    return value;
  };
}
