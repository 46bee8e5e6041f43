import { OBJECT_CATEGORIES } from "../scenes/categories.js";

/**
 * Colours that stay distinct under all common kinds of colour blindness (Okabe and Ito, "Color Universal
 * Design", 2008, darkened where a line on white needs it). Shapes and dashes convey the same information.
 */
export const INK = {
  page: "#fff",
  text: "#333",
  faintText: "#5d6670",
  room: "#f5f3ee",
  walkable: "#dbe7f0",
  walkableEdge: "#9fb4c5",
  stairs: "#eaf0f4",
  wall: "#4a4a4a",
  start: "#009e73",
  goal: "#b0417f",
  goalObject: "#f3d3e5",
  furnitureEdge: "#8d8a84",
  reference: "#e69f00",
  end: "#0b2f57",
  collision: "#d1001f",
  object: "#b35900",
  load: "#f4b45f",
} as const;

/** Width of the band under the path on which the robot carries the object. */
export const LOAD_PX = 10;

const FIRST_STEP = [126, 188, 232] as const;
const LAST_STEP = [11, 47, 87] as const;

/** The colour of the path taken at a share of its time: sky blue to navy. */
export function timeColor(share: number): string {
  const channels = FIRST_STEP.map((from, i) => from + ((LAST_STEP[i] ?? from) - from) * share);
  return `#${channels.map((c) => Math.round(c).toString(16).padStart(2, "0")).join("")}`;
}

const SOUGHT: ReadonlySet<string> = new Set(OBJECT_CATEGORIES);

export function isSought(category: string): boolean {
  return SOUGHT.has(category);
}

/** Categories that are not furniture: parts of the building and unnamed objects. */
const BUILDING: ReadonlySet<string> = new Set([
  "unknown",
  "building",
  "wall",
  "floor",
  "ceiling",
  "door",
  "window",
  "stairs",
  "curtain",
]);

export function isFurniture(category: string): boolean {
  return !BUILDING.has(category);
}

const WOOD = "#e6d5bd";
const CLOTH = "#d9d0e3";
const WATER = "#cfe3e6";
const METAL = "#d5d8dc";

const TINTS: Readonly<Record<string, string>> = {
  chair: "#ecd9b4",
  couch: CLOTH,
  bed: CLOTH,
  plant: "#c5dfc4",
  toilet: WATER,
  tv_monitor: "#b9bfc9",
  table: WOOD,
  desk: WOOD,
  shelf: WOOD,
  wardrobe: WOOD,
  cabinet: WOOD,
  nightstand: WOOD,
  counter: METAL,
  fridge: METAL,
  stove: METAL,
  washing_machine: METAL,
  sink: WATER,
  bathtub: WATER,
  shower: WATER,
};

export function tintOf(category: string): string {
  return TINTS[category] ?? "#e4e2de";
}
