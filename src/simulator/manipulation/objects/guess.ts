import { hash53 } from "../../../core/math/hash.js";
import { OBJECT_SHAPES, type ObjectShape } from "../world/world.js";
import { COLORS } from "./colors.js";
import type { Rgb } from "./shape.js";

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
export function colorInName(name: string): Rgb {
  for (const word of words(name)) {
    const color = COLORS[word];
    if (color) return color;
  }
  return BRIGHT[hash53(name) % BRIGHT.length] ?? [0.5, 0.5, 0.5];
}

function words(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/);
}
