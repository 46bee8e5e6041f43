import { hash53 } from "../../../core/math/hash.js";
import { OBJECT_SHAPES, type ObjectShape } from "../world/world.js";

/** Other words for the shapes. */
const SYNONYMS: Readonly<Record<string, ObjectShape>> = {
  block: "box",
  cube: "box",
  brick: "box",
  carton: "box",
  can: "cylinder",
  tin: "cylinder",
  jar: "cylinder",
  mug: "cup",
  glass: "cup",
  tumbler: "cup",
  flask: "bottle",
  hex: "hexagon",
  prism: "hexagon",
  pill: "capsule",
};

type Color = readonly [r: number, g: number, b: number];

export const COLORS: Readonly<Record<string, Color>> = {
  red: [0.8, 0.14, 0.12],
  orange: [0.92, 0.49, 0.1],
  yellow: [0.92, 0.78, 0.16],
  green: [0.2, 0.6, 0.25],
  blue: [0.13, 0.32, 0.75],
  purple: [0.5, 0.25, 0.62],
  pink: [0.92, 0.5, 0.62],
  brown: [0.45, 0.3, 0.18],
  black: [0.12, 0.12, 0.13],
  gray: [0.5, 0.5, 0.5],
  grey: [0.5, 0.5, 0.5],
  white: [0.92, 0.92, 0.92],
};

/** Colours that contrast with tables and walls. */
const BRIGHT = ["red", "orange", "yellow", "green", "blue", "purple", "pink"].map(
  (name) => COLORS[name],
);

/** The shape in an object's name: `cup_red` is a cup. */
export function shapeInName(name: string): ObjectShape | undefined {
  for (const word of words(name)) {
    const shape = OBJECT_SHAPES.find((known) => known === word) ?? SYNONYMS[word];
    if (shape) return shape;
  }
  return undefined;
}

/** The colour in an object's name; otherwise a bright colour derived from the name's hash. */
export function colorInName(name: string): Color {
  for (const word of words(name)) {
    const color = COLORS[word];
    if (color) return color;
  }
  return BRIGHT[hash53(name) % BRIGHT.length] ?? [0.5, 0.5, 0.5];
}

function words(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/);
}
